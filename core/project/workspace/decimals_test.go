package workspace

import (
	"bytes"
	"math"
	"reflect"
	"testing"
)

// Grades with decimals come with files. The journal, the export and the rules keep them.
func TestGradesWithDecimalsAreKept(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	for _, h := range []Edit{{Layer: "mine", Origin: Person}, {Layer: "gpt", Origin: Model}} {
		h.Kind = SetLayer
		b.edit(t, 1, h)
	}
	give := func(layer, doc string, grade float64) {
		b.edit(t, 2, Edit{Kind: SetGrade, Layer: layer, Query: "q", Document: doc, Grade: grade})
	}
	give("mine", "d1", 1)
	give("gpt", "d1", 0.7)
	give("gpt", "d2", 1.0/3)
	if !bytes.Contains(b.journal, []byte(`"grade":0.7}`)) || !bytes.Contains(b.journal, []byte(`"grade":1}`)) {
		t.Errorf("%s", b.journal)
	}
	heard := &tab{name: "b", w: New(harbour)}
	heard.hear(t, nil, b.journal)
	again, err := Import("notes.zip", export(t, heard.w), Limits{})
	must(t, err)
	if !reflect.DeepEqual(again.All(), b.w.All()) {
		t.Errorf("%+v\nwant %+v", again.All(), b.w.All())
	}
	again.Apply(Edit{Kind: SetRule, Text: string(Lowest), Stamp: again.Next(3, "b")})
	got := map[string]float64{}
	for _, r := range again.Resolve([]Judgment{{Query: "q", Document: "d3", Grade: 0.25, Graded: true}}) {
		got[r.Document] = r.Grade
	}
	if want := map[string]float64{"d1": 0.7, "d2": 1.0 / 3, "d3": 0.25}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if d := again.Disputes(nil); len(d) != 1 || d[0].Document != "d1" || math.Abs(d[0].Spread-0.3) > 1e-12 {
		t.Errorf("%+v", d)
	}
}
