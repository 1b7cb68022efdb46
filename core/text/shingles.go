package text

import "slices"

// Shingles returns the distinct hashes of all runs of four words of s, ascending. Words are ASCII lower-cased and
// split at anything except letters and digits. A text of fewer than four words has none.
//
// Source: A. Broder, "On the resemblance and containment of documents", SEQUENCES 1997; the hash is FNV-1a of the
// words' FNV-1a.
func Shingles(s string) []uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	var out []uint64
	var last [4]uint64
	n, h, in := 0, uint64(offset), false
	for i := 0; i <= len(s); i++ {
		var c byte
		if i < len(s) {
			c = s[i]
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 {
			h, in = (h^uint64(c))*prime, true
			continue
		}
		if !in {
			continue
		}
		copy(last[:], last[1:])
		last[3] = h
		if n++; n >= 4 {
			x := uint64(offset)
			for _, v := range last {
				x = (x ^ v) * prime
			}
			out = append(out, x)
		}
		h, in = offset, false
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// NearDuplicate is the Jaccard similarity of shingles from which two texts count as near-duplicates.
const NearDuplicate = 0.4

// Jaccard returns the Jaccard similarity of two sets, 0 if either is empty. Both must be sorted and without
// duplicates.
func Jaccard[T interface{ ~string | ~uint64 }](a, b []T) float64 {
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
