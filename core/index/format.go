package index

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Format is the version of the bytes that Bytes writes and Read reads.
//
// All numbers are little-endian or, where so said, a varint (LEB128, shortest form).
//
//	0   4  "RBIX"
//	4   4  the format: 1
//	8   8  the length of the whole
//	16  8  XXH64 of what follows
//	24     varints: documents, terms, postings, 1 with titles and 0 without, length of the analyzer's name, its bytes,
//	       the analyzer's version, and the length in bytes of each of the sections below
//	…      the sections, one after the other, nothing behind the last
//
// The sections are laid out for brotli, which is how they travel: each is a run of bytes of one kind, of the entropy that the kind has.
//
//	prefix    a byte a term, terms ascending: how many bytes it shares with the one before, at most 255
//	suffix    the rest of each term, closed by the byte 255, which is in no UTF-8
//	df        a byte a term: its document frequency, or 255 and the rest in more
//	low, middle, high
//	          gaps of the rare terms, those with df ≤ documents/256: gap & 255, gap>>8 & 255, gap >> 16
//	gap       gaps of the other terms: a byte 255 adds 255 and goes on, a lower one closes
//	tf        two bits a posting, four in a byte from the lowest: min(tf − 1, 3)
//	tf4       a byte for each tf above 3: tf − 4, or 255 and the rest in more
//	title1 … title5
//	          a bit a posting, eight in a byte from the lowest, of the postings with tf 1, 2, 3, 4, and more: is the term in the title?
//	titletf   a byte for each of those set where tf > 1: how often less 1, or 255 and the rest in more
//	filled    a bit a document: does it have a term?
//	more      varints: what did not fit in df, then in tf4, then in titletf
//
// Postings are in the order of their terms' df, equal ones by term, then by document. A gap is the number of documents between a posting's
// document and the one before it in the list, −1 being before the first. Unused bits are 0. The lengths of the documents are not
// written: they are the sums of their frequencies.
const Format = 1

const (
	magic    = "RBIX"
	head     = 24
	sections = 16
)

// The sections, by number.
const (
	secPrefix = iota
	secSuffix
	secDF
	secLow
	secMiddle
	secHigh
	secGap
	secTF
	secTF4
	secTitle
	_
	_
	_
	_
	secTitleTF
	secFilled
	// more is the last and takes what is left.
)

// The reasons for which Read refuses bytes, apart from those that are whole but make no sense.
var (
	ErrForeign   = errors.New("this is not an index of Rankbox")
	ErrNewer     = errors.New("it was made by a newer version of Rankbox: reload the page or update the program")
	ErrTruncated = errors.New("it is cut short")
	ErrDamaged   = errors.New("it is damaged: its checksum does not match")
)

// bitWriter packs numbers of one, two or four bits into bytes, from the lowest.
type bitWriter struct {
	b    []byte
	fill uint
}

func (w *bitWriter) put(v byte, width uint) {
	if w.fill == 0 {
		w.b = append(w.b, 0)
	}
	w.b[len(w.b)-1] |= v << w.fill
	w.fill = (w.fill + width) & 7
}

// class is the title section that a posting of frequency tf is in.
func class(tf uint32) uint32 { return min(tf, 5) - 1 }

// Bytes returns the index as Read reads it. The same index gives the same bytes.
func (x *Index) Bytes() []byte { return x.AppendBytes(nil) }

