package matrix

import (
	"cmp"
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// Methods returns a paragraph for a paper: what was compared, on what, how it was measured and tested, and by which
// figures it can be had again.
func (x *Outcome) Methods() string {
	c, r := x.Collection, x.Report
	var b strings.Builder
	w := func(parts ...string) { b.WriteString(strings.Join(parts, "")) }
	w("We compared ", say.Count(len(x.Compared), "system", "systems"), " on ", c.Name, " (",
		say.Count(c.Documents, "document", "documents"), ", ",
		say.Count(len(r.Queries), "judged query", "judged queries"),
		", ", say.Count(c.Judgments, "judgment", "judgments"), "; content hash ", ID(c.Hash),
		"). Text was analysed by ", c.Analyzer, " unless a system says otherwise.")
	for _, m := range x.Models {
		w(" Vectors were made by ", m.Label)
		if m.Revision != "" {
			w(" (revision ", m.Revision, ")")
		}
		w(".")
	}
	w(" Each system ranked up to ", strconv.Itoa(x.Plan.Depth), " documents for every query")
	if n := len(x.Plan.Runs) - len(x.Compared); n > 0 {
		w("; ", say.Count(n, "further system", "further systems"), " could not be run to the end and ",
			say.Verb(n, "is", "are"), " left out")
	}
	for i, t := range x.Status {
		if text := t.Remote(); text != "" {
			w(". ", x.Plan.Runs[i].Name(), ": ", text)
		}
	}
	w(". The measures are ", strings.Join(r.Measures, ", "), " with the conventions of trec_eval")
	if x.Plan.Spec.Policy != "" {
		w(", except ", x.Plan.Spec.Policy)
	}
	w(". Intervals are at 95 % over queries: those of means are Gaffke's (2005), and those of differences, corrected " +
		"for the number of pairs, agree with the paired test.")
	if len(r.Pairs) > 0 {
		w(" Differences in ", r.Measures[0], " were tested by the ", strings.ToLower(report.TestTitle(r.Test.Name)),
			", ", correction(r), " over ", say.Count(len(r.Pairs), "pair", "pairs"), ".")
	}
	w(" The experiment was made with Rankbox")
	if x.From.Program != "" {
		w(" ", x.From.Program)
	}
	w("; its report has the hash ", ID(r.Hash), ", and that of the experiment is ", ID(x.Hash), ".")
	return b.String()
}

func correction(r *report.Report) string {
	if r.Correction() == report.NoCorrection {
		return "without a correction"
	}
	return "p corrected by " + r.Correction()
}

// library holds the full entries of references that a registry cites in short, by the key that cite gives them: authors
// with first names, venue, year, pages, and a DOI if one is known. Check an entry against its publisher before you cite
// it.
//
//go:embed references.bib
var library string

// fullEntry returns the full entry of a key, "" if the library has none.
func fullEntry(key string) string {
	at := strings.Index(library, "{"+key+",\n")
	if at < 0 {
		return ""
	}
	from := strings.LastIndexByte(library[:at], '@')
	text, _, _ := strings.Cut(library[from:], "\n}\n")
	return text + "\n}\n"
}

// BibTeX returns an entry for each source of what the experiment used: stages, measures, the test and its correction.
// Those that the library does not have are @misc with what the registry says.
func (x *Outcome) BibTeX() string {
	var sources []string
	add := func(text string) {
		for _, part := range strings.Split(text, ";") {
			if part = strings.TrimSpace(part); part != "" && !slices.Contains(sources, part) {
				sources = append(sources, part)
			}
		}
	}
	for _, i := range x.Compared {
		x.Plan.Runs[i].node.Walk(func(n *pipeline.Node) { add(n.Stage.Source) })
	}
	for _, text := range x.Report.Measures {
		if m, err := measure.Parse(text); err == nil {
			add(m.Info().Reference)
		}
	}
	if t, err := significance.Lookup(cmp.Or(x.Report.Test.Hand, x.Report.Test.Choice.Test)); err == nil {
		add(t.Reference)
	}
	return bibliography(sources)
}

// bibliography returns the entries of sources, whose keys all differ.
func bibliography(sources []string) string {
	var b strings.Builder
	keys := map[string]int{}
	for _, s := range sources {
		if e, ok := cite(s); ok {
			if full := fullEntry(e.key); full != "" {
				if !strings.Contains(b.String(), full) { // two stages may stress different parts of one work
					b.WriteString(full)
				}
				continue
			}
			n := keys[e.key]
			keys[e.key]++
			if n > 0 {
				e.key += string(rune('a' + n%26))
			}
			b.WriteString(e.String())
		}
	}
	return b.String()
}

// citation is a reference in BibTeX.
type citation struct{ key, author, title, year, note string }

func (c citation) String() string {
	text := "@misc{" + c.key + ",\n  author = {" + tex(c.author) + "},\n"
	if c.title != "" {
		text += "  title = {" + tex(c.title) + "},\n"
	}
	text += "  year = {" + c.year + "}"
	if c.note != "" {
		text += ",\n  note = {" + tex(c.note) + "}"
	}
	return text + "\n}\n"
}

// cite reads a source as our registries write them: "Authors 2009, Title and where" or, of authors with initials, "A.
// Author and B. Author, Title, where, 2009", and behind either, in brackets, what of the work is meant. What has no
// year is no reference.
func cite(s string) (citation, bool) {
	var note string
	if i := strings.LastIndex(s, " ("); i > 0 && strings.HasSuffix(s, ")") {
		s, note = s[:i], s[i+2:len(s)-1]
	}
	at := -1
	for i := 0; i+4 <= len(s); i++ {
		digits := s[i:i+2] == "19" || s[i:i+2] == "20"
		if digits && strings.Trim(s[i:i+4], "0123456789") == "" && (i == 0 || s[i-1] == ' ') &&
			(i+4 == len(s) || strings.IndexByte(", .:", s[i+4]) >= 0) {
			at = i
			break
		}
	}
	if at < 0 {
		return citation{}, false
	}
	c := citation{year: s[at : at+4], note: note}
	before, after := strings.TrimRight(s[:at], " ,"), s[at+4:]
	if initial(s) { // the year stands behind the title
		var names []string
		for c.title = before + after; initial(c.title); {
			var author string
			author, c.title, _ = strings.Cut(c.title, ", ")
			names = append(names, author)
		}
		before, after = strings.Join(names, ", "), c.title
	}
	c.author, c.title = strings.ReplaceAll(before, ", ", " and "), strings.Trim(after, " ,.:")
	c.author = strings.TrimSuffix(strings.ReplaceAll(c.author, " et al.", " and others"), ",")
	first := c.author
	for _, sep := range []string{" and ", ","} {
		first, _, _ = strings.Cut(first, sep)
	}
	if words := strings.Fields(first); len(words) > 0 {
		first = words[len(words)-1]
	}
	word := ""
	for _, f := range strings.Fields(c.title) {
		if utf8.RuneCountInString(f) > 3 {
			word = f
			break
		}
	}
	c.key = plain(first) + c.year + plain(word)
	return c, c.author != "" && plain(first) != ""
}

// initial reports whether a text begins with the initial of a name.
func initial(s string) bool { return len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] == '.' }

// plain keeps the ASCII letters of a word, lower-cased.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, s)
}

// tex escapes what LaTeX takes for a command.
func tex(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '\\':
			b.WriteString(`\textbackslash{}`)
		case '&', '%', '$', '#', '_', '{', '}':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '~':
			b.WriteString(`\textasciitilde{}`)
		case '^':
			b.WriteString(`\textasciicircum{}`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
