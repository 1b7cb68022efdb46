package class

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/teach/lesson"
)

func some() *Class {
	return &Class{Title: "IR, group 2", Lessons: []string{"ap", "ndcg"}, Seed: "winter 26",
		Until: MinuteOf(time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC)),
		Items: []Item{{"ap", 1}, {"ndcg", 2}, {"precision", 1}, {"order", 1}}}
}

var noon = MinuteOf(time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))

// right answers an exercise correctly, wrong incorrectly: an order with the ideal one, a number with its first
// mistake.
func answers(e *lesson.Exercise) (right, wrong int) {
	if e.Order == nil {
		return lesson.Entry(e.Answer), lesson.Entry(e.Wrong[0].Value)
	}
	right, wrong = -1, -1
	for n := 0; right < 0 || wrong < 0; n++ {
		if e.CheckEntry(n).Right {
			right = n
		} else {
			wrong = n
		}
	}
	return right, wrong
}

// student answers the given number of items correctly, even ones at the first try, and the others incorrectly.
func student(c *Class, name string, good int) *Result {
	r := &Result{Student: name, Finished: noon}
	for i := range c.Items {
		right, wrong := answers(c.Exercise(name, i))
		switch {
		case i >= good:
			r.Answers = append(r.Answers, []int{wrong})
		case i%2 == 0:
			r.Answers = append(r.Answers, []int{right})
		default:
			r.Answers = append(r.Answers, []int{wrong, right})
		}
	}
	return r
}

