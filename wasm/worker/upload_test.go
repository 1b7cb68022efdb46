package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
)

// memory is a Shelf of so many bytes.
type memory struct {
	files map[string][]byte
	held  map[string][]byte // what was not kept
	room  int
	quota float64 // what the browser says of it
}

func (m *memory) Put(id, name string, data []byte) error {
	if m.used()+len(data) > m.room {
		return errors.New("quota exceeded")
	}
	m.files[id+"/"+name] = data
	return nil
}

func (m *memory) Hold(id, name string, data []byte) {
	if m.held == nil {
		m.held = map[string][]byte{}
	}
	m.held[id+"/"+name] = data
}

func (m *memory) used() (n int) {
	for _, data := range m.files {
		n += len(data)
	}
	return n
}

func (m *memory) List() (map[string][]string, error) {
	out := map[string][]string{}
	for key := range m.files {
		id, name, _ := strings.Cut(key, "/")
		out[id] = append(out[id], name)
	}
	return out, nil
}

func (m *memory) Get(id, name string) ([]byte, error) { return m.files[id+"/"+name], nil }

func (m *memory) Delete(id string) error {
	maps.DeleteFunc(m.files, func(key string, _ []byte) bool { return strings.HasPrefix(key, id+"/") })
	return nil
}

func (m *memory) Room() (used, quota float64, stays bool) { return float64(m.used()), m.quota, false }

