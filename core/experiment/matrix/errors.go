package matrix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/analysis/pattern"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/spell"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

const (
	poor       = 0.5 // a value below that is looked into, …
	behind     = 0.2 // … and one that is so far below the best run's
	mostLooked = 40  // systems that are looked into, in the order of the report
	mostErrors = 60  // queries that are listed
	nearly     = 0.7 // of a word's letters that its right spelling shares: below it is another word
)

// varied are the stages that are there for variety.
var varied = []*pipeline.Stage{&stage.MMR.Stage, &stage.Balance.Stage, &stage.Cluster.Stage, &stage.Collapse.Stage}

// Errors names what goes wrong: for every run the queries on which it is poor, by the patterns of package pattern. c is
// the comparison of the same runs. cancel may be nil.
// It is one pass over the queries: counts, examples and the list are filled together.
func Errors(s *experiment.Session, c *compare.Comparison, r *report.Report, style say.Style,
	cancel func() bool) (analysis.Section, error) {
	out := analysis.Section{Name: analysis.Wrong, Part: analysis.Matters, Title: "Error patterns"}
	if out.Sentence = unread(s); out.Sentence != "" {
		return out, nil
	}
	x, an, err := stage.Analyzed(s.Parts())
	if err != nil {
		return out, err
	}
	col := &r.Columns[0]
	if col.Lower {
		out.Sentence = "Less of " + col.Measure + " is better, so that it does not tell which rankings are poor."
		return out, nil
	}
	l := &looker{s: s, x: x, an: an, docs: map[int]*pattern.Doc{}, place: map[string]int{}}
	for d := range s.Bundle().Cards {
		l.place[s.Bundle().Cards[d].ID] = d
	}
	l.entities()
	systems := min(len(r.Systems), mostLooked)
	nodes := make([]*pipeline.Node, systems)
	run := map[string]int{}
	for i := range nodes {
		if n, err := stage.Parse(r.Systems[i].Pipeline()); err == nil {
			nodes[i] = n
			run[n.String()] = i
		}
	}
	counts := make([][]int, systems)
	examples := make([]string, len(pattern.All))
	list := analysis.Table{Caption: "Query by query", Columns: []string{"Query", "Text", "Run", col.Measure,
		"Patterns"}}
	looked, named, more := 0, 0, 0
	for i := range counts {
		counts[i] = make([]int, len(pattern.All)+1)
	}
	for q := range r.Queries {
		if cancel != nil && cancel() {
			return out, compare.ErrCancelled
		}
		best := 0.0
		failed := false
		for i := range systems {
			best = max(best, col.Values[i][q])
		}
		for i := range systems {
			failed = failed || bad(col.Values[i][q], best)
		}
		if !failed || r.Queries[q].Relevant == 0 {
			continue
		}
		sides, err := c.Sides(r.Queries[q].ID, 0)
		if err != nil {
			return out, err
		}
		query := l.query(s, r.Queries[q])
		for i := range systems {
			v := col.Values[i][q]
			if !bad(v, best) {
				continue
			}
			looked++
			of := query
			l.ranked(&of, &sides[i])
			if n := nodes[i]; n != nil {
				inputs(&of, n, func(part *pipeline.Node) (map[string]int, float64, bool) {
					k, ok := run[part.String()]
					if !ok {
						return nil, 0, false
					}
					ranks := map[string]int{}
					for _, d := range sides[k].Docs[:min(pattern.Window, len(sides[k].Docs))] {
						ranks[d.ID] = d.Rank
					}
					return ranks, col.Values[k][q] - v, true
				})
			}
			found := pattern.Find(&of)
			if len(found) == 0 {
				counts[i][len(pattern.All)]++
				continue
			}
			named++
			var said []string
			for _, f := range found {
				counts[i][f.Pattern]++
				text := pattern.All[f.Pattern].Name
				if f.Example != "" {
					text += " (" + f.Example + ")"
				}
				said = append(said, text)
				if examples[f.Pattern] == "" {
					examples[f.Pattern] = r.Queries[q].ID + ": " + f.Example
				}
			}
			if len(list.Rows) == mostErrors {
				more++
				continue
			}
			list.Rows = append(list.Rows,
				[]analysis.Cell{analysis.Words(r.Queries[q].ID), analysis.Words(say.Brief(r.Queries[q].Text, 60)),
					analysis.Words(say.Letter(i)), analysis.Number(v, 3), analysis.Words(strings.Join(said, "; "))})
		}
	}
	if looked == 0 {
		out.Sentence = "No run is below " + style.Short(poor) + " " + col.Measure + " on a query, or " +
			style.Short(behind) + " below the best."
		return out, nil
	}
	t, worst, most := patternTable(systems, counts, examples)
	out.Tables = []analysis.Table{t, list}
	out.Sentence = say.Thousands(named) + " of " + say.Count(looked, "poor ranking", "poor rankings") + " " +
		say.Verb(named, "fits", "fit") + " a pattern; the most frequent is " + pattern.All[worst].Name + " (" +
		strconv.Itoa(most) + "), to fix with " + pattern.All[worst].Fix + "."
	if named == 0 {
		out.Sentence = "None of " + say.Count(looked, "poor ranking", "poor rankings") + " fits a pattern."
	}
	out.Notes = []string{"A ranking is poor below " + style.Short(poor) + " " + col.Measure + ", or " +
		style.Short(behind) + " below the best run on the query. It may fit several patterns; a pattern is a rule of " +
		"thumb and does not prove the cause."}
	if more > 0 {
		out.Notes = append(out.Notes, say.Count(more, "further ranking is", "further rankings are")+" not listed.")
	}
	if len(r.Systems) > systems {
		out.Sentence += " Of " + strconv.Itoa(len(r.Systems)) + " runs the first " + strconv.Itoa(systems) +
			" are looked into, and the figure leaves the patterns out."
	}
	return out, nil
}

