package collection

import "io"

// Packed is a file in a form that this package does not unpack (bzip2, tar). The unpacker reads it through Packed
// and wraps its output in Bound, so that the limits of gzip and zip apply.
type Packed struct {
	in    counter
	lim   Limits
	files int
}

// NewPacked returns r as a Packed.
func NewPacked(r io.Reader, limits Limits) *Packed {
	return &Packed{in: counter{r: r}, lim: limits.withDefaults()}
}

// Read reads the packed bytes.
func (p *Packed) Read(b []byte) (int, error) { return p.in.Read(b) }

// Bound returns r, which unpacks p. Reading fails with a LimitError beyond Limits.Bytes or beyond the ratio to the
// bytes read of p. After io.EOF reading may continue, for the next file of a tar.
func (p *Packed) Bound(r io.Reader) io.Reader { return &unpacking{p, r, 0} }

// File counts a file that comes out of p. It returns a LimitError beyond Limits.Files.
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
	if over := b.p.lim.checkSize(b.out, &b.p.in); over != nil {
		return 0, over
	}
	return n, err
}
