package export

import (
	"io"
	"strings"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/report/gates"
	"github.com/rankbox/rankbox/core/say"
)

// WriteComment writes a report as a comment on a change of code, in GitHub's Markdown: the verdict first, what is not met, the leaderboard, and
// the worst queries folded. It begins with the line markerOf(key), by which a later comment finds it (see UpdateComment).
func WriteComment(w io.Writer, r *report.Report, v gates.Conditions, key string) error {
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
	b.line(markdownText(v.Sentence()), " ", markdownText(say.Visible(r.Sentence(say.Plain))))
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
		for _, c := range failed {
			b.line("- ", markdownText(say.Visible(c.Line)))
		}
		b.fold("The queries that moved most", func() {
			for _, c := range failed {
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
	if len(met) > 0 {
		b.fold(say.Count(len(met), "condition", "conditions")+" met", func() {
			for _, c := range met {
				b.line("- ", markdownText(say.Visible(c.Line)))
			}
		})
	}
	b.fold("All runs and tests", func() { writeMarkdown(&b, r, Detail{}) })
	_, err := io.WriteString(w, b.String())
	return err
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

// UpdateComment puts a comment in the place of the one of the same key in a text, or behind it where there is none. What else stands in the text
// stays. comment is what WriteComment wrote.
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