// patternTable writes how often each pattern holds of each system, and which is the most frequent. The last of a system
// is what fits none.
func patternTable(systems int, counts [][]int, examples []string) (t analysis.Table, worst, most int) {
	t = analysis.Table{Caption: "On how many queries each pattern holds, run by run", Columns: []string{"Pattern"}}
	for i := range systems {
		t.Columns = append(t.Columns, say.Letter(i))
	}
	t.Columns = append(t.Columns, "All", "An example", "Possible fix", "Rule")
	most = -1
	for p := range len(pattern.All) + 1 {
		sum := 0
		row := []analysis.Cell{analysis.Words("none of these")}
		tail := []analysis.Cell{analysis.Words(""), analysis.Words(""), analysis.Words("")}
		if p < len(pattern.All) {
			row[0] = analysis.Words(pattern.All[p].Name)
			tail = []analysis.Cell{analysis.Words(examples[p]), analysis.Words(pattern.All[p].Fix),
				analysis.Words(pattern.All[p].Rule)}
		}
		for i := range systems {
			row = append(row, analysis.Whole(counts[i][p]))
			sum += counts[i][p]
		}
		if p < len(pattern.All) && sum > most {
			worst, most = p, sum
		}
		t.Rows = append(t.Rows, append(append(row, analysis.Whole(sum)), tail...))
	}
	return t, worst, most
}

func bad(v, best float64) bool { return v < poor || v <= best-behind }

// inputs fills what the last stage of a pipeline worked on, as far as those are systems too.
func inputs(c *pattern.Case, n *pipeline.Node, of func(*pipeline.Node) (map[string]int, float64, bool)) {
	add := func(part *pipeline.Node) {
		if ranks, more, ok := of(part); ok {
			c.Inputs = append(c.Inputs, pattern.Component{Name: n.Stage.Name, Rank: ranks, More: more})
		}
	}
	switch n.Stage.Role {
	case pipeline.Transformer:
		add(n.Input)
		c.Diverse = slices.Contains(varied, n.Stage)
		c.Reranked = n.Stage == &stage.Rerank.Stage
	case pipeline.Combiner:
		for _, a := range n.Args {
			add(a)
		}
	}
}