// toy is an encoder of two words in two dimensions: what says port lies along one, what says storm along the other.
func toy(t *testing.T) *encoder.Static {
	t.Helper()
	x, err := encoder.New(&encoder.File{Name: "toy", Teacher: "none", Dim: 2,
		Vocabulary: "[PAD]\n[UNK]\n[CLS]\n[SEP]\nport\nstorm\n", Rows: "\x88\x88\x88\x88\x8f\xf8",
		Scales: []float64{1, 1, 1, 1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestFilesBecomeACollectionThatIsKept(t *testing.T) {
	given := []string{
		"id,title,text\nd1,Port,the port was closed\nd2,Storm,a storm came\nd3,Both,port and storm\n",
		`{"_id":"q1","text":"storm"}` + "\n",
		"q1 0 d2 1\n",
	}
	names := []string{"news.csv", "queries.jsonl", "qrels.txt"}
	shelf := &memory{files: map[string][]byte{}, room: 1 << 20}
	var replies []message.Reply
	e := NewEngine(func(url string, _ func(int)) ([]byte, error) {
		if data, ok := shelf.files[strings.TrimPrefix(url, "/uploads/")]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("%s is not there", url)
	}, func() float64 { return 0 }, func(r message.Reply) { replies = append(replies, r) })
	e.Device.Shelf = shelf
	e.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(given[id]), nil }
	e.open.arrived = toy(t)
	var files []message.File
	for i, n := range names {
		files = append(files, message.File{ID: i, Name: n, Size: len(given[i])})
	}
	last := func() message.Reply { return replies[len(replies)-1] }
	ask := func(k message.Kind, r message.Request) message.Reply {
		r.ID, r.Kind = uint64(len(replies)+1), k
		e.Handle(r)
		return last()
	}
	r := ask(message.Upload, message.Request{Question: &message.AskUpload{Files: files}})
	made, ok := r.Answer.(*message.Uploaded)
	if !ok || made.Documents != 3 || made.Queries != 1 || made.Judgments != 1 || made.Name != "news" ||
		!strings.HasPrefix(made.ID, UploadPrefix) || !slices.Equal(made.Models, []string{"static MiniLM"}) {
		t.Fatalf("%+v, %+v", r, r.Problem)
	}
	list := ask(message.Uploads, message.Request{Question: &message.AskUploads{}}).Answer.(*message.Shelf)
	if len(list.List) != 1 || list.List[0].ID != made.ID || list.Used == 0 {
		t.Fatalf("%+v", list)
	}
	// It opens as any collection does; judged and typed queries are answered by words and by vectors.
	if r := ask(message.Open,
		message.Request{Question: &message.Place{Base: "/uploads/" + made.ID + "/"}}); r.Problem != nil {
		t.Fatalf("%+v", r.Problem)
	}
	for _, q := range []experiment.Spec{{QueryID: "q1"}, {Query: "storm"}} {
		q.Systems = []string{"bm25", "dense", "rrf(bm25, dense)"}
		res, ok := ask(message.Search, message.Request{Question: &q}).Answer.(*experiment.Results)
		if !ok {
			t.Fatalf("%+v", last().Problem)
		}
		for i, l := range res.Lists {
			if len(l.Hits) == 0 || l.Hits[0].ID != "d2" {
				t.Errorf("%+v, %s: %s %+v", q, q.Systems[i], l.Problem, l.Hits)
			}
		}
		if l := res.Lists[1].Label; l != "Dense (static MiniLM)" {
			t.Errorf("a list of vectors that no model made is called %s", l)
		}
	}
	planned, ok := ask(message.Experiment, message.Request{Question: &message.AskExperiment{
		Matrix: message.Matrix{Systems: []string{"bm25", "dense"}, Measures: []string{"AP"}},
	}}).Answer.(*message.Experimented)
	if !ok || len(planned.Runs) != 2 || planned.Runs[1].Label != "Dense (static MiniLM)" {
		t.Errorf("an experiment calls them %+v, %+v", planned, last().Problem)
	}
	// The same files are the same collection; what finds no room leaves nothing behind; what is deleted is gone.
	if again := ask(message.Upload, message.Request{Question: &message.AskUpload{Files: files}}).Answer.(*message.Uploaded); again.ID != made.ID {
		t.Errorf("%s and %s", again.ID, made.ID)
	}
	if r := ask(message.Uploads, message.Request{Question: &message.AskUploads{Delete: made.ID}}); len(
		r.Answer.(*message.Shelf).List) != 0 || len(shelf.files) != 0 {
		t.Errorf("%+v, %d files", r.Answer, len(shelf.files))
	}
	shelf.room = 300
	if r := ask(message.Upload, message.Request{Question: &message.AskUpload{Files: files}}); r.Problem != nil ||
		!strings.Contains(r.Answer.(*message.Uploaded).Unkept, "quota exceeded") || len(shelf.files) != 0 ||
		len(shelf.held) == 0 {
		t.Errorf("no room: %+v, %d files", r.Problem, len(shelf.files))
	}
	if r := ask(message.Upload, message.Request{Question: &message.AskUpload{Files: files[1:]}}); r.Problem == nil ||
		!strings.Contains(r.Problem.What, "no documents in queries.jsonl, qrels.txt") {
		t.Errorf("no documents: %+v", r.Problem)
	}
}

// npy is an array as NumPy 1.0 writes it.
func npy(descr string, shape string, data string) string {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	return "\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + data
}

func floats(list ...float32) string {
	var b []byte
	for _, f := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return string(b)
}

// A folder in BEIR's layout is one collection: hidden files and other splits stay out. Its own vectors rank by hand:
// the query (1, 0) lies along the
// second document.
func TestAFolderAndItsVectors(t *testing.T) {
	corpus := `{"_id":"d1","text":"port"}` + "\n" + `{"_id":"d2","text":"storm"}` + "\n"
	queries := `{"_id":"q1","text":"port"}` + "\n"
	folder := [][2]string{{"set/.DS_Store", "\x00"}, {"set/README.md", "words"}, {"set/corpus.jsonl", corpus},
		{"set/queries.jsonl", queries}, {"set/qrels/train.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n"},
		{"set/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\n"}, {"set/vectors/README", "words"}}
	with := func(more ...[2]string) [][2]string { return append(slices.Clone(folder), more...) }
	good := [2]string{"set/queries.npy", npy("<f4", "(1, 2)", floats(1, 0))}
	tests := []struct {
		name  string
		files [][2]string
		quota float64
		want  string // in the problem; "" for none
	}{
		{"without vectors", folder, 0, ""},
		{"with vectors", with([2]string{"set/docs.npy", npy("<f4", "(2, 2)", floats(0, 1, 1, 0))}, good), 0, ""},
		{"a row too few", with([2]string{"set/docs.npy", npy("<f4", "(1, 2)", floats(0, 1))}, good), 0,
			"docs.npy has 1 rows, expected 2: row i is the vector of the id in line i"},
		{"no queries", with([2]string{"set/docs.npy", npy("<f4", "(2, 2)", floats(0, 1, 1, 0))}), 0,
			"docs.npy came without queries.npy"},
		{"the models differ", with([2]string{"set/docs.npy", npy("<f4", "(2, 1)", floats(1, 1))}, good), 0,
			"the models differ"},
		{"no number", with([2]string{"set/docs.npy", npy("<f4", "(2, 2)", floats(0, 1, float32(math.NaN()), 0))}, good),
			0, "row 1, column 0 (from 0) is not a finite number"},
		{"of Fortran's order", with([2]string{"set/docs.npy", strings.Replace(npy("<f4", "(2, 2)", floats(0, 1, 1, 0)),
			"False", "True ", 1)}, good), 0, "ortran"},
		{"incomplete", with([2]string{"set/docs.npy", npy("<f4", "(2, 2)", floats(0, 1, 1))}, good), 0, "docs.npy"},
		{"integers", with([2]string{"set/docs.npy", npy("<i8", "(2, 1)", strings.Repeat("\x00", 16))}, good), 0,
			"docs.npy"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shelf := &memory{files: map[string][]byte{}, room: 1 << 20, quota: tt.quota}
			var last message.Reply
			e := NewEngine(func(url string, _ func(int)) ([]byte, error) {
				if data, ok := shelf.files[strings.TrimPrefix(url, "/uploads/")]; ok {
					return data, nil
				}
				return nil, fmt.Errorf("%s is not there", url)
			}, func() float64 { return 0 }, func(r message.Reply) { last = r })
			e.Device.Shelf, e.open.arrived = shelf, toy(t)
			e.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(tt.files[id][1]), nil }
			var files []message.File
			for i, f := range tt.files {
				files = append(files, message.File{ID: i, Name: f[0], Size: len(f[1])})
			}
			e.Handle(message.Request{ID: 1, Kind: message.Upload, Question: &message.AskUpload{Files: files}})
			if tt.want != "" {
				if last.Problem == nil || !strings.Contains(last.Problem.What, tt.want) || len(shelf.files) != 0 {
					t.Errorf("%+v, %+v, %d files kept", last.Answer, last.Problem, len(shelf.files))
				}
				return
			}
			made, ok := last.Answer.(*message.Uploaded)
			if !ok || made.Name != "set" || made.Documents != 2 || made.Queries != 1 || made.Judgments != 1 {
				t.Fatalf("%+v, %+v", last.Answer, last.Problem)
			}
			if len(tt.files) == len(folder) {
				return
			}
			e.Handle(message.Request{ID: 2, Kind: message.Open,
				Question: &message.Place{Base: "/uploads/" + made.ID + "/"}})
			e.Handle(message.Request{ID: 3, Kind: message.Search,
				Question: &experiment.Spec{QueryID: "q1", Systems: []string{"dense(model=own)"}}})
			res, ok := last.Answer.(*experiment.Results)
			if !ok || res.Lists[0].Problem != "" || res.Lists[0].Hits[0].ID != "d2" || res.Lists[0].Scores[0] != 1 {
				t.Errorf("%+v, %+v", last.Answer, last.Problem)
			}
			e.Handle(message.Request{ID: 4, Kind: message.Open,
				Question: &message.Place{Base: "/uploads/upload-gone/"}})
			if last.Problem == nil || strings.Contains(last.Problem.Do, "damaged") {
				t.Errorf("a collection that was deleted: %+v", last.Problem)
			}
		})
	}
}

// What the browser has no room for, says it has none for, or keeps nothing of at all, is searched as long as the tab
// lives, and the reason is said.
func TestWhatIsNotKeptIsSearchedAllTheSame(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shelf *memory
		want  string
	}{
		{"by its own word the browser has no room", &memory{files: map[string][]byte{}, room: 1 << 20, quota: 100},
			"the browser grants this site 100 bytes"},
		{"the device is full", &memory{files: map[string][]byte{}, room: 200}, "quota exceeded"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var last message.Reply
			e := NewEngine(func(url string, _ func(int)) ([]byte, error) {
				if data, ok := tt.shelf.held[strings.TrimPrefix(url, "/uploads/")]; ok {
					return data, nil
				}
				return nil, fmt.Errorf("%s is not there", url)
			}, func() float64 { return 0 }, func(r message.Reply) { last = r })
			e.Device.Shelf, e.open.arrived = tt.shelf, toy(t)
			e.Device.Files = func(int) (io.Reader, error) {
				return strings.NewReader("id,text\nd1,port\nd2,storm\n"), nil
			}
			e.Handle(message.Request{ID: 1, Kind: message.Upload,
				Question: &message.AskUpload{Files: []message.File{{Name: "a.csv"}}}})
			made, ok := last.Answer.(*message.Uploaded)
			if !ok || !strings.Contains(made.Unkept, tt.want) || len(tt.shelf.files) != 0 {
				t.Fatalf("%+v, %+v, %d files kept", last.Answer, last.Problem, len(tt.shelf.files))
			}
			e.Handle(message.Request{ID: 2, Kind: message.Open,
				Question: &message.Place{Base: "/uploads/" + made.ID + "/"}})
			e.Handle(message.Request{ID: 3, Kind: message.Search,
				Question: &experiment.Spec{Query: "storm", Systems: []string{"bm25", "dense"}}})
			res, ok := last.Answer.(*experiment.Results)
			if !ok || res.Lists[0].Hits[0].ID != "d2" || res.Lists[1].Hits[0].ID != "d2" {
				t.Errorf("%+v, %+v", last.Answer, last.Problem)
			}
		})
	}
}

