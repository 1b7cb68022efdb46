package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// files are copies of core/evaluate/compare's fixture, gamma gzipped.
func files(t *testing.T) (dir string, qrels, alpha, beta, gamma string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"qrels.txt", "alpha.run", "beta.run", "gamma.run"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "core", "evaluate", "compare", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "gamma.run" {
			var z bytes.Buffer
			w := gzip.NewWriter(&z)
			w.Write(b)
			w.Close()
			b, name = z.Bytes(), name+".gz"
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, filepath.Join(dir, "qrels.txt"), filepath.Join(dir, "alpha.run"), filepath.Join(dir, "beta.run"),
		filepath.Join(dir, "gamma.run.gz")
}

func TestCompareExitCodes(t *testing.T) {
	dir, qrels, alpha, beta, gamma := files(t)
	broken := filepath.Join(dir, "broken.run")
	os.WriteFile(broken, []byte("q1 Q0 d1 1 high tag\n"), 0o666)
	for _, c := range []struct {
		name string
		args []string
		code int
		err  string // part of what standard error says
	}{
		{"fine", []string{qrels, alpha, beta, gamma}, 0, ""},
		{"gate holds", []string{qrels, alpha, beta, "--gate", "nDCG@10>=-2%"}, 0, "passed"},
		{"gate fails", []string{qrels, alpha, gamma, "--gate", "nDCG@10>=-2%"}, 1, "q3  0.6309 -> 0.0000"},
		{"gate fails by chance, which counts not", []string{qrels, alpha, gamma, "--gate", "nDCG@10>=-2%", "-sure"}, 0,
			"it could be chance"},
		{"gate fails by chance, and says so", []string{qrels, alpha, gamma, "--gate", "nDCG@10>=-2%", "-sure"}, 0,
			"it could be chance and does not count (-sure)"},
		{"one of two gates fails", []string{qrels, alpha, beta, "-gate", "AP>=0.1", "-gate", "R@5>=0.8"}, 1,
			"1 condition failed"},
		{"a mean is one of the first run too", []string{qrels, alpha, beta, "-gate", "AP>=0.6"}, 1,
			"FAILED  AP>=0.6  alpha"},
		{"no words", nil, 2, "want qrels"},
		{"qrels alone", []string{qrels}, 2, "neither a packed comparison"},
		{"unknown output", []string{qrels, alpha, "-o", "pdf"}, 2, "not one of text"},
		{"no measure", []string{qrels, alpha, "-m", " , "}, 2, "-m names no measure"},
		{"unknown measure", []string{qrels, alpha, "-m", "nDGC@10"}, 2, "nDGC"},
		{"unknown policy", []string{qrels, alpha, "-policy", "ties=random"}, 2, "ties"},
		{"unknown baseline", []string{qrels, alpha, "-baseline", "delta"}, 2, "A alpha"},
		{"bad gate", []string{qrels, alpha, "-gate", "nDCG"}, 2, "nDCG@10>=-2%"},
		{"unknown measure of -pairs", []string{qrels, alpha, beta, "-pairs", "nDGC@10"}, 2, "nDGC"},
		{"unknown test", []string{qrels, alpha, beta, "-statistics", "-test", "anova"}, 2,
			"t, randomisation, wilcoxon, sign"},
		{"unknown correction", []string{qrels, alpha, beta, "-statistics", "-correction", "z"}, 2, "fdr_bh"},
		{"unknown zero method", []string{qrels, alpha, beta, "-statistics", "-zeros", "keep"}, 2, "pratt"},
		{"no margin", []string{qrels, alpha, beta, "-statistics", "-margin", "0"}, 2, "above 0"},
		{"a margin that is none", []string{qrels, alpha, beta, "-statistics", "-margin", "NaN"}, 2, "above 0"},
		{"statistics as a table", []string{qrels, alpha, beta, "-statistics", "-o", "csv"}, 2, "text or json"},
		{"a change without a second run", []string{qrels, alpha, "-gate", "nDCG@10>=-2%"}, 2,
			"needs a second run or a snapshot"},
		{"bad threshold", []string{qrels, alpha, "-threshold", "-5%"}, 2, "above 0"},
		{"bad filter", []string{qrels, alpha, beta, "-q", "-where", "Z>1"}, 2, "there is no run"},
		{"two from standard input", []string{"-", "-"}, 2, "only one"},
		{"no such file", []string{qrels, filepath.Join(dir, "none.run")}, 3, "none.run"},
		{"broken run", []string{qrels, broken}, 3, "line 1"},
		{"a run for qrels", []string{alpha, beta}, 3, "holds no judgments"},
		{"qrels for a run", []string{qrels, qrels}, 3, "is not a run"},
		{"no such query", []string{qrels, alpha, "-query", "q9"}, 3, "q9"},
		{"a snapshot that is none", []string{qrels, alpha, "-against", alpha}, 3, "not a Rankbox comparison"},
	} {
		code, out, err := call("", append([]string{"compare"}, c.args...)...)
		if code != c.code || !strings.Contains(err, c.err) {
			t.Errorf("%s: exit code %d, want %d; standard error: %s", c.name, code, c.code, err)
		}
		if code > 1 && out != "" {
			t.Errorf("%s: wrote %q", c.name, out)
		}
	}
}

func TestCompareReadsStandardInput(t *testing.T) {
	_, qrels, alpha, beta, _ := files(t)
	b, _ := os.ReadFile(beta)
	_, want, _ := call("", "compare", qrels, alpha, beta, "-quiet")
	code, got, err := call(string(b), "compare", qrels, alpha, "-", "-quiet")
	if code != 0 || got != want {
		t.Errorf("exit code %d, %s\n%s", code, err, got)
	}
}

func TestCompareFormatsAgree(t *testing.T) {
	_, qrels, alpha, beta, gamma := files(t)
	_, out, _ := call("", "compare", qrels, alpha, beta, gamma, "-o", "json", "-m", "nDCG@10,AP", "-quiet")
	var v struct {
		Hash string
		Runs []struct {
			Name     string
			Measures map[string]struct{ Mean float64 }
		}
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	_, out, _ = call("", "compare", qrels, alpha, beta, gamma, "-o", "csv", "-m", "nDCG@10,AP", "-quiet")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) != 7 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows[1:] {
		mean, _ := strconv.ParseFloat(r[2], 64)
		found := false
		for _, x := range v.Runs {
			if x.Name == r[0] {
				found = x.Measures[r[1]].Mean == mean
			}
		}
		if !found {
			t.Errorf("%q is not in the JSON", r[:3])
		}
	}
	// the figures are those of rankbox eval
	for i, file := range []string{alpha, beta, gamma} {
		_, out, _ = call("", "eval", qrels, file, "nDCG@10", "AP", "-p", "-1", "-quiet")
		for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
			name, value, _ := strings.Cut(l, "\t")
			if got, _ := strconv.ParseFloat(value, 64); got != v.Runs[i].Measures[name].Mean {
				t.Errorf("%s of %s: eval says %s, compare %v", name, v.Runs[i].Name, value,
					v.Runs[i].Measures[name].Mean)
			}
		}
	}
	_, out, _ = call("", "compare", qrels, alpha, beta, gamma, "-m", "nDCG@10,AP", "-quiet")
	if !strings.Contains(out, "Report "+v.Hash) {
		t.Error("text and JSON have different hashes")
	}
}

