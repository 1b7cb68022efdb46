package intake_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
)

// saved is a comparison of two runs as it is saved, looked at as said.
func saved(t *testing.T, view packed.View) string {
	t.Helper()
	g := gather(t, intake.Rule{}, given{"q", qrels, 0}, given{"x.run", runA, 0}, given{"y.run", runB, 0})
	b, err := packed.Pack(packed.File{Input: g.Input, View: view}, packed.Saving{})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func problems(g *intake.Gathered) (out []string) {
	for _, f := range g.Files {
		s := ""
		if f.Problem != nil {
			s = f.Problem.Error()
		}
		out = append(out, s)
	}
	return out
}

// All runs of a file are taken, or none.
func TestRunsOfAFileAreTakenWholeOrNot(t *testing.T) {
	two := saved(t, packed.View{})
	for _, c := range []struct {
		most  int
		files []given
		runs  int
		says  string
	}{
		{2, []given{{"s", two, 0}}, 2, ""},
		{1, []given{{"s", two, 0}}, 0, "2 runs"},
		{3, []given{{"s", two, 0}, {"r", "q1 Q0 d1 1 9 r\n", 0}}, 3, ""},
		{2, []given{{"s", two, 0}, {"r", "q1 Q0 d1 1 9 r\n", 0}}, 2, "the limit is 2 runs: remove one to add it"},
		{0, []given{{"s", two, 0}, {"r", "q1 Q0 d1 1 9 r\n", 0}}, 3, ""},
		{2, []given{{"r", "q1 Q0 d1 1 9 r\n", 0}, {"s", two, 0}}, 1, "the limit is 2 runs: remove one to add it"},
	} {
		g := gather(t, intake.Rule{MaxRuns: c.most}, c.files...)
		says := problems(g)[len(c.files)-1]
		if len(g.Input.Runs) != c.runs || len(g.Origins) != c.runs || !strings.Contains(says, c.says) ||
			(says == "") != (c.says == "") {
			t.Errorf("%d runs at most: %d, %q", c.most, len(g.Input.Runs), says)
		}
		var limit *packed.LimitError
		if err := g.Files[0].Problem; errors.As(err, &limit) && (limit.Got != 2 || limit.Max != 1 ||
			limit.What != "runs") {
			t.Errorf("%+v", limit)
		}
	}
}

// The runs of a saved comparison keep their letters. Those before and behind take what is free.
func TestSavedComparisonsKeepTheirLetters(t *testing.T) {
	g := gather(t, intake.Rule{}, given{"r", "q1 Q0 d1 1 9 r\n", 0}, given{"s", saved(t, packed.View{Letters: "3.1"}),
		0}, given{"z", "q1 Q0 d1 1 8 z\n", 0})
	if !slices.Equal(g.Input.Letters, report.Letters{1, 2, 0, 3}) || g.View.Letters != "3.1" {
		t.Errorf("letters %v of %q", g.Input.Letters, g.View.Letters)
	}
	if !slices.Equal(g.Origins, []intake.Origin{{File: 0}, {File: 1}, {File: 1, Run: 1}, {File: 2}}) {
		t.Errorf("%v", g.Origins)
	}
	if f := g.Files[1]; f.Queries != 1 || f.Entries != 2+2+1 || !slices.Equal(f.What, []string{"comparison"}) {
		t.Errorf("%+v", f)
	}
	g = gather(t, intake.Rule{}, given{"q", qrels, 0}, given{"s", saved(t, packed.View{}), 0})
	if p := problems(g); p[1] != "the judgments are from q already; remove one of the two" || len(g.Input.Runs) != 0 {
		t.Errorf("%q", p)
	}
	g = gather(t, intake.Rule{}, given{"s", saved(t, packed.View{}), 0}, given{"q", qrels, 0})
	if p := problems(g); p[1] != "the judgments are from s already; remove one of the two" || len(g.Input.Runs) != 2 {
		t.Errorf("%q", p)
	}
}

// What is said of files, counted by hand.
func TestFilesAreToldInNumbers(t *testing.T) {
	for _, c := range []struct {
		file given
		want intake.Told
	}{
		{given{"q", "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n", 0}, intake.Told{What: []string{"qrels"}, Lines: 3,
			Queries: 2, Entries: 3}},
		{given{"r", "q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\nq2 Q0 d2 1 1 a\n", 0}, intake.Told{What: []string{"run"},
			Lines: 3, Queries: 2, Entries: 3}},
		{given{"t.tsv", "q1\tone\nq2\ttwo\nq3\tthree\n", intake.Queries}, intake.Told{What: []string{"queries"},
			Lines: 3, Queries: 3}},
		{given{"where", "chunk\tdoc\na#1\ta\nb#1\tb\n", 0}, intake.Told{What: []string{"map of chunks"}, Lines: 3,
			Entries: 2}},
		{given{"c.jsonl", "{\"_id\":\"d1\",\"title\":\"T\",\"text\":\"x\"}\n", intake.Corpus},
			intake.Told{What: []string{"documents"}, Lines: 1}},
	} {
		got := gather(t, intake.Rule{}, c.file).Files[0]
		if !slices.Equal(got.What, c.want.What) || got.Lines != c.want.Lines || got.Queries != c.want.Queries ||
			got.Entries != c.want.Entries || got.Problem != nil {
			t.Errorf("%s: %+v, want %+v", c.file.name, got, c.want)
		}
	}
	g := gather(t, intake.Rule{}, given{"c.jsonl",
		"{\"_id\":\"d1\",\"title\":\"T\",\"text\":\"x\"}\n{\"_id\":\"d2\",\"text\":\"y\"}\n", intake.Corpus})
	if len(g.Titles) != 1 || g.Titles["d1"] != "T" {
		t.Errorf("titles %v", g.Titles)
	}
	if g := gather(t, intake.Rule{}, given{"q", qrels, 0}); g.Titles != nil {
		t.Errorf("titles %v", g.Titles)
	}
}

// A run whose lines are out of order is settled by writing it again, a conflict of two scores is not.
func TestFilesThatWritingSettlesAreFixable(t *testing.T) {
	for text, want := range map[string]bool{
		runA: false, "q1 Q0 d1 2 1 a\nq1 Q0 d2 1 2 a\n": true, "q1 0 d1 1\nq1 0 d1 1\n": true,
		"q1 0 d1 1\nq1 0 d1 2\n": false,
	} {
		if f := gather(t, intake.Rule{}, given{"f", text, 0}).Files[0]; f.Fixable != want {
			t.Errorf("%q is fixable: %v, %+v", text, f.Fixable, f.Warnings)
		}
	}
}

// Two runs are the same if every ranking is, document by document and score by score.
func TestOnlyEqualRunsAreTheSame(t *testing.T) {
	const first = "q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\nq2 Q0 d1 1 2 a\n"
	for text, want := range map[string]bool{
		first: true,
		"q2 Q0 d1 1 2 b\nq1 Q0 d1 1 2 b\nq1 Q0 d2 2 1 b\n":   true,
		"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\nq2 Q0 d1 1 3 a\n":   false,
		"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\nq2 Q0 d2 1 2 a\n":   false,
		"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\nq3 Q0 d1 1 2 a\n":   false,
		"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n":                   false,
		"q1 Q0 d1 1 2 a\nq2 Q0 d2 2 1 a\nq2 Q0 d1 1 2 a\n":   false,
		"q1 Q0 d1 1 2 a\nq2 Q0 d2 2 1 a\nq3 Q0 d1 1 2 a\n":   false,
		"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1.5 a\nq2 Q0 d1 1 2 a\n": false,
	} {
		g := gather(t, intake.Rule{}, given{"first", first, 0}, given{"other", "q1 Q0 d9 1 2 a\n", 0}, given{"second",
			text, 0})
		same := slices.ContainsFunc(g.Files[2].Warnings,
			func(w collection.Warning) bool { return w.Kind == intake.SameRun })
		if same != want || len(g.Files[1].Warnings) > 0 {
			t.Errorf("%q is the same: %v", text, same)
		}
	}
}

// A file of no bytes, or of fewer than its first bytes are looked at, is read or refused like any other.
func TestFilesOfAFewBytes(t *testing.T) {
	for _, text := range []string{"", "R", "RBX", "RBXc", "RBXr", "<!d", "<!do", "PK", "PK\x03\x04", "\x1f\x8b",
		"q1 "} {
		if f, err := intake.Read("x", intake.Any, strings.NewReader(text), collection.Options{}); err == nil {
			t.Errorf("%q: %+v", text, f)
		} else if !strings.Contains(err.Error(), "x") {
			t.Errorf("%q: %v", text, err)
		}
	}
	broken := errors.New("broken")
	for _, n := range []int{0, 3, 4, 5} {
		r := io.MultiReader(strings.NewReader("q1 0 d1 1\n"[:n]), fault{broken})
		if _, err := intake.Read("x", intake.Any, r, collection.Options{}); !errors.Is(err, broken) {
			t.Errorf("broken behind %d bytes: %v", n, err)
		}
	}
}

type fault struct{ err error }

func (f fault) Read([]byte) (int, error) { return 0, f.err }

// zeros is as many bytes as are asked for.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestSavedFilesHaveALimit(t *testing.T) {
	for head, want := range map[string]string{"RBXc": "a saved comparison of more than 64 MiB",
		"RBXr": "a saved comparison of more than 64 MiB", "<!do": "a page of more than 64 MiB"} {
		for n, long := range map[int64]bool{intake.MaxPacked: false, intake.MaxPacked + 1: true} {
			r := io.LimitReader(io.MultiReader(strings.NewReader(head), zeros{}), n)
			if _, err := intake.Read("x", intake.Any, r, collection.Options{}); err == nil ||
				strings.Contains(err.Error(), want) != long {
				t.Errorf("%s, %d bytes: %v", head, n, err)
			}
		}
	}
}

