package class

import (
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/teach/lesson"
)

// crockford encodes the digits of a code: encoding/base32 is the oracle.
var crockford = base32.NewEncoding(codeDigits).WithPadding(base32.NoPadding)

// sealed returns the code of a body with Code's checksum.
func sealed(c *Class, body []byte) string {
	sum := sha256.Sum256(append([]byte(c.Link()), body...))
	return codePrefix + crockford.EncodeToString(append(slices.Clip(body), sum[:3]...))
}

// body returns the content of a code for a result, by the documentation of Code.
func body(c *Class, name string, finished uint64, tries ...[]int64) []byte {
	h := c.hash()
	b := append(h[:], byte(len(name)))
	b = append(b, name...)
	b = binary.AppendUvarint(b, finished)
	for _, answers := range tries {
		b = append(b, byte(len(answers)))
		for _, a := range answers {
			b = binary.AppendVarint(b, a)
		}
	}
	return b
}

func TestCodesAreBase32InGroupsOfFive(t *testing.T) {
	c := some()
	for _, name := range []string{"", "4", "47", "471", "4711", "47110", "471100"} { // every number of remaining bits
		r := student(c, name, 3)
		var tries [][]int64
		for _, list := range r.Answers {
			var t []int64
			for _, a := range list {
				t = append(t, int64(a))
			}
			tries = append(tries, t)
		}
		got := c.Code(r)
		if plain := codePrefix + strings.ReplaceAll(got[len(codePrefix):], "-", ""); plain != sealed(c, body(c, name,
			uint64(noon), tries...)) {
			t.Errorf("%q: %s", name, got)
		}
		groups := strings.Split(got[len(codePrefix):], "-")
		for i, g := range groups {
			if len(g) != 5 && (i < len(groups)-1 || len(g) == 0 || len(g) > 5) {
				t.Errorf("%q: %s has a group of %d", name, got, len(g))
			}
		}
	}
}

func TestCodesHaveLimits(t *testing.T) {
	c := &Class{Title: "k", Seed: "k", Items: []Item{{"ap", 1}}}
	none := &Class{Title: "k", Seed: "k"}
	long := func(n int) string {
		code := sealed(c, body(c, "a", 5, []int64{1}))
		return code + strings.Repeat("-", n-len(code)+len(codePrefix))
	}
	for _, x := range []struct {
		name, code string
		class      *Class
		ok         bool
	}{
		{"no try", sealed(c, body(c, "a", 5, nil)), c, true},
		{"three tries", sealed(c, body(c, "a", 5, []int64{1, 2, 3})), c, true},
		{"four tries", sealed(c, body(c, "a", 5, []int64{1, 2, 3, 4})), c, false},
		{"the last minute", sealed(c, body(c, "a", 1<<32, nil)), c, true},
		{"behind the last minute", sealed(c, body(c, "a", 1<<32+1, nil)), c, false},
		{"the largest answer", sealed(c, body(c, "a", 5, []int64{1 << 40})), c, true},
		{"a larger answer", sealed(c, body(c, "a", 5, []int64{1<<40 + 1})), c, false},
		{"the smallest answer", sealed(c, body(c, "a", 5, []int64{-1 << 40})), c, true},
		{"a smaller answer", sealed(c, body(c, "a", 5, []int64{-1<<40 - 1})), c, false},
		{"one item too many", sealed(c, body(c, "a", 5, nil, nil)), c, false},
		{"no item", sealed(c, body(c, "a", 5)), c, false},
		{"half an answer", sealed(c, append(body(c, "a", 5), 1)), c, false},
		{"a name that is cut", sealed(c, body(c, "abc", 5)[:6]), c, false},
		{"no minute", sealed(c, body(c, "a", 5)[:6]), c, false},
		{"a name with blanks at its end", sealed(c, body(c, "a ", 5, nil)), c, false},
		{"a name that is no UTF-8", sealed(c, body(c, "a\xff", 5, nil)), c, false},
		{"a long name", sealed(c, body(c, strings.Repeat("a", 60), 5, nil)), c, true},
		{"a longer name", sealed(c, body(c, strings.Repeat("a", 61), 5, nil)), c, false},
		{"nine bytes, of a class without exercises", sealed(none, body(none, "", 5)), none, true},
		{"eight bytes", sealed(none, body(none, "", 5)[:5]), none, false},
		{"4,096 characters", long(4096), c, true},
		{"4,097 characters", long(4097), c, false},
		{"a sum that does not fit", sealed(c, append(body(c, "a", 5, nil), 0)), c, false},
		{"a digit that is none", long(100) + "U", c, false},
		{"a bit more", strings.TrimRight(long(100), "-") + "1", c, false},
	} {
		r, err := x.class.ReadCode(x.code)
		if (err == nil) != x.ok || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %+v, %v", x.name, r, err)
		}
	}
	if _, err := c.ReadCode("RB2-000"); !errors.Is(err, ErrNone) {
		t.Errorf("of another mark: %v", err)
	}
	other := &Class{Title: "l", Seed: "k", Items: c.Items}
	if _, err := c.ReadCode(sealed(other, body(other, "a", 5, nil))); !errors.Is(err, ErrForeign) {
		t.Errorf("of another class: %v", err)
	}
}

