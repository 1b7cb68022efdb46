package worker

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// port is an engine with its device. Its clock advances by a millisecond with each reading.
type port struct {
	*Engine
	t       *testing.T
	shelf   *memory
	replies []message.Reply
	asked   uint64
	now     float64
}

// restarted is a new worker on the same device.
func (p *port) restarted() *port {
	n := &port{t: p.t, shelf: p.shelf}
	n.Engine = NewEngine(func(url string, _ func(int)) ([]byte, error) {
		if data, ok := n.shelf.files[strings.TrimPrefix(url, shelfPath)]; ok {
			return data, nil
		}
		if data, ok := n.shelf.held[strings.TrimPrefix(url, shelfPath)]; ok {
			return data, nil
		}
		return nil, fmt.Errorf("%s is not there", url)
	}, func() float64 { n.now += 1000; return n.now }, func(r message.Reply) { n.replies = append(n.replies, r) })
	n.Device.Shelf = n.shelf
	n.open.arrived = toy(p.t)
	return n
}

// newPort is a device with nothing on it.
func newPort(t *testing.T) *port {
	return (&port{t: t, shelf: &memory{files: map[string][]byte{}, room: 1 << 20}}).restarted()
}

func (p *port) ask(r message.Request) message.Reply {
	p.t.Helper()
	p.asked++
	r.ID = p.asked
	p.Handle(r)
	return p.replies[len(p.replies)-1]
}

// upload makes a collection of 200 documents; only those of an even number are about storms. Texts of more than atOnce
// bytes are encoded later.
func (p *port) upload(atOnce int) *message.Uploaded {
	p.t.Helper()
	var b strings.Builder
	b.WriteString("id,title,text\n")
	for i := range 200 {
		fmt.Fprintf(&b, "d%d,,%s\n", i, []string{"the storm came", "the port closed"}[i%2])
	}
	text := []string{b.String(), `{"_id":"q1","text":"port"}` + "\n"}
	p.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(text[id]), nil }
	p.uploads.atOnce = atOnce
	r := p.ask(message.Request{Kind: message.Upload, Question: &message.AskUpload{Files: []message.File{
		{ID: 0, Name: "news.csv", Size: len(text[0])}, {ID: 1, Name: "queries.jsonl", Size: len(text[1])}}}})
	made, ok := r.Answer.(*message.Uploaded)
	if !ok {
		p.t.Fatalf("%+v", r.Problem)
	}
	return made
}

// finds is how many hits a system has for a typed query in a kept collection, −1 if it cannot answer.
func (p *port) finds(id, system string) int {
	p.t.Helper()
	if p.open.session == nil {
		p.opens(id)
	}
	r := p.ask(message.Request{Kind: message.Search, Question: &experiment.Spec{Query: "storm",
		Systems: []string{system}}})
	res, ok := r.Answer.(*experiment.Results)
	if !ok {
		p.t.Fatalf("%+v", r.Problem)
	}
	if res.Lists[0].Problem != "" {
		return -1
	}
	return len(res.Lists[0].Hits)
}

func (p *port) opens(id string) {
	p.t.Helper()
	if r := p.ask(message.Request{Kind: message.Open,
		Question: &message.Place{Base: shelfPath + id + "/"}}); r.Problem != nil {
		p.t.Fatalf("%+v", r.Problem)
	}
}

func (p *port) embed(id string) message.Reply {
	return p.ask(message.Request{Kind: message.Embed, Question: &message.AskEmbed{ID: id}})
}

