package collection

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"

	"github.com/rankbox/rankbox/core/internal/inflate"
)

// source is the bytes of one file as its readers want them: decompressed where it begins like gzip, counted, and
// bounded by the limits.
type source struct {
	name string
	r    io.Reader
	opt  Options // with defaults
	read int64   // bytes given out
	next int64   // when progress is due
	in   *counter
	err  error
	cr   bool // lines end with carriage returns alone, which become line feeds
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

// over returns a LimitError where so many bytes are too many, or too many for what they came out of, nil where that is
// not compressed.
func (l Limits) over(out int64, in *counter) error {
	if out > l.Bytes {
		return &LimitError{"Bytes", "bytes", l.Bytes, out}
	}
	if in != nil && out > ratioFrom && out > in.n*l.Ratio {
		return &LimitError{"Ratio", "bytes out of every compressed byte", l.Ratio, out / max(in.n, 1)}
	}
	return nil
}

func (s *source) Read(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(b)
	s.read += int64(n)
	if s.cr {
		feed(b[:n])
	}
	if err == nil || err == io.EOF {
		if lerr := s.opt.Limits.over(s.read, s.in); lerr != nil {
			err = lerr
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

// gunzip reads the members of a gzip file (RFC 1952) one after another, as one text, checking each one's length and
// CRC.
type gunzip struct {
	z    *inflate.Reader
	crc  uint32
	size uint32
	err  error
}

func newGunzip(r io.Reader) (*gunzip, error) {
	g := &gunzip{z: inflate.New(r)}
	if err := g.header(); err != nil {
		return nil, err
	}
	return g, nil
}

// word takes four bytes, the lowest first.
func (g *gunzip) word() (uint32, error) {
	var b [4]byte
	for i := range b {
		c, err := g.z.Byte()
		if err != nil {
			return 0, err
		}
		b[i] = c
	}
	return le32(b[:]), nil
}

// header reads the header of a member.
func (g *gunzip) header() error {
	err := g.fields()
	if err == io.EOF {
		err = errors.New("gzip: cut off in its header: fetch the file again")
	}
	return err
}

func (g *gunzip) fields() error {
	head, err := g.word()
	if err != nil {
		return err
	}
	if head&0xe0ffffff != 0x00088b1f {
		return errors.New("gzip: damaged header")
	}
	skip := func(n int) {
		for ; n > 0 && err == nil; n-- {
			_, err = g.z.Byte()
		}
	}
	zero := func() {
		for n := 0; err == nil; n++ {
			var c byte
			if c, err = g.z.Byte(); err == nil && c == 0 {
				return
			}
			if n == 1<<16 {
				err = errors.New("gzip: damaged header")
			}
		}
	}
	skip(6) // time, level, system
	if head&(4<<24) != 0 {
		var low, high byte
		if low, err = g.z.Byte(); err == nil {
			high, err = g.z.Byte()
		}
		skip(int(low) | int(high)<<8)
	}
	if head&(8<<24) != 0 {
		zero()
	}
	if head&(16<<24) != 0 {
		zero()
	}
	if head&(2<<24) != 0 {
		skip(2)
	}
	return err
}

func (g *gunzip) Read(b []byte) (int, error) {
	for g.err == nil {
		n, err := g.z.Read(b)
		g.crc = crc32.Update(g.crc, crc32.IEEETable, b[:n])
		g.size += uint32(n)
		if n > 0 || err == nil {
			return n, nil
		}
		if err != io.EOF {
			g.err = damaged("gzip", err)
			break
		}
		if g.err = g.trailer(); g.err == nil {
			g.crc, g.size = 0, 0
			g.z.Restart()
		}
	}
	return 0, g.err
}

// trailer checks the end of a member and reads the header of the next one; io.EOF where there is none.
func (g *gunzip) trailer() error {
	crc, err := g.word()
	if err == nil {
		var size uint32
		if size, err = g.word(); err == nil && (crc != g.crc || size != g.size) {
			return errors.New("gzip: damaged: its checksum does not match: fetch the file again")
		}
	}
	if err == io.EOF {
		return errors.New("gzip: cut off at its end: fetch the file again")
	}
	// Zero bytes may pad the end; anything else is another member.
	for err == nil {
		var c byte
		if c, err = g.z.Byte(); err == nil && c != 0 {
			g.z.Unread()
			return g.header()
		}
	}
	return err
}

// damaged says in words what went wrong in compressed data.
func damaged(format string, err error) error {
	switch err {
	case io.ErrUnexpectedEOF:
		return errors.New(format + ": cut off: fetch the file again")
	case inflate.ErrCorrupt:
		return errors.New(format + ": damaged compressed data: fetch the file again")
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

// lineBuffer is how much is read at once, once a file has shown to be large.
const lineBuffer = 256 << 10

// next returns the next line without its ending ("\n" or "\r\n") and, on the first, without a byte order mark; io.EOF
// after the last. The bytes are valid until the next call.
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
			return nil, parseError(l.src.name, l.line+1,
				&LimitError{"Line", "bytes in a line", int64(l.src.opt.Limits.Line), int64(len(l.buf) - l.pos)})
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
	if size := cap(l.buf); size < lineBuffer || n > size/2 {
		// The first reads are small, so that small files are cheap.
		b := make([]byte, n, max(8<<10, 2*size))
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

// feed replaces carriage returns with line feeds.
func feed(b []byte) {
	for i, c := range b {
		if c == '\r' {
			b[i] = '\n'
		}
	}
}

// oldMac makes lines of a text whose lines end with carriage returns alone, if the start that is buffered shows one
// such ending before any other.
func (l *lines) oldMac() {
	i := bytes.IndexByte(l.buf, '\r')
	if i < 0 || i+1 == len(l.buf) && !l.ended || i+1 < len(l.buf) && (l.buf[i+1] == '\n' || l.buf[i+1] == '\r') ||
		holds(l.buf[:i], '\n') || holds(l.buf[:i], 0) || bytes.HasPrefix(l.buf, npyMagic) {
		return
	}
	if holds(l.buf, '\n') {
		return // both: the carriage return is part of a line
	}
	l.src.cr = true
	feed(l.buf)
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
	if holds(b, 0) {
		return nil, parseError(l.src.name, l.line, errNUL)
	}
	return b, nil
}

var (
	errUTF16 = errors.New("text is UTF-16: save it as UTF-8")
	errNUL   = errors.New("a zero byte: the file is damaged or not text")
	errCR    = errors.New("a carriage return within the line: save the file with one kind of line ending")
)

// broken reports whether there is a carriage return within a line, something else behind it.
func broken(l []byte) bool {
	i := bytes.IndexByte(l, '\r')
	return i >= 0 && !blank(l[i:])
}

// holds reports whether a byte is in b.
func holds(b []byte, c byte) bool { return bytes.IndexByte(b, c) >= 0 }

// blank reports whether b is nothing but white space.
func blank(b []byte) bool {
	for _, c := range b {
		if !space(c) {
			return false
		}
	}
	return true
}
