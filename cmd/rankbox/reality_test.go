package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files as people have them, with the right answers that their README gives.
func TestFilesOfPublicReportsAreReadRightly(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "fixtures")
	if _, err := os.Stat(filepath.Join(root, "reality")); err != nil {
		t.Skip("the fixtures of public reports are not there: ", err)
	}
	shared, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	c := func(name string) string { return filepath.Join(shared, "reality", "cases", filepath.FromSlash(name)) }
	f := func(name string) string { return filepath.Join(shared, "reality", "formats", filepath.FromSlash(name)) }
	plan := func(name string) string { return filepath.Join(shared, "plan", name) }
	b := func() string { return filepath.Join(t.TempDir(), "b") }
	for _, x := range []struct {
		code int
		want []string // parts of the output and of what is said
		args []string
	}{
		{0, []string{`"text": "ankle brace & tendon"`, `"_id": "102"`, `"text": "vitamin d & flu"`},
			[]string{"convert", c("03-topics-number-element/topics.xml"), "-o", "jsonl"}},
		{0, []string{`"text": "A 50-year-old man & his dog \u003c 3"`, `"text": "second topic"`},
			[]string{"convert", c("03-topics-number-element/topics2.xml"), "-o", "jsonl"}},
		{0, []string{"coronavirus origin"}, []string{"convert", c("03-topics-number-element/topics4.xml"), "-o", "jsonl"}},
		// Ids in another spelling: refused with the repair, and repaired. 04: document 12 has grade 2 at rank 1, 10 grade 1.
		{3, []string{`"1.0" in the run, "1" in the judgments`, "-ids number"},
			[]string{"eval", c("04-id-dtype/q.csv"), c("04-id-dtype/r.csv"), "nDCG@10"}},
		{0, []string{"nDCG@10\t1.0000"},
			[]string{"eval", c("04-id-dtype/q.csv"), c("04-id-dtype/r.csv"), "nDCG@10", "-ids", "number"}},
		{3, []string{"-ids nfc"}, []string{"eval", c("05-nfc-nfd/q.qrels"), c("05-nfc-nfd/r.run"), "nDCG@10"}},
		{3, []string{"-ids nfc"}, []string{"compare", c("05-nfc-nfd/q.qrels"), c("05-nfc-nfd/r.run")}},
		{0, []string{"nDCG@10\t1.0000", "1 id of the run was changed to the spelling of the judgments"},
			[]string{"eval", c("05-nfc-nfd/q.qrels"), c("05-nfc-nfd/r.run"), "nDCG@10", "-ids", "nfc"}},
		{0, []string{"1.000 nDCG@10"}, []string{"compare", c("05-nfc-nfd/q.qrels"), c("05-nfc-nfd/r.run"), "-ids", "nfc"}},
		{0, []string{"RR\t1.0000"}, []string{"eval", c("18-chunk-ids/q.qrels"), c("18-chunk-ids/r.run"), "RR", "-ids",
			"chunk"}},
		// Three formats of one table of grades with decimals give the README's nDCG.
		{0, []string{"grade 0.2 is below 1", "nDCG@10\t0.5698"},
			[]string{"eval", c("07-float-grades/q.tsv"), c("07-float-grades/r.run"), "nDCG@10"}},
		{0, []string{"grade 0.2 is below 1", "nDCG@10\t0.5698"},
			[]string{"eval", c("07-float-grades/q.qrels"), c("07-float-grades/r.run"), "nDCG@10"}},
		{0, []string{"grade 0.2 is below 1", "nDCG@10\t0.5698"},
			[]string{"eval", c("07-float-grades/q.json"), c("07-float-grades/r.run"), "nDCG@10"}},
		// What trec_eval prints after it cuts the decimals off is what pytrec_eval 0.5.11 gives for the whole grades.
		{0, []string{"ndcg_cut_10           \tall\t0.5600"}, []string{"eval", c("07-float-grades/q.qrels"),
			c("07-float-grades/r.run"), "ndcg_cut.10", "-o", "trec_eval"}},
		{0, []string{"desk lamp\tnDCG@10\t0.8923", "desk lamp\tP@1\t0.0000", "desk lamp\tP(rel=0.5)@1\t1.0000"},
			[]string{"eval", c("09-opensearch-srw/import.csv"), c("09-opensearch-srw/run.csv"), "-q",
				"nDCG@10", "P@1", "P(rel=0.5)@1"}},
		{0, []string{"NDCG@10                           0.7550", "trec_eval cuts the decimals off grades"},
			[]string{"compare", "conventions", c("09-opensearch-srw/import.csv"), c("09-opensearch-srw/run.csv"), "-m",
				"nDCG@10"}},
		{0, []string{"grade 0.7 is below 1", "desk lamp,P1,1", "desk lamp,P2,0.7", "desk lamp,P3,0.1"},
			[]string{"convert", c("09-opensearch-srw/judgments.json"), "-o", "csv", "-as", "qrels"}},
		// Two revisions of a model are told apart behind its name.
		{0, []string{"org/a@external", "org/x@reva"}, []string{"compare", c("12-mteb-old/r2")}},
		// Columns of one row per question are measures of one system.
		{0, []string{"hay1", "hay2"}, []string{"compare", c("11-metric-columns/hay1.csv"), c("11-metric-columns/hay2.csv")}},
		{0, []string{"real1", "real2"}, []string{"compare", c("11-metric-columns/real1.csv"),
			c("11-metric-columns/real2.csv")}},
		{0, []string{"faithfulness is over 1 of 2 queries"}, []string{"compare", c("10-rag-exports/ragas-result.csv")}},
		{0, []string{"context_precision"}, []string{"compare", c("10-rag-exports/ragas-result.json"), "-o", "csv"}},
		{0, []string{"document_mrr"}, []string{"compare", c("10-rag-exports/haystack.csv"), "-o", "csv"}},
		{0, []string{"Contextual Precision"}, []string{"compare", f("deepeval.json"), "-o", "csv"}},
		{0, []string{"correctness"}, []string{"compare", f("langsmith.csv"), "-o", "csv"}},
		// One table of judgments in five arrangements. r.run is perfect.
		{0, []string{"nDCG@10\t1.0000"}, []string{"eval", c("15-parquet-xlsx/split.json"), c("15-parquet-xlsx/r.run"),
			"nDCG@10"}},
		{0, []string{"nDCG@10\t1.0000"}, []string{"eval", c("15-parquet-xlsx/rows.json"), c("15-parquet-xlsx/r.run"),
			"nDCG@10"}},
		{0, []string{"nDCG@10\t1.0000"}, []string{"eval", c("15-parquet-xlsx/qrels.json"), c("15-parquet-xlsx/r.run"),
			"nDCG@10"}},
		{0, []string{"nDCG@10\t1.0000"}, []string{"eval", c("15-parquet-xlsx/semi.csv"), c("15-parquet-xlsx/r.run"),
			"nDCG@10"}},
		{0, []string{"nDCG@10\t1.0000"}, []string{"eval", c("15-parquet-xlsx/qrels-index.csv"),
			c("15-parquet-xlsx/r.run"), "nDCG@10"}},
		{0, []string{"nDCG@10\t1.0000"}, []string{"eval", c("15-parquet-xlsx/qrels.xlsx"), c("15-parquet-xlsx/r.run"),
			"nDCG@10"}},
		{0, []string{"1.000 nDCG@10"}, []string{"compare", c("15-parquet-xlsx/qrels.xlsx"), c("15-parquet-xlsx/r.run")}},
		{0, []string{"2 documents"}, []string{"index", c("23-corpora/ndjson-es.json"), "-o", b()}},
		{0, []string{"2 documents"}, []string{"index", c("23-corpora/msmarco-doc.tsv"), "-o", b()}},
		{0, []string{"2 documents"}, []string{"index", c("23-corpora/excel.csv"), "-o", b()}},
		{0, []string{"2 documents"}, []string{"index", c("23-corpora/t.trec"), "-o", b()}},
		{0, []string{"2 documents"}, []string{"index", c("23-corpora/t.xml"), "-o", b()}},
		{0, []string{"1 document,"}, []string{"index", c("23-corpora/es-hits.json"), "-o", b()}},
		{0, []string{"1 document,"}, []string{"index", c("23-corpora/html"), "-o", b()}},
		{0, []string{"q1 0 d1 1"}, []string{"convert", c("28-beir-quirks/extra.tsv"), "-o", "trec", "-as", "qrels"}},
		{0, []string{"q1 0 d1 1"}, []string{"convert", c("28-beir-quirks/extra.tsv"), "-o", "trec"}},
		{0, []string{"q1 0 d1 1\nq1 0 d2 1\nq1 0 d3 1\nq2 0 d4 1"}, []string{"convert", c("31-autorag/qa.csv"), "-o", "trec"}},
		{0, []string{"tsconfig.json: not read", "1 .png", "2 documents"}, []string{"index", c("34-folder-with-config"),
			"-o", b()}},
		{0, []string{"RR\t1.0000", "P@3\t0.6667"}, []string{"eval", plan("qrels.txt"), plan("results-ids.json"), "RR",
			"P@3"}},
		{0, []string{"RR\t"}, []string{"eval", plan("qrels.txt"), plan("results-scored.jsonl"), "RR"}},
		{0, []string{"doc_12"}, []string{"convert", plan("judged-queries.jsonl"), "-o", "trec"}},
		{0, []string{"1 0 doc_12 2"}, []string{"convert", plan("judged-query.json"), "-o", "trec"}},
		{0, []string{"q01 Q0 hw-0045 1"}, []string{"convert", f("SciFact_predictions.json"), "-o", "trec"}},
		{0, []string{"q01 Q0 hw-0045 1"}, []string{"convert", f("st_queries.jsonl"), "-o", "trec"}},
		{0, []string{"q1 Q0 doc1 1"}, []string{"convert", f("rank_eval_resp.json"), "-o", "trec", "-as", "run"}},
	} {
		code, out, errs := call("", x.args...)
		for i, want := range append([]string{""}, x.want...) {
			if i == 0 && code != x.code || !strings.Contains(out+errs, want) {
				t.Errorf("%s: %d, want %d with %q\n%.600s%.600s", strings.ReplaceAll(strings.Join(x.args, " "), shared, ""),
					code, x.code, want, out, errs)
			}
		}
	}
}

// BEIR's judgments with columns beside them are the same alone and in a folder.
func TestJudgmentsWithColumnsBesideAreReadInAFolderToo(t *testing.T) {
	dir := writeBEIR(t)
	file := filepath.Join(dir, "qrels", "test.tsv")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b = []byte(strings.Replace(string(b), "\t1\n", "\t0.7\n", 1))
	put(t, dir, "qrels/test.tsv", string(b))
	_, before, _ := call("", "convert", file, "-o", "trec")
	if !strings.Contains(before, " 0.7\n") {
		t.Errorf("%q has no grade 0.7", before)
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	for i := range lines {
		lines[i] += map[bool]string{true: "\tannotator\tnote", false: "\tann\t"}[i == 0]
	}
	put(t, dir, "qrels/test.tsv", strings.Join(lines, "\n")+"\n")
	code, after, errs := call("", "convert", file, "-o", "trec")
	if code != 0 || after != before || before == "" {
		t.Errorf("%d, %q, want %q\n%s", code, after, before, errs)
	}
	if code, _, errs := call("", "search", dir, "-s", "bm25"); code != 0 {
		t.Errorf("%d, %s", code, errs)
	}
}
