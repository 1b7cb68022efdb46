package collection

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"hash"
	"hash/crc32"
	"io"
)

// source is the bytes of one file as its readers want them: decompressed where it begins like gzip, counted, and bounded by the limits.
type source struct {
	name string
	r    io.Reader
	opt  Options // with defaults
	read int64   // bytes given out
	next int64   // when progress is due
	in   *counter
	err  error
}

const progressStep = 1 << 20

// newSource starts reading r. The limits of opt must have their defaults.
func newSource(name string, r io.Reader, opt Options) (*source, error) {
	s := &source{name: name, opt: opt, next: progressStep}
	head := make([]byte, 2)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, parseError(name, 0, err)
	}
	if n > 0 {
		r = io.MultiReader(bytes.NewReader(head[:n]), r)
	}
	if n == 2 && head[0] == 0x1f && head[1] == 0x8b {
		s.in = &counter{r: r}
		z, err := newGunzip(s.in)
		if err != nil {
			return nil, parseError(name, 0, err)
		}
		r = z
	}
	s.r = r
	return s, nil
}

// counter counts what is read through it.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// ratioFrom is how much may come out of a compressed file before the ratio of its sizes is looked at.
const ratioFrom = 4 << 20

func (s *source) Read(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(b)
	s.read += int64(n)
	if err == nil || err == io.EOF {
		if s.read > s.opt.Limits.Bytes {
			err = &LimitError{"Bytes", "bytes", s.opt.Limits.Bytes, s.read}
		} else if s.in != nil && s.read > ratioFrom && s.read > s.in.n*s.opt.Limits.Ratio {
			err = &LimitError{"Ratio", "bytes out of every compressed byte", s.opt.Limits.Ratio, s.read / max(s.in.n, 1)}
		} else if s.opt.Progress != nil && (s.read >= s.next || err == io.EOF) {
			s.next = s.read + progressStep
			if perr := s.opt.Progress(s.name, s.read); perr != nil {
				err = perr
			}
		}
	}
	s.err = err
	if err != nil && err != io.EOF {
		return 0, err
	}
	return n, err
}

// gunzip reads the members of a gzip file (RFC 1952) one after another, as one text, checking each one's length and CRC. It stands in for
// compress/gzip, which costs the page 25 kB more.
type gunzip struct {
	in   *bufio.Reader
	z    io.ReadCloser
	crc  hash.Hash32
	size uint32
	err  error
}

func newGunzip(r io.Reader) (*gunzip, error) {
	g := &gunzip{in: bufio.NewReaderSize(r, 64<<10), crc: crc32.NewIEEE()}
	if err := g.header(); err != nil {
		return nil, err
	}
	g.z = flate.NewReader(g.in)
	return g, nil
}

// header reads the header of a member.
func (g *gunzip) header() error {
	var h [10]byte
	if _, err := io.ReadFull(g.in, h[:]); err != nil {
		if err == io.EOF {
			return io.EOF
		}
		return errors.New("gzip: cut off in its header")
	}
	if h[0] != 0x1f || h[1] != 0x8b || h[2] != 8 || h[3]&0xe0 != 0 {
		return errors.New("gzip: damaged header")
	}
	skip := func(n int) error {
		_, err := g.in.Discard(n)
		return err
	}
	zero := func() error {
		for n := 0; n < 1<<16; n++ {
			c, err := g.in.ReadByte()
			if err != nil || c == 0 {
				return err
			}
		}
		return errors.New("gzip: damaged header")
	}
	var err error
	if h[3]&4 != 0 {
		var n [2]byte
		if _, err = io.ReadFull(g.in, n[:]); err == nil {
			err = skip(int(n[0]) | int(n[1])<<8)
		}
	}
	if err == nil && h[3]&8 != 0 {
		err = zero()
	}
	if err == nil && h[3]&16 != 0 {
		err = zero()
	}
	if err == nil && h[3]&2 != 0 {
		err = skip(2)
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = errors.New("gzip: cut off in its header")
	}
	return err
}