// A result with fewer answers than items leaves the others unanswered, in the code and in the file.
func TestWhatIsNotAnsweredIsSaid(t *testing.T) {
	c := some()
	r := student(c, "4711", 4)
	r.Answers = [][]int{r.Answers[0], {}}
	got, err := c.ReadCode(c.Code(r))
	if err != nil || fmt.Sprint(got.Answers) != fmt.Sprint([][]int{r.Answers[0], {}, {}, {}}) {
		t.Errorf("%v, %v", got, err)
	}
	e := c.Exercise("4711", 0)
	want := fmt.Sprintf(`Rankbox class result, version 1
class: IR, group 2 (%s)
student: 4711
finished: 2026-11-22 12:00 UTC, by the student's own clock
right: 1 of 4, 1 at the first try
1. %s, level 1: %s
2. %s, level 2: not answered
3. %s, level 1: not answered
4. %s, level 1: not answered
link: %s
code: %s
`, c.ID(), c.Items[0].Title(), e.EntryText(r.Answers[0][0]), c.Items[1].Title(), c.Items[2].Title(), c.Items[3].Title(),
		c.Link(), c.Code(r))
	if file := c.File(r); file != want {
		t.Errorf("%s\nwant\n%s", file, want)
	}
	end, first := c.Right(r)
	if !slices.Equal(end, []bool{true, false, false, false}) || !slices.Equal(first, end) {
		t.Errorf("%v, %v", end, first)
	}
	r = student(c, "4711", 2)
	end, first = c.Right(r)
	if !slices.Equal(end, []bool{true, true, false, false}) || !slices.Equal(first, []bool{true, false, false, false}) {
		t.Errorf("%v, %v", end, first)
	}
	if !strings.Contains(c.File(r), "1: "+c.Exercise("4711", 2).EntryText(r.Answers[2][0])+"\n") ||
		!strings.Contains(c.File(r), c.Exercise("4711", 1).EntryText(r.Answers[1][0])+", then "+c.Exercise("4711",
			1).EntryText(r.Answers[1][1])+"\n") {
		t.Error(c.File(r))
	}
}

