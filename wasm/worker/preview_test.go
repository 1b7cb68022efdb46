package worker

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// shop is an engine over files, and what was asked of it last.
type shop struct {
	t     *testing.T
	e     *Engine
	shelf *memory
	files []message.File
	read  map[int]*int // bytes of each file that were read
	last  message.Reply
}

type counted struct {
	*strings.Reader
	n *int
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	*c.n += n
	return n, err
}

// ask asks, without or with an answer.
func (s *shop) ask(k message.Kind, r message.Request) message.Reply {
	r.ID, r.Kind = 1, k
	s.e.Handle(r)
	return s.last
}

func open(t *testing.T, given ...[2]string) *shop {
	t.Helper()
	s := &shop{t: t, shelf: &memory{files: map[string][]byte{}, room: 1 << 22}, read: map[int]*int{}}
	s.e = NewEngine(func(url string, _ func(int)) ([]byte, error) {
		if data, ok := s.shelf.files[strings.TrimPrefix(url, "/uploads/")]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("%s is not there", url)
	}, func() float64 { return 0 }, func(r message.Reply) { s.last = r })
	s.e.Device.Shelf, s.e.open.arrived = s.shelf, toy(t)
	s.give(given...)
	return s
}

// give replaces the files.
func (s *shop) give(given ...[2]string) {
	s.files = nil
	s.e.Device.Files = func(id int) (io.Reader, error) {
		if s.read[id] == nil {
			s.read[id] = new(int)
		}
		return counted{strings.NewReader(given[id][1]), s.read[id]}, nil
	}
	for i, g := range given {
		s.files = append(s.files, message.File{ID: i, Name: g[0], Size: len(g[1])})
	}
}

func (s *shop) preview(m ...message.FileMapping) *message.Previewed {
	s.t.Helper()
	r := s.ask(message.Preview, message.Request{Question: &message.AskPreview{Files: s.files, Mappings: m}})
	got, ok := r.Answer.(*message.Previewed)
	if !ok {
		s.t.Fatalf("%+v", r.Problem)
	}
	return got
}

func (s *shop) upload(m ...message.FileMapping) *message.Uploaded {
	s.t.Helper()
	r := s.ask(message.Upload, message.Request{Question: &message.AskUpload{Files: s.files, Mappings: m}})
	got, ok := r.Answer.(*message.Uploaded)
	if !ok {
		s.t.Fatalf("%+v", r.Problem)
	}
	return got
}

const odd = "ref,headline words,blurb,care,shelf\nA1,Ferry,port,storm,x\nA2,Crane,it lifts,,y\n"

