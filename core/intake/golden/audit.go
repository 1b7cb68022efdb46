package golden

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Audit is one finding about a golden set, with the queries that it is about.
type Audit struct {
	Kind     string // a stable name: "copied", "saturated" …
	Sentence string
	Queries  []string // ids
}

// Audited is what an audit may look at beside the set. Every field may be empty.
type Audited struct {
	// Text returns the title and the text of a document; nil if nobody knows texts.
	Text  func(doc string) (title, text string, ok bool)
	Known func(doc string) bool // nil if nobody knows which documents exist
	Docs  int                   // documents of the collection; 0 if nobody knows
	// Report has the values of the systems on the queries; nil if nothing was measured.
	Report *report.Report
}

// Limits of Audit.
const (
	copiedWords = 4  // of a query that stands in a text as it is, from which it is called copied
	thinTag     = 20 // queries of a tag, below which its mean says little
	noTest      = 6  // queries, below which no paired test at 5 % can reject: 2 / 2^5 > .05
)

// Audit says what is doubtful about a set: queries copied from the documents that they should find, measures on which
// every system is perfect, queries that come twice, documents that do not exist, thin tags, labels of a single source,
// and how much of the collection the labels touch.
func (s *Set) Audit(x Audited) (out []Audit) {
	add := func(kind, sentence string, queries []string) {
		if len(queries) > 0 {
			out = append(out, Audit{kind, sentence, queries})
		}
	}
	title, text := s.copied(x)
	add("copied-title", say.Count(len(title), "query is", "queries are")+" the title of a document that it should find: "+
		"any search finds that. Use what people type.", title)
	add("copied-text", say.Count(len(text), "query stands", "queries stand")+" word for word in a document that it should "+
		"find: a search for words finds that, and people do not know the text.", text)
	out = append(out, saturated(x.Report)...)
	same, other := s.duplicates()
	add("duplicate", say.Count(len(same), "query repeats", "queries repeat")+" the words of an earlier one: they count "+
		"twice, and intervals are too narrow.", same)
	add("contradiction", say.Count(len(other), "query repeats", "queries repeat")+" the words of an earlier one, but "+
		"should find something else.", other)
	var gone, idle []string
	documents := map[string]bool{}
	for i := range s.Queries {
		q := &s.Queries[i]
		missing := false
		for _, g := range q.relevant() {
			documents[g.Doc] = true
			missing = missing || x.Known != nil && !x.Known(g.Doc)
		}
		if missing {
			gone = append(gone, q.ID)
		}
		if !q.Judged() && !q.expects(s) {
			idle = append(idle, q.ID)
		}
	}
	add("missing-document", say.Count(len(gone), "query expects a document", "queries expect documents")+
		" that do not exist (any more).", gone)
	add("idle", say.Count(len(idle), "query expects", "queries expect")+" nothing: nothing about it can fail.", idle)
	for _, tag := range slices.Sorted(func(yield func(string) bool) {
		for t := range s.Tags() {
			if !yield(t) {
				return
			}
		}
	}) {
		ids := s.Tags()[tag]
		switch n := len(ids); {
		case n < noTest:
			add("thin-tag", "Tag "+tag+" has "+say.Count(n, "query", "queries")+": no test at 5 % can show a change with "+
				"fewer than 6.", ids)
		case n < thinTag:
			add("thin-tag", "Tag "+tag+" has "+say.Count(n, "query", "queries")+": only large changes show.", ids)
		}
	}
	out = append(out, s.sources()...)
	if n := len(documents); x.Docs > 0 && n > 0 {
		out = append(out, Audit{Kind: "coverage", Sentence: "The labels touch " + say.Count(n, "document", "documents") +
			" of " + say.Thousands(x.Docs) + " (" + say.Plain.Percent(float64(n)/float64(x.Docs), 1) + "): what the search " +
			"does with the others is not looked at."})
	}
	return out
}

// words are the words of a text as the audit compares them.
func words(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) && !unicode.Is(unicode.Mn, r) }), " ")
}

