package workspace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/project/clicks"
)

// Kind says what an edit changes. Journals hold these names.
type Kind string

// The kinds of edits.
const (
	SetGrade    Kind = "grade"
	UnsetGrade  Kind = "ungrade"
	SetNote     Kind = "note" // "" takes it away
	SetQuery    Kind = "query"
	RemoveQuery Kind = "remove-query"
	SetLayer    Kind = "layer"
	SetSpec     Kind = "spec"
	RemoveSpec  Kind = "remove-spec"
	SetName     Kind = "name"
	SetRule     Kind = "rule"
	SetClick    Kind = "click" // Spec is the id, which sorts by time, and Text the line
	RemoveClick Kind = "remove-click"
)

var forms = []string{"system", "matrix", Pool, Choice, Class, Assigned, Unsure}

// Edit is one small change. Which of its fields count depends on its kind.
type Edit struct {
	Stamp
	Kind                   Kind
	Layer                  string // of grades, notes and heads
	Query, Document        string // of grades and notes; Query of queries too
	Grade                  float64
	Text                   string // of a note, query or spec; the name; the rule
	Description, Narrative string // of a query
	Spec, Form             string // name and form of a spec
	Origin                 Origin // of a layer, as the rest
	Author, Date           string
	State                  State
}

// Check says what is wrong with an edit.
func (e *Edit) Check() error {
	if e.Time < 0 || e.Time > 1<<52 || e.N < 1 || e.N > 1<<52 || e.Tab == "" || len(e.Tab) > 40 {
		return fault("the edit has no stamp")
	}
	if err := checkID("tab", e.Tab); err != nil {
		return err
	}
	for _, t := range [...]struct {
		what, text string
	}{{"text", e.Text}, {"description", e.Description}, {"narrative", e.Narrative}, {"author", e.Author},
		{"name", e.Spec}} {
		if err := checkText(t.what, t.text); err != nil {
			return err
		}
	}
	switch e.Kind {
	case SetGrade, UnsetGrade, SetNote:
		if err := checkLayer(e.Layer); err != nil {
			return err
		}
		if e.Grade < -MaxGrade || e.Grade > MaxGrade {
			return fault("grade %g is outside −%d to %d", e.Grade, MaxGrade, MaxGrade)
		}
		if err := checkID("document", e.Document); err != nil {
			return err
		}
		return checkID("query", e.Query)
	case SetQuery:
		if e.Text == "" {
			return fault("the query has no text")
		}
		return checkID("query", e.Query)
	case RemoveQuery:
		return checkID("query", e.Query)
	case SetLayer:
		return e.head().check()
	case SetSpec:
		if !slices.Contains(forms, e.Form) {
			return fault("%q is no form of a spec: want %s", e.Form, strings.Join(forms, ", "))
		}
		return checkID("spec", e.Spec)
	case RemoveSpec:
		return checkID("spec", e.Spec)
	case SetClick:
		if _, err := clicks.ReadLine([]byte(e.Text)); err != nil {
			return err
		}
		return checkID("click", e.Spec)
	case RemoveClick:
		return checkID("click", e.Spec)
	case SetName:
		return nil
	case SetRule:
		return Rule(e.Text).check()
	}
	return fmt.Errorf("%w: %q", ErrUnknown, e.Kind)
}

func (e *Edit) head() Head { return Head{e.Layer, e.Origin, e.Author, e.Date, e.Text, e.State} }

// SetHead is the edit that gives a layer a head, without a stamp.
func SetHead(h Head) Edit {
	return Edit{Kind: SetLayer, Layer: h.ID, Origin: h.Origin, Author: h.Author, Date: h.Date, Text: h.Rule,
		State: h.State}
}

func (h Head) check() error {
	if err := checkLayer(h.ID); err != nil {
		return err
	}
	if len(h.Date) > 10 {
		return fault("the date %q of layer %s is not YYYY-MM-DD", h.Date, h.ID)
	}
	if h.State != Counts && h.State != Hidden && h.State != Removed {
		return fault("layer %s has the state %q: want hidden, removed or none", h.ID, h.State)
	}
	for _, o := range Origins {
		if h.Origin == o {
			return nil
		}
	}
	return fault("layer %s has the origin %q: want adjudicated, person, second, model or imported", h.ID, h.Origin)
}

// Apply makes a change. It reports whether anything is different now: an edit that comes twice, or after a later one of
// the same value, changes nothing. It takes constant time.
func (w *Workspace) Apply(e Edit) (changed bool, err error) {
	if w.ReadOnly != "" {
		return false, fmt.Errorf("%w: %s", ErrReadOnly, w.ReadOnly)
	}
	if err := e.Check(); err != nil {
		return false, err
	}
	w.latest.raise(e.Stamp)
	w.edits++
	if e.Stamp.Compare(w.heard[e.Tab]) > 0 {
		if w.heard == nil {
			w.heard = map[string]Stamp{}
		}
		w.heard[e.Tab] = e.Stamp
	}
	return w.apply(&e), nil
}

