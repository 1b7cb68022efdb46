package stage

// Defaults are the systems of a page that was opened without a link, and of a link that names none.
var Defaults = []string{"bm25", "bm25(title=3)", "dense", "rrf(bm25, dense)"}

// DefaultsFor are those of them that a collection is opened with: without vectors, the lexical ones.
func DefaultsFor(hasVectors bool) []string {
	if hasVectors {
		return Defaults
	}
	return Defaults[:2:2]
}