// AppendBytes appends what Bytes returns.
func (x *Index) AppendBytes(dst []byte) []byte {
	var sec [sections][]byte
	var more [sections][]byte
	put := func(s int, v uint32) {
		if v < 255 {
			sec[s] = append(sec[s], byte(v))
		} else {
			sec[s] = append(sec[s], 255)
			more[s] = binary.AppendUvarint(more[s], uint64(v-255))
		}
	}
	before := ""
	for id := range uint32(x.Terms()) {
		term := x.Term(id)
		same := 0
		for same < min(len(term), len(before), 255) && term[same] == before[same] {
			same++
		}
		sec[secPrefix] = append(sec[secPrefix], byte(same))
		sec[secSuffix] = append(append(sec[secSuffix], term[same:]...), 255)
		before = term
		put(secDF, uint32(x.DF(Contents, id)))
	}
	var tfs bitWriter
	var flags [5]bitWriter
	filled := make([]byte, (x.Docs()+7)/8)
	for _, id := range x.order() {
		l := x.List(id)
		rare := l.Len() <= x.Docs()/256
		before := ^uint32(0)
		for i, p := range l.Postings {
			gap := p.Doc() - before - 1
			before = p.Doc()
			filled[before>>3] |= 1 << (before & 7)
			if rare {
				sec[secLow] = append(sec[secLow], byte(gap))
				if x.Docs() > 1<<8 {
					sec[secMiddle] = append(sec[secMiddle], byte(gap>>8))
				}
				if x.Docs() > 1<<16 {
					sec[secHigh] = append(sec[secHigh], byte(gap>>16))
				}
			} else {
				for ; gap >= 255; gap -= 255 {
					sec[secGap] = append(sec[secGap], 255)
				}
				sec[secGap] = append(sec[secGap], byte(gap))
			}
			all, title := l.TF(i)
			tfs.put(byte(min(all, 4)-1), 2)
			if all >= 4 {
				put(secTF4, all-4)
			}
			if x.titles == nil {
				continue
			}
			in := byte(0)
			if title > 0 {
				in = 1
				if all > 1 {
					put(secTitleTF, title-1)
				}
			}
			flags[class(all)].put(in, 1)
		}
	}
	sec[secTF] = tfs.b
	for i := range flags {
		sec[secTitle+i] = flags[i].b
	}
	sec[secFilled] = filled

	start := len(dst)
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, Format)
	dst = append(dst, make([]byte, 16)...)
	titles := uint64(0)
	if x.titles != nil {
		titles = 1
	}
	for _, v := range []uint64{uint64(x.Docs()), uint64(x.Terms()), uint64(len(x.postings)), titles, uint64(len(x.analyzer))} {
		dst = binary.AppendUvarint(dst, v)
	}
	dst = append(dst, x.analyzer...)
	dst = binary.AppendUvarint(dst, uint64(x.version))
	for _, s := range sec {
		dst = binary.AppendUvarint(dst, uint64(len(s)))
	}
	for _, s := range sec {
		dst = append(dst, s...)
	}
	for _, m := range more {
		dst = append(dst, m...)
	}
	b := dst[start:]
	binary.LittleEndian.PutUint64(b[8:], uint64(len(b)))
	binary.LittleEndian.PutUint64(b[16:], checksum(b[head:]))
	return dst
}

// Read returns the index that Bytes wrote. Bytes that are damaged, cut short, foreign, of a newer format, or that contradict themselves
// are refused with the reason. What is accepted gives the same bytes again. b is not kept.
func Read(b []byte) (*Index, error) {
	x, err := read(b)
	if err != nil {
		return nil, fmt.Errorf("index: read %d bytes: %w", len(b), err)
	}
	return x, nil
}

func read(b []byte) (*Index, error) {
	switch {
	case len(b) < 4 && string(b) == magic[:len(b)]:
		return nil, ErrTruncated
	case len(b) < 4 || string(b[:4]) != magic:
		return nil, ErrForeign
	case len(b) < head:
		return nil, ErrTruncated
	}
	version := binary.LittleEndian.Uint32(b[4:])
	switch length := binary.LittleEndian.Uint64(b[8:]); {
	case version > Format:
		return nil, fmt.Errorf("format %d, this program reads %d: %w", version, Format, ErrNewer)
	case version < 1:
		return nil, fmt.Errorf("format %d: %w", version, ErrForeign)
	case length > uint64(len(b)):
		return nil, fmt.Errorf("%d bytes of %d: %w", len(b), length, ErrTruncated)
	case length < uint64(len(b)):
		return nil, fmt.Errorf("%d bytes follow its end", uint64(len(b))-length)
	case binary.LittleEndian.Uint64(b[16:]) != checksum(b[head:]):
		return nil, ErrDamaged
	}
	d := &decoder{rest: b[head:]}
	x := &Index{}
	docs := d.number(MaxDocs)
	terms := d.number(uint64(len(b)))
	postings := d.number(4 * uint64(len(b)))
	titles := d.number(1)
	x.analyzer = string(d.bytes(d.number(255)))
	x.version = d.number(1 << 30)
	var size [sections]int
	for i := range size {
		size[i] = d.number(uint64(len(b)))
	}
	for i, n := range size {
		d.sec[i] = d.bytes(n)
	}
	if d.err != nil {
		return nil, d.err
	}

	// What the counts say of the sections; the others are found out on the way.
	flags := 0
	for i := range 5 {
		flags += 8 * size[secTitle+i]
	}
	if size[secPrefix] != terms || size[secDF] != terms || size[secTF] != (postings+3)/4 || size[secFilled] != (docs+7)/8 ||
		titles == 1 && flags < postings || titles == 0 && flags+size[secTitleTF] > 0 {
		return nil, errors.New("its sections do not have the lengths that its counts ask for")
	}
	if err := d.terms(x); err != nil {
		return nil, err
	}
	if err := d.frequencies(x, docs, postings); err != nil {
		return nil, err
	}
	x.place()
	if err := d.postings(x, docs, postings); err != nil {
		return nil, err
	}
	if titles == 1 {
		if err := d.titles(x); err != nil {
			return nil, err
		}
	}
	for i := range d.sec {
		if len(d.sec[i]) > 0 {
			return nil, errors.New("a section is longer than what it holds")
		}
	}
	if len(d.rest) > 0 {
		return nil, errors.New("there are more large numbers than asked for")
	}
	x.table = newTable(x.blob, x.ends)
	x.count()
	return x, nil
}

