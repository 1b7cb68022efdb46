package worker

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/chart"
)

// The files of the tests: two queries, two runs. By hand: AP of a is (1/1 + 2/3)/2 = 5/6 for q1 and 1/2 for q2, of b
// 1/2 and 1.
var given1 = map[int][2]string{
	1: {"t.qrels", "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d4 1\n"},
	2: {"a.run", "q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq1 Q0 d3 3 7 a\nq2 Q0 d9 1 2 a\nq2 Q0 d4 2 1 a\n"},
	3: {"b.run.gz", "q1 Q0 d2 1 9 b\nq1 Q0 d1 2 8 b\nq1 Q0 d3 3 7 b\nq2 Q0 d4 1 2 b\n"},
	4: {"broken.run", "q1 Q0 d1 1 9 a\nq1 Q0 d2 2 high a\n"},
	5: {"letter.txt", "Dear Sir or Madam\n"},
	6: {"chunks.run", "q1 Q0 d1#0 1 9 c\nq1 Q0 d1#1 2 8 c\nq1 Q0 d3#0 3 7 c\nq2 Q0 d4#7 1 2 c\n"},
	7: {"other.qrels", "q1 0 d1 1\n"},
}

// lab is an engine whose files are those of a map, and what it has answered.
type lab struct {
	*Engine
	t       *testing.T
	replies []message.Reply
	opened  map[int]int
	id      uint64
}

func newLab(t *testing.T, files map[int][2]string) *lab {
	l := &lab{t: t, opened: map[int]int{}}
	l.Engine = NewEngine(nil, nil, func(r message.Reply) { l.replies = append(l.replies, r) })
	l.Device.Files = func(id int) (io.Reader, error) {
		f, ok := files[id]
		if !ok {
			return nil, errors.New("gone")
		}
		l.opened[id]++
		return strings.NewReader(f[1]), nil
	}
	return l
}

func (l *lab) do(r message.Request) message.Reply {
	l.t.Helper()
	l.id++
	r.ID = l.id
	l.Handle(r)
	last := l.replies[len(l.replies)-1]
	if last.ID != l.id || last.Progress != nil {
		l.t.Fatalf("no final answer: %+v", last)
	}
	return last
}

// answer asks and returns the answer, which there must be one of.
func answer[A any](l *lab, kind message.Kind, question wire.Wirer) *A {
	l.t.Helper()
	r := l.do(message.Request{Kind: kind, Question: question})
	a, ok := r.Answer.(any).(*A)
	if !ok || r.Problem != nil {
		l.t.Fatalf("%T, %+v", r.Answer, r.Problem)
	}
	return a
}

func setting(ids ...int) *message.Setting {
	s := &message.Setting{}
	for _, id := range ids {
		s.Files = append(s.Files, message.File{ID: id, Name: given1[id][0], Size: len(given1[id][1])})
	}
	return s
}

func (l *lab) compare(s *message.Setting) *message.Compared {
	l.t.Helper()
	return answer[message.Compared](l, message.Runs, s)
}

func TestFilesAreReadOnceAndCompared(t *testing.T) {
	l := newLab(t, given1)
	s := setting(1, 2, 3)
	s.Chosen, s.Measures = true, []string{"AP"}
	d := l.compare(s)
	if d.Report == nil || len(d.Report.Systems) != 2 || d.Report.Systems[0].Label != "a" ||
		d.Report.Systems[1].Label != "b" {
		t.Fatalf("%+v", d)
	}
	for i, want := range [][]float64{{5.0 / 6, 0.5}, {(0.5 + 2.0/3) / 2, 1}} {
		for q, v := range want {
			if got := d.Report.Columns[0].Values[i][q]; math.Abs(got-v) > 1e-15 {
				t.Errorf("run %d, query %d: AP %v, want %v", i, q, got, v)
			}
		}
	}
	if !strings.HasPrefix(d.Link, packed.LinkPrefix) || d.Without == "" {
		t.Errorf("link %q without %q", d.Link, d.Without)
	}
	again := *s
	again.Policy = "missing=skip"
	if l.compare(&again); l.opened[2] != 1 {
		t.Errorf("a file was read %d times", l.opened[2])
	}
	if l.compare(s).Report.Hash != d.Report.Hash {
		t.Error("the same setting gives another report")
	}
	link := &message.Setting{Link: d.Link}
	if got := l.compare(link); got.Report.Hash != d.Report.Hash || len(got.Measures) != 1 || got.Measures[0] != "AP" {
		t.Errorf("the link gives another report, %v", got.Measures)
	}
}