func TestTheChangedLineIsNamed(t *testing.T) {
	c := some()
	file := c.File(student(c, "4711", 2))
	for _, x := range []struct {
		text string
		want ChangedError
	}{
		{strings.Replace(file, "student: 4711", "student: 4712", 1), ChangedError{3, "student: 4712", "student: 4711"}},
		{file + "PS\n", ChangedError{12, "PS", ""}},
		{strings.TrimSuffix(file, file[strings.Index(file, "code: "):]) + "code: " + c.Code(student(c, "4711", 2)) +
			"\n\nx", ChangedError{12, "", ""}},
	} {
		r, err := c.ReadFile(x.text)
		var changed *ChangedError
		if r == nil || !errors.As(err, &changed) {
			t.Errorf("%v, %v", r, err)
			continue
		}
		if x.want.Has == "" && x.want.Want == "" {
			x.want = ChangedError{13, "x", ""}
		}
		if *changed != x.want {
			t.Errorf("%+v, want %+v", *changed, x.want)
		}
	}
	if _, err := c.ReadFile(strings.Replace(file, "link: ", "link: x", 1)); err == nil {
		t.Error("another link")
	}
	// The first four bytes of the code identify the class. With the correct link in the file, a change there means
	// damaged, not foreign.
	at := strings.Index(file, "code: RB1-") + len("code: RB1-")
	digit := "0"
	if file[at:at+1] == digit {
		digit = "1"
	}
	damaged := file[:at] + digit + file[at+1:]
	if _, err := c.ReadFile(damaged); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	if _, err := c.ReadFile(strings.Replace(damaged, "link: ", "", 1)); !errors.Is(err, ErrForeign) {
		t.Errorf("%v", err)
	}
	if _, err := c.ReadFile(fileTitle); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	if got := say.Told(&ChangedError{3, "a", "b"}); got != "changed by hand: line 3 says “a”, its answers give “b”" {
		t.Error(got)
	}
}

func TestFileNamesKeepLettersAndDigits(t *testing.T) {
	c := some()
	for name, want := range map[string]string{"azAZ09": "azAZ09", "@[`{/:": "------", "Zoë M.": "Zo--M-",
		" a  b ": "a-b"} {
		if got := c.FileName(&Result{Student: name}); got != "rankbox-"+c.ID()+"-"+want+".txt" {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestClassesHaveLimits(t *testing.T) {
	link := func(title, lessons, items, rest string) string {
		return Prefix + "t=" + title + "&l=" + lessons + "&e=" + items + "&s=b" + rest
	}
	times := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+"~", n), "~") }
	for text, ok := range map[string]bool{
		link(strings.Repeat("a", 60), "", "ap.1", ""):    true,
		link(strings.Repeat("a", 61), "", "ap.1", ""):    false,
		link("a+b", "", "ap.1", ""):                      true,
		link("a++b", "", "ap.1", ""):                     false,
		link("a+", "", "ap.1", ""):                       false,
		link("a", times("ap", MaxLessons), "ap.1", ""):   true,
		link("a", times("ap", MaxLessons+1), "ap.1", ""): false,
		link("a", "az-za", "ap.1", ""):                   true,
		link("a", "a`", "ap.1", ""):                      false,
		link("a", "a{", "ap.1", ""):                      false,
		link("a", "ap~A", "ap.1", ""):                    false,
		link("a", "", times("ap.1", MaxItems), ""):       true,
		link("a", "", times("ap.1", MaxItems+1), ""):     false,
		link("a", "", "ap.3", ""):                        true,
		link("a", "", "ap.4", ""):                        false,
		link("a", "", "ap.0", ""):                        false,
		link("a", "", "ap.x", ""):                        false,
		link("a", "", "ap.1", "&u=4294967296"):           true,
		link("a", "", "ap.1", "&u=4294967297"):           false,
		link("a", "", "ap.1", "&u=1"):                    true,
		link("a", "", "ap.1", "&u=0"):                    false,
	} {
		if c, err := Decode(text); (err == nil) != ok || ok && c.Link() != text {
			t.Errorf("%.80s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"  a \t b\n": "a b", "a\x1fb\x7fc": "a b c", "a\xffb": "a b", "~ !": "~ !", strings.Repeat("a",
			61): strings.Repeat("a", 60),
		strings.Repeat("a", 59) + "ü": strings.Repeat("a", 59), strings.Repeat("a", 58) + "ü": strings.Repeat("a",
			58) + "ü",
		strings.Repeat("a", 59) + " b": strings.Repeat("a", 59),
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q is kept as %q, want %q", text, got, want)
		}
	}
	if got := (Item{"nothing", 1}).Title(); got != "nothing" {
		t.Errorf("an exercise that is not known is called %s", got)
	}
}

// entry returns the right answer of a student to an item.
func entry(c *Class, name string, item int) int {
	right, _ := answers(c.Exercise(name, item))
	return right
}

