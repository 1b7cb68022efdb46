package neural

import (
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

const vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nferry\nstorm\nquery\n:\n##s\n"

func files(change map[string]string) map[string][]byte {
	out := map[string][]byte{"vocab.txt": []byte(vocab)}
	for name, text := range change {
		out[name] = []byte(text)
	}
	return out
}

const tokenizerJSON = `{"version":"1.0","added_tokens":[{"id":0}],"normalizer":{"type":"BertNormalizer","clean_text":true,"strip_accents":null,"lowercase":true},
"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","vocab":{"[UNK]":0,"[CLS]":1,"[SEP]":2,"ferry":3,"##s":4}}}`

func TestFilesOfAModelAreRead(t *testing.T) {
	m, err := Read(files(map[string]string{
		"config.json": `{"_name_or_path":"sentence-transformers/all-MiniLM-L6-v2",` +
			`"model_type":"bert","hidden_size":384,"max_position_embeddings":512,"x":[1,{"y":null}]}`,
		"sentence_bert_config.json":         `{"max_seq_length": 256, "do_lower_case": false}`,
		"config_sentence_transformers.json": `{"prompts":{"query":"query: "},"default_prompt_name":null}`,
		"modules.json": `[{"idx":0,"type":"sentence_transformers.models.Transformer"},` +
			`{"type":"sentence_transformers.models.Pooling"},{"type":"sentence_transformers.models.Normalize"}]`,
		pooling: `{"word_embedding_dimension":384,"pooling_mode_cls_token":false,"pooling_mode_mean_tokens":true}`,
	}))
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "all-MiniLM-L6-v2" || m.Dim != 384 || m.Tokens != 256 || m.Pooling != Mean || m.Prefix != "query: " ||
		!m.Normalised {
		t.Errorf("%+v", *m)
	}
	e, err := m.Fit(Facts{Dim: 384})
	if err != nil {
		t.Fatal(err)
	}
	// [CLS] query : storm ##s [SEP]: the prefix comes from the files
	if got, want := e.Input("Storms"), []int64{2, 6, 7, 5, 8, 3}; !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v", got, want)
	}
	e, err = m.Fit(Facts{Dim: 384, Said: true, Normalised: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.Input("Storms"), []int64{2, 5, 8, 3}; !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v: no prefix is what the vectors say", got, want)
	}
}

func TestTheTokenizerOfAModelIsRead(t *testing.T) {
	m, err := Read(map[string][]byte{"tokenizer.json": []byte(tokenizerJSON),
		"sentence_bert_config.json": []byte(`{"max_seq_length":4}`)})
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Fit(Facts{Dim: 2, Prefix: "", Said: true})
	if err != nil {
		t.Fatal(err)
	}
	// [CLS] ferry ##s [SEP], truncated to four tokens
	if got, want := e.Input("Ferrys ferry"), []int64{1, 3, 4, 2}; !slices.Equal(got, want) {
		t.Errorf("tokens %v, want %v", got, want)
	}
}

func TestWhatIsNoModelIsRefusedInWords(t *testing.T) {
	with := func(old, new string) map[string]string {
		return map[string]string{"tokenizer.json": strings.Replace(tokenizerJSON, old, new, 1)}
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"another family of tokens", with(`"WordPiece"`, `"Unigram"`),
			`tokenizer.json: it is of the family "Unigram"; only WordPiece`},
		{"byte pairs", with(`"BertPreTokenizer"`, `"ByteLevel"`), `"ByteLevel"`},
		{"capitals", with(`"lowercase":true`, `"lowercase":false`), "keeps capitals"},
		{"accents", with(`"strip_accents":null`, `"strip_accents":false`), "keeps capitals or accents"},
		{"a hole", with(`"##s":4`, `"##s":5`), "no token has the id 4"},
		{"an id twice", with(`"##s":4`, `"##s":3`), "has the id of another one"},
		{"an id that is none", with(`"##s":4`, `"##s":-1`), "tokenizer.json, line 2"},
		{"no [CLS]", with(`"[CLS]":1`, `"<s>":1`), "it has no [CLS]: only models of the BERT family"},
		{"cut off", map[string]string{"config.json": `{"hidden_size": 38`}, "config.json, line 1"},
		{"another family", map[string]string{"config.json": `{"model_type":"xlm-roberta"}`},
			`config.json: the model family is "xlm-roberta"`},
		{"cased", map[string]string{"tokenizer_config.json": `{"do_lower_case":false}`}, "only uncased"},
		{"another pooling", map[string]string{pooling: `{"pooling_mode_max_tokens":true}`}, "it pools by max_tokens"},
		{"a dense layer", map[string]string{"modules.json": `[{"type":"sentence_transformers.models.Dense"}]`},
			`the module "Dense"`},
		{"no room for words", map[string]string{"sentence_bert_config.json": `{"max_seq_length":2}`},
			"leaves none for words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(files(c.files))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	if _, err := Read(nil); err == nil || !strings.Contains(err.Error(), "add vocab.txt or tokenizer.json") {
		t.Errorf("no files: %v", err)
	}
	m, err := Read(files(map[string]string{"config.json": `{"hidden_size":384}`,
		pooling: `{"pooling_mode_cls_token":true}`}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Fit(Facts{Dim: 768}); err == nil ||
		!strings.Contains(err.Error(), "384 dimensions, the documents' vectors have 768") {
		t.Errorf("other dimensions: %v", err)
	}
	if _, err := m.Fit(Facts{Dim: 384, Pooling: Mean}); err == nil || !strings.Contains(err.Error(), "pool by cls") {
		t.Errorf("another pooling: %v", err)
	}
}

// Hand computation: the mean of (3, 0) and (3, 8) is (3, 4), of length 5; [CLS] alone is (3, 0).
func TestPoolingAndLength(t *testing.T) {
	m, err := Read(files(nil))
	if err != nil {
		t.Fatal(err)
	}
	two := Output{"last_hidden_state", []int{1, 2, 2}, []float32{3, 0, 3, 8}}
	for _, c := range []struct {
		name  string
		facts Facts
		out   Output
		want  []float32
		err   string
	}{
		{"mean", Facts{Dim: 2, Said: true}, two, []float32{3, 4}, ""},
		{"mean of length 1", Facts{Dim: 2, Said: true, Normalised: true, Pooling: Mean}, two, []float32{.6, .8}, ""},
		{"[CLS]", Facts{Dim: 2, Said: true, Pooling: CLS}, two, []float32{3, 0}, ""},
		{"pooled in the graph", Facts{Dim: 2, Said: true, Normalised: true},
			Output{"sentence_embedding", []int{1, 2}, []float32{3, 4}}, []float32{.6, .8}, ""},
		{"all zeros", Facts{Dim: 2, Said: true, Normalised: true}, Output{"s", []int{1, 2}, []float32{0, 0}},
			[]float32{0, 0}, ""},
		{"other dimensions", Facts{Dim: 3, Said: true}, two, nil,
			"makes 2 dimensions, the documents' vectors have 3"},
		{"other tokens", Facts{Dim: 2, Said: true}, Output{"o", []int{1, 3, 2}, make([]float32, 6)}, nil,
			"has the shape [1 3 2]"},
		{"a class", Facts{Dim: 2, Said: true}, Output{"logits", []int{2}, []float32{1, 2}}, nil,
			`"logits" has the shape [2]`},
		{"cut off", Facts{Dim: 2, Said: true}, Output{"o", []int{1, 2, 2}, []float32{1}}, nil, "holds 1 numbers"},
		{"no number", Facts{Dim: 2, Said: true}, Output{"o", []int{1, 2}, []float32{1, float32(math.NaN())}}, nil,
			"a value that is not a number"},
		{"infinite", Facts{Dim: 2, Said: true}, Output{"o", []int{1, 2}, []float32{1, float32(math.Inf(1))}}, nil,
			"a value that is not a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := m.Fit(c.facts)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.Vector(c.out, 2)
			if !slices.Equal(got, c.want) || (err == nil) != (c.err == "") ||
				err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, %v; want %v, %q", got, err, c.want, c.err)
			}
		})
	}
	if c := Cosine([]float32{3, 4}, []float32{4, 3}); c != .96 { // 24 / 25
		t.Errorf("cosine %v", c)
	}
}

func TestNamesAndPlaces(t *testing.T) {
	for name, want := range map[string]string{"model.onnx": "model.onnx",
		"M/onnx/model_quantized.onnx": "model_quantized.onnx", "all-minilm-l6-v2.onnx": "model.onnx",
		"M/1_Pooling/config.json": pooling, "M/config.json": "config.json",
		"all-minilm-l6-v2-tokenizer.json": "tokenizer.json", "README.md": "", "model.onnx_data": ""} {
		if got := Place(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !Same("sentence-transformers/all-MiniLM-L6-v2", "all_minilm_l6_v2-onnx") ||
		Same("bge-small-en-v1.5", "bge-base-en-v1.5") {
		t.Error("names of models")
	}
	for words, want := range map[string]Pooling{
		"mean over all tokens with attention mask 1, [CLS] and [SEP] included": Mean, "[CLS]": CLS,
		"none: one vector a token": Unsaid, "": Unsaid} {
		if got := PoolingOf(words); got != want {
			t.Errorf("%q is %q", words, got)
		}
	}
}

// Oracle: Hugging Face's tokenizer of bert-base-uncased gives this text the ids 101 … 102 around those that
// text/wordpiece is tested with.
func TestTheVocabularyOfMiniLM(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "embeddings/static/vocab.txt"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(map[string][]byte{"vocab.txt": data})
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Fit(Facts{Dim: 384})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.Input("Hello world!"), []int64{101, 7592, 2088, 999, 102}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// FuzzRead: any files are read or refused, and every result tokenises any text with its vocabulary.
func FuzzRead(f *testing.F) {
	f.Add("tokenizer.json", []byte(tokenizerJSON), "ferry")
	f.Add("config.json", []byte(`{"model_type":"bert","hidden_size":384}`), "a storm")
	f.Add("modules.json", []byte(`[{"type":"x.Normalize"}]`), "s")
	f.Add(pooling, []byte(`{"pooling_mode_cls_token":true}`), "")
	f.Fuzz(func(t *testing.T, name string, data []byte, text string) {
		all := files(nil)
		maps.Copy(all, map[string][]byte{Place(name): data})
		m, err := Read(all)
		if err != nil {
			return
		}
		e, err := m.Fit(Facts{Dim: max(1, m.Dim)})
		if err != nil {
			t.Fatal(err)
		}
		ids := e.Input(text)
		if len(ids) > m.Tokens || len(ids) < 2 {
			t.Fatalf("%d tokens of at most %d", len(ids), m.Tokens)
		}
		for _, id := range ids {
			if id < 0 || id >= int64(m.pieces.Len()) {
				t.Fatalf("token %d of %d", id, m.pieces.Len())
			}
		}
	})
}
