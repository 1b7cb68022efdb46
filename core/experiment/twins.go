package experiment

// twinLevel is the share of common shingles from which two texts are near-duplicates.
const twinLevel = 0.4

// shingles returns the set of hashes of all runs of four words of s, lower-cased in ASCII, cut at anything but letters and
// digits. A text of fewer than four words has none, and so no near-duplicate.
func shingles(s string) map[uint64]struct{} {
	out := make(map[uint64]struct{})
	var last [4]uint64
	n := 0
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	in := false
	for i := 0; i <= len(s); i++ {
		var c byte
		if i < len(s) {
			c = s[i]
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 {
			h = (h ^ uint64(c)) * prime
			in = true
			continue
		}
		if in {
			copy(last[:], last[1:])
			last[3] = h
			n++
			if n >= 4 {
				x := uint64(offset)
				for _, v := range last {
					x = (x ^ v) * prime
				}
				out[x] = struct{}{}
			}
			h, in = offset, false
		}
	}
	return out
}

// alike returns the Jaccard coefficient of two sets of shingles, 0 where either is empty.
func alike(a, b map[uint64]struct{}) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	both := 0
	for x := range a {
		if _, ok := b[x]; ok {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
