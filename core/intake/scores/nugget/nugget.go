// Package nugget measures how many nuggets an answer has: the facts that a good answer states. It assigns none: people
// or a model say which the answer supports.
package nugget

// Support says how far an answer has a nugget.
type Support int

// The degrees of support, as nuggetizer names them.
const (
	None    Support = iota // not_support
	Partial                // partial_support
	Full                   // support
)

// Nugget is a fact and its support by one answer. A vital one belongs in every good answer, another one is okay.
type Nugget struct {
	Vital   bool
	Support Support
}

// Recall is four shares of nuggets, from 0 to 1: of the vital ones and of all. Strict counts full support alone, the
// others count partial support as a half. A share of no nuggets is 0.
type Recall struct{ StrictVital, StrictAll, Vital, All float64 }

// Of returns the recall of an answer.
//
// Source: nuggetizer 0.0.5, core/metrics.py; Pradeep et al. 2025, The Great Nugget Recall.
func Of(list []Nugget) Recall {
	var vital, full, half, vitalFull, vitalHalf int
	for _, n := range list {
		whole, part := 0, 0
		switch n.Support {
		case Full:
			whole = 1
		case Partial:
			part = 1
		}
		full, half = full+whole, half+part
		if n.Vital {
			vital, vitalFull, vitalHalf = vital+1, vitalFull+whole, vitalHalf+part
		}
	}
	share := func(whole, halves, of int) float64 {
		return float64(2*whole+halves) / float64(2*max(of, 1)) // in halves, so that nothing is rounded before
	}
	return Recall{share(vitalFull, 0, vital), share(full, 0, len(list)), share(vitalFull, vitalHalf, vital),
		share(full, half, len(list))}
}