// Whoever follows the reading of a saved comparison may stop it, and hears of its bytes.
func TestReadingASavedComparisonCanBeStopped(t *testing.T) {
	text := saved(t, packed.View{})
	stop, asked := errors.New("stop"), 0
	progress := func(name string, bytes int64) error {
		if name != "x" || bytes != int64(len(text)) {
			t.Errorf("%s, %d bytes of %d", name, bytes, len(text))
		}
		asked++
		return stop
	}
	if _, err := intake.Read("x", intake.Any, strings.NewReader(text),
		collection.Options{Progress: progress}); !errors.Is(err, stop) || asked != 1 {
		t.Errorf("%v after %d calls", err, asked)
	}
	f, err := intake.Read("x", intake.Any, strings.NewReader(text),
		collection.Options{Limits: collection.Limits{Bytes: -1}})
	if err != nil || f.Bytes != int64(len(text)) {
		t.Errorf("without a limit: %v", err)
	}
}

func TestBytesOfFilesAreAdded(t *testing.T) {
	for _, files := range [][]string{{qrels}, {qrels, "q1\ttext\n"}, {qrels, runA}} {
		var pairs []string
		for i, text := range files {
			pairs = append(pairs, fmt.Sprint(i, ".txt"), text)
		}
		var want int64
		for _, text := range files {
			f, err := intake.Read("x", intake.Any, strings.NewReader(text), collection.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want += f.Bytes
		}
		f, err := intake.Read("x.zip", intake.Any, bytes.NewReader(zipped(t, pairs...)), collection.Options{})
		if err != nil || f.Bytes != want || want == 0 {
			t.Errorf("%d files: %+v, %v, want %d", len(files), f, err, want)
		}
	}
}

// zipped packs names and texts in turn.
func zipped(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for pair := range slices.Chunk(pairs, 2) {
		w, err := z.Create(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
