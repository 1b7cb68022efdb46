package collection

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// member is a gzip of text whose header has the optional fields of RFC 1952 that flags names: 4 an extra field, 8 a
// name, 16 a comment, 2 a CRC of the header. The extra field is so long that its length needs both bytes.
func member(flags byte, text string) []byte {
	plain := gz([]byte(text))
	b := append([]byte{0x1f, 0x8b, 8, flags}, plain[4:10]...)
	if flags&4 != 0 {
		b = append(b, 0x2c, 1) // 300
		b = append(b, bytes.Repeat([]byte{0x1f}, 300)...)
	}
	if flags&8 != 0 {
		b = append(b, "name of the file\x00"...)
	}
	if flags&16 != 0 {
		b = append(b, "a comment\x00"...)
	}
	if flags&2 != 0 {
		b = append(b, 0xaa, 0xbb) // not checked, as gzip 1.12 does not either
	}
	return append(b, plain[10:]...)
}

func readAll(b []byte, limits Limits) (string, error) {
	s, err := newSource("x.gz", bytes.NewReader(b), Options{Limits: limits.withDefaults()})
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(s)
	return string(text), err
}

// Every field of a header is passed over, in every combination, and a file that ends within one says so. compress/gzip,
// of Go 1.26, reads the same of those without a CRC of the header, which it checks.
func TestGzipHeaderFields(t *testing.T) {
	const text = "q1 Q0 d1 1 2.5 t\n"
	const cut = "collection: read x.gz: gzip: cut off in its header: fetch the file again"
	for flags := range byte(32) {
		b := member(flags, text)
		if flags&1 != 0 { // "perhaps a text", which says nothing
			continue
		}
		if got, err := readAll(b, Limits{}); err != nil || got != text {
			t.Fatalf("flags %d: %q, %v", flags, got, err)
		}
		if flags&2 == 0 {
			r, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != text {
				t.Fatalf("flags %d: compress/gzip: %q, %v", flags, got, err)
			}
		}
		header := len(b) - len(gz([]byte(text))) + 10
		for n := 2; n < header; n++ {
			if n > 20 && n < header-30 && n%37 != 0 { // within the extra field
				continue
			}
			if _, err := readAll(b[:n], Limits{}); err == nil || err.Error() != cut {
				t.Fatalf("flags %d, cut off at %d of %d: %v", flags, n, header, err)
			}
			if n%4 != 0 {
				continue
			}
			// the same of a second member
			if got, err := readAll(append(gz([]byte("x")), b[:n]...), Limits{}); got != "x" || err == nil ||
				err.Error() != strings.TrimPrefix(cut, "collection: read x.gz: ") {
				t.Fatalf("flags %d, second member cut off at %d of %d: %q, %v", flags, n, header, got, err)
			}
		}
		if got, err := readAll(append(b, b...), Limits{}); err != nil || got != text+text {
			t.Fatalf("flags %d: two members: %q, %v", flags, got, err)
		}
	}
	for name, c := range map[string]struct {
		at   int
		to   byte
		want string
	}{
		"another method":     {2, 7, "collection: read x.gz: gzip: damaged header"},
		"flag 32, reserved":  {3, 32, "collection: read x.gz: gzip: damaged header"},
		"flag 64, reserved":  {3, 64, "collection: read x.gz: gzip: damaged header"},
		"flag 128, reserved": {3, 128, "collection: read x.gz: gzip: damaged header"},
	} {
		b := gz([]byte(text))
		b[c.at] = c.to
		if _, err := readAll(b, Limits{}); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	// A name may have 64 KiB.
	for _, c := range []struct {
		n    int
		want string
	}{{1 << 16, "<nil>"}, {1<<16 + 1, "collection: read x.gz: gzip: damaged header"}} {
		plain := gz([]byte(text))
		b := append(append([]byte{0x1f, 0x8b, 8, 8}, plain[4:10]...), bytes.Repeat([]byte("n"), c.n)...)
		if _, err := readAll(append(append(b, 0), plain[10:]...), Limits{}); fmt.Sprint(err) != c.want {
			t.Errorf("a name of %d bytes: %v, want %s", c.n, err, c.want)
		}
	}
}

// A member has the CRC of its text and its length at its end; zero bytes behind it are padding, anything else is
// another member.
func TestGzipTrailer(t *testing.T) {
	const text = "q1 Q0 d1 1 2.5 t\n"
	b := gz([]byte(text))
	for n := 1; n <= 8; n++ {
		if got, err := readAll(b[:len(b)-n], Limits{}); got != text || err == nil ||
			err.Error() != "gzip: cut off at its end: fetch the file again" {
			t.Errorf("%d bytes less: %q, %v", n, got, err)
		}
		damaged := bytes.Clone(b)
		damaged[len(b)-n] ^= 1
		if got, err := readAll(damaged, Limits{}); got != text || err == nil ||
			err.Error() != "gzip: damaged: its checksum does not match: fetch the file again" {
			t.Errorf("byte %d from the end: %q, %v", n, got, err)
		}
	}
	if _, err := readAll(b[:len(b)-9], Limits{}); err == nil || err.Error() != "gzip: cut off: fetch the file again" {
		t.Error(err)
	}
	for behind, want := range map[string]string{
		"\x00": text, "\x00\x00\x00": text, "\x00\x00" + string(b): text + text,
		"x": "gzip: cut off in its header: fetch the file again", "\x00\x00xxxx": "gzip: damaged header",
	} {
		got, err := readAll(append(bytes.Clone(b), behind...), Limits{})
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%.4q behind it: %q, want %q", behind, got, want)
		}
	}
}

