package matrix

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func TestOutcomeAsJSON(t *testing.T) {
	out := finished(t, session(t),
		`{"systems": ["bm25(k1=0.6|0.9)", "bm25", "dense(model=none)", "rrf(bm25, dense)"], "seed": 3}`, 1)
	data, err := out.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Format, Hash, Methods, BibTeX string
		Spec                          struct{ Systems []string }
		Plan                          struct {
			Written, Runs int
			Merged        []struct{ Written, Run string }
		}
		Runs []struct {
			Name, State, Why string
			Queries          map[string]int
		}
		Provenance struct {
			Collection struct{ Hash string }
			Models     []struct{ Name, Revision string }
			Seed       int
		}
		Report struct{ Format, Hash string }
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != "rankbox-experiment" || got.Hash != out.Hash || got.Report.Hash != out.Report.Hash ||
		got.Report.Format != "rankbox-report" {
		t.Errorf("%s %s %s", got.Format, got.Hash, got.Report.Hash)
	}
	if got.Plan.Written != 5 || got.Plan.Runs != 4 || len(got.Plan.Merged) != 1 || got.Plan.Merged[0].Run != "bm25" {
		t.Errorf("%+v", got.Plan)
	}
	if r := got.Runs[2]; r.State != "failed" || !strings.Contains(r.Why, "none") || r.Queries["not_run"] != 12 {
		t.Errorf("%+v", r)
	}
	if p := got.Provenance; p.Seed != 3 || len(p.Models) != 1 || p.Models[0].Revision != "r1" ||
		p.Collection.Hash == "" {
		t.Errorf("%+v", p)
	}
	again, err := ReadSpec(out.Plan.Spec.JSON())
	if err != nil || len(again.Systems) != 4 || again.Seed != 3 {
		t.Errorf("%+v, %v", again, err)
	}
	for _, want := range []string{"We compared 3 systems on Toy (40 documents, 12 judged queries", "revision r1",
		"1 further system could not be run", "p corrected by Holm over 3 pairs", out.Report.Hash[:12]} {
		if !strings.Contains(got.Methods, want) {
			t.Errorf("methods lack %q: %s", want, got.Methods)
		}
	}
	for _, want := range []string{"@article{robertson2009probabilistic,",
		`author = {Gordon V. Cormack and Charles L. A. Clarke and Stefan B{\"u}ttcher}`,
		`author = {Kalervo J{\"a}rvelin and Jaana Kek{\"a}l{\"a}inen}`, "doi = {10.18653/v1/2020.emnlp-main.550}"} {
		if !strings.Contains(got.BibTeX, want) {
			t.Errorf("the references lack %q:\n%s", want, got.BibTeX)
		}
	}
	if strings.Count(got.BibTeX, "{") != strings.Count(got.BibTeX, "}") {
		t.Errorf("braces do not match:\n%s", got.BibTeX)
	}
}

// Every full entry belongs to a reference of a registry, and has what a paper prints.
func TestFullReferencesAreComplete(t *testing.T) {
	cited := map[string]bool{}
	add := func(text string) {
		for _, part := range strings.Split(text, ";") {
			if c, ok := cite(strings.TrimSpace(part)); ok {
				cited[c.key] = true
			}
		}
	}
	for _, s := range stage.All() {
		add(s.Source)
	}
	for _, m := range measure.All() {
		add(m.Reference)
	}
	for _, test := range significance.All() {
		add(test.Reference)
	}
	entries := strings.Split(strings.TrimSpace(library), "\n}\n@")
	if len(entries) < 35 {
		t.Fatalf("%d entries", len(entries))
	}
	doi := regexp.MustCompile(`^10\.\d{4,}/\S+$`)
	for _, e := range entries {
		head, body, _ := strings.Cut(strings.TrimPrefix(e, "@"), ",\n")
		kind, key, _ := strings.Cut(head, "{")
		field := func(name string) string {
			_, rest, _ := strings.Cut(","+"\n"+body+"\n", "\n  "+name+" = {")
			value, _, _ := strings.Cut(rest, "\n")
			return strings.TrimRight(value, "},")
		}
		venue := map[string]string{"article": "journal", "inproceedings": "booktitle", "misc": "howpublished"}[kind]
		for _, name := range []string{"author", "title", "year", venue} {
			if field(name) == "" {
				t.Errorf("%s has no %s", key, name)
			}
		}
		if d := field("doi"); d != "" && !doi.MatchString(d) {
			t.Errorf("%s: DOI %q", key, d)
		}
		for _, a := range strings.Split(field("author"), " and ") {
			if !strings.Contains(a, " ") && !strings.HasPrefix(a, "{") {
				t.Errorf("%s: %q is a surname only", key, a)
			}
		}
		if !cited[key] {
			t.Errorf("nothing cites %s", key)
		}
		if strings.Count(e, "{") != strings.Count(e, "}")+1 && e != entries[len(entries)-1] {
			t.Errorf("%s: braces do not match", key)
		}
	}
}

