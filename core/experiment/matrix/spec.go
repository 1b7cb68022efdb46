package matrix

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Limits of a Spec, so that a hostile one ends in a message.
const (
	MaxSpec    = 1 << 20 // bytes of the JSON
	MaxWritten = 20000   // bytes of one system with its alternatives
	MaxRuns    = 400     // runs of a plan, merged ones not counted
	MaxDepth   = 10000   // documents of a ranking

	mostValues   = 10_000      // of all ranges of a line
	mostWritten  = 4 * MaxRuns // runs as they are written
	mostMeasures = 100
	maxText      = 4096 // bytes of any other text: a measure, the policy, a path
)

// configTop is the top_k of a configuration matrix that names none.
const configTop = 100

// Spec is an experiment as its author writes it.
type Spec struct {
	Collection string   // id or path; "" where the caller has one open
	Systems    []string // pipelines, with alternatives (see Expand)
	Measures   []string // notations; empty for the defaults. The first one is tested.
	Baseline   string   // a pipeline of the plan, "" for the first
	Seed       int      // of what is drawn by the analyses: folds, samples of coalitions
	Depth      int      // documents of every ranking, 0 for as many as the measures ask for
	// least scores: every run once for each; 0, in JSON null too, leaves every document. Empty for none.
	Thresholds []float64
	Policy     string // switches of measures and tests, as compare.ReadPolicy takes them
	Folds      int    // into which the queries are dealt to choose a run; 0 for Folds
	Ablate     string // a pipeline that is taken apart: every set of its stages is a run; "" for none
	Partial    bool   // runs to which a backend gave no answer for some queries have figures all the same, marked
	Configured int    // runs that a config matrix says it has; 0 where it was none
}

// limits are those of a Spec's JSON: a list of pipelines, and what a pipeline nests.
var limits = jsontext.Limits{Depth: 2 + pipeline.JSONDepth, Token: MaxSpec}

// keys are the members of the JSON, those of a config matrix apart.
var keys = []string{"collection", "systems", "measures", "baseline", "seed", "depth", "thresholds", "policy", "ablate",
	"folds", "partial"}

// ReadSpec reads a Spec from its JSON form,
//
//	{"collection": "…", "systems": ["bm25(k1=0.6..1.8/0.2)", "dense"], "measures": ["nDCG@10"], "baseline": "bm25", "seed": 1}
//
// or a config matrix (see config). A system, the baseline and what is ablated may also be in the JSON form of a
// pipeline (see pipeline.Node.MarshalJSON), which has no alternatives. Members that it does not know are refused, with
// the nearest one that it does. The error says where in the text.
func ReadSpec(data []byte) (Spec, error) {
	var s Spec
	if len(data) > MaxSpec {
		return s, say.Faultf("matrix", "read spec: %d bytes, the limit is %d", len(data), MaxSpec)
	}
	r := jsontext.New(nil, limits)
	r.Reset(data)
	var c config
	in := "" // the member whose value is read
	seen := map[string]bool{}
	for r.BeginObject(); r.More(); {
		key := string(r.Key())
		if seen[key] {
			r.Invalid("the member " + strconv.Quote(key) + " appears twice")
			break
		}
		seen[key] = true
		in = key
		switch key {
		case "collection":
			s.Collection = r.String()
		case "systems":
			s.Systems = texts(r, notation, countRuns())
		case "measures":
			s.Measures = texts(r, (*jsontext.Reader).String, countMeasures())
		case "baseline":
			s.Baseline = notation(r)
		case "seed":
			s.Seed = int(r.Int())
		case "depth":
			s.Depth = int(r.Int())
		case "thresholds":
			s.Thresholds = thresholds(r)
		case "ablate":
			s.Ablate = notation(r)
		case "folds":
			s.Folds = int(r.Int())
		case "partial":
			s.Partial = r.Bool()
		case "policy":
			s.Policy = r.String()
		default:
			if !c.read(r, key) {
				r.Invalid(unknown(key))
			}
		}
		if why := s.wrong(key); why != "" && r.Err() == nil {
			r.Invalid(why)
		}
		if r.Err() == nil {
			in = ""
		}
	}
	r.End()
	if err := r.Err(); err != nil {
		if at, ok := errors.AsType[*jsontext.SyntaxError](err); ok {
			if in != "" && strings.HasPrefix(at.Msg, "expected ") { // which does not say of what
				return s, say.Faultf("matrix", "read spec: line %d, column %d: %s: %s", at.Line, at.Column, in, at.Msg)
			}
			return s, say.Faultf("matrix", "read spec: line %d, %w", at.Line, err)
		}
		if at, ok := errors.AsType[*pipeline.Error](err); ok {
			before := data[:at.Pos]
			return s, say.Faultf("matrix", "read spec: line %d, column %d: %s", 1+bytes.Count(before, []byte("\n")),
				at.Pos-bytes.LastIndexByte(before, '\n'), at.Reason())
		}
		return s, say.Faultf("matrix", "read spec: %w", err)
	}
	if c.given {
		if len(s.Systems) > 0 || len(s.Thresholds) > 0 {
			return s, InText(data, about("systems",
				"read spec: it has systems and a config matrix: give one of the two"))
		}
		if err := c.into(&s); err != nil {
			return s, InText(data, err)
		}
	}
	return s, InText(data, s.check())
}