func (g *gunzip) Read(b []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	for {
		n, err := g.z.Read(b)
		g.crc.Write(b[:n])
		g.size += uint32(n)
		if err == nil {
			return n, nil
		}
		if err != io.EOF {
			g.err = damaged("gzip", err)
			return n, g.err
		}
		var t [8]byte
		if _, err := io.ReadFull(g.in, t[:]); err != nil {
			g.err = errors.New("gzip: cut off at its end")
			return n, g.err
		}
		if le32(t[:]) != g.crc.Sum32() || le32(t[4:]) != g.size {
			g.err = errors.New("gzip: damaged: its checksum does not match")
			return n, g.err
		}
		// Zero bytes may pad the end; anything else is another member.
		for {
			c, err := g.in.Peek(1)
			if err != nil {
				g.err = io.EOF
				return n, g.err
			}
			if c[0] != 0 {
				break
			}
			g.in.Discard(1)
		}
		if err := g.header(); err != nil {
			if err == io.EOF {
				err = errors.New("gzip: cut off in its header")
			}
			g.err = err
			return n, g.err
		}
		g.crc.Reset()
		g.size = 0
		g.z.(flate.Resetter).Reset(g.in, nil)
		if n > 0 {
			return n, nil
		}
	}
}

// damaged says in words what went wrong in compressed data.
func damaged(format string, err error) error {
	if err == io.ErrUnexpectedEOF {
		return errors.New(format + ": cut off")
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		return errors.New(format + ": damaged compressed data")
	}
	return err
}

func le16(b []byte) uint16 { return uint16(b[0]) | uint16(b[1])<<8 }

func le32(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

func le64(b []byte) uint64 { return uint64(le32(b)) | uint64(le32(b[4:]))<<32 }

// lines cuts a source into lines.
type lines struct {
	src   *source
	buf   []byte
	pos   int // buf[pos:] is unread
	line  int // the line last returned, from 1
	ended bool
}

func newLines(src *source) *lines { return &lines{src: src} }

// lineBuffer is how much is read at once.
const lineBuffer = 256 << 10

// next returns the next line without its ending ("\n" or "\r\n") and, on the first, without a byte order mark; io.EOF after the last.
// The bytes are valid until the next call.
func (l *lines) next() ([]byte, error) {
	from := l.pos
	for {
		if i := bytes.IndexByte(l.buf[from:], '\n'); i >= 0 {
			b := l.buf[l.pos : from+i]
			l.pos = from + i + 1
			return l.cut(b)
		}
		if l.ended {
			b := l.buf[l.pos:]
			l.pos = len(l.buf)
			if len(b) == 0 {
				return nil, io.EOF
			}
			return l.cut(b)
		}
		if len(l.buf)-l.pos > l.src.opt.Limits.Line {
			return nil, parseError(l.src.name, l.line+1, &LimitError{"Line", "bytes in a line", int64(l.src.opt.Limits.Line), int64(len(l.buf) - l.pos)})
		}
		from = len(l.buf) - l.pos
		if err := l.fill(); err != nil {
			return nil, err
		}
		from += l.pos
	}
}

// fill reads more behind buf[pos:], which it moves to the front.
func (l *lines) fill() error {
	n := copy(l.buf[:cap(l.buf)], l.buf[l.pos:])
	l.buf, l.pos = l.buf[:n], 0
	if cap(l.buf)-n < lineBuffer/2 {
		b := make([]byte, n, 2*cap(l.buf)+lineBuffer)
		copy(b, l.buf)
		l.buf = b
	}
	n, err := l.src.Read(l.buf[n:cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	if err == io.EOF {
		l.ended = true
		return nil
	}
	if err != nil {
		return parseError(l.src.name, 0, err)
	}
	return nil
}

func (l *lines) cut(b []byte) ([]byte, error) {
	if l.line == 0 {
		if len(b) >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf {
			b = b[3:]
		} else if len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
			return nil, parseError(l.src.name, 1, errUTF16)
		}
	}
	l.line++
	if len(b) > 0 && b[len(b)-1] == '\r' {
		b = b[:len(b)-1]
	}
	return b, nil
}

var errUTF16 = errors.New("text is UTF-16: save it as UTF-8")

// blank reports whether b is nothing but white space.
func blank(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
