package judge

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Comparison is which layers are compared, and how far they agree.
type Comparison struct {
	Agreed *message.LayersAgree // the last answer, nil before

	app      *state.App
	journal  *Journal
	layers   *Layers
	agreedAt int // how many edits there were when it was asked for
}

// choiceName is the name of the spec that holds the choice.
const choiceName = "compared"

// Choices are the ids of the layers that are compared. The workspace keeps them.
type Choices struct {
	First, Second string // whose grades are compared, both "" for all layers
	Human, Model  string // the layer that a model's is held against, and the model's, "" for none
}

// Role is a place of a layer in Choices.
type Role string

// The roles, as the spec names them.
const (
	First  Role = "first"
	Second Role = "second"
	Human  Role = "human"
	Model  Role = "model"
)

var others = map[Role]Role{First: Second, Second: First, Human: Model, Model: Human}

// nobody is what the spec says if no layer is a model's.
const nobody = "none"

func (c *Choices) of(r Role) *string {
	switch r {
	case First:
		return &c.First
	case Second:
		return &c.Second
	case Human:
		return &c.Human
	}
	return &c.Model
}

// chosen is what the workspace says, without what follows from the layers that are there.
func (cm *Comparison) chosen() (c Choices) {
	for _, s := range cm.journal.w.Specs() {
		if s.Form != workspace.Choice || s.Name != choiceName {
			continue
		}
		for line := range strings.Lines(s.Text) {
			role, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			switch Role(role) {
			case First, Second, Human, Model:
				*c.of(Role(role)) = id
			}
		}
	}
	return c
}

// Choices says which layers are compared. A layer that was chosen and is gone counts as not chosen. Without a choice
// the model's layer is the first that is said to be one's, and a person's the first that is not the model's.
func (cm *Comparison) Choices() Choices {
	c, list := cm.chosen(), cm.layers.Graders()
	there := func(id string) bool {
		for _, l := range list {
			if l.ID == id {
				return true
			}
		}
		return false
	}
	first := func(is func(l Layer) bool) string {
		for _, l := range list {
			if is(l) {
				return l.ID
			}
		}
		return ""
	}
	if !there(c.First) {
		c.First = ""
	}
	if c.First == "" {
		c.Second = ""
	} else if !there(c.Second) || c.Second == c.First {
		c.Second = first(func(l Layer) bool { return l.ID != c.First })
	}
	if c.Model == nobody {
		c.Model = ""
	} else if !there(c.Model) {
		c.Model = first(func(l Layer) bool { return l.Origin == workspace.Model })
	}
	if c.Model == "" {
		c.Human = ""
	} else if !there(c.Human) || c.Human == c.Model {
		c.Human = first(func(l Layer) bool { return l.ID != c.Model && l.Origin != workspace.Model })
		if c.Human == "" {
			c.Human = first(func(l Layer) bool { return l.ID != c.Model })
		}
	}
	return c
}

// Choose gives a role to a layer, "" to none. Two roles of a pair never have the same layer: they are exchanged.
func (cm *Comparison) Choose(r Role, id string) {
	if cm.journal.busy() {
		return
	}
	c := cm.Choices()
	before := c
	if other := c.of(others[r]); *other == id {
		*other = *c.of(r)
	}
	if *c.of(r) = id; c == before {
		return
	}
	kept := cm.chosen()
	switch r {
	case First, Second:
		kept.First, kept.Second = c.First, c.Second
	default:
		if kept.Human, kept.Model = c.Human, c.Model; c.Model == "" {
			kept.Model = nobody
		}
	}
	text := ""
	for _, r := range []Role{First, Second, Human, Model} {
		if id := *kept.of(r); id != "" {
			text += string(r) + "\t" + id + "\n"
		}
	}
	e := workspace.Edit{Kind: workspace.SetSpec, Spec: choiceName, Form: workspace.Choice, Text: text}
	cm.journal.write([]workspace.Edit{e}, func(apply func()) {
		cm.app.Change(false, func(*share.Address) { apply() })
	})
}

// pair are the ids of the compared layers, none for all.
func (cm *Comparison) pair() []string {
	if c := cm.Choices(); c.First != "" {
		return []string{c.First, c.Second}
	}
	return nil
}

// Compared names the compared layers, "" for all.
func (cm *Comparison) Compared() string {
	var names []string
	for _, id := range cm.pair() {
		if h, ok := cm.layers.head(id); ok {
			names = append(names, say.Visible(h.Called()))
		}
	}
	return strings.Join(names, " and ")
}

// Measures are the measures that may order the systems, the first of them without a choice.
func (cm *Comparison) Measures() []string {
	if r := cm.app.Figures.Report; r != nil && len(r.Measures) > 0 {
		return r.Measures
	}
	if r := cm.app.Search.Results; r != nil && len(r.Measures) > 0 {
		return r.Measures
	}
	return []string{"nDCG@10"}
}

// Agree asks how far the layers agree and what that does to the order of the open systems by a measure, and what a
// model's layer is worth beside a person's. Choices says which layers these are.
func (cm *Comparison) Agree(measure string) {
	if measure == "" {
		measure = cm.Measures()[0]
	}
	b, err := cm.journal.w.Export()
	if err != nil {
		cm.layers.Said = []string{say.Sentence(err)}
		cm.app.View.Draw()
		return
	}
	ask := &message.AskLayered{Collection: cm.journal.name, Zip: b, Systems: cm.app.Settings.Systems(),
		Measure: measure}
	c := cm.Choices()
	if ask.Human, ask.Model = c.Human, c.Model; c.First != "" {
		ask.Of = []string{c.First, c.Second}
	}
	if cm.journal.dirty { // the systems rank the queries that the worker knows as judged
		cm.journal.push()
	}
	cm.agreedAt = cm.journal.w.Edits()
	cm.app.Engine.Request(message.Layered, ask)
	cm.app.View.Draw()
}

// Agreeing says whether the answer is on its way.
func (cm *Comparison) Agreeing() bool {
	r, waiting := cm.app.Engine.Asked(message.Layered)
	if !waiting {
		return false
	}
	ask, ok := r.Question.(*message.AskLayered)
	return ok && !ask.Count
}

// Stale says that grades have changed since the layers were compared.
func (cm *Comparison) Stale() bool { return cm.Agreed != nil && cm.agreedAt != cm.journal.w.Edits() }

// answered takes what the worker says of the layers.
func (cm *Comparison) answered(x *message.LayersAgree) {
	if cm.layers.own = x.Own; len(x.Sections) > 0 || x.Problem != "" {
		cm.Agreed = x
	}
}
