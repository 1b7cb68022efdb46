package golden

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/internal/near"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// The keys of a golden set, of its results and of its queries, in the order in which docs/check.md explains them.
var (
	setKeys = []string{"name", "results", "top", "within", "require", "measures", "gates", "sure", "baseline",
		"threshold", "score_threshold", "max_latency", "queries", "judgments"}
	resultKeys = []string{"pipeline", "documents", "command", "url", "method", "headers", "body", "file", "timeout",
		"list", "id", "score", "text"}
	itemKeys = []string{"query", "id", "expect", "forbid", "concepts", "min_score", "require", "within", "note",
		"above", "tags", "candidates", "min_results", "max_results", "score_threshold", "max_latency", "nothing", "by"}
)

// Read makes a Set of a text. A map that has a key of a golden set beside its name and queries is one, and an unknown
// key in it is refused. Anything else is held against the shapes of other tools. Errors are *collection.ParseError.
func Read(name string, n *Node) (*Set, error) {
	s := &Set{File: name, Within: DefaultWithin, Require: Any, Shape: "a golden set"}
	r := &reading{Set: s}
	if ownLines(n) {
		if n.Kind == Map {
			n = &Node{Kind: List, Line: n.Line, Items: []*Node{n}}
		}
		r.items(n)
	} else if own(n) {
		r.set(n)
	} else {
		r.foreign(n)
	}
	if r.err != nil {
		return nil, r.err
	}
	if s.QueriesFile != "" || s.JudgmentsFile != "" || len(s.Queries) == 0 && n.Get("queries") == nil && own(n) {
		return s, nil // the caller has files to read
	}
	return s, s.Check()
}

// own reports whether a text is a golden set, and no other tool's file: it says where results come from, or has queries
// and beside them a key of ours, or queries whose keys are all ours.
func own(n *Node) bool {
	list := n.Get("queries")
	switch {
	case ownLines(n):
		return true
	case n.Get("results") != nil:
		return n.Get("results").Get("results") == nil // promptfoo has that
	case list == nil:
		return false
	case list.Kind == Text:
		return true
	}
	for _, m := range n.Members {
		if m.Key != "name" && m.Key != "queries" && slices.Contains(setKeys, m.Key) {
			return true
		}
	}
	if list.Kind != List {
		return false
	}
	for _, q := range list.Items {
		for _, m := range q.Members {
			if !slices.Contains(itemKeys, m.Key) {
				return false
			}
		}
	}
	return true
}

// ownLines reports whether a text is queries of a golden set alone: a list of them, lines of JSON or a single line.
func ownLines(n *Node) bool {
	list, expects := n.Items, false
	if n.Kind == Map {
		list = []*Node{n}
	}
	for _, q := range list {
		if q.Kind != Map {
			return false
		}
		for _, m := range q.Members {
			if !slices.Contains(itemKeys, m.Key) {
				return false
			}
			expects = expects || slices.Contains([]string{"expect", "forbid", "above", "nothing"}, m.Key)
		}
	}
	return expects
}

// reading is a Set that is being read. The first error stays.
type reading struct {
	*Set
	err error
}

func (r *reading) refuse(line int, why string) {
	if r.err == nil {
		r.err = r.fail(line, errors.New(why))
	}
}

// wrong refuses an error of another reader.
func (r *reading) wrong(line int, err error) {
	if err != nil {
		r.refuse(line, say.Told(err))
	}
}

// known refuses a key that is not in a list, and one that comes twice. what has the keys.
func (r *reading) known(n *Node, keys []string, what string) {
	if n.Kind != Map {
		r.refuse(n.Line, what+" is "+n.Kind.word()+", not a map")
		return
	}
	seen := map[string]bool{}
	for _, m := range n.Members {
		if seen[m.Key] {
			r.refuse(m.Line, what+" has the key "+quoted(m.Key)+" twice")
		}
		seen[m.Key] = true
		if slices.Contains(keys, m.Key) {
			continue
		}
		why := what + " has no key " + quoted(m.Key)
		if meant := near.Name(m.Key, keys); meant != "" {
			why += "; did you mean " + meant + "?"
		} else {
			why += ": there are " + say.And(keys)
		}
		r.refuse(m.Line, why)
	}
}

// text is the text of a scalar.
func (r *reading) text(key string, n *Node) string {
	if n.scalar() {
		return n.Text
	}
	r.refuse(n.Line, key+" is "+n.Kind.word()+", not a text")
	return ""
}

