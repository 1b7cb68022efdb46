package experiment

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/experiment"
)

// Missing tells of the collection that a link is about and that is not here, and what can be done.
type Missing struct{ x *screen.Experiment }

// Absent says which collection the link is about, and that it is not here.
func (c Missing) Absent() string {
	n := c.x.Missing()
	name := n.Name
	if name == "" {
		name = n.ID
	}
	var known []string
	if n.Documents > 0 {
		known = append(known, say.Count(n.Documents, "document", "documents"))
	}
	if n.Hash != "" {
		known = append(known, "content hash "+n.Hash+"…")
	}
	s := "This experiment is about " + say.Visible(name)
	if len(known) > 0 {
		s += " (" + strings.Join(known, ", ") + ")"
	}
	if o := c.x.App.Engine.Opened; o != nil {
		return s + ". " + say.Visible(o.Ref.Name) + " has another content here (" +
			say.Count(o.Ref.Documents, "document", "documents") + ", content hash " + o.Ref.Hash[:16] + "…)."
	}
	if n.Uploaded() {
		return s + ". It was uploaded on another device, or is no longer on this one."
	}
	return s + ". This site does not have it."
}

// Remedy says what can be done.
func (c Missing) Remedy() string {
	s := "Nothing was computed. "
	if c.x.Missing().Uploaded() {
		return s + "Upload the same files and open the link again, or run these systems on another collection."
	}
	return s + "You can run these systems on another collection."
}

// Instead is what the button says that drops the collection.
func (c Missing) Instead() string {
	if o := c.x.App.Engine.Opened; o != nil {
		return "Run it on this collection"
	}
	return "Use this site’s collection"
}
