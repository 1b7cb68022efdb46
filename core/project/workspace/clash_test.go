package workspace

import (
	"fmt"
	"testing"
)

// Days of 2026 and of a clock that was set ahead, in milliseconds.
const (
	day   = 86_400_000
	now   = int64(20_785 * day) // 2026-11-28
	wrong = int64(25_322 * day) // 2039-05-01
)

func graded(grade int, doc string) Edit {
	return Edit{Kind: SetGrade, Layer: "mine", Query: "q", Document: doc, Grade: float64(grade)}
}

// Two devices share d1, then one of them has a wrong clock. What the other graded without knowing of it clashes;
// what it graded after a merge is not, since its stamp is later than the wrong one.
func TestOnlyGradesThatKnewNothingOfEachOtherClash(t *testing.T) {
	a, b := &tab{name: "a", w: New(harbour)}, &tab{name: "b", w: New(harbour)}
	a.edit(t, now, graded(1, "shared"))
	b.take(t, a)
	a.edit(t, wrong, graded(3, "d1"))
	b.edit(t, now+1, graded(0, "d1"))
	b.edit(t, now+2, graded(2, "alone"))
	a.edit(t, wrong, graded(2, "same"))
	b.edit(t, now+3, graded(2, "same"))
	say := func(list []Clash) (s string) {
		for _, d := range list {
			s += fmt.Sprintf("%s %v or %v; ", d.Mine.Document, d.Mine.Grade, d.Theirs.Grade)
		}
		return s
	}
	if got := say(b.w.Clashes(a.w, now+day)); got != "d1 0 or 3; " {
		t.Errorf("b: %q", got)
	}
	if got := say(a.w.Clashes(b.w, now+day)); got != "d1 3 or 0; " {
		t.Errorf("a: %q", got)
	}
	if got := say(b.w.Clashes(a.w, wrong)); got != "" {
		t.Errorf("with clocks that are right the later one wins, and %q clashes", got)
	}
	b.take(t, a)
	b.edit(t, now+4, graded(1, "d1")) // b knows of a's grade now
	if got := say(a.w.Clashes(b.w, now+day)); got != "" {
		t.Errorf("after b has seen a's grade: %q", got)
	}
	a.take(t, b)
	if g, _ := a.w.Layer("mine").Grade("q", "d1"); g != 1 {
		t.Errorf("a has grade %v, want the one that b gave knowing a's", g)
	}
}

func (x *tab) take(t *testing.T, from *tab) {
	t.Helper()
	for _, e := range from.w.All() {
		if _, err := x.w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
}
