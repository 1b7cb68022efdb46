package packed

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// costs fails if f allocates more than 64 bytes for each of n plus 16 MB.
func costs(t testing.TB, n int, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(16_000_000+64*n); got > most {
		t.Errorf("reading %d bytes allocates %d, more than %d", n, got, most)
	}
}

// allocates runs f and compares its allocation with a limit.
func allocates(t testing.TB, f func(), most uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("it allocates %d bytes, more than %d", got, most)
	}
}

func linkOf(b []byte) string {
	text := base64.RawURLEncoding.EncodeToString(b)
	return LinkPrefix + text + linkSum + checksum(text)
}

// small is a comparison of one run and document, to enlarge in one respect.
func small() *packed {
	return &packed{name: "x", measures: []string{"AP"}, docs: []string{"d"},
		queries: []packedQuery{{id: "q", docs: []int{0}, judged: []float64{2}}},
		runs:    []packedRun{{name: "a", lists: []packedList{{there: true, docs: []int{0}, class: []int{0}}}}}}
}

func TestSmallLinksAndFilesThatWouldCostMuchAreRefusedWithAReason(t *testing.T) {
	n := func(k int) []int { return make([]int, k) }
	for _, c := range []struct {
		name   string
		change func(p *packed)
		link   bool
		want   string // "" if it opens
	}{
		{"as it is", func(*packed) {}, true, ""},
		{"2,000 measures", func(p *packed) {
			p.measures = nil
			for i := range 2000 {
				p.measures = append(p.measures, "P@"+strconv.Itoa(i+1))
			}
		}, true, "it holds 2000 measures, more than the 200 that are opened at once"},
		{"a million documents without a name", func(p *packed) {
			p.queries[0].extra = []report.Grade{{Grade: 1, Count: 1 << 20}}
		}, true, "bytes of memory"},
		{"as many documents without a name as an integer can say", func(p *packed) {
			p.queries[0].extra = []report.Grade{{Grade: 1, Count: math.MaxInt}, {Grade: 2, Count: math.MaxInt}}
		}, true, "bytes of memory"},
		{"60,000 documents without a name", func(p *packed) {
			p.queries[0].extra = []report.Grade{{Grade: 1, Count: 60_000}}
		}, true, ""},
		{"20 runs in a link", func(p *packed) {
			for len(p.runs) < 20 {
				p.runs = append(p.runs, p.runs[0])
			}
		}, true, ""},
		{"21 runs in a link", func(p *packed) {
			for len(p.runs) < 21 {
				p.runs = append(p.runs, p.runs[0])
			}
		}, true, "it holds 21 runs, more than the 20 that are opened at once"},
		{"21 runs in a file", func(p *packed) {
			for len(p.runs) < 21 {
				p.runs = append(p.runs, p.runs[0])
			}
		}, false, ""},
		{"1,001 runs in a file", func(p *packed) {
			for len(p.runs) < 1001 {
				p.runs = append(p.runs, p.runs[0])
			}
		}, false, "it holds 1001 runs, more than the 1000 that are opened at once"},
		{"queries × runs × measures", func(p *packed) {
			for len(p.measures) < 200 {
				p.measures = append(p.measures, "P@"+strconv.Itoa(len(p.measures)))
			}
			for i := range 400 {
				p.queries = append(p.queries, packedQuery{id: strconv.Itoa(i)})
			}
			p.runs[0].lists = append(p.runs[0].lists, make([]packedList, 400)...)
			for len(p.runs) < 700 {
				p.runs = append(p.runs, packedRun{lists: make([]packedList, 401)})
			}
		}, false, "bytes of memory"},
		{"queries of nothing, 300 in 900 runs", func(p *packed) {
			for i := range 300 {
				p.queries = append(p.queries, packedQuery{id: strconv.Itoa(i)})
			}
			p.runs[0].lists = append(p.runs[0].lists, make([]packedList, 300)...)
			for len(p.runs) < 900 {
				p.runs = append(p.runs, packedRun{lists: make([]packedList, 301)})
			}
		}, false, "bytes of memory"},
		{"a document's id of 60 kB after another", func(p *packed) {
			p.docs = nil
			for i := range 999 {
				p.docs = append(p.docs, strings.Repeat("d", 60_000+i))
			}
		}, true, "bytes of memory"},
		{"zeros", func(p *packed) {
			q := &p.queries[0]
			q.docs, q.judged = n(400_000), make([]float64, 400_000)
			for i := range q.docs {
				q.docs[i] = i
			}
		}, true, "bytes of memory"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := small()
			c.change(p)
			b := seal(packedInput, plainVersion, wire.Marshal(p))
			n, open := len(b), func() (*File, error) { return Unpack(b) }
			if c.link {
				s := linkOf(b)
				n, open = len(s), func() (*File, error) { return ReadLink(s) }
			}
			var err error
			costs(t, n, func() { _, err = open() })
			switch limit := (*LimitError)(nil); {
			case c.want == "" && err != nil:
				t.Errorf("%v", err)
			case c.want != "" && (!errors.As(err, &limit) || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestLimitsThatAreGiven(t *testing.T) {
	b, err := Pack(File{Input: fixture(t)}, Saving{}) // 3 runs, 4 queries, 5 measures
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		limits Limits
		what   string
	}{
		{"defaults", Limits{}, ""},
		{"as many as there are", Limits{Runs: 3, Measures: 5, Cells: 60}, ""},
		{"runs", Limits{Runs: 2}, "runs"},
		{"measures", Limits{Measures: 4}, "measures"},
		{"values", Limits{Cells: 59}, "values"},
		{"memory", Limits{Memory: 1000}, "bytes of memory"},
		{"more memory than the most", Limits{Memory: math.MaxInt}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.limits.Unpack(b)
			var limit *LimitError
			if errors.As(err, &limit); limit == nil && c.what != "" || limit != nil && limit.What != c.what {
				t.Errorf("%v, want %q", err, c.what)
			}
		})
	}
}

// Repetitive data compresses so well that it needs far more than 64 times the memory: it is packed so that it
// opens.
func TestWhatIsPackedOpens(t *testing.T) {
	in := compare.Input{Qrels: collection.NewQrels(), Measures: []string{"AP"}}
	for s := range 12 {
		b := collection.NewRunBuilder("t")
		for q := range 50 {
			for d := range 300 {
				if err := b.Add("q"+strconv.Itoa(q), "d"+strconv.Itoa(d), float64(-d)); err != nil {
					t.Fatal(err)
				}
				in.Qrels.Add("q"+strconv.Itoa(q), "d"+strconv.Itoa(d), 1)
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: strconv.Itoa(s), Run: run})
	}
	b, err := Pack(File{Input: in}, Saving{})
	if err != nil {
		t.Fatal(err)
	}
	var f *File
	costs(t, len(b), func() { f, err = Unpack(b) })
	if err != nil || len(f.Runs) != 12 || f.Runs[11].Run.Len() != 15000 {
		t.Errorf("%d bytes: %v", len(b), err)
	}
}

func TestLinkOfMoreRunsThanOneHolds(t *testing.T) {
	in := fixture(t)
	for len(in.Runs) <= MaxRuns {
		in.Runs = append(in.Runs, compare.Named{Name: strconv.Itoa(len(in.Runs)), Run: in.Runs[0].Run})
	}
	var limit *LimitError
	if _, _, err := Link(in, nil, nil); !errors.As(err, &limit) || limit.Got != 21 || limit.Max != 20 {
		t.Errorf("%v", err)
	}
}

// Whatever makes a comparison large, the largest that opens stays within the limit.
func TestTheLargestThatOpens(t *testing.T) {
	ids := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("%07d", i))
		}
		return list
	}
	upTo := func(n, from int) (list []int) {
		for i := range n {
			list = append(list, from+i)
		}
		return list
	}
	for _, c := range []struct {
		name string
		grow func(p *packed, n int)
	}{
		{"names of documents", func(p *packed, n int) { p.docs = ids(n) }},
		{"judged documents", func(p *packed, n int) {
			p.docs = ids(n)
			p.queries[0].docs, p.queries[0].judged = upTo(n, 0), nil
			for _, g := range upTo(n, 2) {
				p.queries[0].judged = append(p.queries[0].judged, float64(g))
			}
		}},
		{"retrieved documents", func(p *packed, n int) {
			p.docs = ids(n)
			p.queries[0].docs, p.queries[0].judged = upTo(n, 0), append([]float64{2}, make([]float64, n-1)...)
			p.runs[0].lists[0].docs, p.runs[0].lists[0].class = upTo(n, 0), upTo(n, 0)
		}},
		{"documents without a name", func(p *packed, n int) {
			p.queries[0].extra = []report.Grade{{Grade: 1, Count: n}}
		}},
		{"queries", func(p *packed, n int) {
			for i, id := range ids(n) {
				p.queries = append(p.queries, packedQuery{id: id, docs: []int{0}, judged: []float64{float64(2 + i%2)}})
			}
			p.runs[0].lists = append(p.runs[0].lists, make([]packedList, n)...)
		}},
		{"queries of a run", func(p *packed, n int) {
			for _, id := range ids(n) {
				p.queries = append(p.queries, packedQuery{id: id, docs: []int{0}, judged: []float64{2}})
				p.runs[0].lists = append(p.runs[0].lists, packedList{there: true, docs: []int{0}, class: []int{0}})
			}
		}},
		{"queries of a run without documents", func(p *packed, n int) {
			for _, id := range ids(n) {
				p.queries = append(p.queries, packedQuery{id: id})
				p.runs[0].lists = append(p.runs[0].lists, packedList{there: true})
			}
		}},
		{"queries without judgments", func(p *packed, n int) { p.runs[0].foreign = ids(n) }},
		{"runs", func(p *packed, n int) {
			for range min(n, 999) {
				p.runs = append(p.runs, p.runs[0])
			}
		}},
		{"subtopics", func(p *packed, n int) {
			p.diverse = true
			p.queries[0].topics = ids(n)
			for i := range n {
				p.queries[0].subs = append(p.queries[0].subs, packedSub{0, i, 1})
			}
		}},
		{"users", func(p *packed, n int) {
			p.viewed, p.preferred = true, true
			for _, id := range ids(n) {
				p.queries[0].users = append(p.queries[0].users,
					packedUser{name: id, subs: []packedSubgroup{{docs: []int{0}, levels: []float64{1}}}})
			}
		}},
		{"subgroups of a user", func(p *packed, n int) {
			p.viewed, p.preferred = true, true
			p.queries[0].users = []packedUser{{}}
			for _, id := range ids(n) {
				p.queries[0].users[0].subs = append(p.queries[0].users[0].subs,
					packedSubgroup{name: id, docs: []int{0}, levels: []float64{1}})
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opened := 0
			for n := 1000; n <= 512_000; n = n * 3 / 2 {
				p := small()
				c.grow(p, n)
				version := byte(plainVersion)
				if p.preferred {
					version = prefsVersion
				}
				b := seal(packedInput, version, wire.Marshal(p))
				var err error
				costs(t, len(b), func() { _, err = Unpack(b) })
				if errors.As(err, new(*LimitError)) {
					break
				}
				if err != nil {
					t.Fatalf("%d: %v", n, err)
				}
				opened = n
			}
			if opened == 0 {
				t.Error("not even 1,000 are opened")
			}
		})
	}
}
