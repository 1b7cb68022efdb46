package stage

import "testing"

// A model's two names make one text, and with it one link and one hash; names that nobody shortens stay.
func TestAModelHasOneName(t *testing.T) {
	for written, want := range map[string]string{
		"dense(model=all-MiniLM-L6-v2)":       "dense",
		"dense(model=minilm)":                 "dense",
		"dense(model=bge-small-en-v1.5)":      "dense(model=bge)",
		"rrf(bm25, dense(model=e5-small-v2))": "rrf(bm25, dense(model=e5))",
		"dense(model=mine-v2)":                "dense(model=mine-v2)",
		"bm25 >> mmr(model=all-MiniLM-L6-v2)": "bm25 >> mmr",
		// another name: case counts, as in folders
		"rrf(bm25, dense(model=all-minilm-l6-v2))": "rrf(bm25, dense(model=all-minilm-l6-v2))",
	} {
		n, err := Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		if n.String() != want {
			t.Errorf("%s is printed as %s, want %s", written, n, want)
		}
	}
}
