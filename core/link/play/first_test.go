package play

import "testing"

// The first document can be deleted like any other.
func TestTheFirstDocumentIsForgottenToo(t *testing.T) {
	for doc, want := range map[int]string{-1: "3 2 1", 0: "2 1", 1: "3 1", 2: "3 2", 3: "3 2 1"} {
		p := table(t, "3 2 1")
		if p.Drop(doc); p.Text(0) != want {
			t.Errorf("without document %d: %s, want %s", doc, p.Text(0), want)
		}
	}
}

// The ideal order adds relevant documents that were not retrieved, and nothing else.
func TestTheIdealOrderTakesInOnlyWhatIsRelevant(t *testing.T) {
	for grade, want := range map[int32]string{2: "3 2 1", 1: "3 1 1", 0: "3 1", -1: "3 1"} {
		p := table(t, "1 3")
		p.Docs = append(p.Docs, Doc{Grade: grade}) // in neither list
		if p.Ideal(0); p.Text(0) != want {
			t.Errorf("beside a document of grade %d: %s, want %s", grade, p.Text(0), want)
		}
	}
}
