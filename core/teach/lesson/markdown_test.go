package lesson

import (
	"strings"
	"testing"
)

// Expectations are written by hand in Marp's Markdown: front matter, "---" between slides.
func TestMarkdownHasEverySlide(t *testing.T) {
	l := &Lesson{Head: Head{Name: "one", Number: 1, Minutes: 9, Title: "P@k * recall", Teaches: "How to count",
		Misconception: "P is R", Remember: "Count both.", Asks: []string{"Why? -- Because."}},
		Steps: [][]Block{
			{{Kind: Text, Spans: []Span{{Text: "Grades "}, {Text: "3 0", Style: "code"}, {Text: " of <b>"}}},
				{Kind: Question, Spans: []Span{{Text: "What is P@2?"}}, Note: "One of two.",
					Options: []Option{{Text: "0.5", Right: true}, {Text: "1", Slip: "counts the grade"}}}},
			{{Kind: Figure, Name: "counters"}},
			{{Kind: Table, Note: "Two ranks", Rows: [][]string{{"rank", "grade"}, {"1", "3|0"}}}},
			{},
			{{Kind: Link, Link: "/search", Note: "Open it"}},
		}}
	want := `---
marp: true
size: 16:9
---

# P@k \* recall

How to count.

Rankbox, lesson 1, 9 minutes

<!-- Why? – Because. -->

---

## 1 · Predict

Grades ` + "`3 0`" + ` of &lt;b>

**What is P@2?**

- 0.5
- 1
  <!-- 1: counts the grade -->

---

## 1 · Predict

**What is P@2?** 0.5

One of two.

---

## 2 · Do

[Open the figure of this slide](/learn/one?presenter#step-2)

---

## 3 · See the arithmetic

Two ranks

| rank | grade |
| --- | --- |
| 1 | 3\|0 |

---

## 5 · The same on real data

[Open it](/search)

---

## 5 · The same on real data

**Count both.**

A common misconception: P is R.
`
	if got := l.Markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	l.Steps[3] = []Block{{Kind: Drill, Name: "ap", Level: 1}}
	e := Make("ap", 1, "one")
	if got := l.Markdown(); !strings.Contains(got, escapeMD(e.Question)) ||
		!strings.Contains(got, "<!-- Answer: "+Written(e.Answer)) {
		t.Errorf("the exercise is missing:\n%s", got)
	}
}
