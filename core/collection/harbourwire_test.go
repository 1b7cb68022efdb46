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
	"github.com/rankbox/rankbox/core/significance"
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

// TestHarbourWireArticles: the articles stand in the order in which they appeared, their text is plain, what their metadata names is there, and the README has
// their figures.
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
		if strings.ContainsAny(d.Title+d.Text, "*_<>#\t\r|`") || strings.Contains(d.Text, "  ") || strings.TrimSpace(d.Text) != d.Text || d.Title == "" {
			t.Errorf("%s: the text is not plain", d.ID)
		}
		for _, id := range append(slices.Clone(m.Updates), m.DuplicateOf) {
			if j, ok := at[id]; id != "" && (!ok || j >= i) {
				t.Errorf("%s updates or repeats %s, which is no earlier article", d.ID, id)
			}
		}
		seen := map[string]bool{}
		for _, e := range m.Entities {
			if seen[e.Name] || !strings.Contains(d.Title+"\n"+d.Text, e.Name) || !slices.Contains(kinds, e.Type) || !(e.Confidence > 0 && e.Confidence < 1) {
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
		fmt.Sprintf("%d, of %d to %d words (mean %.0f; title not counted): %d of fewer than 90, %d of more than 160", len(docs), least, most, float64(words)/float64(len(docs)), short, long),
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

// judged reads one of the qrels of the collection as query → document → grade, and fails on a pair that is there twice.
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

// TestHarbourWireJudgments: every pair is judged, by both passes; the pooled judgments are a part of them; the grade of an ambiguous query is the highest of its
// sub-topics; and README.md and JUDGING.md quote the agreement that the files have.
func TestHarbourWireJudgments(t *testing.T) {
	docs, queries := records[article](t, "corpus.jsonl"), records[question](t, "queries.jsonl")
	first, second, pooled := judged(t, "test"), judged(t, "second"), judged(t, "pooled")
	var a, b []int
	types := map[string]int{}
	relevant, least, most := 0, 1<<30, 0
	for _, q := range queries {
		m := q.Metadata
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
			}
			if a, b = append(a, g), append(b, h); g > 0 {
				n++
			}
			full = full || g == 3
		}
		if len(first[q.ID]) != len(docs) || len(second[q.ID]) != len(docs) || !full {
			t.Errorf("%s: %d and %d judgments of %d articles; of grade 3: %v", q.ID, len(first[q.ID]), len(second[q.ID]), len(docs), full)
		}
		relevant, least, most = relevant+n, min(least, n), max(most, n)
	}
	if len(first) != len(queries) || len(second) != len(queries) || len(pooled) != len(queries) {
		t.Errorf("judgments of %d, %d and %d queries of %d", len(first), len(second), len(pooled), len(queries))
	}

	content, err := collection.Read("subtopics.qrels", strings.NewReader(prose(t, "subtopics.qrels")), collection.Options{})
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
	four, quadratic, two := kappa(a, b, significance.Unweighted), kappa(a, b, significance.Quadratic), kappa(binary(a), binary(b), significance.Unweighted)
	ex, ey := above(false)
	bx, by := above(true)
	for file, all := range map[string][]string{
		"README.md": {
			fmt.Sprintf("kappa %s on four grades, %s with quadratic weights, %s on relevant or not", four, quadratic, two),
			fmt.Sprintf("all 11,220 pairs, graded 0–3; %d above 0; %d to %d relevant articles a query", relevant, least, most),
			fmt.Sprintf("%d: %d factual, %d analytical, %d breaking, %d historical, %d ambiguous", len(queries), types["factual"], types["analytical"], types["breaking"], types["historical"], types["ambiguous"]),
		},
		"JUDGING.md": {
			fmt.Sprintf("| all | 11,220 | %s | %s | %s |", four, quadratic, two),
			fmt.Sprintf("| graded above 0 by either | %d | %s | %s | |", len(ex), kappa(ex, ey, significance.Unweighted), kappa(ex, ey, significance.Quadratic)),
			fmt.Sprintf("| graded above 0 by both | %d | %s | %s | |", len(bx), kappa(bx, by, significance.Unweighted), kappa(bx, by, significance.Quadratic)),
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
