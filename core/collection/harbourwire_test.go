package collection_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// wire is the folder of the demo collection.
const wire = "../../site/collections/harbour-wire"

type article struct {
	ID       string `json:"_id"`
	Title    string
	Text     string
	Metadata struct {
		Date, Time, Byline, Category, Story string
		Updates                             []string
		DuplicateOf                         string `json:"duplicate_of"`
		Entities                            []struct {
			Name, Type string
			Confidence float64
		}
	}
}

type question struct {
	ID       string `json:"_id"`
	Text     string
	Metadata struct{ Type, Difficulty, Guess, Domain, Description, Narrative string }
}

// records reads a JSON object a line; a field that T does not know is an error.
func records[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(wire, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	in := json.NewDecoder(bufio.NewReader(f))
	in.DisallowUnknownFields()
	for in.More() {
		var v T
		if err := in.Decode(&v); err != nil {
			t.Fatalf("%s, record %d: %v", name, len(out)+1, err)
		}
		out = append(out, v)
	}
	return out
}

func prose(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(wire, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestHarbourWireArticles: the articles stand in the order in which they appeared, their text is plain, what their
// metadata names is there, and the README has their figures.
func TestHarbourWireArticles(t *testing.T) {
	docs := records[article](t, "corpus.jsonl")
	kinds := []string{"person", "place", "organisation", "vessel", "event", "work"}
	at, categories := map[string]int{}, map[string]int{}
	words, short, long, least, most := 0, 0, 0, 1<<30, 0
	before := ""
	for i, d := range docs {
		if want := fmt.Sprintf("hw-%04d", i+1); d.ID != want {
			t.Fatalf("article %d is %s", i+1, d.ID)
		}
		at[d.ID] = i
		m := d.Metadata
		if now := m.Date + " " + m.Time; now <= before || len(now) != len("2024-03-04 09:00") {
			t.Errorf("%s: %q follows %q", d.ID, now, before)
		} else {
			before = now
		}
		if strings.ContainsAny(d.Title+d.Text, "*_<>#\t\r|`") || strings.Contains(d.Text, "  ") ||
			strings.TrimSpace(d.Text) != d.Text || d.Title == "" {
			t.Errorf("%s: the text is not plain", d.ID)
		}
		for _, id := range append(slices.Clone(m.Updates), m.DuplicateOf) {
			if j, ok := at[id]; id != "" && (!ok || j >= i) {
				t.Errorf("%s updates or repeats %s, which is no earlier article", d.ID, id)
			}
		}
		seen := map[string]bool{}
		for _, e := range m.Entities {
			if seen[e.Name] || !strings.Contains(d.Title+"\n"+d.Text, e.Name) || !slices.Contains(kinds, e.Type) ||
				!(e.Confidence > 0 && e.Confidence < 1) {
				t.Errorf("%s: entity %+v", d.ID, e)
			}
			seen[e.Name] = true
		}
		// names that a list of entities must not miss where the text has them
		for _, name := range []string{"Tern Maid", "Petrel", "Storm Hedda", "Anna Verrall", "Joss Pennick"} {
			if strings.Contains(d.Text, name) && !seen[name] {
				t.Errorf("%s: entity %s is missing", d.ID, name)
			}
		}
		categories[m.Category]++
		n := len(strings.Fields(d.Text))
		words, least, most = words+n, min(least, n), max(most, n)
		if n < 90 {
			short++
		}
		if n > 160 {
			long++
		}
	}
	readme := prose(t, "README.md")
	figures := []string{
		fmt.Sprintf("%d, of %d to %d words (mean %.0f; title not counted): %d of fewer than 90, %d of more than 160",
			len(docs), least, most, float64(words)/float64(len(docs)), short, long),
		"from 4 March 2024 to 11 September 2025",
	}
	for c, n := range categories {
		figures = append(figures, fmt.Sprintf("%s %d", c, n))
	}
	for _, s := range figures {
		if !strings.Contains(readme, s) {
			t.Errorf("README.md does not say %q", s)
		}
	}
	if docs[0].Metadata.Date != "2024-03-04" || docs[len(docs)-1].Metadata.Date != "2025-09-11" {
		t.Errorf("from %s to %s", docs[0].Metadata.Date, docs[len(docs)-1].Metadata.Date)
	}
}

// judged reads one of the qrels of the collection as query → document → grade, and fails on a pair that appears twice.
func judged(t *testing.T, split string) map[string]map[string]int {
	t.Helper()
	out := map[string]map[string]int{}
	for i, l := range strings.Split(strings.TrimSpace(prose(t, "qrels/"+split+".tsv")), "\n") {
		if i == 0 {
			continue
		}
		f := strings.Split(l, "\t")
		grade, err := strconv.Atoi(f[len(f)-1])
		if len(f) != 3 || err != nil || grade < 0 || grade > 3 {
			t.Fatalf("%s, line %d: %q", split, i+1, l)
		}
		if out[f[0]] == nil {
			out[f[0]] = map[string]int{}
		}
		if _, ok := out[f[0]][f[1]]; ok {
			t.Errorf("%s: %s and %s are judged twice", split, f[0], f[1])
		}
		out[f[0]][f[1]] = grade
	}
	return out
}

// TestHarbourWireJudgments: every pair is judged, by both passes; the pooled judgments are a part of them; the grade of
// an ambiguous query is the highest of its sub-topics; and README.md and JUDGING.md quote the agreement that the files
// have.
func TestHarbourWireJudgments(t *testing.T) {
	docs, queries := records[article](t, "corpus.jsonl"), records[question](t, "queries.jsonl")
	first, second, pooled := judged(t, "test"), judged(t, "second"), judged(t, "pooled")
	var a, b []int
	types := map[string]int{}
	relevant, least, most := 0, 1<<30, 0
	pool, poolRelevant, poolLeast, poolMost := 0, 0, 1<<30, 0
	var grades [4]int
	difficulty, right := map[string]int{}, 0
	for _, q := range queries {
		m := q.Metadata
		if difficulty[m.Difficulty]++; m.Difficulty == m.Guess {
			right++
		}
		if q.Text == "" || m.Description == "" || m.Narrative == "" {
			t.Errorf("%s has no text, description or narrative", q.ID)
		}
		for _, s := range []string{m.Difficulty, m.Guess} {
			if s != "easy" && s != "medium" && s != "hard" {
				t.Errorf("%s: difficulty %q", q.ID, s)
			}
		}
		types[m.Type]++
		n, full := 0, false
		for _, d := range docs {
			g, ok := first[q.ID][d.ID]
			h, again := second[q.ID][d.ID]
			if !ok || !again {
				t.Fatalf("%s and %s are not judged by both passes", q.ID, d.ID)
			}
			if p, ok := pooled[q.ID][d.ID]; ok && p != g {
				t.Errorf("%s and %s: %d in the pool, %d among all", q.ID, d.ID, p, g)
			} else if p > 0 {
				poolRelevant++
			}
			grades[g]++
			if a, b = append(a, g), append(b, h); g > 0 {
				n++
			}
			full = full || g == 3
		}
		if len(first[q.ID]) != len(docs) || len(second[q.ID]) != len(docs) || !full {
			t.Errorf("%s: %d and %d judgments of %d articles; of grade 3: %v", q.ID, len(first[q.ID]),
				len(second[q.ID]), len(docs), full)
		}
		relevant, least, most = relevant+n, min(least, n), max(most, n)
		p := len(pooled[q.ID])
		pool, poolLeast, poolMost = pool+p, min(poolLeast, p), max(poolMost, p)
	}
	if len(first) != len(queries) || len(second) != len(queries) || len(pooled) != len(queries) {
		t.Errorf("judgments of %d, %d and %d queries of %d", len(first), len(second), len(pooled), len(queries))
	}

	content, err := collection.Read("subtopics.qrels", strings.NewReader(prose(t, "subtopics.qrels")),
		collection.Options{})
	if err != nil || content.Diversity == nil {
		t.Fatal(err, content)
	}
	d := content.Diversity
	if got := d.Queries(); !slices.Equal(got, []string{"q41", "q42", "q43"}) {
		t.Errorf("sub-topics of %v", got)
	}
	for _, l := range strings.Split(strings.TrimSpace(prose(t, "subtopics.qrels")), "\n") {
		f := strings.Fields(l)
		if g, _ := strconv.Atoi(f[3]); g == 0 || g > first[f[0]][f[2]] {
			t.Errorf("%q is above the grade of its query, %d", l, first[f[0]][f[2]])
		}
	}

	above := func(both bool) (x, y []int) {
		for i := range a {
			if min(a[i], b[i]) > 0 || !both && max(a[i], b[i]) > 0 {
				x, y = append(x, a[i]), append(y, b[i])
			}
		}
		return x, y
	}
	kappa := func(x, y []int, w significance.Weighting) string {
		k, err := significance.CohenKappa(x, y, w)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%.3f", k)
	}
	binary := func(g []int) []int {
		out := make([]int, len(g))
		for i := range g {
			out[i] = min(g[i], 1)
		}
		return out
	}
	// by query, over its articles: the least and the median
	byQuery := func(of func([]int) []int) string {
		var all []float64
		for _, q := range queries {
			var x, y []int
			for d, g := range first[q.ID] {
				x, y = append(x, g), append(y, second[q.ID][d])
			}
			k, err := significance.CohenKappa(of(x), of(y), significance.Unweighted)
			if err != nil {
				t.Fatal(q.ID, err)
			}
			all = append(all, k)
		}
		slices.Sort(all)
		n := len(all)
		return fmt.Sprintf("%.3f %.3f", all[0], (all[(n-1)/2]+all[n/2])/2)
	}
	if got := byQuery(func(g []int) []int { return g }) + " " + byQuery(binary); got != "0.506 0.808 0.607 0.907" {
		t.Errorf("kappa by query: %s, JUDGING.md says otherwise", got)
	}
	// the blind sample: four articles of the pool a query
	var sx, sy, se, sf []int
	differ := 0
	blind := judged(t, "blind")
	for _, q := range queries {
		if len(blind[q.ID]) != 4 {
			t.Errorf("blind.tsv has %d pairs of %s", len(blind[q.ID]), q.ID)
		}
		for d, g := range blind[q.ID] {
			if _, ok := pooled[q.ID][d]; !ok {
				t.Errorf("%s %s of the blind sample is not in the pool", q.ID, d)
			}
			f := first[q.ID][d]
			sx, sy = append(sx, f), append(sy, g)
			if max(f, g) > 0 {
				se, sf = append(se, f), append(sf, g)
			}
			if f != g {
				differ++
			}
			if max(f-g, g-f) > 1 {
				t.Errorf("%s %s: %d and %d", q.ID, d, f, g)
			}
		}
	}
	sample := []string{kappa(sx, sy, significance.Unweighted), kappa(sx, sy, significance.Quadratic),
		kappa(binary(sx), binary(sy), significance.Unweighted)}
	if differ != 8 {
		t.Errorf("%d pairs of the blind sample differ", differ)
	}
	four, quadratic, two := kappa(a, b, significance.Unweighted), kappa(a, b, significance.Quadratic),
		kappa(binary(a), binary(b), significance.Unweighted)
	ex, ey := above(false)
	bx, by := above(true)
	for file, all := range map[string][]string{
		"README.md": {
			fmt.Sprintf("kappa %s on four grades, %s with quadratic weights, %s on relevant or not", four, quadratic,
				two),
			fmt.Sprintf("A blind sample of %d pairs with the narratives: %s", len(sx), strings.Join(sample, ", ")),
			fmt.Sprintf("all 11,220 pairs, graded 0–3; %d above 0; %d to %d relevant articles a query", relevant, least,
				most),
			fmt.Sprintf("lacks %d of %d relevant pairs", relevant-poolRelevant, relevant),
			fmt.Sprintf("%d: %d factual, %d analytical, %d breaking, %d historical, %d ambiguous", len(queries),
				types["factual"], types["analytical"], types["breaking"], types["historical"], types["ambiguous"]),
		},
		"JUDGING.md": {
			fmt.Sprintf("%d pairs: %d of grade 3, %d of grade 2, %d of grade 1", relevant, grades[3], grades[2],
				grades[1]),
			fmt.Sprintf("%d,%03d pairs, %d to %d a query, %d of them relevant; %d of the %d relevant pairs are missing",
				pool/1000, pool%1000, poolLeast, poolMost, poolRelevant, relevant-poolRelevant, relevant),
			fmt.Sprintf("easy, %d queries", difficulty["easy"]), fmt.Sprintf("hard, %d)", difficulty["hard"]),
			fmt.Sprintf("The guess was right for %d of %d", right, len(queries)),
			fmt.Sprintf("| all | 11,220 | %s | %s | %s |", four, quadratic, two),
			fmt.Sprintf("| graded above 0 by either | %d | %s | %s | |", len(ex),
				kappa(ex, ey, significance.Unweighted), kappa(ex, ey, significance.Quadratic)),
			fmt.Sprintf("| all of the sample | %d | %s |", len(sx), strings.Join(sample, " | ")),
			fmt.Sprintf("| graded above 0 by either | %d | %s | %s | |", len(se),
				kappa(se, sf, significance.Unweighted), kappa(se, sf, significance.Quadratic)),
			fmt.Sprintf("| graded above 0 by both | %d | %s | %s | |", len(bx), kappa(bx, by, significance.Unweighted),
				kappa(bx, by, significance.Quadratic)),
		},
	} {
		text := prose(t, file)
		for _, s := range all {
			if !strings.Contains(text, s) {
				t.Errorf("%s does not say %q", file, s)
			}
		}
	}
	if len(a) != 11_220 {
		t.Errorf("%d pairs", len(a))
	}
}

// TestHarbourWireAgrees: what several articles say of one thing, they say alike. The first numbers are those on which a
// reader found them at odds.
func TestHarbourWireAgrees(t *testing.T) {
	text := map[string]string{}
	for _, d := range records[article](t, "corpus.jsonl") {
		text[d.ID] = d.Title + "\n" + d.Text
	}
	for _, c := range []struct {
		fact  string
		says  map[string]string // article → what it says
		never string            // what no article says
	}{
		{"the first talks are those of 28 May", map[string]string{"hw-0019": "have not met since the walkout began",
			"hw-0022": "first talks since dockers stopped work"}, "not met since Thursday"},
		{"the mayor is elected in one round", map[string]string{"hw-0169": "one round and no second choice",
			"hw-0187": "412 votes"}, "put somebody second"},
		{"Kesh's goals", map[string]string{"hw-0056": "added a second", "hw-0113": "16 goals",
			"hw-0146": "Seventeen goals", "hw-0164": "hat-trick", "hw-0184": "27th of the season",
			"hw-0195": "equalised", "hw-0222": "28 goals in 41 matches"}, "31 goals from"},
		{"Lamplighter Street is dug up from 2022", map[string]string{"hw-0077": "since 2022", "hw-0100": "third winter",
			"hw-0248": "dug in 2022"}, "since 2021 has sent"},
		{"the parts of a cup of coffee, 140 cents", map[string]string{"hw-0161": "Milk and paper cups: 0.32"}, ""},
		{"the audit follows the news of 131 million",
			map[string]string{"hw-0100": "ordered an audit", "hw-0111": "There have been 617",
				"hw-0249": "Three weeks later the auditor counts 617"}, "The auditor finds 617"},
		{"the strait is 14 kilometres wide", map[string]string{"hw-0207": "fourteen kilometres of current",
			"hw-0225": "14 kilometres on the chart"}, "nine kilometres of current"},
		{"the outbreak begins after 29 June and is over on 22 August",
			map[string]string{"hw-0217": "since 29 June", "hw-0244": "not quite eight weeks"}, "two full months"},
		{"no works for the barrier before 2026",
			map[string]string{"hw-0178": "begin next spring", "hw-0253": "being resurfaced"}, "works for the barrier"},
		{"Hobb's Hill is high", map[string]string{"hw-0020": "80 metres below", "hw-0132": "90 metres higher"},
			"40 metres higher"},
		{"no snow in the dry spring of 2025",
			map[string]string{"hw-0176": "fall of rock", "hw-0179": "not rained in Kelmouth since 21 March"},
			"late fall of snow"},
		{"no hull on the slip between 2022 and Perpetua", map[string]string{"hw-0004": "came in to be repainted",
			"hw-0236": "first vessel built here since 2022"}, "half-finished dredger"},
		{"fourteen driverless cranes by 2027",
			map[string]string{"hw-0040": "two driverless cranes in February and fourteen by 2027",
				"hw-0152": "Twelve more cranes"}, "Fourteen more cranes"},
		{"the wall gives way at 2.35", map[string]string{"hw-0126": "a length of the wall gave way",
			"hw-0127": "a length of the wall gave way", "hw-0133": "the wall beneath them goes",
			"hw-0166": "would have come over the wall"}, ""},
		{"the power is cut to two districts", map[string]string{"hw-0126": "Weirside and Cordwain was cut at three",
			"hw-0127": "tower blocks of Cordwain, which lost power",
			"hw-0133": "Electricity to Weirside and Cordwain is cut"}, "Power to the district was cut"},
		{"84 aboard the Tern Maid", map[string]string{"hw-0085": "86 people aboard", "hw-0086": "84 people aboard",
			"hw-0163": "All 84 aboard"}, ""},
		{"96 posts", map[string]string{"hw-0035": "240 to 96", "hw-0040": "240 posts to go; 96 will",
			"hw-0055": "the 96 that", "hw-0189": "96 fewer posts"}, ""},
	} {
		for id, s := range c.says {
			if !strings.Contains(text[id], s) {
				t.Errorf("%s: %s does not say %q", c.fact, id, s)
			}
		}
		for id, s := range text {
			if c.never != "" && strings.Contains(s, c.never) {
				t.Errorf("%s: %s says %q", c.fact, id, c.never)
			}
		}
	}
}
