// Package identity finds the documents and queries of a run that judgments name in another spelling: decomposed letters,
// another case, a path, a number with a fraction, a chunk. It never changes an id unless it is asked to: a spelling that
// looks alike may be another document.
//
// Order of the pipeline: a run and judgments → Near (what would match, by rule) → a person's choice → Repair.
package identity

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

// Rule is a way in which two ids may name one thing.
type Rule string

// The rules.
const (
	NFC    Rule = "nfc"    // composed and decomposed letters, as file names of macOS have these
	Case   Rule = "case"   // large and small letters
	Path   Rule = "path"   // ./ before, / behind, \ for /, percent-encoding, .md and the like
	Number Rule = "number" // 1 and 1.0, which pandas makes of a column with a gap
	Chunk  Rule = "chunk"  // doc#3, doc_0012, doc-chunk-4 of doc; the best chunk counts
)

// Rules are all rules in the order in which they are tried and offered.
var Rules = []Rule{NFC, Case, Path, Number, Chunk}

// Normal returns a text in Unicode's Normalization Form C. A program sets it once; without it NFC finds nothing.
var Normal = func(s string) string { return s }

// Parse reads a list of rules between commas; "none" is none.
func Parse(s string) (rules []Rule, err error) {
	for _, name := range strings.Split(s, ",") {
		r := Rule(strings.TrimSpace(name))
		switch {
		case r == "none" || r == "":
		case slices.Contains(Rules, r):
			rules = append(rules, r)
		default:
			return nil, fmt.Errorf("%q is no rule of ids: nfc, case, path, number, chunk, or none", r)
		}
	}
	return rules, nil
}

// endings are those that a document has in one place and not in another.
var endings = []string{".md", ".mdx", ".markdown", ".html", ".htm", ".txt", ".pdf", ".json"}

// key is an id as rules see it.
func key(id string, rules []Rule) string {
	for _, r := range Rules {
		if !slices.Contains(rules, r) {
			continue
		}
		switch r {
		case NFC:
			id = Normal(id)
		case Case:
			id = strings.ToLower(id)
		case Path:
			id = plainPath(id)
		case Number:
			if whole, zeros, some := strings.Cut(id, "."); some && whole != "" && strings.Trim(zeros, "0") == "" &&
				zeros != "" && strings.Trim(whole, "0123456789") == "" {
				id = whole
			}
		case Chunk:
			id = whole(id)
		}
	}
	return id
}

