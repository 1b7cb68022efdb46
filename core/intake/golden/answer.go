package golden

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
)

// Result is one result of a query.
type Result struct {
	Doc   string
	Score float64 // as the system says it; NaN where it says none
	Text  string  // what the system returned of it
	Read  bool    // Text is there
}

// Answer is what a system returned for a query, best first.
type Answer struct {
	Results []Result
	Millis  float64 // that it took; 0 if nobody measured it
	Again   int     // documents that came again, of which only the first place is kept: several chunks of one
}

// Paths say where results are in what comes back: keys joined by dots. An empty one is found.
type Paths struct{ List, ID, Score, Text string }

// The keys of results, as plain has them, best first.
var (
	resultLists = []string{"results", "hits", "documents", "docs", "items", "data", "matches", "value", "response",
		"points"}
	resultIDs = []string{"id", "docid", "documentid", "docno", "chunkid", "path", "file", "url", "uri",
		"source", "key"}
	resultScores = []string{"score", "similarity", "@searchscore", "relevance", "rankingscore"}
	resultTexts  = []string{"text", "content", "contents", "pagecontent", "body", "passage", "snippet", "document"}
	resultTitles = []string{"title", "name", "heading"}
)

// ParseAnswer takes results out of a text: a list of ids or of objects, or a map that holds one. It refuses a text
// in which it finds no list: no results would look the same.
func ParseAnswer(n *Node, p Paths) (a Answer, err error) {
	list := n
	if p.List != "" {
		if list = at(n, p.List); list == nil {
			return a, errors.New("the answer has no " + strconv.Quote(p.List) + " (list)")
		}
	}
	for deep := 0; list != nil && list.Kind == Map && p.List == "" && deep < 4; deep++ {
		list = find(list, resultLists)
	}
	if list == nil || list.Kind != List {
		return a, errors.New("the answer holds no list of results: give its path (list), such as hits.hits")
	}
	seen := map[string]bool{}
	for i, x := range list.Items {
		r := Result{Score: math.NaN()}
		if x.scalar() {
			r.Doc = x.Text
		} else if err := r.object(x, p); err != nil {
			return a, errors.New("result " + strconv.Itoa(i+1) + " " + err.Error())
		}
		if r.Doc == "" {
			return a, errors.New("result " + strconv.Itoa(i+1) + " has an empty id")
		}
		if seen[r.Doc] {
			a.Again++
			continue
		}
		seen[r.Doc] = true
		a.Results = append(a.Results, r)
	}
	return a, nil
}

// object takes a result out of a map.
func (r *Result) object(x *Node, p Paths) error {
	pick := func(path string, keys []string) *Node {
		if path != "" {
			return at(x, path)
		}
		for _, from := range []*Node{x, x.Get("metadata"), x.Get("_source"), x.Get("payload"), x.Get("document"),
			x.Get("hit")} {
			if v := find(from, keys); v.scalar() {
				return v
			}
		}
		return nil
	}
	id := pick(p.ID, resultIDs)
	if !id.scalar() {
		return errors.New("has no id: give its path (id), such as _source.url")
	}
	r.Doc = id.Text
	if s := pick(p.Score, resultScores); s.scalar() {
		if v, err := strconv.ParseFloat(s.Text, 64); err == nil && !math.IsInf(v, 0) {
			r.Score = v
		}
	}
	for _, t := range []*Node{pick("", resultTitles), pick(p.Text, resultTexts)} {
		if t != nil && t.Kind == Text {
			r.Text, r.Read = strings.TrimSpace(r.Text+"\n"+t.Text), true
		}
	}
	return nil
}

// at follows a path of keys and places (from 0) joined by dots.
func at(n *Node, path string) *Node {
	for _, key := range strings.Split(path, ".") {
		if n == nil {
			return nil
		}
		if i, err := strconv.Atoi(key); err == nil && n.Kind == List {
			if i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
			continue
		}
		n = n.Get(key)
	}
	return n
}

