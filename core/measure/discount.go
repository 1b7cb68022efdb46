package measure

// log2Table[i] is log2(i) for the ranks that lists usually reach; index 0 is unused.
var log2Table = func() (t [1026]float64) {
	for i := 1; i < len(t); i++ {
		t[i] = log2(float64(i))
	}
	return t
}()

// log2Rank returns log2(rank+1), the discount of DCG: 1 at rank 1.
func log2Rank(rank int32) float64 {
	if int(rank) < len(log2Table)-1 {
		return log2Table[rank+1]
	}
	return log2(float64(rank) + 1)
}
