package lesson

import "strings"

// Markdown returns the lesson as Markdown slides for Marp, reveal.js or pandoc, which can also produce a PDF. They
// are the slides of presenter view, separated by "---". An answer is on the slide after its question. Notes for the
// teacher are comments, which Marp shows beside the slides. An interactive figure is a link to its slide on the
// site.
func (l *Lesson) Markdown() string {
	var b strings.Builder
	b.WriteString("---\nmarp: true\nsize: 16:9\n---\n\n# " + escapeMD(l.Title) + "\n\n" + escapeMD(l.Teaches) +
		".\n\nRankbox, lesson " + itoa(l.Number) + ", " + itoa(l.Minutes) + " minutes\n")
	for _, ask := range l.Asks {
		b.WriteString("\n<!-- " + escapeComment(ask) + " -->\n")
	}
	parts := map[int]int{} // number of slides per step so far
	for _, s := range l.Slides() {
		parts[s.Step]++
		title := "\n---\n\n## " + itoa(s.Step+1) + " · " + Titles[s.Step] + "\n"
		b.WriteString(title)
		if s.End {
			b.WriteString("\n**" + escapeMD(l.Remember) + "**\n\nA common misconception: " + escapeMD(l.Misconception) +
				".\n")
			continue
		}
		at := "/learn/" + l.Name + "?presenter#step-" + itoa(s.Step+1)
		if n := parts[s.Step]; n > 1 {
			at += "." + itoa(n)
		}
		for _, j := range s.Blocks {
			if s.From > 0 { // the other articles to judge
				break
			}
			l.Steps[s.Step][j].markdown(&b, title, at, l.Name)
		}
	}
	return b.String()
}

// markdown writes a block. title begins a slide, and at is the URL of the block's slide on the site.
func (x *Block) markdown(b *strings.Builder, title, at, seed string) {
	switch x.Kind {
	case Text:
		b.WriteString("\n" + spanText(x.Spans) + "\n")
	case Question:
		b.WriteString("\n**" + spanText(x.Spans) + "**\n\n")
		right := ""
		for _, o := range x.Options {
			b.WriteString("- " + escapeMD(o.Text) + "\n")
			if o.Right {
				right = escapeMD(o.Text)
			}
			if o.Slip != "" {
				b.WriteString("  <!-- " + escapeComment(o.Text+": "+o.Slip) + " -->\n")
			}
		}
		b.WriteString(title + "\n**" + spanText(x.Spans) + "** " + right + "\n\n" + escapeMD(x.Note) + "\n")
	case Table, Bars:
		if x.Note != "" {
			b.WriteString("\n" + escapeMD(x.Note) + "\n")
		}
		b.WriteString("\n")
		for i, r := range x.Rows {
			for _, cell := range r {
				b.WriteString("| " + escapeMD(cell) + " ")
			}
			b.WriteString("|\n")
			if i == 0 {
				b.WriteString(strings.Repeat("| --- ", len(r)) + "|\n")
			}
		}
	case Drill:
		e := Make(x.Name, x.Level, seed)
		b.WriteString("\n" + escapeMD(e.Question) + "\n\n")
		for _, g := range e.Given {
			b.WriteString("- " + escapeMD(g) + "\n")
		}
		if e.Order != nil {
			b.WriteString("\n[Put them in order](" + at + ")\n")
			return
		}
		b.WriteString("\n<!-- Answer: " + escapeComment(e.Written(e.Answer)+". "+e.Working) + " -->\n")
	case Link:
		b.WriteString("\n[" + escapeMD(x.Note) + "](" + x.Link + ")\n")
	case Judging:
		b.WriteString("\n[Judge the articles that are found for “" + escapeMD(x.Note) + "”](" + at + ")\n")
	default:
		b.WriteString("\n[Open the figure of this slide](" + at + ")\n")
	}
}

// spanText formats running text with its emphasis, code and links.
func spanText(spans []Span) string {
	out := ""
	for _, s := range spans {
		switch s.Style {
		case "em":
			out += "*" + escapeMD(s.Text) + "*"
		case "code":
			out += "`" + strings.ReplaceAll(s.Text, "`", "'") + "`"
		case "a":
			out += "[" + escapeMD(s.Text) + "](" + s.To + ")"
		default:
			out += escapeMD(s.Text)
		}
	}
	return out
}

// escapeMD escapes text for Markdown.
func escapeMD(s string) string { return escaped.Replace(s) }

var escaped = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]",
	"<", "&lt;", "|", "\\|", "#", "\\#", "\n", " ")

// escapeComment escapes text for an HTML comment, which two hyphens would end.
func escapeComment(s string) string { return strings.NewReplacer("--", "–", "\n", " ").Replace(s) }
