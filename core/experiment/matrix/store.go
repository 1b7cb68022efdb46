package matrix

import (
	"encoding/binary"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Store keeps what is done of an experiment: bytes that are only ever added to. What was appended before a crash is
// there after it, whole or cut off anywhere in the last Append: what is behind the last whole piece is dropped when it
// is read again.
type Store interface {
	// Load returns everything that was appended; nothing where nothing was.
	Load() ([]byte, error)
	// Append adds b. After an error none of b counts, and the Store is as it was.
	Append(b []byte) error
	// Cut drops everything behind the first n bytes.
	Cut(n int) error
}

// Memory is a Store that lasts as long as the program. The zero Memory is empty.
type Memory struct{ data []byte }

// Load implements Store.
func (m *Memory) Load() ([]byte, error) { return m.data, nil }

// Append implements Store.
func (m *Memory) Append(b []byte) error { m.data = append(m.data, b...); return nil }

// Since returns what was appended behind the first n bytes.
func (m *Memory) Since(n int) []byte { return m.data[min(n, len(m.data)):] }

// Cut implements Store.
func (m *Memory) Cut(n int) error { m.data = m.data[:n]; return nil }

// # The journal, version 1
//
// "RBXJ", a byte for the version, and pieces: the length of a payload and its CRC-32 (IEEE) in four bytes each, least
// significant first, and the payload as wire writes it, a list of entries. An entry is about one query of one run,
// which it names by hash, so that a Spec that has grown finds what was done for the smaller one. A later entry about
// the same takes the place of an earlier one. Behind the hash of a run that asks backends stands "+" and the digest of
// the identities that they declared, so that no run has lists of two; and behind why, and a unit separator, how many
// documents a backend found that the collection does not have, another separator and the backends that found nothing,
// and behind one more what the stages did, as stage.WriteDeeds writes it.

const journalHead = "RBXJ\x01"

// ErrJournal is returned for a Store that holds something else than the journal of an experiment, or that of a later
// version.
var ErrJournal = say.Faultf("matrix", "the saved experiment has a format that this version cannot read")

// entry is what became of a query in a run.
type entry struct {
	run   string // hash, see key
	query int    // of the bundle
	list  list
}

// list is what a run answered to a query.
type list struct {
	state State
	why   string // it failed; or which backends had a part in it
	hits  []rank.Hit

	passing bool   // a backend gave nothing: it is not kept, so that it is asked again the next time
	fell    string // why it is the order before a backend, where it is
	strays  int    // documents that a backend found and the collection does not have
	barren  string // search backends that found no document, with a space between
	did     string // what the stages did, see stage.WriteDeeds; "" for retrievers alone
}

// separator stands before strays in the journal.
const separator = "\x1f"

type entries struct{ all []entry }

// Wire walks the entries.
func (e *entries) Wire(c *wire.Codec) {
	wire.List(c, &e.all, func(x *entry) {
		c.Fields(&x.run, &x.query)
		state := int(x.list.state)
		why := x.list.why
		if x.list.strays > 0 || x.list.barren != "" || x.list.did != "" {
			why += separator + strconv.Itoa(x.list.strays)
		}
		if x.list.barren != "" || x.list.did != "" {
			why += separator + x.list.barren
		}
		if x.list.did != "" {
			why += separator + x.list.did
		}
		c.Fields(&state, &why)
		wire.List(c, &x.list.hits, func(h *rank.Hit) {
			c.Uint32(&h.Doc)
			c.Float(&h.Score)
		})
		if c.Reading() {
			if state < 0 || state > int(Failed) {
				c.Fail()
			}
			x.list.state = State(state)
			x.list.why, why, _ = strings.Cut(why, separator)
			why, x.list.barren, _ = strings.Cut(why, separator)
			x.list.barren, x.list.did, _ = strings.Cut(x.list.barren, separator)
			x.list.strays, _ = strconv.Atoi(why)
		}
	})
}

// piece returns the bytes of entries as they stand in the journal.
func piece(all []entry) []byte {
	payload := wire.Marshal(&entries{all})
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(payload))
	return append(out, payload...)
}

// readJournal returns the entries of the whole pieces of b and how many bytes those take.
func readJournal(b []byte) (all []entry, whole int, err error) {
	if len(b) < len(journalHead) {
		if string(b) == journalHead[:len(b)] {
			return nil, 0, nil
		}
		return nil, 0, ErrJournal
	}
	if string(b[:len(journalHead)]) != journalHead {
		return nil, 0, ErrJournal
	}
	all, whole = readPieces(b[len(journalHead):])
	return all, whole + len(journalHead), nil
}

// readPieces returns the entries of the whole pieces at the beginning of b and how many bytes those take.
func readPieces(b []byte) (all []entry, whole int) {
	for len(b)-whole >= 8 {
		n := int(binary.LittleEndian.Uint32(b[whole:]))
		sum := binary.LittleEndian.Uint32(b[whole+4:])
		if n > len(b)-whole-8 {
			break
		}
		payload := b[whole+8 : whole+8+n]
		var e entries
		if crc32.ChecksumIEEE(payload) != sum || wire.Unmarshal(payload, &e) != nil {
			break
		}
		all = append(all, e.all...)
		whole += 8 + n
	}
	return all, whole
}

// resume reads the Store, drops what is cut off, and returns the entries.
func resume(s Store) ([]entry, error) {
	b, err := s.Load()
	if err != nil {
		return nil, say.Faultf("matrix", "read the saved experiment: %w", err)
	}
	all, whole, err := readJournal(b)
	if err != nil {
		return nil, err
	}
	if whole < len(b) {
		if err := s.Cut(whole); err != nil {
			return nil, say.Faultf("matrix", "drop the incomplete end: %w", err)
		}
	}
	if whole == 0 {
		if err := s.Append([]byte(journalHead)); err != nil {
			return nil, say.Faultf("matrix", "save finished work: %w", err)
		}
	}
	return all, nil
}
