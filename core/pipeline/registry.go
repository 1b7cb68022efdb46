package pipeline

// registry holds every stage, in the order of the documentation. A stage is one file and one line here.
var registry = []*Stage{
	bm25,
	dense,
	rrf,
	cut,
}
