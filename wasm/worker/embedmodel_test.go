package worker

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
)

// counting is a network that says how many texts it has seen.
type counting struct {
	table
	texts [][]int64
}

func (c *counting) Run(ids []int64) (neural.Output, error) {
	c.texts = append(c.texts, ids)
	return c.table.Run(ids)
}

// Your own model encodes uploaded documents, continues after the tab was closed, and then encodes typed queries.
// Uploading the same files again keeps its vectors.
func TestAModelEncodesAnUploadAndGoesOnAfterTheTabWasClosed(t *testing.T) {
	p := newPort(t)
	made := p.upload(1 << 20) // with vectors of the static encoder
	var networks []*counting
	startNetwork = func(g graph, _ func(string, int, int), _ <-chan struct{}) (network, error) {
		networks = append(networks, &counting{table: table{rows: map[int64][]float32{4: {3, 0}, 5: {0, 2}, 6: {8, 8}}}})
		return networks[len(networks)-1], nil
	}
	t.Cleanup(func() { startNetwork = nil })
	content := []string{"", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nport\nstorm\npassage\n", "a graph",
		`{"_name_or_path":"someone/Two-Words","hidden_size":2}`,
		`{"prompts":{"query":"storm ","document":"passage "}}`}
	from := &message.AskNetwork{From: message.GivenNetwork, Files: []message.File{
		{ID: 1, Name: "M/vocab.txt", Size: len(content[1])}, {ID: 2, Name: "M/onnx/model.onnx", Size: len(content[2])},
		{ID: 3, Name: "M/config.json", Size: len(content[3])},
		{ID: 4, Name: "M/config_sentence_transformers.json", Size: len(content[4])}}}
	read := func(id int) (io.Reader, error) { return strings.NewReader(content[id]), nil }
	look := func() *message.Look {
		t.Helper()
		p.opens(made.ID)
		p.Device.Files = read
		ask := *from
		ask.Do = message.LookAtNetwork
		r := p.ask(message.Request{Kind: message.Network, Question: &ask})
		x, ok := r.Answer.(*message.Networks)
		if !ok {
			t.Fatalf("%+v", r.Problem)
		}
		n := x.Models[len(x.Models)-1]
		if n.Model != "" || n.Documents != 200 || n.Looked == nil {
			t.Fatalf("%+v", n)
		}
		return n.Looked
	}
	embed := func() message.Reply {
		return p.ask(message.Request{Kind: message.Embed, Question: &message.AskEmbed{ID: made.ID, Network: from,
			Query: "storm ", Document: "passage "}})
	}
	if l := look(); l.Name != "Two-Words" || l.Query != "storm " || l.Document != "passage " {
		t.Errorf("%+v", l)
	}
	if r := embed(); r.Problem != nil {
		t.Fatalf("%+v", r.Problem)
	}
	for len(networks[0].texts) < 101 {
		if p.page.clock = func() float64 { return float64(len(networks[0].texts)) * moment }; !p.Step() {
			t.Fatal("it is over already")
		}
	}
	if !slices.Equal(networks[0].texts[1], networks[0].texts[3]) || networks[0].texts[1][1] != 6 {
		t.Errorf("%v, %v: documents do not begin with their prefix", networks[0].texts[1], networks[0].texts[3])
	}

	// A query that is added, or a grade, is of the same documents.
	adopt := func() {
		t.Helper()
		w := workspace.New(workspace.Documents{Collection: made.ID})
		if _, err := w.Apply(workspace.Edit{Kind: workspace.SetQuery, Stamp: w.Next(1, "a"), Query: "own-1",
			Text: "storm"}); err != nil {
			t.Fatal(err)
		}
		zip, err := w.Export()
		if err != nil {
			t.Fatal(err)
		}
		if r := p.ask(message.Request{Kind: message.Adopt, Question: &message.AskAdopt{Collection: made.ID,
			Zip: zip}}); r.Answer == nil {
			t.Fatalf("%+v", r.Problem)
		}
	}
	p = p.restarted() // the tab was closed
	look()
	adopt()
	from.Keep = true
	p.shelf.room = p.shelf.used() // for a moment there is no room to keep the network
	embed()
	p.shelf.room = 1 << 20
	for p.Step() {
	}
	if n := len(networks[1].texts); n != 1+(200-96)+1 { // a probe, what was not saved, the judged query
		t.Errorf("%d texts after 96 were saved", n)
	}
	last := p.replies[len(p.replies)-1]
	done, ok := last.Answer.(*message.Uploaded)
	if !ok || !slices.Equal(done.Models, []string{"static MiniLM", "Two-Words"}) {
		t.Fatalf("%+v, %+v", last, last.Problem)
	}
	for key := range p.shelf.files {
		if strings.HasPrefix(key, "encoding-") {
			t.Errorf("%s stays", key)
		}
	}
	p.opens(made.ID)
	for _, want := range []string{"It is not saved on this device: ", ""} { // which is said once
		r := p.ask(message.Request{Kind: message.Network, Question: &message.AskNetwork{}})
		if n, ok := r.Answer.(*message.Networks); !ok || !strings.HasPrefix(n.Note, want) || (n.Note == "") !=
			(want == "") || n.Models[1].Loaded == nil || n.Models[1].Loaded.Kept {
			t.Errorf("%q: %+v %+v", want, r.Answer, r.Problem)
		}
	}
	find := func(query string) *experiment.List {
		t.Helper()
		r := p.ask(message.Request{Kind: message.Search, Question: &experiment.Spec{Query: query,
			Systems: []string{"dense(model=two-words)"}}})
		res, ok := r.Answer.(*experiment.Results)
		if !ok {
			t.Fatalf("%+v", r.Problem)
		}
		return &res.Lists[0]
	}
	// (8, 8) + (0, 2) of a storm against (8, 8) + (3, 0) of a port: a query of storms is nearer to the first.
	if l := find("storm"); l.Problem != "" || len(l.Hits) == 0 ||
		!strings.ContainsAny(l.Hits[0].ID[len(l.Hits[0].ID)-1:], "02468") {
		t.Errorf("%+v", l)
	}
	adopt()
	if l := find("storm"); l.Problem != "" {
		t.Errorf("with a workspace: %+v", l)
	}
	r := p.ask(message.Request{Kind: message.Network, Question: &message.AskNetwork{}})
	if n := r.Answer.(*message.Networks).Models[1]; n.Loaded == nil || !n.Loaded.Made || n.Loaded.Prefix != "storm " {
		t.Errorf("%+v", n)
	}
	if networks[1].ended {
		t.Error("the network of typed queries was stopped")
	}
	if r := embed(); r.Problem == nil || !strings.Contains(r.Problem.What, "vectors of Two-Words already") {
		t.Errorf("%+v", r.Problem)
	}

	again := p.upload(1 << 20)
	if again.ID != made.ID || !slices.Equal(again.Models, []string{"static MiniLM", "Two-Words"}) {
		t.Errorf("%+v", again)
	}
}

