package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
)

// Format is the version of the format of Bytes and Read.
//
// All numbers are little-endian or, where marked, varints (LEB128, shortest form).
//
//	0   4  "RBIX"
//	4   4  the format: 1
//	8   8  the length of the whole
//	16  8  XXH64 of the rest
//	24     varints: documents, terms, postings, 1 with titles and 0 without, length of the analyzer's name, its bytes,
//	       the analyzer's version, and the length in bytes of each of the sections below
//	…      the sections, concatenated, and nothing else
//
// Indexes travel compressed with brotli, so each section holds bytes of one kind with similar entropy.
//
//	gap       gaps of the frequent terms, those with df > documents/256: a byte 255 adds 255 and goes on, a lower
//	          one closes
//	tf        two bits a posting, four in a byte from the lowest: min(tf − 1, 3)
//	title2, title1
//	          a bit a posting, eight in a byte from the lowest, of the postings with tf above 1, and of those with 1:
//	          is the term in the title?
//	low       gap & 255 of the rare terms
//	suffix    the rest of each term after the prefix it shares with the one before, terms ascending, each closed by
//	          the byte 255, which never occurs in UTF-8
//	prefix    a byte a term: length of the prefix it shares with the one before it, at most 255
//	df        a byte a term: its document frequency, or 255 and the rest in more
//	tf4       a byte for each tf above 3: tf − 4, or 255 and the rest in more
//	middle    gap>>8 & 255 of the rare terms; empty for up to 2^8 documents
//	high      gap >> 16 of the rare terms; empty for up to 2^16 documents
//	titletf   a byte for each bit set in title2: the title frequency − 1, or 255 and the rest in more
//	filled    a bit a document: does it have a term?
//	more      varints: the excess of df, then of tf4, then of titletf
//
// Postings are ordered by df of their terms, ties by term, then by document. A gap is the number of documents
// between a posting's document and the one before it in the list, starting from −1. Unused bits are 0. The lengths
// of documents are not stored: they are the sums of their frequencies.
const Format = 1

const (
	magic = "RBIX"
	head  = 24
)

// The sections, by number.
const (
	secGap = iota
	secTF
	secTitle2
	secTitle1
	secLow
	secSuffix
	secPrefix
	secDF
	secTF4
	secMiddle
	secHigh
	secTitleTF
	secFilled
	sections // number of sections; more comes after them and takes the remaining bytes
)

