package scores

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
)

// DetectCitations reports whether a file is of answers that cite documents, as the RAG and RAGTIME tracks of TREC
// exchange them.
func DetectCitations(b []byte) bool {
	h := newHead(b)
	return h.json && (h.has("answer") || h.has("responses")) && (h.has("references") || h.has("metadata") &&
		!h.has("queries")) && !h.has("nuggets")
}

// Citations reads such answers, one a line, as a run: for every topic the documents that its sentences cite, in the
// order in which they are first cited. Citation precision by judgments is then SetP of the run, and citation recall
// SetR. An answer that cites nothing has an empty list. Citations are numbers into "references", ids, or a map of ids
// to confidences. Errors are *collection.ParseError.
//
// Source: the submissions of TREC 2024 RAG and TREC 2025 RAGTIME, as autojudge-base 1.0.0 writes and reads them.
func Citations(name string, b []byte) (*collection.Run, error) {
	fail := func(line int, err error) (*collection.Run, error) {
		return nil, &collection.ParseError{File: name, Line: line, Err: err}
	}
	root, ok, err := golden.ParseJSON(name, b)
	if err != nil {
		return nil, err
	}
	if !ok {
		return fail(1, errors.New("answers are objects of JSON, one a line"))
	}
	var run *collection.RunBuilder
	seen := map[string]int{}
	for _, n := range root.Objects() {
		topic, system := "", ""
		for _, from := range []*golden.Node{n, n.Get("metadata")} {
			for _, key := range []string{"topic_id", "narrative_id", "request_id", "qid", "query_id"} {
				if topic == "" {
					topic = strings.TrimSpace(from.Get(key).AsText())
				}
			}
			if system == "" {
				system = from.Get("run_id").AsText()
			}
		}
		if topic == "" {
			return fail(n.Line, errors.New("an answer without \"topic_id\" or \"narrative_id\""))
		}
		if at, had := seen[topic]; had {
			return fail(n.Line, fmt.Errorf("topic %q is answered twice, in line %d and here", say.Brief(topic, 60), at))
		}
		seen[topic] = n.Line
		if run == nil {
			run = collection.NewRunBuilder(system)
		}
		docs, err := cited(n)
		if err == nil {
			err = run.Touch(topic)
		}
		for i, d := range docs {
			if err == nil {
				err = run.Add(topic, d, float64(len(docs)-i))
			}
		}
		if err != nil {
			return fail(n.Line, err)
		}
	}
	if run == nil {
		return fail(0, errors.New("it holds no answer"))
	}
	out, _ := run.Run()
	return out, nil
}

// cited are the documents that an answer cites, each once.
func cited(n *golden.Node) (out []string, err error) {
	references := n.Get("references")
	sentences := n.Get("answer")
	if sentences == nil {
		sentences = n.Get("responses")
	}
	if sentences == nil || sentences.Kind != golden.List {
		return nil, errors.New("an answer without a list of sentences (\"answer\" or \"responses\")")
	}
	seen := map[string]bool{}
	add := func(id string) error {
		if id == "" || strings.ContainsAny(id, "\t\n\v\f\r\x00") {
			return fmt.Errorf("citation %q: an id of one line is expected", say.Brief(id, 60))
		}
		if !seen[id] {
			seen[id], out = true, append(out, id)
		}
		return nil
	}
	for _, s := range sentences.Items {
		c := s.Get("citations")
		if c == nil {
			continue
		}
		for _, m := range c.Members { // of ids to confidences
			if err := add(m.Key); err != nil {
				return nil, err
			}
		}
		for _, x := range c.Items {
			id := x.AsText()
			if x.Kind == golden.Number {
				at, err := strconv.Atoi(x.Text)
				if err != nil || references == nil || at < 0 || at >= len(references.Items) {
					return nil, fmt.Errorf("citation %s is no place in \"references\", which count from 0",
						say.Brief(x.Text, 60))
				}
				id = references.Items[at].AsText()
			}
			if err := add(id); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