func TestALinkHoldsTheClass(t *testing.T) {
	c := some()
	got, err := Decode(c.Link())
	if err != nil || got.Link() != c.Link() || got.ID() != c.ID() || got.Until != c.Until ||
		got.Items[3] != c.Items[3] {
		t.Fatalf("%+v, %v", got, err)
	}
	for name, link := range map[string]string{
		"of something else":    "play=1",
		"without exercises":    Prefix + "t=a&l=&e=&s=b",
		"no such exercise":     Prefix + "t=a&l=&e=nothing.1&s=b",
		"no such level":        Prefix + "t=a&l=&e=ap.4&s=b",
		"twice":                Prefix + "t=a&t=b&l=&e=ap.1&s=b",
		"no time":              Prefix + "t=a&l=&e=ap.1&s=b&u=-3",
		"another order":        Prefix + "l=&t=a&e=ap.1&s=b",
		"a path for a lesson":  Prefix + "t=a&l=../x&e=ap.1&s=b",
		"a name that is long":  Prefix + "t=" + strings.Repeat("a", 61) + "&l=&e=ap.1&s=b",
		"too many exercises":   Prefix + "t=a&l=&e=" + strings.Repeat("ap.1~", 30) + "ap.1&s=b",
		"something unknown":    Prefix + "t=a&l=&e=ap.1&s=b&x=1",
		"a lesson called dots": Prefix + "t=a&l=~&e=ap.1&s=b",
	} {
		if c, err := Decode(link); !errors.Is(err, ErrLink) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func TestCodesAndFilesComeBack(t *testing.T) {
	c := some()
	for _, name := range []string{"4711", "Zoë Müller", "", strings.Repeat("ö", 30)} {
		r := student(c, name, 3)
		code := c.Code(r)
		for _, typed := range []string{code, strings.ToLower(code), strings.ReplaceAll(code, "-", " - "),
			strings.ReplaceAll(code[4:], "0", "O")} {
			if !strings.HasPrefix(strings.ToUpper(typed), codePrefix) {
				typed = codePrefix + strings.TrimPrefix(strings.ReplaceAll(typed, " ", ""), codePrefix)
			}
			if strings.Contains(typed, " - ") {
				typed = codePrefix + typed[len("RB1 - "):]
			}
			got, err := c.ReadCode(typed)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(r) {
				t.Fatalf("%s: %v, %v; want %v", typed, got, err, r)
			}
		}
		for _, file := range []string{c.File(r), strings.ReplaceAll(c.File(r), "\n", "\r\n"), "\ufeff" + c.File(r) +
			"\n\n"} {
			if got, err := c.ReadFile(file); err != nil || fmt.Sprint(got) != fmt.Sprint(r) {
				t.Fatalf("%v, %v\n%s", got, err, file)
			}
		}
	}
	if n := len(c.Code(student(c, "4711", 3))); n > 80 {
		t.Errorf("the code of four exercises has %d characters", n)
	}
}

// Every change of a single character in a file is detected: the checksum fails, or the line differs from the
// answers.
func TestEveryChangeShows(t *testing.T) {
	c := some()
	file := c.File(student(c, "4711", 2))
	for i := range len(file) {
		if file[i] == '\n' || file[i] == ' ' {
			continue // ignored at the end of a line
		}
		other := byte('7')
		if file[i] == other {
			other = '3'
		}
		changed := file[:i] + string(other) + file[i+1:]
		if _, err := c.ReadFile(changed); err == nil {
			t.Fatalf("byte %d, %q for %q, is not found", i, other, file[i])
		}
	}
	for i := range len(file) - 2 {
		if _, err := c.ReadFile(file[:i]); err == nil {
			t.Fatalf("cut at byte %d of %d it is taken", i, len(file))
		}
	}
}

// Thirty files, three of them invalid: one truncated, one with a changed claim, one of another class. A fourth has
// a neighbour's answers under another name with a correct checksum: it counts, its answers are wrong, and the
// report names the neighbour.
func TestThirtyFiles(t *testing.T) {
	c := some()
	var papers []Paper
	for i := range 30 {
		r := student(c, "student "+strconv.Itoa(i), i%5)
		papers = append(papers, Paper{"r" + strconv.Itoa(i) + ".txt", c.File(r)})
	}
	papers[3].Text = papers[3].Text[:len(papers[3].Text)-20]
	papers[7].Text = strings.Replace(papers[7].Text, "right: 2 of 4", "right: 4 of 4", 1)
	other := some()
	other.Seed = "summer 27"
	papers[11].Text = other.File(student(other, "student 11", 4))
	papers[14].Text = c.File(&Result{Student: "copycat", Finished: noon, Answers: student(c, "student 4", 4).Answers})
	papers[20].Text = "Dear teacher, I was ill."
	b := c.Collect(papers)
	got := map[Status][]string{}
	for _, r := range b.Rows {
		got[r.Status] = append(got[r.Status], r.File)
	}
	for status, want := range map[Status]string{Changed: "[r7.txt]", Damaged: "[r3.txt]", Foreign: "[r11.txt]",
		None: "[r20.txt]"} {
		if s := fmt.Sprint(got[status]); s != want {
			t.Errorf("%s: %s, want %s", status, s, want)
		}
	}
	if b.Counted != 26 || len(got[Good]) != 26 {
		t.Errorf("%d count", b.Counted)
	}
	for _, r := range b.Rows {
		switch r.File {
		case "r7.txt":
			if !strings.Contains(r.Why, "“right: 4 of 4, 1 at the first try”") ||
				!strings.Contains(r.Why, "“right: 2 of 4, 1 at the first try”") {
				t.Errorf("the claim: %s", r.Why)
			}
		case "r14.txt":
			if r.Points() != 0 || !strings.Contains(r.Why, "fit the exercises of student 4") {
				t.Errorf("the copy has %d points: %s", r.Points(), r.Why)
			}
		case "r11.txt":
			if !strings.Contains(r.Why, other.ID()) {
				t.Errorf("of another class: %s", r.Why)
			}
		}
	}
	// 30 students have i%5 points; without 3, 7, 11, 14, 20: 0 loses 20, 1 loses 11, 2 loses 7, 3 loses 3, 4 loses
	// 14; the copy has 0.
	if s := fmt.Sprint(b.Spread); s != "[6 5 5 5 5]" {
		t.Errorf("points %s", s)
	}
	// The first item: right at once for students with a point, 20 of 26; the second after a mistake for those with
	// two, 15.
	if s := b.Items[0]; s.Answered != 26 || s.First != 20 || s.Last != 20 || len(s.Mistakes) == 0 {
		t.Errorf("item 1: %+v", s)
	}
	if s := b.Items[1]; s.First != 0 || s.Last != 15 {
		t.Errorf("item 2: %+v", s)
	}
	table := b.Table()
	if len(table) != 31 || len(table[0]) != 9+3*4 {
		t.Errorf("%d rows of %d cells", len(table), len(table[0]))
	}
	for _, row := range table {
		if len(row) != len(table[0]) {
			t.Errorf("%d cells: %v", len(row), row)
		}
	}
	if Of(papers).ID() != c.ID() {
		t.Error("the class of most papers")
	}
}

func TestPastedCodesAreCutIntoPapers(t *testing.T) {
	c := some()
	a, b := c.Code(student(c, "a", 4)), c.Code(student(c, "b", 1))
	p := Papers("pasted", "Ann; "+a+"\n\nBob\t\""+b+"\"\nnothing\n")
	if len(p) != 2 || p[0].Name != "Ann" || p[1].Name != "Bob" {
		t.Fatalf("%q", p)
	}
	book := c.Collect(append(p, Papers("pasted", a)...))
	if book.Counted != 2 || book.Rows[2].Why != "handed in twice: the later one counts" {
		t.Errorf("%+v", book.Rows)
	}
	late := student(c, "c", 4)
	late.Finished = c.Until + 1
	if book := c.Collect([]Paper{{"c", c.Code(late)}}); !book.Rows[0].Late {
		t.Error("a minute late")
	}
}

func TestMistakesAreCountedWithoutTheNumbersOfOneStudent(t *testing.T) {
	c := &Class{Title: "k", Seed: "k", Items: []Item{{"precision", 1}}}
	const whole = "counted the whole list instead of the first "
	var papers []Paper
	cutoffs := map[string]bool{}
	for i := range 40 {
		r := &Result{Student: strconv.Itoa(i), Finished: MinuteOf(time.Unix(1e9, 0))}
		for _, m := range c.Exercise(r.Student, 0).Wrong {
			if strings.HasPrefix(m.Name, whole) {
				cutoffs[m.Name] = true
				r.Answers = [][]int{{lesson.Entry(m.Value)}}
				papers = append(papers, Paper{r.Student, c.Code(r)})
			}
		}
	}
	book := c.Collect(papers)
	if len(cutoffs) < 2 || !slices.Equal(book.Items[0].Mistakes, []MistakeCount{{whole + "k", len(papers)}}) ||
		book.Rows[0].Made[0] != whole+"k" {
		t.Errorf("%v are counted as %+v", cutoffs, book.Items[0].Mistakes)
	}
}

// The longest valid link is read or refused by content; longer ones are refused unread.
func TestTheLongestLink(t *testing.T) {
	for n, long := range map[int]bool{maxLink: false, maxLink + 1: true} {
		_, err := Decode(Prefix + strings.Repeat("x", n-len(Prefix)))
		if err == nil || strings.Contains(err.Error(), "longer than 2000 characters") != long {
			t.Errorf("%d characters: %v", n, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	c := some()
	r := student(c, "4711", 2)
	f.Add(c.File(r), c.Code(r))
	f.Add("", "RB1-")
	f.Fuzz(func(t *testing.T, file, code string) {
		if got, err := c.ReadFile(file); err == nil {
			if again, err := c.ReadFile(c.File(got)); err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
				t.Fatalf("%q is read as %v and then as %v, %v", file, got, again, err)
			}
		}
		if got, err := c.ReadCode(code); err == nil {
			if again, err := c.ReadCode(c.Code(got)); err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
				t.Fatalf("%q is read as %v and then as %v, %v", code, got, again, err)
			}
		}
		c.Collect(append(Papers("a", file), Papers("b", code)...)).Table()
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(some().Link())
	f.Fuzz(func(t *testing.T, link string) {
		if c, err := Decode(link); err == nil {
			if again, err := Decode(c.Link()); err != nil || again.ID() != c.ID() {
				t.Fatalf("%q: %v", link, err)
			}
		}
	})
}

func ExampleClass_Collect() {
	c, err := Decode("lesson=class1&t=IR&l=ap&e=ap.1&s=1")
	if err != nil {
		return
	}
	r := &Result{Student: "4711", Answers: [][]int{{lesson.Entry(c.Exercise("4711", 0).Answer)}}}
	fmt.Println(c.Collect([]Paper{{"4711.txt", c.File(r)}}).Rows[0].Points())
	// Output: 1
}
