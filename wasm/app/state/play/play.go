// Package play is the Play screen without its looks: a ranking that is moved, graded and cut by hand, and the measures that follow. What the
// table is and what it is worth is package core/play's; here are the steps that can be undone, what is said of them to a screen reader, the
// address, and how a ranking comes from Search.
//
// Order of the pipeline: a gesture or a key → one change of the table, which undo takes back (all of one drag are one) → the address → the
// page is drawn with every value new.
package play

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/play"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// ID is the name of the screen.
const ID share.Screen = "play"

// example is what the screen begins with: the head of what BM25 finds in Harbour Wire for q02, "who took over Kelmouth Savings Bank", with
// the relevant documents that it did not bring up, and without the judgment of the seventh. A test holds it against the collection.
const example = "play=1&d=3~Aldmere+Mutual+takes+over+Kelmouth+Savings+Bank,2~Seven+branches+of+the+savings+bank+to+close,2~Six+years+for+banker+who+lent+to+nobody,1~Regulator+limits+withdrawals+from+Kelmouth+Savings+Bank,1~Queues+outside+Kelmouth+Savings+Bank+as+doubts+spread,1~Finance+director+leaves+Kelmouth+Savings+Bank+without+a+word,-~Former+bank+director+charged+over+phantom+boats,3~Agency+report:+Mutual+rescues+Kelmouth+lender+with+62+million,0~Fell+guilty+on+all+counts,1~Savings+bank+puts+off+its+results+by+a+fortnight,1~140+million+withdrawn+in+three+days&a=0.1.2.3.4.5.6.7.8&m=nDCG@5~AP~RR~P@5"

// Cut is what a gesture says is held where it is the line of the cutoff and no document.
const Cut = -1

// Play is the screen.
type Play struct {
	App   *state.App
	Table *play.Table

	Said      string   // the last move, for those who do not see it
	Typed     string   // into the field for grades, until it is read
	Fault     string   // what is wrong with it, or with a measure
	Best      []string // a list: the single move that gains most, once it was asked for
	Before    []float64
	Diversity bool // whether sub-topics are shown

	held    int  // how many gestures there were, so that each is one step of undo
	wanted  bool // a link asked for the ranking of a query
	query   string
	ids     []string // of the documents that came from Search
	seed    uint64
	initial string
}

// New is the screen as it begins.
func New(a *state.App) *Play {
	p := &Play{App: a, Table: Start()}
	p.initial = p.Table.Link()
	return p
}

// Start is the table that the screen begins with.
func Start() *play.Table {
	t, err := play.Decode(example)
	if err != nil {
		panic("play: the example: " + err.Error())
	}
	return t
}

// ID is the name of the screen.
func (p *Play) ID() share.Screen { return ID }

type saved struct {
	table     *play.Table
	diversity bool
}

// Save returns the table.
func (p *Play) Save() any { return saved{p.Table.Clone(), p.Diversity} }

// Restore puts it back.
func (p *Play) Restore(x any) {
	s := x.(saved)
	p.Table, p.Diversity = s.table.Clone(), s.diversity
	p.Best, p.Before, p.Fault = nil, nil, ""
}

// Fragment is the table as a link.
func (p *Play) Fragment() (string, bool) {
	if p.wanted {
		return "", true
	}
	if s := p.Table.Link(); s != p.initial {
		return "#" + s, true
	}
	return "", true
}

// ReadLink opens a table, or the ranking of a query that the address of another screen names.
func (p *Play) ReadLink(fragment string) {
	if state.HasWorker && !strings.HasPrefix(fragment, play.Prefix) {
		d, err := share.Decode(fragment)
		if err != nil {
			p.wrong(err)
			return
		}
		p.App.Settings.Address = d
		p.wanted = p.App.Settings.HasQuery()
		return
	}
	t, err := play.Decode(fragment)
	if err != nil {
		p.wrong(err)
		return
	}
	p.Table, p.wanted = t, false
	p.Diversity = slices.ContainsFunc(t.Docs, func(d play.Doc) bool { return d.Topics != 0 })
	p.fill()
}

func (p *Play) wrong(err error) {
	p.App.Notices.Problem = &message.Problem{What: "This link could not be opened: " + say.Sentence(err), Where: "the part of the address after #",
		Do: "Ask for the link again, or go on with the ranking below."}
}

