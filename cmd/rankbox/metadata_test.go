package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

// published are the keys of ir_metadata 0.1, from its checklists (platform, research goal, implementation, method,
// actor, data), a list's places left out; ours are those that the schema has none for.
var (
	published = `schema-version run-version tag
platform/hardware/cpu/model platform/hardware/cpu/architecture platform/hardware/cpu/number+of+cores platform/hardware/ram platform/operating+system/kernel platform/operating+system/distribution platform/software/libraries platform/software/retrieval+toolkit
research+goal/evaluation/reported+measures research+goal/evaluation/baseline research+goal/evaluation/significance+test/name research+goal/evaluation/significance+test/correction+method
implementation/executable/cmd implementation/source/lang implementation/source/repository implementation/source/commit
method/automatic method/score+ties method/indexing/tokenizer method/indexing/stemmer method/indexing/stopwords method/retrieval/name method/retrieval/method method/retrieval/reranks
actor/name actor/role data/test+collection/name data/test+collection/source data/test+collection/qrels data/test+collection/topics data/test+collection/ir_datasets`
	ours = "research+goal method/indexing/analyzer method/retrieval/depth method/retrieval/k1 method/retrieval/b " +
		"data/test+collection/hash"
	places = regexp.MustCompile(`/\d+\b`)
)

// Oracle besides: repro_eval 0.5.0, whose MetadataHandler reads both headers with the values that stand there, whose
// strip_metadata leaves the run, and whose MetadataAnalyzer compares two runs by all six components (it fails where one
// is missing).
func TestHeadersHaveThePublishedKeys(t *testing.T) {
	dir := writeBEIR(t)
	// a model that neither names belongs to the collection all the same, and to its hash
	put(t, dir, "vectors/doc_ids.txt", "d1\nd2\nd3\n")
	put(t, dir, "vectors/query_ids.txt", "1\n2\n")
	put(t, dir, "vectors/own/docs.npy", npy([]float32{1, 0}, []float32{3, 4}, []float32{6, 8}))
	put(t, dir, "vectors/own/queries.npy", npy([]float32{3, 4}, []float32{1, 0}))
	out := t.TempDir()
	spec := file(t, "spec.json", `{"systems": ["bm25", "bm25(k1=1.2)"], "measures": ["nDCG@10", "AP"]}`)
	if code, _, errs := call("", "run", spec, "-collection", dir, "-quiet", "-o", out); code != 0 {
		t.Fatal(errs)
	}
	_, experiment, _ := call("", "report", out, "-o", "metadata")
	_, run, _ := call("", "search", "-quiet", dir, "-s", "bm25(k1=1.2)", "-k", "5", "-metadata")
	known := strings.Fields(published + " " + ours)
	for name, text := range map[string]string{"of a run": run, "of an experiment": experiment + "q1 Q0 d1 1 1 t\n"} {
		r, _, err := collection.ReadRun(strings.NewReader(text), "run", collection.Options{})
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		components := map[string]bool{}
		for _, f := range r.Metadata {
			components[f.Path[0]] = true
			path := places.ReplaceAllString(strings.ReplaceAll(strings.Join(f.Path, "/"), " ", "+"), "")
			found := false
			for _, k := range known {
				found = found || k == path
			}
			if !found {
				t.Errorf("%s: %s is no key of the schema", name, path)
			}
		}
		for _, c := range []string{"schema-version", "tag", "platform", "research goal", "implementation", "method",
			"actor", "data"} {
			if !components[c] {
				t.Errorf("%s: it has no %s", name, c)
			}
		}
	}
	hash := regexp.MustCompile(`# +hash: [0-9a-f]{64}\n`)
	if a, b := hash.FindString(run), hash.FindString(experiment); a == "" || a != b {
		t.Errorf("one collection has two hashes: %q and %q", a, b)
	}
	for _, want := range []string{"#     reported measures:\n#       - nDCG@10\n#       - AP\n",
		"#     baseline:\n#       - bm25\n",
		"#     - name: bm25(k1=1.2)\n#       k1: 1.2\n#       b: 0.4\n#       depth: 1000\n", "#       - rankbox=="} {
		if !strings.Contains(experiment, want) {
			t.Errorf("%q is not in\n%s", want, experiment)
		}
	}
}
