package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scoreFiles are tables of scores that other tools wrote.
const scoreFiles = "../../core/intake/scores/testdata/"

// TestScoresAreComparedLikeRuns: the same run measured by ir_measures 0.4.3 query by query, and as a table, is one
// report with the finding, tests and letters that runs have; rank intervals and the caveat stand in every form.
func TestScoresAreComparedLikeRuns(t *testing.T) {
	ir := []string{scoreFiles + "ir_measures/bm25.txt", scoreFiles + "ir_measures/dense.txt", scoreFiles +
		"ir_measures/hybrid.txt"}
	text := map[string]string{}
	for _, format := range formats() {
		code, out, errs := call("", append([]string{"compare", "-o", format, "-q"}, ir...)...)
		if code != 0 || out == "" {
			t.Fatalf("%s: %d %s", format, code, errs)
		}
		text[format] = out
	}
	for format, says := range map[string][]string{
		"text": {"On 12 queries, hybrid beats dense by 0.011 and bm25 by 0.097 nDCG@10.", "Ranks by the mean nDCG@10",
			"share a letter are not significantly different", "Warning: the scores are the file's"},
		"md":   {"| C | hybrid | **1.0000** <sup>a</sup>", "Ranks by the mean nDCG@10"},
		"json": {`"scores_of":"queries"`, `"ranks":[`}, "latex": {"Ranks by the mean"}, "csv": {"1,bm25,AP,0.8048"},
		"trec": {"runid"}, "jsonl": {`"query":"12"`},
	} {
		for _, s := range says {
			if !strings.Contains(text[format], s) {
				t.Errorf("%s does not say %q:\n%.1500s", format, s, text[format])
			}
		}
		if strings.Contains(text[format], "judgments of 12") || strings.Contains(text[format],
			"What was read of each run") {
			t.Errorf("%s speaks of judgments", format)
		}
	}
	// The values of every query are a table of scores again, of the same report.
	dir := t.TempDir()
	back := put(t, dir, "back.csv", text["csv"])
	_, one, _ := call("", append([]string{"compare", "-o", "json"}, ir...)...)
	_, two, errs := call("", "compare", "-o", "json", back, "-m", "nDCG@10 AP")
	var a, b struct{ Hash string }
	if json.Unmarshal([]byte(one), &a) != nil || json.Unmarshal([]byte(two), &b) != nil || a.Hash == "" ||
		a.Hash != b.Hash {
		t.Errorf("%s and %s: %s", a.Hash, b.Hash, errs)
	}
}

// TestAFolderOfMTEBIsATable: results/<model>/<revision>/<Task>.json, of one folder or one for each model; the caveat
// says that tasks are no sample.
func TestAFolderOfMTEBIsATable(t *testing.T) {
	for _, args := range [][]string{{scoreFiles + "mteb"}, {scoreFiles + "mteb/example__large", scoreFiles +
		"mteb/example__small"}} {
		code, out, errs := call("", append([]string{"compare"}, args...)...)
		if code != 0 || !strings.Contains(out, "On 3 tasks") || !strings.Contains(out, "example/small") ||
			!strings.Contains(out, "the tasks are no random sample of tasks") {
			t.Errorf("%q: %d %s%s", args, code, out, errs)
		}
	}
}

