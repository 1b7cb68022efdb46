package play

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
)

// Choose unfolds a measure.
func (h *Hand) Choose(i int) {
	if i != h.Table.Chosen {
		h.Do("choose", func() { h.Table.Chosen = i })
	}
}

// Measure takes a measure in by its notation, or by its name with a cutoff of 5 where it needs one.
func (h *Hand) Measure(notation string) {
	m, err := measure.Parse(notation)
	if err != nil {
		if at, e := measure.Parse(notation + "@5"); e == nil {
			m, err = at, nil
		}
	}
	t := h.Table
	switch {
	case err != nil:
		h.Fault = say.Told(err)
	case slices.ContainsFunc(t.Measures, func(x measure.Measure) bool { return x.String() == m.String() }):
		h.Fault = m.String() + " is there already."
	case len(t.Measures) >= play.MaxMeasures:
		h.Fault = fmt.Sprintf("There are %d measures, and not more: take one out first.", play.MaxMeasures)
	default:
		h.Do("", func() {
			t.Measures = append(t.Measures, m)
			t.Chosen = len(t.Measures) - 1
		})
		h.Diversity = h.Diversity || m.Info().Group == measure.Diverse || m.Info().Group == measure.Grouped
		h.Before = nil
	}
	h.app.View.Draw()
}

// Without takes a measure out.
func (h *Hand) Without(i int) {
	if len(h.Table.Measures) < 2 {
		return
	}
	h.Do("", func() {
		t := h.Table
		t.Measures = slices.Delete(t.Measures, i, i+1)
		if t.Chosen >= i && t.Chosen > 0 {
			t.Chosen--
		}
	})
	h.Before = nil
	h.app.View.Draw()
}

// Set sets a parameter of a measure, "" for its default.
func (h *Hand) Set(i int, param, value string) { h.set("set "+param, i, param, value) }

func (h *Hand) set(kind string, i int, param, value string) {
	m, err := h.Table.Measures[i].With(param, value)
	if err != nil {
		h.Fault = say.Told(err)
		h.app.View.Draw()
		return
	}
	h.Do(kind, func() { h.Table.Measures[i] = m })
}

// FindBest looks for the single move that gains most in each list.
func (h *Hand) FindBest() {
	m, ok := h.Table.Measure()
	if !ok {
		return
	}
	h.Best = nil
	for l := range h.Table.ListCount() {
		s := "No single move improves " + m.String() + "."
		if best, ok := h.Table.Best(m, l); ok {
			s = "Rank " + strconv.Itoa(best.From+1) + " to rank " + strconv.Itoa(best.To+1) + " gains most: " +
				say.Page.Signed(best.Gain, 4) + " (" + h.Name(h.Table.Lists[l][best.From]) + ")."
		}
		if h.Table.Second {
			s = say.Letter(l) + ": " + s
		}
		h.Best = append(h.Best, s)
	}
	h.Said = strings.Join(h.Best, " ")
	h.app.View.Draw()
}

// Change is by how much a measure of a list changed with the last step.
func (h *Hand) Change(i, list int) float64 {
	at := i*h.Table.ListCount() + list
	if len(h.Before) != len(h.Table.Measures)*h.Table.ListCount() {
		return 0
	}
	return h.Table.Value(h.Table.Measures[i], list) - h.Before[at]
}