func TestWhatCannotBeComparedIsSaidWithItsReason(t *testing.T) {
	l := newLab(t, given1)
	for _, c := range []struct {
		name    string
		files   []int
		need    string
		file    int // of the problem, as index
		problem string
		line    int
	}{
		{"no qrels", []int{2, 3}, "qrels", -1, "", 0},
		{"no runs", []int{1}, "runs", -1, "", 0},
		{"nothing", []int{5}, "runs and qrels", 0, "columns", 1},
		{"a damaged line", []int{1, 2, 4}, "", 2, "not a number", 2},
		{"judgments twice", []int{1, 7, 2}, "", 1, "already", 0},
	} {
		d := l.compare(setting(c.files...))
		if d.Need != c.need || (d.Report != nil) != (c.need == "") {
			t.Errorf("%s: need %q, report %v", c.name, d.Need, d.Report != nil)
		}
		if c.file >= 0 {
			if f := d.Files[c.file]; !strings.Contains(f.Problem, c.problem) || f.Line != c.line {
				t.Errorf("%s: %q in line %d", c.name, f.Problem, f.Line)
			}
		}
	}
	gone := setting(1, 2)
	gone.Files = append(gone.Files, message.File{ID: 99, Name: "gone.run"})
	if d := l.compare(gone); d.Files[2].Problem != "gone" || d.Report == nil {
		t.Errorf("%+v", d.Files)
	}
	for _, link := range []string{"runs=", "runs=AAAA&x=00000000", "nonsense"} {
		if r := l.do(message.Request{Kind: message.Runs, Question: &message.Setting{Link: link}}); r.Problem == nil ||
			!strings.Contains(r.Problem.What, "could not be opened") {
			t.Errorf("%s: %+v", link, r.Problem)
		}
	}
}

func TestFilesBeyondTheMemoryOfTheDeviceAreRefused(t *testing.T) {
	l := newLab(t, given1)
	s := setting(1, 2, 3)
	s.Limit = len(given1[1][1]) + len(given1[2][1]) - 10
	d := l.compare(s)
	if d.Files[0].Problem != "" || !strings.Contains(d.Files[1].Problem+d.Files[2].Problem, "on this device") {
		t.Errorf("%q, %q, %q", d.Files[0].Problem, d.Files[1].Problem, d.Files[2].Problem)
	}
}

func TestChunksCollapseByTheRule(t *testing.T) {
	l := newLab(t, given1)
	d := l.compare(setting(1, 2, 6))
	if d.Separator != "#" {
		t.Fatalf("suggestion %q", d.Separator)
	}
	s := setting(1, 2, 6)
	s.Separator = "#"
	d = l.compare(s)
	if got := d.Report.Coverage[1].Documents; got != 3 || d.Separator != "" {
		t.Errorf("%d documents, suggestion %q", got, d.Separator)
	}
}

