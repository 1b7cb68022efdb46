package pipeline

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/internal/near"
)

// Role is the syntactic role of a stage.
type Role uint8

// The roles of stages.
const (
	Retriever   Role = iota // starts a pipeline and ranks documents itself
	Combiner                // starts a pipeline and combines the pipelines in its arguments into one ranking
	Transformer             // follows >> and changes the ranking before it
)

// String names the role in an error.
func (r Role) String() string {
	switch r {
	case Retriever:
		return "retriever"
	case Combiner:
		return "combiner"
	}
	return "transformer"
}

// Kind is the type of a parameter's value.
type Kind uint8

// The kinds of values.
const (
	Number  Kind = iota // a decimal number: 0.9, printed without exponent
	Integer             // a whole number: 60
	Bool                // true or false
	Word                // letters, digits and + - . _, the first a letter: bm25+
)

// String names the kind in an error.
func (k Kind) String() string {
	switch k {
	case Number:
		return "number"
	case Integer:
		return "integer"
	case Bool:
		return "true or false"
	}
	return "word"
}

// Param declares one parameter of a stage.
type Param struct {
	Name       string
	Kind       Kind
	Default    string            // canonical text of the default; "" for a word that may stay open
	Required   bool              // has no default and must be written
	Positional bool              // may be written without its name, and prints so: cut(20)
	Min, Max   float64           // inclusive range of a Number or Integer
	Words      []string          // the values of a Word; nil allows any word
	Also       map[string]string // alias → word: readable, never printed
	Fold       bool              // of Words: ignore case, and read _ as -
	Doc        string            // one sentence
	// Determines the parts of a ranker (an index, vectors), not only its settings; see Node.Shape.
	Fixed bool
	Slide Range // range of a slider; zero if there is none

	// By names a Word parameter of the same stage, declared earlier, on whose value this one depends. Defaults
	// overrides Default for some of its values. Only lists the values for which this parameter has a meaning (nil:
	// all; "": while that one is open).
	By       string
	Defaults []Case
	Only     []string
}

// Range is the useful part of Min to Max for a slider, with its step.
type Range struct{ Min, Max, Step float64 }

// Values returns the positions of the slider, ascending, each the number that its decimals denote; nil without a
// slider.
func (r Range) Values() []float64 {
	if r.Step == 0 {
		return nil
	}
	out := make([]float64, int(math.Round((r.Max-r.Min)/r.Step))+1)
	for i := range out {
		out[i] = math.Round((r.Min+float64(float64(i)*r.Step))*1e6) / 1e6
	}
	return out
}

// Case is the default while the parameter named by Param.By has the value Word.
type Case struct{ Word, Default string }

// Stage declares the notation of one stage. It is immutable.
type Stage struct {
	// Also is how parameters may be written too, read and never printed: "min" → "threshold", and of one value
	// "keep=below" → "below=keep".
	Also    map[string]string
	Name    string
	Role    Role
	Params  []Param
	MinArgs int    // minimum number of pipelines of a Combiner; 0 for other roles
	MaxArgs int    // maximum; 0 for any number
	Doc     string // its effect, in one or two sentences
	Formula string // its score formula, in plain text
	Source  string // papers and programs that it follows, separated by "; ": "Authors 2009, Title (part)"

	Label func(n *Node) string // a short name for tables
}

// Param returns the declaration of a parameter, or nil.
func (s *Stage) Param(name string) *Param {
	if i := s.index(name); i >= 0 {
		return &s.Params[i]
	}
	return nil
}

func (s *Stage) index(name string) int {
	for i := range s.Params {
		if s.Params[i].Name == name {
			return i
		}
	}
	return -1
}

func (s *Stage) positional() int {
	for i := range s.Params {
		if s.Params[i].Positional {
			return i
		}
	}
	return -1
}

// Usage returns a template of the stage: "cut(n)", "rrf(pipeline, pipeline, …, k=60,depth=100)". A parameter that
// is required or whose default is open shows its kind.
func (s *Stage) Usage() string {
	var b strings.Builder
	if s.Role == Transformer {
		b.WriteString("… >> ")
	}
	b.WriteString(s.Name)
	if len(s.Params) == 0 && s.Role != Combiner {
		return b.String()
	}
	b.WriteByte('(')
	if s.Role == Combiner {
		b.WriteString(strings.Repeat("pipeline, ", s.MinArgs-1) + "pipeline")
		if s.MaxArgs != s.MinArgs {
			b.WriteString(", …")
		}
		if len(s.Params) > 0 {
			b.WriteString(", ")
		}
	}
	for i := range s.Params {
		p := &s.Params[i]
		if i > 0 {
			b.WriteByte(',')
		}
		if p.Positional {
			b.WriteString(p.Name)
			continue
		}
		b.WriteString(p.Name)
		b.WriteByte('=')
		if p.Default != "" {
			b.WriteString(p.Default)
		} else {
			b.WriteString("<" + p.Kind.String() + ">")
		}
	}
	b.WriteByte(')')
	return b.String()
}

// Nearest returns the known name most similar to the written one, or "" if none is close.
func Nearest(written string, names []string) string { return near.Name(written, names) }
