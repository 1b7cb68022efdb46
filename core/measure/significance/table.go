package significance

import "github.com/rankbox/rankbox/core/base/say"

// A Table is the scores of systems on the same queries: Table[system][query], all rows of one length.
type Table [][]float64

func (t Table) check() error {
	for i := range t {
		if len(t[i]) != len(t[0]) {
			return say.Faultf("significance", "read table: system %d has %d queries, system 0 has %d", i, len(t[i]),
				len(t[0]))
		}
	}
	return nil
}

// queries returns the number of queries.
func (t Table) queries() int {
	if len(t) == 0 {
		return 0
	}
	return len(t[0])
}

// Pairs returns all pairs {i, j} of k systems with i < j, in the order (0,1), (0,2) … (1,2) …: the order of every list
// of pairs here.
func Pairs(k int) [][2]int {
	out := [][2]int{}
	for i := range k {
		for j := i + 1; j < k; j++ {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// MaxSystems is the number of systems above which Compare returns an error.
const MaxSystems = 1024
