package jsontext

import (
	"math"
	"strings"
	"testing"
)

func TestWriterWritesMembersInTheirOrder(t *testing.T) {
	var b strings.Builder
	w := &Writer{To: &b}
	w.List("", 2, func(i int) {
		w.Object("", func() {
			w.Str("z", "a<\"")
			w.Int("i", -i)
			w.Object("none", func() {})
		})
	})
	w.Array("", func() {
		w.Bool("", true)
		w.Raw("", "null")
		w.Strs("", []string{"", "b"})
		w.Nums("", []float64{0.1, 1e21, math.NaN(), math.Inf(-1)})
	})
	if got, want := b.String(),
		`[{"z":"a\u003c\"","i":0,"none":{}},{"z":"a\u003c\"","i":-1,"none":{}}],[true,null,["","b"],[0.1,1e+21,`+
			`null,null]]`; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
