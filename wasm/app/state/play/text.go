package play

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/play"
)

// Text is the field for grades and lines of a run.
type Text struct {
	hand  *Hand
	Typed string // until it is read
}

// Type takes what is typed into the field for grades; Read reads it.
func (t *Text) Type(text string) { t.Typed = text }

// Read puts what was typed or pasted in place of the ranking.
func (t *Text) Read() {
	docs, n, err := play.Read(t.Typed)
	if err != nil {
		t.hand.Fault = say.Told(err)
		t.hand.app.View.Draw()
		return
	}
	t.hand.Do("", func() { t.hand.Table.Fill(docs, n) })
	t.hand.Diversity = t.hand.Diversity || slices.ContainsFunc(docs, func(d play.Doc) bool { return d.Topics != 0 })
	t.Typed = ""
	t.hand.say(say.Count(n, "document", "documents"))
}
