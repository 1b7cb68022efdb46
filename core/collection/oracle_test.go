package collection

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Second readers of runs and qrels, slow and obvious, for the fuzz targets: lines are split at white space and numbers
// read by strconv. They read only what leaves nothing to opinion: printable ASCII, whole lines, every document once a
// query.

var (
	plainText  = regexp.MustCompile(`^[ -~\t\n]*$`)
	plainScore = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$`)
	plainGrade = regexp.MustCompile(`^-?[0-9]{1,6}$`)
	plainID    = regexp.MustCompile(`^[A-Za-z0-9_.]+$`)
)

// plainRun returns query → document → score; nil where the text leaves something to opinion.
func plainRun(text string) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, f := range plainLines(text, 6) {
		score, err := strconv.ParseFloat(at(f, 4), 64)
		if f == nil || err != nil || !plainID.MatchString(f[0]) || !plainID.MatchString(f[2]) ||
			!plainID.MatchString(f[5]) || !plainGrade.MatchString(f[3]) || !plainScore.MatchString(f[4]) ||
			!put(out, f[0], f[2], score) {
			return nil
		}
	}
	return out
}

// plainQrels is plainRun of judgments, whose second column is 0.
func plainQrels(text string) map[string]map[string]float64 {
	out := map[string]map[string]float64{}
	for _, f := range plainLines(text, 4) {
		grade, err := strconv.Atoi(at(f, 3))
		if f == nil || err != nil || !plainID.MatchString(f[0]) || f[1] != "0" || !plainID.MatchString(f[2]) ||
			!plainGrade.MatchString(f[3]) || !put(out, f[0], f[2], float64(grade)) {
			return nil
		}
	}
	return out
}

// plainLines are the fields of all lines, nil for a line that has not n.
func plainLines(text string, n int) [][]string {
	if !plainText.MatchString(text) || !strings.HasSuffix(text, "\n") {
		return [][]string{nil}
	}
	var out [][]string
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != n {
			f = nil
		}
		out = append(out, f)
	}
	return out
}

func at(f []string, i int) string {
	if i < len(f) {
		return f[i]
	}
	return ""
}

// put says whether the document is new.
func put(m map[string]map[string]float64, q, doc string, v float64) bool {
	if m[q] == nil {
		m[q] = map[string]float64{}
	}
	_, twice := m[q][doc]
	m[q][doc] = v
	return !twice
}

// sameAsPlainRun holds a run against what the second reader makes of its text: every sign, every digit, every document.
func sameAsPlainRun(t *testing.T, text string, r *Run) {
	t.Helper()
	want := plainRun(text)
	if want == nil {
		return
	}
	n := 0
	for q, docs := range want {
		n += len(docs)
		i := r.Query(q)
		if i < 0 || r.Size(i) != len(docs) {
			t.Fatalf("query %s: %d, want %d documents\n%q", q, i, len(docs), text)
		}
		for _, e := range r.Ranked(i, DocIDDescending, nil) {
			if v, ok := docs[e.Doc]; !ok || math.Float64bits(e.Score+0) != math.Float64bits(v+0) { // −0 is 0
				t.Fatalf("query %s: %s has %v, want %v\n%q", q, e.Doc, e.Score, v, text)
			}
		}
	}
	if r.Len() != n || r.NumQueries() != len(want) {
		t.Fatalf("%d entries of %d queries, want %d of %d\n%q", r.Len(), r.NumQueries(), n, len(want), text)
	}
}

// sameAsPlainQrels is sameAsPlainRun for judgments.
func sameAsPlainQrels(t *testing.T, text string, got *Qrels) {
	t.Helper()
	want := plainQrels(text)
	if want == nil {
		return
	}
	n := 0
	for q, docs := range want {
		n += len(docs)
		for doc, v := range docs {
			if g, ok := got.Grade(q, doc); !ok || float64(g) != v {
				t.Fatalf("query %s: %s has %v (%v), want %v\n%q", q, doc, g, ok, v, text)
			}
		}
	}
	if got.Len() != n {
		t.Fatalf("%d judgments, want %d\n%q", got.Len(), n, text)
	}
}

// What the second readers read, so that they are not silent by mistake.
func TestThePlainReadersRead(t *testing.T) {
	if r := plainRun("q1 Q0 d1 1 -2.5 t\nq1\tQ0  d2 2 1e3 t\n"); len(r) != 1 || r["q1"]["d1"] != -2.5 ||
		r["q1"]["d2"] != 1000 {
		t.Errorf("%v", r)
	}
	if q := plainQrels("q1 0 d1 -1\nq2 0 d1 3\n"); len(q) != 2 || q["q1"]["d1"] != -1 || q["q2"]["d1"] != 3 {
		t.Errorf("%v", q)
	}
	for _, text := range []string{"q Q0 d 1 0x1p3 t\n", "q Q0 d 1 2 t", "q Q0 d 1 2 t\nq Q0 d 1 3 t\n", "q Q0 d 1 2\n",
		"q Q0 é 1 2 t\n"} {
		if plainRun(text) != nil {
			t.Errorf("%q is left to opinion, and was read", text)
		}
	}
}
