package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// handedOut is a workspace of three documents and two queries, with one grade as an example.
func handedOut(t *testing.T, text string) *workspace.Workspace {
	t.Helper()
	all := &collection.Collection{Qrels: collection.NewQrels(), Docs: []collection.Doc{
		{ID: "a.md", Title: "Port", Text: "the port was closed"}, {ID: "b.md", Title: "Storm", Text: "a storm came"},
		{ID: "c.md", Title: "Fair", Text: text},
	}}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "upload", Name: "notes", Collection: all}, func(name string,
		data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files["manifest.json"] = m.JSON()
	w := workspace.New(workspace.Documents{Collection: "upload-" + m.Hash[:16], Name: "notes", Hash: m.Hash, Count: 3})
	w.Bundle = files
	return applied(t, w, "teacher", workspace.Edit{Kind: workspace.SetQuery, Query: "q1", Text: "storm"},
		workspace.Edit{Kind: workspace.SetQuery, Query: "q2", Text: "port"},
		workspace.Edit{Kind: workspace.SetLayer, Layer: "example", Origin: workspace.Person, Author: "the teacher"},
		workspace.Edit{Kind: workspace.SetGrade, Layer: "example", Query: "q1", Document: "c.md", Grade: 0})
}

func applied(t *testing.T, w *workspace.Workspace, tab string, edits ...workspace.Edit) *workspace.Workspace {
	t.Helper()
	for _, e := range edits {
		e.Stamp = w.Next(1000, tab)
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func graded(query, document string, g int) workspace.Edit {
	return workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: query, Document: document, Grade: float64(g)}
}

// By hand: Ann's grades 1, 1, 0 against the teacher's 1, 2, 0 have 2 of 3 in common, by chance 1/9 + 2/9, so kappa is
// (2/3 − 1/3) / (1 − 1/3) = .5. BM25 finds the only document with "storm" and the only one with "port": RR is 1 twice.
// The grade of the example is nobody's own.
func TestAssignmentsAreMarked(t *testing.T) {
	save := func(name string, w *workspace.Workspace) string {
		zip, err := w.Export()
		if err != nil {
			t.Fatal(err)
		}
		return file(t, name, string(zip))
	}
	again := func(name string) *workspace.Workspace {
		w, err := readWorkspace(name, collection.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	handed := save("class.workspace.zip", handedOut(t, "a fair was held"))
	hidden := file(t, "hidden.qrels", "q1 0 b.md 1\nq1 0 c.md 0\nq2 0 a.md 2\nq2 0 c.md 0\n")
	judged := save("judged.zip", applied(t, again(handed), "ann", graded("q1", "b.md", 1), graded("q2", "a.md", 1),
		graded("q2", "c.md", 0)))
	ann := strings.TrimSuffix(judged, "judged.zip") + "ann.workspace.zip"
	if code, out, errs := call("", "workspace", judged, "-system", "bm25(k1=1.2)", "-o", ann); code != 0 || out != "" {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	ben := save("ben.zip", applied(t, again(ann), "ben", graded("q1", "a.md", 0)))
	fay := save("fay.zip", applied(t, again(handed), "fay"))
	model := save("gus.zip", applied(t, again(handed), "gus",
		workspace.Edit{Kind: workspace.SetLayer, Layer: "gpt", Origin: workspace.Model},
		workspace.Edit{Kind: workspace.SetGrade, Layer: "gpt", Query: "q1", Document: "b.md", Grade: 1},
		workspace.Edit{Kind: workspace.SetSpec, Spec: "x", Form: "system", Text: "bm25(k1=no)"}))
	data, err := os.ReadFile(ann)
	if err != nil {
		t.Fatal(err)
	}
	cut := file(t, "cut.zip", string(data[:len(data)-200]))
	flipped := file(t, "flipped.zip", strings.Replace(string(data), `"grade":1`, `"grade":3`, 1))
	if string(data) == strings.Replace(string(data), `"grade":1`, `"grade":3`, 1) {
		t.Fatal("no grade to change")
	}
	query := save("dora.zip", applied(t, again(ann), "dora",
		workspace.Edit{Kind: workspace.SetQuery, Query: "q1", Text: "port"}))
	other := save("eve.zip", handedOut(t, "another text"))
	code, out, errs := call("", "mark", handed, ann, ben, fay, model, cut, flipped, query, other, "-qrels", hidden,
		"-m", "RR")
	if code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	want := []string{
		"student,status,queries judged,queries,grades,compared,same grade,kappa,system,RR,note",
		"ann,marked,2,2,3,3,0.6667,0.5000,bm25(k1=1.2),1.0000,4 edits are also in ben",
		"ben,marked,2,2,4,3,0.6667,0.5000,bm25(k1=1.2),1.0000,4 edits are also in ann",
		"fay,marked,0,2,0,0,,,,,no system",
		"gus,marked,0,2,0,0,,,bm25(k1=no),,system: ",
		"cut,damaged,,,,,,,,,damaged: ",
		"flipped,damaged,,,,,,,,,damaged: ",
		"dora,changed,,,,,,,,,",
		"eve,changed,,,,,,,,,",
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines: %s", len(lines), out)
	}
	for i, w := range want {
		if !strings.HasPrefix(strings.ReplaceAll(lines[i], `"`, ""), w) {
			t.Errorf("line %d: %s\nwant %s", i+1, lines[i], w)
		}
	}
	for _, said := range []string{"cut.zip: damaged", "flipped.zip: damaged",
		"query q1, which was handed out, is changed",
		"it is about other documents"} {
		if !strings.Contains(errs, said) {
			t.Errorf("%q is not in %s", said, errs)
		}
	}
}

func TestMarkRefusesCallsThatMarkNothing(t *testing.T) {
	zip, err := handedOut(t, "a fair").Export()
	if err != nil {
		t.Fatal(err)
	}
	handed := file(t, "class.zip", string(zip))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{handed, handed}, 2, "-qrels"},
		{[]string{handed, "-qrels", "x"}, 2, "handed in"},
		{[]string{handed, handed, "-qrels", "x", "-m", "nothing"}, 2, "nothing"},
		{[]string{handed, handed, "-qrels", file(t, "q.qrels", "q9 0 a.md 1\n")}, 3, "judges none of the queries"},
		{[]string{handed, handed, "-qrels", "testdata/a.run"}, 3, "holds no judgments"},
	} {
		code, _, errs := call("", append([]string{"mark"}, c.args...)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d %s", c.args, code, errs)
		}
	}
	if code, _, errs := call("", "workspace", handed, "-system", "bm25("); code != 2 {
		t.Errorf("%d %s", code, errs)
	}
}