// texts are those of a list, or one alone.
func (r *reading) texts(key string, n *Node) (out []string) {
	switch n.Kind {
	case Null:
		return nil
	case List:
		for _, x := range n.Items {
			out = append(out, r.text("an entry of "+key, x))
		}
		return out
	}
	return []string{r.text(key, n)}
}

// count is a whole number from 1.
func (r *reading) count(key string, n *Node) int {
	v, err := strconv.Atoi(n.Text)
	if n.Kind != Number || err != nil || v < 1 || v > math.MaxInt32 {
		r.refuse(n.Line, key+" is not a whole number from 1")
	}
	return v
}

func (r *reading) require(n *Node) Require {
	switch v := Require(r.text("require", n)); v {
	case Any, All, Measured, None:
		return v
	}
	r.refuse(n.Line, "require is "+quoted(n.Text)+", not any, all, measured or none")
	return Any
}

// set reads a golden set.
func (r *reading) set(n *Node) {
	r.known(n, setKeys, "the golden set")
	for _, m := range n.Members {
		v := m.Value
		if r.err != nil {
			return
		}
		switch m.Key {
		case "name":
			r.Name = r.text(m.Key, v)
		case "results":
			r.results(v)
		case "top":
			r.Top = r.count(m.Key, v)
		case "within":
			r.Within = r.count(m.Key, v)
		case "require":
			if r.Require = r.require(v); r.Require == None {
				r.Require = Measured
			}
		case "score_threshold":
			least := r.number(m.Key, v)
			r.Least = &least
		case "max_latency":
			r.Latency = r.millis(m.Key, v)
		case "measures":
			r.measures(v)
		case "gates":
			for _, x := range lines(v) {
				g, err := gates.ParseGate(r.text("a gate", x))
				r.wrong(x.Line, err)
				r.Gates = append(r.Gates, g)
			}
		case "sure":
			if v.Kind != Bool {
				r.refuse(v.Line, "sure is "+v.Kind.word()+", not true or false")
			}
			r.Sure = v.Text == "true"
		case "baseline":
			r.Baseline = r.texts(m.Key, v)
		case "threshold":
			r.Limit = r.text(m.Key, v)
		case "judgments":
			r.JudgmentsFile = r.text(m.Key, v)
		case "queries":
			if v.Kind == Text {
				r.QueriesFile = v.Text
				continue
			}
			r.items(v)
		}
	}
}

// lines are the entries of a list, or a value alone.
func lines(n *Node) []*Node {
	switch n.Kind {
	case List:
		return n.Items
	case Null:
		return nil
	}
	return []*Node{n}
}

func (r *reading) measures(n *Node) {
	for _, x := range lines(n) {
		list, err := measure.ParseList(r.text("a measure", x))
		r.wrong(x.Line, err)
		for _, m := range list {
			r.Measures = append(r.Measures, m.String())
		}
	}
	if len(r.Measures) == 0 {
		r.refuse(n.Line, "measures names none")
	}
}

// results reads where results come from.
func (r *reading) results(n *Node) {
	if n.Kind == Null { // as rankbox check -init writes it where it knows none
		return
	}
	r.known(n, resultKeys, "results")
	o := &r.Results
	o.Line = n.Line
	for _, m := range n.Members {
		v := m.Value
		switch m.Key {
		case "command":
			if o.Command = r.texts(m.Key, v); v.Kind == Text {
				o.Command = Words(v.Text)
			}
			if len(o.Command) == 0 {
				r.refuse(v.Line, "command names no program")
			}
		case "headers":
			if v.Kind != Map {
				r.refuse(v.Line, "headers is "+v.Kind.word()+", not a map")
			}
			for _, h := range v.Members {
				o.Headers = append(o.Headers, [2]string{h.Key, r.text("header "+quoted(h.Key), h.Value)})
			}
		case "pipeline":
			o.Pipeline = r.text(m.Key, v)
			_, err := stage.Parse(o.Pipeline)
			r.wrong(v.Line, err)
		default:
			into := map[string]*string{"documents": &o.Documents, "url": &o.URL, "method": &o.Method, "body": &o.Body,
				"file": &o.File, "timeout": &o.Timeout, "list": &o.List, "id": &o.ID, "score": &o.Score,
				"text": &o.Text}
			if p := into[m.Key]; p != nil {
				*p = r.text(m.Key, v)
			}
		}
	}
	var from []string
	for _, x := range []struct {
		name  string
		given bool
	}{{"pipeline", o.Pipeline != ""}, {"command", len(o.Command) > 0}, {"url", o.URL != ""}, {"file", o.File != ""}} {
		if x.given {
			from = append(from, x.name)
		}
	}
	switch {
	case len(from) != 1:
		got := "none of them"
		if len(from) > 1 {
			got = say.And(from)
		}
		r.refuse(n.Line, "results come from one of pipeline, command, url and file, not from "+got)
	case o.Pipeline != "" && o.Documents == "":
		r.refuse(n.Line, "name the folder or file of documents for the pipeline (documents)")
	}
}

