package encoder_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
)

// A vocabulary of five tokens in two dimensions: "a" is (2, 0), "##b" (0, −1), "c" nothing.
func small() *encoder.File {
	return &encoder.File{Name: "small", Teacher: "none", Dim: 2, Vocabulary: "[UNK]\n[CLS]\na\n##b\nc\n",
		Scales: []float64{0, 0, 1, 0.5, 0}, Rows: string([]byte{0x88, 0x88, 0x8a, 0x68, 0x88})}
}

// By hand: "ab" is ((2, 0) + (0, −1))/2, of length √5/2; "a ab" is (4, −1)/3, of length √17/3.
func TestEncode(t *testing.T) {
	s, err := encoder.New(small())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		text string
		want [2]float64
	}{
		{"a", [2]float64{1, 0}},
		{"ab", [2]float64{2 / math.Sqrt(5), -1 / math.Sqrt(5)}},
		{"A Ab", [2]float64{4 / math.Sqrt(17), -1 / math.Sqrt(17)}},
		{"c", [2]float64{}},
		{"unknown words", [2]float64{}},
		{"", [2]float64{}},
	} {
		t.Run(x.text, func(t *testing.T) {
			got := s.Encode(x.text, nil)
			if len(got) != 2 || got[0] != float32(x.want[0]) || got[1] != float32(x.want[1]) {
				t.Errorf("%v, want %v", got, x.want)
			}
		})
	}
}

// By hand: (3, 4) through the matrix (1 0 1; 0 1 1) is (3, 4, 7), of length √74.
func TestProject(t *testing.T) {
	got, err := encoder.Project([]float32{3, 4, 0, 0}, 2, []float32{1, 0, 1, 0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	l := math.Sqrt(74)
	for i, want := range []float64{3 / l, 4 / l, 7 / l, 0, 0, 0} {
		if got[i] != float32(want) {
			t.Errorf("number %d is %v, want %v", i, got[i], want)
		}
	}
	if _, err := encoder.Project([]float32{1, 2, 3}, 2, []float32{1, 2}); err == nil {
		t.Error("three numbers passed as rows of two")
	}
}

// Oracle: crypto/sha256.
func TestOpenHoldsTheSum(t *testing.T) {
	data := wire.Marshal(small())
	sum := sha256.Sum256(data)
	if _, err := encoder.Open(data, hex.EncodeToString(sum[:])); err != nil {
		t.Error(err)
	}
	data[len(data)-1] ^= 1
	if _, err := encoder.Open(data, hex.EncodeToString(sum[:])); err == nil ||
		!strings.Contains(err.Error(), "damaged") {
		t.Errorf("a flipped bit passed: %v", err)
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*encoder.File)
		want   string
	}{
		{"too few rows", func(f *encoder.File) { f.Rows = f.Rows[1:] }, "4 bytes are not 5 rows of 2"},
		{"too few scales", func(f *encoder.File) { f.Scales = f.Scales[1:] }, "4 scales for 5 tokens"},
		{"a scale that is no number", func(f *encoder.File) { f.Scales[2] = math.NaN() }, "token 2 has scale NaN"},
		{"an odd dimension", func(f *encoder.File) { f.Dim = 3 }, "3 dimensions"},
		{"no unknown token", func(f *encoder.File) { f.Vocabulary = "[CLS]\n" }, "no [UNK]"},
	} {
		t.Run(x.name, func(t *testing.T) {
			f := small()
			x.change(f)
			if _, err := encoder.Open(wire.Marshal(f), ""); err == nil || !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want one with %q", err, x.want)
			}
		})
	}
}

