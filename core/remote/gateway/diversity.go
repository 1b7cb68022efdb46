package gateway

import "slices"

// The first documents of an answer are compared, by the words at their beginnings.
const (
	differingDocuments = 10
	differingBytes     = 256
)

// diversity returns how much documents differ: for every two of them the share of their words that only one of the two
// has (one less Jaccard's coefficient of the two sets), and the mean of that over all pairs. From 0, all have the same
// words, to 1, no two share a word; 0 for fewer than two documents.
func diversity(texts []string) float64 {
	sets := make([][]uint64, len(texts))
	for i, text := range texts {
		sets[i] = words(text)
	}
	sum, pairs := 0., 0
	for i, x := range sets {
		for _, y := range sets[:i] {
			if all := len(x) + len(y); all > 0 {
				both := common(x, y)
				sum += 1 - float64(both)/float64(all-both)
			}
			pairs++
		}
	}
	return sum / float64(max(pairs, 1))
}

// words returns the words at the beginning of a text as hashes (FNV-1a), ascending, each once. Words are letters,
// digits and whatever is not ASCII; A to Z count as small letters.
func words(text string) []uint64 {
	const start, prime = 14695981039346656037, 1099511628211
	text = text[:min(len(text), differingBytes)]
	var out []uint64
	hash, within := uint64(start), false
	for i := range len(text) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80 {
			hash, within = (hash^uint64(c))*prime, true
		} else if within {
			out = append(out, hash)
			hash, within = start, false
		}
	}
	if within {
		out = append(out, hash)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// common counts what two ascending lists have in common.
func common(x, y []uint64) (n int) {
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			i, j, n = i+1, j+1, n+1
		}
	}
	return n
}