// The map is a file among the others: a heading that names its columns, or a JSON object of strings.
func TestChunksCollapseByAMap(t *testing.T) {
	for name, text := range map[string]string{
		"tsv":  "chunk_id\tdoc_id\nd1#0\td1\nd1#1\td1\nd3#0\td3\nd4#7\td4\n",
		"csv":  "chunk,document\r\nd1#0,d1\r\nd1#1,d1\r\nd3#0,d3\r\nd4#7,d4\r\n",
		"json": `{"d1#0": "d1", "d1#1": "d1", "d3#0": "d3", "d4#7": "d4"}`,
	} {
		t.Run(name, func(t *testing.T) {
			files := map[int][2]string{1: given1[1], 2: given1[6], 3: {"where." + name, text}}
			d := newLab(t, files).compare(setting(1, 2, 3))
			if d.Files[2].What != "map of chunks" || d.Files[2].Entries != 4 || d.Files[2].Problem != "" {
				t.Fatalf("%+v", d.Files[2])
			}
			if d.Report == nil || d.Report.Coverage[0].Documents != 3 {
				t.Errorf("%+v", d.Report)
			}
		})
	}
	files := map[int][2]string{1: given1[1], 2: given1[6], 3: {"bad.tsv", "chunk\tdoc\nd1#0\td1\nd1#1\n"}}
	d := newLab(t, files).compare(setting(1, 2, 3))
	if d.Files[2].Problem == "" || d.Files[2].Line != 3 {
		t.Errorf("%+v", d.Files[2])
	}
}

func TestANewerRequestStopsTheReading(t *testing.T) {
	l := newLab(t, given1)
	now := 0.0
	l.page.clock = func() float64 { now += 100_000; return now }
	l.page.outdated = func(message.Request) bool { return true }
	if r := l.do(message.Request{Kind: message.Runs, Question: setting(1, 2, 3)}); r.Answer != nil || r.Problem == nil {
		t.Errorf("%+v", r)
	}
	l.page.outdated = func(message.Request) bool { return false }
	l.compare(setting(1, 2, 3))
	if len(l.replies) < 4 {
		t.Error("no progress was told")
	}
}

func TestQuestionsAboutAQuery(t *testing.T) {
	l := newLab(t, given1)
	if r := l.do(message.Request{Kind: message.Query, Question: &message.AskQuery{Query: "q1"}}); r.Problem == nil {
		t.Error("a question without a comparison was answered")
	}
	l.compare(setting(1, 2, 3))
	d := answer[message.Detail](l, message.Query, &message.AskQuery{A: 0, B: 1, Measure: "AP", Query: "q1", Depth: 2})
	if len(d.Sides) != 2 || len(d.Sides[0].Docs) != 2 || d.Sides[0].Size != 3 || len(d.Unfolded) != 2 {
		t.Fatalf("%+v", d)
	}
	sum := 0.0
	for _, c := range d.Why.Changes {
		sum += c.Diff
	}
	if math.Abs(sum-d.Why.Diff) > 1e-12 || math.Abs(d.Why.Diff-((0.5+2.0/3)/2-5.0/6)) > 1e-12 {
		t.Errorf("the parts sum to %v, the difference is %v", sum, d.Why.Diff)
	}
	if x := answer[message.Explanations](l, message.Reasons,
		&message.AskReasons{A: 0, B: 1, Measure: "AP", Queries: []string{"q1", "q2"}}); len(x.List) != 2 ||
		x.List[1].Query != "q2" {
		t.Errorf("%+v", x)
	}
	if x := answer[message.Opined](l, message.Opinions, &message.AskOpinions{Measure: "AP"}); len(x.Tools) < 5 ||
		x.Measure != "AP" {
		t.Errorf("%+v", x)
	}
	for _, bad := range []message.AskQuery{{A: 7, Measure: "AP", Query: "q1"}, {Measure: "AP", Query: "q9"},
		{Measure: "xx", Query: "q1"}, {Measure: "AP"}} {
		if r := l.do(message.Request{Kind: message.Query, Question: &bad}); r.Problem == nil {
			t.Errorf("%+v was answered", bad)
		}
	}
}

