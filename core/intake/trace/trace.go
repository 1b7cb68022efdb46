// Package trace reads what search agents did, query by query: their steps, the queries that they sent, the documents
// that came back, calls and tokens. It says how much of the relevant documents they had found after each step. It
// runs no agent and measures no ranking itself: rankings of steps are measured by core/evaluate/evaluation.
//
// Order of the pipeline: Read → Set (the traces of one system) → Measure joins them with judgments → Outcome:
// cumulative recall by step and tokens, the measure of every hop, Any@k and All@k, and where each relevant document
// was found.
package trace

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Step is one step of an agent: what it asked, and which documents came back, best first. A step without documents is
// one that thought, answered, or found nothing.
type Step struct {
	Query  string
	Tool   string
	Docs   []string // each once
	Tokens int      // that the step took, in and out; 0 where the trace does not say it
	Calls  int      // of tools; 1 where the trace does not say it
}

// Trace is what an agent did for a query.
type Trace struct {
	Query string // its id, as in the judgments
	Text  string
	Steps []Step
	Line  int
}

// Set is the traces of one system.
type Set struct {
	Name   string
	File   string
	Traces []Trace
	Tokens bool // some step says how many it took
}

// MaxBytes is how many bytes a file of traces may have; MaxSteps is how many steps of a trace are counted one by one,
// the later ones counting as part of the last.
const (
	MaxBytes = 256 << 20
	MaxSteps = 100
)

// Detect reports whether a file is of traces, by its first bytes: objects with "steps", or runs of BrowseComp-Plus
// with "result" and "retrieved_docids".
func Detect(head []byte) bool {
	b := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
	r.Reset(b)
	query, retrieved := false, false
	for r.BeginObject(); r.More(); {
		key := string(r.Key())
		kind := r.Peek()
		switch {
		case slices.Contains(idKeys, key):
			query = true
		case key == "retrieved_docids" || key == "tool_call_counts":
			retrieved = true
		case kind == '[' && (query && key == "steps" || retrieved && key == "result"):
			return true
		}
		r.Skip()
	}
	return false
}

// The keys under which traces have what they hold, the first that is there.
var (
	idKeys    = []string{"query_id", "qid", "topic_id", "id"}
	nameKeys  = []string{"run_id", "system", "agent", "run"}
	docKeys   = []string{"retrieved", "retrieved_ids", "retrieved_docids", "docids", "documents", "results"}
	docIDKeys = []string{"docid", "doc_id", "id", "docno"}
)

// first is the value of the first key that an object has, nil for none.
func first(n *golden.Node, keys []string) *golden.Node {
	for _, k := range keys {
		if v := n.Get(k); v != nil && v.Kind != golden.Null {
			return v
		}
	}
	return nil
}

// text is an id or a text, "" of anything else.
func text(n *golden.Node) string {
	return strings.TrimSpace(n.AsText())
}

// Read reads traces, one a line (JSONL) or one a file; system is their name where they have none. Errors are
// *collection.ParseError.
//
// A trace is {"query_id", "query", "run_id", "steps": [{"query", "tool", "retrieved": [ids], "tokens", "calls"}]};
// documents may be objects with "docid", tokens "input_tokens" and "output_tokens". A run of BrowseComp-Plus has its
// steps in "result": calls of tools whose "output" lists the documents.
func Read(name, system string, b []byte) (*Set, error) {
	fail := func(line int, err error) (*Set, error) {
		return nil, &collection.ParseError{File: name, Line: line, Err: err}
	}
	root, ok, err := golden.ParseJSON(name, b)
	if err != nil {
		return nil, err
	}
	if !ok {
		return fail(1, errors.New("traces are objects of JSON, one a line"))
	}
	out := &Set{Name: system, File: name}
	seen, named := map[string]int{}, ""
	for _, n := range root.Objects() {
		if n.Kind != golden.Map {
			return fail(n.Line, errors.New("an entry that is not an object"))
		}
		t := Trace{Query: text(first(n, idKeys)), Text: text(n.Get("query")), Line: n.Line}
		if t.Query == "" {
			return fail(n.Line, errors.New("a trace without \"query_id\""))
		}
		if at, had := seen[t.Query]; had {
			return fail(n.Line, fmt.Errorf("query %q has two traces, in line %d and here: give each run a file",
				say.Brief(t.Query, 60), at))
		}
		seen[t.Query] = n.Line
		if own := text(first(n, nameKeys)); own != "" {
			if named != "" && own != named {
				return fail(n.Line, fmt.Errorf("traces of %q and %q in one file: give each run a file",
					say.Brief(named, 60),
					say.Brief(own, 60)))
			}
			named, out.Name = own, own
		}
		line, err := t.read(n)
		if err != nil {
			return fail(line, err)
		}
		for _, s := range t.Steps {
			out.Tokens = out.Tokens || s.Tokens > 0
		}
		out.Traces = append(out.Traces, t)
	}
	if len(out.Traces) == 0 {
		return fail(0, errors.New("it holds no trace"))
	}
	return out, nil
}

