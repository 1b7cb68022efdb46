package lesson

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
)

// By hand: 1 − .95^20 = .6415; BM25's fraction at tf 2 is 2 / 2.9 = .6897.
func TestWhatIsWorkedOutInAText(t *testing.T) {
	for text, want := range map[string]string{"1-0.95^20": "0.642", "2/(2+0.9)": "0.690", "0.9×0.9": "0.810",
		"log2(4)": "2.000", "1+ln(2)": "1.693", "2+3×4-1": "13.000"} {
		v, err := calc(text)
		if err != nil || decimals(v) != want && "0"+decimals(v) != want {
			t.Errorf("%s is %v (%s), %v", text, v, decimals(v), err)
		}
	}
	for _, text := range []string{"", "1+", "(1", "1)", "2^0.5", "1/0", "x", "log2(0)", "1..2",
		strings.Repeat("(", 100)} {
		if v, err := calc(text); err == nil {
			t.Errorf("%q is %v", text, v)
		}
	}
}

// By hand: 1 0 1 and one more relevant document. Points (1/3, 1), (1/3, 1/2), (2/3, 2/3); stairs 1 up to recall 1/3,
// then 2/3 up to 2/3.
func TestACurveIsASawAndStairs(t *testing.T) {
	x := &play.Table{Docs: []play.Doc{{Grade: 1}, {Grade: 0}, {Grade: 1}, {Grade: 1}}, Lists: [2][]int{{0, 1, 2}}}
	saw, stairs := curve(x)
	if saw != "M66.7 0.0L66.7 100.0L133.3 66.7" {
		t.Errorf("saw %s", saw)
	}
	if stairs != "M0.0 0.0L66.7 0.0L66.7 66.7L133.3 66.7L133.3 200.0" {
		t.Errorf("stairs %s", stairs)
	}
	if _, none := curve(&play.Table{}); none != "" {
		t.Errorf("of nothing: %s", none)
	}
}

// A statement in words that the data contradict fails the build.
func TestWhatALessonHolds(t *testing.T) {
	with := func(line string) error {
		s, err := Parse("l.md", strings.Replace(small, "data: b", line+"\ndata: b", 1))
		if err == nil {
			_, err = s.Resolve(stub{}, func(string) bool { return true })
		}
		return err
	}
	for _, line := range []string{"holds: a docs = 3", "holds: a ranks = 1 3", "holds: calc 0.5+0.5 = " + decimals(1),
		"holds: c docs = 255\ndata: c = collection demo"} {
		if err := with(line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for line, want := range map[string]string{
		"holds: a docs = 4": "l.md:10: the text says that {a docs} is 4, and it is 3",
		"holds: a docs":     "l.md:10: holds is written",
		"holds: z docs = 4": `l.md:10: holds z docs: there is no data "z"`} {
		if err := with(line); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	s, err := Parse("l.md", strings.Replace(small, "!unfold a AP\n",
		"!unfold a AP\n\n!curve Two lists : a as it is | b sorted\n\n!judge q1 bm25\n", 1))
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Resolve(stub{}, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if c := l.Steps[2][1]; c.Kind != Curve || c.Note != "Two lists" || len(c.Rows) != 2 || c.Rows[1][0] != "sorted" ||
		c.Rows[0][1] == c.Rows[1][1] {
		t.Errorf("%+v", c)
	}
	if c := l.Steps[2][2]; c.Kind != Judging || c.Note != "port strike" || len(c.Rows) != 1 || c.Rows[0][2] != "3" {
		t.Errorf("%+v", c)
	}
}

// By hand: P@2 of 1 0 0 1 1 has the term 1 at rank 1; ranks 3 to 5 are one row. One rank below the cutoff is shown;
// a measure without cutoff shows all.
func TestWhatIsBelowTheCutoffIsOneRow(t *testing.T) {
	docs, n, err := play.Read("1 0 0 1 1")
	if err != nil {
		t.Fatal(err)
	}
	list := &play.Table{}
	list.Fill(docs, n)
	for _, c := range []struct{ measure, want string }{
		{"P@2", "Rank/1/2/3–5/sum/÷ cutoff/P@2"},
		{"P@4", "Rank/1/2/3/4/5/sum/÷ cutoff/P@4"},
		{"AP", "Rank/1/2/3/4/5/sum/÷ relevant documents/AP"},
	} {
		m, err := measure.Parse(c.measure)
		if err != nil {
			t.Fatal(err)
		}
		rows, _ := unfold(list, m)
		var firsts []string
		for _, r := range rows {
			if firsts = append(firsts, r[0]); r[0] == "" {
				firsts[len(firsts)-1] = r[1]
			}
		}
		if got := strings.Join(firsts, "/"); got != c.want {
			t.Errorf("%s: %s", c.measure, got)
		}
	}
}

// By hand: the eight sums of +3 +2 −1 are 6 4 2 0 and their opposites.
func TestFlipsAreCounted(t *testing.T) {
	f, err := readFlips([]string{"3", "2", "-1"})
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{"sum": "4", "ways": "8", "high": "2", "both": "4", "p": decimals(.5),
		"least": decimals(.25), "from 4 6": "2", "from -2 2": "4", "from 5 5": "0"} {
		if got, err := f.say(strings.Fields(words)); err != nil || got != want {
			t.Errorf("%s is %s, %v, want %s", words, got, err, want)
		}
	}
	for _, words := range []string{"from", "from 1", "from a 2", "more"} {
		if got, err := f.say(strings.Fields(words)); err == nil {
			t.Errorf("%s is %s", words, got)
		}
	}
}
