// Package play is the Play screen without its looks: a ranking that is moved, graded and cut by hand, and the measures
// that follow. What the table is and what it is worth is package core/link/play's; here are the steps that can be undone,
// what is said of them to a screen reader, the address, and how a ranking comes from Search.
//
// Order of the pipeline: a gesture or a key → one change of the table, which undo takes back (all of one drag are one)
// → the address → the page is drawn with every value new.
package play

import (
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// ID is the name of the screen.
const ID share.Screen = "play"

// example is what the screen begins with: the head of what BM25 finds in Harbour Wire for q02, "who took over Kelmouth
// Savings Bank", with the relevant documents that it did not bring up, and without the judgment of the seventh. A test
// holds it against the collection.
const example = "play=1&d=3~Aldmere+Mutual+takes+over+Kelmouth+Savings+Bank,2~Seven+branches+of+the+savings+bank+to+close,2~Six+years+for+banker+who+lent+to+nobody,1~Regulator+limits+withdrawals+from+Kelmouth+Savings+Bank,1~Queues+outside+Kelmouth+Savings+Bank+as+doubts+spread,1~Finance+director+leaves+Kelmouth+Savings+Bank+without+a+word,-~Former+bank+director+charged+over+phantom+boats,3~Agency+report:+Mutual+rescues+Kelmouth+lender+with+62+million,0~Fell+guilty+on+all+counts,1~Savings+bank+puts+off+its+results+by+a+fortnight,1~140+million+withdrawn+in+three+days&a=0.1.2.3.4.5.6.7.8&m=nDCG@5~AP~RR~P@5"

// Play is the screen.
type Play struct {
	App  *state.App
	Hand Hand
	Text Text

	wanted  bool // a link asked for the ranking of a query
	own     bool // the table names the user's own documents: the device stores it, and the address is play.Own
	query   string
	ids     []string // of the documents that came from Search
	initial string
}

// New is the screen as it begins.
func New(a *state.App) *Play {
	p := &Play{App: a, Hand: Hand{app: a, Table: Start()}}
	p.Text.hand = &p.Hand
	p.initial = p.Hand.Table.Link()
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
	table          *play.Table
	diversity, own bool
}

// Save returns the table.
func (p *Play) Save() any { return saved{p.Hand.Table.Clone(), p.Hand.Diversity, p.own} }

// Restore puts it back.
func (p *Play) Restore(x any) {
	s := x.(saved)
	p.Hand.Table, p.Hand.Diversity, p.own = s.table.Clone(), s.diversity, s.own
	p.Hand.Best, p.Hand.Before, p.Hand.Fault = nil, nil, ""
}

// Fragment is the table as a link. A table of the user's own documents is stored on the device instead.
func (p *Play) Fragment() (string, bool) {
	if p.wanted {
		return "", true
	}
	if p.own {
		p.App.Browser.Remember(state.PlayKey, p.Hand.Table.Longest())
		return "#" + play.Own, true
	}
	if s := p.Hand.Table.Link(); s != p.initial {
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
		d = state.Recalled(p.App.Browser, d)
		d.Focus = experiment.Focus{}
		p.App.Settings.Address = d
		p.wanted = p.App.Settings.HasQuery()
		return
	}
	own := fragment == play.Own
	if own {
		if fragment = p.App.Browser.Recall(state.PlayKey); fragment == "" {
			p.App.Notices.Problem = &message.Problem{What: "The ranking of this address is stored on another device.",
				Where: "the part of the address after #",
				Do:    "Ask for a link (Share, Copy link), or go on with the ranking below."}
			return
		}
	}
	t, err := play.Decode(fragment)
	if err != nil {
		p.wrong(err)
		return
	}
	p.Hand.Table, p.wanted, p.own = t, false, own
	p.Hand.Diversity = slices.ContainsFunc(t.Docs, func(d play.Doc) bool { return d.Topics != 0 })
	p.Hand.fill()
}

func (p *Play) wrong(err error) {
	p.App.Notices.Problem = &message.Problem{What: "This link could not be opened: " + say.Sentence(err),
		Where: "the part of the address after #",
		Do:    "Ask for the link again, or go on with the ranking below."}
}

// CopyLink puts the link of the table onto the clipboard.
func (p *Play) CopyLink() bool {
	p.App.Sharing.CopyText(p.App.Browser.Origin() + state.Path(ID) + "#" + p.Hand.Table.Link())
	return true
}

// Offers says what Copy link copies, which is all that this screen shares.
func (p *Play) Offers() []state.Offer {
	return []state.Offer{{ID: "link", Note: "opens this ranking, with the names in it"}}
}

// HandOn does nothing: the link is copied by CopyLink.
func (p *Play) HandOn(string) {}

// Found takes the ranking of the first system, where a link asked for it, and then asks what else is relevant to the
// query.
func (p *Play) Found() {
	r := p.App.Search.Results
	if !p.wanted || r == nil || len(r.Lists) == 0 {
		return
	}
	l := r.Lists[0]
	if l.Problem != "" {
		p.wanted = false
		p.App.Notices.Problem = &message.Problem{What: l.Problem, Where: "the system " + l.Notation,
			Do: "Play with the ranking of another system, or with the one below."}
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
	p.Hand.Do("", func() {
		p.own = state.Uploaded(p.App.Settings.Collection())
		p.Hand.Table.Fill(docs, len(docs))
		p.Hand.fill()
	})
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
		if len(p.Hand.Table.Docs) < play.MaxDocs && !slices.Contains(p.ids, d.ID) {
			p.Hand.Table.Docs = append(p.Hand.Table.Docs,
				play.Doc{Label: d.Title, Grade: int32(math.Round(min(play.MaxGrade, d.Grade)))})
		}
	}
	p.App.Location.Write(false)
}