func TestComparePackAndSnapshot(t *testing.T) {
	dir, qrels, alpha, beta, _ := files(t)
	pack, snap := filepath.Join(dir, "all.rbx"), filepath.Join(dir, "snap.rbx")
	code, want, err := call("", "compare", qrels, alpha, beta, "-pack", pack, "-save", snap, "-baseline", "beta",
		"-policy", "ties=docid-asc", "-m", "AP RR", "-quiet")
	if code != 0 {
		t.Fatal(err)
	}
	code, got, err := call("", "compare", pack, "-quiet")
	if code != 0 || got != want {
		t.Errorf("exit code %d, %s: the packed file gives\n%s", code, err, got)
	}
	if b, _ := os.ReadFile(pack); true {
		if code, got, _ := call(string(b), "compare", "-", "-quiet"); code != 0 || got != want {
			t.Error("the packed file from standard input gives something else")
		}
	}
	for _, against := range []string{snap, pack} {
		code, _, err = call("", "compare", qrels, alpha, beta, "-against", against, "-policy", "ties=docid-asc", "-m",
			"AP RR", "-quiet")
		if code != 0 || strings.Count(err, "UNCHANGED") != 4 {
			t.Errorf("against itself: exit code %d, %s", code, err)
		}
	}
	// forty queries that all lose the relevant document's first place: a regression that is no chance
	var q, good, bad strings.Builder
	for i := range 40 {
		id := strconv.Itoa(i)
		q.WriteString(id + " 0 r 1\n" + id + " 0 n 0\n")
		good.WriteString(id + " Q0 r 1 2 x\n" + id + " Q0 n 2 1 x\n")
		bad.WriteString(id + " Q0 n 1 2 x\n" + id + " Q0 r 2 1 x\n")
	}
	for name, text := range map[string]string{"q": q.String(), "good.run": good.String(), "bad.run": bad.String()} {
		os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)
	}
	p := func(name string) string { return filepath.Join(dir, name) }
	if code, _, err = call("", "compare", p("q"), p("good.run"), "-m", "RR", "-save", snap); code != 0 {
		t.Fatal(err)
	}
	code, _, err = call("", "compare", p("q"), p("bad.run"), "-m", "RR", "-against", snap)
	if code != 1 || !strings.Contains(err, "REGRESSED  bad  RR  1.0000 -> 0.5000 (-50.0 %)") ||
		!strings.Contains(err, "and 30 more") {
		t.Errorf("exit code %d, %s", code, err)
	}
	if code, _, err = call("", "compare", p("q"), p("bad.run"), "-m", "RR", "-against", snap, "-threshold",
		"60%"); code != 0 {
		t.Errorf("exit code %d, %s", code, err)
	}
	large := p("large")
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 65<<20); err != nil { // a hole
		t.Fatal(err)
	}
	if code, _, err := call("", "compare", p("q"), p("bad.run"), "-against", large); code != 3 ||
		!strings.Contains(err, "large: more than 64 MiB") {
		t.Errorf("a large snapshot: exit code %d, %s", code, err)
	}
	code, out, err := call("", "compare", qrels, alpha, beta, "-link", "-quiet")
	if code != 0 || !strings.HasPrefix(out, "runs=") || len(out) > 600 {
		t.Errorf("exit code %d, %s, link %s", code, err, out)
	}
	many := []string{"compare", qrels}
	for range 11 {
		many = append(many, alpha, beta)
	}
	if code, out, err := call("", append(many, "-link", "-quiet")...); code != 3 || out != "" ||
		!strings.Contains(err, "it holds 22 runs, more than the 20 that are opened at once; write a file "+
			"with -pack FILE") {
		t.Errorf("a link of 22 runs: exit code %d, %q, %s", code, out, err)
	}
}