// copied are the queries that are a title of a document that they should find, and those that stand in its text.
func (s *Set) copied(x Audited) (title, text []string) {
	if x.Text == nil {
		return nil, nil
	}
	for i := range s.Queries {
		q := &s.Queries[i]
		asked := words(q.Text)
		if asked == "" {
			continue
		}
		for _, g := range q.relevant() {
			head, body, ok := x.Text(g.Doc)
			if !ok {
				continue
			}
			first, _, _ := strings.Cut(strings.TrimSpace(body), "\n")
			if asked == words(head) || asked == words(first) {
				title = append(title, q.ID)
				break
			}
			if strings.Count(asked, " ")+1 >= copiedWords && strings.Contains(" "+words(body)+" ", " "+asked+" ") {
				text = append(text, q.ID)
				break
			}
		}
	}
	return title, text
}

// saturated are the measures on which every system is perfect on every query, or on all but a few.
func saturated(r *report.Report) (out []Audit) {
	for m := 0; r != nil && m < len(r.Columns); m++ {
		c := &r.Columns[m]
		best := 1.0 // of measures that end elsewhere nobody knows
		var perfect []string
		for q := range r.Queries {
			all := len(c.Values) > 0 && !c.Lower
			for _, v := range c.Values {
				all = all && v[q] >= best-1e-12
			}
			if all {
				perfect = append(perfect, r.Queries[q].ID)
			}
		}
		who := "every system has"
		if len(c.Values) == 1 {
			who = "the system has"
		}
		switch n, of := len(perfect), len(r.Queries); {
		case n == 0 || n < of && float64(n) < float64(0.8*float64(of)):
		case n == of:
			out = append(out, Audit{"saturated", c.Measure + ": " + who + " 1.000 on every query, so that no improvement can " +
				"show. Add harder queries.", perfect})
		default:
			out = append(out, Audit{"saturated", c.Measure + ": " + who + " 1.000 on " + strconv.Itoa(n) + " of " +
				say.Count(of, "query", "queries") + ": only the others can show an improvement.", perfect})
		}
	}
	return out
}

// duplicates are the queries whose words, in any order, an earlier one has: those that expect the same, and the others.
func (s *Set) duplicates() (same, other []string) {
	first := map[string]*Query{}
	for i := range s.Queries {
		q := &s.Queries[i]
		w := strings.Fields(words(q.Text))
		slices.Sort(w)
		key := strings.Join(w, " ")
		if key == "" {
			continue
		}
		was, ok := first[key]
		if !ok {
			first[key] = q
			continue
		}
		if was.Nothing == q.Nothing && slices.Equal(docsOf(was), docsOf(q)) {
			same = append(same, q.ID)
		} else {
			other = append(other, q.ID)
		}
	}
	return same, other
}

func docsOf(q *Query) (out []string) {
	for _, g := range q.relevant() {
		out = append(out, g.Doc)
	}
	slices.Sort(out)
	return out
}

// modelNames begin the names of language models.
var modelNames = []string{"gpt", "o1", "o3", "o4", "claude", "gemini", "llama", "mistral", "mixtral", "qwen", "deepseek",
	"command-r", "phi", "gemma", "llm", "model", "openai", "anthropic", "synthetic", "generated", "ragas"}

// sources says so if all labels are from one language model, or if nobody says where they are from.
func (s *Set) sources() []Audit {
	by, labelled := map[string][]string{}, 0
	for i := range s.Queries {
		if q := &s.Queries[i]; q.Judged() || q.Nothing {
			labelled++
			if q.By != "" {
				by[q.By] = append(by[q.By], q.ID)
			}
		}
	}
	for name, ids := range by {
		model := slices.ContainsFunc(modelNames, func(m string) bool { return strings.HasPrefix(strings.ToLower(name), m) })
		if len(ids) == labelled && model {
			return []Audit{{"one-model", "All labels are from " + strconv.Quote(say.Brief(name, 60)) + ": they share its errors, " +
				"and a search that thinks alike looks better than it is. Have people check some.", ids}}
		}
	}
	if len(by) == 0 && labelled > 0 {
		return []Audit{{Kind: "unknown-labels", Sentence: "No query says who labelled it (by: name)."}}
	}
	return nil
}

// Lines are findings as text.
func AuditLines(list []Audit) (out []string) {
	const most = 8
	for _, a := range list {
		line := say.Visible(a.Sentence)
		if len(a.Queries) > 0 {
			var names []string
			for _, q := range a.Queries {
				names = append(names, quoted(q))
			}
			line += " " + say.Visible(say.Few(names, most)) + "."
		}
		out = append(out, line)
	}
	if len(list) == 0 {
		out = append(out, "Nothing doubtful was found.")
	}
	return out
}