func TestCite(t *testing.T) {
	for _, x := range []struct{ source, want string }{
		{"Robertson and Zaragoza 2009, The Probabilistic Relevance Framework: BM25 and Beyond",
			"robertson2009probabilistic | Robertson and Zaragoza | The Probabilistic Relevance Framework: " +
				"BM25 and Beyond"},
		{"K. Järvelin and J. Kekäläinen, Cumulated gain-based evaluation of IR techniques, ACM TOIS 20(4), " +
			"2002, 422-446", "jrvelin2002cumulated | K. Järvelin and J. Kekäläinen | Cumulated gain-based evaluation " +
			"of IR techniques, ACM TOIS 20(4), 422-446"},
		{"Wilcoxon 1945, Biometrics Bulletin 1", "wilcoxon1945biometrics | Wilcoxon | Biometrics Bulletin 1"},
		{"Karpukhin et al. 2020, Dense Passage Retrieval",
			"karpukhin2020dense | Karpukhin and others | Dense Passage Retrieval"},
		{"Macdonald and Tonellotto 2020, Declarative Experimentation (the operator %)",
			"macdonald2020declarative | Macdonald and Tonellotto | Declarative Experimentation | the operator %"},
		{"O. Chapelle and D. Metzler, Expected reciprocal rank, CIKM 2009, section 7",
			"chapelle2009expected | O. Chapelle and D. Metzler | Expected reciprocal rank, CIKM, section 7"},
		{"okapi as rank_bm25", ""},
	} {
		c, ok := cite(x.source)
		got := ""
		if ok {
			got = c.key + " | " + c.author + " | " + c.title
			if c.note != "" {
				got += " | " + c.note
			}
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.source, got, x.want)
		}
	}
}

// The authors of every work that a registry names are names: nothing that was written around them.
func TestEveryReferenceHasAuthors(t *testing.T) {
	var sources []string
	for _, s := range stage.All() {
		sources = append(sources, s.Source)
	}
	for _, m := range measure.All() {
		sources = append(sources, m.Reference)
	}
	for _, x := range significance.All() {
		sources = append(sources, x.Reference)
	}
	for _, text := range sources {
		for part := range strings.SplitSeq(text, ";") {
			c, ok := cite(strings.TrimSpace(part))
			for _, word := range strings.Fields(c.author) {
				if first, _ := utf8.DecodeRuneInString(word); ok && !unicode.IsUpper(first) &&
					!slices.Contains([]string{"and", "others", "van"}, word) {
					t.Errorf("%s: the author is %q", part, c.author)
					break
				}
			}
		}
	}
}

func TestTextSaysWhatBecameOfTheRuns(t *testing.T) {
	out := finished(t, session(t), `{"systems": ["bm25", "bm25(k1=0.9)", "bm25(k1=-1)", "rrf(bm25, dense)"]}`, 1)
	var b strings.Builder
	if err := out.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Toy: 2 runs; 1 written one is the same as another; 1 combination cannot be.",
		"bm25(k1=0.9) is the same as bm25", "not run: bm25(k1=-1): k1 of bm25 is between 0 and 100",
		"bm25: completed (11 evaluated, 1 empty, 0 failed, 0 not run)", "rankings were taken from another run",
		out.Hash[:12]} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, b.String())
		}
	}
}
