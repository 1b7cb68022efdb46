package workspace

import (
	"maps"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Click is an entry of the click log: a line as core/project/clicks writes it.
type Click struct{ ID, Line string }

// Clicks are the entries of the click log, in the order in which they were made.
func (w *Workspace) Clicks() []Click {
	var out []Click
	for id, r := range w.clicks {
		if r.there {
			out = append(out, Click{id, r.value})
		}
	}
	slices.SortFunc(out, func(a, b Click) int { return strings.Compare(a.ID, b.ID) })
	return out
}

func clickLines(clicks map[string]*register[string]) []byte {
	var b []byte
	for _, id := range slices.Sorted(maps.Keys(clicks)) {
		r := clicks[id]
		b = jsontext.AppendVisible(append(b, `{"name":`...), id)
		b = appendEnd(appendField(b, "text", r.value), r.at, r.there)
	}
	return b
}

func (d *reading) readClick(line []byte, n int) error {
	s, at, removed, err := d.readText(line, n)
	if err != nil {
		return err
	}
	e := Edit{Stamp: at, Kind: SetClick, Spec: s.Name, Text: s.Text}
	if removed {
		e.Kind = RemoveClick
	}
	if err := e.Check(); err != nil {
		return err
	}
	return once(entry(d.w.clicks, s.Name).set(s.Text, !removed, at), "click", s.Name)
}
