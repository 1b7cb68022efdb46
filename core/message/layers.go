//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/wire"
)

// Layers reads judgments from files. Each file becomes a layer of the open workspace.
const Layers Kind = 67

// Layered asks how far the layers of the open workspace agree, and what that does to the order of systems.
const Layered Kind = 68

func init() {
	register[AskLayers, LayersRead](Layers, false)
	register[AskLayered, LayersAgree](Layered, false)
}

// AskLayers names the files.
type AskLayers struct {
	Files []File
	Limit int // bytes of a file
}

// LayersRead are the layers of the files, in their order. A workspace has several.
type LayersRead struct{ List []LayerRead }

// LayerRead is a layer, a share of a pool, or a file that is neither.
type LayerRead struct {
	File         string
	Author, Date string // "" if the file does not say
	Origin, Rule string // likewise
	Grades       []LayerGrade
	Pool         []Pooled // of a run: the documents that are to be judged
	Unsure       []Unsure // labels to look at, of rankbox reanchor -unsure
	Unknown      int      // grades of queries or documents that the collection lacks
	Problem      string   // why nothing is added, "" if something is

	Share                       string // of a file with a share of a class: the fragment of its link
	Class, Student, HandedShare string // of what a student handed in
	Judged                      int    // documents of the share of what was handed in
}

// Unsure is a label to look at: the line that it is in the file, and the documents or chunks of the open collection
// that it would grade at the place that may be meant.
type Unsure struct {
	Line          string
	Before, After string // the text around that place, cut
	IDs           []string
}

// LayerGrade is a grade, a note, or both.
type LayerGrade struct {
	Query, Document string
	Grade           int
	Graded          bool
	Time            int // milliseconds since 1970, 0 if it is not known
	Note            string
}

// Pooled is a document of a query.
type Pooled struct{ Query, Document string }

// Given returns the files, for who sends them beside the message.
func (a *AskLayers) Given() []File { return a.Files }

// Wire walks the question.
func (a *AskLayers) Wire(c *wire.Codec) {
	wire.Structs(c, &a.Files)
	c.Int(&a.Limit)
}

// Wire walks the answer.
func (a *LayersRead) Wire(c *wire.Codec) {
	wire.List(c, &a.List, func(l *LayerRead) {
		c.Fields(&l.File, &l.Author, &l.Date, &l.Origin, &l.Rule)
		wire.List(c, &l.Grades, func(g *LayerGrade) {
			c.Fields(&g.Query, &g.Document, &g.Grade, &g.Graded, &g.Time, &g.Note)
		})
		wire.List(c, &l.Pool, func(p *Pooled) { c.Fields(&p.Query, &p.Document) })
		wire.List(c, &l.Unsure, func(u *Unsure) { c.Fields(&u.Line, &u.Before, &u.After, &u.IDs) })
		c.Fields(&l.Unknown, &l.Problem, &l.Share, &l.Class, &l.Student, &l.HandedShare, &l.Judged)
	})
}

// AskLayered holds the workspace.
type AskLayered struct {
	Collection string // id of the collection that it is about
	Zip        []byte // as core/workspace exports it, without documents
	Count      bool   // only how many judgments the collection has
	Systems    []string
	Measure    string   // that orders the systems
	Of         []string // ids of the layers that are compared, none for all
	Human      string   // id of the layer that a model's is held against, "" for the first that is not the model's
	Model      string   // id of the layer that is a model's, "" for none
	Half       float64  // half-width for which human judgments are planned
}

// LayersAgree says how far they agree.
type LayersAgree struct {
	Own      int // judgments of the collection
	Sections []analysis.Section
	Problem  string // why the systems are not ordered, "" if they are
}

// Given says that the question is for the program that judges.
func (a *AskLayered) Given() []File { return nil }

// Wire walks the question.
func (a *AskLayered) Wire(c *wire.Codec) {
	c.Fields(&a.Collection, &a.Zip, &a.Count, &a.Systems, &a.Measure, &a.Of, &a.Human, &a.Model, &a.Half)
}

// Wire walks the answer.
func (a *LayersAgree) Wire(c *wire.Codec) {
	c.Int(&a.Own)
	wire.Structs(c, &a.Sections)
	c.String(&a.Problem)
}