// ParseOutput reads what a program or a server returned for one query: JSON, lines of a TREC run, or lines of an id
// and, behind a tab, a score.
func ParseOutput(b []byte, p Paths) (a Answer, err error) {
	start := bytes.TrimSpace(b)
	if len(start) == 0 {
		return a, nil
	}
	if start[0] == '{' || start[0] == '[' {
		n, _, err := ParseJSON("results", b)
		if err != nil {
			var at *collection.ParseError
			if errors.As(err, &at) {
				err = errors.New("the answer is not JSON: line " + strconv.Itoa(at.Line) + ", " + at.Err.Error())
			}
			return a, err
		}
		if n.Kind == List && len(n.Items) == 1 && n.Items[0].Kind == Map {
			if find(n.Items[0], resultLists) != nil && find(n.Items[0], resultIDs) == nil && p.List == "" {
				n = n.Items[0] // a list of answers, of which there is one
			}
		}
		return ParseAnswer(n, p)
	}
	seen := map[string]bool{}
	in := bufio.NewReader(bytes.NewReader(b))
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if t := strings.TrimRight(text, "\r\n"); strings.TrimSpace(t) != "" {
			r := Result{Score: math.NaN()}
			if f := strings.Fields(t); len(f) == 6 && strings.EqualFold(f[1], "q0") {
				r.Doc, t = f[2], f[2]+"\t"+f[4]
			}
			id, score, found := strings.Cut(t, "\t")
			r.Doc = strings.TrimSpace(id)
			if found {
				score, _, _ = strings.Cut(score, "\t")
				v, err := strconv.ParseFloat(strings.TrimSpace(score), 64)
				if err != nil || math.IsInf(v, 0) {
					return a, errors.New("line " + strconv.Itoa(line) + ": " + quoted(score) + " is not a score")
				}
				r.Score = v
			}
			if seen[r.Doc] {
				a.Again++
			} else {
				a.Results = append(a.Results, r)
			}
			seen[r.Doc] = true
		}
		if err == io.EOF {
			return a, nil
		}
	}
}

// ParseAnswers reads a file of results: JSON Lines or a list, an entry a query, which its id or its text names.
func ParseAnswers(name string, n *Node, p Paths) (map[string]Answer, error) {
	out := map[string]Answer{}
	if by := n.Get("details"); by != nil && by.Kind == Map && n.Get("metric_score") != nil { // the answer of _rank_eval
		n = by
	}
	list := entries(n)
	if list == nil && n.Kind == Map && len(n.Members) > 0 { // {query: [ids]}, or a single line
		if find(n, queryIDs) != nil || find(n, queryKeys) != nil {
			list = []*Node{n}
		}
	}
	fail := func(line int, why string) (map[string]Answer, error) {
		return nil, &collection.ParseError{File: name, Line: line, Err: errors.New(why)}
	}
	if list == nil && n.Kind == Map && len(n.Members) > 0 {
		for _, m := range n.Members {
			a, err := ParseAnswer(m.Value, p)
			if err != nil {
				return fail(m.Line, err.Error())
			}
			out[m.Key] = a
		}
		return out, nil
	}
	for _, x := range list {
		var keys []string
		for _, k := range []*Node{find(x, queryIDs), find(x, queryKeys)} {
			if k.scalar() {
				keys = append(keys, k.Text)
			}
		}
		if len(keys) == 0 {
			return fail(x.Line, "a line of results names no query (query_id or query)")
		}
		results := find(x, answerKeys)
		if results == nil || p.List != "" {
			results = x
		}
		a, err := ParseAnswer(results, p)
		if err != nil {
			return fail(x.Line, err.Error())
		}
		for _, k := range keys {
			out[k] = a
		}
	}
	if len(out) == 0 {
		return fail(n.Line, "it holds no results")
	}
	return out, nil
}