func TestCompareViews(t *testing.T) {
	_, qrels, alpha, beta, _ := files(t)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"query":       {[]string{"-query", "q1"}, "3 / log2(3) + 1 / log2(5) = 2.323466"},
		"conventions": {[]string{"-conventions"}, "trec_eval"},
		"by query": {[]string{"-conventions", "-q", "-m", "AP"},
			"q4     B    sklearn     average_precision_score  0.2500  0.5000"},
		"of one": {[]string{"-conventions", "-query", "q1"},
			"scikit-learn takes the ideal ranking from the retrieved documents only"},
		"unjudged": {[]string{"-unjudged"}, "q1\td9\t3\t0\n"},
		"queries":  {[]string{"-q", "-where", "B-A>0.5"}, "nDCG@10 of 1 of 4 queries."},
		"chunks":   {[]string{"-chunks", "#", "-o", "trec"}, "num_q"},
		"baseline": {[]string{"-baseline", "B"}, "A - B"},
	} {
		code, out, err := call("", append([]string{"compare", qrels, alpha, beta, "-quiet"}, c.args...)...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d, %s\n%s", name, code, err, out)
		}
	}
}

// Every mode says what its older flag said, and has a -h of its own.
func TestModesAreWhatTheirFlagsWere(t *testing.T) {
	dir, qrels, alpha, beta, _ := files(t)
	for _, c := range []struct{ mode, flag []string }{
		{[]string{"query", "q1", qrels, alpha, beta, "-k", "2"},
			[]string{qrels, alpha, beta, "-query", "q1", "-k", "2"}},
		{[]string{"statistics", qrels, alpha, beta, "-o", "json", "-pairs", "all"},
			[]string{qrels, alpha, beta, "-statistics", "-o", "json", "-pairs", "all"}},
		{[]string{"conventions", qrels, alpha, beta}, []string{qrels, alpha, beta, "-conventions"}},
		{[]string{"conventions", qrels, alpha, beta, "-q"}, []string{qrels, alpha, beta, "-conventions", "-q"}},
		{[]string{"residuals", qrels, alpha, beta}, []string{qrels, alpha, beta, "-residuals"}},
		{[]string{"unjudged", qrels, alpha, beta, "-k", "3"}, []string{qrels, alpha, beta, "-unjudged", "-k", "3"}},
		{[]string{"figure", "bars", qrels, alpha, beta}, []string{qrels, alpha, beta, "-figure", "bars"}},
		{[]string{"link", qrels, alpha, beta}, []string{qrels, alpha, beta, "-link"}},
	} {
		code, got, errs := call("", append([]string{"compare"}, c.mode...)...)
		older, want, _ := call("", append([]string{"compare"}, c.flag...)...)
		if code != 0 || older != 0 || got != want || got == "" {
			t.Errorf("%q: exit codes %d and %d, %s\n%s\nwant\n%s", c.mode, code, older, errs, got, want)
		}
	}
	one, two := filepath.Join(dir, "one.rankbox"), filepath.Join(dir, "two.rankbox")
	call("", "compare", qrels, alpha, beta, "-pack", one)
	if code, out, errs := call("", "compare", "pack", two, qrels, alpha, beta); code != 0 || out != "" {
		t.Errorf("exit code %d, %q, %s", code, out, errs)
	}
	a, _ := os.ReadFile(one)
	if b, _ := os.ReadFile(two); !bytes.Equal(a, b) || len(a) == 0 {
		t.Errorf("packed %d and %d bytes", len(a), len(b))
	}
	for _, m := range modes {
		code, out, _ := call("", append(strings.Fields("compare "+m.name), "-h")...)
		if code != 0 || !strings.HasPrefix(out, "usage: rankbox compare "+strings.TrimSpace(m.name+" "+m.usage)+"\n") ||
			!strings.Contains(out, "-policy") {
			t.Errorf("%q: %d, %s", m.name, code, out)
		}
		if m.takes != nil {
			if code, _, errs := call("", "compare", m.name, qrels); code != 2 || !strings.Contains(errs, m.usage) {
				t.Errorf("%s without its word: %d, %s", m.name, code, errs)
			}
		}
	}
}

