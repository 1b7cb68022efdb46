// Package near finds the known name that was probably meant. It knows no names itself, and corrects nothing.
package near

import "strings"

// longest is how many bytes of a name are compared: longer ones are near to nothing.
const longest = 64

// Name returns the name that is closest to what was written, or "" where none is close: at most one edit (a letter
// added, left out, changed, or two neighbours swapped) a three letters begun, letter case aside. Of equally close names
// the first wins. Where none is close, it is the first that holds what was written, three letters or more:
// lucene-english for english.
func Name(written string, names []string) string {
	best, found := (len(written)+2)/3+1, ""
	if len(written) > longest {
		return ""
	}
	w := strings.ToLower(written)
	for _, name := range names {
		if d := Distance(w, strings.ToLower(name)); d < best && d < len(name) {
			best, found = d, name
		}
	}
	for _, name := range names {
		if found == "" && len(w) >= 3 && strings.Contains(strings.ToLower(name), w) {
			found = name
		}
	}
	return found
}

// Distance is the number of edits between a and b: bytes added, left out or changed, and neighbours swapped (optimal
// string alignment). Beyond 64 bytes it is 64.
func Distance(a, b string) int {
	if len(a) > longest || len(b) > longest {
		return longest
	}
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
