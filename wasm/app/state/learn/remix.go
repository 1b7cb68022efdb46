package learn

import (
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	table "github.com/rankbox/rankbox/core/play"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Remix is what a teacher makes of the open lesson.
type Remix struct {
	Draft lesson.Remix
	Docs  string // as they are typed: grades, lines of a run, or a link of Play
	Fault string
}

// openRemix opens a remixed lesson.
func (l *Learn) openRemix(text string) error {
	r, err := lesson.ReadRemix(text, screens.Ends())
	if err != nil && l.App.Programs.Richer(ID, "#"+text) { // it may name a measure that no lesson does
		return nil
	}
	if err != nil {
		return err
	}
	l.Remixed, l.mixed = r, nil
	l.Name = r.Of
	return nil
}

// mix is the open lesson as it was remixed.
func (l *Learn) mix(x *lesson.Lesson) *lesson.Lesson {
	if l.Remixed == nil || l.Remixed.Of != l.Name {
		return x
	}
	if l.mixed == nil || l.from != x {
		l.mixed, l.from = l.Remixed.Apply(x), x
	}
	return l.mixed
}

// Draft is the remix of the open lesson, which begins as the lesson is.
func (l *Learn) Draft() *Remix {
	if l.draft == nil || l.draft.Draft.Of != l.Name {
		l.draft = &Remix{Draft: lesson.Remix{Of: l.Name, Steps: [5]bool{true, true, true, true, true}}}
	}
	return l.draft
}

// Mix changes the draft.
func (l *Learn) Mix(f func(*lesson.Remix)) {
	f(&l.Draft().Draft)
	l.draft.Fault = ""
	l.App.View.Draw()
}

// measures are those of the ranking that the lesson plays with.
func (l *Learn) measures() *table.Table {
	x := l.Lesson()
	for _, step := range x.Steps {
		for _, b := range step {
			if b.Kind == lesson.Play || b.Remixes() {
				if t, err := table.Decode(b.Link); err == nil {
					if len(t.Measures) == 0 { // a figure knows its own: a link names one all the same
						t.Measures, _ = measure.ParseList("AP")
					}
					return t
				}
			}
		}
	}
	return nil
}

// Ready checks the draft; its link is good then.
func (l *Learn) Ready() bool {
	d := l.Draft()
	d.Fault = ""
	d.Draft.Table = nil
	d.Draft.Title, d.Draft.Where, d.Draft.Note = strings.TrimSpace(d.Draft.Title), strings.TrimSpace(d.Draft.Where), strings.TrimSpace(d.Draft.Note)
	if origin := l.App.Browser.Origin(); origin != "" {
		d.Draft.Where = strings.TrimPrefix(d.Draft.Where, origin)
	}
	if text := strings.TrimSpace(d.Docs); text != "" {
		if at := strings.Index(text, table.Prefix); at >= 0 {
			t, err := table.Decode(text[at:])
			if err != nil {
				return l.refuse(err)
			}
			d.Draft.Table = t
		} else {
			docs, n, err := table.Read(text)
			if err != nil {
				return l.refuse(err)
			}
			d.Draft.Table = &table.Table{}
			if own := l.measures(); own != nil {
				d.Draft.Table.Measures = own.Measures
			}
			d.Draft.Table.Fill(docs, n)
		}
	}
	if d.Draft.Where != "" {
		if err := lesson.OnSite(d.Draft.Where, screens.Ends()); err != nil {
			return l.refuse(err)
		}
	}
	if _, err := lesson.ReadRemix(d.Draft.Link(), screens.Ends()); err != nil {
		return l.refuse(err)
	}
	return true
}

func (l *Learn) refuse(err error) bool {
	l.draft.Fault = say.Told(err)
	l.App.View.Draw()
	return false
}

// CopyRemix puts the link of the draft onto the clipboard, SaveRemix lets the teacher save it as a file, ShowRemix opens it.
func (l *Learn) CopyRemix() {
	if l.Ready() {
		l.App.Sharing.CopyText(l.App.Browser.Origin() + PathOf(l.Name) + "#" + l.draft.Draft.Link())
	}
}

// SaveRemix lets the teacher save the draft as a file.
func (l *Learn) SaveRemix() {
	if l.Ready() {
		l.App.Browser.Save("rankbox-lesson-"+l.Name+".txt", "text/plain; charset=utf-8", []byte(l.draft.Draft.File()))
	}
}

// ShowRemix opens the draft.
func (l *Learn) ShowRemix() {
	if l.Ready() {
		l.show(l.draft.Draft.Link())
	}
}

func (l *Learn) show(text string) {
	if err := l.openRemix(text); err != nil {
		l.problem(err)
		l.App.View.Draw()
		return
	}
	l.App.Location.Write(true)
	l.Ensure()
	l.App.View.Draw()
}

// unpack opens the first remix among files; where there is none they are taken for runs, as they are on other screens.
func (l *Learn) unpack(p *message.PapersRead) {
	for _, x := range p.List {
		if strings.Contains(x.Text, lesson.Remixed) {
			l.show(x.Text)
			return
		}
	}
	if runs, ok := l.App.Screens.Other("compare").(interface{ AddFiles([]message.File) }); ok {
		runs.AddFiles(l.given)
	}
}
