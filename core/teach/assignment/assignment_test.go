package assignment

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/project/workspace"
)

func sample(students, documents int) *Class {
	c := &Class{Title: "IR 2026, group 2", Each: 2, Seed: 1, Scale: DefaultScale,
		Guidelines: "Read to the end.\nA \"list\" of links is 1."}
	for i := range students {
		c.Students = append(c.Students, fmt.Sprintf("Zoë %d", i+1))
	}
	for i := range documents {
		c.Pool = append(c.Pool, workspace.Pooled{Query: fmt.Sprint("q", i%10), Document: fmt.Sprintf("hw-%04d", i)})
	}
	return c
}

func shares(t *testing.T, c *Class) []Assignment {
	t.Helper()
	list, err := c.Assignments(Assignment{Collection: "harbour-wire", Hash: "0123456789abcdef", Name: "Harbour Wire",
		Queries: []workspace.Query{{ID: "q3", Text: "ferry strike", Narrative: "not of 2023"}}})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// 720 documents with two judges each are 1440 judgments: 48 for each of 30 students.
func TestThirtySharesFitLinksAndComeBack(t *testing.T) {
	c := sample(30, 720)
	read, err := ReadClass(c.Text())
	if err != nil || !reflect.DeepEqual(read, c) {
		t.Fatalf("the class comes back as %+v: %v", read, err)
	}
	seen := map[workspace.Pooled]int{}
	ids := map[string]bool{}
	for _, a := range shares(t, c) {
		if len(a.Documents) != 48 {
			t.Errorf("%s has %d documents", a.Student, len(a.Documents))
		}
		for _, d := range a.Documents {
			seen[d]++
		}
		ids[a.ID()] = true
		link, err := a.Link()
		if err != nil || len(link) > 1000 {
			t.Fatalf("a link of %d characters, %v", len(link), err)
		}
		for _, sent := range []string{link, "#" + link, "  " + link[:40] + "\r\n " + link[40:] + ".",
			strings.ReplaceAll(link, "&", "&amp;"), strings.ReplaceAll(link, "&", "%26")} {
			if got, err := Read(sent); err != nil || !reflect.DeepEqual(got, &a) {
				t.Fatalf("%q comes back as %+v: %v", sent, got, err)
			}
		}
		if got, err := ReadFile(a.File()); err != nil || !reflect.DeepEqual(got, &a) {
			t.Fatalf("the file comes back as %+v: %v", got, err)
		}
	}
	renamed, err := c.Assignments(Assignment{Collection: "harbour-wire", Name: "another"})
	if err != nil || !ids[renamed[7].ID()] {
		t.Errorf("another name of the collection makes another share: %v", err)
	}
	if len(ids) != 30 || len(seen) != 720 {
		t.Errorf("%d shares of %d documents", len(ids), len(seen))
	}
	for d, n := range seen {
		if n != 2 {
			t.Errorf("%v has %d judges", d, n)
		}
	}
}

func TestADamagedLinkIsRefused(t *testing.T) {
	a := shares(t, sample(3, 12))[0]
	link, _ := a.Link()
	for i, c := range []struct {
		link string
		want error
	}{{link[:len(link)-9], ErrDamaged}, {link[:30] + "AAAA" + link[34:], ErrDamaged}, {"v=1&x=1", ErrForeign},
		{Prefix, ErrDamaged}, {Prefix + "Ag&x=" + sum("Ag"), ErrNewer}, {Prefix + "AAAA&x=" + sum("AAAA"), ErrDamaged},
		{Prefix + "AQ&x=" + sum("AQ"), ErrDamaged}} {
		if got, err := Read(c.link); got != nil || !errors.Is(err, c.want) {
			t.Errorf("%d: %v, want %v", i, err, c.want)
		}
	}
	a.Guidelines = strings.Repeat("é", MaxGuidelines)
	link = a.Fragment()
	if _, err := Read(link); err == nil {
		t.Error("guidelines of 16 KiB are taken")
	}
}

// Ids of 100 characters that have nothing in common do not compress: 200 of them are more than 8,192 characters.
func TestAShareThatDoesNotFitALinkSaysHowLongItWouldBe(t *testing.T) {
	a := shares(t, sample(3, 12))[0]
	a.Documents = nil
	state := uint64(1)
	for range 200 {
		var b strings.Builder
		for range 100 {
			state = state*6364136223846793005 + 1442695040888963407
			b.WriteByte('!' + byte(state>>33)%90)
		}
		a.Documents = append(a.Documents, workspace.Pooled{Query: "q1", Document: b.String()})
	}
	_, err := a.Link()
	var long *TooLongError
	if !errors.As(err, &long) || long.Length <= maxLink || !strings.Contains(long.Said(), "links hold 8,192") {
		t.Fatalf("%v", err)
	}
	if got, err := ReadFile(a.File()); err != nil || !reflect.DeepEqual(got, &a) {
		t.Errorf("the file comes back as %+v: %v", got, err)
	}
}

func TestWhatIsHandedInIsCheckedLineByLine(t *testing.T) {
	list := shares(t, sample(3, 12))
	a := list[0]
	var grades []workspace.Judgment
	for i, d := range a.Documents[1:] {
		grades = append(grades, workspace.Judgment{Query: d.Query, Document: d.Document, Grade: float64(i % 4), Graded: true})
	}
	grades = append(grades, workspace.Judgment{Query: "q1", Document: "elsewhere", Grade: 1, Graded: true})
	b, err := a.HandIn(grades)
	if err != nil {
		t.Fatal(err)
	}
	h, err := ReadHandIn(b)
	if err != nil || h.Student != "Zoë 1" || h.Class != "IR 2026, group 2" || h.Of != 8 || len(h.Grades) != 7 {
		t.Fatalf("%+v, %v\n%s", h, err, b)
	}
	if err := a.Check(h); err != nil {
		t.Error(err)
	}
	s := string(b)
	if got, err := ReadHandIn([]byte("\ufeff" + strings.ReplaceAll(s, "\n", " \r\n") + "\r\n\r\n")); err != nil ||
		!reflect.DeepEqual(got, h) {
		t.Errorf("as an editor saves it: %+v, %v", got, err)
	}
	last := strings.LastIndexByte(s[:len(s)-1], '\n') + 1
	changed := []byte(s)
	changed[len(s)-2] ^= 1 // 2 becomes 3, 0 becomes 1
	for name, c := range map[string]struct {
		file string
		want error
	}{
		"cut":             {s[:last], ErrCut},
		"cut in the head": {s[:60], ErrCut},
		"forged":          {string(changed), ErrChanged},
		"another name":    {strings.Replace(s, "Zoë 1", "Zoë 2", 1), ErrChanged},
		"qrels":           {"q1 0 d 1\n", ErrForeign},
	} {
		if got, err := ReadHandIn([]byte(c.file)); got != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", name, got, err, c.want)
		}
	}
	if err := list[1].Check(h); !errors.Is(err, ErrOther) {
		t.Errorf("the share of another: %v", err)
	}
	h.Grades[0].Document = "elsewhere"
	if err := a.Check(h); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "elsewhere") {
		t.Errorf("a document of no share: %v", err)
	}
	if b, err := a.HandIn(nil); err != nil {
		t.Error(err)
	} else if h, err := ReadHandIn(b); err != nil || len(h.Grades) != 0 {
		t.Errorf("nothing graded: %+v, %v", h, err)
	}
}

