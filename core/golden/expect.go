package golden

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/near"
	"github.com/rankbox/rankbox/core/report/gates"
	"github.com/rankbox/rankbox/core/say"
)

// Found is what a system returned for the queries of a set.
type Found struct {
	Answers map[string]Answer // by the ids of the queries; one that is missing has no results
	// Known reports whether a document is in the collection that was searched; nil if nobody knows.
	Known func(doc string) bool
	Docs  []string // their ids, for suggestions; may be nil
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
	for i := range s.Queries {
		q := &s.Queries[i]
		if !q.expects(s) {
			continue
		}
		e := gates.Expected{Query: q.ID, Text: q.Text}
		a, ok := f.Answers[q.ID]
		if !ok || len(a.Results) == 0 {
			if s.wants(q) {
				e.Reasons = append(e.Reasons, "it has no results")
			}
			out = append(out, e)
			continue
		}
		first := a.Results[:min(len(a.Results), s.within(q))]
		e.Reasons = append(e.Reasons, s.missing(q, a.Results, f)...)
		place := map[string]int{}
		for k, r := range first {
			place[r.Doc] = k + 1
		}
		for _, d := range q.Forbidden {
			if k := place[d]; k > 0 {
				e.Reasons = append(e.Reasons, "forbidden document "+quoted(d)+" is result "+strconv.Itoa(k))
			}
		}
		reasons, err := s.absent(q, first)
		if err != nil {
			return nil, err
		}
		e.Reasons = append(e.Reasons, reasons...)
		if score := first[0].Score; q.MinScore == q.MinScore && !(score >= q.MinScore) {
			why := "the first result has the score " + say.Plain.Short(score) + ", below " + say.Plain.Short(q.MinScore)
			if math.IsNaN(score) {
				why = "the first result has no score, but at least " + say.Plain.Short(q.MinScore) + " is expected"
			}
			e.Reasons = append(e.Reasons, why)
		}
		out = append(out, e)
	}
	return out, nil
}

// wants reports whether a query expects results at all: one that only forbids documents does not.
func (s *Set) wants(q *Query) bool {
	return len(q.Concepts) > 0 || q.MinScore == q.MinScore || s.require(q) != None && q.Judged()
}

// missing says which expected documents are not among the first results. Where any one is enough, it is one reason.
func (s *Set) missing(q *Query, results []Result, f *Found) (out []string) {
	need, within, expected := s.require(q), s.within(q), q.relevant()
	if need == None || len(expected) == 0 {
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
		why := "document " + quoted(g.Doc) + " (grade " + strconv.Itoa(g.Grade) + ") "
		switch {
		case k > 0:
			why += "is result " + strconv.Itoa(k)
		case f.Known != nil && !f.Known(g.Doc):
			why += "does not exist"
			if meant := near.Name(g.Doc, f.Docs); meant != "" {
				why += "; did you mean " + quoted(meant) + "?"
			}
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
