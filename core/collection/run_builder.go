package collection

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// RunBuilder makes a Run of entries in any order.
type RunBuilder struct {
	run    *Run
	file   string
	w      warner
	ids    arena
	cur    *scratch
	at     int // the current query's place; -1: none
	free   scratch
	open   map[int]*scratch // queries that came back after others
	first  []uint32         // the line at which each list begins
	notes  map[int]*note    // what is odd about lists
	set32  []uint32
	set64  []uint64
	order  []int32
	lim    Limits
	lined  bool // entries have lines
	reopen int  // line at which a query first came back; 0: none did
	back   int  // how often queries came back
	again  int  // entries in run.again; -1: too many
}

// note is what is odd about one list.
type note struct {
	sameDoc, differDoc   string
	lines                []uint32 // where the entries stand, if not line by line
	same, differ         int32    // repeated documents with the same score, with another
	sameLine, differLine int32
	tied, tiedLine       int32 // entries that share their score
	unsorted             int32 // line of the first entry with a higher score than the one before; -1: none
	clashes, clash       int32 // entries whose rank contradicts their score, line of the first
	garbled, garbledLine int32 // ids that are not UTF-8, line of the first
	garbledDoc           string
}

// noRank is that of an entry that has none.
const noRank = -1

var noNote = note{unsorted: -1}

// nothing reports whether there is nothing to note.
func (n *note) nothing() bool {
	return n.lines == nil && n.same|n.differ|n.tied|n.clashes|n.garbled == 0 && n.unsorted < 0
}

// NewRunBuilder returns the builder of a run with a tag.
func NewRunBuilder(tag string) *RunBuilder {
	b := &RunBuilder{run: &Run{Tag: tag}, at: -1, open: map[int]*scratch{}, notes: map[int]*note{},
		lim: Limits{}.withDefaults()}
	b.cur = &b.free
	b.cur.reset()
	return b
}

// Add adds a document with its score to a query. NaN and infinite scores are refused.
func (b *RunBuilder) Add(query, doc string, score float64) error {
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return errors.New("collection: add to run: score of document " + strconv.Quote(doc) + " for query " +
			strconv.Quote(query) + " is not finite")
	}
	return b.add(view(query), view(doc), score, noRank, 0)
}

// Touch makes the query known, though it may have no documents.
func (b *RunBuilder) Touch(query string) error {
	if b.at < 0 || b.run.lists[b.at].query != query {
		return b.turn(view(query), 0)
	}
	return nil
}

// add adds an entry that has a rank (-1: none) and a line (0: none).
func (b *RunBuilder) add(query, doc []byte, score float64, rank int64, line int) error {
	if b.at < 0 || b.run.lists[b.at].query != string(query) {
		if err := b.turn(query, line); err != nil {
			return err
		}
	}
	s := b.cur
	s.addID(doc)
	b.entry(s, score, rank, line)
	if b.run.n++; b.run.n > b.lim.Entries {
		return &LimitError{"Entries", "entries in a run", int64(b.lim.Entries), int64(b.run.n)}
	}
	return nil
}

// entry adds what an entry has beside its id.
func (b *RunBuilder) entry(s *scratch, score float64, rank int64, line int) {
	if n := len(s.scores); n > 0 && rank >= 0 && s.lastRank >= 0 {
		if last := s.scores[n-1]; rank > s.lastRank && score > last || rank < s.lastRank && score < last {
			if s.note.clashes == 0 {
				s.note.clash = int32(line)
			}
			s.note.clashes++
		}
	}
	s.lastRank = rank
	s.scores = append(s.scores, score)
	if line > 0 {
		s.addLine(line)
	}
}

// Run returns the finished run and what is odd about it. The builder is used up.
func (b *RunBuilder) Run() (*Run, []Warning) {
	b.leave()
	for i := range b.run.lists {
		if s := b.open[i]; s != nil {
			b.seal(i, s)
			delete(b.open, i)
		}
	}
	r := b.run
	r.f.trim()
	r.u.trim()
	r.b.trim()
	r.lists = slices.Clip(r.lists)
	b.report()
	list := b.w.list
	*b = RunBuilder{}
	return r, list
}

// garbled warns about ids that are not UTF-8.
func garbled(w *warner, file string, line, n int, id []byte) {
	w.add(NotUTF8, file, line, n, id, func() string {
		return "id " + strconv.Quote(clip(id)) +
			" is not UTF-8: it is compared byte by byte; save run and qrels in the same encoding"
	})
}

// report turns the notes into warnings.
func (b *RunBuilder) report() {
	line := func(n int32) int {
		if b.lined {
			return int(n)
		}
		return 0
	}
	for i := range b.run.lists {
		q := b.run.lists[i].query
		if b.run.lists[i].n == 0 {
			b.w.add(EmptyQuery, b.file, 0, 1, view(q), func() string {
				return "query " + strconv.Quote(q) + " has no documents"
			})
		}
		if !utf8.ValidString(q) {
			garbled(&b.w, b.file, line(int32(b.first[i])), 1, view(q))
		}
		nt := b.notes[i]
		if nt == nil {
			continue
		}
		quoted := strconv.Quote(q)
		if nt.garbled > 0 {
			garbled(&b.w, b.file, line(nt.garbledLine), int(nt.garbled), view(nt.garbledDoc))
		}
		if nt.same > 0 {
			b.w.add(DuplicateDocument, b.file, line(nt.sameLine), int(nt.same), view(q+" "+nt.sameDoc), func() string {
				return "document " + strconv.Quote(nt.sameDoc) + " is there again for query " + quoted +
					" with the same score; one counts"
			})
		}
		if nt.differ > 0 {
			b.w.add(ConflictingScore, b.file, line(nt.differLine), int(nt.differ), view(q+" "+nt.differDoc),
				func() string {
					return "document " + strconv.Quote(nt.differDoc) + " is there again for query " + quoted +
						" with another score; the highest counts"
				})
		}
		if nt.clashes > 0 {
			b.w.add(RankConflict, b.file, line(nt.clash), int(nt.clashes), view(q), func() string {
				return "rank and score contradict each other for query " + quoted + "; the score decides"
			})
		}
		if nt.unsorted >= 0 {
			b.w.add(UnsortedInput, b.file, line(nt.unsorted), 1, view(q), func() string {
				return "query " + quoted + " is not in the order of its scores; the scores decide"
			})
		}
		if nt.tied > 0 {
			b.w.add(TiedScores, b.file, line(nt.tiedLine), int(nt.tied), view(q), func() string {
				return "documents of query " + quoted + " share a score; their order depends on convention"
			})
		}
	}
	if b.back > 0 {
		b.w.add(InterleavedQueries, b.file, line(int32(b.reopen)), b.back, nil, func() string {
			return "queries reappear after others; their lines are merged"
		})
	}
}
