package pipeline

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/internal/near"
)

// Role says where a stage may stand.
type Role uint8

// The roles of stages.
const (
	Retriever   Role = iota // starts a pipeline and ranks documents itself
	Combiner                // starts a pipeline and makes one ranking of the pipelines that are its arguments
	Transformer             // follows >> and changes the ranking before it
)

// String returns the role in words.
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

// String returns the kind in words.
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
	Default    string            // canonical text of the value where none is written; "" for a word that may stay open
	Required   bool              // there is no default: it must be written
	Positional bool              // may be written without its name, and is printed so: cut(20)
	Min, Max   float64           // inclusive range of a Number or Integer
	Words      []string          // the values of a Word; nil where any word will do
	Also       map[string]string // what else a Word may be called → the word: read, never printed
	Fold       bool              // of Words: letter case, and _ for -, do not matter
	Doc        string            // one sentence
	// decides what a ranker is built of (an index, vectors), not only how it is set; see Node.Shape
	Fixed bool
	Slide Range // where a slider moves it; the zero value where none does

	// By names a Word parameter of the same stage, declared earlier, on whose value this one depends: Defaults replaces
	// Default for some of its values, Only lists the values for which this parameter means anything (nil: all; "":
	// while that one is open).
	By       string
	Defaults []Case
	Only     []string
}

// Range is what a slider moves over: the part of Min to Max that is of use, and its step.
type Range struct{ Min, Max, Step float64 }

// Values are the places that the slider can stand at, ascending, each the number that its decimals say; none where none
// moves it.
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

// Case is a default that holds while the parameter named by Param.By has the value Word.
type Case struct{ Word, Default string }

// Stage declares how one stage is written. It is immutable.
type Stage struct {
	// Also is how parameters may be written too, read and never printed: "min" → "threshold", and of one value
	// "keep=below" → "below=keep".
	Also    map[string]string
	Name    string
	Role    Role
	Params  []Param
	MinArgs int    // fewest pipelines a Combiner takes; 0 for other roles
	MaxArgs int    // most of them; 0 for any number
	Doc     string // what it does, in one or two sentences
	Formula string // the score it gives, in plain text
	Source  string // works and programs that it follows, "; " between them: "Authors 2009, Title (what of it)"

	Label func(n *Node) string // a short name for tables
}

// Param returns the declaration of the parameter, or nil.
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

// Usage returns the stage as one would write it: "cut(n)", "rrf(pipeline, pipeline, …, k=60,depth=100)". A parameter
// whose default is open or that is required shows its kind.
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

// Nearest returns the name that was probably meant by what was written, "" where none is close.
func Nearest(written string, names []string) string { return near.Name(written, names) }
