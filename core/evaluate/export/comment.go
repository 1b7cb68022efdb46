package export

import (
	"io"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// WriteComment writes a report as a comment on a change of code, in GitHub's Markdown: the verdict first, what is not
// met, the leaderboard, and the worst queries folded. r is nil if nothing was measured. The comment begins with the
// line markerOf(key), by which a later comment finds it (see UpdateComment). link is an address that opens the
// report's queries, "" for none.
func WriteComment(w io.Writer, r *report.Report, v gates.Conditions, key, link string) error {
	var b builder
	b.line(markerOf(key))
	word := "passed"
	switch {
	case v.Failed() > 0:
		word = "failed"
	case v.Count() == 0:
		word = "measured"
	}
	b.line("### Rankbox: ", word)
	b.line()
	about := ""
	if r != nil {
		about = " " + markdownText(say.Visible(r.Sentence(say.Plain)))
	}
	b.line(markdownText(v.Sentence()), about)
	if link != "" {
		b.line()
		b.line("[See every query, its documents and the arithmetic](<", link, ">)")
	}
	var failed, met []gates.Condition
	for _, c := range v.List() {
		if c.Failed {
			failed = append(failed, c)
		} else {
			met = append(met, c)
		}
	}
	if len(failed) > 0 {
		b.line()
		b.list(failed)
		b.rests(failed)
	}
	if len(met) > 0 {
		b.fold(say.Count(len(met), "condition", "conditions")+" met", func() {
			b.list(met)
		})
	}
	if len(v.Notes) > 0 {
		b.line()
		for _, n := range v.Notes {
			b.line(markdownText(say.Visible(n)), "  ")
		}
	}
	for _, x := range v.More {
		b.fold(markdownText(say.Visible(x.Title)), func() {
			for _, line := range x.Lines {
				b.line("- ", markdownText(say.Visible(strings.TrimSpace(line))))
			}
		})
	}
	if r == nil {
		_, err := io.WriteString(w, b.String())
		return err
	}
	b.fold("All runs and tests", func() { writeMarkdown(&b, r, Detail{}) })
	_, err := io.WriteString(w, b.String())
	return err
}

// shownConditions is how many conditions a list has: GitHub takes comments of 65,536 characters.
const shownConditions = 50

// list writes conditions, a line each.
func (b *builder) list(all []gates.Condition) {
	for i, c := range all {
		if i == shownConditions {
			b.line("- and ", strconv.Itoa(len(all)-i), " more")
			return
		}
		b.line("- ", markdownText(say.Visible(c.Line)))
	}
}

// rests folds what failed conditions say beyond their first line.
func (b *builder) rests(failed []gates.Condition) {
	title, any := "Queries with the largest change", false
	for _, c := range failed {
		any = any || c.Rest != ""
		if c.Suite == gates.QuerySuite && c.Rest != "" {
			title = "Further reasons, and the queries with the largest change"
		}
	}
	if !any {
		return
	}
	b.fold(title, func() {
		for _, c := range failed[:min(len(failed), shownConditions)] {
			if c.Rest == "" {
				continue
			}
			b.line(markdownText(say.Visible(c.Name)))
			b.line()
			for _, q := range strings.Split(c.Rest, "\n") {
				b.line("- ", markdownText(say.Visible(strings.TrimSpace(q))))
			}
			b.line()
		}
	})
}

// fold writes what is shown when somebody opens it.
func (b *builder) fold(title string, inside func()) {
	b.line()
	b.line("<details><summary>", title, "</summary>")
	b.line()
	inside()
	b.line()
	b.line("</details>")
}

// The lines between which a comment stands.
const (
	markerOpen = "<!-- rankbox:"
	markerEnd  = "<!-- /rankbox -->"
)

// markerOf is the first line of the comment of a key: letters, digits, - and _, whatever else it has.
func markerOf(key string) string {
	return markerOpen + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, key) + " -->"
}

// UpdateComment puts a comment in the place of the one of the same key in a text, or behind it where there is none.
// What else stands in the text stays. comment is what WriteComment wrote.
func UpdateComment(text, comment string) string {
	marker, _, _ := strings.Cut(comment, "\n")
	comment = strings.TrimRight(comment, "\n") + "\n" + markerEnd + "\n"
	at := 0
	if !strings.HasPrefix(text, marker+"\n") {
		if at = strings.Index(text, "\n"+marker+"\n"); at < 0 {
			if text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			return text + comment
		}
		at++
	}
	rest := text[at:]
	end := strings.Index(rest, markerEnd)
	next := strings.Index(rest[len(marker):], "\n"+markerOpen)
	switch {
	case end < 0 && next < 0:
		return text[:at] + comment
	case end < 0 || next >= 0 && next+len(marker) < end: // its end was lost
		return text[:at] + comment + rest[len(marker)+next+1:]
	}
	return text[:at] + comment + strings.TrimPrefix(rest[end+len(markerEnd):], "\n")
}
