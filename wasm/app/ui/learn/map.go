package learn

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
)

// Node is a lesson in the picture of how they build on each other.
type Node struct {
	Head lesson.Head
	X, Y int
	From [][2]int // where lines come from
}

// Nodes are the lessons in columns: each to the right of those that it needs.
func Nodes(heads []lesson.Head) []Node {
	column := map[string]int{}
	rows := map[int]int{}
	at := map[string][2]int{}
	var out []Node
	for _, h := range heads { // a lesson stands behind those that it needs
		n := Node{Head: h}
		for _, a := range h.After {
			column[h.Name] = max(column[h.Name], column[a]+1)
		}
		col := column[h.Name]
		n.X, n.Y = 30+col*110, 26+rows[col]*44
		rows[col]++
		at[h.Name] = [2]int{n.X, n.Y}
		for _, a := range h.After {
			n.From = append(n.From, at[a])
		}
		out = append(out, n)
	}
	return out
}

// MapBox is the size of the picture.
func MapBox(heads []lesson.Head) string {
	w, h := 0, 0
	for _, n := range Nodes(heads) {
		w, h = max(w, n.X+30), max(h, n.Y+26)
	}
	return "0 0 " + strconv.Itoa(w) + " " + strconv.Itoa(h)
}

// MapSays says in words what the picture shows.
func MapSays(heads []lesson.Head) string {
	var parts []string
	for _, h := range heads {
		if n := needs(heads, h); len(n) > 0 {
			parts = append(parts, strconv.Itoa(h.Number)+" needs "+strings.Join(n, " and "))
		}
	}
	return "How the lessons build on each other: " + strings.Join(parts, "; ") + "."
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
