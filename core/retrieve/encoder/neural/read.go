package neural

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/text/wordpiece"
)

// Beside lists the files that Read knows, in the layout of sentence-transformers and its conversions to ONNX.
// Either vocab.txt or tokenizer.json is required.
var Beside = []string{"tokenizer.json", "vocab.txt", "config.json", "tokenizer_config.json",
	"sentence_bert_config.json", "config_sentence_transformers.json", "modules.json", pooling}

const pooling = "1_Pooling/config.json"

// Graphs lists the network files in order of preference.
var Graphs = []string{"model.onnx", "model_quantized.onnx", "model_int8.onnx"}

// Place returns which of Beside or Graphs a file is, by its path in the given folder ("MiniLM/onnx/model.onnx"), or
// "". Any other single .onnx counts as the network, and any name that ends in tokenizer.json as that file.
func Place(name string) string {
	if strings.HasSuffix("/"+name, "/"+pooling) {
		return pooling
	}
	base := path.Base(name)
	switch {
	case slices.Contains(Beside, base), slices.Contains(Graphs, base):
		return base
	case strings.HasSuffix(base, ".onnx"):
		return Graphs[0]
	case strings.HasSuffix(base, "tokenizer.json"):
		return "tokenizer.json"
	}
	return ""
}

// Read reads the files beside a network, keyed by their names in Beside. The error names the file and the
// requirement.
func Read(files map[string][]byte) (*Model, error) {
	m := &Model{Tokens: defaultTokens}
	for _, f := range []struct {
		name string
		read func(*jsontext.Reader) error
	}{
		{"config.json", m.config}, {"tokenizer_config.json", m.casing}, {"sentence_bert_config.json", m.length},
		{"config_sentence_transformers.json", m.prompts}, {"modules.json", m.modules}, {pooling, m.pooled},
	} {
		if data, ok := files[f.name]; ok {
			if err := readObject(f.name, data, f.read); err != nil {
				return nil, err
			}
		}
	}
	name, vocabulary := "vocab.txt", string(files["vocab.txt"])
	if data, ok := files["tokenizer.json"]; ok {
		name = "tokenizer.json"
		t := &tokenizer{}
		if err := readObject(name, data, t.read); err != nil {
			return nil, err
		}
		var err error
		if vocabulary, err = t.vocabulary(); err != nil {
			return nil, fmt.Errorf("tokenizer.json: %w", err)
		}
	} else if _, ok := files[name]; !ok {
		return nil, errors.New("add vocab.txt or tokenizer.json: the model needs one of them to split text into tokens")
	}
	vocabulary = strings.ReplaceAll(vocabulary, "\r\n", "\n")
	var err error
	if m.pieces, err = wordpiece.New(vocabulary); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, s := range []struct {
		token string
		to    *int64
	}{{"[CLS]", &m.cls}, {"[SEP]", &m.sep}} {
		at := -1
		for id := range m.pieces.Len() {
			if m.pieces.Token(int32(id)) == s.token {
				at = id
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("%s: it has no %s: only models of the BERT family are supported", name, s.token)
		}
		*s.to = int64(at)
	}
	if m.Tokens < 3 {
		return nil, fmt.Errorf("the files allow %d tokens per text, which leaves none for words", m.Tokens)
	}
	return m, nil
}

// readObject reads one JSON file.
func readObject(name string, data []byte, read func(*jsontext.Reader) error) error {
	r := jsontext.New(nil, jsontext.Limits{})
	r.Reset(data)
	err := read(r)
	r.End()
	if bad := r.Err(); bad != nil {
		return fmt.Errorf("%s, line %d: %w", name, r.Line(), bad)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// readFields visits the members of an object and skips those that f does not read.
func readFields(r *jsontext.Reader, f func(key string) bool) {
	for r.BeginObject(); r.More(); {
		if !f(string(r.Key())) {
			r.Skip()
		}
	}
}

// readString reads a string, or "" for any other value.
func readString(r *jsontext.Reader) string {
	if r.Peek() == '"' {
		return r.String()
	}
	r.Skip()
	return ""
}

// readPositive reads a positive integer, or 0 for any other value.
func readPositive(r *jsontext.Reader) int {
	if r.Peek() == '0' {
		if v := r.Float(); v >= 1 && v <= 1<<20 && v == float64(int(v)) {
			return int(v)
		}
		return 0
	}
	r.Skip()
	return 0
}

// readBool reads a boolean; other is the result for any other value.
func readBool(r *jsontext.Reader, other bool) bool {
	if k := r.Peek(); k == 't' || k == 'f' {
		return r.Bool()
	}
	r.Skip()
	return other
}

func (m *Model) config(r *jsontext.Reader) error {
	family, positions := "", 0
	readFields(r, func(key string) bool {
		switch key {
		case "_name_or_path":
			m.Name = path.Base(readString(r))
			if m.Name == "." || m.Name == "/" {
				m.Name = ""
			}
		case "model_type":
			family = readString(r)
		case "hidden_size", "dim":
			m.Dim = readPositive(r)
		case "max_position_embeddings":
			positions = readPositive(r)
		default:
			return false
		}
		return true
	})
	if positions > 0 {
		m.Tokens = min(m.Tokens, positions)
	}
	if family != "" && family != "bert" && family != "distilbert" {
		return fmt.Errorf("the model family is %q; bert and distilbert are supported", family)
	}
	return nil
}

func (m *Model) casing(r *jsontext.Reader) error {
	lower := true
	readFields(r, func(key string) bool {
		if key == "do_lower_case" {
			lower = readBool(r, true)
			return true
		}
		return false
	})
	if !lower {
		return errors.New("the model is cased; only uncased models are supported")
	}
	return nil
}

func (m *Model) length(r *jsontext.Reader) error {
	readFields(r, func(key string) bool {
		if key == "max_seq_length" {
			if n := readPositive(r); n > 0 {
				m.Tokens = min(m.Tokens, n)
			}
			return true
		}
		return false
	})
	return nil
}

func (m *Model) prompts(r *jsontext.Reader) error {
	readFields(r, func(key string) bool {
		if key != "prompts" || r.Peek() != '{' {
			return false
		}
		readFields(r, func(key string) bool {
			switch key {
			case "query":
				m.Prefix = readString(r)
			case "document", "passage", "corpus":
				m.Document = readString(r)
			default:
				return false
			}
			return true
		})
		return true
	})
	return nil
}

// modules reads the steps after the network: a pooling, and perhaps scaling to length 1. Any other step changes the
// vector outside the graph.
func (m *Model) modules(r *jsontext.Reader) error {
	m.listed = true
	var odd string
	for r.BeginArray(); r.More(); {
		kind := ""
		readFields(r, func(key string) bool {
			if key == "type" {
				kind = readString(r)
				return true
			}
			return false
		})
		switch kind = kind[strings.LastIndexByte(kind, '.')+1:]; kind {
		case "Transformer", "Pooling":
		case "Normalize":
			m.Normalised = true
		default:
			odd = kind
		}
	}
	if odd != "" {
		return fmt.Errorf("the module %q after the network is not supported", odd)
	}
	return nil
}

func (m *Model) pooled(r *jsontext.Reader) error {
	var on []string
	readFields(r, func(key string) bool {
		if how, ok := strings.CutPrefix(key, "pooling_mode_"); ok && readBool(r, false) {
			on = append(on, how)
			return true
		} else if ok {
			return true
		}
		return false
	})
	switch strings.Join(on, " ") {
	case "mean_tokens":
		m.Pooling = Mean
	case "cls_token":
		m.Pooling = CLS
	case "":
	default:
		return fmt.Errorf("it pools by %s; mean and [CLS] pooling are supported", strings.Join(on, " and "))
	}
	return nil
}

// tokenizer is a tokenizer.json of Hugging Face's tokenizers.
type tokenizer struct {
	kind, unknown, prefix, normalizer, words string
	cased, accented                          bool
	pieces                                   []string // by id, "" for none
	twice                                    string
}

func (t *tokenizer) read(r *jsontext.Reader) error {
	readFields(r, func(key string) bool {
		if r.Peek() != '{' {
			return false
		}
		switch key {
		case "model":
			readFields(r, func(key string) bool {
				switch key {
				case "type":
					t.kind = readString(r)
				case "unk_token":
					t.unknown = readString(r)
				case "continuing_subword_prefix":
					t.prefix = readString(r)
				case "vocab":
					if r.Peek() != '{' {
						return false
					}
					t.vocab(r)
				default:
					return false
				}
				return true
			})
		case "normalizer":
			readFields(r, func(key string) bool {
				switch key {
				case "type":
					t.normalizer = readString(r)
				case "lowercase":
					t.cased = !readBool(r, true)
				case "strip_accents":
					t.accented = !readBool(r, true)
				default:
					return false
				}
				return true
			})
		case "pre_tokenizer":
			readFields(r, func(key string) bool {
				if key == "type" {
					t.words = readString(r)
					return true
				}
				return false
			})
		default:
			return false
		}
		return true
	})
	return nil
}

// maxVocabulary is the maximum number of tokens in a vocabulary; multilingual ones have a quarter of that.
const maxVocabulary = 1 << 20

func (t *tokenizer) vocab(r *jsontext.Reader) {
	for r.BeginObject(); r.More(); {
		token := string(r.Key())
		id := r.Float()
		if !(id >= 0) || id >= maxVocabulary || id != float64(int(id)) {
			r.Invalid("the id of a token is a whole number from 0 to a million")
			return
		}
		for int(id) >= len(t.pieces) {
			t.pieces = append(t.pieces, "")
		}
		if t.pieces[int(id)] != "" {
			t.twice = token
		}
		t.pieces[int(id)] = token
	}
}

// vocabulary returns the tokens, one a line, or an error if this is not the tokenizer of an uncased BERT.
func (t *tokenizer) vocabulary() (string, error) {
	const only = "; only WordPiece as uncased models of the BERT family have it is read here"
	switch {
	case t.kind != "WordPiece" && (t.kind != "" || t.unknown != "[UNK]"):
		return "", fmt.Errorf("it is of the family %q%s", t.kind, only)
	case t.normalizer != "BertNormalizer" || t.words != "BertPreTokenizer":
		return "", fmt.Errorf("text goes through %q and %q%s", t.normalizer, t.words, only)
	case t.cased || t.accented:
		return "", errors.New("it keeps capitals or accents" + only)
	case t.prefix != "##" || t.unknown != "[UNK]":
		return "", fmt.Errorf("words go on with %q and unknown ones are %q%s", t.prefix, t.unknown, only)
	case t.twice != "":
		return "", fmt.Errorf("the token %q has the id of another one", t.twice)
	}
	for id, s := range t.pieces {
		if s == "" || strings.Contains(s, "\n") {
			return "", fmt.Errorf("no token has the id %d", id)
		}
	}
	return strings.Join(t.pieces, "\n"), nil
}
