// Package workspace is what one works on: documents, queries, judgments in layers, systems, runs and reports as one
// thing that is saved, exported and reopened. It opens no file and knows no browser: storage is the caller's. It
// measures nothing and ranks nothing.
//
// Order of the pipeline: an act of a person becomes an Edit with a Stamp → Apply changes the workspace → the record of
// the edit is appended to the journal → Files folds everything into files when there is time → Export makes one zip of
// them. Import and ReadJournal lead back.
//
// Every value is a register, and the edit with the later stamp wins it. So edits may arrive in any order, from any tab,
// and twice.
package workspace

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
)

// The limits of one value. What is longer is refused when it is edited or read, by name.
const (
	MaxID    = 1024    // bytes of the id of a query or document
	MaxText  = 1 << 16 // bytes of a query's text, description or narrative, of a note, and of a spec
	MaxGrade = 1000    // grades are from −MaxGrade to MaxGrade
)

// Stamp says when an edit was made. Stamps are totally ordered: by Time, then Tab, then N. No two edits share one.
type Stamp struct {
	Time int64  // milliseconds since 1970, never before an edit that the tab had seen
	Tab  string // random name of the tab that made it
	N    int64  // place among the edits of this tab, from 1
}

// Compare is negative if s is before t.
func (s Stamp) Compare(t Stamp) int {
	return cmp.Or(cmp.Compare(s.Time, t.Time), strings.Compare(s.Tab, t.Tab), cmp.Compare(s.N, t.N))
}

// raise makes s the later one of itself and another stamp.
func (s *Stamp) raise(to Stamp) {
	if to.Compare(*s) > 0 {
		*s = to
	}
}

// Origin says who made the judgments of a layer.
type Origin string

// The origins, in the order in which layers take precedence under the rule Priority. Under every rule Adjudicated
// grades win.
const (
	Adjudicated Origin = "adjudicated" // decided where layers differ
	Person      Origin = "person"
	Second      Origin = "second"
	Model       Origin = "model"
	Imported    Origin = "imported"
)

// Origins are all of them, in that order.
var Origins = []Origin{Adjudicated, Person, Second, Model, Imported}

// State says whether the grades of a layer count.
type State string

// The states. A layer keeps its grades in each of them.
const (
	Counts  State = ""
	Hidden  State = "hidden"  // listed, but its grades do not count
	Removed State = "removed" // not listed, until the removal is undone
)

// OfCollection is the id of the layer that came with the documents. The workspace saves only its head, once it is
// changed.
const OfCollection = "collection"

// Head describes a layer. ID is of a-z, 0-9 and "-", at most 40 bytes: it names a file.
type Head struct {
	ID     string
	Origin Origin
	Author string
	Date   string // YYYY-MM-DD
	Rule   string // the instruction that the judge followed, "" if none was written down
	State  State
}

// Judgment is one grade, or a note about a document that has none.
type Judgment struct {
	Query, Document string
	Grade           float64
	Graded          bool
	Time            int64 // of the grade, milliseconds since 1970
	Note            string
}

// Query is a query that was added in the workspace, beside those of its documents' collection.
type Query struct {
	ID, Text, Description, Narrative string
}

// The forms of a spec that are not a pipeline's or a matrix's.
const (
	Pool     = "pool"     // the documents to judge
	Choice   = "choice"   // which layers are compared
	Class    = "class"    // what a teacher handed out (core/teach/assignment)
	Assigned = "assigned" // the share of a class that is judged here, as its link
	Unsure   = "unsure"   // a label to look at, a line that core/project/documents/chunk reads
)

// Spec is something that is kept as it is written: a pipeline's notation, the JSON of a matrix, lines of query, tab and
// document, or of what is chosen, tab and the id of a layer, a class, a link.
type Spec struct {
	Name string
	Form string // "system", "matrix" or one of those above
	Text string
}

