// Package encoder turns text into a vector with a table: the mean of its tokens' rows, scaled to length 1. The rows
// are distilled from a sentence encoder, the teacher, to approximate its projected vectors. It runs no neural
// network and ranks nothing (see rank/dense). scripts/distil measures its quality.
//
// Order of the pipeline: text → tokens (text/wordpiece) → their rows → mean → length 1.
//
// Source: the closed form of what model2vec and tokenlearn (Minish Lab, 2024) do by gradient descent.
package encoder

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/text/wordpiece"
)

// File is an encoder in its stored form.
type File struct {
	Name       string    // "minilm-static"
	Teacher    string    // full name of the model whose vectors it approximates: "all-MiniLM-L6-v2"
	Dim        int       // even
	Vocabulary string    // a token a line
	Scales     []float64 // one per token, ≥ 0; 32-bit numbers
	Rows       string    // Dim/2 bytes per token: two values of −7…7, each plus 8, the even column in the low half
}

// Wire codes the file.
func (f *File) Wire(c *wire.Codec) {
	c.Fields(&f.Name, &f.Teacher, &f.Dim, &f.Vocabulary, &f.Scales, &f.Rows)
}

// Static is an encoder. It is immutable, so several goroutines may use it. A text gives equal bits on every
// machine: sums are in double precision, in token order.
type Static struct {
	name, teacher string
	dim           int
	tokens        *wordpiece.Tokenizer
	scales        []float64
	rows          string
}

// New returns the encoder of a file. It keeps the file's parts without copying them.
func New(f *File) (*Static, error) {
	t, err := wordpiece.New(f.Vocabulary)
	if err != nil {
		return nil, say.Faultf("encoder", "%s: %w", f.Name, err)
	}
	switch n := t.Len(); {
	case f.Dim <= 0 || f.Dim%2 != 0 || f.Dim > 1<<12:
		return nil, say.Faultf("encoder", "%s: %d dimensions", f.Name, f.Dim)
	case len(f.Scales) != n:
		return nil, say.Faultf("encoder", "%s: %d scales for %d tokens", f.Name, len(f.Scales), n)
	case len(f.Rows) != n*f.Dim/2:
		return nil, say.Faultf("encoder", "%s: %d bytes are not %d rows of %d", f.Name, len(f.Rows), n, f.Dim)
	}
	for i, s := range f.Scales {
		if !(s >= 0) || s > 1e30 {
			return nil, say.Faultf("encoder", "%s: token %d has scale %v", f.Name, i, s)
		}
	}
	return &Static{name: f.Name, teacher: f.Teacher, dim: f.Dim, tokens: t, scales: f.Scales, rows: f.Rows}, nil
}

// Open reads a file and returns its encoder. sum is the expected SHA-256 in hexadecimal digits, "" for any.
func Open(data []byte, sum string) (*Static, error) {
	if sum != "" && sha256.Hex(data) != sum {
		return nil, say.Faultf("encoder",
			"the file is damaged or from another version: its SHA-256 is not the expected one")
	}
	var f File
	if err := wire.Unmarshal(data, &f); err != nil {
		return nil, say.Faultf("encoder", "%w", err)
	}
	return New(&f)
}

// Name returns the encoder's own name.
func (s *Static) Name() string { return s.name }

// Teacher returns the full name of the model that the encoder approximates.
func (s *Static) Teacher() string { return s.teacher }

// Dim returns the number of dimensions.
func (s *Static) Dim() int { return s.dim }

// Encode returns the vector of a text in dst, grown to Dim numbers. It has length 1, or is zero if the text has no
// known token.
func (s *Static) Encode(text string, dst []float32) []float32 {
	var few [512]float64 // on the stack: no garbage for a collection's documents
	sum := few[:min(s.dim, len(few))]
	if s.dim > len(few) {
		sum = make([]float64, s.dim)
	}
	for _, t := range s.tokens.Encode(text, nil) {
		s.add(t, sum)
	}
	return unit(sum, dst[:0])
}

// add adds the row of a token.
func (s *Static) add(t int32, sum []float64) {
	scale := s.scales[t]
	row := s.rows[int(t)*s.dim/2 : (int(t)+1)*s.dim/2]
	for i := range len(row) {
		b := row[i]
		sum[2*i] += float64(float64(int(b&15)-8) * scale)
		sum[2*i+1] += float64(float64(int(b>>4)-8) * scale)
	}
}

// unit appends a vector to dst, scaled to length 1; zeros stay zero. It changes sum.
func unit(sum []float64, dst []float32) []float32 {
	square := 0.0
	for _, v := range sum {
		square += float64(v * v)
	}
	if length := math.Sqrt(square); length > 0 {
		for i := range sum {
			sum[i] /= length
		}
	}
	for _, v := range sum {
		dst = append(dst, float32(v))
	}
	return dst
}

// Project maps the teacher's vectors to the encoder's space: each times matrix (from rows of Dim numbers), scaled
// to length 1. len(rows) is a multiple of from. Rows of zeros stay zero.
func Project(rows []float32, from int, matrix []float32) ([]float32, error) {
	if from <= 0 || len(rows)%from != 0 || len(matrix)%from != 0 || len(matrix) == 0 {
		return nil, say.Faultf("encoder", "project: the rows and the matrix do not fit each other")
	}
	dim := len(matrix) / from
	out := make([]float32, 0, len(rows)/from*dim)
	sum := make([]float64, dim)
	for ; len(rows) > 0; rows = rows[from:] {
		clear(sum)
		for i, x := range rows[:from] {
			for j, m := range matrix[i*dim : (i+1)*dim] {
				sum[j] += float64(float64(x) * float64(m))
			}
		}
		out = unit(sum, out)
	}
	return out, nil
}