func TestCompareMeasuresSubtopicsFirst(t *testing.T) {
	// x finds d1 (subtopic 1) and d2 (both), y only d2: hand computed with α = 0.5. Ideal: d2, then d1 with a gain of
	// 0.5:
	// 2 + 0.5/log2(3) = 2.3155. x: 1 + (0.5+1)/log2(3) = 1.9464; y: 2.
	dir := t.TempDir()
	names := []string{"qrels", "x", "y"}
	for i, text := range []string{"q 1 d1 1\nq 1 d2 1\nq 2 d2 1\nq 2 d1 0\n", "q Q0 d1 1 2 x\nq Q0 d2 2 1 x\n",
		"q Q0 d2 1 1 y\n"} {
		names[i] = filepath.Join(dir, names[i])
		if err := os.WriteFile(names[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		more []string
		want []string
	}{
		"by themselves": {nil, []string{"alpha_nDCG@10", "0.8406", "0.8638", "ERR_IA@10", "nDCG@10"}},
		"unless asked":  {[]string{"-m", "P@1"}, []string{"P@1", "1.0000"}},
	} {
		code, out, err := call("", append([]string{"compare", names[0], names[1], names[2], "-quiet"}, c.more...)...)
		for _, w := range c.want {
			if code != 0 || !strings.Contains(out, w) || strings.Contains(out, "alpha_nDCG@10") != (c.more == nil) {
				t.Errorf("%s: exit code %d, %s, no %q in\n%s", name, code, err, w, out)
			}
		}
	}
}

// Preferences are told from their five columns, and their measures come first. By hand: run a fulfils all four of q1,
// not the one of q2, and of q3 y > x, as x is not retrieved, and not y > z, which are tied, z first: (1 + 0 + 1/2) / 3.
// Run b has a last in q1: (1/4 + 0 + 1/2) / 3. trec_eval 9.0.4 prints 0.6667 and 0.4167, as it has y first.
func TestCompareMeasuresPreferencesFirst(t *testing.T) {
	prefs := file(t, "prefs",
		"q1 u1 s a 3\nq1 u1 s b 2\nq1 u1 s c 0\nq1 u2 s c 1\nq1 u2 s a 2\nq2 u1 s x 1\nq2 u1 s y 0\nq3 u1 s x 0\nq3 "+
			"u1 s y 2\nq3 u1 t z 1\nq3 u1 t y 3\n")
	const rest = "q1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 y 1 3 t\nq2 Q0 x 2 2 t\nq3 Q0 y 1 3 t\nq3 Q0 z 2 3 t\n"
	a, b := file(t, "a.run", "q1 Q0 a 1 3 t\n"+rest), file(t, "b.run", rest+"q1 Q0 a 4 0 t\n")
	code, out, errs := call("", "compare", "-o", "trec", prefs, a, b)
	if code != 0 || !strings.Contains(errs, "preference judgments (prefs)") {
		t.Fatalf("code %d: %s", code, errs)
	}
	out = strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"runid all a num_q all 3 prefs_simp all 0.5000 prefs_pair all ",
		"runid all b num_q all 3 prefs_simp all 0.2500 ", " prefs_avgjg all ", " P@10 all 0.2000 "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for run, want := range map[string]string{a: "0.6667", b: "0.4167"} {
		if code, out, errs := call("", "eval", "-quiet", "-o", "trec_eval9", "-m", "prefs_simp", prefs,
			run); code != 0 || out != "prefs_simp            \tall\t"+want+"\n" {
			t.Errorf("code %d, %q, %s", code, out, errs)
		}
	}
}

func TestCompareStatistics(t *testing.T) {
	_, qrels, alpha, beta, gamma := files(t)
	code, out, err := call("", "compare", qrels, alpha, beta, gamma, "-statistics", "-pairs", "AP P@2", "-test",
		"wilcoxon", "-correction", "bh", "-o", "json")
	if code != 0 {
		t.Fatal(code, err)
	}
	var measures []string
	var documents []json.RawMessage // one document, whatever is asked
	if err := json.Unmarshal([]byte(out), &documents); err != nil {
		t.Fatal(err)
	}
	for _, line := range documents {
		var s struct {
			Measure, Test, Correction string
			Pairs                     []struct {
				P         *float64
				Corrected map[string]*float64 `json:"p_corrected"`
			}
			Rankings []any
		}
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		measures = append(measures, s.Measure)
		if s.Test != "wilcoxon" || s.Correction != "fdr_bh" || len(s.Pairs) != 3 || len(s.Pairs[0].Corrected) != 8 ||
			len(s.Rankings) != 3*(2-min(len(measures), 2)) {
			t.Errorf("%+v", s)
		}
	}
	if got := strings.Join(measures, " "); got != "AP P@2" {
		t.Error(got)
	}
	code, out, err = call("", "compare", qrels, alpha, beta, "-pairs", "all", "-m", "nDCG@10 AP")
	if code != 0 || strings.Count(out, "by pair (second run less first)") != 2 {
		t.Error(code, err, out)
	}
	code, out, err = call("", "compare", qrels, alpha, gamma, "-residuals", "-m", "nDCG@10 Judged@10")
	if code != 0 || !strings.Contains(out, "0.5152") || !strings.Contains(out, "No bounds are known for Judged@10.") {
		t.Error(code, err, out)
	}
}

// A report as JSON is as good a snapshot as a saved one: the same lines, the same exit code.
func TestCompareAgainstJSON(t *testing.T) {
	dir, qrels, alpha, beta, gamma := files(t)
	saved, written := filepath.Join(dir, "old.rbx"), filepath.Join(dir, "old.json")
	if code, out, err := call("", "compare", qrels, alpha, "-save", saved, "-q", "-o", "json"); code != 0 {
		t.Fatal(code, err)
	} else if e := os.WriteFile(written, []byte(out), 0o666); e != nil {
		t.Fatal(e)
	}
	for _, run := range []string{alpha, beta, gamma} {
		for _, more := range [][]string{nil, {"-gate", "AP>=-2%"}} {
			code, _, want := call("", append([]string{"compare", qrels, run, "-against", saved}, more...)...)
			again, _, got := call("", append([]string{"compare", qrels, run, "-against", written}, more...)...)
			if code != again || got != want || want == "" {
				t.Errorf("%s: exit code %d, want %d: %s, want %s", run, again, code, got, want)
			}
		}
	}
	b, err := os.ReadFile(written)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ name, text, want string }{
		{"cut off", string(b[:len(b)/2]), "unexpected end"},
		{"a later version", strings.Replace(string(b), `"version":1`, `"version":7`, 1), "version 7"},
		{"without queries", string(b[:strings.Index(string(b), `,"queries":[`)]) + "}", "write it with -q"},
		{"a value too few", strings.Replace(string(b), `"AP":[`, `"AP":[0.5,`, 1), "values of AP for 1 runs"},
		{"another measure", strings.Replace(string(b), `{"measure":"AP"`, `{"measure":"AQ"`, 1), "0 values of AQ"},
	} {
		file := filepath.Join(dir, "bad.json")
		os.WriteFile(file, []byte(x.text), 0o666)
		if code, _, err := call("", "compare", qrels, alpha, "-against", file); code != 3 ||
			!strings.Contains(err, x.want) {
			t.Errorf("%s: exit code %d: %s", x.name, code, err)
		}
	}
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{alpha, "-gate", "R@7>=-2%"}, "the snapshot has no measure R@7"},
		{[]string{beta, gamma, "-gate", "AP>=-2%"}, "no run and measure in common"},
	} {
		if code, _, err := call("", append([]string{"compare", qrels, "-against", written}, x.args...)...); code != 3 ||
			!strings.Contains(err, x.want) {
			t.Errorf("%v: exit code %d: %s", x.args, code, err)
		}
	}
}

