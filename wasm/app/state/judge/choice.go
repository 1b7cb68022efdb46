package judge

import (
	"strings"

	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
)

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
func (j *Judge) chosen() (c Choices) {
	for _, s := range j.w.Specs() {
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

// Graders are the layers that have grades.
func (j *Judge) Graders() (out []Layer) {
	for _, l := range j.Layers() {
		if l.Grades > 0 {
			out = append(out, l)
		}
	}
	return out
}

// Choices says which layers are compared. A layer that was chosen and is gone counts as not chosen. Without a choice
// the model's layer is the first that is said to be one's, and a person's the first that is not the model's.
func (j *Judge) Choices() Choices {
	c, list := j.chosen(), j.Graders()
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
func (j *Judge) Choose(r Role, id string) {
	if j.busy() {
		return
	}
	c := j.Choices()
	before := c
	if other := c.of(others[r]); *other == id {
		*other = *c.of(r)
	}
	if *c.of(r) = id; c == before {
		return
	}
	kept := j.chosen()
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
	j.write([]workspace.Edit{e}, func(apply func()) {
		j.App.Change(false, func(*share.Address) { apply() })
	})
}

// pair are the ids of the compared layers, none for all.
func (j *Judge) pair() []string {
	if c := j.Choices(); c.First != "" {
		return []string{c.First, c.Second}
	}
	return nil
}

// Compared names the compared layers, "" for all.
func (j *Judge) Compared() string {
	var names []string
	for _, id := range j.pair() {
		if h, ok := j.head(id); ok {
			names = append(names, say.Visible(h.Called()))
		}
	}
	return strings.Join(names, " and ")
}
