package worker

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// table is a network in Go: a token's last hidden state is its row. [CLS] and [SEP] are zeros, so that the mean points
// where the words do.
type table struct {
	rows  map[int64][]float32
	ended bool
}

func (t *table) Run(ids []int64) (neural.Output, error) {
	if t.ended {
		return neural.Output{}, errors.New("it was stopped")
	}
	out := neural.Output{Name: "last_hidden_state", Shape: []int{1, len(ids), 2}}
	for _, id := range ids {
		row := t.rows[id]
		if row == nil {
			row = []float32{0, 0}
		}
		out.Data = append(out.Data, row...)
	}
	return out, nil
}

func (t *table) Stop() { t.ended = true }

// PutFile and PutURL implement keeper.
func (m *memory) PutFile(id, name string, file int) error {
	return m.Put(id, name, fmt.Appendf(nil, "file %d", file))
}
func (m *memory) PutURL(id, name, url string) error { return m.Put(id, name, []byte(url)) }

func TestAModelItselfEncodesTypedQueries(t *testing.T) {
	small := map[string][]byte{"vocab.txt": []byte("[PAD]\n[UNK]\n[CLS]\n[SEP]\nport\nstorm\n"),
		"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens":true}`)}
	hosted := map[string][]byte{"model.onnx": []byte("graph")}
	for name, data := range small {
		hosted[name] = data
	}
	c := &collection.Collection{Docs: []collection.Doc{{ID: "a", Text: "port"}, {ID: "b", Text: "storm"}},
		Queries: []collection.Query{{ID: "q", Text: "storm"}}, Qrels: collection.NewQrels()}
	v := bundle.SourceVectors{Model: bundle.Model{Name: "minilm", Label: "all-MiniLM-L6-v2",
		Pooling: "mean over all tokens", Normalised: true},
		Docs: dense.Quantise([]float32{1, 0, 0, 1}, 2), DocIDs: []string{"a", "b"},
		Queries: dense.Quantise([]float32{0, 1}, 2), QueryIDs: []string{"q"}}
	files := map[string][]byte{}
	_, err := bundle.Build(bundle.Source{ID: "c", Name: "C", Collection: c, Vectors: []bundle.SourceVectors{v},
		Networks: []bundle.SourceNetwork{{Model: "minilm", Files: hosted}}}, func(name string, data []byte) error {
		files[base+name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	shelf := &memory{files: map[string][]byte{}, room: 1 << 20}
	var replies []message.Reply
	e := NewEngine(func(url string, _ func(int)) ([]byte, error) {
		if data, ok := files[url]; ok {
			return data, nil
		}
		return nil, errors.New(url + " is not there")
	}, nil, func(r message.Reply) { replies = append(replies, r) })
	e.Device.Shelf = shelf
	content := []string{"", string(small["vocab.txt"]), "a graph",
		`{"_name_or_path":"BAAI/bge-small-en-v1.5","hidden_size":2}`, `{"hidden_size":384}`, `{"model_type":"t5"}`}
	e.Device.Files = func(id int) (io.Reader, error) { return strings.NewReader(content[id]), nil }
	right, wrong := &table{rows: map[int64][]float32{4: {3, 0}, 5: {0, 2}}},
		&table{rows: map[int64][]float32{4: {0, 3}, 5: {2, 0}}}
	var started []graph
	next := right
	startNetwork = func(g graph, tell func(string, int, int), _ <-chan struct{}) (network, error) {
		tell("network", g.bytes, g.bytes)
		started = append(started, g)
		next.ended = false
		return next, nil
	}
	t.Cleanup(func() { startNetwork = nil })
	handle := func(k message.Kind, question wire.Wirer) message.Reply {
		e.Handle(message.Request{ID: uint64(len(replies) + 1), Kind: k, Question: question})
		return replies[len(replies)-1]
	}
	ask := func(q message.AskNetwork) (*message.Networked, *message.Problem) {
		t.Helper()
		q.Model = "minilm"
		r := handle(message.Network, &q)
		if r.Problem != nil {
			return nil, r.Problem
		}
		return &r.Answer.(*message.Networks).Models[0], nil
	}
	search := func() *experiment.List {
		t.Helper()
		r := handle(message.Search, &experiment.Spec{Query: "port", Systems: []string{"dense"}})
		return &r.Answer.(*experiment.Results).Lists[0]
	}
	handle(message.Open, &message.Place{Collection: "c", Base: base})
	n, _ := ask(message.AskNetwork{})
	if n.Label != "all-MiniLM-L6-v2" || n.Pooling != "mean" || n.Hosted != 5 || n.Kept != 0 || n.Looked != nil ||
		n.Loaded != nil || n.Static {
		t.Fatalf("%+v", n)
	}

	file := func(id int, name string) message.File {
		return message.File{ID: id, Name: name, Size: len(content[id])}
	}
	given := []message.File{file(1, "M/vocab.txt"), file(2, "M/onnx/model.onnx")}
	for _, c := range []struct {
		name  string
		files []message.File
		limit int
		want  string
	}{
		{"no graph", given[:1], 0, "The model is not loaded: there is no network in M/vocab.txt: want a model.onnx"},
		{"no tokens", given[1:], 0, "add vocab.txt or tokenizer.json"},
		{"another model by its config", append(slices.Clone(given), file(3, "M/config.json")), 0,
			"these are the files of bge-small-en-v1.5, and the vectors are those of all-MiniLM-L6-v2"},
		{"another model by its folder",
			[]message.File{file(1, "e5-small-v2/vocab.txt"), file(2, "e5-small-v2/model.onnx")}, 0,
			"these are the files of e5-small-v2"},
		{"other dimensions", append(slices.Clone(given), file(4, "M/config.json")), 0,
			"384 dimensions, the documents' vectors have 2"},
		{"another family", append(slices.Clone(given), file(5, "M/config.json")), 0, `the model family is "t5"`},
		{"weights elsewhere", append(slices.Clone(given), message.File{ID: 0, Name: "M/onnx/model.onnx_data"}), 0,
			"weights beside the graph"},
		{"too large", []message.File{given[0], {ID: 2, Name: "model.onnx", Size: 700e6}}, 1e9,
			"would take about 2.2 GB of memory"},
	} {
		if n, p := ask(message.AskNetwork{Do: message.LookAtNetwork, From: message.GivenNetwork, Files: c.files,
			Limit: c.limit}); p == nil || !strings.Contains(p.What, c.want) {
			t.Errorf("%s: %+v, %+v", c.name, n, p)
		}
	}
	if n, _ = ask(message.AskNetwork{Do: message.LookAtNetwork, From: message.GivenNetwork,
		Files: given}); n.Looked == nil || n.Looked.Graph != "model.onnx" || n.Looked.Bytes != 7 || n.Looked.Tight ||
		len(started) != 0 {
		t.Fatalf("%+v", n)
	}

	// stored is (0, 1) of "storm": the right one gives that, the wrong one (1, 0)
	next = wrong
	if _, p := ask(message.AskNetwork{Do: message.LoadNetwork, From: message.GivenNetwork, Files: given}); p == nil ||
		!strings.Contains(p.What, "another model than all-MiniLM-L6-v2") || !wrong.ended {
		t.Errorf("%+v", p)
	}
	next = right
	shelf.quota = 3
	if n, _ = ask(message.AskNetwork{Do: message.LoadNetwork, From: message.GivenNetwork, Files: given,
		Keep: true}); n.Loaded == nil || n.Loaded.Lowest < .99999 || n.Loaded.Tried != 1 || n.Loaded.Kept {
		t.Fatalf("%+v", n)
	}
	if note := replies[len(replies)-1].Answer.(*message.Networks).Note; !strings.Contains(note,
		"It is not saved on this device: it takes 7") || len(shelf.files) != 0 {
		t.Errorf("%q, %v", note, shelf.files)
	}
	if l := search(); l.Problem != "" || l.Hits[0].ID != "a" ||
		l.Note != "Typed query: encoded by all-MiniLM-L6-v2 in this tab." {
		t.Errorf("%+v", l)
	}
	// another session over the same collection has it too
	handle(message.Open, &message.Place{Collection: "c", Base: base})
	if l := search(); l.Problem != "" || len(started) != 2 {
		t.Errorf("%+v", l)
	}

	shelf.quota = 0
	if n, _ = ask(message.AskNetwork{Do: message.LookAtNetwork, From: message.HostedNetwork}); n.Looked == nil ||
		n.Looked.Bytes != 5 {
		t.Fatalf("%+v", n)
	}
	if n, _ = ask(message.AskNetwork{Do: message.LoadNetwork, From: message.HostedNetwork,
		Keep: true}); n.Loaded == nil || !n.Loaded.Kept || n.Kept != 5 {
		t.Fatalf("%+v", n)
	}
	if g := started[len(started)-1]; !strings.HasPrefix(g.url, base+"onnx-minilm-model-onnx.") || len(g.sum) != 64 ||
		g.onThisSide {
		t.Errorf("%+v", g)
	}
	ask(message.AskNetwork{Do: message.StopNetwork})
	if l := search(); !right.ended || !strings.Contains(l.Problem, "no encoder is loaded") {
		t.Errorf("%+v", l)
	}
	ask(message.AskNetwork{Do: message.LookAtNetwork, From: message.KeptNetwork})
	if n, p := ask(message.AskNetwork{Do: message.LoadNetwork, From: message.KeptNetwork}); p != nil ||
		n.Loaded == nil {
		t.Fatalf("%+v", p)
	}
	if g := started[len(started)-1]; g.url != "/uploads/network-all-minilm-l6-v2/graph.onnx" || !g.onThisSide ||
		len(g.sum) != 64 {
		t.Errorf("%+v", g)
	}
	delete(shelf.files, "network-all-minilm-l6-v2/vocab.txt") // what the browser has taken away is said
	if _, p := ask(message.AskNetwork{Do: message.LookAtNetwork, From: message.KeptNetwork}); p == nil {
		t.Error("a network that is not whole was looked at")
	}
	if n, _ := ask(message.AskNetwork{Do: message.ForgetNetwork}); n.Kept != 0 || len(shelf.files) != 0 {
		t.Errorf("%+v, %v", n, shelf.files)
	}
	if l := handle(message.Uploads, &message.AskUploads{}).Answer.(*message.Shelf); len(l.List) != 0 {
		t.Errorf("a network is no collection: %+v", l.List)
	}
}
