package matrix

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// full is a store that has no room for one of its checkpoints.
type full struct {
	Memory
	made, refused int
}

func (f *full) Append(b []byte) error {
	if f.made++; f.made == f.refused {
		return errors.New("the disk is full")
	}
	return f.Memory.Append(b)
}

const two = `{"systems": ["bm25", "dense"], "measures": ["nDCG@10"]}`

// said is what an experiment that is done says, as it is written.
func said(t *testing.T, x *Experiment) []byte {
	t.Helper()
	out, err := x.Outcome(Provenance{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := out.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// opened is an experiment over a store.
func opened(t *testing.T, s *experiment.Session, spec string, store Store) *Experiment {
	t.Helper()
	x, err := Open(plan(t, s, spec), s, store)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// of is an experiment of two runs over a store.
func of(t *testing.T, s *experiment.Session, store Store) *Experiment {
	t.Helper()
	return opened(t, s, two, store)
}

// A checkpoint that finds no room stops the experiment, and what was in it is not done. The same experiment goes on
// when there is room, and comes to the same end. The first of its six pieces is the head; a later one holds five
// queries.
func TestWhatFindsNoRoomIsDoneAgain(t *testing.T) {
	s := session(t)
	straight := of(t, s, &Memory{})
	if err := straight.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	want := said(t, straight)
	for refused, kept := range map[int]int{2: 0, 3: 5, 4: 10, 5: 15, 6: 20} {
		store := &full{refused: refused}
		x := of(t, s, store)
		if err := x.Run(Options{}); err == nil || errors.Is(err, ErrCancelled) ||
			!strings.Contains(err.Error(), "save finished work: the disk is full") {
			t.Fatalf("piece %d: %v", refused, err)
		}
		states := x.Status()
		for run, of := range []int{min(kept, 12), max(kept-12, 0)} {
			state := map[bool]Life{true: Completed, false: Running}[of == 12]
			if of == 0 {
				state = Pending
			}
			if got := states[run]; got.NotRun != 12-of || got.State != state {
				t.Errorf("piece %d, run %d: %v with %d to do, want %v with %d", refused, run, got.State, got.NotRun,
					state, 12-of)
			}
		}
		last := Progress{}
		if err := x.Run(Options{Progress: func(p Progress) { last = p }}); err != nil {
			t.Fatal(err)
		}
		if last.Done != 24 || last.Total != 24 {
			t.Errorf("piece %d: %d of %d at the end", refused, last.Done, last.Total)
		}
		if got := said(t, x); !bytes.Equal(got, want) {
			t.Errorf("piece %d: another outcome", refused)
		}
		again := of(t, s, store) // everything was kept
		for _, r := range again.Status() {
			if r.Kept != 12 {
				t.Errorf("piece %d: %d of a run are kept", refused, r.Kept)
			}
		}
	}
}

// What was told to stop is cancelled where it had begun, and pending where it had not; what stops for want of room is
// neither.
func TestWhatIsStoppedIsCancelled(t *testing.T) {
	s := session(t)
	for after, want := range map[int][2]Life{0: {Pending, Pending}, 3: {Cancelled, Pending}, 12: {Completed, Pending},
		15: {Completed, Cancelled}, 24: {Completed, Completed}} {
		x, left := of(t, s, &Memory{}), after
		err := x.Run(Options{Cancel: func() bool { left--; return left < 0 }})
		if got := x.Status(); (err == nil) != (after == 24) || got[0].State != want[0] || got[1].State != want[1] {
			t.Errorf("after %d: %v, %v, %v", after, got[0].State, got[1].State, err)
		}
		if x.Status()[0].Kept != 0 {
			t.Errorf("after %d: %d were kept before", after, x.Status()[0].Kept)
		}
		if err := x.Run(Options{}); err != nil || x.Status()[1].State != Completed {
			t.Errorf("after %d: %v, %v", after, x.Status()[1].State, err)
		}
	}
}

// What became of the queries of a run, and what the run is by it.
func TestWhatARunIsByItsQueries(t *testing.T) {
	hit := []rank.Hit{{Doc: 1, Score: 1}}
	good := list{state: Evaluated, hits: hit, why: "ce, v1"}
	fell := list{state: Evaluated, hits: hit, passing: true, fell: "it is busy"}
	stray := list{state: Evaluated, hits: hit, strays: 3}
	bad, silent, empty := list{state: Failed, why: "no vectors"}, list{state: Failed, passing: true}, list{state: Empty}
	all := func(l list) (out []list) {
		for range 12 {
			out = append(out, l)
		}
		return out
	}
	mixed := all(good)
	copy(mixed, []list{fell, fell, stray, stray, bad, silent, silent, silent, empty, {}})
	busy := all(fell)
	busy[3] = bad
	for _, c := range []struct {
		name  string
		lists []list
		want  Status
	}{
		{"a bit of all", mixed, Status{State: Running, Evaluated: 6, Empty: 1, Failed: 4, NotRun: 1, FellBack: 2,
			Strays:       6,
			StrayQueries: 2, Silent: 3, Asked: []string{"ce, v1"}}},
		{"nothing yet", all(list{}), Status{State: Pending, NotRun: 12}},
		{"all well", all(good), Status{State: Completed, Evaluated: 12, Asked: []string{"ce, v1"}}},
		{"none could be answered", all(bad), Status{State: Broken, Why: "no query could be answered: no vectors",
			Failed: 12}},
		{"the backend answered none", busy, Status{State: Broken, Evaluated: 11, Failed: 1, FellBack: 11,
			Why: "the backend answered no query, so this system has no figures: it is busy"}},
		{"all are empty", all(empty), Status{State: Completed, Empty: 12}},
	} {
		x := of(t, session(t), &Memory{})
		x.lists[0] = c.lists
		x.count(0)
		if got := x.status[0]; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// The journal gives back what was written, with the documents that a collection lacks; a state that there is not ends
// it.
func TestTheJournalGivesBackWhatWasWritten(t *testing.T) {
	hit := []rank.Hit{{Doc: 7, Score: .5}, {Doc: 1, Score: -2}}
	all := []entry{{"a", 0, list{state: Evaluated, hits: hit, why: "ce, v1", strays: 12}},
		{"a+0", 5, list{state: Failed, why: "no vectors"}}, {"b", 1, list{state: Empty}},
		{"b", 2, list{state: Evaluated, hits: hit, strays: 1}}}
	b := append([]byte(journalHead), append(piece(all[:1]), piece(all[1:])...)...)
	got, whole, err := readJournal(b)
	if err != nil || whole != len(b) || !reflect.DeepEqual(got, all) {
		t.Errorf("%+v, %d of %d bytes, %v", got, whole, len(b), err)
	}
	for cut := range len(b) {
		got, whole, err := readJournal(b[:cut])
		want, read := 0, 0
		if cut >= len(journalHead) {
			read = len(journalHead)
		}
		if first := len(journalHead) + len(piece(all[:1])); cut >= first {
			want, read = 1, first
		}
		if err != nil || len(got) != want || whole != read {
			t.Errorf("cut at %d: %d entries, %d bytes, %v", cut, len(got), whole, err)
		}
	}
	if bytes.Contains(piece(all[1:3]), []byte(separator)) {
		t.Error("no document is missing, and it is written")
	}
	for state, n := range map[State]int{Failed: 1, Failed + 1: 0} {
		if got, _ := readPieces(piece([]entry{{"a", 0, list{state: state}}})); len(got) != n {
			t.Errorf("state %d: %d entries", state, len(got))
		}
	}
}
