package packed

import (
	"errors"
	"math"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// grades packs an input by grades, whatever it could be packed as otherwise.
func grades(t testing.TB, in compare.Input, r *report.Report) []byte {
	t.Helper()
	g, err := gradesOf(File{Input: in}, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.proven(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func reported(t testing.TB, in compare.Input) *report.Report {
	t.Helper()
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same holds what follows from values against each other, bit for bit: values, means, intervals, letters, pairs and
// tests.
func same(t *testing.T, a, b *report.Report) {
	t.Helper()
	if a.Hash != b.Hash {
		t.Errorf("digest %s, want %s", b.Hash, a.Hash)
	}
	for m := range a.Columns {
		x, y := &a.Columns[m], &b.Columns[m]
		for s := range x.Values {
			for q := range x.Values[s] {
				if math.Float64bits(x.Values[s][q]) != math.Float64bits(y.Values[s][q]) {
					t.Errorf("%s, run %d, query %s: %v, want %v", x.Measure, s, a.Queries[q].ID, y.Values[s][q],
						x.Values[s][q])
				}
			}
		}
		for _, v := range [][2][]float64{{x.Means, y.Means}, {x.Low, y.Low}, {x.High, y.High}, {x.Median, y.Median},
			{x.Geometric, y.Geometric}} {
			if !slices.EqualFunc(v[0], v[1], func(a,
				b float64) bool {
				return math.Float64bits(a) == math.Float64bits(b)
			}) {
				t.Errorf("%s: %v, want %v", x.Measure, v[1], v[0])
			}
		}
		if !slices.Equal(x.Groups, y.Groups) {
			t.Errorf("%s: letters %q, want %q", x.Measure, y.Groups, x.Groups)
		}
	}
	if string(wire.Marshal(&pairs{a.Pairs})) != string(wire.Marshal(&pairs{b.Pairs})) || a.Test.Name != b.Test.Name {
		t.Errorf("tests %+v, want %+v", b.Pairs, a.Pairs)
	}
	if !reflect.DeepEqual(a.Coverage, b.Coverage) || !reflect.DeepEqual(a.Fields, b.Fields) || !slices.Equal(a.Skipped,
		b.Skipped) {
		t.Errorf("coverage %+v\nfields %+v\nskipped %v\nwant %+v\n%+v\n%v", b.Coverage, b.Fields, b.Skipped,
			a.Coverage, a.Fields, a.Skipped)
	}
}

type pairs struct{ list []report.Pair }

func (p *pairs) Wire(c *wire.Codec) { wire.Structs(c, &p.list) }

// Random runs, measures, policies and tests: the report from grades is that from the files.
func TestGradesGiveTheSameReport(t *testing.T) {
	rnd := rand.New(rand.NewSource(7))
	measures := [][]string{measure.Defaults(), {"AP", "Bpref", "infAP", "RBP(p=0.8)", "NumRet"}, {"P@3", "nDCG@5"},
		{"ERR@5", "SetF", "Rprec", "nDCG", "INST"}, {"AP(judged_only=true)", "IPrec@0.1", "Judged@10", "Success@2"}}
	policies := []string{"", "ties=docid-asc", "ties=input", "ties=stable missing=skip empty=skip", "depth=3",
		"precision=single", "unjudged=condensed",
		"rel=2 gain=exponential", "test=wilcoxon correction=bh", "test=t family=baseline missing=skip",
		"unjudged=condensed depth=4 empty=skip"}
	made := 0
	for i := range 220 {
		in := random(t, rnd, 1+rnd.Intn(5), 1+rnd.Intn(9), 2+rnd.Intn(14))
		in.Diversity, in.Preferences = nil, nil
		in.Measures = measures[i%len(measures)]
		var err error
		if in.Policy, in.Protocol, err = compare.ReadPolicy(policies[i/2%len(policies)]); err != nil {
			t.Fatal(err)
		}
		in.Baseline = rnd.Intn(len(in.Runs))
		if i%3 == 0 {
			in.Runs[0].Fell = in.Qrels.Queries()[:1]
		}
		if i%4 == 0 {
			for q := range in.Queries {
				in.Queries[q].Text = "the text of query " + strconv.Itoa(q)
			}
		}
		want := reported(t, in)
		g, err := gradesOf(File{Input: in}, want, nil)
		if errors.Is(err, errNoGrades) { // a run without a judged query
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		forms := []*byGrades{g}
		if k := in.CutDepth(); k > 0 {
			forms = append(forms, g.cut(max(k, leastRebuilt)))
		}
		for _, g := range forms {
			b, err := g.proven(want, nil)
			if err != nil {
				t.Fatalf("%v under %q: %v", in.Measures, policies[i/2%len(policies)], err)
			}
			f, err := Unpack(b)
			if err != nil {
				t.Fatal(err)
			}
			got := reported(t, f.Input)
			same(t, want, got)
			if f.Hash != got.Hash || !got.GradesOnly() || !slices.Equal(f.Input.Measures, want.Measures) {
				t.Errorf("digest %s, measures %v, warnings %v", f.Hash, f.Input.Measures, got.Warnings)
			}
			again, err := Pack(*f, Saving{})
			if err != nil || string(again) != string(b) {
				t.Fatalf("packed again it has other bytes (%v)", err)
			}
			made++
		}
		if t.Failed() {
			t.Fatalf("%v under %q", in.Measures, policies[i/2%len(policies)])
		}
	}
	if made < 200 {
		t.Errorf("%d comparisons were held against their files", made)
	}
}

// A comparison whose ids do not fit gets a link by grades, with the texts of queries where those fit, and reading it
// gives the same link.
func TestLinksByGrades(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	in := random(t, rnd, 5, 60, 60)
	in.Diversity, in.Preferences, in.Measures = nil, nil, nil
	want := reported(t, in)
	link, save, err := Link(in, want, nil)
	if err != nil || !save.Documents || save.Texts || len(link) > MaxLink {
		t.Fatalf("%+v, %d characters, %v", save, len(link), err)
	}
	f, err := ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	got := reported(t, f.Input)
	same(t, want, got)
	if again, _, err := Link(f.Input, got, nil); err != nil || again != link {
		t.Errorf("its own link is another one (%v)", err)
	}
	for i := range in.Queries {
		for range 25 {
			in.Queries[i].Text += strconv.Itoa(rnd.Int())
		}
	}
	if _, save, err = Link(in, reported(t, in), nil); err != nil || !save.Texts {
		t.Errorf("with long texts: %+v, %v", save, err)
	}
	stopped := func() bool { return true }
	if _, _, err := Link(in, want, stopped); !errors.Is(err, compare.ErrCancelled) {
		t.Errorf("stopped: %v", err)
	}
}

// Small comparisons keep their documents, and their link carries the digest too.
func TestLinksOfDocumentsCarryTheDigest(t *testing.T) {
	in := fixture(t)
	want := reported(t, in)
	link, save, err := Link(in, want, nil)
	if err != nil || save != (Saving{Scores: true}) {
		t.Fatalf("%+v, %v", save, err)
	}
	f, err := ReadLink(link)
	if err != nil || f.Hash != want.Hash || f.Graded != nil || f.View != (View{}) {
		t.Errorf("%+v, %v", f, err)
	}
}

// What needs documents is refused with a sentence, and so is what reaches deeper than the link.
func TestGradesRefuseWhatNeedsDocuments(t *testing.T) {
	in := fixture(t)
	in.Measures = []string{"nDCG@10", "P@2"}
	want := reported(t, in)
	g, err := gradesOf(File{Input: in}, want, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.cut(10).proven(want, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Unpack(b)
	if err != nil {
		t.Fatal(err)
	}
	c, err := compare.Open(f.Input)
	if err != nil {
		t.Fatal(err)
	}
	q := c.Queries()[0]
	for name, ask := range map[string]func() error{
		"sides":     func() error { _, err := c.Sides(q, 5); return err },
		"explain":   func() error { _, err := c.Explain("P@2", 0, 1, q); return err },
		"unfold":    func() error { _, err := c.Unfold("P@2", 0, q); return err },
		"opinions":  func() error { _, err := c.Opinions("P@2", nil); return err },
		"unjudged":  func() error { _, err := c.Unjudged(5, nil); return err },
		"residuals": func() error { _, _, err := c.Residuals("P@2", nil); return err },
		"agreement": func() error { _, err := c.Agreements(nil); return err },
		"swings":    func() error { _, _, err := c.Swings("P@2", 0, 1, 5, nil); return err },
		"suppose":   func() error { _, _, err := c.Suppose("P@2", compare.Supposition{}); return err },
	} {
		if err := ask(); !errors.Is(err, compare.ErrGrades) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for measure, ok := range map[string]bool{"P@5": true, "nDCG@10": true, "P@11": false, "AP": false} {
		f.Input.Measures = []string{measure}
		if _, err := compare.Open(f.Input); (err == nil) != ok {
			t.Errorf("%s: %v", measure, err)
		}
	}
	f.Input.Measures = []string{"P@2"}
	for policy, ok := range map[string]bool{"rel=2": true, "missing=skip": true, "depth=2": true,
		"ties=docid-asc": false, "precision=single": false, "unjudged=condensed": false} {
		f.Input.Policy, _, _ = compare.ReadPolicy(policy)
		if _, err := compare.Open(f.Input); (err == nil) != ok {
			t.Errorf("%s: %v", policy, err)
		}
	}
}

// Rankings of more than a million documents are rebuilt as far as they have judged documents. A measure that counts
// documents behind those gets no link.
func TestLongRankingsAreTrimmed(t *testing.T) {
	in := compare.Input{Qrels: collection.NewQrels(), Measures: []string{"AP", "nDCG@10"}}
	rnd := rand.New(rand.NewSource(1))
	for q := range 55 {
		for range 3 {
			in.Qrels.Add(strconv.Itoa(q), "d"+strconv.Itoa(rnd.Intn(1000)), 1)
		}
	}
	for s := range 20 {
		b := collection.NewRunBuilder("x")
		for q := range 55 {
			for i, d := range rnd.Perm(1000) {
				b.Add(strconv.Itoa(q), "d"+strconv.Itoa(d), float64(-i))
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: "run " + strconv.Itoa(s), Run: run})
	}
	want := reported(t, in)
	link, _, err := Link(in, want, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadLink(link)
	if err != nil || !f.Graded.Trimmed {
		t.Fatal(err)
	}
	got := reported(t, f.Input)
	same(t, want, got)
	if again, _, err := Link(f.Input, got, nil); err != nil || again != link {
		t.Errorf("its own link is another one (%v)", err)
	}
	f.Input.Measures = []string{"RR"}
	if _, err := compare.Open(f.Input); !errors.Is(err, compare.ErrGrades) {
		t.Errorf("another measure: %v", err)
	}
	in.Measures = []string{"NumRet"}
	if _, _, err := Link(in, reported(t, in), nil); !errors.Is(err, ErrTooLarge) ||
		!strings.HasSuffix(err.Error(), "need more of the rankings than a link holds") {
		t.Errorf("NumRet: %v", err)
	}
}

// Bytes that say nothing are none, and numbers within ids are told from other text to the digit.
func TestTheSmallestFormIsWritten(t *testing.T) {
	if b := newCoder(false, nil, 1).finish(); len(b) != 0 {
		t.Errorf("%d bytes say nothing", len(b))
	}
	for s, want := range map[string]int{"0": 0, "9": 9, "10": 10, "909090909": 909_090_909, "01": -1, "1/": -1,
		"1:": -1, "": -1, "1000000000": -1} {
		if n, ok := plainNumber(s); ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: %d, %v", s, n, ok)
		}
	}
}

// The forms by grades of every released version open with the same figures. Never to be changed.
func TestFrozenGrades(t *testing.T) {
	in := fixture(t)
	want := reported(t, in)
	for _, name := range []string{"testdata/frozen-5.rbx", "testdata/frozen-6.rbx"} {
		frozenGrades(t, name, in, want)
	}
}

func frozenGrades(t *testing.T, name string, in compare.Input, want *report.Report) {
	t.Helper()
	former := strings.Contains(name, "-5") // with the hash of earlier versions
	if _, err := os.Stat(name); *update && err != nil {
		os.WriteFile(name, grades(t, in, want), 0o666)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, open := range []func() (*File, error){func() (*File, error) { return Unpack(b) }, func() (*File,
		error) {
		return ReadLink(linkOf(b))
	}} {
		f, err := open()
		if err != nil {
			t.Fatal(err)
		}
		got := reported(t, f.Input)
		same(t, want, got)
		if f.Former != former || (f.Hash == want.Hash) == former {
			t.Errorf("hash %s", f.Hash)
		}
	}
	if !former && string(b) != string(grades(t, in, want)) {
		t.Error("the same comparison has other bytes now: that is a new version of the form")
	}
	for i := range b {
		for _, flip := range []byte{1, 128} {
			bad := slices.Clone(b)
			bad[i] ^= flip
			if f, err := Unpack(bad); err == nil {
				t.Errorf("byte %d changed: opened as %+v", i, f)
			}
		}
		if _, err := Unpack(b[:i]); err == nil {
			t.Errorf("cut off after %d bytes and nobody saw", i)
		}
	}
}

// oneDocument is a form by grades of one run that ranks one document, and not the judged one.
func oneDocument() *byGrades {
	return &byGrades{measures: []string{"P@1"}, runs: []gradedRun{{name: "a"}}, grades: []float64{1},
		queries: []gradedQuery{{id: "1", counts: []int{1}}}, lists: [][]gradedList{{{there: true, size: 1}}}}
}

// A few bytes that would expand to a lot are refused before they are opened.
func TestSmallGradesThatWouldCostMuchAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(g *byGrades)
		want   string // "" where it opens
	}{
		{"as it is", func(*byGrades) {}, ""},
		{"the highest grade", func(g *byGrades) { g.grades[0] = math.MaxInt32 }, ""},
		{"the lowest grade", func(g *byGrades) { g.grades[0] = -math.MaxInt32 }, ""},
		{"judged documents", func(g *byGrades) { g.queries[0].counts[0] = maxGradedJudged + 1 }, "judged documents"},
		{"memory for judged documents", func(g *byGrades) { g.queries[0].counts[0] = maxGradedJudged },
			"bytes of memory"},
		{"a ranking", func(g *byGrades) { g.lists[0][0].size = maxGradedSize + 1 }, "documents of a ranking"},
		{"runs", func(g *byGrades) {
			g.runs = make([]gradedRun, maxFileRuns+1)
			g.lists[0] = make([]gradedList, len(g.runs))
		}, "runs"},
		{"rankings", func(g *byGrades) {
			g.runs, g.queries, g.lists = make([]gradedRun, 100), nil, nil
			for i := range 5000 {
				g.queries = append(g.queries, gradedQuery{id: strconv.Itoa(i), counts: []int{1}})
				g.lists = append(g.lists, make([]gradedList, 100))
			}
		}, "bytes of memory"},
		{"steps", func(g *byGrades) {
			g.queries, g.lists = nil, nil
			for i := range 9 {
				g.queries = append(g.queries, gradedQuery{id: strconv.Itoa(i), counts: []int{1}})
				g.lists = append(g.lists, []gradedList{{there: true, size: maxGradedSize}})
			}
		}, "steps to read"},
	} {
		g := oneDocument()
		c.change(g)
		w := walker{coder: newCoder(false, nil, math.MaxInt), g: g, limits: Limits{Runs: math.MaxInt, Measures: 200,
			Cells: math.MaxInt, Memory: math.MaxInt}}
		w.walk()
		payload := w.finish()
		b := append(head(packedInput, gradesVersion, payload), payload...)
		if len(b) > 20_000 {
			t.Errorf("%s: %d bytes", c.name, len(b))
		}
		var err error
		allocates(t, func() { _, err = Unpack(b) }, 64<<20)
		limit := (*LimitError)(nil)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (!errors.As(err, &limit) || limit.What != c.want):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// FuzzUnpackGrades opens any payload: it is refused with a reason, or it says the same when it was packed again, and
// packing that gives the same bytes.
func FuzzUnpackGrades(f *testing.F) {
	in := fixture(f)
	f.Add(grades(f, in, reported(f, in))[packHead:])
	many := random(f, rand.New(rand.NewSource(5)), 4, 12, 12)
	many.Diversity, many.Preferences, many.Measures = nil, nil, []string{"P@3", "nDCG@5"}
	many.Policy.Ties = measure.Input
	f.Add(grades(f, many, reported(f, many))[packHead:])
	f.Fuzz(func(t *testing.T, payload []byte) {
		b := append(head(packedInput, gradesVersion, payload), payload...)
		var got *File
		var err error
		allocates(t, func() { got, err = Unpack(b) }, maxGradedMemory+64<<20)
		if err != nil {
			if !errors.As(err, new(*LimitError)) && !errors.Is(err, wire.ErrDamaged) && !errors.Is(err, ErrNewer) {
				t.Fatalf("error %v", err)
			}
			return
		}
		c, err := compare.Open(got.Input)
		if err != nil {
			return // a link may be of measures that its rankings do not reach
		}
		packed, err := Pack(*got, Saving{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Unpack(packed)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := Pack(*again, Saving{}); err != nil || string(twice) != string(packed) {
			t.Fatalf("packed again it has other bytes (%v)", err)
		}
		d, err := compare.Open(again.Input)
		if err != nil {
			t.Fatal(err)
		}
		x, errX := c.Evaluation.Means(nil)
		y, errY := d.Evaluation.Means(nil)
		if errX != nil || errY != nil || len(x) != len(y) {
			t.Fatal(errX, errY)
		}
		for m := range x {
			for s := range x[m] {
				if math.Float64bits(x[m][s]) != math.Float64bits(y[m][s]) {
					t.Fatalf("%s of run %d: %v, then %v", got.Measures[m], s, x[m][s], y[m][s])
				}
			}
		}
	})
}

// decimals is the fixture with grades 0.7, 1.5 and 1/3 in place of 1, 2 and 3.
func decimals(t *testing.T) compare.Input {
	in := fixture(t)
	of := map[float64]float64{1: 0.7, 2: 1.5, 3: 1.0 / 3}
	qrels := collection.NewQrels()
	for _, q := range in.Qrels.Queries() {
		in.Qrels.Each(q, func(doc string, grade float64) {
			if to, ok := of[grade]; ok {
				grade = to
			}
			qrels.Add(q, doc, grade)
		})
	}
	in.Qrels = qrels
	in.Measures = []string{"nDCG@10", "P(rel=0.5)@5"}
	return in
}

func TestGradesWithDecimalsSurviveFilesAndLinks(t *testing.T) {
	in := decimals(t)
	want := reported(t, in)
	seen := false
	for _, g := range want.Stats.Grades {
		seen = seen || g.Grade == 0.7
	}
	if !seen {
		t.Fatalf("the fixture has the grades %v", want.Stats.Grades)
	}
	file, err := Pack(File{Input: in}, Saving{Scores: true, Names: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"a file": file, "a link by grades": grades(t, in, want)} {
		f, err := Unpack(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := reported(t, f.Input); !slices.Equal(got.Stats.Grades, want.Stats.Grades) {
			t.Errorf("%s: grades %v, want %v", name, got.Stats.Grades, want.Stats.Grades)
		} else if got.Hash != want.Hash {
			t.Errorf("%s: hash %s, want %s", name, got.Hash, want.Hash)
		}
	}
}

// The order and the finite size of grades are checked: a list of 0.5 and 0.25 is damaged.
func TestListsOfGradesWithDecimalsAscend(t *testing.T) {
	for _, c := range []struct {
		grades []float64
		ok     bool
	}{{[]float64{-0.5, 0.25, 3}, true}, {[]float64{0.5, 0.25}, false}, {[]float64{0.5, math.Inf(1)}, false},
		{[]float64{math.NaN()}, false}, {[]float64{0.5, 0.5}, false}} {
		code := func(reading bool, in []byte, to *[]float64) (out []byte, ok bool) {
			w := &walker{coder: newCoder(reading, in, math.MaxInt), g: &byGrades{grades: *to}}
			list(w, &w.g.grades, kindGrade, maxGradedGrades, "grades", w.grade())
			*to = w.g.grades
			if reading {
				return nil, !w.failed()
			}
			return w.finish(), true
		}
		b, _ := code(false, nil, &c.grades)
		var got []float64
		if _, ok := code(true, b, &got); ok != c.ok || ok && !slices.Equal(got, c.grades) {
			t.Errorf("%v: %v, %v", c.grades, got, ok)
		}
	}
}
