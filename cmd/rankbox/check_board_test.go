package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// eight writes a golden set of eight queries, the first two with the tag faq and the others with the tag rest, and
// three files of results: the relevant document is at rank 1 and 2 in turn, at rank 3, and at rank 4.
func eight(t *testing.T) (dir, set string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name string, rank func(i int) int) {
		var b strings.Builder
		for i := range 8 {
			docs := []string{"x1", "x2", "x3", "x4", "x5"}
			docs[rank(i)-1] = fmt.Sprint("d", i)
			fmt.Fprintf(&b, `{"query": "q%d", "results": ["%s"]}`+"\n", i, strings.Join(docs, `", "`))
		}
		putIn(t, dir, name, b.String())
	}
	write("now.jsonl", func(i int) int { return 1 + i%2 })
	write("old.jsonl", func(int) int { return 3 })
	write("older.jsonl", func(int) int { return 4 })
	var b strings.Builder
	b.WriteString("measures: [RR@10, Success@1]\nqueries:\n")
	for i := range 8 {
		tag := "faq"
		if i > 1 {
			tag = "rest"
		}
		fmt.Fprintf(&b, "  - {query: q%d, expect: [d%d], tags: [%s]}\n", i, i, tag)
	}
	return dir, putIn(t, dir, "g.yaml", b.String())
}

