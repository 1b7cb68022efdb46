package worker

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/encoder"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// memory is a Shelf of so many bytes.
type memory struct {
	files map[string][]byte
	room  int
}

func (m *memory) Put(id, name string, data []byte) error {
	if m.used()+len(data) > m.room {
		return errors.New("quota exceeded")
	}
	m.files[id+"/"+name] = data
	return nil
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

func (m *memory) Room() (used, quota float64, stays bool) { return float64(m.used()), 0, false }

// toy is an encoder of two words in two dimensions: what says port lies along one, what says storm along the other.
func toy(t *testing.T) *encoder.Static {
	t.Helper()
	x, err := encoder.New(&encoder.File{Name: "toy", Teacher: "none", Dim: 2, Vocabulary: "[PAD]\n[UNK]\n[CLS]\n[SEP]\nport\nstorm\n", Rows: "\x88\x88\x88\x88\x8f\xf8", Scales: []float64{1, 1, 1, 1, 1, 1}})
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
	e.Shelf = shelf
	e.Files = func(id int) (io.Reader, error) { return strings.NewReader(given[id]), nil }
	e.loader.arrived = toy(t)
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
	if !ok || made.Documents != 3 || made.Queries != 1 || made.Judgments != 1 || made.Name != "news" || !strings.HasPrefix(made.ID, UploadPrefix) || !slices.Equal(made.Models, []string{"toy"}) {
		t.Fatalf("%+v, %+v", r, r.Problem)
	}
	list := ask(message.Uploads, message.Request{Question: &message.AskUploads{}}).Answer.(*message.Shelf)
	if len(list.List) != 1 || list.List[0].ID != made.ID || list.Used == 0 {
		t.Fatalf("%+v", list)
	}
	// It opens as any collection does; judged and typed queries are answered by words and by vectors.
	if r := ask(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + made.ID + "/"}}); r.Problem != nil {
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
	}
	// The same files are the same collection; what finds no room leaves nothing behind; what is deleted is gone.
	if again := ask(message.Upload, message.Request{Question: &message.AskUpload{Files: files}}).Answer.(*message.Uploaded); again.ID != made.ID {
		t.Errorf("%s and %s", again.ID, made.ID)
	}
	if r := ask(message.Uploads, message.Request{Question: &message.AskUploads{Delete: made.ID}}); len(r.Answer.(*message.Shelf).List) != 0 || len(shelf.files) != 0 {
		t.Errorf("%+v, %d files", r.Answer, len(shelf.files))
	}
	shelf.room = 300
	if r := ask(message.Upload, message.Request{Question: &message.AskUpload{Files: files}}); r.Problem == nil || !strings.Contains(r.Problem.What, "quota exceeded") || len(shelf.files) != 0 {
		t.Errorf("no room: %+v, %d files", r.Problem, len(shelf.files))
	}
	if r := ask(message.Upload, message.Request{Question: &message.AskUpload{Files: files[1:]}}); r.Problem == nil || !strings.Contains(r.Problem.What, "no documents in queries.jsonl, qrels.txt") {
		t.Errorf("no documents: %+v", r.Problem)
	}
}
