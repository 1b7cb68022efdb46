package play

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/measure"
)

// Letters, digits and -_.@()=:!/? stay unchanged, a blank becomes a plus, and every other byte is escaped.
func TestEscapeLeavesPlainCharacters(t *testing.T) {
	for c := range 256 {
		s := string([]byte{byte(c)})
		want := fmt.Sprintf("%%%02X", c)
		if strings.Contains("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.@()=:!/?", s) {
			want = s
		} else if s == " " {
			want = "+"
		}
		if got := Escape(s); got != want {
			t.Errorf("%q is escaped to %q, want %q", s, got, want)
		}
		if got, err := Unescape(want); c < 0x80 && (err != nil || got != s) {
			t.Errorf("%q is unescaped to %q, %v", want, got, err)
		}
	}
	for text, want := range map[string]string{"%C3%BC": "ü", "a%41": "aA", "%41a": "Aa", "+%2B+": " + "} {
		if got, err := Unescape(text); err != nil || got != want {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"%", "a%", "%4", "a%4", "%4x", "%-1", "%C3"} {
		if got, err := Unescape(text); err == nil {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func TestLinksHaveLimits(t *testing.T) {
	long := func(n int) string {
		s := Prefix + "1&d=1~&a=0&m="
		return strings.Replace(s, "~", "~"+strings.Repeat("x", n-len(s)), 1)
	}
	for text, ok := range map[string]bool{
		long(2 * MaxLink):                               true,
		long(2*MaxLink + 1):                             false,
		Prefix + "1&d=3&m=AP~AP~AP~AP~AP~AP":            true,
		Prefix + "1&d=3&m=AP~AP~AP~AP~AP~AP~AP":         false,
		Prefix + "1&d=3,2&a=1":                          true,
		Prefix + "1&d=3,2&a=2":                          false,
		Prefix + "1&d=3,2&a=-1":                         false,
		Prefix + "1&d=3&m=AP~P@5&c=1":                   true,
		Prefix + "1&d=3&m=AP~P@5&c=2":                   false,
		Prefix + "1&d=3&m=AP~P@5&c=-1":                  false,
		Prefix + "1&d=3&m=&c=0":                         true,
		Prefix + "1&d=3h":                               true,
		Prefix + "1&d=3i":                               false,
		Prefix + "1&d=3" + "`":                          false,
		Prefix + "1&d=4":                                true,
		Prefix + "1&d=5":                                false,
		Prefix + "1&d=/":                                false,
		Prefix + "1&" + "d":                             false,
		Prefix + "1&d=3~" + strings.Repeat("%C3%BC", 9): true,
	} {
		if _, err := Decode(text); (err == nil) != ok {
			t.Errorf("%.60s, %d characters: %v", text, len(text), err)
		}
	}
	p := table(t, "3 2", "AP", "P@5")
	if strings.Contains(p.Link(), "&c=") {
		t.Errorf("%s names the first measure", p.Link())
	}
	if p.Chosen = 1; !strings.HasSuffix(p.Link(), "&c=1") {
		t.Errorf("%s lacks the chosen measure", p.Link())
	}
}

// Names are kept as long as possible: up to 80 bytes, fewer if the link would become too long.
func TestLinksShortenNamesAsLittleAsNeeded(t *testing.T) {
	for docs, want := range map[int]int{1: 80, 23: 80, 24: 48, 38: 48, 39: 32, 50: 32} {
		p := &Table{}
		for range docs {
			p.Docs = append(p.Docs, Doc{Label: strings.Repeat("x", 90), Grade: 1})
		}
		if n := strings.Count(p.Link(), "x"); n != docs*want || len(p.Link()) > MaxLink {
			t.Errorf("%d documents: %d letters of each name, want %d, in %d", docs, n/docs, want, len(p.Link()))
		}
		if n := strings.Count(p.Longest(), "x"); n < docs*max(want, 48) || len(p.Longest()) > 2*MaxLink {
			t.Errorf("%d documents: %d letters of each name in %d", docs, n/docs, len(p.Longest()))
		}
	}
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"üü", 4, "üü"}, {"üü", 3, "ü"}, {"üü", 1, ""}, {"aü", 2, "a"}, {"ab", 0, ""}, {"a\xff", 9, "a\ufffd"}} {
		if got := shorten(c.text, c.n); got != c.want {
			t.Errorf("%q to %d bytes is %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

func TestPastedRunsHaveLimits(t *testing.T) {
	run := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "q Q0 d%d %d %d s\n", i, i+1, 1000-i)
		}
		return b.String()
	}
	for text, want := range map[string][2]int{ // documents, retrieved
		run(MaxDocs):                                    {50, 50},
		run(MaxDocs) + "q 0 other 2\n":                  {50, 50},
		run(MaxDocs-1) + "q 0 other 2\nq 0 third 1\n":   {50, 49},
		run(2) + "q 0 d1 4\nq 0 d0 -3\n":                {2, 2},
		"q 0 d1 4\nq 0 d2 0\nq 0 d1 3\n":                {2, 0},
		strings.Repeat("1 ", MaxDocs):                   {50, 50},
		"q q0 a 1 1 s\n\n \nq Q0 b 1 1 s\n":             {2, 2},
		"q Q0 a 1 1 s\nq 0 b 0\nq 0 c 1\n":              {3, 1},
		"q Q0 a 1 -inf s\nq Q0 b 1 inf s\nq 0 a 1\nq 0": {},
		run(MaxDocs + 1):                                {},
		"q Q0 a 1 nan s":                                {},
		"q 0 d1 5\nq Q0 d1 1 1 s":                       {},
	} {
		docs, n, err := Read(text)
		if len(docs) != want[0] || n != want[1] || (err == nil) != (want[0] > 0) {
			t.Errorf("%.40q: %d documents, %d retrieved, %v", text, len(docs), n, err)
		}
	}
	p := table(t, run(2)+"q 0 d1 4\nq 0 d0 -3\nq 0 d7 1\nq 0 d7 2\n")
	if p.Text(0) != "0 4" || len(p.Docs) != 3 || p.Docs[2] != (Doc{Label: "d7", Grade: 2}) {
		t.Errorf("%s of %+v", p.Text(0), p.Docs)
	}
	if p = table(t, "3 2"); p.Docs[0].Label != "document 1" || p.Docs[1].Label != "document 2" {
		t.Errorf("%+v", p.Docs)
	}
	if len(quote(strings.Repeat("x", 40))) != 40 || len(quote(strings.Repeat("x", 41))) != 40 {
		t.Error("errors quote 40 characters")
	}
}

// Grades, preferences and subtopics by hand: unjudged documents have no judgment, and letters up to b make two
// subtopics. A grade of 0 counts as 1 if a letter assigns the document to the subtopic.
func TestTopicsHaveEveryJudgment(t *testing.T) {
	p := table(t, "0b - 3ab 2")
	p.Take(0, 3)
	x := p.Topic(0)
	if !slices.Equal(x.Ranked, []float64{0, measure.Unjudged, 3}) || !slices.Equal(x.Judged, []float64{0, 3, 2}) ||
		x.TopGrade != 3 {
		t.Errorf("%v of %v to %v", x.Ranked, x.Judged, x.TopGrade)
	}
	s := x.Subtopics
	if !slices.Equal(s.Ranked, []int32{0, -1, 1}) || !reflect.DeepEqual(s.Docs, [][]float64{{0, 1}, {3, 3}, {0, 0}}) {
		t.Errorf("sub-topics: %v of %v", s.Ranked, s.Docs)
	}
	f := x.Preferences
	want := []measure.PreferenceGroup{{Subgroups: [][]measure.Preferred{{{Doc: 0, Level: 0}, {Doc: 1, Level: 3},
		{Doc: 2, Level: 2}}}}}
	if f.Docs != 3 || !slices.Equal(f.Ranked, []int32{0, -1, 1}) || !reflect.DeepEqual(f.Groups, want) {
		t.Errorf("preferences: %+v", f)
	}
	if x = table(t, "4 - 1").Topic(0); x.TopGrade != 4 || x.Subtopics != nil {
		t.Errorf("top grade %v, sub-topics %v", x.TopGrade, x.Subtopics)
	}
	if x = table(t, "- -").Topic(0); x.TopGrade != 3 || x.Preferences.Groups != nil {
		t.Errorf("nothing is judged: %v, %+v", x.TopGrade, x.Preferences)
	}
}

// The oracle makes every move on a copy. Of those with the largest gain, within rounding, the shortest wins, then
// the first.
func TestBestIsTheShortestOfTheBestMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 2))
	distance := func(x Move) int { return max(x.From-x.To, x.To-x.From) }
	found := 0
	for range 300 {
		p := random(rng)
		if n := len(p.Lists[0]); n > 8 {
			p.Lists[0] = p.Lists[0][:8]
		}
		for _, m := range measures(t, "P@2", "nDCG@3", "AP", "RR", "rbp_resid", "Unj@3") {
			sign := 1.0
			if m.Info().Lower {
				sign = -1
			}
			var moves []Move
			most := 0.0
			for from := range p.Lists[0] {
				for to := range p.Lists[0] {
					q := p.Clone()
					if q.Shift(0, from, to) {
						x := Move{from, to, q.Value(m, 0) - p.Value(m, 0)}
						most = max(most, sign*x.Gain)
						moves = append(moves, x)
					}
				}
			}
			moves = slices.DeleteFunc(moves, func(x Move) bool {
				return sign*x.Gain <= 1e-12 ||
					sign*x.Gain < most-1e-12
			})
			slices.SortStableFunc(moves, func(a, b Move) int { return distance(a) - distance(b) })
			got, ok := p.Best(m, 0)
			if ok != (len(moves) > 0) || ok && got != moves[0] {
				t.Fatalf("%s of %s: %+v, %v; want the first of %+v", m, p.Text(0), got, ok, moves)
			}
			if ok {
				found++
			}
		}
	}
	if found < 300 {
		t.Errorf("only %d lists can be improved", found)
	}
}