// fill sees to it that there is a measure to look at.
func (p *Play) fill() {
	if len(p.Table.Measures) > 0 {
		return
	}
	for _, s := range measure.Defaults() {
		if m, err := measure.Parse(s); err == nil {
			p.Table.Measures = append(p.Table.Measures, m)
		}
	}
}

// CopyLink puts the link of the table onto the clipboard.
func (p *Play) CopyLink() bool {
	p.App.Sharing.CopyText(p.App.Browser.Origin() + state.Path(ID) + "#" + p.Table.Link())
	return true
}

// Found takes the ranking of the first system, where a link asked for it, and then asks what else is relevant to the query.
func (p *Play) Found() {
	r := p.App.Search.Results
	if !p.wanted || r == nil || len(r.Lists) == 0 {
		return
	}
	l := r.Lists[0]
	if l.Problem != "" {
		p.wanted = false
		p.App.Notices.Problem = &message.Problem{What: l.Problem, Where: "the system " + l.Notation, Do: "Play with the ranking of another system, or with the one below."}
		return
	}
	var docs []play.Doc
	p.ids = nil
	for _, h := range l.Hits {
		for _, f := range append([]experiment.Found{h}, h.Twins...) {
			g := int32(measure.Unjudged)
			if f.Grade != experiment.NoGrade {
				g = int32(min(play.MaxGrade, max(0, f.Grade)))
			}
			title := ""
			for _, s := range f.Title {
				title += s.Text
			}
			if len(docs) < play.MaxDocs {
				docs = append(docs, play.Doc{Label: title, Grade: g})
				p.ids = append(p.ids, f.ID)
			}
		}
	}
	p.wanted, p.query = false, p.App.Settings.Spec.QueryID
	p.Do("", func() { p.Table.Fill(docs, len(docs)); p.fill() })
	if p.query != "" {
		p.App.Browser.Enrich()
		p.App.Engine.Request(message.Judged, &message.AskJudged{Query: p.query})
	}
}

// Takes says that the judgments of a query are for this screen.
func (p *Play) Takes(k message.Kind) bool { return k == message.Judged }

// Receive puts the relevant documents that were not retrieved beside the list.
func (p *Play) Receive(r message.Reply) {
	j, ok := r.Answer.(*message.Judgments)
	if !ok || j.Query != p.query {
		return
	}
	p.query = ""
	for _, d := range j.Docs {
		if len(p.Table.Docs) < play.MaxDocs && !slices.Contains(p.ids, d.ID) {
			p.Table.Docs = append(p.Table.Docs, play.Doc{Label: d.Title, Grade: int32(min(play.MaxGrade, d.Grade))})
		}
	}
	p.App.Location.Write(false)
}

// Do changes the table as one step that can be undone; steps of the same kind in a row, but "", are one.
func (p *Play) Do(kind string, f func()) {
	old := p.App.History.Present()
	if before := p.values(); kind == "" || len(p.Before) != len(before) || !strings.HasPrefix(kind, "hold") {
		p.Before = before
	}
	f()
	p.Best, p.Fault = nil, ""
	p.App.History.Keep(old, kind)
	p.App.Location.Write(false)
	p.App.View.Draw()
}

// values are those of every measure for every list, before a change.
func (p *Play) values() []float64 {
	var out []float64
	for _, m := range p.Table.Measures {
		for l := range p.Table.ListCount() {
			out = append(out, p.Table.Value(m, l))
		}
	}
	return out
}

// Hold begins a gesture: all its moves are one step, and the values say what it changes as a whole.
func (p *Play) Hold() {
	p.held++
	p.Before = p.values()
}

// Drag takes a document, or Cut, to another place of a list while it is held.
func (p *Play) Drag(list, from, to int) { p.move("hold "+strconv.Itoa(p.held), list, from, to) }

// Step moves a document by one place, as a key does.
func (p *Play) Step(list, from, by int) { p.move("", list, from, from+by) }