// What a tab that was closed left of a collection goes when it is a day old; what another tab may be keeping at this
// moment stays.
func TestWhatAClosedTabLeftIsDeleted(t *testing.T) {
	ago := func(d time.Duration) []byte { return []byte(time.Now().Add(-d).Format(time.RFC3339)) }
	shelf := &memory{files: map[string][]byte{
		"upload-left/begun": ago(25 * time.Hour), "upload-left/index.bin": {1},
		"upload-new/begun": ago(time.Hour), "upload-new/index.bin": {1},
		"network-m/model.onnx": {1},
	}}
	e := NewEngine(nil, nil, func(message.Reply) {})
	e.Device.Shelf = shelf
	e.Handle(message.Request{ID: 1, Kind: message.Uploads, Question: &message.AskUploads{}})
	if got, want := slices.Sorted(maps.Keys(shelf.files)),
		[]string{"network-m/model.onnx", "upload-new/begun", "upload-new/index.bin"}; !slices.Equal(got, want) {
		t.Errorf("%v are left, want %v", got, want)
	}
}

// A collection of many documents says at every step that it goes on, the last of them before what goes in one; given up
// in any of these steps, nothing of it is kept, and what was kept before stays.
func TestAnUploadIsNeverSilentAndCanBeGivenUp(t *testing.T) {
	var corpus, queries strings.Builder
	const docs = 40
	for i := range docs {
		fmt.Fprintf(&corpus, "{\"_id\":\"d%d\",\"text\":\"port storm %d\"}\n", i, i)
		fmt.Fprintf(&queries, "{\"_id\":\"q%d\",\"text\":\"storm %d\"}\n", i, i)
	}
	given := []string{corpus.String(), queries.String()}
	shelf := &memory{files: map[string][]byte{}, room: 1 << 20}
	upload := func(until func(message.Progress) bool) (steps map[string]int, out *message.Reply) {
		steps = map[string]int{}
		outdated := false
		now := 0.0
		e := NewEngine(nil, func() float64 { now += 61_000; return now }, func(r message.Reply) {
			if r.Progress == nil {
				out = &r
				return
			}
			steps[r.Progress.What]++
			outdated = outdated || until(*r.Progress)
		})
		e.page.outdated = func(message.Request) bool { return outdated }
		e.Device.Shelf, e.open.arrived = shelf, toy(t)
		e.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(given[id]), nil }
		e.Handle(message.Request{ID: 1, Kind: message.Upload,
			Question: &message.AskUpload{Files: []message.File{{ID: 0, Name: "corpus.jsonl", Size: len(given[0])},
				{ID: 1, Name: "queries.jsonl", Size: len(given[1])}}}})
		return steps, out
	}
	last := message.Progress{}
	for _, tt := range []struct {
		name  string
		until func(message.Progress) bool
	}{
		{"while it is encoded", func(p message.Progress) bool { return p.What == "Encoding documents" && p.Done > 5 }},
		{"while it is indexed", func(p message.Progress) bool { return p.What == "Indexing" && p.Done == 20 }},
		{"while it is kept", func(p message.Progress) bool { return p.What == "Keeping it on this device" }},
	} {
		if _, out := upload(tt.until); out == nil || out.Answer != nil || out.Problem != nil || len(shelf.files) != 0 {
			t.Errorf("given up %s: %+v, %d files are kept", tt.name, out, len(shelf.files))
		}
	}
	steps, out := upload(func(p message.Progress) bool {
		if p.What == "Indexing" && p.Done == docs {
			last = p
		}
		return false
	})
	if out.Problem != nil || len(shelf.files) == 0 {
		t.Fatalf("%+v", out.Problem)
	}
	if steps["Encoding documents"] < 2*docs || steps["Indexing"] < docs || last.Total != docs ||
		last.Unit != "documents" || !last.Rest {
		t.Errorf("it says %v, at the end of the documents %+v", steps, last)
	}
	whole := len(shelf.files)
	if upload(func(p message.Progress) bool {
		return p.What == "Keeping it on this device"
	}); len(shelf.files) != whole {
		t.Errorf("%d files of %d are left of a collection that was kept before", len(shelf.files), whole)
	}
	shelf.room = 0
	if _, out := upload(func(message.Progress) bool { return false }); out.Problem != nil || len(shelf.files) != whole {
		t.Errorf("no room for it again: %+v, %d files of %d", out.Problem, len(shelf.files), whole)
	}
}