// Who cancels, or deletes the collection, ends the network and keeps the documents as they were.
func TestAModelThatEncodesIsStopped(t *testing.T) {
	for _, how := range []string{"cancelled", "deleted"} {
		p := newPort(t)
		made := p.upload(1 << 20)
		n := &counting{table: table{rows: map[int64][]float32{4: {3, 0}, 5: {0, 2}}}}
		startNetwork = func(graph, func(string, int, int), <-chan struct{}) (network, error) { return n, nil }
		t.Cleanup(func() { startNetwork = nil })
		p.opens(made.ID)
		content := []string{"", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nport\nstorm\n", "a graph"}
		p.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(content[id]), nil }
		from := &message.AskNetwork{From: message.GivenNetwork, Files: []message.File{
			{ID: 1, Name: "vocab.txt", Size: len(content[1])}, {ID: 2, Name: "model.onnx", Size: len(content[2])}}}
		p.ask(message.Request{Kind: message.Embed, Question: &message.AskEmbed{ID: made.ID, Network: from}})
		for len(n.texts) < 60 {
			p.page.clock = func() float64 { return float64(len(n.texts)) * moment }
			p.Step()
		}
		if how == "cancelled" {
			p.embed("")
		} else {
			p.ask(message.Request{Kind: message.Uploads, Question: &message.AskUploads{Delete: made.ID}})
			if len(p.shelf.files) > 0 {
				t.Errorf("%d files of a collection that was deleted", len(p.shelf.files))
			}
		}
		if !n.ended || p.Step() {
			t.Errorf("%s: the network goes on", how)
		}
	}
}
