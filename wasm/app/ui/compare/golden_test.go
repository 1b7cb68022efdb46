package compare

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/message"
)

// The audit heads its findings with their number, and lists each with its queries; without any it says so in a line.
func TestAGoldenSetShowsItsAudit(t *testing.T) {
	c := headed(three(t))
	g := &message.Golden{File: "g.yaml", Shape: "a golden set", Require: "any", Within: 10,
		Audit: []string{`1 query is the title of a document: "<i>pier".`, "No query says who labelled it."},
		Tags:  []string{"faq: 2 queries"}}
	c.Compare.Runs.Done.Golden = g
	env, _ := vugu.NewBuildEnv()
	html := page(env, root(c.Compare))
	for _, want := range []string{"<summary>Audit of the golden set: 2 findings</summary>", "&lt;i&gt;pier",
		"<li>No query says who labelled it.</li>", "<li>faq: 2 queries</li>"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	g.Audit = nil
	env, _ = vugu.NewBuildEnv()
	html = page(env, root(c.Compare))
	if !strings.Contains(html, ">Audit of the golden set: nothing doubtful was found<") ||
		strings.Contains(html, "<summary>Audit") {
		t.Error("an empty audit is a list")
	}
}

// TestAGoldenSetShowsWhatFails: the queries that fail with their reasons, and what the open one expects.
func TestAGoldenSetShowsWhatFails(t *testing.T) {
	c := headed(three(t))
	passed := []gates.Expected{{Query: "q1"}, {Query: "q2"}}
	c.Compare.Runs.Done.Golden = &message.Golden{File: "g.yaml", Shape: "a golden set", Require: "any", Within: 10,
		Power: []string{"power"}, Queries: []message.GoldenQuery{
			{ID: "q1", Text: "one", Docs: []string{"d1"}, Grades: []float64{2}},
			{ID: "q2", Text: "<b>two", Docs: []string{"d2"}, Grades: []float64{1}, Forbidden: []string{"d9"}}},
		Runs: [][]gates.Expected{passed, passed, {{Query: "q1"}, {Query: "q2", Reasons: []string{"why & how"}}}}}
	env, _ := vugu.NewBuildEnv()
	html := page(env, root(c.Compare))
	for _, want := range []string{"Golden set: A 2, B 2, C 1 of 2 queries pass", "why &amp; how", "not d9",
		"<li>power</li>", "q2 · &lt;b&gt;two", ">d2</span>"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(html, "q1 · one") || strings.Contains(html, `id="golden-doc"`) {
		t.Error("a query that passed is shown, or one is open")
	}
	c.Compare.Golden.ShowPassed(true)
	c.Compare.Golden.Edit("q1")
	env, _ = vugu.NewBuildEnv()
	html = page(env, root(c.Compare))
	if !strings.Contains(html, "q1 · one") || !strings.Contains(html, `id="golden-doc"`) ||
		!strings.Contains(html, `aria-label="Remove d1"`) {
		t.Error("the query is not open")
	}
	c.Compare.Golden.Expect("q1", " ", 1)
	if c.Compare.Golden.Fault == "" {
		t.Error("a document without an id is taken")
	}
	c.Compare.Golden.Expect("q1", "d7", 101)
	if c.Compare.Golden.Fault == "" {
		t.Error("a grade of 101 is taken")
	}
}