func TestAClassThatCannotBeIsRefused(t *testing.T) {
	for want, change := range map[string]func(c *Class){
		"listed twice":        func(c *Class) { c.Students[1] = c.Students[0] },
		"1 to 500 students":   func(c *Class) { c.Students = nil },
		"want 2 to 4":         func(c *Class) { c.Scale = c.Scale[:1] },
		"title of the class":  func(c *Class) { c.Title = "" },
		"control character":   func(c *Class) { c.Title = "a\tb" },
		"fewer than 3 judges": func(c *Class) { c.Pool = c.Pool[:2] },
		"guidelines may have": func(c *Class) { c.Guidelines = strings.Repeat("x", MaxGuidelines+1) },
	} {
		c := sample(3, 12)
		change(c)
		if _, err := c.Assignments(Assignment{Collection: "c"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := ReadClass("class\tx\nfoo\tbar\n"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
}

func FuzzRead(f *testing.F) {
	list, _ := sample(3, 12).Assignments(Assignment{Collection: "c"})
	for _, a := range list {
		f.Add(a.Fragment())
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := Read(s)
		if err != nil {
			return
		}
		again, err := Read(a.Fragment())
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Fatalf("%+v comes back as %+v: %v", a, again, err)
		}
	})
}

func FuzzReadHandIn(f *testing.F) {
	list, _ := sample(3, 12).Assignments(Assignment{Collection: "c"})
	d := list[0].Documents[0]
	b, _ := list[0].HandIn([]workspace.Judgment{{Query: d.Query, Document: d.Document, Grade: 1, Graded: true}})
	f.Add(b)
	f.Add(b[:80])
	f.Fuzz(func(t *testing.T, b []byte) {
		if h, err := ReadHandIn(b); err == nil && (h.Student == "" || h.Share == "") {
			t.Fatalf("%+v", h)
		}
	})
}

func FuzzReadClass(f *testing.F) {
	f.Add(sample(3, 12).Text())
	f.Add("class\tx\nscale\ta\tb\nguidelines\t\"\\n\"\nstudent\t1\n")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ReadClass(s)
		if err != nil {
			return
		}
		if again, err := ReadClass(c.Text()); err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("%+v comes back as %+v: %v", c, again, err)
		}
	})
}