func TestOrdinaryFilesBecomeACollection(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string // documents/queries/judgments, or a part of the refusal
	}{
		"a CSV of goods": {
			map[string]string{"goods.csv": "sku,name,description\nA1,Ferry,\"a boat, late\"\nA2,Crane,it lifts\n"},
			"2/0/0"},
		"JSONL with a body": {map[string]string{"x.jsonl": `{"id":"A1","title":"Ferry","body":"a boat"}` + "\n"},
			"1/0/0"},
		"JSONL with a text": {map[string]string{"x.jsonl": `{"id":"A1","title":"Ferry","text":"a boat"}` + "\n"},
			"1/0/0"},
		"a JSON array": {
			map[string]string{"x.json": `[{"id":"A1","title":"Ferry","text":"a boat"},{"id":"A2","text":"a ` +
				`crane lifts"}]`}, "2/0/0"},
		"a text":         {map[string]string{"x.txt": "The ferry was late.\nA storm, at last.\n"}, "1/0/0"},
		"loose Markdown": {map[string]string{"a.md": "# Ferry\nlate", "b.md": "# Crane\nlifts"}, "2/0/0"},
		"a folder of a site": {map[string]string{"site/a.html": "<title>Ferry</title><p>late",
			"site/sub/b.md": "# Crane\nlifts", "site/logo.png": "\x89PNG\x00"}, "2/0/0"},
		"queries are no documents": {
			map[string]string{"goods.csv": "sku,name,description\nA1,Ferry,a boat that was late\n",
				"queries.csv": "id,query\n1,ferry\n2,crane\n"}, "1/2/0"},
		"a table of scores": {map[string]string{"scores.csv": "run,query,measure,value\nbm25,q1,nDCG@10,0.5\n"},
			"a table of scores (run, query, measure, value)"},
		"a picture": {map[string]string{"logo.png": "\x89PNG\x00\x01"}, "it is empty, or no text"},
	} {
		e, replies, ask := uploading(t, c.files)
		e.Handle(message.Request{ID: 1, Kind: message.Upload, Question: ask})
		last := (*replies)[len(*replies)-1]
		got := ""
		if last.Problem != nil {
			got = last.Problem.What
		} else if u, ok := last.Answer.(*message.Uploaded); ok {
			got = fmt.Sprintf("%d/%d/%d", u.Documents, u.Queries, u.Judgments)
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// uploading is an engine with files, which are asked to become a collection in the order of their names.
func uploading(t *testing.T, files map[string]string) (*Engine, *[]message.Reply, *message.AskUpload) {
	t.Helper()
	var replies []message.Reply
	shelf := &memory{files: map[string][]byte{}, room: 1 << 30}
	e := NewEngine(func(url string, _ func(int)) ([]byte, error) {
		if data, ok := shelf.files[strings.TrimPrefix(url, "/uploads/")]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("%s is not there", url)
	}, func() float64 { return 0 }, func(r message.Reply) { replies = append(replies, r) })
	e.Device.Shelf = shelf
	e.open.arrived = toy(t)
	ask := &message.AskUpload{}
	content := map[int]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		ask.Files = append(ask.Files, message.File{ID: i, Name: name, Size: len(files[name])})
		content[i] = files[name]
	}
	e.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(content[id]), nil }
	return e, &replies, ask
}

