package lesson

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake/scores/nugget"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

const small = `title: A lesson
number: 1
minutes: 5
teaches: what {a AP} is
misconception: it is {a P@1}
remember: Remember {a AP}.
source: one
source: two
data: a = grades 1 0 3
data: b = a sorted

# predict
A *list* has the grades {a grades} and [AP](measure:AP), see [itself](lesson:small).

? What is AP?
- {a P@1}
~ You divided by what is shown.
+ {a AP}
= It is {a AP work 3}.

# do
!play a AP P@2

# see
!unfold a AP

!bars Two
order | AP
as it is | {a AP}
sorted | {b AP}

# check
!exercise ap 1

# real
!search q1 bm25 | dense : Look
`

// stub is a collection of one query that every system answers with 2 0.
type stub struct{}

func (stub) Ranking(query, system string, depth int, judgments string) (*play.Table, error) {
	if query != "q1" {
		return nil, errors.New("no query was sent " + query)
	}
	docs, n, err := play.Read("2 0")
	t := &play.Table{}
	t.Fill(docs, n)
	return t, err
}
func (s stub) Figures() FigureData                                 { return s }
func (stub) Documents() int                                        { return 255 }
func (stub) Scored(string, string, []int) ([]figure.Scored, error) { return nil, nil }
func (stub) Postings(query, _ string, _ []int, words []string) (figure.Postings, error) {
	return figure.Postings{Titles: []string{"Port strike", "Strike"}, Docs: 2, Words: []string{"port", "strike"},
		Lists: [][]int{{1}, {1, 2}}}, nil
}
func (stub) Neighbours(string, []int) (figure.Neighbours, error) {
	return figure.Neighbours{Query: "strike", Docs: 3,
		Near: []figure.Near{{Title: "Strike", Similarity: .5, Probe: []int{2}}},
		Indexes: []figure.Probed{{Lists: 2, Sizes: []int{1, 2}, Recall: []float64{0, 1}, Products: []float64{3, 5},
			NDCG: []float64{0, 1}}}}, nil
}
func (stub) Expansion(string) (figure.Expansion, error) {
	return figure.Expansion{Query: "strike", Words: []figure.Weighted{{Name: "strike", Weight: 1}},
		Added: [][]figure.Weighted{{{Name: "port", Weight: 1}}}, First: []int32{0},
		Docs: []figure.Expanded{{Grade: 1, Query: 1, Feedback: []float64{2}}}}, nil
}
func (stub) Answer(string) (figure.Answer, error) {
	return figure.Answer{Nuggets: []figure.Fact{{Text: "It was late.", Vital: true}}, Grades: []float64{3, 0},
		Sentences: []figure.Sentence{{Text: "The tram was late.", Cites: []int{0}, Supports: []nugget.Support{2}}}}, nil
}
func (stub) Articles(string, string, int) (Articles, error) {
	return Articles{Query: "port strike", List: []Article{{"Title", "Text", 3, 0}}}, nil
}
func (stub) Queries() []report.Query                      { return []report.Query{{ID: "q1"}} }
func (stub) Report(_, _ []string) (*report.Report, error) { return &report.Report{}, nil }
func (stub) Judges(_, _ string) (a, b []int, err error)   { return []int{1, 0, 1}, []int{1, 0, 0}, nil }

func known(name string) bool { return name == "small" }