// Only an existing measure is unfolded; a list of two documents has one swap.
func TestTheUnfoldedMeasureAndTheSwapsOfTwoDocuments(t *testing.T) {
	p := table(t, "3 0", "AP", "P@1")
	for chosen, want := range map[int]string{-1: "", 0: "AP", 1: "P@1", 2: ""} {
		p.Chosen = chosen
		if m, ok := p.Measure(); ok != (want != "") || ok && m.String() != want {
			t.Errorf("measure %d is %s, %v", chosen, m, ok)
		}
	}
	if got := p.Swaps(p.Measures[1], 0); len(got) != 1 || got[0] != -1 { // P@1 falls from 1 to 0
		t.Errorf("%v", got)
	}
	if got := table(t, "3", "AP").Swaps(p.Measures[0], 0); len(got) != 0 {
		t.Errorf("of one document: %v", got)
	}
}

func TestMovesBeyondTheEnds(t *testing.T) {
	for _, c := range []struct {
		from, to int
		want     string
		moved    bool
	}{
		{0, 99, "2 1 0 3", true}, {0, 3, "2 1 0 3", true}, {3, -9, "0 3 2 1", true}, {2, 0, "1 3 2 0", true},
		{1, 2, "3 1 2 0", true}, {3, 99, "3 2 1 0", false}, {0, -1, "3 2 1 0", false}, {2, 2, "3 2 1 0", false},
		{4, 0, "3 2 1 0", false}, {-1, 0, "3 2 1 0", false},
	} {
		p := table(t, "3 2 1 0")
		if moved := p.Shift(0, c.from, c.to); moved != c.moved || p.Text(0) != c.want {
			t.Errorf("%d to %d: %s, %v", c.from, c.to, p.Text(0), moved)
		}
	}
	p := table(t, "3 2")
	for _, doc := range []int{-1, 2} {
		p.Take(0, doc)
		p.Drop(doc)
		p.Put(0, doc)
	}
	p.Put(0, 0)
	if p.Text(0) != "3 2" || len(p.Docs) != 2 {
		t.Errorf("%s of %+v", p.Text(0), p.Docs)
	}
	for i := range MaxDocs {
		if added := p.Add(0, Doc{}); added != (i < MaxDocs-2) {
			t.Errorf("document %d is added: %v", i+3, added)
		}
	}
}

