// Package scores reads tables of scores: systems by items (queries, tasks, samples), measured elsewhere or by ids
// that the file itself holds. It makes a report of them like that of runs. It ranks nothing, calls no model, and
// computes no measure of a ranking: those are of core/evaluate/evaluation.
//
// Order of the pipeline: Detect (by content) → Read, a shape of the list in read.go → Table → Join the files →
// Table.Report (what a missing score means, which measures) → report.Conclude (means, intervals, tests, letters).
package scores

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// Table is the scores of systems, item by item.
type Table struct {
	Shape    string // what the file was recognised as: "trec_eval -q"
	Systems  []string
	Items    []string
	Measures []string // as they are written, or canonical where the name is that of a measure
	Noun     string   // what an item is: "query", "task", "sample"
	Lines    int
	Warnings []collection.Warning

	of modelFolder // of a result of MTEB

	values map[cell]entry
	system map[string]int
	item   map[string]int
	column map[string]int
}

// cell is a place of the table: indices into Systems, Items and Measures.
type cell struct{ system, item, measure int32 }

// entry is a score with the line that it is from, 0 for none.
type entry struct {
	value float64
	line  int
}

// MaxCells is how many scores a table holds, MaxMeasures how many measures.
const (
	MaxCells    = 4_000_000
	MaxMeasures = 1000
)

// newTable is a table without scores.
func newTable(shape, noun string) *Table {
	return &Table{Shape: shape, Noun: noun, values: map[cell]entry{}, system: map[string]int{}, item: map[string]int{},
		column: map[string]int{}}
}

// New is an empty table for scores that were computed elsewhere. noun is what an item is.
func New(shape, noun string) *Table { return newTable(shape, noun) }

// Add sets a score; NaN is missing. The error says what has no name, or that the cell has another score.
func (t *Table) Add(system, item, measure string, value float64) error {
	return t.add(system, item, canonical(measure), value, 0)
}

// place returns the index of a name, which is added if it is new.
func place(list *[]string, at map[string]int, name string) int32 {
	i, ok := at[name]
	if !ok {
		i = len(*list)
		*list, at[name] = append(*list, name), i
	}
	return int32(i)
}

// add sets a score. NaN is a cell that is named and empty: its system and item are known, its score is missing.
func (t *Table) add(system, item, name string, value float64, line int) error {
	switch {
	case system == "":
		return errors.New("a score without the name of a system")
	case item == "":
		return errors.New("a score without the id of a " + t.Noun)
	case name == "":
		return errors.New("a score without the name of a measure")
	case math.IsInf(value, 0):
		return errors.New("the score of " + strconv.Quote(system) + " is infinite")
	}
	if _, had := t.column[name]; !had && len(t.Measures) == MaxMeasures {
		return &collection.LimitError{Limit: "MaxMeasures", Unit: "measures", Max: MaxMeasures, Got: MaxMeasures + 1}
	}
	at := cell{place(&t.Systems, t.system, system), place(&t.Items, t.item, item), place(&t.Measures, t.column, name)}
	if value != value {
		return nil
	}
	if old, had := t.values[at]; had {
		if old.value == value {
			t.warn("duplicate-score", line, strconv.Quote(item), func() string {
				return "a score is there twice, alike"
			})
			return nil
		}
		return errors.New(strconv.Quote(system) + " has two scores for " + t.Noun + " " + strconv.Quote(item) +
			" by " + name +
			": " + say.Exact(old.value) + lineNote(old.line) + " and " + say.Exact(value))
	}
	if len(t.values) == MaxCells {
		return &collection.LimitError{Limit: "MaxCells", Unit: "scores", Max: MaxCells, Got: MaxCells + 1}
	}
	t.values[at] = entry{value, line}
	return nil
}

// lineNote says which line a score was in.
func lineNote(line int) string {
	if line == 0 {
		return ""
	}
	return " (line " + strconv.Itoa(line) + ")"
}

// warn counts an oddity.
func (t *Table) warn(kind string, line int, what string, message func() string) {
	for i := range t.Warnings {
		if w := &t.Warnings[i]; w.Kind == kind {
			if w.Count++; len(w.Places) < 5 {
				w.Places = append(w.Places, collection.Place{Line: line, What: what})
			}
			return
		}
	}
	t.Warnings = append(t.Warnings, collection.Warning{Kind: kind, Line: line, Count: 1, Message: message(),
		Places: []collection.Place{{Line: line, What: what}}})
}

// Value is the score of a system for an item by a measure, indices into Systems, Items and Measures; NaN if it is
// missing.
func (t *Table) Value(system, item, measure int) float64 {
	if v, ok := t.values[cell{int32(system), int32(item), int32(measure)}]; ok {
		return v.value
	}
	return math.NaN()
}

// Place is where a system is among Systems, -1 for nowhere.
func (t *Table) Place(system string) int {
	if at, ok := t.system[system]; ok {
		return at
	}
	return -1
}

// Cells is how many scores there are.
func (t *Table) Cells() int { return len(t.values) }

// Join makes one table of those of several files. Two files may have the same systems, items and measures, but no two
// scores for one cell. The error names the file.
func Join(files []string, tables []*Table) (*Table, error) {
	nameModels(tables)
	for i := len(tables) - 1; i >= 0 && len(tables) > 1; i-- { // descriptions of models have told what they had to
		if tables[i].of.meta != "" {
			files, tables = slices.Delete(slices.Clone(files), i, i+1), slices.Delete(slices.Clone(tables), i, i+1)
		}
	}
	if len(tables) == 1 {
		return tables[0], nil
	}
	out := newTable(tables[0].Shape, tables[0].Noun)
	for i, t := range tables {
		if t.Noun != out.Noun {
			return nil, &collection.ParseError{File: files[i], Err: errors.New("its scores are of " + plural(t.Noun) +
				", and those of " +
				files[0] + " of " + plural(out.Noun) + ": they have nothing to pair")}
		}
		out.Warnings = append(out.Warnings, t.Warnings...)
		out.Lines += t.Lines
		for _, list := range []struct {
			names []string
			into  *[]string
			at    map[string]int
		}{{t.Systems, &out.Systems, out.system}, {t.Items, &out.Items, out.item}, {t.Measures, &out.Measures,
			out.column}} {
			for _, name := range list.names { // those without a score too
				place(list.into, list.at, name)
			}
		}
		// In the order of the file and not of the map, so that the first of two errors is always the same.
		for s, system := range t.Systems {
			for q, item := range t.Items {
				for m, name := range t.Measures {
					v, ok := t.values[cell{int32(s), int32(q), int32(m)}]
					if !ok {
						continue
					}
					if err := out.add(system, item, name, v.value, 0); err != nil {
						return nil, &collection.ParseError{File: files[i], Line: v.line, Err: err}
					}
				}
			}
		}
	}
	return out, nil
}

// canonicals remembers what canonical answered: parsing an unknown name looks for the nearest known one, which takes
// long for each line of a file.
var canonicals = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

// canonical is the notation of a measure where a name is that of one, as trec_eval's map is AP; else the name.
func canonical(name string) string {
	canonicals.Lock()
	defer canonicals.Unlock()
	out, known := canonicals.of[name]
	if known {
		return out
	}
	out = name
	if m, err := measure.Parse(name); err == nil {
		out = m.String()
	}
	if len(canonicals.of) < 2*MaxMeasures {
		canonicals.of[name] = out
	}
	return out
}

// plural is the plural of what items are.
func plural(noun string) string { return report.Plural(noun) }

// fewOf names the first of some.
func fewOf(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = say.Visible(s)
	}
	return say.Few(quoted, 8)
}