// The ordinary uploads of issue 31, section 1: with columns to choose, or indexed at once.
func TestTablesAreShownBeforeTheyAreIndexed(t *testing.T) {
	queries := [2]string{"queries.csv", "id,query\n7,dock strike\n8,fog\n"}
	for _, c := range []struct {
		name   string
		given  [][2]string
		used   string // of the first table, "" for nothing to choose
		docs   int
		others string
	}{
		{"a CSV", [][2]string{{"goods.csv", "sku,name,description\nA1,Ferry,a boat\n"}},
			"description=text sku=id name=title", 1, ""},
		{"lines of id, title, body", [][2]string{{"b.jsonl", `{"id":"A1","title":"Ferry","body":"a boat"}` + "\n"}},
			"body=text id=id title=title", 1, ""},
		{"lines of id, title, text", [][2]string{{"b.jsonl", `{"id":"A1","title":"Ferry","text":"a boat"}` + "\n"}},
			"text=text id=id title=title", 1, ""},
		{"a JSON array", [][2]string{{"a.json", `[{"id":"A1","title":"x","text":"a boat"},{"id":"A2","text":"y"}]`}},
			"text=text id=id title=title", 2, ""},
		{"a text", [][2]string{{"lines.txt", "The ferry was late.\nA storm.\n"}}, "", 1,
			"1 file of text, Markdown or HTML is a document each."},
		{"loose Markdown", [][2]string{{"a.md", "# x"}, {"b.md", "# y"}}, "", 2,
			"2 files of text, Markdown or HTML are a document each."},
		{"a folder of notes", [][2]string{{"n/a.md", "# x"}, {"n/b.html", "<p>y"}, {"n/c.txt", "z"}, {"n/p.png",
			"\x89"}}, "", 3, "3 files of text"},
		{"queries beside documents", [][2]string{{"goods.csv", "sku,name,description\nA1,Ferry,a boat\n"}, queries},
			"description=text sku=id name=title", 1,
			`queries.csv: 2 queries, id from "id", query from "query".`},
		{"judgments beside documents", [][2]string{{"goods.csv", "sku,name,description\nA1,Ferry,a boat\n"},
			{"qrels.txt", "7 0 A1 1\n"}}, "description=text sku=id name=title", 1,
			"qrels.txt: qrels."},
		{"a BEIR folder", [][2]string{{"s/corpus.jsonl", `{"_id":"d1","text":"port"}`}}, "", 0, ""},
		{"files of a BEIR folder", [][2]string{{"corpus.jsonl", `{"_id":"d1","text":"port"}`},
			{"docs.npy", "\x93NUMPY"}}, "", 0, ""},
		{"a zip", [][2]string{{"s.zip", "PK\x03\x04"}}, "", 0, ""},
	} {
		s := open(t, c.given...)
		got := s.preview()
		var used []string
		if len(got.Tables) > 0 {
			for _, u := range got.Tables[0].Used {
				used = append(used, u.Column+"="+u.For)
			}
		}
		if strings.Join(used, " ") != c.used || got.Documents != c.docs || !strings.Contains(strings.Join(got.Others,
			" "), c.others) {
			t.Errorf("%s: %q, %d documents, %q", c.name, used, got.Documents, got.Others)
		}
	}
	r := open(t, [2]string{"scores.csv", "run,query,measure,value\na,q1,P@5,1\n"})
	if got := r.ask(message.Preview,
		message.Request{Question: &message.AskPreview{Files: r.files}}); got.Problem == nil ||
		!strings.Contains(got.Problem.What, "a table of scores") {
		t.Errorf("%+v", got)
	}
}

func TestAPreviewReadsTheBeginningAlone(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,text\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, "%d,a port and a storm\n", i)
	}
	s := open(t, [2]string{"large.csv", b.String()})
	got := s.preview()
	if x := got.Tables[0]; x.Whole || got.Exact || x.About < 90_000 || x.About > 110_000 ||
		len(x.Rows) != previewRows || *s.read[0] > 300<<10 {
		t.Errorf("%d rows about, %d shown, %d bytes read", x.About, len(x.Rows), *s.read[0])
	}
}