// items reads the queries of a golden set.
func (r *reading) items(n *Node) {
	if n.Kind != List {
		r.refuse(n.Line, "queries is "+n.Kind.word()+", not a list or the name of a file")
		return
	}
	r.Queries = slices.Grow(r.Queries, len(n.Items)) // a query is large: no second list of them while one grows
	for _, x := range n.Items {
		if r.err != nil {
			return
		}
		q := newQuery(x.Line)
		if x.scalar() { // a query alone
			q.Text = x.Text
		} else {
			r.known(x, itemKeys, "a query")
		}
		for _, m := range x.Members {
			v := m.Value
			switch m.Key {
			case "query":
				q.Text = r.text(m.Key, v)
			case "id":
				q.ID = r.text(m.Key, v)
			case "expect":
				if v.Kind == Text && v.Text == "none" {
					q.Nothing = true
					continue
				}
				q.Expected = r.grades(m.Key, v)
			case "nothing":
				if v.Kind != Bool {
					r.refuse(v.Line, "nothing is "+v.Kind.word()+", not true or false")
				}
				q.Nothing = v.Text == "true"
			case "forbid":
				if q.Forbidden = r.texts(m.Key, v); slices.Contains(q.Forbidden, "*") { // all documents
					q.Forbidden, q.Nothing = nil, true
				}
			case "above":
				if q.Above = r.texts(m.Key, v); len(q.Above) < 2 {
					r.refuse(v.Line, "above needs two documents or more, in their order: above: [a, b]")
				}
			case "by":
				q.By = r.text(m.Key, v)
			case "tags":
				q.Tags = r.texts(m.Key, v)
			case "candidates":
				q.Candidates = r.texts(m.Key, v)
			case "min_results":
				q.MinResults = r.count(m.Key, v)
			case "max_results":
				if v.Kind == Number && v.Text == "0" {
					q.Nothing = true
					continue
				}
				q.MaxResults = r.count(m.Key, v)
			case "score_threshold":
				least := r.number(m.Key, v)
				q.Least = &least
			case "max_latency":
				q.Latency = r.millis(m.Key, v)
			case "concepts":
				q.Concepts = r.texts(m.Key, v)
			case "min_score":
				q.MinScore = r.number(m.Key, v)
			case "require":
				q.Require = r.require(v)
			case "within":
				q.Within = r.count(m.Key, v)
			}
		}
		r.add(q)
	}
}

// add adds a query. One without an id is called by its text.
func (r *reading) add(q Query) {
	if strings.TrimSpace(q.Text) == "" && q.ID == "" {
		r.refuse(q.Line, "a query has no text (query)")
	}
	if q.ID == "" {
		q.ID = q.Text
		// what else is expected of a query, in an entry of its own without documents: it counts in no measure twice
		for n := 2; !q.Judged() && q.expects(r.Set) && r.has(q.ID); n++ {
			q.ID = q.Text + " (" + strconv.Itoa(n) + ")"
		}
	}
	if q.Require == None { // unwanted documents: in no measure are they relevant
		for _, g := range q.relevant() {
			q.Forbidden = append(q.Forbidden, g.Doc)
		}
		q.Expected, q.Require = nil, ""
	}
	for _, list := range [][]string{q.Concepts, q.Forbidden, q.Above, q.Tags, q.Candidates} {
		for _, s := range list {
			if strings.TrimSpace(s) == "" {
				r.refuse(q.Line, "query "+quoted(q.ID)+" names an empty text or document")
			}
		}
	}
	for _, g := range q.Expected {
		if g.Doc == "" {
			r.refuse(q.Line, "query "+quoted(q.ID)+" expects a document without an id")
		}
	}
	r.Queries = append(r.Queries, q)
}

