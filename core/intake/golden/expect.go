package golden

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// Found is what a system returned for the queries of a set.
type Found struct {
	Answers map[string]Answer // by the ids of the queries; one that is missing has no results
	// Known reports whether a document is in the collection that was searched; nil if nobody knows.
	Known func(doc string) bool
	Docs  []string // their ids, or those that some query found; for suggestions, may be nil
}

// seen reports whether a document exists, or at least may: it is known, or some query found it.
func (f *Found) seen(doc string) bool {
	if f.Known != nil {
		return f.Known(doc)
	}
	return slices.Contains(f.Docs, doc)
}

// Collect sets Docs to the documents that some query found, if nobody knows others.
func (f *Found) Collect() {
	if f.Docs != nil {
		return
	}
	has := map[string]bool{}
	for _, a := range f.Answers {
		for _, r := range a.Results {
			if !has[r.Doc] {
				has[r.Doc] = true
				f.Docs = append(f.Docs, r.Doc)
			}
		}
	}
	slices.Sort(f.Docs)
}

// Run is the results as a run that measures are made with: the order of the system, whatever its scores.
func (s *Set) Run(f *Found) (*collection.Run, error) {
	b := collection.NewRunBuilder(s.Name)
	for i := range s.Queries {
		q := &s.Queries[i]
		a, ok := f.Answers[q.ID]
		if !ok {
			continue
		}
		if err := b.Touch(q.ID); err != nil {
			return nil, err
		}
		for k, r := range a.Results {
			if err := b.Add(q.ID, r.Doc, float64(len(a.Results)-k)); err != nil {
				return nil, err
			}
		}
	}
	run, _ := b.Run()
	return run, nil
}

