package learn

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	table "github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/screens"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Draft is what a teacher makes of the open lesson.
type Draft struct {
	Draft lesson.Remix
	Docs  string // as they are typed: grades, lines of a run, or a link of Play
	Fault string
}

// Remix is where a teacher changes the open lesson.
type Remix struct {
	app     *state.App
	lessons *Lessons
	ensure  func() // sees to it that the lesson is there

	draft *Draft
}

// open opens a remixed lesson.
func (r *Remix) open(text string) error {
	remix, err := lesson.ReadRemix(text, screens.Ends())
	if err != nil && r.app.Programs.Richer(ID, "#"+text) { // it may name a measure that no lesson does
		return nil
	}
	if err != nil {
		return err
	}
	r.lessons.Remixed, r.lessons.mixed = remix, nil
	r.lessons.Name = remix.Of
	return nil
}

// Draft is the remix of the open lesson, which begins as the lesson is.
func (r *Remix) Draft() *Draft {
	if r.draft == nil || r.draft.Draft.Of != r.lessons.Name {
		r.draft = &Draft{Draft: lesson.Remix{Of: r.lessons.Name, Steps: [5]bool{true, true, true, true, true}}}
	}
	return r.draft
}

// Mix changes the draft.
func (r *Remix) Mix(f func(*lesson.Remix)) {
	f(&r.Draft().Draft)
	r.draft.Fault = ""
	r.app.View.Draw()
}

// measures are those of the ranking that the lesson plays with.
func (r *Remix) measures() *table.Table {
	x := r.lessons.Current()
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
func (r *Remix) Ready() bool {
	d := r.Draft()
	d.Fault = ""
	d.Draft.Table = nil
	d.Draft.Title, d.Draft.Where, d.Draft.Note = strings.TrimSpace(d.Draft.Title), strings.TrimSpace(d.Draft.Where),
		strings.TrimSpace(d.Draft.Note)
	if origin := r.app.Browser.Origin(); origin != "" {
		d.Draft.Where = strings.TrimPrefix(d.Draft.Where, origin)
	}
	if text := strings.TrimSpace(d.Docs); text != "" {
		if at := strings.Index(text, table.Prefix); at >= 0 {
			t, err := table.Decode(text[at:])
			if err != nil {
				return r.refuse(err)
			}
			d.Draft.Table = t
		} else {
			docs, n, err := table.Read(text)
			if err != nil {
				return r.refuse(err)
			}
			d.Draft.Table = &table.Table{}
			if own := r.measures(); own != nil {
				d.Draft.Table.Measures = own.Measures
			}
			d.Draft.Table.Fill(docs, n)
		}
	}
	if d.Draft.Where != "" {
		if err := lesson.OnSite(d.Draft.Where, screens.Ends()); err != nil {
			return r.refuse(err)
		}
	}
	if _, err := lesson.ReadRemix(d.Draft.Link(), screens.Ends()); err != nil {
		return r.refuse(err)
	}
	return true
}

func (r *Remix) refuse(err error) bool {
	r.draft.Fault = say.Told(err)
	r.app.View.Draw()
	return false
}

// Copy puts the link of the draft onto the clipboard, SaveRemix lets the teacher save it as a file, ShowRemix opens it.
func (r *Remix) Copy() {
	if r.Ready() {
		r.app.Sharing.CopyText(r.app.Browser.Origin() + PathOf(r.lessons.Name) + "#" + r.draft.Draft.Link())
	}
}

// Save lets the teacher save the draft as a file.
func (r *Remix) Save() {
	if r.Ready() {
		r.app.Browser.Save("rankbox-lesson-"+r.lessons.Name+".txt", "text/plain; charset=utf-8",
			[]byte(r.draft.Draft.File()))
	}
}

// Show opens the draft.
func (r *Remix) Show() {
	if r.Ready() {
		r.show(r.draft.Draft.Link())
	}
}

func (r *Remix) show(text string) {
	if err := r.open(text); err != nil {
		problem(r.app, err)
		r.app.View.Draw()
		return
	}
	r.app.Location.Write(true)
	r.ensure()
	r.app.View.Draw()
}

// unpack opens the first remix among files; where there is none they are taken for runs, as they are on other screens.
func (l *Learn) unpack(p *message.PapersRead) {
	for _, x := range p.List {
		if strings.Contains(x.Text, lesson.Remixed) {
			l.Remix.show(x.Text)
			return
		}
	}
	if runs, ok := l.App.Screens.Other("compare").(interface{ AddFiles([]message.File) }); ok {
		runs.AddFiles(l.given)
	}
}
