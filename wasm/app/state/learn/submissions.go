package learn

import (
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Submissions are what students handed in, and the book that comes of it.
type Submissions struct {
	app   *state.App
	of    func() *class.Class // whose they are, nil where there is none yet
	adopt func(*class.Class)  // opens the class that most of them are of

	Pasted  string
	Papers  []class.Paper
	Book    *class.Book
	Reading bool // files are being read
}

// Read takes the files of students.
func (s *Submissions) Read(files []message.File) {
	s.Reading = true
	s.app.Browser.Enrich()
	s.app.Engine.Request(message.Papers, &message.AskPapers{Files: files})
	s.app.View.Draw()
}

// Paste takes codes.
func (s *Submissions) Paste(text string) {
	s.Pasted = ""
	s.add(class.Papers("pasted", text))
}

// received takes files as they were read.
func (s *Submissions) received(p *message.PapersRead) {
	s.Reading = false
	var list []class.Paper
	for _, x := range p.List {
		list = append(list, class.Papers(x.Name, x.Text)...)
	}
	s.add(list)
}

// add takes papers, each once.
func (s *Submissions) add(list []class.Paper) {
	for _, p := range list {
		if !slices.Contains(s.Papers, p) {
			s.Papers = append(s.Papers, p)
		}
	}
	if s.of() == nil || len(s.of().Items) == 0 {
		if of := class.Of(s.Papers); of != nil { // the page was opened without a class: it is that of most files
			s.adopt(of)
			s.app.Location.Write(false)
		}
	}
	s.collect()
	s.app.View.Draw()
}

// collect reads the papers again.
func (s *Submissions) collect() {
	s.Book = nil
	if len(s.Papers) > 0 && s.of() != nil && len(s.of().Items) > 0 {
		s.Book = s.of().Collect(s.Papers)
	}
}

// Empty forgets the papers.
func (s *Submissions) Empty() {
	s.Papers, s.Book = nil, nil
	s.app.View.Draw()
}

// Save lets the teacher save the book.
func (s *Submissions) Save() {
	if s.Book != nil {
		s.app.Browser.Save("rankbox-class-"+s.of().ID()+".csv", "text/csv; charset=utf-8",
			[]byte(sheet.CSV(s.Book.Table())))
	}
}
