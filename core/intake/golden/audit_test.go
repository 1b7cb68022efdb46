package golden

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Every doubt is told with its queries, and a set without them has none.
func TestAudit(t *testing.T) {
	query := func(id, text, doc, by string, tags ...string) Query {
		q := newQuery(0)
		q.ID, q.Text, q.By, q.Tags = id, text, by, tags
		if doc != "" {
			q.Expected = []Grade{{doc, 1}}
		}
		return q
	}
	s := &Set{Within: 10, Require: Any, Queries: []Query{
		query("title", "The Old Pier", "pier", "gpt-4o", "faq"),
		query("verbatim", "opened in eighteen ninety, rebuilt", "pier", "gpt-4o"),
		query("own words", "when was the landing stage built", "pier", "gpt-4o"),
		query("again", "built when was the landing stage?", "pier", "gpt-4o"),
		query("against", "landing stage was built the when", "ferry", "gpt-4o"),
		query("gone", "lighthouse", "lighthouse", "gpt-4o"),
		query("idle", "nothing yet", "", ""),
	}}
	texts := map[string][2]string{"pier": {"The old pier", "It opened in eighteen ninety; rebuilt later."}, "ferry": {"Ferry", "Daily."}}
	in := Audited{Docs: 200, Known: func(d string) bool { return d != "lighthouse" },
		Text: func(d string) (string, string, bool) { x, ok := texts[d]; return x[0], x[1], ok },
		Report: &report.Report{Queries: []report.Query{{ID: "title"}, {ID: "verbatim"}},
			Columns: []report.Column{{Measure: "nDCG@10", Values: [][]float64{{1, 1}, {1, 1}}},
				{Measure: "RR@10", Values: [][]float64{{1, 0.5}, {1, 1}}}}}}
	got := map[string][]string{}
	for _, a := range s.Audit(in) {
		got[a.Kind] = append(got[a.Kind], a.Queries...)
	}
	for kind, want := range map[string][]string{
		"copied-title": {"title"}, "copied-text": {"verbatim"}, "duplicate": {"again"}, "contradiction": {"against"},
		"missing-document": {"gone"}, "idle": {"idle"}, "thin-tag": {"title"}, "saturated": {"title", "verbatim"},
		"one-model": {"title", "verbatim", "own words", "again", "against", "gone"}, "coverage": nil,
	} {
		found, ok := got[kind]
		if !ok || !slices.Equal(found, want) {
			t.Errorf("%s: %v, want %v", kind, found, want)
		}
		delete(got, kind)
	}
	if len(got) > 0 {
		t.Errorf("too much: %v", got)
	}
	if lines := strings.Join(AuditLines(s.Audit(in)), "\n"); !strings.Contains(lines, "touch 3 documents of 200 (1.5 %)") {
		t.Errorf("%s", lines)
	}
	clean := &Set{Within: 10, Require: Any, Queries: []Query{query("a", "one thing", "x", "Ada"), query("b", "other", "y", "Bob")}}
	if list := clean.Audit(Audited{}); len(list) > 0 {
		t.Errorf("a clean set: %+v", list)
	}
}
