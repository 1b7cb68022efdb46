package judge

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// Three layers: of the pairs, Ada and Bob differ in a and c, Ada and the model in b.
func TestThePairAndTheRolesAreChosenAndRemembered(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	drop(t, j, b, read1("Ada", 1, 2, 3), read1("Bob", 2, 2, 1), read1("llm", 1, 0, 3))
	ids := map[string]string{}
	for _, l := range j.Layers.List() {
		ids[l.Name] = l.ID
	}
	asked := func(j *Judge, b *browser) *message.AskLayered {
		j.Comparison.Agree("AP")
		return b.Last(t, message.Layered).Question.(*message.AskLayered)
	}
	disputed := func(j *Judge) (out string) {
		for _, x := range j.Adjudication.Disputes() {
			out += x.Document
		}
		return out
	}
	if got := j.Comparison.Choices(); got != (Choices{}) || len(j.Adjudication.Disputes()) != 3 {
		t.Errorf("without a choice %+v, differences of %s", got, disputed(j))
	}
	if q := asked(j, b); len(q.Of) != 0 || q.Human != "" || q.Model != "" {
		t.Errorf("asked for %q, %q and %q", q.Of, q.Human, q.Model)
	}
	j.Comparison.Choose(First, ids["Ada"])
	if got := j.Comparison.Choices(); got.Second != ids["Bob"] || disputed(j) != "ca" {
		t.Errorf("%+v, differences of %s", got, disputed(j))
	}
	if j.Comparison.Choose(Second, ids["Bob"]); j.Comparison.Choices().First != ids["Ada"] {
		t.Errorf("the same choice again changes it: %+v", j.Comparison.Choices())
	}
	j.Comparison.Choose(Second, ids["llm"])
	if q := asked(j, b); !slices.Equal(q.Of, []string{ids["Ada"], ids["llm"]}) || disputed(j) != "b" {
		t.Errorf("asked for %q, differences of %s", q.Of, disputed(j))
	}
	if j.Comparison.Choose(Second, ids["Ada"]); j.Comparison.Choices().First != ids["llm"] {
		t.Errorf("the pair is not exchanged: %+v", j.Comparison.Choices())
	}
	j.Comparison.Choose(Model, ids["Ada"]) // whoever made it
	if got := j.Comparison.Choices(); got.Human != ids["Bob"] || got.Model != ids["Ada"] {
		t.Errorf("%+v", got)
	}
	j.Comparison.Choose(Human, ids["llm"])
	want := j.Comparison.Choices()
	if q := asked(j, b); q.Human != ids["llm"] || q.Model != ids["Ada"] {
		t.Errorf("asked for %q and %q", q.Human, q.Model)
	}
	again, _ := d.open(t, "b") // after a reload
	if got := again.Comparison.Choices(); got != want || disputed(again) != "b" {
		t.Errorf("after a reload %+v, want %+v", got, want)
	}
	j.Layers.SetHead(ids["llm"], func(h *workspace.Head) { h.Origin = workspace.Model })
	j.Comparison.Choose(Model, "")
	if got := j.Comparison.Choices(); got.Model != "" || got.Human != "" {
		t.Errorf("no model was chosen, but %+v", got)
	}
	j.App.Undo()
	if got := j.Comparison.Choices(); got != want {
		t.Errorf("after undo %+v, want %+v", got, want)
	}
	j.Layers.Remove(ids["llm"]) // the pair loses one, and the model its person
	if got := j.Comparison.Choices(); got.First != "" || got.Human != ids["Bob"] || got.Model != ids["Ada"] {
		t.Errorf("without the layer %+v", got)
	}
}
