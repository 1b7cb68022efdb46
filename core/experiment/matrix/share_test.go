package matrix

import (
	"testing"
)

// The outcome of queries that several shared out is that of one alone (no oracle but this program itself): whoever
// comes first, where one ends in the middle, and where what is done is taken up again later.
func TestSharedOutTheOutcomeIsTheSame(t *testing.T) {
	s := session(t)
	const spec = `{"systems":["bm25","bm25(k1=0.6|1.2) >> rm3(docs=3)?","dense","rrf(bm25, dense, k=10|60)"],` +
		`"measures":["nDCG@5","AP"]}`
	want := finished(t, s, spec, 1)
	for name, c := range map[string]struct {
		of    int
		dies  int // the one that ends after a few rankings, 0 for none
		order []int
		begun int // rankings that are done before they are shared out
	}{
		"two":                          {of: 2, order: []int{1}},
		"four":                         {of: 4, order: []int{1, 2, 3}},
		"four, the last one first":     {of: 4, order: []int{3, 1, 2}},
		"one dies":                     {of: 3, dies: 2, order: []int{2, 1}},
		"what is done is not repeated": {of: 3, order: []int{1, 2}, begun: 31},
	} {
		t.Run(name, func(t *testing.T) {
			p := plan(t, s, spec)
			store := &Memory{}
			x, err := Open(p, s, store)
			if err != nil {
				t.Fatal(err)
			}
			stop := func(after int) func() bool {
				return func() bool { after--; return after < 0 }
			}
			if c.begun > 0 {
				if err := x.Run(Options{Cancel: stop(c.begun)}); err != ErrCancelled {
					t.Fatal(err)
				}
			}
			have, sent, ranked := x.Have(), map[int][]byte{}, 0
			for w := 1; w < c.of; w++ {
				m := &Memory{}
				other, err := Open(plan(t, s, spec), s, m)
				if err != nil {
					t.Fatal(err)
				}
				o := Options{Skip: func(run, q int) bool { return q%c.of != w || other.Has(have, run, q) }}
				if w == c.dies {
					o.Cancel = stop(7)
				}
				if err := other.Run(o); err != nil && err != ErrCancelled {
					t.Fatal(err)
				}
				sent[w] = m.Since(len(journalHead))
				for _, st := range other.Status() {
					ranked += st.Evaluated + st.Empty + st.Failed
				}
			}
			if err := x.Run(Options{Skip: func(_, q int) bool { return q%c.of != 0 }}); err != nil {
				t.Fatal(err)
			}
			for _, w := range c.order {
				if err := x.Take(sent[w]); err != nil {
					t.Fatal(err)
				}
				if err := x.Take(sent[w]); err != nil { // twice is once
					t.Fatal(err)
				}
			}
			if err := x.Run(Options{}); err != nil { // what nobody did
				t.Fatal(err)
			}
			out, err := x.Outcome(Provenance{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if out.Hash != want.Hash || out.Report.Hash != want.Report.Hash {
				t.Error("another outcome than of one alone")
			}
			if all := len(p.Runs) * len(x.queries); c.begun > 0 && ranked > all-c.begun {
				t.Errorf("the others ranked %d of %d, of which %d were done", ranked, all, c.begun)
			}
			again, err := Open(p, s, store) // everything is kept, what was taken too
			if err != nil {
				t.Fatal(err)
			}
			for i, st := range again.Status() {
				if st.NotRun > 0 {
					t.Errorf("run %d: %d queries are not in the journal", i, st.NotRun)
				}
			}
		})
	}
}

// What another program sends is foreign bytes: damage is said, and what is whole before it counts.
func TestTakeRefusesDamage(t *testing.T) {
	s := session(t)
	p := plan(t, s, `{"systems":["bm25","dense"],"measures":["nDCG@5"]}`)
	m := &Memory{}
	other, _ := Open(p, s, m)
	if err := other.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	sent := m.Since(len(journalHead))
	x, _ := Open(p, s, &Memory{})
	bad := append([]byte(nil), sent...)
	bad[len(bad)-1] ^= 1
	if err := x.Take(bad); err == nil {
		t.Error("damage is not said")
	}
	if st := x.Status()[0]; st.NotRun == 12 {
		t.Error("the pieces before the damage do not count")
	}
	if err := x.Take(sent); err != nil {
		t.Error(err)
	}
	for i, st := range x.Status() {
		if st.State != Completed {
			t.Errorf("run %d is %v", i, st.State)
		}
	}
}