func (p *port) manifest(id string) *bundle.Manifest {
	p.t.Helper()
	m, err := bundle.ReadManifest(p.shelf.files[id+"/manifest.json"])
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// Words answer before there is a vector, and while there are some. Once there are all, the collection is to the byte
// the one that is encoded before it is indexed, under the same id.
func TestWordsAnswerBeforeVectors(t *testing.T) {
	first := newPort(t)
	want := first.upload(1 << 20)
	if want.Plain || !slices.Equal(want.Models, []string{"static MiniLM"}) {
		t.Fatalf("%+v", want)
	}

	p := newPort(t)
	made := p.upload(100)
	if made.ID != want.ID || !made.Plain || len(made.Models) != 0 {
		t.Fatalf("%+v", made)
	}
	if lexical, dense := p.finds(made.ID, "bm25"), p.finds(made.ID, "dense"); lexical == 0 || dense != -1 {
		t.Fatalf("bm25 finds %d, dense %d", lexical, dense)
	}
	if r := p.embed(made.ID); r.Answer != nil || r.Problem != nil {
		t.Fatalf("%+v", r)
	}
	steps := 0
	for p.Step() {
		if steps++; steps == 3 {
			if lexical := p.finds(made.ID, "bm25"); lexical == 0 {
				t.Error("words wait for vectors")
			}
		}
	}
	if steps < 7 { // 200 documents, at most 25 a slice by that clock
		t.Errorf("%d steps", steps)
	}
	last := p.replies[len(p.replies)-1]
	done, ok := last.Answer.(*message.Uploaded)
	if !ok || last.Kind != message.Embed || done.Plain || done.ID != made.ID {
		t.Fatalf("%+v, %+v", last, last.Problem)
	}
	told := 0
	for _, r := range p.replies {
		if r.Kind == message.Embed && r.Progress != nil {
			if told++; r.Progress.Total != 200 || r.Progress.Done == 0 {
				t.Errorf("%+v", r.Progress)
			}
		}
	}
	if told == 0 {
		t.Error("nothing was said of the progress")
	}
	p.opens(made.ID)
	if n := p.finds(made.ID, "dense"); n == 0 || n == -1 {
		t.Errorf("dense finds %d", n)
	}
	delete(p.shelf.files, made.ID+"/"+begun)
	delete(first.shelf.files, made.ID+"/"+begun)
	if !maps.EqualFunc(p.shelf.files, first.shelf.files, bytes.Equal) {
		t.Errorf("other files than those of a collection that is encoded first: %v, %v",
			p.manifest(made.ID).Hash, first.manifest(made.ID).Hash)
	}
	if p.Step() {
		t.Error("there is more to do")
	}

	// The same files again take no vectors away.
	if again := p.upload(100); again.Plain || again.ID != made.ID ||
		p.manifest(made.ID).Hash != first.manifest(made.ID).Hash {
		t.Errorf("%+v", again)
	}
	if r := p.embed(made.ID); r.Answer == nil { // another tab has made them
		t.Errorf("%+v", r)
	}
}

// A tab that ends while documents are encoded, or a person who cancels that, loses no document.
func TestEncodingThatEndsEarlyKeepsTheCollection(t *testing.T) {
	for _, how := range []string{"killed", "cancelled", "deleted"} {
		p := newPort(t)
		id := p.upload(100).ID
		p.embed(id)
		for range 2 { // encoding has begun and has not ended
			if !p.Step() {
				t.Fatal("too quick for this test")
			}
		}
		switch how {
		case "killed":
			p = p.restarted()
		case "cancelled":
			p.embed("")
		case "deleted":
			p.ask(message.Request{Kind: message.Uploads, Question: &message.AskUploads{Delete: id}})
			if p.Step() || len(p.shelf.files) > 0 {
				t.Errorf("%d files of a collection that was deleted", len(p.shelf.files))
			}
			continue
		}
		if p.Step() {
			t.Errorf("%s: it goes on", how)
		}
		if lexical, dense := p.finds(id, "bm25"), p.finds(id, "dense"); lexical == 0 || dense != -1 {
			t.Errorf("%s: bm25 finds %d, dense %d", how, lexical, dense)
		}
		p.embed(id)
		for p.Step() {
		}
		p.opens(id)
		if n := p.finds(id, "dense"); n <= 0 {
			t.Errorf("%s: dense finds %d after another attempt", how, n)
		}
	}
}

// Vectors wait for an encoder that is on its way, take the name that the collection was given meanwhile, and say it if
// there is no room for them.
func TestVectorsWaitForTheEncoderAndForRoom(t *testing.T) {
	p := newPort(t)
	id := p.upload(100).ID
	x := p.open.arrived
	p.open.arrived = nil
	if p.embed(id); p.Step() {
		t.Error("there is no encoder")
	}
	p.open.arrived = x
	if !p.Step() {
		t.Error("the encoder is there")
	}
	p.ask(message.Request{Kind: message.Uploads, Question: &message.AskUploads{Rename: id, Name: "Harbour"}})
	room := p.shelf.room
	p.shelf.room = p.shelf.used()
	for p.Step() {
	}
	last := p.replies[len(p.replies)-1]
	if last.Problem == nil || !strings.Contains(last.Problem.What, "not encoded: quota exceeded") ||
		p.manifest(id).Name != "Harbour" || p.finds(id, "bm25") == 0 {
		t.Errorf("%+v", last)
	}
	p.shelf.room = room
	p.embed(id)
	for p.Step() {
	}
	if m := p.manifest(id); m.Name != "Harbour" || len(m.Models) != 1 {
		t.Errorf("%s, %d models", m.Name, len(m.Models))
	}

	// What is not kept is searched as long as the tab.
	q := newPort(t)
	q.shelf.room = 300
	made := q.upload(100)
	if q.embed(made.ID); made.Unkept == "" {
		t.Fatalf("%+v", made)
	}
	for q.Step() {
	}
	if n := q.finds(made.ID, "dense"); n <= 0 {
		t.Errorf("dense finds %d", n)
	}
}

// Many documents are encoded while they are searched, however short they are; those that bring vectors never.
func TestManyDocumentsAreEncodedLater(t *testing.T) {
	for n, want := range map[int]bool{1: false, crowd: false, crowd + 1: true} {
		all := &collected{src: &bundle.Source{Collection: &collection.Collection{Docs: make([]collection.Doc, n)}}}
		if got := new(uploads).isLarge(all); got != want {
			t.Errorf("%d documents: %v", n, got)
		}
		if all.src.Vectors = make([]bundle.SourceVectors, 1); new(uploads).isLarge(all) {
			t.Errorf("%d documents with vectors", n)
		}
	}
}

// An id from before, of texts and vectors together, stays that of the collection that has it.
func TestIDsOfAnEarlierVersionStay(t *testing.T) {
	p := newPort(t)
	id := p.upload(1 << 20).ID
	m := p.manifest(id)
	old := UploadPrefix + m.Hash[:16]
	if old == id {
		t.Fatal("the id is of the vectors")
	}
	for name, data := range maps.Clone(p.shelf.files) {
		delete(p.shelf.files, name)
		p.shelf.files[old+strings.TrimPrefix(name, id)] = data
	}
	m.ID = old
	p.shelf.files[old+"/manifest.json"] = m.JSON()
	for _, atOnce := range []int{1 << 20, 100} {
		if made := p.upload(atOnce); made.ID != old || made.Plain {
			t.Errorf("at once up to %s bytes: %+v", strconv.Itoa(atOnce), made)
		}
	}
	for _, x := range []struct{ is, want string }{{old, old}, {id, id}, {old + "-a1", old + "-a1"},
		{id + "-a1", id + "-a1"}, {"boats", id}, {id + "-", id}, {id + "x", id}} {
		if m.ID = x.is; idOf(m) != x.want {
			t.Errorf("%s: %s, want %s", x.is, idOf(m), x.want)
		}
	}
}
