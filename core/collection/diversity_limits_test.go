package collection

import (
	"strconv"
	"strings"
	"testing"
)

func TestDiversityOfManySubtopics(t *testing.T) {
	const n = 100
	d := NewDiversity()
	for pass := range 2 { // the second replaces
		for i := range n {
			d.Add("q", "s"+strconv.Itoa(i), "all", float64(i+pass))
			d.Add("q", "s"+strconv.Itoa(i), "d"+strconv.Itoa(i), float64(i+pass))
		}
	}
	if d.Len() != 2*n || len(d.Subtopics("q")) != n {
		t.Errorf("%d judgments, %d subtopics", d.Len(), len(d.Subtopics("q")))
	}
	for i, g := range d.Grades("q", "all") {
		if g.Subtopic != i || g.Grade != float64(i+1) {
			t.Errorf("%d: %+v", i, g)
		}
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}

// Going through all subtopics for each would take minutes; a table of documents × subtopics would take 3.6 GB.
func TestASubtopicForEveryDocumentIsRefused(t *testing.T) {
	d := NewDiversity()
	for i := range 30_000 {
		d.Add("q7", strconv.Itoa(i), "d"+strconv.Itoa(i), 1)
	}
	for i := range 30_000 {
		d.Add("q8", strconv.Itoa(i), "d", 1)
	}
	if err := d.Check(); err == nil || !strings.Contains(err.Error(), `query "q7"`) ||
		!strings.Contains(err.Error(), "900000000") {
		t.Errorf("%v", err)
	}
}