// decoder reads the body of an index. A section shrinks as it is read.
type decoder struct {
	rest []byte // the header, then the section more
	sec  [sections][]byte
	err  error
}

// number reads a varint of at most most; after an error it is 0.
func (d *decoder) number(most uint64) int {
	v, n := binary.Uvarint(d.rest)
	switch {
	case d.err != nil:
	case n <= 0 || n > 1 && d.rest[n-1] == 0:
		d.err = errors.New("a number is cut short or not in its shortest form")
	case v > most:
		d.err = fmt.Errorf("a number is %d where at most %d makes sense", v, most)
	default:
		d.rest = d.rest[n:]
		return int(v)
	}
	return 0
}

// bytes takes n bytes.
func (d *decoder) bytes(n int) []byte {
	if d.err == nil && n > len(d.rest) {
		d.err = errors.New("its sections reach beyond its end")
	}
	if d.err != nil {
		return nil
	}
	out := d.rest[:n:n]
	d.rest = d.rest[n:]
	return out
}

// terms reads blob and ends.
func (d *decoder) terms(x *Index) error {
	prefix, suffix := d.sec[secPrefix], d.sec[secSuffix]
	d.sec[secPrefix], d.sec[secSuffix] = nil, nil
	size := len(suffix) - len(prefix)
	for _, p := range prefix {
		size += int(p)
	}
	if size < 0 || size > 1<<30 {
		return errors.New("its terms have no sensible length")
	}
	blob := make([]byte, size)
	ends := make([]uint32, len(prefix))
	at, s := 0, 0        // in blob, in suffix
	from, length := 0, 0 // of the term before
	for id, p := range prefix {
		n := 0
		for s+n < len(suffix) && suffix[s+n] != 255 {
			n++
		}
		same := int(p)
		if s+n == len(suffix) || same > length || at+same+n > len(blob) {
			return fmt.Errorf("term %d is cut short", id)
		}
		term := blob[at : at+same+n]
		for i := range same {
			term[i] = blob[from+i]
		}
		for i := range n {
			term[same+i] = suffix[s+i]
		}
		ascends := n > 0 && (same == length || suffix[s] > blob[from+same])
		if same == 255 && length > same && n > 0 && suffix[s] == blob[from+same] {
			ascends = string(term) > string(blob[from:from+length])
		}
		if !ascends {
			return fmt.Errorf("term %d is not above the one before it", id)
		}
		s += n + 1
		from, length = at, same+n
		at += length
		ends[id] = uint32(at)
	}
	if s != len(suffix) || at != len(blob) {
		return errors.New("there are more ends of terms than terms")
	}
	x.blob, x.ends = view(blob), ends
	return nil
}

// frequencies reads dfs.
func (d *decoder) frequencies(x *Index, docs, postings int) error {
	x.dfs = make([]uint32, len(d.sec[secDF]))
	sum := 0
	for id, n := range d.sec[secDF] {
		df := int(n)
		if n == 255 {
			df += d.number(MaxDocs)
		}
		if df == 0 || df > docs {
			return fmt.Errorf("term %d is in %d of %d documents", id, df, docs)
		}
		if sum += df; d.err != nil || sum > postings {
			break
		}
		x.dfs[id] = uint32(df)
	}
	d.sec[secDF] = nil
	if d.err == nil && sum != postings {
		return errors.New("its document frequencies do not add up to its postings")
	}
	return d.err
}