func (r *reading) has(id string) bool {
	return slices.ContainsFunc(r.Queries, func(q Query) bool { return q.ID == id })
}

// millis reads a time as gates write it, as 200ms or 2s.
func (r *reading) millis(key string, n *Node) float64 {
	v, ok := gates.Milliseconds(strings.TrimSpace(n.Text))
	if !n.scalar() || !ok {
		r.refuse(n.Line, key+" is no time: write it as 200ms or 2s")
	}
	return v
}

func (r *reading) number(key string, n *Node) float64 {
	v, err := strconv.ParseFloat(n.Text, 64)
	if !n.scalar() || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		r.refuse(n.Line, key+" is not a number")
	}
	return v
}

// idNames and gradeNames are the keys of the id and the grade in an object of a judgment.
var (
	idNames = []string{"id", "docid", "documentid", "decisionid", "chunkid", "docno", "path", "file", "source", "url",
		"uri", "doc", "document", "nodeid", "passageid"}
	gradeNames = []string{"grade", "gain", "relevance", "rating", "score", "rel", "relevant", "weight", "label"}
)

// grades reads expected documents: a map of ids with grades, a list of ids or of objects with an id and a grade, or an
// id alone. Without a grade it is 1.
func (r *reading) grades(key string, n *Node) (out []Grade) {
	switch n.Kind {
	case Null:
	case Text, Number:
		out = append(out, Grade{n.Text, 1})
	case Map:
		for _, m := range n.Members {
			out = append(out, Grade{m.Key, r.grade(m.Key, m.Value)})
		}
	case List:
		for _, x := range n.Items {
			if x.scalar() {
				out = append(out, Grade{x.Text, 1})
				continue
			}
			id, grade := find(x, idNames), find(x, gradeNames)
			if !id.scalar() {
				r.refuse(x.Line, "an entry of "+key+" has no id")
				continue
			}
			for _, m := range x.Members {
				if k := plain(m.Key); !oneOf(idNames, k) && !oneOf(gradeNames, k) && k != "index" {
					r.warn(collection.UnknownField, m.Line,
						quoted(m.Key)+" of an expected document is unknown and ignored")
				}
			}
			g := Grade{id.Text, 1}
			if grade != nil && grade.Kind != Null {
				g.Grade = r.grade(id.Text, grade)
			}
			out = append(out, g)
		}
	default:
		r.refuse(n.Line, key+" is "+n.Kind.word()+", not documents")
	}
	return out
}

// grade is a number from 0, or true for 1 and false for 0.
func (r *reading) grade(doc string, n *Node) float64 {
	if n.Kind == Bool {
		return map[string]float64{"true": 1, "false": 0}[n.Text]
	}
	v, err := strconv.ParseFloat(n.Text, 64)
	if !n.scalar() || err != nil || !(v >= 0 && v <= 1000) {
		r.refuse(n.Line, "the grade of document "+quoted(doc)+" is not a number from 0 to 1,000")
		return 0
	}
	return v
}

// lookedAt is how many keys of a map are looked at for one that is known: nobody has more, and what has is looked at by
// every shape in turn.
const lookedAt = 256

// find is the value of the first of some keys that a map has, nil for none.
func find(n *Node, keys []string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	best, value := len(keys), (*Node)(nil)
	for i := range n.Members[:min(len(n.Members), lookedAt)] {
		if at := slices.Index(keys, plain(n.Members[i].Key)); at >= 0 && at < best {
			best, value = at, n.Members[i].Value
		}
	}
	return value
}

// Words splits a command into words at spaces. Words in single or double quotes stay together. No shell reads them.
func Words(s string) (out []string) {
	word, open, quote := "", false, rune(0)
	for _, c := range s {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if open {
				out, word, open = append(out, word), "", false
			}
		default:
			word, open = word+string(c), true
		}
	}
	if open {
		out = append(out, word)
	}
	return out
}

// warn notes something that was read and that its owner should know.
func (r *reading) warn(kind string, line int, message string) {
	for i := range r.Warnings {
		if w := &r.Warnings[i]; w.Kind == kind && w.Message == message {
			w.Count++
			return
		}
	}
	w := collection.Warning{Kind: kind, File: r.File, Line: line, Count: 1, Message: message}
	r.Warnings = append(r.Warnings, w)
}
