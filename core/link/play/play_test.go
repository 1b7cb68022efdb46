package play

import (
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/measure"
)

func measures(t testing.TB, notations ...string) []measure.Measure {
	t.Helper()
	var out []measure.Measure
	for _, s := range notations {
		m, err := measure.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

func table(t testing.TB, text string, notations ...string) *Table {
	t.Helper()
	docs, n, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	p := &Table{Measures: measures(t, notations...)}
	p.Fill(docs, n)
	return p
}

func random(rng *rand.Rand) *Table {
	p := &Table{}
	for range rng.IntN(21) {
		d := Doc{Grade: int32(rng.IntN(MaxGrade+2)) - 1, Topics: uint8(rng.IntN(8))}
		if d.Grade < 0 {
			d.Grade = measure.Unjudged
		}
		p.Add(0, d)
	}
	p.Shuffle(0, rng.Uint64())
	for range rng.IntN(4) {
		if len(p.Lists[0]) > 0 {
			p.Take(0, rng.IntN(len(p.Lists[0])))
		}
	}
	return p
}

// every returns every measure of the registry, with a cutoff if required.
func every(t *testing.T) []measure.Measure {
	var out []measure.Measure
	for _, in := range measure.All() {
		m, err := measure.Parse(in.Name)
		if err != nil {
			m, err = measure.Parse(in.Example.Measure)
		}
		if err != nil {
			t.Fatalf("%s: %v", in.Name, err)
		}
		out = append(out, m)
	}
	return out
}

// The displayed terms add up to the displayed value, to the last bit. Score is the oracle, which core/measure
// compares with trec_eval and ir_measures. For most measures the terms suffice. The others add in another order
// than Score; their rounding is a term of its own, at most 2e-15 of the larger of 1 and the sum.
func TestTermsMakeTheValueOfEveryMeasure(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	all := every(t)
	if len(all) != len(measure.All()) || len(all) < 60 {
		t.Fatalf("%d measures", len(all))
	}
	last := map[string]bool{} // those with rounding
	for range 1000 {
		p := random(rng)
		for _, m := range all {
			topic := p.Topic(0)
			u := m.Unfold(topic)
			want := p.Value(m, 0)
			if u.Value != want || math.IsNaN(want) {
				t.Fatalf("%s of %s: unfolded %v, the value is %v", m, p.Text(0), u.Value, want)
			}
			sum, size := 0.0, 0.0
			for _, x := range u.Parts {
				sum += x.Term
				size = max(size, math.Abs(x.Term/u.Divisor))
			}
			if sum != u.Sum {
				t.Fatalf("%s of %s: the terms make %v, the sum is %v", m, p.Text(0), sum, u.Sum)
			}
			got := u.Base + u.Sum/u.Divisor
			if u.Rounding() != 0 {
				last[m.Info().Name] = true
			}
			if got+u.Rounding() != want {
				t.Fatalf("%s of %s: the terms and their rounding make %v, the value is %v", m, p.Text(0),
					got+u.Rounding(), want)
			}
			if math.Abs(got-want) > 2e-15*max(1, size, math.Abs(u.Base), math.Abs(want)) {
				t.Errorf("%s of %s: the terms make %v, the value is %v, %g apart", m, p.Text(0), got, want, got-want)
			}
		}
	}
	var names []string
	for n := range last {
		names = append(names, n)
	}
	slices.Sort(names)
	if got, want := strings.Join(names,
		" "), "AP_IA AP_avgjg Accuracy Compat F P_avgjg RBP Rndcg Rprec_mult_avgjg SetAP SetF ndcg_rel prefs_avgjg "+
		"prefs_avgjg_Rnonrel prefs_pair prefs_simp rbp_resid yaap"; got != want {
		t.Errorf("with rounding: %s, want %s", got, want)
	}
}

func TestWhatIsTypedIsRead(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		retrieved        int
	}{
		{"grades", "3 2 0 1 - 0", "3 2 0 1 - 0", 6},
		{"commas and a real minus", "3, 2; − 4 ?", "3 2 - 4 -", 5},
		{"sub-topics", "3ab 0 -c", "3ab 0 -c", 3},
		{"four grades are no qrels", "3 2 0 1", "3 2 0 1", 4},
		// trec_eval: score descending, then document id descending
		{"a run", "q Q0 d1 1 2.5 s\nq Q0 d3 2 1 s\nq Q0 d2 3 2.5 s", "- - -", 3},
		{"a run and its qrels", "q Q0 d1 1 2.5 s\nq Q0 d2 3 2.5 s\nq 0 d1 3\nq 0 d9 2\n", "- 3", 2},
	} {
		p := &Table{}
		docs, n, err := Read(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p.Fill(docs, n)
		if got := p.Text(0); got != c.want || n != c.retrieved {
			t.Errorf("%s: %q, %d retrieved", c.name, got, n)
		}
	}
	p := table(t, "q Q0 d1 1 2.5 s\nq Q0 d2 3 2.5 s\nq 0 d1 3\nq 0 d9 2\n")
	if p.Docs[0].Label != "d2" || len(p.Docs) != 3 || p.Docs[2].Label != "d9" || p.Docs[2].Grade != 2 {
		t.Errorf("%+v", p.Docs)
	}
	for text, want := range map[string]string{
		"":                              "nothing to rank",
		"3 5":                           `"5" is no grade`,
		"3 2z":                          `"2z" is no grade`,
		"q Q0 d 1 x s":                  "line 1",
		"q Q0 d 1 1 s\nr Q0 e 1 1 s":    "line 2: a second query",
		"q Q0 d 1 1 s\nq Q0 d 2 1 s":    "line 2",
		"q Q0 d 1 1 s\nwhat":            "line 2",
		"q 0 d 9\nq Q0 d 1 1 s":         "line 1",
		strings.Repeat("1 ", MaxDocs+1): "more than 50",
	} {
		if _, _, err := Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// DCG@3 of 1 0 3 is 1/log2(2) + 3/log2(4) = 2.5, the ideal 3 + 1/log2(3) = 3.6309, nDCG@3 0.6885 (the example of
// the registry). 3 1 0 is the best order, and the shortest single move to it takes rank 3 to rank 1.
func TestWhatOtherOrdersWouldGive(t *testing.T) {
	p := table(t, "1 0 3", "nDCG@3")
	m := p.Measures[0]
	if v := p.Value(m, 0); math.Abs(v-0.6885) > 5e-5 {
		t.Errorf("nDCG@3 is %v", v)
	}
	best, ok := p.Best(m, 0)
	if !ok || best.From != 2 || best.To != 0 || math.Abs(best.Gain-(1-0.6885)) > 5e-5 {
		t.Errorf("best %+v", best)
	}
	// swapped 0 1 3: (1/log2 3 + 1.5) / 3.6309 = 0.5869; 1 3 0: (1 + 3/log2 3) / 3.6309 = 0.7967
	if s := p.Swaps(m, 0); len(s) != 2 || math.Abs(s[0]-(0.5869-0.6885)) > 1e-4 ||
		math.Abs(s[1]-(0.7967-0.6885)) > 1e-4 {
		t.Errorf("swaps %v", s)
	}
	for i := range 2 {
		q := p.Clone()
		q.Shift(0, i, i+1)
		if got := q.Value(m, 0) - p.Value(m, 0); got != p.Swaps(m, 0)[i] {
			t.Errorf("swap %d makes %v", i, got)
		}
	}
	p.Ideal(0)
	if p.Text(0) != "3 1 0" || p.Value(m, 0) != 1 {
		t.Errorf("ideal %s", p.Text(0))
	}
	if _, ok := p.Best(m, 0); ok {
		t.Error("the best order is to be improved")
	}
	if p.Worst(0); p.Text(0) != "0 1 3" {
		t.Errorf("worst %s", p.Text(0))
	}
	if p.Reverse(0); p.Text(0) != "3 1 0" {
		t.Errorf("reversed %s", p.Text(0))
	}
}

func TestDocumentsComeAndGo(t *testing.T) {
	p := table(t, "3 2 0", "R@10", "AP")
	p.Take(0, 0)
	if p.Text(0) != "2 0" || !slices.Equal(p.Out(0), []int{0}) || p.Value(p.Measures[0], 0) != 0.5 {
		t.Errorf("%s, out %v: R %v", p.Text(0), p.Out(0), p.Value(p.Measures[0], 0))
	}
	p.Split(true)
	p.Put(1, 0)
	p.Put(1, 0)
	if p.Text(1) != "2 0 3" || p.Text(0) != "2 0" {
		t.Errorf("%s | %s", p.Text(0), p.Text(1))
	}
	p.Drop(1)
	if p.Text(0) != "0" || p.Text(1) != "0 3" || len(p.Docs) != 2 {
		t.Errorf("%s | %s of %+v", p.Text(0), p.Text(1), p.Docs)
	}
	p.Ideal(0)
	if p.Text(0) != "3 0" {
		t.Errorf("the ideal brings in what was not retrieved: %s", p.Text(0))
	}
	q := p.Clone()
	q.Docs[0].Grade, q.Lists[0][0] = 4, 0
	if p.Text(0) != "3 0" {
		t.Error("a copy shares memory")
	}
}

func TestLinksBringTheTableBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	for range 500 {
		p := random(rng)
		for i := range p.Docs {
			p.Docs[i].Label = []string{"", "Empty decks: 11 days, 5 % & more", "Fünf Schiffe~",
				strings.Repeat("long ", 20)[:80]}[rng.IntN(4)]
		}
		p.Measures = measures(t, "nDCG(dcg='exp-log2')@5", "RBP(p=0.5)", "nDCG(gains={1:2,2:5})")[:rng.IntN(4)]
		p.Chosen = rng.IntN(max(1, len(p.Measures)))
		p.Split(rng.IntN(2) == 0)
		link := p.Link()
		if len(link) > MaxLink {
			t.Fatalf("%d characters", len(link))
		}
		q, err := Decode(link)
		if err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		if q.Text(0) != p.Text(0) || q.Second != p.Second || q.Second && q.Text(1) != p.Text(1) ||
			q.Chosen != p.Chosen || len(q.Measures) != len(p.Measures) || q.Link() != link {
			t.Fatalf("%s became %s", link, q.Link())
		}
		for i, m := range q.Measures {
			if m.String() != p.Measures[i].String() {
				t.Fatalf("%s became %s", p.Measures[i], m)
			}
		}
	}
	// fifty documents with long names in two lists, and six long measures, still fit
	p := &Table{Measures: measures(t, "nDCG(dcg='exp-log2',judged_only=True)@5", "AP(rel=2)@10", "RBP(p=0.95,rel=2)@10",
		"ERR@10", "alpha_nDCG(alpha=0.7)@10", "Compat(p=0.9)")}
	for range MaxDocs {
		p.Add(0, Doc{Label: strings.Repeat("ü ", 26), Grade: 3, Topics: 255})
	}
	p.Split(true)
	if n := len(p.Link()); n > MaxLink {
		t.Errorf("%d characters", n)
	}
}

// Twenty documents of the demo as a teacher would use them: the longest titles, grades, subtopics, a second list in
// another order and six measures fit in a link of at most 2,000 characters and read back unchanged.
func TestALinkOfTwentyDocumentsCarriesTheWholeState(t *testing.T) {
	file, err := os.Open("../../../site/collections/harbour-wire/corpus.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var titles []string
	for d := json.NewDecoder(file); ; {
		var doc struct{ Title string }
		if err := d.Decode(&doc); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		titles = append(titles, doc.Title)
	}
	slices.SortStableFunc(titles, func(a, b string) int { return len(b) - len(a) })
	p := &Table{Measures: measures(t, "nDCG(dcg='exp-log2')@10", "AP(rel=2)@10", "RBP(p=0.95)", "ERR@10",
		"alpha_nDCG(alpha=0.7)@10", "P@5"), Chosen: 4}
	for i := range 20 {
		d := Doc{Label: titles[i], Grade: int32(i % 5), Topics: uint8(1 + 37*i%200)}
		if i%6 == 5 {
			d.Grade, d.Topics = measure.Unjudged, 0
		}
		p.Add(0, d)
	}
	p.Split(true)
	p.Shuffle(1, 16)
	link := p.Link()
	if len(link) > 2000 {
		t.Fatalf("%d characters", len(link))
	}
	q, err := Decode(link)
	if err != nil {
		t.Fatal(err)
	}
	if !q.Second || q.Text(0) != p.Text(0) || q.Text(1) != p.Text(1) || q.Chosen != 4 || len(q.Measures) != 6 ||
		q.Link() != link {
		t.Fatalf("%s became %s", link, q.Link())
	}
	for i, d := range q.Docs {
		if d != p.Docs[i] || q.Measures[i%6].String() != p.Measures[i%6].String() {
			t.Errorf("document %d: %+v became %+v", i, p.Docs[i], d)
		}
	}
}

// Links of version 1 always read like this.
func TestOldLinksOpen(t *testing.T) {
	p, err := Decode(
		"play=1&d=3~Empty+decks%3A+eleven+days,2ab~Eleven+ships,-,0&a=1.0.2&b=0.3&m=nDCG(dcg=%27exp-log2%27)@5~AP&c=1")
	if err != nil {
		t.Fatal(err)
	}
	if p.Text(0) != "2ab 3 -" || p.Text(1) != "3 0" || p.Docs[0].Label != "Empty decks: eleven days" || p.Chosen != 1 ||
		p.Measures[0].String() != "nDCG(dcg='exp-log2')@5" || p.Measures[1].String() != "AP" {
		t.Errorf("%+v", p)
	}
	for link, want := range map[string]string{
		"play=2&d=3": "version", "play=1&d=9": "no grade", "play=1&d=3&a=1": "place", "play=1&d=3&a=0.0": "place",
		"play=1&m=What": "unknown measure", "play=1&x=1": "not known",
		"play=1&d=3&d=2": `"d=2"`, "play=1&d=3~%zz": "digits", "play=1&c=4": "not among", "runs=": "begin",
		"play=1&d=3~%ff": "UTF-8", "play=1&d=,": "without a grade",
	} {
		if _, err := Decode(link); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", link, err, want)
		}
	}
}

// A link may have as many documents as a table, and no more.
func TestLinksOfManyDocuments(t *testing.T) {
	link := func(n int) string { return Prefix + "1&d=" + strings.Repeat("1,", n-1) + "1&a=&m=" }
	if p, err := Decode(link(MaxDocs)); err != nil || len(p.Docs) != MaxDocs {
		t.Error(err)
	}
	if _, err := Decode(link(MaxDocs + 1)); err == nil || !strings.Contains(err.Error(), "more than 50 documents") {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("play=1&d=3~Empty+decks%3A+eleven+days,2ab~Eleven+ships,-,0&a=1.0.2&b=0.3&m=nDCG(dcg=%27exp-log2%27)@5~AP&c=1")
	f.Add("play=1&d=&a=&m=")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Decode(s)
		if err != nil {
			return
		}
		link := p.Link()
		q, err := Decode(link)
		if err != nil || q.Text(0) != p.Text(0) {
			t.Fatalf("%q became %q: %v", s, link, err)
		}
		for _, m := range p.Measures {
			if v := p.Value(m, 0); math.IsNaN(v) {
				t.Fatalf("%s of %s is %v", m, p.Text(0), v)
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add("3 2 0 1 - 0")
	f.Add("q Q0 d1 1 2.5 s\nq 0 d1 3")
	f.Fuzz(func(t *testing.T, s string) {
		docs, n, err := Read(s)
		if err == nil && (n > len(docs) || len(docs) > MaxDocs || len(docs) == 0) {
			t.Fatalf("%q: %d of %d", s, n, len(docs))
		}
	})
}

// The page redraws values, swaps and terms after every move; it computes the best move only on request.
func BenchmarkMove(b *testing.B) {
	p := table(b, strings.Repeat("3 0 1 - ", 5), "nDCG@10", "AP", "RBP", "ERR@10", "P@5", "RR")
	b.Run("docs=20/values and swaps of six measures", func(b *testing.B) {
		for b.Loop() {
			p.Shift(0, 3, 9)
			for _, m := range p.Measures {
				p.Value(m, 0)
				p.Swaps(m, 0)
			}
		}
	})
	b.Run("docs=20/best", func(b *testing.B) {
		for b.Loop() {
			p.Best(p.Measures[0], 0)
		}
	})
}
