package learn

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/teach/lesson"
)

func TestAFindingIsHeldAgainstTheReport(t *testing.T) {
	l, r := start(t, "/learn/capstone", "one", nil)
	s := lessons()
	s.Field = &lesson.Field{Measure: "AP", Titles: []string{"T"},
		Queries: []lesson.Asked{{ID: "q", Text: "text", Kind: "factual"}},
		Trios: []lesson.Trio{{Systems: [3]int{2, 0, 1}, Means: [3]float64{.6, .5, .2},
			Best: report.Pair{Diff: .1, Low: .05, High: .15, Adjusted: .01}, Finding: "It wins."}}}
	for i, v := range []float64{.5, .2, .6} {
		s.Field.Systems = append(s.Field.Systems, lesson.Entrant{Notation: []string{"bm25", "dense", "ql"}[i],
			Label: []string{"BM25", "Dense", "QL"}[i], Values: []float64{v},
			Heads: [][]lesson.Shown{{{Title: 0, Grade: 3}}}})
	}
	r.Library[0](wire.Marshal(s), "")
	c := l.Capstone
	c.Another(" Zoë ")
	if at := r.Addresses[len(r.Addresses)-1]; at != "/learn/capstone#lesson=capstone1&s=Zo%C3%AB" {
		t.Errorf("address %s", at)
	}
	x := c.Case()
	c.Decide()
	if c.Decided || c.Fault == "" {
		t.Error("nothing was found, and it counts")
	}
	c.Claim(func(k *lesson.Claims) {
		for i := range 3 {
			k.Which[i] = x.Trio.Systems[x.Letters[i]]
			if x.Letters[i] == 0 {
				k.Best = i
			}
		}
		k.Apart, k.Kind, k.Why = 1, "factual", "It reads."
	})
	c.Type(0, "ten")
	c.Decide()
	if c.Decided || !strings.Contains(c.Fault, "ten") {
		t.Errorf("%q", c.Fault)
	}
	for i, v := range []string{"0.1", "0,06", "0.14"} {
		c.Type(i, v)
	}
	c.Decide()
	if text := c.Text(); !c.Decided || !strings.Contains(text, "8 of 8 claims are the report's") ||
		!strings.Contains(text, "It reads.") {
		t.Errorf("%s", text)
	}
	c.Claim(func(k *lesson.Claims) { k.Best = 0 }) // too late
	if got := c.Report(); got != "/#s=ql&s=bm25&s=dense" && !strings.HasPrefix(got, "/#") {
		t.Errorf("%s", got)
	}
	back, _ := start(t, "/learn/capstone", "one", r.Kept)
	if k := back.Capstone; k.Seed != "Zoë" || !k.Decided || k.Claims != c.Claims || k.Typed != c.Typed {
		t.Errorf("the device kept %+v of %+v", k, c)
	}
	for _, line := range []string{"capstone", "capstone\tZoë\t0\t1\t2\t0\t1\t\"\"\t\"\"\t\"\"\ttrue",
		"capstone\t\t0\t1\t2\t0\t1\t\"\\n\\n\"\t\"\"\t\"\"\ttrue",
		"capstone\tZoë\t0\tone\t2\t0\t1\t\"\\n\\n\"\t\"\"\t\"\"\ttrue"} {
		if odd, _ := start(t, "/learn/capstone", "one", map[string]string{kept: line}); odd.Capstone.begun() ||
			odd.Capstone.Seed != "1" {
			t.Errorf("%q gives %+v", line, odd.Capstone)
		}
	}
	l2, _ := start(t, "/learn", "one", nil)
	l2.App.Moved("/learn/capstone", "#lesson=capstone1&s=Zo%C3%AB", 1)
	if l2.Lessons.Name != Finale || l2.Capstone.Seed != "Zoë" {
		t.Errorf("%q, %q", l2.Lessons.Name, l2.Capstone.Seed)
	}
	l2.App.Moved("/learn/capstone", "#lesson=capstone1&s=%", 2)
	if l2.App.Notices.Problem == nil {
		t.Error("a link that was cut")
	}
}
