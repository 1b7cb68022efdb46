package style

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Budget says how many findings of a kind a file may have.
type Budget map[Key]int

// Key names a file and a kind of finding.
type Key struct{ File, Kind string }

const head = `# How many places of a file may break a rule of style: lines beyond column 120, habits of writing. Files that are not listed may have none.
# The numbers only go down: "go run ./build style -update" lowers them.
`

// Count counts findings.
func Count(found []Finding) Budget {
	b := Budget{}
	for _, f := range found {
		b[Key{f.File, f.Kind}]++
	}
	return b
}

// Read reads a budget. file is what errors call it.
func Read(file, text string) (Budget, error) {
	b := Budget{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Fields(line)
		if len(cells) != 3 {
			return nil, fmt.Errorf("%s:%d: %d columns, expected a file, a kind and a number", file, n, len(cells))
		}
		count, err := strconv.Atoi(cells[2])
		if err != nil || count < 1 {
			return nil, fmt.Errorf("%s:%d: %q is not a number above 0", file, n, cells[2])
		}
		k := Key{cells[0], cells[1]}
		if _, twice := b[k]; twice {
			return nil, fmt.Errorf("%s:%d: %s %s is listed twice", file, n, k.File, k.Kind)
		}
		b[k] = count
	}
	return b, nil
}

// Lower returns the budget with every number lowered to what was found. It raises none and adds none.
func (b Budget) Lower(found Budget) Budget {
	out := Budget{}
	for k, n := range b {
		if n = min(n, found[k]); n > 0 {
			out[k] = n
		}
	}
	return out
}

// Over returns the findings of every file that has more than its budget.
func (b Budget) Over(found []Finding) []Finding {
	have := Count(found)
	return slices.DeleteFunc(slices.Clone(found), func(f Finding) bool {
		k := Key{f.File, f.Kind}
		return have[k] <= b[k]
	})
}

// String writes the budget as Read reads it.
func (b Budget) String() string {
	keys := slices.SortedFunc(maps.Keys(b), func(a, c Key) int {
		if d := strings.Compare(a.File, c.File); d != 0 {
			return d
		}
		return strings.Compare(a.Kind, c.Kind)
	})
	text := head
	for _, k := range keys {
		text += fmt.Sprintf("%s %s %d\n", k.File, k.Kind, b[k])
	}
	return text
}