// verdictOf is the JSON of a check that ends with a code.
func verdictOf(t *testing.T, code int, args ...string) (v verdictJSON) {
	t.Helper()
	got, out, errs := call("", append([]string{"check", "-quiet", "-o", "json"}, args...)...)
	if got != code {
		t.Fatalf("%q: %d %s", args, got, errs)
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	var document any
	if err := d.Decode(&document); err != nil {
		t.Fatal(err)
	}
	s := readSchema(t, "check")
	for _, bad := range s.check(s, "check", document) {
		t.Errorf("%q: %s", args, bad)
	}
	return v
}

func nearly(v *float64, want float64) bool { return v != nil && math.Abs(*v-want) < 5e-5 }

// Each baseline has its own change of every measure, in one table, and p is corrected over all of them. By hand: RR is
// 3/4 now and was 1/3 and 1/4. It rose on all 8 queries, so p = 2/2⁸, and 4 changes make 0.03125 of it. Success@1 is
// 1/2 and was 0. It rose on 4 queries, so p = 2/2⁴, and the 2 that are left make 0.25 of it.
func TestSeveralBaselinesAreOneBoard(t *testing.T) {
	dir, set := eight(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{set, "-results", at("now.jsonl")}
	for _, name := range []string{"old", "older"} {
		if code, _, errs := call("", "check", set, "-quiet", "-results", at(name+".jsonl"), "-save",
			at(name+".rankbox")); code != 0 {
			t.Fatal(errs)
		}
		args = append(args, "-against", at(name+".rankbox"))
	}
	v := verdictOf(t, 0, args...)
	for m, want := range [][]struct {
		old, new, p float64
		verdict     string
	}{{{1.0 / 3, 0.75, 0.03125, "improved"}, {0.25, 0.75, 0.03125, "improved"}},
		{{0, 0.5, 0.25, "unchanged"}, {0, 0.5, 0.25, "unchanged"}}} {
		x := v.Measures[m]
		if len(x.Changes) != 2 || x.Change == nil || *x.Change.Old != *x.Changes[0].Old {
			t.Fatalf("%s: %d changes", x.Measure, len(x.Changes))
		}
		for i, c := range x.Changes {
			w := want[i]
			if c.Against != []string{"old.rankbox", "older.rankbox"}[i] || !nearly(c.Old, w.old) || !nearly(c.New, w.new) ||
				!nearly(c.P, w.p) || c.Verdict != w.verdict || (*c.Low > 0) != (w.p < 0.05) || *c.High < w.new-w.old {
				t.Errorf("%s: %+v is not %+v", x.Measure, c, w)
			}
		}
	}
	_, text, _ := call("", append([]string{"check", "-quiet"}, args...)...)
	for _, want := range []string{"RR@10  now 0.7500, old.rankbox 0.3333 and older.rankbox 0.2500",
		"IMPROVED  g  RR@10  since old.rankbox  0.3333 -> 0.7500 (+125.0 %)",
		"IMPROVED  g  RR@10  since older.rankbox  0.2500 -> 0.7500 (+200.0 %)",
		"UNCHANGED  g  Success@1  since older.rankbox",
		"All intervals together hold the true differences in at least 90 of 100 samples."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	// the other way round, both changes fail the build
	back := []string{set, "-results", at("older.jsonl"), "-m", "RR@10"}
	call("", "check", set, "-quiet", "-results", at("now.jsonl"), "-save", at("now.rankbox"))
	v = verdictOf(t, 1, append(back, "-against", at("now.rankbox"), "-against", at("old.rankbox"))...)
	for i, c := range v.Measures[0].Changes {
		if c.Verdict != "regressed" || !nearly(c.P, 2*2/256.0) { // two changes
			t.Errorf("change %d: %+v", i, c)
		}
	}
	if v.Failed != 2 {
		t.Errorf("%d conditions failed", v.Failed)
	}
}

// compare holds a run against several baselines as check does.
func TestCompareAgainstSeveralBaselines(t *testing.T) {
	dir := t.TempDir()
	var judged strings.Builder
	run := func(name string, rank func(i int) int) string {
		var b strings.Builder
		for i := range 8 {
			for k := 1; k <= 4; k++ {
				doc := fmt.Sprint("x", k)
				if k == rank(i) {
					doc = fmt.Sprint("d", i)
				}
				fmt.Fprintf(&b, "q%d Q0 %s %d %d r\n", i, doc, k, 10-k)
			}
		}
		return putIn(t, dir, name, b.String())
	}
	for i := range 8 {
		fmt.Fprintf(&judged, "q%d 0 d%d 1\n", i, i)
	}
	qrels := putIn(t, dir, "qrels.txt", judged.String())
	now := run("now.run", func(i int) int { return 1 + i%2 })
	args := []string{"compare", qrels, now, "-m", "RR@10", "-quiet"}
	for name, rank := range map[string]int{"old": 3, "older": 4} {
		saved := filepath.Join(dir, name+".rankbox")
		if code, _, errs := call("", "compare", qrels, run(name+".run", func(int) int { return rank }), "-m", "RR@10",
			"-quiet", "-save", saved); code != 0 {
			t.Fatal(errs)
		}
	}
	args = append(args, "-against", filepath.Join(dir, "old.rankbox"), "-against", filepath.Join(dir, "older.rankbox"))
	code, out, errs := call("", args...)
	for _, want := range []string{"since old.rankbox  0.3333 -> 0.7500", "since older.rankbox  0.2500 -> 0.7500",
		"p = 0.016"} {
		if code != 0 || !strings.Contains(out+errs, want) {
			t.Errorf("no %q in %d %s\n%s", want, code, errs, out)
		}
	}
}

// A gate about a tag is about its queries alone, with their own interval. By hand: of 2 queries 1 succeeds, so the
// interval of Clopper and Pearson is 1 - √0.975 = 0.0126 to √0.975 = 0.9874; of all 8, 4 do: 0.1570 to 0.8430 (scipy
// 1.17.1, binomtest(4, 8).proportion_ci()).
func TestGatesOfTagsHaveTheirOwnIntervals(t *testing.T) {
	dir, set := eight(t)
	args := []string{set, "-results", filepath.Join(dir, "now.jsonl"), "-gate", "Success@1[faq]>=0.6",
		"-gate", "Success@1[faq].low>=0.012", "-gate", "Success@1.low[faq]>=0.013", "-gate", "Success@1.low>=0.15"}
	v := verdictOf(t, 1, args...)
	for i, want := range []struct {
		passed    bool
		queries   int
		low, high float64
	}{{false, 2, 0.0126, 0.9874}, {true, 2, 0.0126, 0.9874}, {false, 2, 0.0126, 0.9874}, {true, 8, 0.1570, 0.8430}} {
		if g := v.Gates[i]; g.Passed != want.passed || g.Queries != want.queries || !nearly(g.Low, want.low) ||
			!nearly(g.High, want.high) || !nearly(g.Value, 0.5) {
			t.Errorf("%s: %+v", g.Gate, g)
		}
	}
	if v.Failed != 2 || len(v.Tags) != 2 || v.Tags[0].Tag != "faq" || v.Tags[0].Queries != 2 || v.Tags[1].Queries != 6 {
		t.Errorf("%d failed, %+v", v.Failed, v.Tags)
	}
	if m := v.Tags[0].Measures[1]; m.Measure != "Success@1" || !nearly(m.Mean, 0.5) || !nearly(m.Low, 0.0126) {
		t.Errorf("%+v", m)
	}
	_, text, _ := call("", append([]string{"check", "-quiet"}, args...)...)
	want := "FAILED  Success@1[faq]>=0.6  g  0.5000 (95 % interval 0.0126 to 0.9874, 2 queries)"
	if !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	_, _, errs := call("", append(append([]string{"check"}, args...), "-gate", "RR@10[fqa]>=0.6")...)
	if !strings.Contains(errs, `"fqa"; the tags are faq, rest`) {
		t.Errorf("another tag: %s", errs)
	}
}

// JSON gives the reason for a missing interval, as text does: DCG has no bounds, and eight queries are fewer than ten.
func TestJSONSaysWhyThereIsNoInterval(t *testing.T) {
	dir, set := eight(t)
	saved := filepath.Join(dir, "old.rankbox")
	args := []string{set, "-m", "DCG@10", "-results", filepath.Join(dir, "now.jsonl"), "-gate", "DCG@10>=0.1", "-gate",
		"DCG@10[faq]>=+0.1", "-against", saved}
	if code, _, errs := call("", "check", set, "-quiet", "-m", "DCG@10", "-results", filepath.Join(dir, "old.jsonl"),
		"-save", saved); code != 0 {
		t.Fatal(errs)
	}
	const mean = "No interval: DCG@10 has no known bounds, so it takes 10 values to show how far others may lie."
	const change = "No interval: DCG@10 has no known bounds, so it takes 7 differences to show how far others may lie."
	v := verdictOf(t, 0, args...)
	m := &v.Measures[0]
	for where, got := range map[string][2]string{"measure": {m.Missing, mean}, "gate": {v.Gates[0].Missing, mean},
		"gate of two queries": {v.Gates[1].Missing, change}, "tag": {v.Tags[0].Measures[0].Missing, mean},
		"change of eight queries": {m.Change.Missing, ""}} {
		if got[0] != got[1] {
			t.Errorf("%s: %q, want %q", where, got[0], got[1])
		}
	}
	if m.Low != nil || v.Gates[1].Low != nil || m.Change.Low == nil {
		t.Errorf("%+v", v)
	}
	if _, text, _ := call("", append([]string{"check", "-quiet"}, args...)...); !strings.Contains(text, mean) {
		t.Error(text)
	}
	scores := putIn(t, dir, "scores.csv", "question,score\na,1\nb,3\nc,8\n")
	other := putIn(t, dir, "other.csv", "question,score\na,2\nb,5\nc,7\n")
	_, out, errs := call("", "compare", scores, other, "-o", "json", "-quiet")
	for _, want := range []string{`"no_interval":"No interval: score has no known bounds, so it takes 10 values to show`,
		`"no_interval":"No interval: score has no known bounds, so it takes 7 differences to show`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s\n%s", want, errs, out)
		}
	}
	_, out, errs = call("", "compare", "statistics", scores, other, "-o", "json", "-quiet")
	if strings.Count(out, `"no_interval":`) != 3 { // two systems and their pair
		t.Errorf("%s\n%s", errs, out)
	}
}