// AP of 1 0 3 is (1/1 + 2/3) / 2 = 0.833, sorted it is 1.
func TestALessonIsReadAndItsFiguresWorkedOut(t *testing.T) {
	src, err := Parse("small.md", small)
	if err != nil {
		t.Fatal(err)
	}
	src.Name = "small"
	l, err := src.Resolve(stub{}, known)
	if err != nil {
		t.Fatal(err)
	}
	if l.Teaches != "what 0.833 is" || l.Remember != "Remember 0.833." || l.Misconception != "it is 1.000" {
		t.Errorf("%+v", l.Head)
	}
	text := l.Steps[0][0]
	want := []Span{{Text: "A "}, {Text: "list", Style: "em"}, {Text: " has the grades 1 0 3 and "},
		{Text: "AP", Style: "a", To: "/measures#AP"}, {Text: ", see "}, {Text: "itself", Style: "a",
			To: "/learn/small"}, {Text: "."}}
	if len(text.Spans) != len(want) {
		t.Fatalf("%+v", text.Spans)
	}
	for i := range want {
		if text.Spans[i] != want[i] {
			t.Errorf("%+v, want %+v", text.Spans[i], want[i])
		}
	}
	q := l.Steps[0][1]
	if len(q.Options) != 2 || q.Options[0].Right || !q.Options[1].Right || q.Options[1].Text != "0.833" ||
		q.Note != "It is 2/3." {
		t.Errorf("%+v", q)
	}
	if p, err := play.Decode(l.Steps[1][0].Link); err != nil || p.Text(0) != "1 0 3" || len(p.Measures) != 2 {
		t.Errorf("%q: %v", l.Steps[1][0].Link, err)
	}
	if rows := l.Steps[2][0].Rows; len(rows) != 7 || rows[6][4] != "0.833" || rows[3][3] != "2/3" {
		t.Errorf("%q", rows)
	}
	if b := l.Steps[2][1]; b.Rows[1][1] != "0.833" || b.Rows[2][1] != "1.000" ||
		!slices.Equal(b.Values, []float64{.833, 1}) {
		t.Errorf("%+v", b)
	}
	if link := l.Steps[4][0].Link; !strings.HasPrefix(link, "/search#v=1&") || !strings.Contains(link, "qid=q1") {
		t.Errorf("%q", link)
	}
	var back Set
	set := &Set{Lessons: []Lesson{*l}}
	if err := wire.Unmarshal(wire.Marshal(set), &back); err != nil || back.Lessons[0].Steps[0][1].Note != q.Note ||
		back.Find("small") == nil || back.Find("other") != nil {
		t.Errorf("%+v, %v", back, err)
	}
}