// Documents names the collection whose documents the workspace is about, by its digest.
type Documents struct {
	Collection string // id: of a site collection, or "upload-…"
	Name       string
	Hash       string // content hash of the bundle
	Count      int
}

// register is a value and the stamp of the edit that set it.
type register[T any] struct {
	value T
	at    Stamp
	there bool // false if the last edit took it away, or none has set it
}

// set gives the register a value unless a later edit has set it.
func (r *register[T]) set(v T, there bool, at Stamp) bool {
	if r.at != (Stamp{}) && at.Compare(r.at) <= 0 {
		return false
	}
	*r = register[T]{v, at, there}
	return true
}

// Workspace holds everything. Only Apply and the readers change it.
type Workspace struct {
	Documents Documents
	ReadOnly  string            // why nothing may be changed, "" if it may
	Bundle    map[string][]byte // files of the documents, by name; nil if Documents is a reference
	Blobs     map[string][]byte // "runs/<sha256>" and "reports/<sha256>" → content

	name    register[string]
	rule    register[Rule]
	queries map[string]*register[Query]
	specs   map[string]*register[Spec]
	clicks  map[string]*register[string]
	layers  map[string]*Layer
	latest  Stamp
	edits   int
	heard   map[string]Stamp // the last stamp of each tab whose edits were applied
}

// New returns an empty workspace about documents.
func New(d Documents) *Workspace {
	return &Workspace{Documents: d, Blobs: map[string][]byte{}, queries: map[string]*register[Query]{},
		specs:  map[string]*register[Spec]{},
		clicks: map[string]*register[string]{}, layers: map[string]*Layer{}}
}

// Name is what the workspace is called: its own name if it has one, otherwise that of its documents.
func (w *Workspace) Name() string {
	if w.name.there {
		return w.name.value
	}
	return w.Documents.Name
}

// Queries are those that were added, in the order in which they were.
func (w *Workspace) Queries() []Query {
	var list []*register[Query]
	for _, r := range w.queries {
		if r.there {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *register[Query]) int { return a.at.Compare(b.at) })
	out := make([]Query, len(list))
	for i, r := range list {
		out[i] = r.value
	}
	return out
}

// Specs are the systems and matrices, by name.
func (w *Workspace) Specs() []Spec {
	var out []Spec
	for _, name := range slices.Sorted(maps.Keys(w.specs)) {
		if r := w.specs[name]; r.there {
			out = append(out, r.value)
		}
	}
	return out
}

// Layers are the heads of the layers, in the order in which they take precedence: adjudicated, a person's, a second
// judge's, a model's,
// imported ones; layers of one origin by date and id. Removed ones and OfCollection are left out.
func (w *Workspace) Layers() []Head {
	var out []Head
	for id, l := range w.layers {
		h := l.head.value
		if h.State == Removed || id == OfCollection {
			continue
		}
		h.ID = id
		if !l.head.there && h.Origin == "" { // its head was lost: its grades are not
			h.Origin = Person
		}
		out = append(out, h)
	}
	slices.SortFunc(out, precedes)
	return out
}

// Collection is the head of the layer that came with the documents.
func (w *Workspace) Collection() Head {
	h := Head{ID: OfCollection, Origin: Imported}
	if l := w.layers[OfCollection]; l != nil && l.head.there {
		h.Author, h.Date, h.Rule, h.State = l.head.value.Author, l.head.value.Date, l.head.value.Rule,
			l.head.value.State
	}
	return h
}

// Layer is a layer by its id, removed or not; nil, which has no judgment, if it was never there.
func (w *Workspace) Layer(id string) *Layer { return w.layers[id] }

// HasLayer says whether a layer of an id was ever there, removed or not.
func (w *Workspace) HasLayer(id string) bool { return id == OfCollection || w.layers[id] != nil }

func precedes(a, b Head) int {
	return cmp.Or(cmp.Compare(slices.Index(Origins, a.Origin), slices.Index(Origins, b.Origin)), strings.Compare(a.Date,
		b.Date), strings.Compare(a.ID, b.ID))
}

