package collection

import (
	"strconv"
	"strings"
)

// Belong returns an error where judgments and runs have nothing in common: no query of any run is judged, or no judged
// document is in any run, for whichever query. Figures of such files would say nothing. It is a *ForeignError, and says why that may be: letter case, a path
// before the ids, another ending, or another collection.
func Belong(q *Qrels, runs ...*Run) error {
	shared := false
	var list []Entry
	for _, r := range runs {
		for i := range q.topics {
			t := &q.topics[i]
			k := r.Query(t.query)
			if k < 0 || len(t.docs) == 0 {
				continue
			}
			shared = true
			list = r.Ranked(k, InputOrder, list)
			for _, e := range list {
				if _, judged := q.Grade(t.query, e.Doc); judged {
					return nil
				}
			}
		}
	}
	var judged, found []string
	if !shared {
		for i := range q.topics {
			if len(q.topics[i].docs) > 0 {
				judged = append(judged, q.topics[i].query)
			}
		}
		for _, r := range runs {
			found = append(found, r.Queries()...)
		}
		return &ForeignError{"queries", "No query of any run is judged: these files do not belong together. " +
			whyForeign("queries", judged, found)}
	}
	for _, r := range runs {
		if sep := SuggestSeparator(r, q); sep != "" && sep != "." && sep != "/" { // chunks of judged documents
			return nil
		}
	}
	known := map[string]bool{}
	q.each(func(_, doc string, _ float64) { judged, known[doc] = append(judged, doc), true })
	for _, r := range runs {
		for k := range r.NumQueries() {
			list = r.Ranked(k, InputOrder, list)
			for i, e := range list {
				if known[e.Doc] { // of another query: the ids are of one collection
					return nil
				}
				if i < mostForeign {
					found = append(found, e.Doc)
				}
			}
		}
	}
	return &ForeignError{"documents", "No judged document is in any run: these files do not belong together. " +
		whyForeign("documents", judged, found)}
}

// ForeignError says that judgments and runs have no "queries" or no "documents" in common, and why that may be.
type ForeignError struct{ What, Sentence string }

func (e *ForeignError) Error() string { return e.Sentence }

// mostForeign is how many ids of a list are looked at for the reason, and of all lists a thousand times as many.
const mostForeign = 100

// forms are what ids of one thing may differ in, and how: two ids that have the same form differ in that alone.
var forms = []struct {
	how string
	of  func(id string) string
}{
	{"The ids differ in spaces", func(id string) string { return strings.Join(strings.Fields(id), "") }},
	{"The ids differ in letter case", strings.ToLower},
	{"The ids differ in their ending", stem},
	{"The ids differ in the path before them", base},
	{"The ids differ in path and ending", func(id string) string { return stem(base(id)) }},
	{"The ids differ in letter case, path or ending", func(id string) string { return strings.ToLower(stem(base(id))) }},
	{"The ids differ in what is before their number", func(id string) string {
		digits := id[len(strings.TrimRight(id, "0123456789")):]
		if digits == "" {
			return id
		}
		return "0" + strings.TrimLeft(digits, "0")
	}},
}

// base is an id without the path, or the name of a collection, before it.
func base(id string) string { return id[strings.LastIndexAny(id, `/\:#`)+1:] }

// stem is an id without the ending of a file's name.
func stem(id string) string {
	if i := strings.LastIndexByte(id, '.'); i > 0 {
		return id[:i]
	}
	return id
}

// whyForeign says in what the ids of judgments differ from those that were found, where that is so of half of the fewer
// ones; otherwise what both look like.
func whyForeign(what string, judged, found []string) string {
	judged, found = distinct(judged), distinct(found)
	if len(judged) == 0 || len(found) == 0 {
		return "A file is empty."
	}
	for _, f := range forms {
		by := map[string]string{}
		for _, id := range found {
			by[f.of(id)] = id
		}
		same, a, b := 0, "", ""
		for _, id := range judged {
			if other, ok := by[f.of(id)]; ok {
				if same++; same == 1 {
					a, b = id, other
				}
			}
		}
		if 2*same >= min(len(judged), len(by)) {
			return f.how + ": " + strconv.Quote(a) + " in the judgments, " + strconv.Quote(b) + " in the run."
		}
	}
	return "They may be of different collections: the judgments have " + what + " like " + strconv.Quote(judged[0]) +
		", the run has " + what + " like " + strconv.Quote(found[0]) + "."
}

// distinct are the first different ids.
func distinct(ids []string) (out []string) {
	seen := map[string]bool{}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			if out = append(out, id); len(out) == 1000*mostForeign {
				break
			}
		}
	}
	return out
}
