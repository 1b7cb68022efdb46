//go:build !library

package intake_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
)

func readZip(b []byte) (*intake.File, error) {
	// Without ReadAt: as a zip that is streamed.
	return intake.Read("x.zip", intake.Any, struct{ io.Reader }{bytes.NewReader(b)}, collection.Options{})
}

// TestAZipOfScoresIsItsFolder: the files keep their names, so that each is a system; what describes a model is none.
func TestAZipOfScoresIsItsFolder(t *testing.T) {
	f, err := readZip(zipped(t, "__MACOSX/._a", "x", ".DS_Store", "x", "a.txt", "map\t1\t0.5\nmap\t2\t0.25\n", "b.txt",
		"map\t1\t0.75\nmap\t2\t1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Scores == nil || !slices.Equal(f.Scores.Systems, []string{"a", "b"}) || f.Scores.Cells() != 4 {
		t.Errorf("%+v", f.Scores)
	}
	const task = `{"task_name":"T","mteb_version":"2","scores":{"test":[{"main_score":0.5,"hf_subset":"x"}]}}`
	f, err = readZip(zipped(t, "r/org__m/rev1/model_meta.json", `{"name":"org/m"}`, "r/org__m/1.0/T.json", task))
	if err != nil || !slices.Equal(f.Scores.Systems, []string{"org/m"}) {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestAZipOfTracesHasAnAgentAFolderOrAFile: files of a query each in a folder are one agent's, as BrowseComp-Plus has
// them.
func TestAZipOfTracesHasAnAgentAFolderOrAFile(t *testing.T) {
	one := func(q string) string { return `{"query_id":"` + q + `","steps":[{"retrieved":["d1"]}]}` }
	f, err := readZip(zipped(t, "agent/q1.json", one("1"), "agent/q2.json", one("2"), "other.jsonl",
		one("1")+"\n"+one("2")+"\n", "t.qrels", "1 0 d1 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range f.Traces {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"agent", "other"}) || len(f.Traces[0].Traces) != 2 {
		t.Errorf("%q", names)
	}
	g := intake.Gather([]*intake.File{f}, intake.Rule{Traces: true})
	if g.Input.Qrels == nil || len(g.Traces) != 2 || g.Files[0].Problem != nil {
		t.Errorf("%+v", g.Files[0])
	}
}

func TestAZipSaysWhichFileIsWrong(t *testing.T) {
	const good = "map\t1\t0.5\n"
	for _, c := range []struct {
		zip  []byte
		says string
	}{
		{zipped(t, "a.txt", good, "b.txt", "map\t1\thigh\n"), "x.zip/b.txt: line 1"},
		{zipped(t, "a.txt", good, "in.zip", string(zipped(t, "b.txt", good))), "a zip within an archive is not opened"},
		{zipped(t, "a/s.txt", good, "b/s.txt", "map\t1\t0.25\n"), "has two scores"},
	} {
		_, err := readZip(c.zip)
		p, ok := errors.AsType[*collection.ParseError](err)
		if !ok || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(p.File, "x.zip") {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
	// A zip of runs and judgments is package collection's, also if it is no zip at all.
	f, err := readZip(zipped(t, "q", "q1 0 d1 1\n", "r.run", "q1 Q0 d1 1 2 a\n"))
	if err != nil || len(f.Contents) != 2 || f.Scores != nil {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := readZip([]byte("PK\x03\x04 and no more")); err == nil {
		t.Error("a broken zip is taken")
	}
}

// TestGzippedScoresAreRead: recognised by what the gzip holds.
func TestGzippedScoresAreRead(t *testing.T) {
	g := gzipped(t, "run,query,measure,value\nA,1,AP,0.5\nB,1,AP,0.25\n")
	f, err := intake.Read("s.csv.gz", intake.Any, bytes.NewReader(g), collection.Options{})
	if err != nil || f.Scores == nil || f.Scores.Cells() != 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

// FuzzRead: any bytes end with a file that can be gathered, or with an error.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"map\t1\t0.5\n", `{"query_id":"1","steps":[]}`, `[{"query":"q","expected_ids":["d"]}]`,
		"queries:\n- query: q\n  expect: [d]\n", qrels, "q1 Q0 d1 1 2 a\n"} {
		f.Add("x.yaml", []byte(s))
		f.Add("x.json", []byte(s))
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		file, err := intake.Read(name, intake.Any, bytes.NewReader(b), collection.Options{Limits: collection.Limits{
			Bytes: 1 << 20}})
		if err != nil {
			return
		}
		got := intake.Gather([]*intake.File{file}, intake.Rule{Scores: true, Traces: true})
		if len(got.Files) != 1 {
			t.Fatal("a file is lost")
		}
	})
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