// Edits is how many edits have been applied since the workspace was read.
func (w *Workspace) Edits() int { return w.edits }

// Count is how much a workspace holds, and its last edit. A device keeps it apart from the workspace, and so notices
// what is gone.
type Count struct {
	Grades, Queries int
	Last            Stamp
}

// Count counts the grades of all layers and the queries that were added.
func (w *Workspace) Count() Count {
	c := Count{Queries: len(w.Queries()), Last: w.latest}
	for _, l := range w.layers {
		c.Grades += l.Graded()
	}
	return c
}

// Lacks returns the edits of other that would change w: none if w holds everything that other does, or something
// later.
func (w *Workspace) Lacks(other *Workspace) (edits []Edit) {
	for _, e := range other.All() {
		if at := w.at(&e); at == (Stamp{}) || e.Stamp.Compare(at) > 0 {
			edits = append(edits, e)
		}
	}
	return edits
}

// at is the stamp of the register that an edit sets, zero if there is none.
func (w *Workspace) at(e *Edit) Stamp {
	switch e.Kind {
	case SetGrade, UnsetGrade, SetNote:
		if l := w.layers[e.Layer]; l != nil {
			if c := l.cells[pair{e.Query, e.Document}]; c != nil {
				if e.Kind == SetNote {
					return c.note.at
				}
				return c.grade.at
			}
		}
	case SetLayer:
		if l := w.layers[e.Layer]; l != nil {
			return l.head.at
		}
	case SetQuery, RemoveQuery:
		return stampOf(w.queries[e.Query])
	case SetSpec, RemoveSpec:
		return stampOf(w.specs[e.Spec])
	case SetClick, RemoveClick:
		return stampOf(w.clicks[e.Spec])
	case SetName:
		return w.name.at
	case SetRule:
		return w.rule.at
	}
	return Stamp{}
}

func stampOf[T any](r *register[T]) Stamp {
	if r == nil {
		return Stamp{}
	}
	return r.at
}

// Next returns the stamp of an edit that a tab makes now, and returns it once: it is after everything that the
// workspace has seen, whatever the clock says.
func (w *Workspace) Next(now int64, tab string) Stamp {
	s := Stamp{Time: max(now, w.latest.Time), Tab: tab, N: 1}
	if tab == w.latest.Tab {
		s.N = w.latest.N + 1
	}
	if s.Compare(w.latest) <= 0 {
		s.Time++
	}
	w.latest.raise(s)
	return s
}

// fault is an error of this package.
func fault(format string, args ...any) error { return say.Faultf("workspace", format, args...) }

// checkID says what is wrong with the id of a query or document.
func checkID(what, id string) error {
	switch {
	case id == "":
		return fault("the %s has no id", what)
	case len(id) > MaxID:
		return fault("the id of the %s has %d bytes, more than %d", what, len(id), MaxID)
	case !utf8.ValidString(id):
		return fault("the id of the %s is not UTF-8", what)
	case strings.ContainsFunc(id, unicode.IsControl):
		return fault("the id %q of the %s holds a control character", id, what)
	}
	return nil
}

// checkText says what is wrong with a text.
func checkText(what, text string) error {
	if len(text) > MaxText {
		return fault("the %s has %d bytes, more than %d", what, len(text), MaxText)
	}
	if !utf8.ValidString(text) {
		return fault("the %s is not UTF-8", what)
	}
	return nil
}

// checkLayer says what is wrong with the id of a layer, which names a file.
func checkLayer(id string) error {
	if id == "" || len(id) > 40 || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || id[0] == '-' {
		return fault("%q is not an id of a layer: want 1 to 40 of a-z, 0-9 and -, not beginning with -", id)
	}
	return nil
}

// ErrReadOnly is returned for an edit of a workspace that may only be read.
var ErrReadOnly = errors.New("the workspace may only be read")