// Expectations says of every query that expects something whether it fails, and why. It needs the text of the first
// results of a query with concepts: an error names the first query of which nobody knows any.
func (s *Set) Expectations(f *Found) (out []gates.Expected, err error) {
	f.Collect()
	for i := range s.Queries {
		q := &s.Queries[i]
		if !q.expects(s) {
			continue
		}
		e := gates.Expected{Query: q.ID, Text: q.Text, Line: q.Line}
		a := f.Answers[q.ID]
		if e.Reasons, err = s.reasons(q, &a, f); err != nil {
			return nil, err
		}
		if len(e.Reasons) > 0 && !q.Nothing {
			for _, r := range a.Results[:min(len(a.Results), shownInstead)] {
				e.Instead = append(e.Instead, r.Doc)
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// shownInstead is how many results of a query that failed are shown.
const shownInstead = 3

// reasons says why a query fails: nothing if it does not.
func (s *Set) reasons(q *Query, a *Answer, f *Found) (out []string, err error) {
	add := func(why string) { out = append(out, why) }
	if limit := s.latency(q); limit > 0 {
		switch {
		case a.Millis != a.Millis || a.Millis == 0:
			add("nobody measured how long it took (max_latency)")
		case a.Millis > limit:
			add("it took " + say.Plain.Short(math.Round(a.Millis)) + " ms, more than " + say.Plain.Short(limit) + " ms")
		}
	}
	if q.Nothing {
		if why := s.answered(q, a); why != "" {
			add(why)
		}
		return out, nil
	}
	n := len(a.Results)
	if q.MinResults > 0 && n < q.MinResults {
		add("it has " + say.Count(n, "result", "results") + ", fewer than " + strconv.Itoa(q.MinResults))
	}
	if q.MaxResults > 0 && n > q.MaxResults {
		add("it has " + say.Count(n, "result", "results") + ", more than " + strconv.Itoa(q.MaxResults))
	}
	out = append(out, s.forbidden(q, a, f)...)
	if n == 0 {
		if s.wants(q) {
			add("it has no results")
		}
		return out, nil
	}
	out = append(out, s.missing(q, a.Results, f)...)
	out = append(out, s.disordered(q, a, f)...)
	first := a.Results[:min(n, s.within(q))]
	reasons, err := s.absent(q, first)
	if err != nil {
		return nil, err
	}
	out = append(out, reasons...)
	if score := first[0].Score; q.MinScore == q.MinScore && !(score >= q.MinScore) {
		why := "the first result has the score " + say.Plain.Short(score) + ", below " + say.Plain.Short(q.MinScore)
		if math.IsNaN(score) {
			why = "the first result has no score, but at least " + say.Plain.Short(q.MinScore) + " is expected"
		}
		add(why)
	}
	return out, nil
}

// answered says that a query has an answer that should have none: a result with at least the lowest score of an
// answer, or any result if there is no such score. "" if it has none.
func (s *Set) answered(q *Query, a *Answer) string {
	least := s.least(q)
	for i, r := range a.Results {
		switch {
		case least != least:
			return "it should find nothing, but result 1 is " + quoted(r.Doc)
		case r.Score != r.Score:
			return "result " + strconv.Itoa(i+1) + " has no score to hold against score_threshold"
		case r.Score >= least:
			return "it should find nothing, but result " + strconv.Itoa(i+1) + ", " + quoted(r.Doc) + ", has the score " +
				say.Plain.Short(r.Score) + ", at least " + say.Plain.Short(least)
		}
	}
	return ""
}

// forbidden says which forbidden documents are among the first results, and which cannot be because they do not exist:
// then the expectation would pass whatever is found. If no query has any result, it says that too.
func (s *Set) forbidden(q *Query, a *Answer, f *Found) (out []string) {
	if len(q.Forbidden) > 0 && len(f.Docs) == 0 && f.Known == nil {
		return []string{"no query has a result, so that nothing shows whether forbidden documents would be found"}
	}
	for _, d := range q.Forbidden {
		k := slices.IndexFunc(a.Results[:min(len(a.Results), s.within(q))], func(r Result) bool { return r.Doc == d })
		switch {
		case k >= 0:
			out = append(out, "forbidden document "+quoted(d)+" is result "+strconv.Itoa(k+1))
		case f.Known != nil && !f.Known(d):
			out = append(out, "forbidden document "+quoted(d)+" does not exist, so that it cannot be found"+
				meant(d, f.Docs, true))
		}
	}
	return out
}

// Vacuous are the forbidden documents that no query found, where nobody knows which documents exist: the expectation
// passes even if the id is misspelt.
func (s *Set) Vacuous(f *Found) (out []string) {
	if f.Known != nil {
		return nil
	}
	for i := range s.Queries {
		for _, d := range s.Queries[i].Forbidden {
			if !f.seen(d) && !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// disordered says which documents are not above others that they should be above.
func (s *Set) disordered(q *Query, a *Answer, f *Found) (out []string) {
	place := map[string]int{}
	for k, r := range a.Results {
		place[r.Doc] = k + 1
	}
	for i := 0; i+1 < len(q.Above); i++ {
		x, y := q.Above[i], q.Above[i+1]
		px, py := place[x], place[y]
		switch {
		case px == 0 && py == 0:
			out = append(out, "neither "+quoted(x)+" nor "+quoted(y)+" is found, so that their order is not known"+
				s.unknown(x, f)+s.unknown(y, f))
		case px == 0:
			out = append(out, quoted(x)+" is not found, and "+quoted(y)+", which it should be above, is result "+
				strconv.Itoa(py)+s.unknown(x, f))
		case py == 0 && f.Known != nil && !f.Known(y):
			out = append(out, quoted(y)+" does not exist, so that every document is above it"+s.unknown(y, f))
		case py > 0 && py < px:
			out = append(out, quoted(x)+" is result "+strconv.Itoa(px)+", below "+quoted(y)+" at "+strconv.Itoa(py))
		}
	}
	return out
}

// unknown names the document that was perhaps meant by one that nobody found.
func (s *Set) unknown(doc string, f *Found) string {
	if f.seen(doc) {
		return ""
	}
	return meant(doc, f.Docs, f.Known != nil)
}

// wants reports whether a query expects results at all: one that only forbids documents does not.
func (s *Set) wants(q *Query) bool {
	return len(q.Concepts) > 0 || q.MinScore == q.MinScore || len(q.Above) > 0 || s.require(q) != Measured && q.Judged()
}

// missing says which expected documents are not among the first results. Where any one is enough, it is one reason.
func (s *Set) missing(q *Query, results []Result, f *Found) (out []string) {
	need, within, expected := s.require(q), s.within(q), q.relevant()
	if need == Measured || len(expected) == 0 {
		return nil
	}
	place := map[string]int{}
	for k, r := range results {
		place[r.Doc] = k + 1
	}
	first := "the first " + say.Count(within, "result", "results")
	if within == 1 {
		first = "the first result"
	}
	var lost []string
	for _, g := range expected {
		k := place[g.Doc]
		if k > 0 && k <= within {
			if need == Any {
				return nil
			}
			continue
		}
		why := "document " + quoted(g.Doc) + " (grade " + say.Plain.Grade(g.Grade) + ") "
		switch {
		case k > 0:
			why += "is result " + strconv.Itoa(k)
		case f.Known != nil && !f.Known(g.Doc):
			why += "does not exist" + meant(g.Doc, f.Docs, true)
		case f.Known == nil && meant(g.Doc, f.Docs, false) != "":
			why += "is not found" + meant(g.Doc, f.Docs, false)
		case need == Any && len(expected) > 1:
			why = strings.TrimSpace(why)
		default:
			why += "is not found"
		}
		lost = append(lost, why)
	}
	const most = 5
	if need == Any && len(expected) > 1 {
		return []string{"none of " + strconv.Itoa(len(expected)) + " expected documents is among " + first + ": " +
			say.Few(lost, most)}
	}
	for i, why := range lost {
		if i == most {
			out = append(out, "and "+strconv.Itoa(len(lost)-i)+" more")
			break
		}
		out = append(out, "not among "+first+": "+why)
	}
	return out
}

// absent says which concepts occur in no text of the first results.
func (s *Set) absent(q *Query, first []Result) (out []string, err error) {
	if len(q.Concepts) == 0 {
		return nil, nil
	}
	texts, read := make([]string, len(first)), 0
	for i, r := range first {
		if r.Read {
			read++
			texts[i] = fold(r.Text)
		}
	}
	if read == 0 {
		return nil, s.fail(q.Line,
			errors.New("query "+quoted(q.ID)+" expects concepts, but the texts of its results are "+
				"not known: include them in the results (text), or name the documents (documents)"))
	}
	for _, c := range q.Concepts {
		found := false
		for _, t := range texts {
			found = found || occurs(t, fold(c))
		}
		if found {
			continue
		}
		why := "concept " + quoted(c) + " is in none of the first " + say.Count(len(first), "result", "results")
		if read < len(first) {
			why += " (the text of " + strconv.Itoa(len(first)-read) + " is not known)"
		}
		out = append(out, why)
	}
	return out, nil
}

// fold is a text as concepts are looked for in it: lower case, white space as single spaces.
func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// occurs reports whether a text holds a concept at the start of a word: "crane" is in "Cranes", "art" is not in "part".
func occurs(text, concept string) bool {
	if concept == "" {
		return true
	}
	first, _ := utf8.DecodeRuneInString(concept)
	for from := 0; ; {
		i := strings.Index(text[from:], concept)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if i == 0 || !inWord(before) || !inWord(first) || wide(first) {
			return true
		}
		from = i + utf8.RuneLen(first)
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// wide reports whether a letter is of a script that is written without spaces.
func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}