func TestExportsAndSavedFilesOpenAgain(t *testing.T) {
	files := map[int][2]string{}
	for id, f := range given1 {
		files[id] = f
	}
	files[8] = [2]string{"odd.run", "q1 Q0 d1 1 9 a\nq1 Q0 d1 1 9 a\nq1 Q0 d3 2 8 a extra\n"}
	l := newLab(t, files)
	s := setting(1, 2, 3)
	s.Files = append(s.Files, message.File{ID: 8, Name: "odd.run", Size: 10})
	first := l.compare(s)
	if !first.Files[3].Fixable || len(first.Files[3].Notes) == 0 {
		t.Errorf("%+v", first.Files[3])
	}
	export := func(what string) *message.Saved {
		t.Helper()
		x := answer[message.Saved](l, message.Export, &message.AskExport{What: message.Wanted{Name: what}})
		if len(x.Bytes) == 0 || x.Name == "" || x.Type == "" {
			t.Fatalf("%s: %+v", what, x)
		}
		return x
	}
	for _, what := range []string{"latex", "md", "csv", "csv-queries", "json-queries", "trec-queries", "text",
		"unjudged"} {
		export(what)
	}
	repaired := answer[message.Saved](l, message.Export,
		&message.AskExport{What: message.Wanted{Name: message.Repaired, File: 8}})
	_, notes, err := collection.ReadRun(bytes.NewReader(repaired.Bytes), "fixed", collection.Options{})
	if settled, _ := collection.Fixable(notes); err != nil || len(settled) > 0 {
		t.Errorf("the repaired file: %v, %v", err, settled)
	}
	files[9] = [2]string{"comparison.rankbox", string(export("comparison").Bytes)}
	files[10] = [2]string{"snapshot.rankbox-report", string(export("snapshot").Bytes)}
	d := l.compare(&message.Setting{Files: []message.File{{ID: 9, Name: files[9][0]}, {ID: 10, Name: files[10][0]}}})
	if d.Report.Hash != first.Report.Hash {
		t.Error("the saved comparison gives another report")
	}
	if d.Snapshot != files[10][0] || len(d.Regression) == 0 {
		t.Errorf("snapshot %q, %d changes", d.Snapshot, len(d.Regression))
	}
	files[11] = [2]string{"cut.rankbox", files[9][1][:60]}
	if d := l.compare(&message.Setting{Files: []message.File{{ID: 11, Name: "cut.rankbox"}}}); !strings.Contains(
		d.Files[0].Problem, "damaged") {
		t.Errorf("%+v", d.Files)
	}
	for _, what := range []message.Wanted{{Name: "xlsx"}, {Name: "fix 8"}, {Name: message.Repaired, File: 99},
		{Name: message.Repaired, File: 9}} {
		if r := l.do(message.Request{Kind: message.Export,
			Question: &message.AskExport{What: what}}); r.Problem == nil {
			t.Errorf("%+v was exported", what)
		}
	}
	if r := l.do(message.Request{Kind: message.Export, Question: &message.AskExport{}}); r.Problem != nil ||
		r.Answer != nil {
		t.Errorf("an export that is wanted no longer: %+v", r)
	}
}

func TestRunsGetNamesWithoutBeingMeasuredAgain(t *testing.T) {
	l := newLab(t, given1)
	s := setting(1, 2, 3)
	d := l.compare(s)
	if len(d.Origins) != 2 || d.Origins[1] != (message.Origin{File: 3}) {
		t.Fatalf("%+v", d.Origins)
	}
	named := *s
	named.Names = []message.Name{{Origin: message.Origin{File: 3}, Name: "<b>prod</b>"},
		{Origin: message.Origin{File: 77}, Name: "nobody"}, {Origin: message.Origin{File: 2}, Name: ""}}
	got := l.compare(&named)
	if got.Report.Systems[0].Label != "a" || got.Report.Systems[1].Label != "<b>prod</b>" ||
		!strings.Contains(got.Report.Sentence(say.Plain), "<b>prod</b>") || got.Report.Hash != d.Report.Hash {
		t.Errorf("%+v: %s", got.Report.Systems, got.Report.Sentence(say.Plain))
	}
	if &got.Report.Columns[0].Values[0][0] != &d.Report.Columns[0].Values[0][0] {
		t.Error("a name made the runs be measured again")
	}
	if x := l.compare(&message.Setting{Link: got.Link}); x.Report.Hash != got.Report.Hash {
		t.Error("the link does not keep the name")
	}
	whole := answer[message.Saved](l, message.Export, &message.AskExport{What: message.Wanted{Name: "comparison"},
		View: "measure=1&pair=1-2&query=q2"})
	in, err := packed.Unpack(whole.Bytes)
	if err != nil || in.Runs[1].Name != "<b>prod</b>" || in.View.Open != "q2" {
		t.Errorf("%+v, %v", in, err)
	}
	if l.compare(s).Report.Hash != d.Report.Hash {
		t.Error("without the names the report is another one")
	}
}

