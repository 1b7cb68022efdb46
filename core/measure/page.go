package measure

import (
	"math"
	"strconv"
	"strings"
)

// Tooltip returns what a reader who points at the measure's name needs: what it is in a sentence, and its formula.
func (in *Info) Tooltip() string { return in.Title + ". " + in.Brief + " " + in.Formula }

// Page returns the documentation of all measures, policies and conventions as Markdown, generated from the registries.
func Page() string {
	var b strings.Builder
	b.WriteString("# Measures\n\n" +
		"Generated from the registry in core/measure. Notation is that of ir_measures: `Name(parameter=value)@cutoff`. Names of other tools\n" +
		"are understood too. R is the number of relevant documents in the qrels of the query, n the length of the list.\n\n")
	var groups []Group
	for _, in := range All() {
		known := false
		for _, g := range groups {
			known = known || g == in.Group
		}
		if !known {
			groups = append(groups, in.Group)
		}
	}
	for _, g := range groups {
		b.WriteString("## " + string(g) + "\n\n")
		for _, in := range All() {
			if in.Group == g {
				in.page(&b)
			}
		}
	}
	b.WriteString("## Policies\n\nDecisions that change a figure without changing its name. The first option is the default.\n\n" +
		"| switch | options | meaning |\n|---|---|---|\n")
	for _, s := range switches {
		options := "a number"
		if s.Options != nil {
			options = "`" + strings.Join(s.Options, "`, `") + "`"
		}
		b.WriteString("| `" + s.Name + "` | " + options + " | " + s.Doc + " |\n")
	}
	b.WriteString("\n## Conventions\n\nA run can be recomputed as another tool would; every query whose value differs is explained.\n\n" +
		"| tool | version | decisions |\n|---|---|---|\n")
	for _, c := range conventions {
		b.WriteString("| " + c.Name + " | " + c.Version + " | " + c.Doc + " |\n")
	}
	return b.String()
}

func (in *Info) page(b *strings.Builder) {
	b.WriteString("### " + in.Name + "\n\n**" + strings.ToUpper(in.Title[:1]) + in.Title[1:] + ".** " + in.Brief + "\n\n")
	b.WriteString("    " + in.Formula + "\n\n")
	b.WriteString("- Range: " + limit(in.Low) + " to " + limit(in.High))
	if in.Lower {
		b.WriteString("; smaller is better")
	}
	if in.Sum {
		b.WriteString("; the summary over queries is the sum")
	}
	b.WriteString("\n")
	for i := range in.Params {
		p := &in.Params[i]
		name := "`" + p.Name + "`"
		if p.At {
			name += " (after `@`)"
		}
		b.WriteString("- " + name + ": " + p.Doc + "; " + p.usual() + "\n")
	}
	if len(in.Aliases) > 0 {
		b.WriteString("- Also:")
		for i, a := range in.Aliases {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString(" `" + a.Name + "`")
			if a.Set != "" {
				b.WriteString(" = `" + in.Name + "(" + a.Set + ")`")
			}
			if a.Tool != "" {
				b.WriteString(" (" + a.Tool + ")")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("- Reference: " + in.Reference + "\n")
	e := in.Example
	b.WriteString("- Example: `" + e.Measure + "` of ")
	switch {
	case e.Subtopics != nil:
		b.WriteString("documents relevant to sub-topics " + subtopicText(e.Subtopics))
	default:
		b.WriteString("the grades " + gradesText(e.Ranked))
		if e.Judged != nil {
			b.WriteString(" (judged: " + gradesText(e.Judged) + ")")
		}
	}
	b.WriteString(" is " + strconv.FormatFloat(e.Value, 'f', 4, 64) + ": " + e.Working + "\n")
	for _, n := range in.Notes {
		b.WriteString("- " + n + "\n")
	}
	b.WriteString("\n")
}

// usual says what a parameter is when it is not given.
func (p *Param) usual() string {
	switch {
	case p.Required:
		return "required"
	case p.Optional || p.Kind == KindGains || p.Kind == KindList:
		return "optional"
	case p.Kind == KindInt:
		return "default " + strconv.Itoa(int(p.Default))
	case p.Kind == KindBool && p.Default != 0:
		return "default True"
	case p.Kind == KindBool:
		return "default False"
	case p.Kind == KindChoice:
		return "default '" + p.Choices[int(p.Default)] + "'"
	}
	return "default " + floatText(p.Default)
}

func limit(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "any"
	case math.IsInf(v, -1):
		return "any"
	case v == math.Trunc(v):
		return strconv.Itoa(int(v))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// gradesText writes a ranking as "1 0 - 2", "-" for a document without a judgment.
func gradesText(g []int32) string {
	var b strings.Builder
	for i, v := range g {
		if i > 0 {
			b.WriteByte(' ')
		}
		if v == Unjudged {
			b.WriteByte('-')
		} else {
			b.WriteString(strconv.Itoa(int(v)))
		}
	}
	return b.String()
}

// subtopicText writes a ranking by the numbers of the sub-topics: "1, 1 2, -".
func subtopicText(s *Subtopics) string {
	var parts []string
	for _, d := range s.Ranked {
		text := ""
		if d >= 0 {
			for j, g := range s.Docs[d] {
				if g >= 1 {
					text = strings.TrimSpace(text + " " + strconv.Itoa(j+1))
				}
			}
		}
		if text == "" {
			text = "-"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}