// Join makes one set of those of several files that are of one system, as BrowseComp-Plus writes a file a query.
func Join(name string, sets []*Set) (*Set, error) {
	out := &Set{Name: name, File: sets[0].File}
	seen := map[string]string{}
	for _, s := range sets {
		for _, t := range s.Traces {
			if at, had := seen[t.Query]; had {
				return nil, &collection.ParseError{File: s.File, Line: t.Line,
					Err: fmt.Errorf("query %q has a trace in %s already", say.Brief(t.Query, 60), at)}
			}
			seen[t.Query] = s.File
			out.Traces = append(out.Traces, t)
		}
		out.Tokens = out.Tokens || s.Tokens
	}
	return out, nil
}

// read reads the steps of a trace. The line is that of the error.
func (t *Trace) read(n *golden.Node) (line int, err error) {
	steps, calls := n.Get("steps"), n.Get("result")
	if steps == nil && calls != nil && calls.Kind == golden.List {
		return t.calls(calls)
	}
	if steps == nil || steps.Kind != golden.List {
		return n.Line, errors.New("a trace without a list of \"steps\"")
	}
	for _, x := range steps.Items {
		if x.Kind != golden.Map {
			return x.Line, errors.New("a step that is not an object")
		}
		s := Step{Query: text(x.Get("query")), Tool: text(x.Get("tool")), Calls: 1}
		if s.Docs, err = documents(first(x, docKeys)); err != nil {
			return x.Line, err
		}
		if v := x.Get("calls"); v != nil && v.Kind == golden.List {
			s.Calls = len(v.Items)
		} else if v != nil {
			if s.Calls, err = count("calls", v); err != nil {
				return x.Line, err
			}
		}
		for _, key := range []string{"tokens", "total_tokens", "input_tokens", "output_tokens"} {
			v := x.Get(key)
			if v == nil {
				continue
			}
			k, err := count(key, v)
			if err != nil {
				return x.Line, err
			}
			if s.Tokens += k; key == "tokens" || key == "total_tokens" {
				break // the others are parts of it
			}
		}
		t.Steps = append(t.Steps, s)
	}
	return 0, nil
}

// calls reads the calls of tools of a run of BrowseComp-Plus.
func (t *Trace) calls(list *golden.Node) (line int, err error) {
	for _, x := range list.Items {
		if text(x.Get("type")) != "tool_call" {
			continue // reasoning, the answer
		}
		s := Step{Tool: text(x.Get("tool_name")), Calls: 1}
		if a := x.Get("arguments"); a != nil && a.Kind == golden.Text {
			if n, ok, err := golden.ParseJSON("arguments", []byte(a.Text)); ok && err == nil {
				a = n
			}
			s.Query = text(first(a, []string{"query", "user_query", "q"}))
		} else if a != nil {
			s.Query = text(first(a, []string{"query", "user_query", "q"}))
		}
		out := x.Get("output")
		if out != nil && out.Kind == golden.Text {
			n, ok, err := golden.ParseJSON("output", []byte(out.Text))
			if !ok || err != nil {
				n = nil // an error in words, or a text that was cut off: the tool gave no documents
			}
			out = n
		}
		if out != nil && out.Kind == golden.Map { // one document that was opened
			out = &golden.Node{Kind: golden.List, Items: []*golden.Node{out}}
		}
		if out != nil && out.Kind == golden.List {
			if s.Docs, err = documents(out); err != nil {
				s.Docs = nil
			}
		}
		t.Steps = append(t.Steps, s)
	}
	return 0, nil
}

// documents are the ids of a list, each once.
func documents(n *golden.Node) (out []string, err error) {
	if n == nil {
		return nil, nil
	}
	if n.Kind != golden.List {
		return nil, errors.New("what a step retrieved is not a list of documents")
	}
	seen := map[string]bool{}
	for _, x := range n.Items {
		id := text(x)
		if x.Kind == golden.Map {
			id = text(first(x, docIDKeys))
		}
		if id == "" {
			return nil, errors.New("a document without an id (\"docid\")")
		}
		if strings.ContainsAny(id, "\t\n\v\f\r\x00") {
			return nil, fmt.Errorf("document %q: an id of one line is expected", say.Brief(id, 60))
		}
		if !seen[id] {
			seen[id], out = true, append(out, id)
		}
	}
	return out, nil
}

// count reads a whole number from 0.
func count(key string, n *golden.Node) (int, error) {
	if n.Kind == golden.Null {
		return 0, nil
	}
	v, err := strconv.Atoi(n.Text)
	if n.Kind != golden.Number || err != nil || v < 0 || v > 1<<40 {
		return 0, fmt.Errorf("%q is not a whole number from 0", key)
	}
	return v, nil
}