// A run keeps its letter when one before it leaves: in the report, in what is saved, drawn and linked, and without
// another hash.
func TestARunKeepsItsLetter(t *testing.T) {
	l := newLab(t, given1)
	s := setting(1, 3)
	plain := l.compare(s)
	s.Letters = []message.Lettered{{Origin: message.Origin{File: 3}, Place: 2}}
	d := l.compare(s)
	if d.Report.Letter(0) != "C" || d.Report.Hash != plain.Report.Hash ||
		&d.Report.Columns[0].Values[0][0] != &plain.Report.Columns[0].Values[0][0] {
		t.Errorf("letter %s, hash %s", d.Report.Letter(0), d.Report.Hash)
	}
	if x := answer[message.Saved](l, message.Export,
		&message.AskExport{What: message.Wanted{Name: "text"}}); !strings.Contains(string(x.Bytes), "\nC ") &&
		!strings.Contains(string(x.Bytes), " C ") {
		t.Errorf("%s", x.Bytes)
	}
	f, err := chart.Lookup("intervals")
	if err != nil {
		t.Fatal(err)
	}
	if p := f.Draw(&chart.Input{Report: d.Report}); p.Layers[0].Role != chart.RoleOf(2) ||
		!strings.HasPrefix(p.Sentence, "C ") || !strings.Contains(p.SVG(chart.Light), ">C b<") {
		t.Errorf("%+v %s %s", p.Layers[0], p.Sentence, p.SVG(chart.Light))
	}
	s = setting(1, 3, 2) // another comes: it takes the first letter that is free
	s.Letters = []message.Lettered{{Origin: message.Origin{File: 3}, Place: 2}}
	if d = l.compare(s); d.Report.Letter(0) != "C" || d.Report.Letter(1) != "A" {
		t.Errorf("%v", d.Report.Letters)
	}
	whole := answer[message.Saved](l, message.Export, &message.AskExport{What: message.Wanted{Name: "comparison"},
		View: packed.View{}.WithLetters(d.Report.Letters).String()})
	files := map[int][2]string{9: {"saved.rankbox", string(whole.Bytes)}}
	l = newLab(t, files)
	if again := l.compare(&message.Setting{
		Files: []message.File{{ID: 9, Name: "saved.rankbox", Size: len(whole.Bytes)}}}); again.Report.Letter(
		0) != "C" || again.Report.Letter(1) != "A" || again.Report.Hash != d.Report.Hash {
		t.Errorf("%v", again.Report.Letters)
	}
}

