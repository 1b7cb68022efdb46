package collection

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

// ReadRun reads a run as text, as trec_eval does: query, Q0, document, rank, score, tag, separated by spaces or tabs,
// plain or gzipped. Runs of five columns, without Q0 or without a tag, are read too; the first line decides. Scores are
// decimal or hexadecimal, with or without an exponent. Lines that start with '#' before the first entry are ir_metadata
// or comments, and blank lines are passed over. What is odd is warned about, by line.
func ReadRun(r io.Reader, name string, opt Options) (*Run, []Warning, error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, nil, err
	}
	p := &runText{in: newLines(src), b: NewRunBuilder("")}
	p.b.file, p.b.lim, p.b.lined = name, opt.Limits, true
	if err := p.read(); err != nil {
		return nil, p.b.w.list, err
	}
	run, list := p.b.Run()
	run.Metadata = parseMetadata(p.head)
	return run, list, nil
}

// runText reads the lines of a run. Most lines begin and end like the one before: those are taken by fast, the others
// by slow.
type runText struct {
	in      *lines
	b       *RunBuilder
	head    []string // lines that start with '#'
	columns int      // 0: not known yet
	noQ0    bool     // of five columns: the one without Q0, not the one without a tag
	tag     []byte
	tagged  bool
	prefix  affix // what the last line had before the document
	suffix  affix // what it had behind the score, with its ending
	fields  [7][]byte
}

// affix is up to 24 bytes that a line is compared with, eight at a time.
type affix struct {
	n    int // 0: nothing to compare with
	word [3]uint64
	mask [3]uint64
}

func (a *affix) set(b []byte) {
	*a = affix{}
	if len(b) > 24 || len(b) == 0 {
		return
	}
	a.n = len(b)
	var pad [24]byte
	copy(pad[:], b)
	for i := range a.word {
		a.word[i] = binary.LittleEndian.Uint64(pad[8*i:])
		if k := len(b) - 8*i; k >= 8 {
			a.mask[i] = 1<<64 - 1
		} else if k > 0 {
			a.mask[i] = 1<<(8*k) - 1
		}
	}
}

