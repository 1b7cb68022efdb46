package chunk

import (
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// Place is a span of a document.
type Place struct {
	Document string
	Span     Span
}

// SpanScore says how well retrieved spans cover judged ones, in tokens.
type SpanScore struct {
	Recall    float64 // Common / Relevant
	Precision float64 // Common / Retrieved; 0 if nothing was retrieved
	IoU       float64 // Common / (Retrieved + Relevant − Common)

	Relevant  int // tokens of judged spans, each once
	Retrieved int // tokens of retrieved spans, each as often as it was retrieved: overlapping chunks cost
	Common    int // tokens of both, each once
}

// Score measures retrieved spans against judged ones. Tokens are Words; a token is in a span if they share a byte.
// relevant may overlap. tokens returns the Words of a document's text.
//
// With tₑ the tokens of the relevant spans and tᵣ those of the retrieved ones, recall is |tₑ∩tᵣ|/|tₑ|, precision
// |tₑ∩tᵣ|/|tᵣ| and IoU |tₑ∩tᵣ|/(|tₑ|+|tᵣ|−|tₑ∩tᵣ|), where tᵣ counts a token each time that it is retrieved. Source:
// Smith and Troynikov 2024, Evaluating Chunking Strategies for Retrieval, Chroma Technical Report. Their program
// chunking_evaluation 0.1.0 counts characters instead of tokens.
func Score(relevant, retrieved []Place, tokens func(document string) []Span) (s SpanScore) {
	wanted := map[string][]Span{} // by document: ranges of tokens, in order, apart
	count := func(p Place) Span { return tokenRange(tokens(p.Document), p.Span) }
	for _, p := range relevant {
		wanted[p.Document] = append(wanted[p.Document], count(p))
	}
	for doc, list := range wanted {
		wanted[doc] = union(list)
		for _, x := range wanted[doc] {
			s.Relevant += x.Len()
		}
	}
	found := map[string][]Span{}
	for _, p := range retrieved {
		x := count(p)
		s.Retrieved += x.Len()
		found[p.Document] = append(found[p.Document], x)
	}
	for doc, list := range found {
		for _, x := range union(list) {
			for _, y := range wanted[doc] {
				s.Common += x.Common(y)
			}
		}
	}
	s.Recall = share(s.Common, s.Relevant)
	s.Precision = share(s.Common, s.Retrieved)
	s.IoU = share(s.Common, s.Retrieved+s.Relevant-s.Common)
	return s
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// tokenRange are the numbers of the tokens that share a byte with a span.
func tokenRange(tokens []Span, s Span) Span {
	if s.Len() <= 0 {
		return Span{}
	}
	from, _ := slices.BinarySearchFunc(tokens, s.Start, func(t Span, at int) int {
		if t.End <= at {
			return -1
		}
		return 1
	})
	to, _ := slices.BinarySearchFunc(tokens, s.End, func(t Span, at int) int {
		if t.Start < at {
			return -1
		}
		return 1
	})
	return Span{from, max(from, to)}
}

// union joins ranges that overlap or touch, in order. It changes the list.
func union(list []Span) []Span {
	slices.SortFunc(list, func(a, b Span) int { return a.Start - b.Start })
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// RunScore is what ScoreRun measures of one run.
type RunScore struct {
	Queries []string // with a relevant passage, in the order of labels
	Scores  []SpanScore
	Mean    SpanScore // of Recall, Precision and IoU over Queries; counts are sums
	Unknown []string  // ids that were retrieved within the depth and are no chunks, each once
}

// ScoreRun measures the first depth chunks of each query of a run against the passages with a grade of level or more. A
// whole document is a passage too. Queries that the run lacks count as 0. texts returns the text of a document.
func ScoreRun(run *collection.Run, depth int, chunks []Chunk, labels []Label, level int,
	texts func(document string) string) RunScore {
	known := make(map[string]*Chunk, len(chunks))
	for i := range chunks {
		known[chunks[i].ID] = &chunks[i]
	}
	cache := map[string][]Span{}
	tokens := func(doc string) []Span {
		t, ok := cache[doc]
		if !ok {
			t = Words(texts(doc))
			cache[doc] = t
		}
		return t
	}
	var out RunScore
	relevant := map[string][]Place{}
	for _, l := range labels {
		if l.Grade < float64(level) {
			continue
		}
		if _, ok := relevant[l.Query]; !ok {
			out.Queries = append(out.Queries, l.Query)
		}
		p := Place{l.Document, l.Span}
		if l.Whole {
			p.Span = Span{0, len(texts(l.Document))}
		}
		relevant[l.Query] = append(relevant[l.Query], p)
	}
	strange := map[string]bool{}
	var entries []collection.Entry
	var values [3][]float64
	for _, q := range out.Queries {
		var got []Place
		if i := run.Query(q); i >= 0 {
			entries = run.Top(i, depth, collection.DocIDDescending, entries)
			for _, e := range entries {
				if c := known[e.Doc]; c != nil {
					got = append(got, Place{c.Document, c.Span})
				} else if !strange[e.Doc] {
					strange[e.Doc] = true
					out.Unknown = append(out.Unknown, e.Doc)
				}
			}
		}
		s := Score(relevant[q], got, tokens)
		out.Scores = append(out.Scores, s)
		values[0], values[1], values[2] = append(values[0], s.Recall), append(values[1], s.Precision),
			append(values[2], s.IoU)
		out.Mean.Relevant += s.Relevant
		out.Mean.Retrieved += s.Retrieved
		out.Mean.Common += s.Common
	}
	if len(out.Queries) > 0 {
		out.Mean.Recall, out.Mean.Precision, out.Mean.IoU = measure.Mean(values[0]), measure.Mean(values[1]),
			measure.Mean(values[2])
	}
	return out
}
