package intake_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/intake"
)

func TestName(t *testing.T) {
	for file, want := range map[string]string{"a/b/bm25.run.gz": "bm25", "run.txt": "run", ".run": ".run",
		"x.trec": "x", "v1.2.json": "v1.2", "plain": "plain", "x.out": "x", "x.eval": "x",
		"x.txt.run": "x", "X.RUN.GZ": "X", `c:\runs\x.run`: "x", "x.run/": "", ".gz.run": ".gz",
		"a.b.c.tsv.bz2": "a.b.c", "": "", "über.run": "über", "x.running": "x.running", "run": "run"} {
		if got := intake.Name(file); got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}

// What a device takes in bounds what a saved comparison, which may be a thousandth of its size, is made into.
func TestASavedComparisonIsReadWithinWhatTheDeviceTakesIn(t *testing.T) {
	got := gather(t, intake.Rule{}, given{"t.qrels", qrels, intake.Any}, given{"a.run", "q1 Q0 d1 1 2 a\n", intake.Any})
	got.Input.Measures = got.Input.Defaults()
	b, err := packed.Pack(packed.File{Input: got.Input}, packed.Saving{})
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int64]bool{0: true, 64 << 20: true, 1 << 20: false} {
		_, err := intake.Read("saved.rankbox", intake.Any, bytes.NewReader(b),
			collection.Options{Limits: collection.Limits{Bytes: limit}})
		var over *packed.LimitError
		if (err == nil) != want || err != nil && (!errors.As(err, &over) || over.Max != int(limit) ||
			!strings.Contains(err.Error(), "saved.rankbox")) {
			t.Errorf("%d bytes: %v", limit, err)
		}
	}
}