// read reads all lines. A block is what the buffer has up to its last line ending.
func (p *runText) read() error {
	in := p.in
	for {
		end := bytes.LastIndexByte(in.buf[in.pos:], '\n') + 1 + in.pos
		if p.columns > 0 && end > in.pos {
			var err error
			for in.pos < end && err == nil {
				if p.fast(end); in.pos < end {
					err = p.slow()
				}
			}
			if err != nil {
				return err
			}
		} else if err := p.slow(); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// fast takes lines, up to end, that begin and end like the last one that slow took and have a plain id, rank and score.
// It stops before the first that does not, and before the last 128 bytes of the buffer, so that it may look ahead.
// It is one loop over the bytes: every step goes on from the place that the last one reached, and calls would cost what
// the fast way saves.
func (p *runText) fast(end int) {
	in, b := p.in, p.b
	buf := in.buf
	if p.prefix.n == 0 || p.suffix.n == 0 {
		return
	}
	pre, suf := p.prefix, p.suffix
	s := b.cur
	pos, line := in.pos, in.line
	room := b.lim.Entries - b.run.n
	last := 0.0
	if n := len(s.scores); n > 0 {
		last = s.scores[n-1]
	}
	lastRank := s.lastRank
	added := 0
	defer func() {
		in.pos, in.line, s.lastRank = pos, line, lastRank
		b.run.n += added
	}()
	for pos < end && pos+128 <= len(buf) && added < room {
		l := buf[pos : pos+128 : pos+128]
		if (binary.LittleEndian.Uint64(l)^pre.word[0])&pre.mask[0]|
			(binary.LittleEndian.Uint64(l[8:])^pre.word[1])&pre.mask[1]|
			(binary.LittleEndian.Uint64(l[16:])^pre.word[2])&pre.mask[2] != 0 {
			return
		}
		at := pre.n
		// The id: bytes above ' ', at most 16, looked at eight at a time.
		w := binary.LittleEndian.Uint64(l[at:])
		m := (w - ones*0x21) & ^w & highs
		idFrom, idLen := at, 0
		var number uint64
		isNumber := false
		if m != 0 {
			idLen = bits.TrailingZeros64(m) >> 3
			if idLen == 0 {
				return
			}
			v := w<<(64-8*idLen) | ones*'0'>>(8*idLen)
			v ^= ones * '0'
			if (v|(v+ones*0x76))&highs == 0 && (idLen == 1 || byte(w) != '0') {
				number, isNumber = eight(v), true
			}
		} else {
			w2 := binary.LittleEndian.Uint64(l[at+8:])
			m = (w2 - ones*0x21) & ^w2 & highs
			if m == 0 {
				idLen = 16
				for idLen < 64 && l[at+idLen] > ' ' {
					idLen++
				}
				if idLen == 64 {
					return
				}
			} else {
				idLen = 8 + bits.TrailingZeros64(m)>>3
				if idLen <= 10 && byte(w) != '0' {
					v := w ^ ones*'0'
					if (v|(v+ones*0x76))&highs == 0 {
						number, isNumber = eight(v), true
						for k := 8; k < idLen; k++ {
							d := l[at+k] - '0'
							if d > 9 {
								isNumber = false
								break
							}
							number = number*10 + uint64(d)
						}
						isNumber = isNumber && number < 1<<32
					}
				}
			}
		}
		if oddEnds(l[at : at+idLen]) {
			return // perhaps an invisible character
		}
		at += idLen
		for _, c := range l[at:100] {
			if c != ' ' && c != '\t' {
				break
			}
			at++
		}
		if l[idFrom+idLen] == ' ' && l[at-1] == '\t' {
			return // spaces around the id before its tab
		}
		// The rank.
		rank, from := int64(0), at
		for _, c := range l[at:110] {
			d := c - '0'
			if d > 9 {
				break
			}
			rank = rank*10 + int64(d)
			at++
		}
		if at == from || at-from > 9 || l[at] != ' ' && l[at] != '\t' {
			return
		}
		for _, c := range l[at:110] {
			if c != ' ' && c != '\t' {
				break
			}
			at++
		}
		// The score.
		neg := l[at] == '-'
		if neg {
			at++
		}
		var mant uint64
		from = at
		for _, c := range l[at:126] {
			d := c - '0'
			if d > 9 {
				break
			}
			mant = mant*10 + uint64(d)
			at++
		}
		digits, frac := at-from, 0
		if l[at] == '.' {
			at++
			from = at
			for _, c := range l[at:] {
				d := c - '0'
				if d > 9 {
					break
				}
				mant = mant*10 + uint64(d)
				at++
			}
			frac = at - from
			digits += frac
		}
		if digits == 0 || digits > 19 || at > 100 {
			return
		}
		var score float64
		if mant < 1<<53 {
			score = float64(mant) / pow10[frac]
		} else {
			score = decimal(mant, frac)
		}
		if neg {
			score = -score
		}
		if (binary.LittleEndian.Uint64(l[at:])^suf.word[0])&suf.mask[0]|
			(binary.LittleEndian.Uint64(l[at+8:])^suf.word[1])&suf.mask[1]|
			(binary.LittleEndian.Uint64(l[at+16:])^suf.word[2])&suf.mask[2] != 0 {
			return
		}
		at += suf.n
		line++

		if isNumber && s.numeric {
			s.nums = append(s.nums, uint32(number))
		} else {
			if s.numeric {
				s.spell()
			}
			s.ids = append(s.ids, l[idFrom:idFrom+idLen]...)
			s.ends = append(s.ends, uint32(len(s.ids)))
		}
		if score > last && rank > lastRank && lastRank >= 0 || score < last && rank < lastRank {
			if s.note.clashes == 0 {
				s.note.clash = int32(line)
			}
			s.note.clashes++
		}
		s.scores = append(s.scores, score)
		last, lastRank = score, rank
		s.addLine(line)
		added++
		pos += at
	}
}

// eight returns the number of eight decimal digits, the first one in the lowest byte.
func eight(v uint64) uint64 {
	v = v*10 + v>>8
	return ((v&0x000000ff000000ff)*0x000f424000000064 + (v>>16&0x000000ff000000ff)*0x0000271000000001) >> 32
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// slow takes one line, whatever it looks like.
// It is one function because each field's error says its own place in the line.
func (p *runText) slow() error {
	l, err := p.in.next()
	if err != nil {
		return err
	}
	if blank(l) {
		return nil
	}
	fail := func(err error) error { return parseError(p.in.src.name, p.in.line, err) }
	if p.columns == 0 && l[0] == '#' && !labelled(l) {
		if len(p.head) < 10000 {
			p.head = append(p.head, string(l))
		}
		return nil
	}
	if remark(l) {
		p.b.w.add(NonStandardDialect, p.in.src.name, p.in.line, 1, nil, func() string {
			return "a comment between the entries, ignored"
		})
		return nil
	}
	if broken(l) {
		return fail(errCR)
	}
	// Fields, with the place where each begins.
	f := p.fields[:0]
	var begin [7]int
	at := 0
	for len(f) < len(p.fields) {
		for at < len(l) && space(l[at]) {
			at++
		}
		if at == len(l) {
			break
		}
		begin[len(f)] = at
		from := at
		for at < len(l) && !space(l[at]) {
			at++
		}
		f = append(f, l[from:at])
	}
	padded := false
	if holds(l, '\t') && holds(l, ' ') {
		f, padded = p.tabbed(l, f, &begin)
	}
	if p.columns == 0 {
		if runHeader(f) {
			p.b.w.add(NonStandardDialect, p.in.src.name, p.in.line, 1, nil, func() string {
				return "a line of column names, ignored"
			})
			return nil
		}
		if err := p.dialect(f); err != nil {
			return fail(err)
		}
	}
	if len(f) < p.columns {
		what := " are expected"
		if p.in.ended && p.in.pos == len(p.in.buf) {
			what += ": this is the last line, the file may be cut off"
		}
		return fail(errors.New(say.Count(len(f), "column", "columns") + " where " + strconv.Itoa(p.columns) + what))
	}
	if len(f) > p.columns {
		if p.columns == 5 {
			return fail(errors.New(say.Count(len(f), "column", "columns") + " where the lines before have 5"))
		}
		if _, err := parseScore(f[5]); err == nil {
			p.b.w.add(SpaceInID, p.in.src.name, p.in.line, 1, f[2], func() string {
				return "more columns than 6 and a number where the run tag is expected: does an id hold a space? " +
					"Columns with tabs in between may hold spaces; here " + strconv.Quote(clip(f[2])) +
					" is taken for the document"
			})
		}
		p.b.w.add(ExtraColumns, p.in.src.name, p.in.line, 1, f[6], func() string {
			return "words after the run tag, ignored: " + strconv.Quote(clip(l[begin[6]:]))
		})
	}
	d := 2 // the column of the document
	if p.noQ0 {
		d = 1
	}
	query, doc, tag := f[0], f[d], []byte(nil)
	if p.columns == 6 || p.noQ0 {
		tag = f[d+3]
	}
	if oddEnds(query) || oddEnds(doc) {
		query, doc = tidy(&p.b.w, p.in.src.name, p.in.line, query), tidy(&p.b.w, p.in.src.name, p.in.line, doc)
		if len(query) == 0 || len(doc) == 0 {
			return fail(errors.New("empty id"))
		}
	}
	rank := int64(noRank)
	if v, _, err := parseGrade(f[d+1]); err == nil && v >= 0 {
		rank = int64(v)
	} else {
		p.b.w.add(OddRank, p.in.src.name, p.in.line, 1, f[d+1], func() string {
			return "rank " + strconv.Quote(clip(f[d+1])) + " is not a number from 0 or 1; the score decides"
		})
	}
	score, err := parseScore(f[d+2])
	if err != nil {
		return fail(err)
	}
	if !p.tagged {
		p.tagged, p.tag = true, append([]byte(nil), tag...)
		p.b.run.Tag = string(tag)
	} else if !bytes.Equal(tag, p.tag) {
		p.b.w.add(MixedTags, p.in.src.name, p.in.line, 1, tag, func() string {
			return "run tag " + strconv.Quote(string(tag)) + " where the first is " + strconv.Quote(string(p.tag))
		})
	}
	if err := p.b.add(query, doc, score, rank, p.in.line); err != nil {
		return fail(err)
	}
	// What the following lines may have in common with this one; mixed tags and extra columns are warned about line by
	// line.
	p.prefix.n = 0
	if len(f) == p.columns && bytes.Equal(tag, p.tag) && len(query) == len(f[0]) && !padded {
		p.prefix.set(l[:begin[d]])
		p.suffix.n = 0
		if buf, pos := p.in.buf, p.in.pos; buf[pos-1] == '\n' {
			end := pos - 1
			if pos >= 2 && buf[pos-2] == '\r' {
				end--
			}
			p.suffix.set(buf[end-(len(l)-begin[d+2]-len(f[d+2])) : pos])
		}
	}
	return nil
}

// tabbed returns the fields of a line that has tabs and spaces and is no entry of six columns between white space
// alone: those between its tabs where that makes a whole entry, else f, those between white space. Ids keep the spaces
// within them, which are warned about like those around them; odd says that there were such.
func (p *runText) tabbed(l []byte, f [][]byte, begin *[7]int) (fields [][]byte, odd bool) {
	var cells [7][]byte
	n, from := 0, 0
	for i := 0; i <= len(l); i++ {
		if i < len(l) && l[i] != '\t' {
			continue
		}
		if n == len(cells) {
			return f, false
		}
		cells[n] = l[from:i]
		n++
		from = i + 1
	}
	for blank(cells[n-1]) { // one is not, as the line is not
		n--
	}
	if n != 5 && n != 6 || p.columns > 0 && n != p.columns || len(f) == 6 && n != 6 {
		return f, false
	}
	for _, c := range cells[:n] {
		if blank(c) {
			return f, false
		}
	}
	f = f[:0]
	at := 0
	var w = &p.b.w
	doc := 2
	if p.noQ0 {
		doc = 1
	}
	for i, c := range cells[:n] {
		t := bytes.Trim(c, " \r")
		begin[i] = at + bytes.IndexByte(c, t[0])
		at += len(c) + 1
		if k := bytes.IndexByte(t, ' '); k > 0 && i == n-1 && (n == 6 || p.noQ0) {
			rest := bytes.TrimLeft(t[k:], " ")
			w.add(ExtraColumns, p.in.src.name, p.in.line, 1, rest, func() string {
				return "words after the run tag, ignored: " + strconv.Quote(clip(rest))
			})
			t, odd = t[:k], true
		}
		f = append(f, t)
		if i != 0 && i != doc {
			continue
		}
		if len(t) < len(c) {
			odd = true
			tidy(w, p.in.src.name, p.in.line, bytes.TrimRight(c, "\r"))
		}
		odd = spaced(w, p.in.src.name, p.in.line, t) || odd
	}
	return f, odd
}

// spaced warns about an id that holds white space.
func spaced(w *warner, file string, line int, id []byte) bool {
	if !holds(id, ' ') {
		return false
	}
	w.add(SpaceInID, file, line, 1, id, func() string {
		return "id " + strconv.Quote(clip(id)) +
			" holds a space; tools that split at white space, such as trec_eval, read it wrongly"
	})
	return true
}

// runHeader reports whether the fields of a first line are names of columns.
func runHeader(f [][]byte) bool {
	if len(f) < 5 || columnOf(f[0]) != colQuery {
		return false
	}
	for _, c := range f[2:] {
		if columnOf(c) == colScore {
			_, err := parseScore(f[4])
			return err != nil
		}
	}
	return false
}

// dialect decides from the first entry which columns there are.
func (p *runText) dialect(f [][]byte) error {
	numeric := func(b []byte) bool { _, err := parseScore(b); return err == nil }
	switch {
	case len(f) >= 6:
		p.columns = 6
	case len(f) == 5 && (lower(f[1]) == "q0" || string(f[1]) == "0") && numeric(f[4]):
		p.columns = 5
	case len(f) == 5 && numeric(f[3]):
		p.columns, p.noQ0 = 5, true
	case len(f) == 5:
		p.columns = 5 // the error will be about the score
	default:
		return errors.New(say.Count(len(f), "column", "columns") +
			": a run has 6 (query, Q0, document, rank, score, tag), or 5 without Q0 or tag")
	}
	if p.columns == 5 {
		p.b.w.add(FiveColumns, p.in.src.name, p.in.line, 1, nil, func() string {
			if p.noQ0 {
				return "five columns: there is no Q0"
			}
			return "five columns: there is no run tag"
		})
	}
	return nil
}
