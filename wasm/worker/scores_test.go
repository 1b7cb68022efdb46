package worker

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/handout"
)

// given makes a setting of files by their names.
func given(t *testing.T, names ...string) (*lab, *message.Setting) {
	t.Helper()
	files, s := map[int][2]string{}, &message.Setting{}
	for i, name := range names {
		b, err := os.ReadFile(filepath.Join("../../core/intake/scores/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		files[i+1] = [2]string{name, string(b)}
		s.Files = append(s.Files, message.File{ID: i + 1, Name: filepath.Base(name), Size: len(b)})
	}
	return newLab(t, files), s
}

// want is the report of the same files as the terminal makes it.
func want(t *testing.T, a scores.Asked, names ...string) *report.Report {
	t.Helper()
	var files []*intake.File
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join("../../core/intake/scores/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := intake.Read(filepath.Base(name), intake.Any, bytes.NewReader(b), collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	r, err := intake.Gather(files, intake.Rule{Scores: true}).Scores.Report(a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTablesOfScoresOpenTheBoard: the screen's report is that of the terminal, and all that needs no rankings works.
func TestTablesOfScoresOpenTheBoard(t *testing.T) {
	for _, names := range [][]string{
		{"trec_eval/bm25.txt", "trec_eval/dense.txt", "trec_eval/hybrid.txt"},
		{"ir_measures/bm25.txt", "ir_measures/dense.txt", "ir_measures/hybrid.txt"},
		{"pyterrier/perquery.csv"}, {"autojudge/tot.txt"}, {"ragas/keyword.jsonl", "ragas/vector.jsonl"},
	} {
		l, s := given(t, names...)
		d := l.compare(s)
		if d.Report == nil {
			t.Fatalf("%s: %+v", names, d)
		}
		if hash := want(t, scores.Asked{}, names...).Hash; d.Report.Hash != hash {
			t.Errorf("%s: the hash is %s, and the terminal's %s", names, d.Report.Hash, hash)
		}
		if len(d.Origins) != len(d.Report.Systems) || len(d.Available) < len(d.Measures) || d.Need != "" {
			t.Errorf("%s: %+v", names, d)
		}
		// Another baseline and measure: what the terminal makes of -baseline and -m.
		last := d.Available[len(d.Available)-1]
		again := *s
		again.Chosen, again.Measures, again.Baseline = true, []string{last}, len(d.Report.Systems)-1
		other := l.compare(&again)
		label := d.Report.Systems[len(d.Report.Systems)-1].Label
		asked := scores.Asked{Measures: []string{last}, Baseline: label}
		if hash := want(t, asked, names...).Hash; other.Report.Hash != hash {
			t.Errorf("%s: with another baseline and measure the hash is %s, and the terminal's %s", names,
				other.Report.Hash, hash)
		}
		if l.compare(s).Report.Hash != d.Report.Hash {
			t.Errorf("%s: the same setting gives another report", names)
		}
		// Its link and its file open the same report.
		var links []*message.Setting
		if d.Link == "" {
			if !strings.Contains(d.Unlinked, "characters") {
				t.Errorf("%s: no link, because %q", names, d.Unlinked)
			}
		} else {
			links = append(links, &message.Setting{Link: d.Link})
		}
		for _, form := range []string{message.Comparison, message.Page} {
			saved := answer[message.Saved](l, message.Export, &message.AskExport{What: message.Wanted{Name: form},
				Measure: d.Measures[0]})
			data := saved.Bytes
			if form == message.Page {
				if !handout.Is(data) || !strings.Contains(string(data), "<code>"+d.Report.Hash+"</code>") {
					t.Errorf("%s: the page does not show the hash %s", names, d.Report.Hash)
				}
			} else if !packed.IsReport(data) {
				t.Errorf("%s: the file is no report", names)
			}
			x := newLab(t, map[int][2]string{9: {saved.Name, string(data)}})
			opened := x.compare(&message.Setting{Files: []message.File{{ID: 9, Name: saved.Name, Size: len(data)}}})
			if opened.Report == nil || opened.Report.Hash != d.Report.Hash {
				t.Errorf("%s: %s opens another report: %+v", names, saved.Name, opened)
			}
		}
		for _, link := range links {
			opened := newLab(t, nil).compare(link)
			if opened.Report == nil || opened.Report.Hash != d.Report.Hash || opened.Sent != message.SentSame {
				t.Errorf("%s: the link opens another report: %+v", names, opened)
			}
		}
		// What needs rankings says why it is not there; what needs none works.
		for kind, ask := range map[message.Kind]message.AskQuery{message.Query: {Measure: d.Measures[0], B: 1,
			Query: d.Report.Queries[0].ID, Depth: 10}} {
			r := l.do(message.Request{Kind: kind, Question: &ask})
			if r.Problem == nil || !strings.Contains(r.Problem.What, "the rankings behind them are not known") {
				t.Errorf("%s: %+v", names, r)
			}
		}
		if len(d.Report.Systems) > 1 {
			p := answer[message.PairTests](l, message.Statistics, &message.AskStatistics{A: 0, B: 1,
				Measure: d.Measures[0]})
			if len(p.Rows) == 0 {
				t.Errorf("%s: no tests of a pair", names)
			}
		}
	}
}

// TestTheBoardIsThatOfTheCommand runs the command itself on the same files.
func TestTheBoardIsThatOfTheCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	command := filepath.Join(t.TempDir(), "rankbox")
	if out, err := exec.Command("go", "build", "-o", command, "../../cmd/rankbox").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l, s := given(t, "pyterrier/perquery.csv")
	d := l.compare(s)
	out, err := exec.Command(command, "compare", "../../core/intake/scores/testdata/pyterrier/perquery.csv", "-o",
		"json").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(out, []byte(d.Report.Hash)) {
		t.Errorf("the command's report has not the hash %s", d.Report.Hash)
	}
}

// TestScoresAndTracesOfAZip: a zip of MTEB's results is their folder, and a zip of traces lists its agents.
func TestScoresAndTracesOfAZip(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	root := "../../core/intake/scores/testdata/mteb"
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		w, err := z.Create("results/" + filepath.ToSlash(rel))
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	l := newLab(t, map[int][2]string{1: {"mteb.zip", b.String()}})
	d := l.compare(&message.Setting{Files: []message.File{{ID: 1, Name: "mteb.zip", Size: b.Len()}}})
	if d.Report == nil {
		t.Fatalf("%+v", d)
	}
	noun, _ := d.Report.Given()
	labels := []string{d.Report.Systems[0].Label, d.Report.Systems[1].Label}
	if noun != "task" || len(labels) != 2 || !slices.Contains(labels, "example/large") {
		t.Errorf("%s of %s", noun, labels)
	}
	says := false
	for _, w := range d.Report.Warnings {
		says = says || strings.Contains(d.Report.Say(w, 0), "no random sample")
	}
	if !says {
		t.Error("the board does not say that tasks are no random sample")
	}
}

const twoHops = `{"query_id":"q1","query":"who built it","run_id":"agent","steps":[` +
	`{"query":"first","retrieved":["x","d1"],"tokens":100},{"query":"second","retrieved":["d3","y"],"tokens":50}]}
{"query_id":"q2","run_id":"agent","steps":[{"retrieved":["z"]},{"query":"again","retrieved":["d4"]}]}
`

// TestTracesAreMeasuredStepByStep. By hand: after the first step recall is (1/2 + 0)/2, after the second (1 + 1)/2.
func TestTracesAreMeasuredStepByStep(t *testing.T) {
	files := map[int][2]string{1: given1[1], 2: {"agent.jsonl", twoHops}}
	s := &message.Setting{}
	for id := 1; id <= 2; id++ {
		s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
	}
	d := newLab(t, files).compare(s)
	if d.Report == nil || len(d.Traced) != 1 || len(d.Courses) != 1 {
		t.Fatalf("%+v", d)
	}
	if c := d.Courses[0]; !slices.Equal(c.Recall, []float64{0.25, 1}) || !slices.Equal(c.Queries, []int{2, 2}) {
		t.Errorf("%+v", c)
	}
	found := d.Traced[0].Tables[2]
	second := false
	for _, row := range found.Rows {
		var cells []string
		for i := range row {
			cells = append(cells, row[i].Said(0))
		}
		second = second || slices.Equal(cells, []string{"q1", "d3", "2", "2", "1", "second"})
	}
	if !second {
		t.Errorf("the document of the second hop is not there: %+v", found.Rows)
	}
	if d.Report.Measures[0] != "recall" || d.Report.Columns[0].Means[0] != 1 {
		t.Errorf("%v %v", d.Report.Measures, d.Report.Columns[0].Means)
	}
	alone := newLab(t, files).compare(&message.Setting{Files: s.Files[1:]})
	if alone.Need != "qrels of traces" || alone.Report != nil {
		t.Errorf("%+v", alone)
	}
}