// By hand, for the small lesson: predict 14 + 8 words and a minute to commit; do 2.5; see a sum of 7 rows of 4 s
// and bars of 3 rows of 2 s, with captions of 1 word and of w; check 1.5; real 1 word and 1.5: 7.3 minutes in all.
func TestALessonTakesTheMinutesThatItSays(t *testing.T) {
	src, err := Parse("small.md", small)
	if err != nil {
		t.Fatal(err)
	}
	l, err := src.Resolve(stub{}, known)
	if err != nil {
		t.Fatal(err)
	}
	w := len(strings.Fields(l.Steps[2][0].Note))
	want := []float64{1 + 22.0/200, 2.5, 7*4/60.0 + 3*2/60.0 + float64(1+w)/200, 1.5, 1.5 + 1.0/200}
	for i, got := range l.Takes() {
		if math.Abs(got-want[i]) > 1e-9 {
			t.Errorf("%s takes %v, want %v", Steps[i], got, want[i])
		}
	}
	drill := Block{Kind: Drill, Name: "precision", Level: 3} // 1.5 minutes
	for _, c := range []struct {
		name          string
		more, minutes int
		want          string
	}{
		{"shorter than a lesson", 0, 8,
			"small.md:3: a lesson takes 8 to 12 minutes; it says 8, and takes about 7.3, step by step [1.1 2.5 " +
				"0.6 1.5 1.5]"},
		{"as long as it says", 1, 9, ""},
		{"a little shorter than it says", 1, 8, ""},
		{"shorter than it says", 1, 10,
			"small.md:3: it says 10 minutes, and takes about 8.8, step by step [1.1 2.5 0.6 3.0 1.5]"},
		{"as long as a lesson may be", 3, 12, ""},
		{"longer than it may say", 3, 13,
			"small.md:3: a lesson takes 8 to 12 minutes; it says 13, and takes about 11.8"},
		{"longer than a lesson", 4, 12, "small.md:3: a lesson takes 8 to 12 minutes; it says 12, and takes about 13.3"},
	} {
		longer := *l
		longer.Minutes = c.minutes
		longer.Steps = slices.Clone(l.Steps)
		for range c.more {
			longer.Steps[3] = append(slices.Clone(longer.Steps[3]), drill)
		}
		if err := src.Keeps(&longer); c.want == "" && err != nil ||
			c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// 200 words take a minute in silence, 9.8 minutes in all, and a third of a minute more aloud.
	wordy := *l
	wordy.Minutes, wordy.Steps = 9, slices.Clone(l.Steps)
	wordy.Steps[3] = append(slices.Clone(wordy.Steps[3]), drill,
		Block{Kind: Text, Spans: []Span{{Text: strings.Repeat("word ", 200)}}})
	if err := src.Keeps(&wordy); err == nil || !strings.HasPrefix(err.Error(),
		"small.md:3: it says 9 minutes, and takes about 10.2, read aloud, step by step [") {
		t.Errorf("read aloud: %v", err)
	}
	// Playing with a list that was judged by hand takes less time.
	judged := &Lesson{Steps: [][]Block{{{Kind: Judging,
		Rows: [][]string{{"One title", "and a text of six words.", "1", "0"}}}, {Kind: Play}}}}
	if got, want := judged.Takes()[0], toGrade+8.0/wordsAMinute+toRegrade; math.Abs(got-want) > 1e-9 {
		t.Errorf("judged and played with: %v, want %v", got, want)
	}
}

// Each is the small lesson with one error; the error has its line.
func TestWhatIsWrongWithALessonIsSaidWithItsLine(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"unknown block", "!play a AP P@2", "!draw a", `small.md:22: unknown block "!draw"`},
		{"wrong measure", "!play a AP P@2", "!play a APP", "small.md:22: measure: parse"},
		{"wrong measure in the prose", "{a AP work 3}", "{a nDGC}", "small.md:15: {a nDGC}: measure"},
		{"dangling link to a lesson", "lesson:small", "lesson:large", `small.md:13: there is no lesson "large"`},
		{"dangling link to a measure", "measure:AP", "measure:APP", "small.md:13: measure"},
		{"a link that leads elsewhere", "measure:AP", "https://example.org", "small.md:13: a link leads to"},
		{"no such data", "{a grades}", "{c grades}", `small.md:13: {c grades}: there is no data "c"`},
		{"no such rank", "{a AP work 3}", "{a AP work 4}", `small.md:15: {a AP work 4}: there is no rank "4"`},
		{"wrong data", "grades 1 0 3", "grades 9", "small.md:9: data a: play:"},
		{"unknown data", "grades 1 0 3", "numbers 1", `small.md:9: data a: unknown data "numbers"`},
		{"no such query", "!search q1", "!search q9", `small.md:36: no query was sent "q9"`},
		{"no such exercise", "!exercise ap 1", "!exercise apx 1", `small.md:33: there is no exercise "apx"`},
		{"no such level", "!exercise ap 1", "!exercise ap 9", `small.md:33: "9" is no level`},
		{"two right options", "- {a P@1}\n~ You divided by what is shown.", "+ {a P@1}",
			"small.md:15: 2 options are right"},
		{"equal options", "- {a P@1}", "- {a AP}", `small.md:15: the option "0.833" stands twice`},
		{"a wrong option without its misconception", "~ You divided by what is shown.\n", "",
			`small.md:15: the option "{a P@1}": a wrong one, and only that, names its misconception`},
		{"a right option with a misconception", "+ {a AP}", "+ {a AP}\n~ You added up.",
			`small.md:15: the option "{a AP}": a wrong one`},
		{"a figure in one option only", "- {a P@1}", "- nothing", "small.md:15: 1 of 2 options have a figure"},
		{"a comparison without a test", "A *list*", "The second list is better. A *list*",
			`small.md:13: "better" in "The second list is better." needs a test`},
		{"a comparison in a right option", "+ {a AP}", "+ {a AP}: b leads", `small.md:15: "leads" in`},
		{"a comparison in the reason", "= It is", "= The second wins. It is", `small.md:15: "wins" in`},
		{"a comparison to remember", "Remember {a AP}.", "The first leads.", `small.md:6: "leads" in`},
		{"a claim that is not there", "A *list*", "The second list is better.{claim x} A *list*",
			`small.md:13: there is no claim "x"`},
		{"a claim that nobody makes", "data: b = a sorted", "data: b = a sorted\nclaim: x = b above a AP",
			`small.md:11: no sentence rests on the claim "x"`},
		{"a claim that the data refute", "data: b = a sorted", "data: b = a sorted\nclaim: x = a above b AP",
			"small.md:11: claim x: AP is 0.833 for a and 1.000 for b"},
		{"a claim of nothing", "data: b = a sorted", "data: b = a sorted\nclaim: x = c above b AP",
			`small.md:11: claim x: there is no comparison and no ranking "c"`},
		{"a concept without a reason", "data: b = a sorted", "data: b = a sorted\nclaim: x = concept: yes",
			"small.md:11: claim x: a concept says why"},
		{"no reason", "= It is {a AP work 3}.", "", "small.md:15: a question says why"},
		{"a step missing", "# check\n!exercise ap 1\n", "", `small.md:33: step "real": here comes "check"`},
		{"steps in another order", "# predict", "# do", `small.md:12: step "do": here comes "predict"`},
		{"a field missing", "minutes: 5\n", "", `small.md:1: the field "minutes" is missing`},
		{"a field twice", "minutes: 5", "minutes: 5\nminutes: 6", "small.md:4: minutes stands twice"},
		{"an unknown field", "minutes: 5", "hours: 5", `small.md:3: unknown field "hours"`},
		{"one source", "source: two\n", "", "small.md:7: a lesson names two sources"},
		{"two rankings", "!play a AP P@2", "!play a AP\n\n!play b AP", "small.md:24: a lesson has one ranking"},
		{"another number of cells", "sorted | {b AP}", "sorted | {b AP} | x", "small.md:27: the row"},
		{"bars without numbers", "sorted | {b AP}", "sorted | much", `small.md:27: "much" is no number`},
		{"an open brace", "{a grades}", "{a grades", "small.md:13:"},
		{"emphasis without an end", "*list*", "*list", "small.md:13: a * without its end"},
		{"no question", "? What is AP?\n- {a P@1}\n~ You divided by what is shown.\n+ {a AP}\n= It is {a AP work 3}.\n",
			"", `the step "predict" lacks`},
		{"text after a block", "!exercise ap 1\n", "!exercise ap 1\nmore\n",
			"small.md:34: a text begins after an empty line"},
	} {
		if !strings.Contains(small, c.from) {
			t.Fatalf("%s: %q is not in the lesson", c.name, c.from)
		}
		src, err := Parse("small.md", strings.Replace(small, c.from, c.to, 1))
		if err == nil {
			_, err = src.Resolve(stub{}, known)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "small.md:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if e := (*Error)(nil); err != nil && !errors.As(err, &e) {
			t.Errorf("%s: %T", c.name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(small)
	f.Add("title: x\n# predict\n? a\n- b\n")
	f.Fuzz(func(t *testing.T, s string) {
		src, err := Parse("f.md", s)
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || e.Line < 1 {
				t.Fatalf("%v", err)
			}
			return
		}
		src.Name = "f"
		if _, err := src.Resolve(stub{}, known); err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || e.Line < 1 {
				t.Fatalf("%v", err)
			}
		}
	})
}