func TestWhatScoresCannotAnswerIsRefused(t *testing.T) {
	dir, qrels, alpha, _, _ := files(t)
	table := put(t, dir, "scores.csv", "model,a,b,c\nx,0.5,0.25,1\ny,0.75,,0.5\n")
	open := put(t, dir, "open.csv", ",a,b,c\nx,0.5,0.25,1\ny,0.75,1,0.5\n")
	either := put(t, dir, "either.json", `{"x": {"a": 0.5, "b": 1}, "y": {"a": 0.75, "b": 0.5}}`)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"compare", "query", "1", table}, 2, "needs the runs and the judgments"},
		{[]string{"compare", "link", table}, 2, "needs the runs and the judgments"},
		{[]string{"compare", table, "-policy", "rel=2"}, 2, "measured already"},
		{[]string{"compare", table, "-pack", filepath.Join(dir, "p")}, 2, "-save saves the report"},
		{[]string{"compare", table, alpha}, 3, "is not a table of scores"},
		{[]string{"compare", qrels, table}, 3, "compare it alone"},
		{[]string{"compare", qrels, alpha, table}, 3, "compare it alone"},
		{[]string{"compare", qrels, alpha, "-missing", "zero"}, 2, "are of tables of scores"},
		{[]string{"compare", table, "-missing", "never"}, 2, "items, systems, zero"},
		{[]string{"compare", table, "-systems", "both"}, 3, `there is no column "both": the file has model, a, b, c`},
		{[]string{"compare", table, "-systems", "rows", "-measures", "columns"}, 2, "give one"},
		{[]string{"compare", table, "-items", "a,b"}, 0, "On 1 item, y"},
		{[]string{"compare", table, "-m", "nDCG@10"}, 3, `no measure "nDCG@10": the table has score`},
		{[]string{"compare", table, "-baseline", "z"}, 3, "A x, B y"},
		{[]string{"compare", open}, 3, "give -systems rows or -systems columns"},
		{[]string{"compare", open, "-systems", "rows"}, 0, "On 3 items"},
		{[]string{"compare", either, "-systems", "rows"}, 0, "On 2 items"},
		{[]string{"compare", table}, 0, "1 score is missing (y on b): 1 item is left out for every system (b), 2 of " +
			"3 are compared"},
		{[]string{"compare", table, "-missing", "zero"}, 0, "each counts 0"},
		{[]string{"compare", scoreFiles + "pyterrier/perquery.csv", "-gate", "nDCG@10>=0.95"}, 1, "bm25"},
		{[]string{"compare", "figure", "intervals", table}, 0, "x"},
		{[]string{"compare", "figure", "judged", table}, 3, "needs"},
		{[]string{"compare", "figure", "pair", table, "-pair", "A-B"}, 0, "y"},
		{[]string{"compare", qrels, alpha, "-m", "main_score"}, 2, "main_score"},
	} {
		code, out, errs := call("", c.args...)
		if code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%q: %d, %s%s: want %d, %q", c.args, code, out, errs, c.code, c.says)
		}
	}
	// A table of scores is a baseline like any other report.
	saved := filepath.Join(dir, "base.rankbox")
	if code, _, errs := call("", "compare", open, "-systems", "rows", "-save", saved); code != 0 {
		t.Fatal(errs)
	}
	if info, err := os.Stat(saved); err != nil || info.Size() == 0 {
		t.Fatal(err)
	}
	if code, out, errs := call("", "compare", open, "-systems", "rows", "-against", saved); code != 0 {
		t.Error(code, out, errs)
	}
}

// Case 11 of the reality fixtures: one row a question has measures in its columns, and the file is the system. Case 12:
// two revisions of a model are model@revision, and no system is called by its revision alone.
func TestColumnsAreMeasuresAndRevisionsHaveTheirModel(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	one := write("one.csv", "question,document_mrr,document_map,faithfulness\na,0.9,0.8,1.0\nb,0.4,0.3,0.5\nc,0.7,0.6,1.0\n")
	two := write("two.csv", "question,document_mrr,document_map,faithfulness\na,0.1,0.2,1.0\nb,0.2,0.3,0.5\nc,0.7,0.6,1.0\n")
	both := write("both.csv", "question,bm25,faithfulness\na,0.1,1.0\nb,0.2,0.5\n")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{one}, 0, "On 3 queries, one reaches 0.667 document_mrr."},
		{[]string{one, two}, 0, "one is not significantly different from two by document_mrr (+0.333)"},
		{[]string{one, "-systems", "columns"}, 0, "faithfulness leads by score"},
		{[]string{one, "-systems", "document_mrr,document_map"}, 0, "is not significantly different from document_map"},
		{[]string{one, two, "-measures", "faithfulness"}, 0, "equal by faithfulness on every query"},
		{[]string{both}, 3, "give -measures columns or -systems columns"},
		{[]string{both, "-systems", "columns"}, 0, "bm25"},
		{[]string{both, "-measures", "columns"}, 0, "both reaches"},
	} {
		code, out, errs := call("", append([]string{"compare"}, c.args...)...)
		if code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%q: %d, %s%s: want %d, %q", c.args, code, out, errs, c.code, c.says)
		}
	}
	for name, value := range map[string]string{"org__a/external": "0.1", "org__a/" + strings.Repeat("7", 40): "0.5",
		"org__b/reva": "0.6", "org__c/main": "0.7"} {
		for _, task := range []string{"T1", "T2"} {
			write("r/"+name+"/"+task+".json", `{"task_name": "`+task+`", "mteb_version": "2", "scores": {"test": [{"main_score": `+
				value+`}]}}`)
		}
	}
	write("r/org__c/main/model_meta.json", `{"name": "organisation/c", "revision": "main"}`)
	code, out, errs := call("", "compare", filepath.Join(dir, "r"))
	for _, name := range []string{"org/a@external", "org/a@" + strings.Repeat("7", 40), "org/b ", "organisation/c"} {
		if code != 0 || !strings.Contains(out, name) || strings.Contains(out, " reva") {
			t.Errorf("%d %s%s has no %s", code, out, errs, name)
		}
	}
}
