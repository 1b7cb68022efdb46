package collection

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
)

// runLines is a reader of run lines that has read the first of them the careful way, with everything buffered.
func runLines(t *testing.T, text string) *runText {
	t.Helper()
	src, err := newSource("run", strings.NewReader(text), Options{Limits: Limits{}.withDefaults()})
	if err != nil {
		t.Fatal(err)
	}
	p := &runText{in: newLines(src), b: NewRunBuilder("")}
	p.b.lined = true
	for !p.in.ended {
		if err := p.in.fill(); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.slow(); err != nil {
		t.Fatal(err)
	}
	return p
}

// state is what a reader of lines has read so far.
func (p *runText) state() string {
	s := p.b.cur
	var scores []uint64
	for _, v := range s.scores {
		scores = append(scores, math.Float64bits(v))
	}
	return fmt.Sprintf("at %d, line %d, %d entries, %x, numbers %v %v, ids %q %v, lines %d %v, rank %d, %+v", p.in.pos,
		p.in.line, p.b.run.n, scores, s.numeric, s.nums, s.ids, s.ends, s.line, s.lines, s.lastRank, s.note)
}

// quick gives the second line of a text to the quick reader, and says whether it took it. Where it did, it must have
// read what the careful one reads; where it did not, it must have left everything as it was.
func quick(t *testing.T, first, line string) bool {
	t.Helper()
	text := first + line + strings.Repeat("#", 128)
	p, careful := runLines(t, text), runLines(t, text)
	if p.prefix.n == 0 || p.suffix.n == 0 {
		t.Fatalf("the quick reader has nothing to go by behind %q", first)
	}
	before := p.state()
	end := len(first) + len(line)
	p.fast(end)
	if p.in.pos != end {
		if got := p.state(); got != before {
			t.Errorf("%q was not taken and changed\n%s to\n%s", line, before, got)
		}
		return false
	}
	if err := careful.slow(); err != nil {
		t.Errorf("%q is taken, where the careful reader says %v", line, err)
	} else if got, want := p.state(), careful.state(); got != want {
		t.Errorf("%q:\n%s, want\n%s", line, got, want)
	}
	return true
}

// What the quick reader of lines takes and what it leaves to the careful one; both read the same.
func TestTheQuickReaderOfRuns(t *testing.T) {
	for _, c := range []struct {
		name, first, line string
		want              bool
	}{
		{"a line", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.5 t\n", true},
		{"CRLF", "q1 Q0 d1 1 2.5 t\r\n", "q1 Q0 d2 2 1.5 t\r\n", true},
		{"tabs", "q1\tQ0\td1\t1\t2.5\tt\n", "q1\tQ0\td2\t2\t1.5\tt\n", true},
		{"another query", "q1 Q0 d1 1 2.5 t\n", "q2 Q0 d2 2 1.5 t\n", false},
		{"another tag", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.5 u\n", false},
		{"another ending", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.5 t\r\n", false},
		{"words behind the tag", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.5 t x\n", false},
		{"no Q0", "q1 d1 1 2.5 t\n", "q1 d2 2 1.5 t\n", true},
		{"no tag", "q1 Q0 d1 1 2.5\n", "q1 Q0 d2 2 1.5\n", true},
		{"a prefix of 24 bytes, another in its last", "query67890123456789 Q0  d1 1 2.5 t\n",
			"query67890123456789 Q0\t d2 2 1.5 t\n", false},
		{"a prefix of 24 bytes", "query678901234567890 Q0 d1 1 2.5 t\n", "query678901234567890 Q0 d2 2 1.5 t\n", true},
		{"a prefix of 24 bytes, its last is another", "query678901234567890 Q0 d1 1 2.5 t\n",
			"query678901234567890 Q0\td2 2 1.5 t\n", false},
		{"a prefix, the eighth byte is another", "query6789 Q0 d1 1 2.5 t\n", "query6788 Q0 d1 1 2.5 t\n", false},
		{"a prefix, the ninth byte is another", "query6789 Q0 d1 1 2.5 t\n", "query6780 Q0 d1 1 2.5 t\n", false},
		{"a prefix, its 16th byte is another", "query6789012345a Q0 d1 1 2.5 t\n", "query6789012345b Q0 d1 1 2.5 t\n",
			false},
		{"a prefix, its 17th byte is another", "query67890123456a Q0 d1 1 2.5 t\n", "query67890123456b Q0 d1 1 2.5 t\n",
			false},
		{"a suffix of 24 bytes", "q1 Q0 d1 1 2.5 a23456789012345678901z\n", "q1 Q0 d2 2 1.5 a23456789012345678901z\n",
			true},
		{"a suffix of 24 bytes, another before its last", "q1 Q0 d1 1 2.5 a23456789012345678901z\n",
			"q1 Q0 d2 2 1.5 a23456789012345678901y\n", false},
		{"a suffix, its eighth byte is another", "q1 Q0 d1 1 2.5 a23456x89\n", "q1 Q0 d2 2 1.5 a23456y89\n", false},
		{"a suffix, its ninth byte is another", "q1 Q0 d1 1 2.5 a234567x9\n", "q1 Q0 d2 2 1.5 a234567y9\n", false},
		{"a suffix, its 16th byte is another", "q1 Q0 d1 1 2.5 a2345678901234x67\n",
			"q1 Q0 d2 2 1.5 a2345678901234y67\n", false},
		{"a suffix, its 17th byte is another", "q1 Q0 d1 1 2.5 a23456789012345x7\n",
			"q1 Q0 d2 2 1.5 a23456789012345y7\n", false},
		{"a shorter suffix", "q1 Q0 d1 1 2.5 tt\n", "q1 Q0 d2 2 1.5 t\n", false},

		{"an id that is a number", "q1 Q0 7 1 2.5 t\n", "q1 Q0 8 2 1.5 t\n", true},
		{"an id that is a number behind one that is none", "q1 Q0 d 1 2.5 t\n", "q1 Q0 8 2 1.5 t\n", true},
		{"an id that is none behind numbers", "q1 Q0 7 1 2.5 t\n", "q1 Q0 d8 2 1.5 t\n", true},
		{"an id with a digit that is none, below 0", "q1 Q0 7 1 2.5 t\n", "q1 Q0 1/1 2 1.5 t\n", true},
		{"an id with a digit that is none, above 9", "q1 Q0 7 1 2.5 t\n", "q1 Q0 1:1 2 1.5 t\n", true},
		{"an id of 0", "q1 Q0 7 1 2.5 t\n", "q1 Q0 0 2 1.5 t\n", true},
		{"an id with a leading 0", "q1 Q0 7 1 2.5 t\n", "q1 Q0 01 2 1.5 t\n", true},
		{"nine digits with a leading 0", "q1 Q0 7 1 2.5 t\n", "q1 Q0 012345678 2 1.5 t\n", true},
		{"seven digits", "q1 Q0 7 1 2.5 t\n", "q1 Q0 1234567 2 1.5 t\n", true},
		{"eight digits", "q1 Q0 7 1 2.5 t\n", "q1 Q0 12345678 2 1.5 t\n", true},
		{"eight digits and a letter", "q1 Q0 7 1 2.5 t\n", "q1 Q0 12345678a 2 1.5 t\n", true},
		{"eight digits, one of them none", "q1 Q0 7 1 2.5 t\n", "q1 Q0 1234:6789 2 1.5 t\n", true},
		{"nine digits", "q1 Q0 7 1 2.5 t\n", "q1 Q0 123456789 2 1.5 t\n", true},
		{"nine nines", "q1 Q0 7 1 2.5 t\n", "q1 Q0 999999999 2 1.5 t\n", true},
		{"ten digits", "q1 Q0 7 1 2.5 t\n", "q1 Q0 4294967295 2 1.5 t\n", true},
		{"ten digits that are too many", "q1 Q0 7 1 2.5 t\n", "q1 Q0 4294967296 2 1.5 t\n", true},
		{"eleven digits", "q1 Q0 7 1 2.5 t\n", "q1 Q0 42949672950 2 1.5 t\n", true},
		{"an id with an odd character within", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 dé1 2 1.5 t\n", true},
		{"an id that begins with an odd character", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 éd 2 1.5 t\n", false},
		{"an id that ends with an odd character", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 dé 2 1.5 t\n", false},
		{"an id of DEL", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 \x7f 2 1.5 t\n", true},
		{"an id of !", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 ! 2 1.5 t\n", true},
		{"no id", "q1 Q0 d1 1 2.5 t\n", "q1 Q0  2 1.5 t\n", false},
		{"more spaces before the id", "q1 Q0 d1 1 2.5 t\n", "q1 Q0  d2 2 1.5 t\n", false},
		{"an id and a vertical tab", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2\v2 1.5 t\n", false},
		{"a space and a tab behind the id", "q1\tQ0\td1\t1\t2.5\tt\n", "q1\tQ0\td2 \t2\t1.5\tt\n", false},
		{"two tabs behind the id", "q1\tQ0\td1\t1\t2.5\tt\n", "q1\tQ0\td2\t\t2\t1.5\tt\n", true},
		{"a tab and a space behind the id", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2\t 2 1.5 t\n", true},

		{"rank 0", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 0 1.5 t\n", true},
		{"a rank of nine digits", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 999999999 1.5 t\n", true},
		{"a rank of ten digits", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 1000000000 1.5 t\n", false},
		{"a rank with a sign", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 -1 1.5 t\n", false},
		{"a rank that is none", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 x 1.5 t\n", false},
		{"a rank with a fraction", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 1.0 1.5 t\n", false},
		{"a rank and tabs", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2\t\t1.5 t\n", true},
		{"a rank and spaces", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2  1.5 t\n", true},
		{"a rank and a vertical tab", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2\v1.5 t\n", false},

		{"a score below 0", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 -1.5 t\n", true},
		{"a score of -0", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 -0 t\n", true},
		{"a whole score", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1 t\n", true},
		{"a score without digits behind its point", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1. t\n", true},
		{"a score without digits before its point", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 .5 t\n", true},
		{"a score with a plus", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 +1.5 t\n", false},
		{"a score with an exponent", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.5e0 t\n", false},
		{"a score of a point", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 . t\n", false},
		{"a score of a sign", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 - t\n", false},
		{"a score of 19 digits", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.234567890123456789 t\n", true},
		{"a score of 19 nines", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 9999999999999999999 t\n", true},
		{"a score of 20 digits", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 1.2345678901234567891 t\n", false},
		{"a score of 20 digits before its point", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 12345678901234567891 t\n", false},
		{"a score of more than 53 bits", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 0.9007199254740993 t\n", true},
		{"a score of 53 bits", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 9007199254740.991 t\n", true},

		{"the same score", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 2.5 t\n", true},
		{"a higher score and a worse rank", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 2 3.5 t\n", true},
		{"a higher score and the same rank", "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d2 1 3.5 t\n", true},
		{"a higher score and a better rank", "q1 Q0 d1 2 2.5 t\n", "q1 Q0 d2 1 3.5 t\n", true},
		{"a lower score and a better rank", "q1 Q0 d1 2 2.5 t\n", "q1 Q0 d2 1 1.5 t\n", true},
		{"a lower score and the same rank", "q1 Q0 d1 2 2.5 t\n", "q1 Q0 d2 2 1.5 t\n", true},
		{"the same score and a better rank", "q1 Q0 d1 2 2.5 t\n", "q1 Q0 d2 1 2.5 t\n", true},
		{"a higher score behind a rank that is none", "q1 Q0 d1 x 2.5 t\n", "q1 Q0 d2 2 3.5 t\n", true},
		{"a lower score behind a rank that is none", "q1 Q0 d1 x 2.5 t\n", "q1 Q0 d2 0 1.5 t\n", true},
		{"a higher score behind rank 0", "q1 Q0 d1 0 2.5 t\n", "q1 Q0 d2 1 3.5 t\n", true},
	} {
		if got := quick(t, c.first, c.line); got != c.want {
			t.Errorf("%s: taken %v, want %v", c.name, got, c.want)
		}
	}
	// Ids of every length and spaces of every number: those that are within the 100 bytes in which a line has to come
	// to the end of its score.
	for _, c := range "d7" {
		for n := 1; n <= 110; n++ {
			id := strings.Repeat(string(c), n)
			if got := quick(t, "q1 Q0 d1 1 2.5 t\n", "q1 Q0 "+id+" 2 1.5 t\n"); got != (n < 64) {
				t.Errorf("an id of %d: taken %v", n, got)
			}
			gap := strings.Repeat(" ", n)
			if got := quick(t, "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d"+gap+"2 1.5 t\n"); got != (7+n+5 <= 100) {
				t.Errorf("%d spaces before the rank: taken %v", n, got)
			}
			if got := quick(t, "q1 Q0 d1 1 2.5 t\n", "q1 Q0 d 2"+gap+"1.5 t\n"); got != (9+n+3 <= 100) {
				t.Errorf("%d spaces before the score: taken %v", n, got)
			}
		}
	}
	// An affix is up to 24 bytes.
	for n := 1; n <= 40; n++ {
		first := strings.Repeat("q", n) + " Q0 d1 1 2.5 t\n"
		if p := runLines(t, first); (p.prefix.n > 0) != (n+4 <= 24) {
			t.Errorf("a query of %d bytes: %+v", n, p.prefix)
		}
		first = "q1 Q0 d1 1 2.5 " + strings.Repeat("t", n) + "\r\n"
		if p := runLines(t, first); (p.suffix.n > 0) != (n+3 <= 24) {
			t.Errorf("a tag of %d bytes: %+v", n, p.suffix)
		}
	}
}

// The quick reader needs 128 bytes before it, takes no line beyond the block that it was given and none beyond the
// limit of entries, and knows the lines of what it took.
func TestTheQuickReaderStops(t *testing.T) {
	const first, line = "q1 Q0 10 1 2.5 t\n", "q1 Q0 11 2 1.5 t\n"
	for behind := range 140 {
		p := runLines(t, first+line+strings.Repeat("#", behind))
		p.fast(len(first) + len(line))
		if taken := p.in.pos > len(first); taken != (len(line)+behind >= 128) {
			t.Errorf("%d bytes behind the line: taken %v", behind, taken)
		}
	}
	lines := first
	for i := range 40 {
		lines += fmt.Sprintf("q1 Q0 %d 2 1.5 t\n", 11+i)
	}
	for _, n := range []int{0, 1, 2, 39, 40} {
		p := runLines(t, lines+strings.Repeat("#", 128))
		p.fast(len(first) * (1 + n))
		if p.b.run.n != 1+n || p.in.line != 1+n || p.b.cur.lineOf(n) != 1+n || len(p.b.cur.lines) != 0 {
			t.Errorf("a block of %d: %s", n, p.state())
		}
		p = runLines(t, lines+strings.Repeat("#", 128))
		p.b.lim.Entries = 1 + n
		p.fast(len(lines))
		if p.b.run.n != 1+n || p.in.line != 1+n {
			t.Errorf("a limit of %d: %s", 1+n, p.state())
		}
	}
	// Behind a blank line the lines of the entries are no longer one after the other.
	p := runLines(t, first+"\n"+lines+strings.Repeat("#", 128))
	for range 2 {
		if err := p.slow(); err != nil {
			t.Fatal(err)
		}
	}
	p.fast(len(first) + 1 + len(lines))
	if p.in.line != 43 || p.b.cur.lineOf(0) != 1 || p.b.cur.lineOf(1) != 3 || p.b.cur.lineOf(2) != 4 ||
		p.b.cur.lineOf(41) != 43 {
		t.Error(p.state())
	}
	p = runLines(t, first+"\n"+lines+strings.Repeat("#", 128))
	p.in.next() // the blank line; the quick reader is the first that sees what comes behind it
	p.fast(len(first) + 1 + len(lines))
	if p.in.line != 43 || p.b.cur.lineOf(0) != 1 || p.b.cur.lineOf(1) != 3 || p.b.cur.lineOf(41) != 43 {
		t.Error(p.state())
	}
}

// A whole run is read alike by both, and all but the first line of a query by the quick one.
func TestTheQuickReaderTakesARun(t *testing.T) {
	data := madeRun(5, 200)
	open := func() *runText {
		src, err := newSource("run", bytes.NewReader(data), Options{Limits: Limits{}.withDefaults()})
		if err != nil {
			t.Fatal(err)
		}
		p := &runText{in: newLines(src), b: NewRunBuilder("")}
		p.b.lined = true
		return p
	}
	careful, p := open(), open()
	for err := error(nil); err != io.EOF; {
		if err = careful.slow(); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	if err := p.read(); err != nil {
		t.Fatal(err)
	}
	a, wa := careful.b.Run()
	b, wb := p.b.Run()
	if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(wa, wb) {
		t.Errorf("%v, %v", wa, wb)
	}
}
