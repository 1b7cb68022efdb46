package workspace

import (
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/collection"
)

// FreeLayer is an id for a new layer: the letters and digits of a name, then "-" and the tab unless that is "", then a
// number if another layer has it.
func (w *Workspace) FreeLayer(name, tab string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, name)
	for strings.Contains(id, "--") {
		id = strings.ReplaceAll(id, "--", "-")
	}
	if id = strings.Trim(id[:min(len(id), 24)], "-"); id == "" {
		id = "layer"
	}
	if tab != "" {
		id += "-" + tab
	}
	free := id
	for n := 2; w.HasLayer(free); n++ {
		free = id + "-" + strconv.Itoa(n)
	}
	return free
}

// AddLayer returns the edits that add a layer with judgments: first its head, stamped now, then a grade and a note
// each. Judgments keep their times; those without one have that of the head's date, so the rule Latest does not take
// an old file for new. Nothing is applied.
func (w *Workspace) AddLayer(h Head, list []Judgment, now int64, tab string) []Edit {
	head := SetHead(h)
	head.Stamp = w.Next(now, tab)
	old := head.Time
	if day, err := time.Parse(time.DateOnly, h.Date); err == nil && day.UnixMilli() >= 0 {
		old = min(old, day.UnixMilli())
	}
	edits := []Edit{head}
	n := head.N
	stamped := func(j *Judgment, e Edit) {
		n++
		e.Stamp = Stamp{j.Time, tab, n}
		if j.Time == 0 {
			e.Time = old
		}
		e.Layer, e.Query, e.Document = h.ID, j.Query, j.Document
		edits = append(edits, e)
	}
	for i := range list {
		j := &list[i]
		if j.Graded {
			stamped(j, Edit{Kind: SetGrade, Grade: j.Grade})
		}
		if j.Note != "" {
			stamped(j, Edit{Kind: SetNote, Text: j.Note})
		}
	}
	return edits
}

// Grader is a layer with its grades, and what it is called.
type Grader struct {
	Head  Head
	Name  string
	Qrels *collection.Qrels
}

// Graders are the layers that have grades, hidden ones too, in the order of Layers, and imported judgments last. Names
// are unique.
func (w *Workspace) Graders(imported []Judgment) (out []Grader) {
	taken := map[string]int{}
	add := func(h Head, list []Judgment) {
		g := Grader{Head: h, Name: h.Called(), Qrels: collection.NewQrels()}
		if taken[g.Name]++; taken[g.Name] > 1 {
			g.Name += " (" + strconv.Itoa(taken[g.Name]) + ")"
		}
		for _, j := range list {
			if j.Graded {
				g.Qrels.Add(j.Query, j.Document, j.Grade)
			}
		}
		if g.Qrels.Len() > 0 {
			out = append(out, g)
		}
	}
	for _, h := range w.Layers() {
		add(h, w.Layer(h.ID).Judgments())
	}
	add(w.Collection(), imported)
	return out
}

// Called is what a layer is called: its author, or what it is if nobody is named.
func (h Head) Called() string {
	switch {
	case h.Author != "":
		return h.Author
	case h.ID == OfCollection:
		return "the collection"
	case h.Origin == Adjudicated:
		return "adjudicated"
	case h.Origin == Person && h.ID == "mine":
		return "you"
	}
	return h.ID
}
