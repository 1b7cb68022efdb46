// Package golden holds what a golden set is: queries with the documents that they expect, those that must not appear,
// concepts that must occur, a lowest score, and where results come from. It says which queries fail, and why. It reads
// of YAML what golden sets are written in (the command line reads all of it), and no file; it runs no system, and
// computes no figure (see compare, report, export).
//
// Order of the pipeline: Node (a text of JSON or YAML with its lines) → Read (this format, or a shape that public
// repositories use) → Set → the caller asks for Answers → Qrels and Run, of which compare makes a report →
// Expectations.
package golden

import (
	"errors"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// Set is a golden set.
type Set struct {
	File     string
	Name     string
	Shape    string // what the file was recognised as
	Queries  []Query
	Results  Results
	Top      int      // results a query is asked for; 0: as many as Within and the measures need
	Within   int      // results that expectations look at
	Require  Require  // of the expected documents
	Measures []string // canonical; empty for DefaultMeasures
	Gates    []gates.Gate
	Sure     bool     // gates fail only where the test says that it is more than chance
	Baseline []string // files, relative to this one
	Least    *float64 // results with a lower score are no answer to queries that expect nothing; nil for none
	Latency  float64  // milliseconds that a query may take, 0 for any
	Limit    string   // the change since the baseline that counts, as "5%"; "" for the usual one

	QueriesFile, JudgmentsFile string // in the place of queries, "" for none

	Texts    map[string]string // of documents, where the file holds them; may be nil
	Answers  map[string]Answer // by query, where the file holds results; may be nil
	Warnings []collection.Warning
}

// DefaultWithin is how many results expectations look at.
const DefaultWithin = 10

// DefaultMeasures are the measures of a set that names none.
func DefaultMeasures() []string { return []string{"nDCG@10", "R@10", "RR@10"} }

// Query is one query of a set.
type Query struct {
	ID, Text  string // ID is the text where the file gives none
	Line      int
	Expected  []Grade
	Forbidden []string // documents that must not be among the first Within results
	Concepts  []string // texts that must occur among them
	MinScore  float64  // of the first result; NaN for none
	Require   Require  // "" for that of the set
	Within    int      // 0 for that of the set

	Nothing    bool     // there is no answer: no result may have the lowest score of an answer
	Above      []string // documents that must be in this order: a document that is not found is below those that are
	Tags       []string
	By         string   // who labelled it, "" if nobody says
	Candidates []string // the only documents that may be ranked for it; all if there are none
	MinResults int      // 0 for none
	MaxResults int      // 0 for none
	Least      *float64 // that of the set for nil
	Latency    float64  // 0 for that of the set
}

// newQuery is a query that expects nothing yet.
func newQuery(line int) Query { return Query{Line: line, MinScore: math.NaN()} }

// Grade is a document that a query expects, with its grade. A grade of 0 says that it is known not to be relevant.
type Grade struct {
	Doc   string
	Grade float64
}

// Require says how many of the expected documents must be among the first results.
type Require string

// The values of Require.
const (
	Any      Require = "any"      // at least one
	All      Require = "all"      // every one
	Measured Require = "measured" // the documents count in the measures alone
	// None says of a query that none of them may be there: they become forbidden. Of a set it is an older word for
	// Measured.
	None Require = "none"
)

// Results says where results come from: one of Pipeline, Command, URL and File.
type Results struct {
	Line      int
	Pipeline  string
	Documents string // a folder or a file: what the pipeline ranks, or where the texts of results are
	Command   []string
	URL       string
	Method    string
	Headers   [][2]string
	Body      string
	File      string
	Timeout   string // of a query, as "30s"; "" for the usual one

	List, ID, Score, Text string // where the results are in what comes back, as "hits.hits", "_id"; "" finds them
}

// Given reports whether the set says where results come from.
func (r *Results) Given() bool {
	return r.Pipeline != "" || len(r.Command) > 0 || r.URL != "" || r.File != ""
}

// expects reports whether something is expected of the results themselves, beside what the measures say.
func (q *Query) expects(s *Set) bool {
	return q.Nothing || len(q.Forbidden) > 0 || len(q.Concepts) > 0 || q.MinScore == q.MinScore || len(q.Above) > 0 ||
		q.MinResults > 0 || q.MaxResults > 0 || s.latency(q) > 0 || s.require(q) != Measured && len(q.relevant()) > 0
}

// Judged reports whether the query has a document of a grade above 0: then it counts in the measures.
func (q *Query) Judged() bool { return len(q.relevant()) > 0 }

// relevant are the expected documents of a grade above 0.
func (q *Query) relevant() (out []Grade) {
	for _, g := range q.Expected {
		if g.Grade > 0 {
			out = append(out, g)
		}
	}
	return out
}

func (s *Set) require(q *Query) Require {
	if q.Require != "" {
		return q.Require
	}
	return s.Require
}

func (s *Set) within(q *Query) int {
	if q.Within > 0 {
		return q.Within
	}
	return s.Within
}

// least is the lowest score of an answer, NaN if every result is one.
func (s *Set) least(q *Query) float64 {
	switch {
	case q.Least != nil:
		return *q.Least
	case s.Least != nil:
		return *s.Least
	}
	return math.NaN()
}

func (s *Set) latency(q *Query) float64 {
	if q.Latency > 0 {
		return q.Latency
	}
	return s.Latency
}

// Tags are the ids of the queries that have each tag.
func (s *Set) Tags() map[string][]string {
	out := map[string][]string{}
	for i := range s.Queries {
		for _, t := range s.Queries[i].Tags {
			out[t] = append(out[t], s.Queries[i].ID)
		}
	}
	return out
}

// MostWithin is how many results expectations look at, over all queries.
func (s *Set) MostWithin() int {
	most := s.Within
	for i := range s.Queries {
		most = max(most, s.Queries[i].Within)
	}
	return most
}

// Idle are the queries that expect nothing: nobody has said yet what they should find.
func (s *Set) Idle() (n int) {
	for i := range s.Queries {
		if q := &s.Queries[i]; !q.Judged() && !q.expects(s) {
			n++
		}
	}
	return n
}

// Qrels are the judgments that measures are made with: of the queries with a relevant document. A forbidden document
// has the grade 0.
func (s *Set) Qrels() *collection.Qrels {
	out := collection.NewQrels()
	for i := range s.Queries {
		q := &s.Queries[i]
		if !q.Judged() {
			continue
		}
		for _, g := range q.Expected {
			out.Add(q.ID, g.Doc, g.Grade)
		}
		for _, d := range q.Forbidden {
			out.Add(q.ID, d, 0)
		}
	}
	return out
}

// Topics are the queries with their texts, as reports show them.
func (s *Set) Topics() []collection.Query {
	out := make([]collection.Query, 0, len(s.Queries))
	for i := range s.Queries {
		out = append(out, collection.Query{ID: s.Queries[i].ID, Text: s.Queries[i].Text})
	}
	return out
}

// Topics makes queries that expect nothing yet of those that another reader read.
func Topics(list []collection.Query) (out []Query) {
	for _, q := range list {
		x := newQuery(0)
		x.ID, x.Text = q.ID, q.Text
		out = append(out, x)
	}
	return out
}

// Take puts the queries of another set, as a file that this one names, in the place of its own.
func (s *Set) Take(o *Set) {
	s.Queries, s.Texts, s.Answers = o.Queries, o.Texts, o.Answers
	s.Warnings = append(s.Warnings, o.Warnings...)
}

// Judge gives the queries the judgments of qrels, by their ids. Queries without any stay as they are.
func (s *Set) Judge(qrels *collection.Qrels) {
	for i := range s.Queries {
		q := &s.Queries[i]
		qrels.Each(q.ID, func(doc string, grade float64) { q.Expected = append(q.Expected, Grade{doc, max(grade, 0)}) })
	}
}

// Pool leaves of every answer the candidates of its query, where it has any.
func (s *Set) Pool(f *Found) {
	for i := range s.Queries {
		q := &s.Queries[i]
		a, ok := f.Answers[q.ID]
		if !ok || len(q.Candidates) == 0 {
			continue
		}
		a.Results = slices.DeleteFunc(slices.Clone(a.Results),
			func(r Result) bool { return !slices.Contains(q.Candidates, r.Doc) })
		f.Answers[q.ID] = a
	}
}

// Resolve puts the ids of documents in the place of names that are near enough: without the ending of a file, or
// without its folder, if one document alone is called so. Names that stay unknown are left as they are.
func (s *Set) Resolve(ids []string) {
	known, by := map[string]bool{}, map[string]string{}
	for _, id := range ids {
		known[id] = true
	}
	for _, id := range ids {
		base := path.Base(id)
		for _, name := range []string{strings.TrimSuffix(id, path.Ext(id)), base, strings.TrimSuffix(base,
			path.Ext(base))} {
			if other, ok := by[name]; ok && other != id {
				by[name] = "" // of two
			} else {
				by[name] = id
			}
		}
	}
	s.rename(func(doc string) (string, string) {
		if known[doc] {
			return "", ""
		}
		if id := by[doc]; id != "" {
			return id, "documents are named without their folder or ending"
		}
		return inForm(doc, ids), "documents are named in another Unicode form"
	})
}

// rename puts the ids that a function has for names in their place, "" for none, and warns of each reason once.
func (s *Set) rename(id func(doc string) (id, why string)) {
	at := map[string]int{} // of warnings, by why
	for i := range s.Queries {
		q := &s.Queries[i]
		names := []*string{}
		for k := range q.Expected {
			names = append(names, &q.Expected[k].Doc)
		}
		for _, list := range [][]string{q.Forbidden, q.Above, q.Candidates} {
			for k := range list {
				names = append(names, &list[k])
			}
		}
		for _, doc := range names {
			is, why := id(*doc)
			if is == "" {
				continue
			}
			if k, ok := at[why]; ok { // the first stands for all
				s.Warnings[k].Count++
			} else {
				at[why] = len(s.Warnings)
				s.Warnings = append(s.Warnings, collection.Warning{Kind: "document", File: s.File, Count: 1,
					Message: why + "; " + quoted(*doc) + " is taken for " + quoted(is)})
			}
			*doc = is
		}
	}
}

// ResolveForms is Resolve of other Unicode forms alone, for ids of which more may exist than are known.
func (s *Set) ResolveForms(ids []string) {
	ids = slices.DeleteFunc(slices.Clone(ids), isASCII)
	known := map[string]bool{}
	for _, id := range ids {
		known[id] = true
	}
	s.rename(func(doc string) (string, string) {
		if isASCII(doc) && len(ids) == 0 || known[doc] {
			return "", ""
		}
		return inForm(doc, ids), "documents are named in another Unicode form"
	})
}

// inForm is the one id that is a name in another Unicode form, "" for none or several.
func inForm(doc string, ids []string) (found string) {
	for _, id := range ids {
		if otherForm(doc, id) {
			if found != "" {
				return ""
			}
			found = id
		}
	}
	return found
}

// Check refuses what no set may have: no queries, two of one id, a document that is expected and forbidden.
func (s *Set) Check() error {
	if len(s.Queries) == 0 {
		return s.fail(0, errors.New("it holds no queries"))
	}
	seen := map[string]int{}
	for i := range s.Queries {
		q := &s.Queries[i]
		if before, ok := seen[q.ID]; ok {
			why := "query " + quoted(q.ID) + " is that of line " + strconv.Itoa(before)
			return s.fail(q.Line, errors.New(why+" again: give one of them another id"))
		}
		seen[q.ID] = q.Line
		grades := map[string]float64{}
		for _, g := range q.Expected {
			if old, ok := grades[g.Doc]; ok && old != g.Grade {
				return s.fail(q.Line, errors.New("document "+quoted(g.Doc)+" has the grades "+say.Plain.Grade(old)+" and "+
					say.Plain.Grade(g.Grade)+" for query "+quoted(q.ID)))
			}
			grades[g.Doc] = g.Grade
		}
		if q.Nothing && (len(q.relevant()) > 0 || len(q.Above) > 0 || q.MinResults > 0 || len(q.Concepts) > 0) {
			return s.fail(q.Line, errors.New("query "+quoted(q.ID)+" expects nothing and something: remove one"))
		}
		if q.MaxResults > 0 && q.MinResults > q.MaxResults {
			return s.fail(q.Line, errors.New("query "+quoted(q.ID)+" wants at least "+strconv.Itoa(q.MinResults)+
				" and at most "+strconv.Itoa(q.MaxResults)+" results"))
		}
		for _, d := range q.Forbidden {
			if grades[d] > 0 {
				why := "document " + quoted(d) + " is expected and forbidden for query " + quoted(q.ID)
				return s.fail(q.Line, errors.New(why))
			}
		}
	}
	return nil
}

// quoted is a text out of a file as errors show it.
func quoted(s string) string { return strconv.Quote(say.Brief(s, 80)) }

func (s *Set) fail(line int, err error) error {
	return &collection.ParseError{File: s.File, Line: line, Err: err}
}