func TestEveryMeasureIsTestedOnDemand(t *testing.T) {
	l := newLab(t, given1)
	s := setting(1, 2, 3)
	s.Chosen, s.Measures = true, []string{"AP", "RR"}
	d := l.compare(s)
	got := answer[report.Tests](l, message.Tests, &message.AskTests{Measure: "RR"})
	if got.Column != 1 || len(got.Pairs) != 1 || got.Pairs[0].Diff != d.Report.Columns[1].Means[1]-
		d.Report.Columns[1].Means[0] {
		t.Fatalf("%+v", got)
	}
	if x := l.do(message.Request{Kind: message.Tests, Question: &message.AskTests{Measure: "P@7"}}); x.Problem == nil {
		t.Errorf("%+v", x)
	}
	for _, what := range []string{"latex", "text", "md", "json-queries"} {
		x := answer[message.Saved](l, message.Export,
			&message.AskExport{What: message.Wanted{Name: what}, Measure: "RR"})
		if what == "json-queries" && !bytes.Contains(x.Bytes, []byte(`{"measure":"RR","a":"a"`)) ||
			what != "json-queries" && !bytes.Contains(x.Bytes, []byte("Differences in RR")) {
			t.Errorf("%s does not hold the tests on RR", what)
		}
	}
	// the table of every measure has the p of every measure
	lines := strings.Split(string(answer[message.Saved](l, message.Export,
		&message.AskExport{What: message.Wanted{Name: "csv"}}).Bytes), "\n")
	head, tested := strings.Split(lines[0], ","), 0
	for _, line := range lines[1:] {
		if cells := strings.Split(line, ","); len(cells) == len(head) && cells[slices.Index(head, "baseline")] != "" {
			tested++
			if cells[slices.Index(head, "p")] == "" || cells[slices.Index(head, "p_holm")] == "" {
				t.Errorf("no p: %s", line)
			}
		}
	}
	if tested != 2 {
		t.Errorf("%d rows of two measures have a test", tested)
	}
}

func TestTwentyRunsAreComparedAndAFurtherOneIsRefusedByName(t *testing.T) {
	files := map[int][2]string{1: given1[1]}
	s := &message.Setting{Files: []message.File{{ID: 1, Name: "t.qrels"}}}
	for i := range 21 {
		files[10+i] = [2]string{"r.run", "q1 Q0 d" + string(rune('1'+i%3)) + " 1 9 t\nq2 Q0 x" + string(rune('a'+i)) +
			" 1 9 t\n"}
		s.Files = append(s.Files, message.File{ID: 10 + i, Name: "r" + string(rune('a'+i)) + ".run"})
	}
	l := newLab(t, files)
	d := l.compare(s)
	if len(d.Report.Systems) != message.MaxRuns || len(d.Origins) != message.MaxRuns {
		t.Errorf("%d runs", len(d.Report.Systems))
	}
	if last := d.Files[21]; !strings.Contains(last.Problem, "the limit is 20 runs") || d.Files[20].Problem != "" {
		t.Errorf("%+v", last)
	}
}

func TestAFileThatIsDroppedTwiceIsNoticed(t *testing.T) {
	files := map[int][2]string{1: given1[1], 2: given1[2], 3: given1[3], 4: given1[2]}
	s := &message.Setting{}
	for id, name := range []string{"t.qrels", "a.run", "b.run", "a.run"} {
		s.Files = append(s.Files, message.File{ID: id + 1, Name: name})
	}
	d := newLab(t, files).compare(s)
	notes := ""
	for _, n := range d.Files[3].Notes {
		notes += n.Message
	}
	if !strings.Contains(notes, "the same as a,") || len(d.Files[2].Notes) > 0 &&
		strings.Contains(d.Files[2].Notes[0].Message, "the same as") {
		t.Errorf("%+v", d.Files)
	}
	if d.Report.Systems[2].Label != "a (2)" {
		t.Errorf("%+v", d.Report.Systems)
	}
}

func TestSubtopicsBringTheirMeasures(t *testing.T) {
	files := map[int][2]string{1: {"d.qrels", "q1 1 d1 1\nq1 2 d1 0\nq1 2 d3 1\nq2 1 d4 1\n"}, 2: given1[2],
		3: given1[3]}
	s := &message.Setting{Files: []message.File{{ID: 1, Name: "d.qrels"}, {ID: 2, Name: "a.run"},
		{ID: 3, Name: "b.run"}}}
	d := newLab(t, files).compare(s)
	if d.Report == nil || d.Report.Measures[0] != "alpha_nDCG@10" || d.Report.Columns[0].Means[0] == 0 {
		t.Fatalf("%+v", d)
	}
}

