package collection

import "io"

// Packed is a file in a form that this package does not unpack (bzip2, tar). Whoever does reads it through this, and
// what comes out of it by Bound: so it is held to the same limits as a gzip and a zip.
type Packed struct {
	in    counter
	lim   Limits
	files int
}

// NewPacked returns r as a Packed.
func NewPacked(r io.Reader, limits Limits) *Packed {
	return &Packed{in: counter{r: r}, lim: limits.withDefaults()}
}

// Read reads the file as it is.
func (p *Packed) Read(b []byte) (int, error) { return p.in.Read(b) }

// Bound returns r, which unpacks p, with a LimitError where it gives more than Bytes, or more than Ratio allows for
// what was read of p. After its end it may be read on, as the next file of a tar.
func (p *Packed) Bound(r io.Reader) io.Reader { return &unpacking{p, r, 0} }

// File counts a file that comes out of p: a LimitError where there are more than Files.
func (p *Packed) File() error {
	if p.files++; p.files > p.lim.Files {
		return &LimitError{"Files", "files in an archive", int64(p.lim.Files), int64(p.files)}
	}
	return nil
}

type unpacking struct {
	p   *Packed
	r   io.Reader
	out int64
}

func (b *unpacking) Read(to []byte) (int, error) {
	n, err := b.r.Read(to)
	b.out += int64(n)
	if over := b.p.lim.over(b.out, &b.p.in); over != nil {
		return 0, over
	}
	return n, err
}
