package learn

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/teach/lesson"
)

// Node is a lesson in the picture of how they build on each other.
type Node struct {
	Head lesson.Head
	X, Y int
	From [][2]int // where lines come from
}

// Map is the picture of how the lessons build on each other. The lessons stand in columns: each to the right of those
// that it needs, and as near to the row of the first of them as there is room, so that few lines cross.
type Map struct {
	Nodes []Node
	Box   string // its size
	Says  string // the same in words
}

// MapOf draws the map of lessons.
func MapOf(heads []lesson.Head) *Map {
	column := map[string]int{}
	taken := map[[2]int]bool{} // column and row
	row := map[string]int{}
	at := map[string][2]int{}
	out := &Map{}
	var parts []string
	width, height := 0, 0
	for _, h := range heads { // a lesson stands behind those that it needs
		n := Node{Head: h}
		for _, a := range h.After {
			column[h.Name] = max(column[h.Name], column[a]+1)
		}
		col := column[h.Name]
		near := 0
		if len(h.After) > 0 {
			near = row[h.After[0]]
		}
		r := near
		for d := 1; taken[[2]int{col, r}]; d++ {
			if r = near + d; taken[[2]int{col, r}] && near >= d {
				r = near - d
			}
		}
		taken[[2]int{col, r}], row[h.Name] = true, r
		n.X, n.Y = 30+col*110, 26+r*44
		at[h.Name] = [2]int{n.X, n.Y}
		for _, a := range h.After {
			n.From = append(n.From, at[a])
		}
		out.Nodes = append(out.Nodes, n)
		width, height = max(width, n.X+30), max(height, n.Y+26)
		if x := needs(heads, h); len(x) > 0 {
			parts = append(parts, strconv.Itoa(h.Number)+" needs "+strings.Join(x, " and "))
		}
	}
	out.Box = "0 0 " + strconv.Itoa(width) + " " + strconv.Itoa(height)
	out.Says = "How the lessons build on each other: " + strings.Join(parts, "; ") + "."
	return out
}

// needs are the numbers of the lessons that one builds on.
func needs(heads []lesson.Head, h lesson.Head) (out []string) {
	for _, name := range h.After {
		for _, x := range heads {
			if x.Name == name {
				out = append(out, strconv.Itoa(x.Number))
			}
		}
	}
	return out
}