func TestListsAreSortedAndSplit(t *testing.T) {
	p := table(t, "0 - 3 1")
	p.Take(0, 2)
	if p.Worst(0); p.Text(0) != "- 0 1" || p.Place(0, 0) != 1 || p.Place(0, 2) != -1 {
		t.Errorf("worst %s", p.Text(0))
	}
	if p.Ideal(0); p.Text(0) != "3 1 0 -" {
		t.Errorf("ideal %s", p.Text(0))
	}
	if p.ListCount() != 1 {
		t.Errorf("%d lists", p.ListCount())
	}
	p.Split(true)
	p.Reverse(1)
	if p.ListCount() != 2 || p.Text(1) != "- 0 1 3" || p.Text(0) != "3 1 0 -" {
		t.Errorf("%d lists, %s", p.ListCount(), p.Text(1))
	}
	if p.Split(true); p.Text(1) != "- 0 1 3" {
		t.Errorf("split again: %s", p.Text(1))
	}
	if p.Split(false); p.ListCount() != 1 || p.Lists[1] != nil {
		t.Errorf("%d lists", p.ListCount())
	}
	if p.Swaps(measures(t, "AP")[0], 1) != nil {
		t.Error("swaps of no list")
	}
	if _, ok := p.Measure(); ok {
		t.Error("a measure of a table without one")
	}
	p.Measures = measures(t, "AP", "P@5")
	p.Chosen = 1
	if m, ok := p.Measure(); !ok || m.String() != "P@5" {
		t.Errorf("%s is unfolded", m)
	}
	for _, chosen := range []int{-1, 2} {
		p.Chosen = chosen
		if _, ok := p.Measure(); ok {
			t.Errorf("measure %d of 2", chosen)
		}
	}
}
