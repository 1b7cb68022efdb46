package anchor

import "slices"

// mostEdits is how many tokens may have been added and taken away between two texts that are aligned.
const mostEdits = 3000

// certain aligns two texts twice, from their beginnings and from their ends, and returns for each token of a the token
// of b on which both alignments agree, −1 for none. If one of several equal passages in a row was deleted, the
// alignments differ. tooLong is true if the texts differ too much.
//
// Each is a longest common subsequence by Myers 1986, An O(ND) Difference Algorithm and Its Variations.
func certain(a, b []token) (aligned []int, tooLong bool) {
	forward, ok := align(numbers(a), numbers(b))
	if !ok {
		return nil, true
	}
	x, y := numbers(a), numbers(b)
	slices.Reverse(x)
	slices.Reverse(y)
	backward, _ := align(x, y)
	aligned = forward
	for i := range aligned {
		if back := backward[len(a)-1-i]; aligned[i] >= 0 && (back < 0 || len(b)-1-back != aligned[i]) {
			aligned[i] = -1
		}
	}
	return aligned, false
}

func numbers(list []token) []int32 {
	out := make([]int32, len(list))
	for i, t := range list {
		out[i] = t.number
	}
	return out
}

// align returns for each number of a the place in b of the one that it is aligned with, −1 for none.
func align(a, b []int32) (out []int, ok bool) {
	out = make([]int, len(a))
	for i := range out {
		out[i] = -1
	}
	most := min(len(a)+len(b), mostEdits)
	v := make([]int32, 2*most+3) // furthest place in a on each diagonal k = place in a − place in b
	var trace [][]int32          // v of each number of edits, diagonals −d to d
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			var x int32
			if k == -d || k != d && v[most+k] < v[most+k+2] {
				x = v[most+k+2] // one of b was added
			} else {
				x = v[most+k] + 1 // one of a was taken away
			}
			if d == 0 {
				x = 0
			}
			y := int(x) - k
			for int(x) < len(a) && y < len(b) && y >= 0 && a[x] == b[y] {
				x, y = x+1, y+1
			}
			v[most+k+1] = x
			if int(x) >= len(a) && y >= len(b) {
				back(out, trace, len(a), len(b), d)
				return out, true
			}
		}
		trace = append(trace, slices.Clone(v[most-d+1:most+d+2]))
	}
	return out, false
}

// back follows the edits from the end and notes what is aligned.
func back(out []int, trace [][]int32, x, y, d int) {
	for ; d > 0; d-- {
		v := trace[d-1] // v[k+d-1] is diagonal k
		at := func(k int) int {
			if k < -(d-1) || k > d-1 {
				return -1
			}
			return int(v[k+d-1])
		}
		k := x - y
		from := k - 1
		if k == -d || k != d && at(k-1) < at(k+1) {
			from = k + 1
		}
		px := at(from)
		after := px // place in a behind the edit
		if from < k {
			after++
		}
		for x > after {
			x, y = x-1, y-1
			out[x] = y
		}
		x, y = px, px-from
	}
	for x > 0 && y > 0 {
		x, y = x-1, y-1
		out[x] = y
	}
}

// distance is how many tokens must be added, taken away or changed to make one passage of the other.
func distance(a, b []token) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		step(row, a[i].number, b, i+1)
	}
	return row[len(b)]
}

// step computes the next row of the table of distances. first is its first number.
func step(row []int, number int32, b []token, first int) {
	diagonal := row[0]
	row[0] = first
	for j := range b {
		cost := diagonal
		if b[j].number != number {
			cost++
		}
		diagonal = row[j+1]
		row[j+1] = min(cost, row[j]+1, diagonal+1)
	}
}

// nearest is the distance of a passage to the part of a text that is most like it: its length if nothing is.
func nearest(passage, text []token) int {
	row := make([]int, len(text)+1) // a match may begin anywhere: Sellers 1980
	for i := range passage {
		step(row, passage[i].number, text, i+1)
	}
	return slices.Min(row)
}

// nearestPlace is nearest with the range of the part. Of equal ones the first end is taken.
func nearestPlace(passage, text []token) (best, from, to int) {
	row := make([]int, len(text)+1)
	for i := range passage {
		step(row, passage[i].number, text, i+1)
	}
	best = slices.Min(row)
	to = slices.Index(row, best)
	// The beginning is where the reversed passage ends in the reversed text before that end.
	p, t := slices.Clone(passage), slices.Clone(text[:to])
	slices.Reverse(p)
	slices.Reverse(t)
	row = make([]int, len(t)+1)
	for j := range row {
		row[j] = j // the match begins at the end
	}
	for i := range p {
		step(row, p[i].number, t, i+1)
	}
	return best, to - slices.Index(row, best), to
}
