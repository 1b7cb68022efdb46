//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
)

// Layers asks to read judgments from files. Each file becomes a layer of the open workspace.
const Layers Kind = 67

// Layered asks for the agreement of the open workspace's layers, and its effect on the order of systems.
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

// LayersRead holds the layers of the files, in order. A workspace has several.
type LayersRead struct{ List []LayerRead }

// LayerRead is a layer, a share of a pool, or an unreadable file.
type LayerRead struct {
	File         string
	Author, Date string // "" if absent in the file
	Origin, Rule string // "" if absent in the file
	Grades       []LayerGrade
	Pool         []Pooled // of a run: the documents to judge
	Unsure       []Unsure // labels to review, from rankbox reanchor -unsure
	Unknown      int      // number of grades of queries or documents that the collection lacks
	Problem      string   // why nothing is added, or ""

	Share                       string // of a file with a share of a class: its link fragment
	Class, Student, HandedShare string // of a student's submission
	Judged                      int    // number of judged documents of a submission's share
}

// Unsure is a label to review: its line in the file, and the documents or chunks of the open collection that it
// would grade at the candidate place.
type Unsure struct {
	Line          string
	Before, After string // the text around that place, shortened
	IDs           []string
}

// LayerGrade is a grade, a note, or both.
type LayerGrade struct {
	Query, Document string
	Grade           float64
	Graded          bool
	Time            int // milliseconds since 1970, 0 if unknown
	Note            string
}

// Pooled is a document of a query's pool.
type Pooled struct{ Query, Document string }

// Given returns the files to send beside the message.
func (a *AskLayers) Given() []File { return a.Files }

// Wire codes the question.
func (a *AskLayers) Wire(c *wire.Codec) {
	wire.Structs(c, &a.Files)
	c.Int(&a.Limit)
}

// Wire codes the answer.
func (a *LayersRead) Wire(c *wire.Codec) {
	wire.List(c, &a.List, func(l *LayerRead) {
		c.Fields(&l.File, &l.Author, &l.Date, &l.Origin, &l.Rule)
		wire.List(c, &l.Grades, func(g *LayerGrade) {
			c.Fields(&g.Query, &g.Document)
			c.Grade(&g.Grade)
			c.Fields(&g.Graded, &g.Time, &g.Note)
		})
		wire.List(c, &l.Pool, func(p *Pooled) { c.Fields(&p.Query, &p.Document) })
		wire.List(c, &l.Unsure, func(u *Unsure) { c.Fields(&u.Line, &u.Before, &u.After, &u.IDs) })
		c.Fields(&l.Unknown, &l.Problem, &l.Share, &l.Class, &l.Student, &l.HandedShare, &l.Judged)
	})
}

// AskLayered holds the workspace.
type AskLayered struct {
	Collection string // id of its collection
	Zip        []byte // exported by core/project/workspace, without documents
	Count      bool   // ask only for the number of judgments of the collection
	Systems    []string
	Measure    string   // orders the systems
	Of         []string // ids of the layers to compare; empty means all
	Human      string   // id of the reference layer for the model's, "" for the first one not by the model
	Model      string   // id of the model's layer, "" for none
	Half       float64  // interval half-width for which to plan human judgments
}

// LayersAgree describes the agreement.
type LayersAgree struct {
	Own      int // number of the collection's own judgments
	Sections []analysis.Section
	Problem  string // why the systems are not ordered, or ""
}

// Given routes the question to the program that judges.
func (a *AskLayered) Given() []File { return nil }

// Wire codes the question.
func (a *AskLayered) Wire(c *wire.Codec) {
	c.Fields(&a.Collection, &a.Zip, &a.Count, &a.Systems, &a.Measure, &a.Of, &a.Human, &a.Model, &a.Half)
}

// Wire codes the answer.
func (a *LayersAgree) Wire(c *wire.Codec) {
	c.Int(&a.Own)
	wire.Structs(c, &a.Sections)
	c.String(&a.Problem)
}