// check refuses what no collection can make right.
func (s *Spec) check() error {
	if len(s.Systems) == 0 && s.Ablate == "" {
		return about("systems", "read spec: there is no system: \"systems\" lists at least one pipeline")
	}
	for _, key := range keys {
		if why := s.wrong(key); why != "" {
			return about(key, "read spec: %s", why)
		}
	}
	return nil
}

// wrong says what is wrong with a member beyond its form, "" for nothing. Systems and measures are looked at where they
// are read.
func (s *Spec) wrong(key string) string {
	text := map[string]string{"collection": s.Collection, "baseline": s.Baseline, "policy": s.Policy,
		"ablate": s.Ablate}[key]
	switch {
	case len(text) > maxText:
		return key + " has " + strconv.Itoa(len(text)) + " bytes: the limit is " + strconv.Itoa(maxText)
	case strings.ContainsFunc(text, unicode.IsControl):
		return key + " has a control character"
	case key == "depth" && (s.Depth < 0 || s.Depth > MaxDepth):
		return fmt.Sprintf("depth is between 1 and %d, not %d", MaxDepth, s.Depth)
	case key == "folds" && s.Folds != 0 && (s.Folds < 2 || s.Folds > mostFolds):
		return fmt.Sprintf("folds is between 2 and %d, not %d", mostFolds, s.Folds)
	case key == "seed" && s.Seed < 0:
		return fmt.Sprintf("seed is %d, want at least 0", s.Seed)
	}
	return ""
}

// countRuns returns a check of systems, one after the other: each can be expanded, and all together make no more runs
// than a plan looks at.
func countRuns() func(string) error {
	left, n := mostWritten, 0
	return func(written string) error {
		n++
		if left == 0 {
			return fmt.Errorf("more than %d runs are too many", mostWritten)
		}
		all, err := Expand(written, left)
		left -= len(all)
		if err != nil {
			return say.Faultf("matrix", "system %d: %w", n, err)
		}
		return nil
	}
}

// countMeasures returns a check of measures, one after the other.
func countMeasures() func(string) error {
	n := 0
	return func(text string) error {
		if n++; n > mostMeasures {
			return fmt.Errorf("more than %d measures are too many", mostMeasures)
		}
		if len(text) > maxText {
			return fmt.Errorf("a measure of %d bytes: the limit is %d", len(text), maxText)
		}
		_, err := measure.Parse(text)
		return err
	}
}

func unknown(key string) string {
	all := append(append([]string(nil), keys...), configKeys...)
	text := "there is no member " + strconv.Quote(key[:min(len(key), 40)])
	if near := pipeline.Nearest(key, all); near != "" {
		text += "; did you mean " + near + "?"
	}
	return text
}

// notation reads a pipeline as people write it, or its JSON form, of which it returns the canonical notation.
func notation(r *jsontext.Reader) string {
	if r.Peek() != '{' {
		return r.String()
	}
	if n := stage.ReadJSON(r); n != nil {
		return n.String()
	}
	return ""
}

// texts reads a list, or one element for a list of one. What a check refuses is an error at its place.
func texts(r *jsontext.Reader, one func(*jsontext.Reader) string, check func(string) error) (out []string) {
	read := func() {
		text := one(r)
		if r.Err() != nil {
			return
		}
		if check != nil {
			if err := check(text); err != nil {
				r.Invalid(say.Told(err))
			}
		}
		out = append(out, text)
	}
	if k := r.Peek(); k == '"' || k == '{' {
		read()
		return out
	}
	for r.BeginArray(); r.More(); {
		read()
	}
	return out
}

// numbers reads a list of numbers, or one for a list of one.
func numbers(r *jsontext.Reader) (out []float64) {
	if r.Peek() == '0' {
		return []float64{r.Float()}
	}
	for r.BeginArray(); r.More(); {
		out = append(out, r.Float())
	}
	return out
}

// thresholds reads numbers, of which null is 0: no threshold.
func thresholds(r *jsontext.Reader) (out []float64) {
	number := func() float64 {
		if r.Peek() == 'n' {
			r.Null()
			return 0
		}
		return r.Float()
	}
	if k := r.Peek(); k == '0' || k == 'n' {
		return []float64{number()}
	}
	for r.BeginArray(); r.More(); {
		out = append(out, number())
	}
	return out
}

// integers likewise.
func integers(r *jsontext.Reader) (out []int) {
	if r.Peek() == '0' {
		return []int{int(r.Int())}
	}
	for r.BeginArray(); r.More(); {
		out = append(out, int(r.Int()))
	}
	return out
}

// bools likewise.
func bools(r *jsontext.Reader) (out []bool) {
	if k := r.Peek(); k == 't' || k == 'f' {
		return []bool{r.Bool()}
	}
	for r.BeginArray(); r.More(); {
		out = append(out, r.Bool())
	}
	return out
}
