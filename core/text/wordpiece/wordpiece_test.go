package wordpiece_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/text/wordpiece"
)

const vocabulary = "../../../site/encoders/minilm-static/vocab.txt"

func open(t testing.TB) *wordpiece.Tokenizer {
	t.Helper()
	data, err := os.ReadFile(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	w, err := wordpiece.New(string(data))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Oracle: Hugging Face's tokenizers 0.23.3 with the tokenizer.json of all-MiniLM-L6-v2
// (scripts/oracle/wordpiece/golden.py): 1,237 difficult strings, and every document and query of two collections.
func TestEqualsTokenizers(t *testing.T) {
	w := open(t)
	z := shared.Unpacked(t, "testdata/golden.jsonl.gz")
	texts := 0
	for d := json.NewDecoder(z); d.More(); {
		var want struct {
			Text       string
			IDs        []int32
			Collection string
			Texts      int
			Tokens     int
			SHA256     string
		}
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if want.Collection != "" {
			t.Run(want.Collection, func(t *testing.T) {
				texts, tokens, sum := digest(t, w, want.Collection)
				if texts != want.Texts || tokens != want.Tokens || sum != want.SHA256 {
					t.Errorf("%d texts with %d tokens, %s; want %d with %d, %s", texts, tokens, sum, want.Texts,
						want.Tokens, want.SHA256)
				}
			})
			continue
		}
		texts++
		if got := w.Encode(want.Text, nil); !slices.Equal(got, want.IDs) {
			t.Errorf("%q: %v, want %v", want.Text, got, want.IDs)
		}
	}
	if texts < 1200 {
		t.Errorf("%d strings only", texts)
	}
}

// digest is golden.py's hash of the ids of a collection.
func digest(t *testing.T, w *wordpiece.Tokenizer, name string) (texts, tokens int, sum string) {
	h := sha256.New()
	var ids []int32
	for _, file := range []string{"corpus.jsonl", "queries.jsonl"} {
		f, err := os.Open(shared.Path(t, "data/"+name+"/"+file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for d := json.NewDecoder(bufio.NewReader(f)); d.More(); {
			var r struct{ Title, Text string }
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
			ids = w.Encode(strings.TrimSpace(r.Title+" "+r.Text), ids)
			texts, tokens = texts+1, tokens+len(ids)
			binary.Write(h, binary.LittleEndian, ids)
			binary.Write(h, binary.LittleEndian, int32(-1))
		}
	}
	return texts, tokens, hex.EncodeToString(h.Sum(nil))
}

func TestNewRefuses(t *testing.T) {
	for _, x := range []struct{ name, vocabulary, want string }{
		{"no [UNK]", "a\nb\n", "no [UNK]"},
		{"an empty line", "[UNK]\n\nb\n", "line 2"},
		{"a token that stands twice", "[UNK]\na\na\n", `line 3: "a" stands twice`},
		{"nothing", "", "line 1"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if _, err := wordpiece.New(x.vocabulary); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want one with %q", err, x.want)
			}
		})
	}
}

// FuzzEncode checks that every id is in the vocabulary, that encoding is deterministic, and that joining two texts
// with a space joins their tokens, unless a special token arises.
func FuzzEncode(f *testing.F) {
	w := open(f)
	for _, s := range []string{"Hello, World!", "naïve [MASK] 中文", "a\u0301\ufffd각", strings.Repeat("x", 101)} {
		f.Add(s, "b")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := slices.Clone(w.Encode(a, nil)), slices.Clone(w.Encode(b, nil))
		for _, id := range x {
			if int(id) >= w.Len() || id < 0 {
				t.Fatalf("id %d of %d", id, w.Len())
			}
		}
		if both := w.Encode(a+" "+b, nil); !slices.Equal(both, append(x, y...)) {
			t.Fatalf("%q and %q: %v, together %v", a, b, append(x, y...), both)
		}
	})
}