func (w *Workspace) apply(e *Edit) bool {
	switch e.Kind {
	case SetGrade:
		return layerIn(w.layers, e.Layer).setGrade(e.Query, e.Document, e.Grade, true, e.Stamp)
	case UnsetGrade:
		return layerIn(w.layers, e.Layer).setGrade(e.Query, e.Document, 0, false, e.Stamp)
	case SetNote:
		return layerIn(w.layers, e.Layer).at(e.Query, e.Document).note.set(e.Text, e.Text != "", e.Stamp)
	case SetQuery:
		return entry(w.queries, e.Query).set(Query{e.Query, e.Text, e.Description, e.Narrative}, true, e.Stamp)
	case RemoveQuery:
		return entry(w.queries, e.Query).set(Query{}, false, e.Stamp)
	case SetLayer:
		return layerIn(w.layers, e.Layer).head.set(e.head(), true, e.Stamp)
	case SetSpec:
		return entry(w.specs, e.Spec).set(Spec{e.Spec, e.Form, e.Text}, true, e.Stamp)
	case RemoveSpec:
		return entry(w.specs, e.Spec).set(Spec{}, false, e.Stamp)
	case SetName:
		return w.name.set(e.Text, e.Text != "", e.Stamp)
	case SetRule:
		return w.rule.set(Rule(e.Text), true, e.Stamp)
	case SetClick:
		return entry(w.clicks, e.Spec).set(e.Text, true, e.Stamp)
	case RemoveClick:
		return entry(w.clicks, e.Spec).set("", false, e.Stamp)
	}
	return false
}

func entry[T any](m map[string]*register[T], key string) *register[T] {
	r := m[key]
	if r == nil {
		r = &register[T]{}
		m[key] = r
	}
	return r
}

// Inverse returns the edit that undoes e, without a stamp. It is asked for before e is applied.
func (w *Workspace) Inverse(e Edit) Edit {
	e.Stamp = Stamp{}
	switch e.Kind {
	case SetGrade, UnsetGrade:
		var there bool
		if e.Grade, there = w.Layer(e.Layer).Grade(e.Query, e.Document); there {
			e.Kind = SetGrade
		} else {
			e.Kind = UnsetGrade
		}
	case SetNote:
		e.Text = w.Layer(e.Layer).Note(e.Query, e.Document)
	case SetQuery, RemoveQuery:
		e.Kind = RemoveQuery
		if r := w.queries[e.Query]; r != nil && r.there {
			e.Kind, e.Text, e.Description, e.Narrative = SetQuery, r.value.Text, r.value.Description, r.value.Narrative
		}
	case SetSpec, RemoveSpec:
		e.Kind = RemoveSpec
		if r := w.specs[e.Spec]; r != nil && r.there {
			e.Kind, e.Form, e.Text = SetSpec, r.value.Form, r.value.Text
		}
	case SetClick, RemoveClick:
		e.Kind = RemoveClick
		if r := w.clicks[e.Spec]; r != nil && r.there {
			e.Kind, e.Text = SetClick, r.value
		}
	case SetLayer: // a layer that is new is removed; the collection's has no grades here to remove
		e.State = Removed
		if l := w.layers[e.Layer]; l != nil && l.head.there {
			return SetHead(l.head.value)
		}
		if e.Layer == OfCollection {
			return SetHead(w.Collection())
		}
	case SetName:
		e.Text = ""
		if w.name.there {
			e.Text = w.name.value
		}
	case SetRule:
		e.Text = string(w.Rule())
	}
	return e
}

// All returns the edits that make the workspace what it is, grades that were taken back included. Applied to another
// workspace of the same documents they merge this one into it.
func (w *Workspace) All() []Edit {
	var out []Edit
	if w.name.at != (Stamp{}) {
		out = append(out, Edit{Stamp: w.name.at, Kind: SetName, Text: w.name.value})
	}
	if w.rule.at != (Stamp{}) {
		out = append(out, Edit{Stamp: w.rule.at, Kind: SetRule, Text: string(w.rule.value)})
	}
	for id, r := range w.queries {
		e := Edit{Stamp: r.at, Kind: SetQuery, Query: id, Text: r.value.Text, Description: r.value.Description,
			Narrative: r.value.Narrative}
		if !r.there {
			e = Edit{Stamp: r.at, Kind: RemoveQuery, Query: id}
		}
		out = append(out, e)
	}
	for name, r := range w.specs {
		e := Edit{Stamp: r.at, Kind: SetSpec, Spec: name, Form: r.value.Form, Text: r.value.Text}
		if !r.there {
			e = Edit{Stamp: r.at, Kind: RemoveSpec, Spec: name}
		}
		out = append(out, e)
	}
	for id, r := range w.clicks {
		e := Edit{Stamp: r.at, Kind: SetClick, Spec: id, Text: r.value}
		if !r.there {
			e = Edit{Stamp: r.at, Kind: RemoveClick, Spec: id}
		}
		out = append(out, e)
	}
	for id, l := range w.layers {
		if l.head.at != (Stamp{}) {
			e := SetHead(l.head.value)
			e.Stamp, e.Layer = l.head.at, id
			out = append(out, e)
		}
		for p, c := range l.cells {
			if c.grade.at != (Stamp{}) {
				e := Edit{Stamp: c.grade.at, Kind: UnsetGrade, Layer: id, Query: p.query, Document: p.document}
				if c.grade.there {
					e.Kind, e.Grade = SetGrade, c.grade.value
				}
				out = append(out, e)
			}
			if c.note.at != (Stamp{}) {
				out = append(out, Edit{Stamp: c.note.at, Kind: SetNote, Layer: id, Query: p.query, Document: p.document,
					Text: c.note.value})
			}
		}
	}
	slices.SortFunc(out, func(a, b Edit) int { return a.Stamp.Compare(b.Stamp) })
	return out
}
