package lesson

import (
	"errors"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/play"
)

var onSite = []string{"/", "/search"}

func remixed(t testing.TB) *Remix {
	table, err := play.Decode("play=1&d=3~One,0,2~Two&a=0.1.2&m=P@2")
	if err != nil {
		t.Fatal(err)
	}
	return &Remix{Of: "ap", Title: "Für uns & euch", Steps: [5]bool{true, true, false, true, true},
		Table: table, Where: "/search#s=bm25&q=x", Note: "Look there"}
}

func TestARemixComesBack(t *testing.T) {
	r := remixed(t)
	for _, text := range []string{r.Link(), r.File(), "\ufeff" + strings.ReplaceAll(r.File(), "\n", "\r\n")} {
		got, err := ReadRemix(text, onSite)
		if err != nil || got.Link() != r.Link() || got.Table.Link() != r.Table.Link() {
			t.Fatalf("%v, %v", got, err)
		}
	}
	l := &Lesson{Head: Head{Title: "AP"}, Steps: [][]Block{{{Kind: Question}},
		{{Kind: Play, Link: "play=1&d=1&a=0&m=AP"}}, {{Kind: Table}}, {{Kind: Drill}}, {{Kind: Link, Link: "/#a",
			Note: "Here"}}}}
	got := r.Apply(l)
	if got.Title != "Für uns & euch" || len(got.Steps) != 5 || len(got.Steps[2]) != 0 ||
		got.Steps[1][0].Link != r.Table.Link() || got.Steps[4][0].Link != "/search#s=bm25&q=x" ||
		got.Steps[4][0].Note != "Look there" {
		t.Errorf("%+v", got)
	}
	if l.Title != "AP" || l.Steps[1][0].Link == r.Table.Link() {
		t.Error("the lesson itself is another one now")
	}
	for name, text := range map[string]string{
		"nothing":          "",
		"no lesson":        Remixed + "in=en&steps=1",
		"no step":          Remixed + "of=ap&in=en&steps=",
		"a step twice":     Remixed + "of=ap&in=en&steps=11",
		"step 6":           Remixed + "of=ap&in=en&steps=6",
		"another site":     Remixed + "of=ap&in=en&steps=1&w=https:%2F%2Fexample.org",
		"another screen":   Remixed + "of=ap&in=en&steps=1&w=%2Fupload",
		"a script":         Remixed + "of=ap&in=en&steps=1&w=javascript:x",
		"two slashes":      Remixed + "of=ap&in=en&steps=1&w=%2F%2Fexample.org",
		"a ranking of 0":   Remixed + "of=ap&in=en&steps=1&p=play%3D1%26d%3D%26a%3D%26m%3DAP",
		"a name with dots": Remixed + "of=..&in=en&steps=1",
		"unknown":          Remixed + "of=ap&in=en&steps=1&x=1",
	} {
		if r, err := ReadRemix(text, onSite); !errors.Is(err, ErrRemix) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func FuzzReadRemix(f *testing.F) {
	f.Add(remixed(f).File())
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadRemix(text, onSite)
		if err != nil {
			return
		}
		if again, err := ReadRemix(r.Link(), onSite); err != nil || again.Link() != r.Link() {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