// asking asks an engine, and fails if the answer is a problem.
func asking(t *testing.T, e *Engine, replies *[]message.Reply) func(message.Kind, message.Request) message.Reply {
	return func(k message.Kind, r message.Request) message.Reply {
		t.Helper()
		r.ID, r.Kind = uint64(len(*replies)+1), k
		e.Handle(r)
		last := (*replies)[len(*replies)-1]
		if last.Problem != nil {
			t.Fatalf("%+v", last.Problem)
		}
		return last
	}
}

// Memory that a tab has taken it keeps, so an upload must not take much more than the collection that comes out.
// Before vectors were
// written once, in place and without copies, this one allocated 145 MB and kept two copies of them.
func TestAnUploadOfManyShortDocumentsTakesLittleMemory(t *testing.T) {
	var b strings.Builder
	b.WriteString("id,text\n")
	const n, dim = 20_000, 256
	for i := range n {
		fmt.Fprintf(&b, "doc%d,%c\n", i, 'a'+i%26)
	}
	x, err := encoder.New(&encoder.File{Name: "toy", Teacher: "none", Dim: dim,
		Vocabulary: "[PAD]\n[UNK]\n[CLS]\n[SEP]\nport\nstorm\n",
		Rows:       strings.Repeat("\x88", dim/2*6), Scales: []float64{1, 1, 1, 1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	e, replies, ask := uploading(t, map[string]string{"a.csv": b.String()})
	e.open.arrived = x
	do := asking(t, e, replies)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	made := do(message.Upload, message.Request{Question: ask}).Answer.(*message.Uploaded)
	runtime.ReadMemStats(&after)
	if made.Documents != n {
		t.Fatalf("%+v", made)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 70e6 {
		t.Errorf("allocated %d MB", taken/1e6)
	}
	kept := 0
	for _, data := range e.Device.Shelf.(*memory).files {
		kept += len(data)
	}
	if vectors := n * dim; kept > vectors*13/10 {
		t.Errorf("%d bytes are kept, of which one copy of the vectors is %d", kept, vectors)
	}
}
