package compare

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/intake/scores"
)

// given is a report of a table of scores: two models on three tasks.
func given(t *testing.T) *Compare {
	t.Helper()
	x, err := scores.Read("s.csv", "s",
		[]byte("model,task,main_score\na,1,0.5\na,2,0.25\na,3,0.5\nb,1,0.75\nb,2,0.5\nb,3,1\n"),
		scores.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.Report(scores.Asked{})
	if err != nil {
		t.Fatal(err)
	}
	c := headed(r)
	c.Compare.Runs.Done.Available = x.Measures
	return c
}

// TestGivenScoresSayWhatIsNotThere: what needs rankings is a sentence, and the words are those of the table.
func TestGivenScoresSayWhatIsNotThere(t *testing.T) {
	c := given(t)
	env, _ := vugu.NewBuildEnv()
	html := page(env, root(c.Compare))
	for _, want := range []string{"Means over 3 tasks.", "tasks are no random sample", "Save the report as one file",
		`id="check-none"`, ">Tasks</h2>"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, no := range []string{`id="kinds"`, `id="open-table"`, `id="claim"`, `id="opinions"`, `id="policy-note"`,
		">Because<", `href="/measures#main_score"`} {
		if strings.Contains(html, no) {
			t.Errorf("the page has %s", no)
		}
	}
	if n := strings.Count(html, "Scores were measured elsewhere"); n != 3 { // agreement, ties, check
		t.Errorf("it says %d times that scores were measured elsewhere", n)
	}
	c.Compare.Measures.Write("AP")
	if c.Compare.Measures.Fault != "there is no measure AP: the table has main_score" {
		t.Error(c.Compare.Measures.Fault)
	}
}

// TestManyGroupsAreNamedByTheirEnds: groups beyond 52 have two letters, which are not taken for two groups.
func TestManyGroupsAreNamedByTheirEnds(t *testing.T) {
	c := given(t)
	b := &Board{part: part{Compare: c.Compare}}
	column := &c.Report().Columns[0]
	column.Groups = []string{"a ba bb", "ba"}
	if s := (BoardRow{b, 0}).Slots(); len(s) != 3 || s[1].Letter != "ba" || s[1].Class != "in" {
		t.Errorf("%+v", s)
	}
	many := make([]string, 0, 30)
	for i := range 30 {
		many = append(many, "b"+string(rune('a'+i%26))+strings.Repeat("x", i/26))
	}
	b = &Board{part: part{Compare: c.Compare}}
	column.Groups = []string{strings.Join(many, " "), "ba"}
	if s := (BoardRow{b, 0}).Slots(); len(s) != 1 || s[0].Letter != "ba–bdx" {
		t.Errorf("%+v", s)
	}
}
