package learn

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// OpenLink is the block's link for the collection that is open: the same systems, or if they need vectors that it
// lacks, its default ones, and one of its own queries. "" if the demo is open, which lessons are about, or nothing is.
func (c *Block) OpenLink() string {
	if !state.HasWorker { // the program of lessons opens no collection
		return ""
	}
	a := c.Learn.App
	o := a.Engine.Opened
	if o == nil || o.Ref.ID == state.DefaultCollection || len(o.Queries) == 0 {
		return ""
	}
	_, fragment, _ := strings.Cut(c.B.Link, "#")
	to, err := share.Decode(fragment)
	if err != nil {
		return ""
	}
	to.Collection, to.Hash = o.Ref.ID, ""
	if to.QueryID != "" {
		to.QueryID = state.ExampleOf(o)
	}
	if len(o.Models) == 0 && slices.ContainsFunc(to.Systems, needsVectors) {
		to.Systems = state.DefaultsOf(o)
	}
	if fragment, err = share.Encode(to); err != nil {
		return ""
	}
	return a.Location.Path(to.Screen) + "#" + fragment
}

func needsVectors(system string) bool {
	n, err := stage.Parse(system)
	return err == nil && len(stage.Needs(n)) > 0
}