// postings reads the lists but for the titles, and makes the lengths.
func (d *decoder) postings(x *Index, docs, postings int) error {
	all := make([]Posting, postings)
	rest := all
	for _, id := range x.order() {
		df := int(x.dfs[id])
		var err error
		if df <= docs/256 {
			err = d.rare(rest[:df], docs)
		} else {
			err = d.frequent(rest[:df], docs)
		}
		if err != nil {
			return fmt.Errorf("term %d: %w", id, err)
		}
		rest = rest[df:]
	}

	lengths := make([]uint32, docs)
	tfs, tf4 := d.sec[secTF], d.sec[secTF4]
	for i, p := range all {
		tf := uint32(tfs[i>>2]>>(i&3*2)&3) + 1
		if tf == 4 {
			if len(tf4) == 0 {
				return errors.New("its frequencies are cut short")
			}
			tf += uint32(tf4[0])
			if tf4[0] == 255 {
				tf += uint32(d.number(1 << 30))
			}
			tf4 = tf4[1:]
			if tf >= 255 {
				x.large = append(x.large, large{at: uint32(i), all: tf})
			}
		}
		all[i] = p | Posting(min(tf, 255))
		lengths[p.Doc()] += tf
	}
	if n := len(all); n&3 != 0 && tfs[n>>2]>>(n&3*2) != 0 {
		return errors.New("unused bits are set")
	}
	if d.err != nil {
		return d.err
	}
	filled := d.sec[secFilled]
	for i := range 8 * len(filled) {
		if (filled[i>>3]>>(i&7)&1 == 1) != (i < docs && lengths[i] > 0) {
			return fmt.Errorf("it contradicts itself on whether document %d has terms", i)
		}
	}
	d.sec[secTF], d.sec[secTF4], d.sec[secFilled] = nil, tf4, nil
	x.postings, x.lengths[0] = all, lengths
	return nil
}

var (
	errGaps = errors.New("its gaps are cut short")
	errDocs = errors.New("it is in a document above the last")
)

// rare reads the documents of a list with few.
func (d *decoder) rare(list []Posting, docs int) error {
	var planes [3][]byte
	for i := range planes {
		s := &d.sec[secLow+i]
		if i == 0 || docs > 1<<(8*i) {
			if len(*s) < len(list) {
				return errGaps
			}
			planes[i], *s = (*s)[:len(list)], (*s)[len(list):]
		}
	}
	next := 0 // the lowest document that may come
	for i := range list {
		next += int(planes[0][i])
		if planes[1] != nil {
			next += int(planes[1][i]) << 8
		}
		if planes[2] != nil {
			next += int(planes[2][i]) << 16
		}
		if next >= docs {
			return errDocs
		}
		list[i] = Posting(next << 8)
		next++
	}
	return nil
}

// frequent reads the documents of a list with many.
func (d *decoder) frequent(list []Posting, docs int) error {
	gaps := d.sec[secGap]
	g, next := 0, 0
	for i := range list {
		for {
			if g == len(gaps) {
				return errGaps
			}
			v := gaps[g]
			g++
			next += int(v)
			if v != 255 {
				break
			}
		}
		if next >= docs {
			return errDocs
		}
		list[i] = Posting(next << 8)
		next++
	}
	d.sec[secGap] = gaps[g:]
	return nil
}

// titles reads the frequencies in titles.
func (d *decoder) titles(x *Index) error {
	titles := make([]uint8, len(x.postings))
	lengths := make([]uint32, len(x.lengths[0]))
	var at [5]int
	tfs := d.sec[secTitleTF]
	for i, p := range x.postings {
		all := uint32(p) & 255
		c := class(all)
		bit := at[c]
		at[c]++
		flags := d.sec[secTitle+c]
		if bit>>3 >= len(flags) {
			return errors.New("its titles are cut short")
		}
		if flags[bit>>3]>>(bit&7)&1 == 0 {
			continue
		}
		n := uint32(1)
		if all > 1 {
			if len(tfs) == 0 {
				return errors.New("its titles are cut short")
			}
			n += uint32(tfs[0])
			if tfs[0] == 255 {
				n += uint32(d.number(1 << 30))
			}
			tfs = tfs[1:]
			if all == 255 {
				l := x.largeAt(uint32(i))
				l.title, all = n, l.all
			}
			if n > all {
				return errors.New("a term occurs more often in a title than in all")
			}
		}
		titles[i] = uint8(min(n, 255))
		lengths[p.Doc()] += n
	}
	for c, n := range at {
		flags := d.sec[secTitle+c]
		if len(flags) != (n+7)/8 || n&7 != 0 && flags[n>>3]>>(n&7) != 0 {
			return errors.New("unused bits are set")
		}
		d.sec[secTitle+c] = nil
	}
	d.sec[secTitleTF] = tfs
	x.titles, x.lengths[1] = titles, lengths
	return d.err
}
