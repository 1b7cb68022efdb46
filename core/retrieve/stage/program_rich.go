//go:build !first

package stage

// first says that this is the program which answers the page's first search. It is not: it has every ranker.
const first = false

// stages are all of them. A stage is one file and one line here.
func stages() []*Stage {
	return []*Stage{
		BM25,
		QL,
		Dense,
		Late,
		Sparse,
		Run,
		Search,
		RRF,
		CombSUM,
		CombMNZ,
		CombANZ,
		CombMIN,
		CombMAX,
		CombMED,
		CombGMNZ,
		WSum,
		WMNZ,
		Mixed,
		ISR,
		LogISR,
		LogNISR,
		RBC,
		Borda,
		WBorda,
		Condorcet,
		WCondorcet,
		ProbFuse,
		SegFuse,
		PosFuse,
		SlideFuse,
		MAPFuse,
		BayesFuse,
		Cut,
		Filter,
		Spell,
		Classify,
		RM3,
		Rocchio,
		PRF,
		VPRF,
		Rerank,
		Entity,
		Recency,
		DateMatch,
		MMR,
		Dedupe,
		Collapse,
		Balance,
		Cluster,
	}
}

// manual is what the reference says of a stage.
func manual(s string) string { return s }