// looker looks documents up, each once.
type looker struct {
	s     *experiment.Session
	x     *index.Index
	an    *text.Analyzer
	docs  map[int]*pattern.Doc
	place map[string]int
	names [][]string // of two or more words, of any document
}

// entities collects the names that documents have.
func (l *looker) entities() {
	seen := map[string]bool{}
	for _, c := range l.s.Bundle().Cards {
		for _, e := range c.Entities {
			w := written(e.Name)
			if key := strings.Join(w, " "); len(w) > 1 && !seen[key] {
				seen[key] = true
				l.names = append(l.names, w)
			}
		}
	}
}

// query is what a case has of the query.
func (l *looker) query(s *experiment.Session, q report.Query) pattern.Case {
	c := pattern.Case{Query: q.ID, Words: written(q.Text), Terms: l.an.Terms(q.Text), Docs: l.x.Docs()}
	whole := " " + strings.Join(c.Words, " ") + " "
	for _, n := range l.names {
		if strings.Contains(whole, " "+strings.Join(n, " ")+" ") {
			c.Names = append(c.Names, n)
		}
	}
	var known []string
	var lists []map[uint32]bool
	for _, t := range c.Terms {
		id, ok := l.x.ID(t)
		if !ok {
			nearest := ""
			if near := spell.Suggest(l.x, t, 1); len(near) > 0 && near[0].Similarity >= nearly {
				nearest = near[0].Term
			}
			c.Unknown, c.Spelled = append(c.Unknown, t), append(c.Spelled, nearest)
			continue
		}
		known = append(known, t)
		docs := map[uint32]bool{}
		for _, p := range l.x.List(id).Postings {
			docs[p.Doc()] = true
		}
		lists = append(lists, docs)
	}
	c.Terms = known
	if len(lists) > 0 {
		slices.SortStableFunc(lists, func(a, b map[uint32]bool) int { return len(a) - len(b) })
		for d := range lists[0] {
			if !slices.ContainsFunc(lists[1:], func(m map[uint32]bool) bool { return !m[d] }) {
				c.All++
			}
		}
	}
	s.Queries.Qrels().Each(q.ID, func(doc string, grade float64) {
		if d, ok := l.place[doc]; ok && grade > 0 {
			x := *l.doc(d)
			x.Grade, x.Judged = grade, true
			c.Relevant = append(c.Relevant, x)
		}
	})
	return c
}

// ranked fills what a case has of a ranking.
func (l *looker) ranked(c *pattern.Case, side *compare.Side) {
	place := map[string]int{}
	for _, p := range side.Docs {
		place[p.ID] = p.Rank
		if d, ok := l.place[p.ID]; ok && p.Rank <= pattern.Window {
			x := *l.doc(d)
			x.Rank, x.Grade, x.Judged = p.Rank, p.Grade, p.Grade != compare.Unjudged
			c.Top = append(c.Top, x)
		}
	}
	c.Found = side.Size
	c.Relevant = slices.Clone(c.Relevant)
	for i := range c.Relevant {
		c.Relevant[i].Rank = place[c.Relevant[i].ID]
	}
}

// doc looks a document up. Without its text it has no words and no shingles.
func (l *looker) doc(d int) *pattern.Doc {
	if x, ok := l.docs[d]; ok {
		return x
	}
	card := l.s.Bundle().Cards[d]
	x := &pattern.Doc{ID: card.ID, Terms: map[string]bool{}, Words: map[string]bool{},
		Length: float64(l.x.Length(index.Contents, uint32(d)))}
	for _, f := range l.x.Vector(uint32(d)) {
		x.Terms[l.x.Term(f.Term)] = true
	}
	if len(card.Date) >= 4 {
		x.Year = card.Date[:4]
	}
	if body, err := l.s.Parts().Text(uint32(d)); err == nil {
		for _, w := range written(card.Title + " " + body) {
			x.Words[w] = true
		}
		x.Shingles = text.Shingles(body)
	}
	l.docs[d] = x
	return x
}

// written are the words of a text in lower case.
func written(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127)
	})
}