// Preferences are known by their columns, said to be such, bring their measures, and are not offered repaired, which
// would make qrels of them.
func TestPreferencesBringTheirMeasures(t *testing.T) {
	files := map[int][2]string{
		1: {"prefs.txt", "q1 u1 s d1 2\nq1 u1 s d2 1\nq1 u1 s d2 1\nq1 u2 s d2 3\nq1 u2 s d3 0\n"},
		2: {"a.run", "q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\n"}}
	got := newLab(t, files).compare(
		&message.Setting{Files: []message.File{{ID: 1, Name: "prefs.txt"}, {ID: 2, Name: "a.run"}}})
	r := got.Report
	// By hand: of d1 > d2 and d2 > d3 the second holds.
	if r == nil || r.Measures[0] != "prefs_simp" || r.Columns[0].Means[0] != 0.5 ||
		got.Files[0].What != "preferences" || got.Files[0].Fixable || got.Files[0].Queries != 1 {
		t.Fatalf("%+v %+v", got.Files, got.Need)
	}
	if len(got.Files[0].Notes) != 2 ||
		!strings.Contains(got.Files[0].Notes[1].Message, "preference judgments (prefs)") {
		t.Errorf("%+v", got.Files[0].Notes)
	}
}

// Whole numbers in JSON are judgments, or scores where the judgments are in another file: whichever of the two was
// given first.
func TestWholeNumbersInJSONAreScoresBesideJudgments(t *testing.T) {
	files := map[int][2]string{
		1: {"a.json", `{"q1": {"d1": 3, "d2": 2}}`}, 2: {"t.qrels", "q1 0 d2 1\n"}, 3: {"b.run", "q1 Q0 d2 1 2 b\n"},
		4: {"t.json", `{"q1": {"d2": 1}}`},
	}
	at := func(ids ...int) *message.Setting {
		s := &message.Setting{Measures: []string{"RR"}, Chosen: true}
		for _, id := range ids {
			s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
		}
		return s
	}
	for _, ids := range [][]int{{1, 2, 3}, {3, 2, 1}, {2, 3, 1}} {
		got := newLab(t, files).compare(at(ids...))
		if got.Report == nil || len(got.Report.Systems) != 2 {
			t.Fatalf("%v: %+v", ids, got)
		}
		for s, system := range got.Report.Systems {
			if want := map[string]float64{"a": 0.5, "b": 1}[system.Label]; got.Report.Columns[0].Means[s] != want {
				t.Errorf("%v: %s has %v, want %v", ids, system.Label, got.Report.Columns[0].Means[s], want)
			}
		}
	}
	if got := newLab(t, files).compare(at(4, 3)); got.Report == nil || got.Report.Columns[0].Means[0] != 1 {
		t.Errorf("JSON alone is no judgments: %+v", got)
	}
}

// Runs and judgments that share no document are refused with the likely reason, and no report is made.
func TestFilesThatDoNotBelongTogetherAreRefused(t *testing.T) {
	l := newLab(t, map[int][2]string{1: {"q.qrels", "q1 0 docs/a.md 1\nq2 0 docs/b.md 1\n"},
		2: {"a.run", "q1 Q0 a.md 1 2 t\nq2 Q0 b.md 1 2 t\n"}})
	r := l.do(message.Request{Kind: message.Runs, Question: setting(1, 2)})
	if r.Answer != nil || r.Problem == nil || !strings.Contains(r.Problem.What, "No judged document is in any run: these "+
		"files do not belong together. The ids differ in the path before them: \"docs/a.md\" in the judgments") {
		t.Errorf("%+v, %+v", r.Problem, r.Answer)
	}
}