// Runs are held against stored ones, and a printed figure is looked into.
func TestCompareReproduceAndDetective(t *testing.T) {
	dir, qrels, a, b, _ := files(t)
	stored := filepath.Join(dir, "stored.rankbox")
	if code, _, errs := call("", "compare", "pack", stored, "-quiet", qrels, a, b); code != 0 {
		t.Fatal(errs)
	}
	code, out, errs := call("", "compare", "reproduce", stored, "-quiet", qrels, a, b)
	if code != 0 || !strings.Contains(out, "Every stored run is reproduced to the document") {
		t.Errorf("%d %s %s", code, errs, out)
	}
	if code, _, errs = call("", "compare", "reproduce", a, "-quiet", qrels, a, b); code != 3 || errs == "" {
		t.Errorf("a run is no stored comparison: %d %s", code, errs)
	}
	code, out, errs = call("", "compare", "detective", "nDCG@10 0.123456", "-quiet", "-o", "json", qrels, a, b)
	if code != 0 || !strings.Contains(out, `"finding":"No attempt gives 0.123456; the nearest is`) {
		t.Errorf("%d %s %s", code, errs, out)
	}
	again := putIn(t, dir, "again.run", "1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n")
	one := putIn(t, dir, "one.qrels", "1 0 a 1\n")
	code, out, errs = call("", "compare", "detective", "nDCG 1.63", one, again)
	if code != 0 || !strings.Contains(errs, "another score") ||
		!strings.Contains(out, "1.63 is what LlamaIndex, Haystack 2 and AutoRAG print. ") ||
		!strings.Contains(out, "1.63 comes out for A again if documents that the run lists more than once counted") {
		t.Errorf("%d %s %s", code, errs, out)
	}
	for tool, want := range map[string]string{"LlamaIndex": "nDCG\t1.6309", "trec_eval": "nDCG\t1.0000"} {
		if code, out, errs = call("", "eval", "-quiet", "-as", tool, one, again, "nDCG"); code != 0 ||
			!strings.Contains(out, want) {
			t.Errorf("%s: %d %s %s", tool, code, errs, out)
		}
	}
	if code, _, errs = call("", "compare", "detective", "0.6", qrels, a, b); code != 2 ||
		!strings.Contains(errs, "names no measure") {
		t.Errorf("%d %s", code, errs)
	}
}