func plainPath(id string) string {
	id = strings.ReplaceAll(decoded(id), `\`, "/")
	id = strings.TrimSuffix(strings.TrimPrefix(path.Clean("/"+id), "/"), "/")
	for _, e := range endings {
		if len(id) > len(e) && strings.EqualFold(id[len(id)-len(e):], e) {
			return id[:len(id)-len(e)]
		}
	}
	return id
}

// decoded replaces what is percent-encoded; an id with a percent sign that encodes nothing stays.
func decoded(id string) string {
	var out strings.Builder
	for i := 0; i < len(id); i++ {
		if id[i] != '%' {
			out.WriteByte(id[i])
			continue
		}
		if i+2 >= len(id) {
			return id
		}
		v, err := strconv.ParseUint(id[i+1:i+3], 16, 8)
		if err != nil {
			return id
		}
		out.WriteByte(byte(v))
		i += 2
	}
	return out.String()
}

// whole is the id of the document of a chunk: without what counts the chunk behind #, a colon, or a line.
func whole(id string) string {
	if at := strings.LastIndexByte(id, '#'); at > 0 {
		return id[:at]
	}
	rest := strings.TrimRight(id, "0123456789")
	if rest == id || len(rest) < 2 {
		return id
	}
	for _, sep := range []string{"_chunk_", "-chunk-", "/chunk/", ":chunk:", "_chunk", "-chunk", "::", "__", "_", "-", ":"} {
		if doc, ok := strings.CutSuffix(strings.ToLower(rest), sep); ok && doc != "" {
			return rest[:len(doc)]
		}
	}
	return id
}

// Found is what would match under a rule.
type Found struct {
	Rules   []Rule // one, or all of them if none alone matches most
	Count   int    // judged documents, or queries, that would match
	Of      int    // those that match to the letter, and these
	Queries bool   // queries, and not documents
	Judged  string // the first of them, in the judgments and in the run
	Run     string
}

// What Near looks at: the first queries, and the first documents of each.
const (
	nearQueries = 1000
	nearDepth   = 100
)

// Near finds the queries, and the judgments, that nothing in a run matches to the letter and something would match, by
// the rule that makes most of them match.
func Near(run *collection.Run, q *collection.Qrels) (found []Found) {
	for _, queries := range []bool{true, false} {
		var best Found
		for _, rules := range append([][]Rule{Rules}, single()...) {
			f := Found{Rules: rules, Queries: queries}
			if queries {
				ids := queryIDs(run, q, rules)
				f.Count, f.Of = len(ids), len(ids)
				for _, id := range run.Queries() {
					if to, ok := ids[id]; ok && f.Run == "" {
						f.Run, f.Judged = id, to
					}
					if q.Has(id) {
						f.Of++
					}
				}
			} else {
				f.Of = documents(run, q, rules, func(from, to string) {
					if f.Count++; f.Count == 1 {
						f.Run, f.Judged = from, to
					}
				})
			}
			if len(rules) > 1 && f.Count == 0 {
				break // no rule alone finds more
			}
			if f.Count > best.Count || f.Count == best.Count && len(best.Rules) > 1 {
				best = f
			}
		}
		if best.Count > 0 {
			found = append(found, best)
		}
	}
	return found
}

func single() (list [][]Rule) {
	for _, r := range Rules {
		list = append(list, []Rule{r})
	}
	return list
}

// queryIDs are the queries of a run by what the judgments call them, as far as rules say so and it is one query alone.
func queryIDs(run *collection.Run, q *collection.Qrels, rules []Rule) map[string]string {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r == Path || r == Chunk })
	judged := map[string]string{}
	for _, id := range q.Queries() {
		if run.Query(id) < 0 {
			add(judged, key(id, rules), id)
		}
	}
	out, taken := map[string]string{}, map[string]bool{}
	for _, id := range run.Queries() {
		if to := judged[key(id, rules)]; to != "" && !q.Has(id) && !taken[to] {
			out[id], taken[to] = to, true
		}
	}
	return out
}

// add notes an id under its key; two of one key are none.
func add(ids map[string]string, key, id string) {
	if _, had := ids[key]; had {
		id = ""
	}
	ids[key] = id
}

// documents calls f for each judgment of a query that an entry of the query matches under rules and none to the letter.
// It returns how many judgments match at all.
func documents(run *collection.Run, q *collection.Qrels, rules []Rule, f func(from, to string)) (all int) {
	bare := slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r == Chunk })
	var entries []collection.Entry
	for i, query := range run.Queries()[:min(run.NumQueries(), nearQueries)] {
		if !q.Has(query) {
			continue
		}
		entries = run.Top(i, min(run.Size(i), nearDepth), collection.DocIDDescending, entries)
		exact := make(map[string]bool, len(entries))
		for _, e := range entries {
			exact[e.Doc] = true
		}
		judged := map[string]string{}
		q.Each(query, func(doc string, _ float64) {
			if exact[doc] {
				all++
			} else {
				add(judged, key(doc, bare), doc)
			}
		})
		seen := map[string]bool{}
		for _, e := range entries {
			to := judged[key(e.Doc, rules)]
			if to == "" || seen[to] {
				continue
			}
			if _, known := q.Grade(query, e.Doc); !known {
				seen[to] = true
				all++
				f(e.Doc, to)
			}
		}
	}
	return all
}

// Repair returns the run with the ids of the judgments, as far as rules make them the same, and a warning that says how
// many were changed. Of several entries that become one document the best counts.
func Repair(run *collection.Run, q *collection.Qrels, rules []Rule, name string) (*collection.Run, []collection.Warning) {
	queries := queryIDs(run, q, rules)
	if len(queries) > 0 {
		b := collection.NewRunBuilder(run.Tag)
		var entries []collection.Entry
		for i, id := range run.Queries() {
			to := id
			if other, ok := queries[id]; ok {
				to = other
			}
			b.Touch(to)
			entries = run.Ranked(i, collection.InputOrder, entries)
			for _, e := range entries {
				b.Add(to, e.Doc, e.Score)
			}
		}
		run, _ = b.Run()
	}
	ids := map[string]string{}
	var entries []collection.Entry
	bare := slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return r == Chunk })
	for i, query := range run.Queries() {
		judged := map[string]string{}
		q.Each(query, func(doc string, _ float64) { add(judged, key(doc, bare), doc) })
		entries = run.Ranked(i, collection.DocIDDescending, entries)
		for _, e := range entries {
			if _, known := q.Grade(query, e.Doc); known || !q.Has(query) {
				continue
			}
			if to := judged[key(e.Doc, rules)]; to != "" {
				ids[e.Doc] = to
			}
		}
	}
	if len(ids) > 0 && slices.Contains(rules, Chunk) { // documents without judgments have one rank too
		for i, query := range run.Queries() {
			entries = run.Ranked(i, collection.DocIDDescending, entries)
			for _, e := range entries {
				_, known := q.Grade(query, e.Doc)
				if doc := whole(e.Doc); doc != e.Doc && ids[e.Doc] == "" && !known {
					ids[e.Doc] = doc
				}
			}
		}
	}
	if len(ids) > 0 {
		run, _ = run.Collapse(collection.ChunkRule{Map: ids}, name)
	}
	if n := len(ids) + len(queries); n > 0 {
		return run, []collection.Warning{{Kind: "repaired-ids", File: name, Count: 1, Message: fmt.Sprintf(
			"-ids %s: %s changed to the spelling of the judgments", join(rules), say.Count(n, "id of the run was",
				"ids of the run were"))}}
	}
	return run, nil
}

func join(rules []Rule) string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = string(r)
	}
	return strings.Join(names, ",")
}

// Warnings say what would match under a rule. many says that it is a third or more of what would match at all: what is
// measured without it means nothing.
func Warnings(run *collection.Run, q *collection.Qrels, name string) (list []collection.Warning, many bool) {
	for _, f := range Near(run, q) {
		what := "judged documents that the run has are"
		if f.Queries {
			what = "judged queries that the run has are"
		}
		many = many || 3*f.Count >= f.Of
		list = append(list, collection.Warning{Kind: "near-ids", File: name, Count: 1, Message: fmt.Sprintf(
			"%d of %d %s under another spelling, which does not match: %s in the run, %s in the judgments. -ids %s takes "+
				"them for the same", f.Count, f.Of, what, strconv.QuoteToASCII(f.Run), strconv.QuoteToASCII(f.Judged),
			join(f.Rules))})
	}
	return list, many
}