// What a person chooses is tried, indexed, and found by a word of the column.
func TestChosenColumnsAreIndexed(t *testing.T) {
	s := open(t, [2]string{"odd.csv", odd})
	if got := s.preview().Tables[0]; got.Rows[0].ID != "row-1" || got.Columns[3].Filled != 1 ||
		got.Rows[1].Cells[4] != "y" || got.Rows[1].Line != 3 {
		t.Errorf("%+v", got)
	}
	m := message.FileMapping{File: 0, Used: []message.Used{{Column: "care", For: "text"}, {Column: "blurb",
		For: "text"}, {Column: "ref", For: "id"}, {Column: "shelf", For: "category"}}}
	if got := s.preview(m).Tables[0]; got.Problem != "" || got.Rows[0].Text != "storm port" ||
		got.Rows[0].ID != "A1" || !slices.Equal(got.Rows[0].Notes, []string{"category: x"}) {
		t.Errorf("%+v", got)
	}
	made := s.upload(m)
	if made.Documents != 2 || made.Name != "odd" || len(s.shelf.files) == 0 {
		t.Errorf("%+v", made)
	}
	s.ask(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + made.ID + "/"}})
	found, ok := s.ask(message.Search, message.Request{Question: &experiment.Spec{Query: "storm",
		Systems: []string{"bm25"}}}).Answer.(*experiment.Results)
	if !ok || len(found.Lists[0].Hits) != 1 || found.Lists[0].Hits[0].ID != "A1" {
		t.Errorf("%+v", s.last)
	}
	// A mapping that does not fit says where, and nothing is kept.
	m.Used[2] = message.Used{Column: "headline words", For: "grade"}
	if got := s.preview(m).Tables[0]; !strings.Contains(got.Problem, "is of a query and a document") {
		t.Errorf("%+v", got.Problem)
	}
	s = open(t, [2]string{"odd.csv", strings.Replace(odd, "A2", "A1", 1)})
	m.Used[2] = message.Used{Column: "ref", For: "id"}
	r := s.ask(message.Upload, message.Request{Question: &message.AskUpload{Files: s.files,
		Mappings: []message.FileMapping{m}}})
	if r.Problem == nil || !strings.Contains(r.Problem.What,
		`odd.csv: line 3: the id "A1" (column "ref") is that of line 2 too`) || len(s.shelf.files) != 0 {
		t.Errorf("%+v", r.Problem)
	}
}

func TestAMappingBesideTheDataIsTaken(t *testing.T) {
	file := func(column string) [2]string {
		return [2]string{"m.json", `{"format":"rankbox-mapping","version":1,"id":"ref","text":"` + column + `"}`}
	}
	s := open(t, file("care"), [2]string{"odd.csv", odd})
	got := s.preview()
	if x := got.Tables[0]; x.From != "m.json" || x.Rows[0].Text != "storm" || len(got.Tables) != 1 ||
		len(got.Others) != 0 {
		t.Errorf("%+v", got)
	}
	if made := s.upload(message.FileMapping{File: 1, Used: got.Tables[0].Used}); made.Documents != 2 ||
		made.Name != "odd" {
		t.Errorf("%+v", made)
	}
	s = open(t, file("gone"), [2]string{"odd.csv", odd})
	r := s.ask(message.Preview, message.Request{Question: &message.AskPreview{Files: s.files}})
	if r.Problem == nil || !strings.Contains(r.Problem.What, `odd.csv: line 1: there is no column "gone"`) {
		t.Errorf("%+v", r.Problem)
	}
}

// Texts of a file are cut, and stay texts: markup and what turns the direction of writing are shown as they are read.
func TestHostileCellsAreCutAndVisible(t *testing.T) {
	s := open(t, [2]string{"a.csv", "id,text,<script>\n\u202e1,\"<img src=x onerror=alert(1)>" + strings.Repeat("x",
		5000) + "\",z\n"})
	got := s.preview().Tables[0]
	if row := got.Rows[0]; len(row.Text) > 2100 || len(row.Cells[1]) > 1000 || strings.Contains(row.ID, "\u202e") ||
		!strings.HasPrefix(row.Text, "<img src=x") {
		t.Errorf("%+v", row)
	}
	if got.Columns[2].Name != "<script>" {
		t.Errorf("%+v", got.Columns)
	}
}

// A BEIR corpus of short texts without titles looks like queries; its name says what it is.
func TestACorpusOfShortTextsIsNotTakenForQueries(t *testing.T) {
	lines := `{"_id":"a","text":"a ferry"}` + "\n"
	for corpus, documents := range map[string]bool{"corpus.jsonl": true, "other-queries.jsonl": false} {
		s := open(t, [2]string{corpus, lines}, [2]string{"queries.jsonl", lines})
		r := s.ask(message.Preview, message.Request{Question: &message.AskPreview{Files: s.files}})
		if got, ok := r.Answer.(*message.Previewed); !ok || (got.Queries == 0) != documents {
			t.Errorf("%s: %+v, %+v", corpus, r.Answer, r.Problem)
		}
	}
}