// What is analysed comes as text and as JSON, all of it or what is asked for.
func TestCompareAnalyse(t *testing.T) {
	_, qrels, a, b, _ := files(t)
	code, out, errs := call("", "compare", "analyse", "-quiet", qrels, a, b)
	if code != 0 || !strings.Contains(out, "Kinds of queries\n") || !strings.Contains(out, "What to judge next\n") {
		t.Errorf("%d %s %s", code, errs, out)
	}
	code, out, errs = call("", "compare", "analyse", "-quiet", "-o", "json", "-only", "places,judging", qrels, a, b)
	var got struct {
		Format   string
		Analyses []struct{ Name, Finding string }
	}
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || got.Format != "rankbox-analyses" ||
		len(got.Analyses) != 2 || got.Analyses[0].Name != "places" || got.Analyses[1].Finding == "" {
		t.Errorf("%d %v %s %+v", code, err, errs, got)
	}
	if code, _, errs = call("", "compare", "analyse", "-only", "fortune", qrels, a, b); code != 2 ||
		!strings.Contains(errs, "hierarchy") && !strings.Contains(errs, "places") {
		t.Errorf("%d %s", code, errs)
	}
}

// Runs have the names that are given for them, everywhere: in the finding, and as the baseline.
func TestRunNames(t *testing.T) {
	_, qrels, alpha, beta, _ := files(t)
	code, out, errs := call("", "compare", "-quiet", "-o", "json", "-m", "AP", "-run-name", "first one", "-run-name=-ü",
		"-baseline", "-ü", qrels, alpha, beta)
	var got struct {
		Finding, Baseline string
		Runs              []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatal(err, errs)
	}
	if got.Baseline != "-ü" || len(got.Runs) != 2 || got.Runs[0].Name != "first one" ||
		!strings.Contains(got.Finding, "first one") || !strings.Contains(got.Finding, "-ü") ||
		strings.Contains(out, `"name":"alpha"`) {
		t.Errorf("%+v", got)
	}
	if code, _, errs := call("", "compare", "-run-name", "a", qrels, alpha, beta); code != 2 ||
		!strings.Contains(errs, "2 runs and 1 name (-run-name)") {
		t.Errorf("code %d, %s", code, errs)
	}
}