func (p *Play) move(kind string, list, from, to int) {
	if from == Cut {
		p.cut(kind, to)
		return
	}
	l := p.Table.Lists[list]
	if from < 0 || from >= len(l) || to < 0 || to >= len(l) || from == to {
		return
	}
	d := l[from]
	p.Do(kind, func() { p.Table.Shift(list, from, to) })
	p.say(p.Name(d) + " to rank " + strconv.Itoa(to+1) + " of " + strconv.Itoa(len(l)))
}

// cut sets the cutoff of the measure that is unfolded.
func (p *Play) cut(kind string, k int) {
	if m, ok := p.Table.Measure(); ok && k >= 1 && k != m.Cutoff() {
		p.set(kind, p.Table.Chosen, "cutoff", strconv.Itoa(k))
		if m, ok := p.Table.Measure(); ok {
			p.say(m.String())
		}
	}
}

// say announces a move and what it makes of the measure.
func (p *Play) say(what string) {
	if m, ok := p.Table.Measure(); ok {
		what += "; " + m.String() + " " + say.Page.Number(p.Table.Value(m, 0), 4)
		if p.Table.Second {
			what += " and " + say.Page.Number(p.Table.Value(m, 1), 4)
		}
	}
	p.Said = what + "."
	p.App.View.Draw()
}

// Name is what a document is called.
func (p *Play) Name(doc int) string {
	if s := p.Table.Docs[doc].Label; s != "" {
		return s
	}
	return "document " + strconv.Itoa(doc+1)
}

// Grade gives a document a grade, measure.Unjudged for none.
func (p *Play) Grade(doc int, g int32) {
	if g != measure.Unjudged && (g < 0 || g > play.MaxGrade) {
		return
	}
	p.Do("", func() { p.Table.Docs[doc].Grade = g })
	p.say(p.Name(doc) + " is " + GradeWords(g))
}

// Regrade gives a document the next grade: 0 to MaxGrade, then none.
func (p *Play) Regrade(doc int) {
	switch g := p.Table.Docs[doc].Grade; {
	case g == measure.Unjudged:
		p.Grade(doc, 0)
	case g >= play.MaxGrade:
		p.Grade(doc, measure.Unjudged)
	default:
		p.Grade(doc, g+1)
	}
}

// GradeWords says a grade.
func GradeWords(g int32) string {
	if g == measure.Unjudged {
		return "not judged"
	}
	return "grade " + strconv.Itoa(int(g))
}

// About turns a sub-topic of a document on or off.
func (p *Play) About(doc, topic int) {
	p.Do("", func() { p.Table.Docs[doc].Topics ^= 1 << topic })
	p.say(p.Name(doc) + " about sub-topic " + string(rune('a'+topic)))
}

// Order puts the lists into another order: "shuffle", "ideal", "worst", "reverse".
func (p *Play) Order(how string) {
	p.Do("", func() {
		for l := range p.Table.ListCount() {
			switch how {
			case "shuffle":
				p.seed++
				p.Table.Shuffle(l, p.seed)
			case "ideal":
				p.Table.Ideal(l)
			case "worst":
				p.Table.Worst(l)
			case "reverse":
				p.Table.Reverse(l)
			}
			if p.Table.Second {
				break // the first list alone: the other one is what it is held against
			}
		}
	})
	p.say("The order is now: " + how)
}

// Take takes a document out of a list, Put puts one at its end, Add makes a new one, Drop forgets one.
func (p *Play) Take(list, at int) {
	d := p.Table.Lists[list][at]
	p.Do("", func() { p.Table.Take(list, at) })
	p.say(p.Name(d) + " is not retrieved any more")
}

// Put puts a document at the end of a list.
func (p *Play) Put(list, doc int) {
	p.Do("", func() { p.Table.Put(list, doc) })
	p.say(p.Name(doc) + " is retrieved last")
}

// Add puts a new document at the end of the first list.
func (p *Play) Add() {
	if len(p.Table.Docs) >= play.MaxDocs {
		p.Fault = fmt.Sprintf("There are %d documents, and not more.", play.MaxDocs)
		p.App.View.Draw()
		return
	}
	p.Do("", func() {
		p.Table.Add(0, play.Doc{Label: "new document " + strconv.Itoa(len(p.Table.Docs)+1)})
	})
	p.say("A new document at rank " + strconv.Itoa(len(p.Table.Lists[0])))
}

