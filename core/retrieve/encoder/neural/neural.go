// Package neural prepares the input and reads the output of a sentence encoder of the BERT family: tokens before
// the network, pooling and scaling after it. It does not run the network; its caller does.
//
// Order of the pipeline: the files beside a model.onnx → Read → Model; Model with the Facts of stored vectors → Fit
// → Encoder; text → Input → the network, elsewhere → Output → Vector.
//
// Source: Reimers and Gurevych 2019, Sentence-BERT (mean of the tokens' last hidden states, or that of [CLS]).
package neural

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/text/wordpiece"
)

// Pooling combines the vectors of tokens into one.
type Pooling string

// The poolings. Unsaid means that the files do not specify it.
const (
	Unsaid Pooling = ""
	Mean   Pooling = "mean" // of all tokens, including [CLS] and [SEP]
	CLS    Pooling = "cls"  // the first token's vector
)

// PoolingOf reads the pooling in a manifest: "mean over all tokens …", "[CLS]".
func PoolingOf(words string) Pooling {
	switch words = strings.ToLower(strings.TrimSpace(words)); {
	case strings.HasPrefix(words, "mean"):
		return Mean
	case strings.Contains(words, "cls"):
		return CLS
	}
	return Unsaid
}

// defaultTokens is the default maximum number of tokens of a text: BERT's.
const defaultTokens = 512

// Model is the description in the files beside a network. It is immutable.
type Model struct {
	Name       string // from config.json, without its owner: "all-MiniLM-L6-v2"; "" if absent
	Dim        int    // 0 if unspecified
	Tokens     int    // maximum of a text, including [CLS] and [SEP]
	Pooling    Pooling
	Prefix     string // prepended to queries, if specified
	Document   string // prepended to documents, if specified
	Normalised bool   // the files ask for vectors of length 1

	listed   bool // modules.json exists
	pieces   *wordpiece.Tokenizer
	cls, sep int64
}

// Facts describe the stored vectors that queries are compared with.
type Facts struct {
	Dim        int
	Pooling    Pooling // Unsaid leaves it to the files, then to Mean
	Prefix     string  // "" leaves it to the files if Said is false
	Normalised bool
	Said       bool // Prefix and Normalised are known for the vectors; otherwise the files decide
}

// Encoder computes query vectors. Several goroutines may use it.
type Encoder struct {
	model *Model
	facts Facts
}

// Fit returns the encoder of a model for vectors. The error says why the two do not match.
func (m *Model) Fit(f Facts) (*Encoder, error) {
	if m.Dim != 0 && m.Dim != f.Dim {
		return nil, fmt.Errorf("config.json says %d dimensions, the documents' vectors have %d: the models differ",
			m.Dim, f.Dim)
	}
	if m.Pooling != Unsaid && f.Pooling != Unsaid && m.Pooling != f.Pooling {
		return nil, fmt.Errorf("the files pool by %s, the documents' vectors were pooled by %s: the models differ",
			m.Pooling, f.Pooling)
	}
	if f.Pooling == Unsaid {
		f.Pooling = m.Pooling
	}
	if f.Pooling == Unsaid {
		f.Pooling = Mean
	}
	if !f.Said {
		f.Prefix, f.Normalised = m.Prefix, m.Normalised
	}
	return &Encoder{m, f}, nil
}

// Free returns the encoder of a model for new vectors, with the prefixes of queries and documents. Vectors are
// scaled to length 1 unless modules.json omits that.
func (m *Model) Free(dim int, prefix string) (*Encoder, error) {
	return m.Fit(Facts{Dim: dim, Pooling: m.Pooling, Prefix: prefix, Normalised: m.Normalised || !m.listed, Said: true})
}

// Normalised reports whether vectors are scaled to length 1.
func (e *Encoder) Normalised() bool { return e.facts.Normalised }

// Input returns the ids of a query's tokens, from [CLS] to [SEP]; long queries are truncated.
func (e *Encoder) Input(query string) []int64 {
	ids := e.model.pieces.Encode(e.facts.Prefix+query, nil)
	ids = ids[:min(len(ids), e.model.Tokens-2)]
	out := make([]int64, 0, len(ids)+2)
	out = append(out, e.model.cls)
	for _, id := range ids {
		out = append(out, int64(id))
	}
	return append(out, e.model.sep)
}

// Output is the network's result for one text: [1, tokens, dim], the last hidden state of every token, or [1, dim]
// if the graph pools itself.
type Output struct {
	Name  string
	Shape []int
	Data  []float32 // as many numbers as the shape says
}

// Vector returns the vector of a text with the given number of tokens. Sums are in double precision, in token
// order. It returns an error for an output of another shape, dimensions other than the documents', or NaN.
func (e *Encoder) Vector(o Output, tokens int) ([]float32, error) {
	dim, n := e.facts.Dim, 1
	switch s := o.Shape; {
	case len(s) == 3 && s[0] == 1 && s[1] == tokens:
		n = tokens
	case len(s) == 2 && s[0] == 1:
	default:
		return nil, fmt.Errorf("the network's output %q has the shape %v, not [1 %d %d] or [1 %d]: this is not a "+
			"sentence encoder", o.Name, s, tokens, dim, dim)
	}
	if got := o.Shape[len(o.Shape)-1]; got != dim {
		return nil, fmt.Errorf("the network makes %d dimensions, the documents' vectors have %d: the models differ",
			got, dim)
	}
	if len(o.Data) != n*dim {
		return nil, fmt.Errorf("the network's output %q holds %d numbers, its shape %v says %d", o.Name, len(o.Data),
			o.Shape, n*dim)
	}
	if e.facts.Pooling == CLS {
		n = 1
	}
	sum := make([]float64, dim)
	for t := range n {
		for i, x := range o.Data[t*dim : (t+1)*dim] {
			sum[i] += float64(x)
		}
	}
	square := 0.0
	for i := range sum {
		sum[i] /= float64(n)
		square += float64(sum[i] * sum[i])
	}
	if math.IsNaN(square) || math.IsInf(square, 0) {
		return nil, fmt.Errorf("the network's output %q holds a value that is not a number: its weights are damaged, "+
			"or it overflows", o.Name)
	}
	length := 1.0
	if e.facts.Normalised && square > 0 {
		length = math.Sqrt(square)
	}
	out := make([]float32, dim)
	for i, x := range sum {
		out[i] = float32(x / length)
	}
	return out, nil
}

// Prefix is prepended to queries, "" for none.
func (e *Encoder) Prefix() string { return e.facts.Prefix }

// Pooling returns the encoder's pooling.
func (e *Encoder) Pooling() Pooling { return e.facts.Pooling }

// Cosine returns the cosine similarity of two equally long vectors, or 0 if either is zero.
func Cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		y := float64(b[i])
		ab += float64(float64(x) * y)
		aa += float64(float64(x) * float64(x))
		bb += float64(y * y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(float64(aa*bb))
}

// Same reports whether two model names may denote one model. It ignores the owner, case, separators and suffixes of
// conversions.
func Same(a, b string) bool { return normaliseName(a) == normaliseName(b) }

func normaliseName(name string) string {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_. ", r) })
	words = slices.DeleteFunc(words,
		func(w string) bool { return slices.Contains([]string{"onnx", "quantized", "int8", "fp32", "fp16"}, w) })
	return strings.Join(words, "")
}