// Errors of Read, except those for intact but inconsistent bytes.
var (
	ErrForeign   = errors.New("this is not an index of Rankbox")
	ErrNewer     = errors.New("a newer version of Rankbox made it: reload the page or update the program")
	ErrTruncated = errors.New("it is incomplete")
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

// tfClass returns the title section of a posting with frequency tf.
func tfClass(tf uint32) uint32 { return min(tf, 2) - 1 }

// Bytes returns the index in the format of Read. Equal indexes have equal bytes.
func (x *Index) Bytes() []byte { return x.AppendBytes(nil) }

// AppendBytes appends the bytes of Bytes, section by section.
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
	x.reserve(&sec)
	tfs := bitWriter{b: sec[secTF]}
	var flags [2]bitWriter
	filled := make([]byte, (x.Docs()+7)/8)
	for _, id := range x.termOrder() {
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
			flags[tfClass(all)].put(in, 1)
		}
	}
	sec[secTF] = tfs.b
	sec[secTitle1], sec[secTitle2] = flags[0].b, flags[1].b
	sec[secFilled] = filled

	size := head + len(x.analyzer) + 256
	for i := range sec {
		size += len(sec[i]) + len(more[i])
	}
	start := len(dst)
	dst = append(slices.Grow(dst, size), magic...)
	dst = binary.LittleEndian.AppendUint32(dst, Format)
	dst = append(dst, make([]byte, 16)...)
	titles := uint64(0)
	if x.titles != nil {
		titles = 1
	}
	for _, v := range []uint64{uint64(x.Docs()), uint64(x.Terms()), uint64(len(x.postings)), titles,
		uint64(len(x.analyzer))} {
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

// reserve allocates the sections that grow with the postings: appending would need twice the memory.
func (x *Index) reserve(sec *[sections][]byte) {
	rare := 0
	for _, df := range x.dfs {
		if int(df) <= x.Docs()/256 {
			rare += int(df)
		}
	}
	frequent := len(x.postings) - rare
	sec[secGap] = make([]byte, 0, frequent+frequent/8)
	sec[secTF] = make([]byte, 0, (len(x.postings)+3)/4)
	sec[secLow] = make([]byte, 0, rare)
	if x.Docs() > 1<<8 {
		sec[secMiddle] = make([]byte, 0, rare)
	}
	if x.Docs() > 1<<16 {
		sec[secHigh] = make([]byte, 0, rare)
	}
}

// Read returns the index that Bytes wrote. It refuses damaged, truncated, foreign, newer or inconsistent bytes with
// the reason. Bytes of the result equals b. It does not keep b.
func Read(b []byte) (*Index, error) {
	x, err := read(b)
	if err != nil {
		return nil, say.Faultf("index", "read %d bytes: %w", len(b), err)
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
	docs := d.uvarint(MaxDocs)
	terms := d.uvarint(uint64(len(b)))
	postings := d.uvarint(4 * uint64(len(b)))
	titles := d.uvarint(1)
	x.analyzer = string(d.bytes(d.uvarint(255)))
	x.version = d.uvarint(1 << 30)
	var size [sections]int
	for i := range size {
		size[i] = d.uvarint(uint64(len(b)))
	}
	for i, n := range size {
		d.sec[i] = d.bytes(n)
	}
	if d.err != nil {
		return nil, d.err
	}

	// Sizes that the counts imply; decoding checks the others.
	flags := 8 * (size[secTitle1] + size[secTitle2])
	if size[secPrefix] != terms || size[secDF] != terms || size[secTF] != (postings+3)/4 ||
		size[secFilled] != (docs+7)/8 ||
		titles == 1 && flags < postings || titles == 0 && flags+size[secTitleTF] > 0 {
		return nil, errors.New("its sections do not have the lengths that its counts ask for")
	}
	if err := d.terms(x); err != nil {
		return nil, err
	}
	if err := d.frequencies(x, docs, postings); err != nil {
		return nil, err
	}
	x.placeLists()
	if err := d.lists(x, docs, postings, titles == 1); err != nil {
		return nil, err
	}
	filled := d.sec[secFilled]
	for i := range 8 * len(filled) {
		if (filled[i>>3]>>(i&7)&1 == 1) != (i < docs && x.lengths[0][i] > 0) {
			return nil, fmt.Errorf("it contradicts itself on whether document %d has terms", i)
		}
	}
	if len(d.rest) > 0 {
		return nil, errors.New("there are more large numbers than asked for")
	}
	x.count()
	return x, nil
}

// decoder reads the body of an index. Each section shrinks as it is read.
type decoder struct {
	rest []byte // the header, then section more
	sec  [sections][]byte
	err  error
}

// uvarint reads a varint ≤ most, or 0 after an error.
func (d *decoder) uvarint(most uint64) int {
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

// terms reads blob, ends and table.
func (d *decoder) terms(x *Index) error {
	prefix, suffix := d.sec[secPrefix], d.sec[secSuffix]
	size := len(suffix) - len(prefix)
	for _, p := range prefix {
		size += int(p)
	}
	if size < 0 || size > 1<<28 {
		return errors.New("its terms have no sensible length")
	}
	blob := make([]byte, size, size+16)
	ends := make([]uint32, len(prefix))
	if UnpackTerms != nil {
		table := emptyTable(len(ends))
		if UnpackTerms(prefix, suffix, blob, ends, table) {
			x.blob, x.ends, x.table = view(blob), ends, table
			return nil
		}
	}
	at, s := 0, 0        // position in blob, in suffix
	from, length := 0, 0 // of the previous term
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
	x.table = newTable(x.blob, x.ends)
	return nil
}

// frequencies reads dfs.
func (d *decoder) frequencies(x *Index, docs, postings int) error {
	x.dfs = make([]uint32, len(d.sec[secDF]))
	sum := 0
	for id, n := range d.sec[secDF] {
		df := int(n)
		if n == 255 {
			df += d.uvarint(MaxDocs)
		}
		if df == 0 || df > docs {
			return fmt.Errorf("term %d is in %d of %d documents", id, df, docs)
		}
		if sum += df; d.err != nil || sum > postings {
			break
		}
		x.dfs[id] = uint32(df)
	}
	if d.err == nil && sum != postings {
		return errors.New("its document frequencies do not add up to its postings")
	}
	return d.err
}

var (
	errGaps   = errors.New("its gaps do not have the length that its lists ask for")
	errDocs   = errors.New("a document is above the last")
	errTFs    = errors.New("its frequencies do not have the length that its lists ask for")
	errTitles = errors.New("its titles do not have the length that its lists ask for")
	errUnused = errors.New("unused bits are set")
)

// lists reads postings, titles and lengths.
func (d *decoder) lists(x *Index, docs, postings int, titles bool) error {
	p := &Packed{Docs: docs, Low: d.sec[secLow], Middle: d.sec[secMiddle], High: d.sec[secHigh], Gap: d.sec[secGap],
		TF:  d.sec[secTF],
		TF4: d.sec[secTF4], Flags: [2][]byte{d.sec[secTitle1], d.sec[secTitle2]}, TitleTF: d.sec[secTitleTF]}
	most := uint32(0)
	for _, df := range x.dfs {
		most = max(most, df)
	}
	p.Counts = make([]uint32, most+1)
	rare := 0
	for _, df := range x.dfs {
		p.Counts[df]++
		if int(df) <= docs/256 {
			rare += int(df)
		}
	}
	for i, plane := range [][]byte{p.Low, p.Middle, p.High} {
		if n := rare; i > 0 && docs <= 1<<(8*i) && len(plane) > 0 || (i == 0 || docs > 1<<(8*i)) && len(plane) != n {
			return errGaps
		}
	}
	p.Postings = make([]Posting, postings)
	p.Lengths[0] = make([]uint32, docs)
	if titles {
		p.Titles = make([]uint8, postings)
		p.Lengths[1] = make([]uint32, docs)
	}
	x.postings, x.titles, x.lengths = p.Postings, p.Titles, p.Lengths
	if Unpack != nil {
		if Unpack(p) {
			return nil
		}
		clear(p.Titles)
		clear(p.Lengths[0])
		clear(p.Lengths[1])
	}
	if err := d.gaps(p); err != nil {
		return err
	}
	if err := d.frequenciesOf(p, x); err != nil {
		return err
	}
	if titles {
		if err := d.titles(p, x); err != nil {
			return err
		}
	}
	return d.err
}

// gaps decodes the documents of the postings.
func (d *decoder) gaps(p *Packed) error {
	rest := p.Postings
	docs := p.Docs
	low, middle, high, gaps := p.Low, p.Middle, p.High, p.Gap
	at := 0 // position in the planes
	for df, lists := range p.Counts {
		for range lists {
			list := rest[:df]
			rest = rest[df:]
			next := 0 // lowest possible next document
			if df <= docs/256 {
				for i := range list {
					next += int(low[at])
					if docs > 1<<8 {
						next += int(middle[at]) << 8
					}
					if docs > 1<<16 {
						next += int(high[at]) << 16
					}
					at++
					if next >= docs {
						return errDocs
					}
					list[i] = Posting(next << 8)
					next++
				}
				continue
			}
			g := 0
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
			gaps = gaps[g:]
		}
	}
	if len(gaps) > 0 {
		return errGaps
	}
	return nil
}

// frequenciesOf decodes the frequencies and sums the lengths.
func (d *decoder) frequenciesOf(p *Packed, x *Index) error {
	tfs, tf4, lengths := p.TF, p.TF4, p.Lengths[0]
	for i, posting := range p.Postings {
		tf := uint32(tfs[i>>2]>>(i&3*2)&3) + 1
		if tf == 4 {
			if len(tf4) == 0 {
				return errTFs
			}
			tf += uint32(tf4[0])
			if tf4[0] == 255 {
				tf += uint32(d.uvarint(1 << 30))
			}
			tf4 = tf4[1:]
			if tf >= 255 {
				x.large = append(x.large, large{at: uint32(i), all: tf})
			}
		}
		p.Postings[i] = posting | Posting(min(tf, 255))
		lengths[posting.Doc()] += tf
	}
	if len(tf4) > 0 {
		return errTFs
	}
	if n := len(p.Postings); n&3 != 0 && tfs[n>>2]>>(n&3*2) != 0 {
		return errUnused
	}
	return nil
}

// titles reads the frequencies in titles.
func (d *decoder) titles(p *Packed, x *Index) error {
	var at [2]int
	tfs := p.TitleTF
	for i, posting := range p.Postings {
		all := uint32(posting) & 255
		c := tfClass(all)
		bit := at[c]
		at[c]++
		flags := p.Flags[c]
		if bit>>3 >= len(flags) {
			return errTitles
		}
		if flags[bit>>3]>>(bit&7)&1 == 0 {
			continue
		}
		n := uint32(1)
		if all > 1 {
			if len(tfs) == 0 {
				return errTitles
			}
			n += uint32(tfs[0])
			if tfs[0] == 255 {
				n += uint32(d.uvarint(1 << 30))
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
		p.Titles[i] = uint8(min(n, 255))
		p.Lengths[1][posting.Doc()] += n
	}
	if len(tfs) > 0 {
		return errTitles
	}
	for c, n := range at {
		if len(p.Flags[c]) != (n+7)/8 {
			return errTitles
		}
		if n&7 != 0 && p.Flags[c][n>>3]>>(n&7) != 0 {
			return errUnused
		}
	}
	return nil
}