// A name keeps a part of the file's and is the same when it is taken again.
func FuzzName(f *testing.F) {
	for _, s := range []string{"a/b.run.gz", ".run", "..run", "x.RUN", `a\b.out`, "\xff.run"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := intake.Name(s)
		base := s[strings.LastIndexAny(s, `/\`)+1:]
		if !strings.HasPrefix(base, got) || (got == "") != (base == "") || intake.Name(got) != got {
			t.Errorf("%q: %q", s, got)
		}
	})
}

type given struct {
	name, text string
	role       intake.Role
}

func gather(t *testing.T, rule intake.Rule, list ...given) *intake.Gathered {
	t.Helper()
	var files []*intake.File
	for _, g := range list {
		f, err := intake.Read(g.name, g.role, strings.NewReader(g.text), collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return intake.Gather(files, rule)
}

const (
	qrels = "q1 0 d1 1\nq1 0 d2 0\n"
	runA  = "q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n"
	runB  = "q1 Q0 d2 1 2 b\n"
)

func TestTheRoleThatIsSaidDecides(t *testing.T) {
	ints := `{"q1": {"d1": 1, "d2": 0}}`
	floats := `{"q1": {"d1": 3.0, "d2": 0.0}}`
	both := "query_id,doc_id,score,relevance\nq1,d1,2.5,1\n"
	for _, c := range []struct {
		name  string
		files []given
		runs  int
		judge int // judgments
		says  string
	}{
		{"by content", []given{{"q", qrels, intake.Any}, {"r", runA, intake.Any}}, 1, 2, ""},
		{"whole numbers are scores beside judgments", []given{{"r.json", ints, intake.Any}, {"q", qrels, intake.Any}},
			1, 2, ""},
		{"whole numbers are judgments beside runs", []given{{"q.json", ints, intake.Any}, {"r", runA, intake.Any}}, 1,
			2, ""},
		{"whole numbers of both", []given{{"q.json", ints, intake.Judgments}, {"r.json", ints, intake.Runs}}, 1, 2, ""},
		{"qrels with a point", []given{{"q.json", floats, intake.Judgments}, {"r", runA, intake.Runs}}, 1, 2, ""},
		{"a table of both, twice", []given{{"q.csv", both, intake.Judgments}, {"r.csv", both, intake.Runs}}, 1, 1, ""},
		{"a run for qrels", []given{{"r", runA, intake.Judgments}}, 0, 0, "it holds no judgments: it looks like run"},
		{"qrels for a run", []given{{"q", qrels, intake.Runs}}, 0, 0, "it is not a run: it looks like qrels"},
		{"queries that are none", []given{{"q", qrels, intake.Queries}}, 0, 0,
			"it holds no queries: it looks like qrels"},
		{"no documents", []given{{"q", qrels, intake.Corpus}}, 0, 0, "it holds no documents: it looks like qrels"},
		{"judgments twice", []given{{"a", qrels, intake.Any}, {"b", qrels, intake.Any}}, 0, 2,
			"the judgments are from a already"},
	} {
		g := gather(t, intake.Rule{}, c.files...)
		judgments, says := 0, ""
		if g.Input.Qrels != nil {
			judgments = g.Input.Qrels.Len()
		}
		for _, f := range g.Files {
			if f.Problem != nil {
				says += f.Problem.Error()
			}
		}
		if len(g.Input.Runs) != c.runs || judgments != c.judge || !strings.HasPrefix(says, c.says) ||
			(c.says == "") != (says == "") {
			t.Errorf("%s: %d runs, %d judgments, %q", c.name, len(g.Input.Runs), judgments, says)
		}
	}
}

// What was taken for scores beside judgments is judgments again once those are taken away.
func TestTakingAFileAwayTakesItsEffectAway(t *testing.T) {
	read := func(name, text string) *intake.File {
		f, err := intake.Read(name, intake.Any, strings.NewReader(text), collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	q, j, r := read("q", qrels), read("j.json", `{"q1": {"d1": 1}}`), read("r", runA)
	if g := intake.Gather([]*intake.File{q, j, r}, intake.Rule{}); len(g.Input.Runs) != 2 {
		t.Errorf("%d runs", len(g.Input.Runs))
	}
	if g := intake.Gather([]*intake.File{j, r}, intake.Rule{}); len(g.Input.Runs) != 1 || g.Input.Qrels.Len() != 1 {
		t.Errorf("%+v", g.Files)
	}
}

func TestRunsAreTakenInOrderAndUpToALimit(t *testing.T) {
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	for _, x := range [][2]string{{"runs/b.run", runB}, {"runs/.run", runA},
		{"__MACOSX/runs/._b.run", "\x00\x05\x16\x07"}, {"runs/.DS_Store", "\x00\x00\x00\x01Bud1"}} {
		f, _ := w.Create(x[0])
		f.Write([]byte(x[1]))
	}
	w.Close()
	g := gather(t, intake.Rule{}, given{"q", qrels, 0}, given{"all.zip", z.String(), 0}, given{"a.run", runA, 0})
	var names []string
	for _, r := range g.Input.Runs {
		names = append(names, r.Name)
	}
	if !slices.Equal(names, []string{".run", "b", "a"}) ||
		!slices.Equal(g.Origins, []intake.Origin{{File: 1}, {File: 1, Run: 1}, {File: 2}}) {
		t.Errorf("%q %v", names, g.Origins)
	}
	if w := g.Files[2].Warnings; len(w) == 0 || w[0].Kind != intake.SameRun ||
		!strings.Contains(w[0].Message, "the same as .run,") {
		t.Errorf("%+v", w)
	}
	g = gather(t, intake.Rule{MaxRuns: 1}, given{"q", qrels, 0}, given{"b", runB, 0}, given{"a", runA, 0})
	if len(g.Input.Runs) != 1 || g.Files[2].Problem == nil ||
		!strings.Contains(g.Files[2].Problem.Error(), "the limit is 1 runs") {
		t.Errorf("%+v", g.Files)
	}
}

func TestMapsQueriesAndCorporaBelongToTheFilesBesideThem(t *testing.T) {
	benchmark := `{"schema_version":"1.0","metadata":{},"queries":[{"query_key":"q1","query_text":"t",` +
		`"relevant_docs":[{"doc_ref":{"document_id":"d1"},"relevance_grade":1}]}]}`
	corpus := "{\"_id\":\"d1\",\"text\":\"x\"}\n"
	g := gather(t, intake.Rule{}, given{"b.json", benchmark, intake.Any}, given{"r", "q1 Q0 d1#2 1 2 a\n", intake.Any})
	if !errors.Is(g.Files[0].Problem, intake.ErrNoCorpus) {
		t.Errorf("%v", g.Files[0].Problem)
	}
	for _, role := range []intake.Role{intake.Any, intake.Corpus} {
		g = gather(t, intake.Rule{}, given{"r", "q1 Q0 d1#2 1 2 a\n", 0}, given{"where", "chunk\tdoc\nd1#2\td1\n", 0},
			given{"c.jsonl", corpus, role}, given{"b.json", benchmark, 0})
		if len(g.Input.Runs) != 1 || g.Input.Runs[0].Run.Ranked(0, collection.DocIDDescending, nil)[0].Doc != "d1" ||
			g.Input.Qrels == nil || g.Files[1].Entries != 1 {
			t.Errorf("role %d: %+v", role, g.Files)
		}
	}
	g = gather(t, intake.Rule{Chunks: collection.ChunkRule{Separator: "#"}}, given{"q", qrels, 0},
		given{"r", "q1 Q0 d1#2 1 2 a\n", 0}, given{"texts", "q1\tbefore\n", 0},
		given{"more", "q1\tafter\n", intake.Queries})
	if g.Input.Runs[0].Run.Ranked(0, collection.DocIDDescending, nil)[0].Doc != "d1" ||
		g.Input.Queries[len(g.Input.Queries)-1].Text != "after" {
		t.Errorf("%+v", g.Input)
	}
}

func TestSavedFilesAreToldByTheirFirstBytes(t *testing.T) {
	g := gather(t, intake.Rule{}, given{"q", qrels, 0}, given{"a.run", runA, 0}, given{"b.out", runB, 0})
	saved, err := packed.Pack(packed.File{Input: g.Input}, packed.Saving{})
	if err != nil {
		t.Fatal(err)
	}
	again := gather(t, intake.Rule{}, given{"x.rankbox", string(saved), 0})
	if len(again.Input.Runs) != 2 || again.Input.Runs[1].Name != "b" || again.Input.Qrels.Len() != 2 ||
		again.Files[0].What[0] != "comparison" {
		t.Errorf("%+v", again)
	}
	later := bytes.Clone(saved)
	later[4] = 200 // its version
	for _, c := range []struct {
		file []byte
		want string
	}{
		{saved[:len(saved)-2], "read x: this saved comparison is damaged: bytes were lost or changed."},
		{later, "read x: a later version of Rankbox saved this."},
		{[]byte("<!doctype html>"), "read x: it holds no Rankbox comparison, or is incomplete."},
	} {
		_, err = intake.Read("x", intake.Any, bytes.NewReader(c.file), collection.Options{})
		if err == nil || say.Sentence(err) != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestMarkdownIsRefusedAsWhatItIs(t *testing.T) {
	_, err := intake.Read("notes.md", intake.Any, strings.NewReader("# Ferry\n\nIt was late again today.\n"),
		collection.Options{})
	if err == nil || !strings.Contains(err.Error(), "it looks like Markdown") {
		t.Errorf("%v", err)
	}
}