// The ratio is looked at once more than 4 MiB have come out, and is that of all bytes so far; a bound that is met is
// not exceeded.
func TestRatioSaysHowMuch(t *testing.T) {
	half := func(n int) *source { // of compressed data that gives n bytes for the 1000 that it has
		in := &counter{r: bytes.NewReader(make([]byte, 1000))}
		in.Read(make([]byte, 1000))
		return &source{r: bytes.NewReader(make([]byte, n)), in: in, opt: Options{Limits: Limits{}.withDefaults()}}
	}
	for _, c := range []struct {
		out   int
		ratio int64
		want  string
	}{
		{4 << 20, 100, "<nil>"},
		{4<<20 + 1, 100, "4194 bytes out of every compressed byte are more than the limit of 100 (Ratio)"},
		{5_000_000, 5000, "<nil>"},
		{5_000_001, 5000, "5000 bytes out of every compressed byte are more than the limit of 5000 (Ratio)"},
	} {
		s := half(c.out)
		s.opt.Limits.Ratio = c.ratio
		if _, err := s.Read(make([]byte, c.out)); fmt.Sprint(err) != c.want && err != io.EOF {
			t.Errorf("%d of 1000, ratio %d: %v, want %s", c.out, c.ratio, err, c.want)
		}
	}
}

// Progress is told of about every megabyte and of the end, once each.
func TestProgressIsToldOfEveryMegabyte(t *testing.T) {
	var told []int64
	s, err := newSource("x", bytes.NewReader(make([]byte, 3<<20+5)),
		Options{Limits: Limits{}.withDefaults(), Progress: func(_ string, read int64) error {
			told = append(told, read)
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 1<<19)
	for err == nil {
		_, err = s.Read(buf)
	}
	// two bytes were read ahead, so the first read gives these alone
	if want := "[1572866 2621442 3145733]"; fmt.Sprint(told) != "[1048578 2097154 3145730 3145733]" &&
		fmt.Sprint(told) != want {
		t.Errorf("%v, want %v", told, want)
	}
}

// What the reader of the bytes says is what is said, and it is said again.
func TestSourceKeepsItsError(t *testing.T) {
	gone := errors.New("the disk is gone")
	for _, before := range []string{"", "q", "q1 Q0 d1 1 2.5 t\n"} {
		_, err := Read("x", io.MultiReader(strings.NewReader(before), &failing{gone}), Options{})
		if err == nil || err.Error() != "collection: read x: the disk is gone" || !errors.Is(err, gone) {
			t.Errorf("%q: %v", before, err)
		}
		_, _, err = ReadRun(io.MultiReader(strings.NewReader(before), &failing{gone}), "x", Options{})
		if err == nil || err.Error() != "collection: read x: the disk is gone" {
			t.Errorf("run, %q: %v", before, err)
		}
	}
	s, err := newSource("x", strings.NewReader("abc"), Options{Limits: Limits{Bytes: 2}.withDefaults()})
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 10)
	if n, err := s.Read(buf); n != 2 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for range 2 {
		if n, err := s.Read(buf); n != 0 || fmt.Sprint(err) != "3 bytes are more than the limit of 2 (Bytes)" {
			t.Errorf("%d, %v", n, err)
		}
	}
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

// A line that the buffer holds whole is read whatever its length, as is one that is as long as the limit; one that goes
// on behind that is refused.
func TestTheLongestLine(t *testing.T) {
	for _, limit := range []int{10, 8191, 8192, 8193, 20000} {
		for _, extra := range []int{0, 1} {
			text := "a\r\n" + strings.Repeat("x", limit+extra) + "\nb"
			src, err := newSource("x", strings.NewReader(text), Options{Limits: Limits{Line: limit}.withDefaults()})
			if err != nil {
				t.Fatal(err)
			}
			in := newLines(src)
			var got []string
			for {
				l, err := in.next()
				if err != nil {
					got = append(got, err.Error())
					break
				}
				got = append(got, string(l))
			}
			if len(got) != 4 || got[0] != "a" || got[1] != strings.Repeat("x", limit+extra) || got[2] != "b" ||
				got[3] != "EOF" || in.line != 3 {
				t.Errorf("limit %d, %d more: %d lines, the last %.80s", limit, extra, len(got), got[len(got)-1])
			}
		}
	}
}

// Limits that are not set are those that are documented, and a negative one never binds.
func TestLimitsHaveDefaults(t *testing.T) {
	if got, want := (Limits{}).withDefaults(),
		(Limits{1 << 30, 100, 16 << 20, 64, 10_000_000, 1_000_000, 50_000_000, 10_000, 10_000_000, 1000,
			100}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	const most = 1<<31 - 1
	if got, want := (Limits{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}).withDefaults(),
		(Limits{1<<62 - 1, 1<<62 - 1, most, most, most, most, most, most, 1<<62 - 1, most, most}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	set := Limits{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	if got := set.withDefaults(); got != set {
		t.Errorf("%+v, want %+v", got, set)
	}
}