// reference returns the reference encoder in our format.
func reference(t *testing.T) *encoder.Static {
	t.Helper()
	vocabulary, err := os.ReadFile(shared.Path(t, "embeddings/static/vocab.txt"))
	if err != nil {
		t.Fatal(err)
	}
	f := encoder.File{Name: "reference", Dim: 256, Vocabulary: string(vocabulary)}
	for _, s := range array(t, "embeddings/static/scales.npy").Float32 {
		f.Scales = append(f.Scales, float64(s))
	}
	values := array(t, "embeddings/static/vectors.i8.npy").Int8
	rows := make([]byte, len(values)/2)
	for i := range rows {
		rows[i] = byte(values[2*i]+8) | byte(values[2*i+1]+8)<<4
	}
	f.Rows = string(rows)
	s, err := encoder.Open(wire.Marshal(&f), "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func array(t *testing.T, name string) *collection.Array {
	t.Helper()
	f, err := os.Open(shared.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := collection.ReadNPY(f, name, collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Oracle: golden.json beside the reference encoder, made in Python with numpy 2 and tokenizers: the first eight numbers
// of each vector.
func TestEncodeEqualsReference(t *testing.T) {
	s := reference(t)
	data, err := os.ReadFile(shared.Path(t, "embeddings/static/golden.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text  string
		First []float64 `json:"vector_first_8"`
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, x := range cases {
		got := s.Encode(x.Text, nil)
		for i, want := range x.First {
			if math.Abs(float64(got[i])-want) > 1e-6 {
				t.Errorf("%q: number %d is %v, want %v", x.Text, i, got[i], want)
			}
		}
	}
}

// Oracle: top20-cranfield.json beside the reference encoder: exact search in Python, scores to 1e-5, static queries
// against static documents and against the teacher's projected ones.
func TestRankingEqualsReference(t *testing.T) {
	s := reference(t)
	var want map[string]json.RawMessage
	data, err := os.ReadFile(shared.Path(t, "embeddings/static/top20-cranfield.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	docs, queries := map[string][]float32{}, map[string][]float32{}
	each(t, "data/cranfield/corpus.jsonl", func(id, text string) { docs[id] = s.Encode(text, nil) })
	each(t, "data/cranfield/queries.jsonl", func(id, text string) { queries[id] = s.Encode(text, nil) })
	teacher := array(t, "embeddings/cranfield/all-MiniLM-L6-v2/docs.npy")
	projected, err := encoder.Project(teacher.Float32, teacher.Dim(),
		array(t, "embeddings/static/projection.npy").Float32)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := os.ReadFile(shared.Path(t, "embeddings/cranfield/doc_ids.txt"))
	if err != nil {
		t.Fatal(err)
	}
	against := map[string][]float32{}
	for i, id := range strings.Fields(string(ids)) {
		against[id] = projected[i*256 : (i+1)*256]
	}
	for _, x := range []struct {
		name string
		docs map[string][]float32
	}{{"static_static", docs}, {"static_teacher", against}} {
		t.Run(x.name, func(t *testing.T) { checkTop(t, want[x.name], queries, x.docs) })
	}
}

func checkTop(t *testing.T, raw json.RawMessage, queries, docs map[string][]float32) {
	t.Helper()
	var top []struct {
		Query string `json:"query_id"`
		Hits  []struct {
			Doc   string `json:"doc_id"`
			Score float64
		}
	}
	if err := json.Unmarshal(raw, &top); err != nil {
		t.Fatal(err)
	}
	if len(top) != 20 {
		t.Fatalf("%d queries", len(top))
	}
	for _, q := range top {
		if len(q.Hits) != 20 {
			t.Errorf("query %s: %d hits", q.Query, len(q.Hits))
		}
		for _, h := range q.Hits {
			got := 0.0
			for i, v := range queries[q.Query] {
				got += float64(v) * float64(docs[h.Doc][i])
			}
			if math.Abs(got-h.Score) > 1e-5 {
				t.Errorf("query %s, document %s: %v, want %v", q.Query, h.Doc, got, h.Score)
			}
		}
	}
}

func each(t *testing.T, name string, f func(id, text string)) {
	t.Helper()
	file, err := os.Open(shared.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for d := json.NewDecoder(bufio.NewReader(file)); d.More(); {
		var r struct {
			ID          string `json:"_id"`
			Title, Text string
		}
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		f(r.ID, strings.TrimSpace(r.Title+" "+r.Text))
	}
}

// FuzzOpen: an encoder that opens encodes any text to a vector of length 1 or 0.
func FuzzOpen(f *testing.F) {
	f.Add(wire.Marshal(small()), "ab c")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		s, err := encoder.Open(data, "")
		if err != nil {
			return
		}
		sum := 0.0
		for _, v := range s.Encode(text, nil) {
			sum += float64(v) * float64(v)
		}
		if math.Abs(sum-1) > 1e-3 && sum != 0 {
			t.Errorf("length² %v", sum)
		}
	})
}

// A batch equals encoding one by one, bit for bit, whether a token's row is cached or not, and beyond the cache's
// limit.
func TestABatchHasTheSameBits(t *testing.T) {
	const tokens, dim = 9000, 256 // 18 MB of rows, of which 16 are cached
	f := &encoder.File{Name: "wide", Dim: dim}
	rng := rand.New(rand.NewPCG(1, 2))
	var words []string
	rows := make([]byte, tokens*dim/2)
	for i := range rows {
		rows[i] = byte(1+rng.IntN(15)) | byte(1+rng.IntN(15))<<4
	}
	for i := range tokens {
		word := "w" + strconv.Itoa(i)
		if i == 0 {
			word = "[UNK]"
		} else if i == 1 {
			word = "[CLS]"
		}
		words = append(words, word)
		f.Vocabulary += word + "\n"
		f.Scales = append(f.Scales, rng.Float64())
	}
	f.Rows = string(rows)
	s, err := encoder.New(f)
	if err != nil {
		t.Fatal(err)
	}
	separators := []string{" ", "\n", "\t", "  ", "-", ", ", "[CLS]",
		" \u00a0", "\u0301", " É", " \x00", " W7 w7 ", "\u2028"}
	b := s.Batch()
	var got []float32
	for i := range 2000 {
		text := words[rng.IntN(tokens)]
		for range i % 12 {
			text += separators[rng.IntN(len(separators))] + words[rng.IntN(tokens)]
		}
		want := s.Encode(text, nil)
		if got = b.Encode(text, got); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", text, got[:4], want[:4])
		}
	}
}