// Drop forgets a document.
func (p *Play) Drop(doc int) {
	name := p.Name(doc)
	p.Do("", func() { p.Table.Drop(doc) })
	p.say(name + " is gone")
}

// Split makes the second list, or takes it away.
func (p *Play) Split(on bool) { p.Do("", func() { p.Table.Split(on) }) }

// Topics shows or hides sub-topics.
func (p *Play) Topics(on bool) { p.Diversity = on; p.App.View.Draw() }

// Type takes what is typed into the field for grades; Read reads it.
func (p *Play) Type(text string) { p.Typed = text }

// Read puts what was typed or pasted in place of the ranking.
func (p *Play) Read() {
	docs, n, err := play.Read(p.Typed)
	if err != nil {
		p.Fault = say.Told(err)
		p.App.View.Draw()
		return
	}
	p.Do("", func() { p.Table.Fill(docs, n) })
	p.Diversity = p.Diversity || slices.ContainsFunc(docs, func(d play.Doc) bool { return d.Topics != 0 })
	p.Typed = ""
	p.say(say.Count(n, "document", "documents"))
}

// Choose unfolds a measure.
func (p *Play) Choose(i int) {
	if i != p.Table.Chosen {
		p.Do("choose", func() { p.Table.Chosen = i })
	}
}

// Measure takes a measure in by its notation, or by its name with a cutoff of 5 where it needs one.
func (p *Play) Measure(notation string) {
	m, err := measure.Parse(notation)
	if err != nil {
		if at, e := measure.Parse(notation + "@5"); e == nil {
			m, err = at, nil
		}
	}
	t := p.Table
	switch {
	case err != nil:
		p.Fault = say.Told(err)
	case slices.ContainsFunc(t.Measures, func(x measure.Measure) bool { return x.String() == m.String() }):
		p.Fault = m.String() + " is there already."
	case len(t.Measures) >= play.MaxMeasures:
		p.Fault = fmt.Sprintf("There are %d measures, and not more: take one out first.", play.MaxMeasures)
	default:
		p.Do("", func() {
			t.Measures = append(t.Measures, m)
			t.Chosen = len(t.Measures) - 1
		})
		p.Diversity = p.Diversity || m.Info().Group == measure.Diverse || m.Info().Group == measure.Grouped
		p.Before = nil
	}
	p.App.View.Draw()
}

// Without takes a measure out.
func (p *Play) Without(i int) {
	if len(p.Table.Measures) < 2 {
		return
	}
	p.Do("", func() {
		t := p.Table
		t.Measures = slices.Delete(t.Measures, i, i+1)
		if t.Chosen >= i && t.Chosen > 0 {
			t.Chosen--
		}
	})
	p.Before = nil
	p.App.View.Draw()
}

// Set sets a parameter of a measure, "" for its default.
func (p *Play) Set(i int, param, value string) { p.set("set "+param, i, param, value) }

func (p *Play) set(kind string, i int, param, value string) {
	m, err := p.Table.Measures[i].With(param, value)
	if err != nil {
		p.Fault = say.Told(err)
		p.App.View.Draw()
		return
	}
	p.Do(kind, func() { p.Table.Measures[i] = m })
}

// FindBest looks for the single move that gains most in each list.
func (p *Play) FindBest() {
	m, ok := p.Table.Measure()
	if !ok {
		return
	}
	p.Best = nil
	for l := range p.Table.ListCount() {
		s := "No single move improves " + m.String() + "."
		if best, ok := p.Table.Best(m, l); ok {
			s = "Rank " + strconv.Itoa(best.From+1) + " to rank " + strconv.Itoa(best.To+1) + " gains most: " + say.Page.Signed(best.Gain, 4) + " (" + p.Name(p.Table.Lists[l][best.From]) + ")."
		}
		if p.Table.Second {
			s = say.Letter(l) + ": " + s
		}
		p.Best = append(p.Best, s)
	}
	p.Said = strings.Join(p.Best, " ")
	p.App.View.Draw()
}

// Change is by how much a measure of a list changed with the last step.
func (p *Play) Change(i, list int) float64 {
	at := i*p.Table.ListCount() + list
	if len(p.Before) != len(p.Table.Measures)*p.Table.ListCount() {
		return 0
	}
	return p.Table.Value(p.Table.Measures[i], list) - p.Before[at]
}