// The last paper of a student counts.
func TestOfThreePapersTheLastCounts(t *testing.T) {
	c := some()
	var papers []Paper
	for i, finished := range []Minute{noon + 1, noon + 3, noon, noon + 2} {
		r := student(c, "Ann", i)
		r.Finished = finished
		papers = append(papers, Paper{fmt.Sprint("p", i), c.Code(r)})
	}
	papers = append(papers, Paper{"q", c.Code(student(c, "Bob", 4))})
	b := c.Collect(papers)
	var got []string
	for _, r := range b.Rows {
		got = append(got, r.File+" "+string(r.Status))
	}
	want := []string{"p1 counted", "q counted", "p3 no result", "p0 no result", "p2 no result"}
	if b.Counted != 2 || !slices.Equal(got, want) || b.Items[0].Answered != 2 {
		t.Errorf("%d count: %v, want %v", b.Counted, got, want)
	}
}

// A paper whose answers fit another student's exercises (three of three, or three of four) is a copy unless half of
// it is right for its own.
func TestCopiesAreSaidFromThreeInFourOn(t *testing.T) {
	for _, x := range []struct {
		items, others, own int
		want               bool
	}{
		{4, 4, 0, true}, {4, 3, 0, true}, {4, 2, 0, false}, {3, 3, 0, true}, {2, 2, 0, false}, {8, 6, 0, true}, {8, 5,
			0, false},
		{4, 4, 1, true}, {4, 4, 2, false}, {5, 5, 2, true}, {5, 5, 3, false},
	} {
		c := &Class{Title: "k", Seed: "k"}
		for range x.items {
			c.Items = append(c.Items, Item{"ap", 3})
		}
		r := &Result{Student: "copy", Finished: noon}
		for i := range x.items {
			tries := []int{1234567}
			if i < x.others {
				tries = append(tries, entry(c, "source", i))
			}
			if i < x.own {
				tries = append(tries, entry(c, "copy", i))
			}
			r.Answers = append(r.Answers, tries)
		}
		source := student(c, "source", x.items)
		b := c.Collect([]Paper{{"r", c.Code(r)}, {"s", c.Code(source)}, {"t", c.Code(student(c, "third", 0))}})
		why := ""
		if x.want {
			why = fmt.Sprint(x.others, " of its answers fit the exercises of source")
		}
		if b.Rows[0].Why != why || b.Rows[0].Points() != x.own || b.Rows[1].Why != "" || b.Rows[2].Why != "" {
			t.Errorf("%+v: %q with %d points", x, b.Rows[0].Why, b.Rows[0].Points())
		}
	}
}

// Two students made the same mistake, one of them three times, and one made another: each counts once, sorted by
// number, then by name.
func TestMistakesAreCountedOncePerStudent(t *testing.T) {
	c := &Class{Title: "k", Seed: "k", Items: []Item{{"ap", 3}}}
	const wild = 1234567
	var papers []Paper
	hand := func(name string, tries ...int) {
		papers = append(papers, Paper{name, c.Code(&Result{Student: name, Finished: noon, Answers: [][]int{tries}})})
	}
	named := func(name string) lesson.Mistake { return c.Exercise(name, 0).Wrong[0] }
	hand("a", wild, wild, entry(c, "a", 0))
	hand("b", wild, lesson.Entry(named("b").Value))
	hand("c", entry(c, "c", 0))
	hand("d")
	hand("e", lesson.Entry(named("e").Value), wild)
	b := c.Collect(papers)
	s := b.Items[0]
	if s.Answered != 4 || s.First != 1 || s.Last != 2 || !slices.Equal(b.Spread, []int{3, 2}) || b.Counted != 5 {
		t.Errorf("%+v, spread %v", s, b.Spread)
	}
	times := 0
	for i, m := range s.Mistakes {
		times += m.Times
		if i > 0 {
			if p := s.Mistakes[i-1]; p.Times < m.Times || p.Times == m.Times && p.Name >= m.Name {
				t.Errorf("order: %+v", s.Mistakes)
			}
		}
	}
	if s.Mistakes[0] != (MistakeCount{"another wrong answer", 3}) || times != 5 {
		t.Errorf("%+v", s.Mistakes)
	}
	kind := func(name string) string { e := c.Exercise(name, 0); return e.Kind(e.Check(named(name).Value)) }
	var made []string
	for _, r := range b.Rows {
		made = append(made, r.Made[0])
	}
	if want := []string{"", "", "", "", kind("e")}; !slices.Equal(made, want) || kind("e") == "" {
		t.Errorf("first mistakes %q, want %q", made, want)
	}
}

