package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Links is the links, embed codes and citations of a comparison.
type Links struct {
	app  *state.App
	runs *Runs
	view *View

	copying bool   // the link is copied once it is there
	asked   string // the Compared.Link that a person asked for: the address may hold it
}

// link is the link of what is compared and looked at, "" where it does not fit; whole says that what is looked at fits
// too.
func (l *Links) link() (fragment string, whole bool) {
	if l.runs.Done == nil || l.runs.Done.Report == nil || l.runs.Done.Link == "" {
		return "", true
	}
	if v := l.view.seen(); v != l.view.initial() {
		return packed.WithView(l.runs.Done.Link, v)
	}
	return l.runs.Done.Link, true
}

// Length is how many characters the link has that is copied, 0 where there is none.
func (l *Links) Length() int {
	s, _ := l.link()
	return len(s)
}

// Holds says what is in the link, for whoever is going to get it.
func (l *Links) Holds() string {
	r := l.runs.Report()
	if r == nil || l.runs.Done.Link == "" {
		return ""
	}
	var names []string
	for i := range r.Systems {
		names = append(names, say.Visible(r.Systems[i].Label))
	}
	if _, given := r.Given(); given {
		return "It contains the scores of " + say.Few(names, 4) + ". Anyone with the link can read them."
	}
	text := "It contains the rankings of " + say.Few(names, 4) + " and the judgments"
	if l.runs.Done.Grades {
		text = "It contains the grades by rank of " + say.Few(names, 4)
	}
	if l.runs.Done.Without != "" {
		text += ", but not " + l.runs.Done.Without
	}
	return text + ". Anyone with the link can read them."
}

// Unlinked says why there is no link.
func (l *Links) Unlinked() string {
	why := "links hold " + say.Thousands(packed.MaxLink) + " characters"
	if l.runs.Done != nil && l.runs.Done.Unlinked != "" {
		why = l.runs.Done.Unlinked
	}
	if r := l.runs.Report(); r != nil {
		if _, given := r.Given(); given {
			return "This report does not fit into a link: " + why + "."
		}
	}
	return "These runs do not fit into a link: " + why + "."
}

// tooLarge is the notice for runs that do not fit into a link.
func (l *Links) tooLarge(where, instead string) {
	l.app.Notices.Problem = &message.Problem{What: l.Unlinked(), Where: where, Do: instead}
	l.app.View.Draw()
}

// CopyEmbed puts the markup of a frame onto the clipboard that shows a part of the comparison: a figure by its name, or
// Query.
func (l *Links) CopyEmbed(only string) {
	if l.runs.Report() == nil {
		return
	}
	v := l.view.initial()
	v.Column, v.A, v.B, v.Open, v.Depth, v.Only = l.view.Column, l.view.A, l.view.B, l.view.Open, l.view.Depth, only
	v = v.WithLetters(l.runs.Report().Letters)
	link, whole := "", false
	if l.runs.Done.Link != "" {
		link, whole = packed.WithView(l.runs.Done.Link, v)
	}
	if !whole {
		l.tooLarge("Copy embed code", "Save a single-page report instead (Export): it needs no frame and no server.")
		return
	}
	title, height := "Rankbox: one query", "640"
	if f := figureNamed(only); f != nil {
		title, height = "Rankbox: "+f.Title, "520"
	}
	l.app.Sharing.CopyFrame(l.app.Sharing.EmbedCode("#"+link, title, height))
}

// note says what the link holds and how long it is, or why there is none.
func (l *Links) note() string {
	switch n := l.Length(); {
	case n == 0 && l.runs.standing != nil:
		return "opens this board"
	case n == 0:
		_, why, _ := strings.Cut(l.Unlinked(), ": ")
		return "no: " + why + " Save a file."
	case l.runs.Done.Grades:
		return say.Thousands(n) + " characters: grades by rank, no documents"
	default:
		if _, given := l.runs.Report().Given(); given {
			return say.Thousands(n) + " characters: every score"
		}
		return say.Thousands(n) + " characters: rankings and judgments"
	}
}

// cite puts a sentence onto the clipboard that says what measured these figures, and which they are.
func (l *Links) cite() {
	r := l.runs.Report()
	if r == nil {
		return
	}
	site := strings.TrimSuffix(l.app.Browser.Origin(), "/")
	text := "Figures by Rankbox " + l.app.Version + " (" + site + "), report " + r.Hash + "."
	l.app.Browser.Copy(text, func(copied bool) {
		if copied {
			l.app.Notices.Say("Citation copied: " + text)
			return
		}
		l.app.Notices.Problem = &message.Problem{What: "The browser did not allow copying.", Where: "Copy citation",
			Do: "Copy this instead: " + text}
		l.app.View.Draw()
	})
}