func TestLateIsBehindTheDeadline(t *testing.T) {
	c := some()
	for _, x := range []struct {
		until, finished Minute
		want            bool
	}{{noon, noon, false}, {noon, noon + 1, true}, {noon, noon - 1, false}, {0, noon, false}} {
		c.Until = x.until
		r := student(c, "a", 1)
		r.Finished = x.finished
		if row := c.Collect([]Paper{{"a", c.Code(r)}}).Rows[0]; row.Late != x.want {
			t.Errorf("%+v: late is %v", x, row.Late)
		}
	}
}

func TestTheTableOfAGradeBook(t *testing.T) {
	c := &Class{Title: "k", Seed: "k", Items: []Item{{"ap", 3}, {"ap", 2}}, Until: noon - 1}
	good := student(c, "Ann", 2)
	file := c.File(student(c, "Bob", 1))
	changed := strings.Replace(file, "right: 1 of 2", "right: 2 of 2", 1)
	b := c.Collect([]Paper{{"z.txt", "nothing"}, {"b.txt", changed}, {"a.txt", c.Code(good)}, {"y.txt", "no"}})
	e := c.Exercise("Ann", 1)
	_, wrong := answers(e)
	table := b.Table()
	for i, want := range []string{
		"student|file|status|points|of|first try|finished (UTC, the student's clock)|late|note|1 ap.3|1 tries|1 " +
			"first mistake|2 ap.2|2 tries|2 first mistake",
		"Ann|a.txt|counted|2|2|1|2026-11-22 12:00|late||1|1||1|2|" + e.Kind(e.CheckEntry(wrong)),
		"Bob|b.txt|changed by hand||2||2026-11-22 12:00|late|" + b.Rows[1].Why + "||||||",
		"|y.txt|no result||2||||no result of a class||||||",
		"|z.txt|no result||2||||no result of a class||||||",
	} {
		if got := strings.Join(table[i], "|"); got != want {
			t.Errorf("row %d: %s\nwant %s", i, got, want)
		}
	}
	wrongs := student(c, "Cem", 0)
	row := c.Collect([]Paper{{"c", c.Code(wrongs)}}).Table()[1]
	if row[3] != "0" || row[9] != "0" || row[10] != "1" {
		t.Errorf("%q", row)
	}
}

func TestTheClassOfMostPapers(t *testing.T) {
	one, two := some(), some()
	two.Seed = "summer 27"
	a, b := one.File(student(one, "a", 1)), two.File(student(two, "b", 1))
	for want, texts := range map[*Class][]string{one: {a, b}, two: {a, b, b}} {
		var papers []Paper
		for _, s := range texts {
			papers = append(papers, Paper{"p", s})
		}
		if got := Of(papers); got == nil || got.ID() != want.ID() {
			t.Errorf("%v", got)
		}
	}
	if c := Of([]Paper{{"p", "link: nothing"}, {"q", "RB1-0"}}); c != nil {
		t.Errorf("%+v", c)
	}
}

func TestPastedLinesWithoutANameAreNumbered(t *testing.T) {
	for text, want := range map[string][]Paper{
		"rb1-a\n : RB1-b":     {{"x, line 1", "rb1-a"}, {"x, line 2", "RB1-b"}},
		"Ann, RB1-":           {{"Ann", "RB1-"}},
		"RB1":                 {{"x", "RB1"}},
		"":                    {{"x", ""}},
		fileTitle + "\nRB1-a": {{"x", fileTitle + "\nRB1-a"}},
	} {
		if got := Papers("x", text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
