package measure

import (
	"math"
	"strconv"
	"strings"
)

// Range returns the range of values: "0 to 1", "0 to any".
func (in *Info) Range() string { return formatLimit(in.Low) + " to " + formatLimit(in.High) }

// Open describes how unjudged documents affect the value, or returns "".
func (in *Info) Open() string {
	m := in.blank()
	switch {
	case in.open.bounds == nil:
		return ""
	case m.IsLeast():
		return "the value is the least that it could be if they were judged; the residual says the most"
	}
	return "judged, they may lower the value as well as raise it: the residual says between what it lies"
}

// Setting describes the ranking of the example: "the grades 1 0 - 2 (judged: 1 0 2 1)", "-" for an unjudged
// document.
func (e *Example) Setting() string {
	if e.Subtopics != nil {
		return "documents relevant to sub-topics " + subtopicText(e.Subtopics)
	}
	if e.Preferences != nil {
		return "the documents " + preferenceText(e.Preferences)
	}
	s := "the grades " + gradesText(e.Ranked)
	if e.Judged != nil {
		s += " (judged: " + gradesText(e.Judged) + ")"
	}
	return s
}

// Usual describes an absent parameter: "required", "default 1".
func (p *Param) Usual() string {
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

func formatLimit(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return "any"
	case v == math.Trunc(v):
		return strconv.Itoa(int(v))
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// gradesText writes a ranking as "1 0 - 2", "-" for an unjudged document.
func gradesText(g []float64) string {
	var b strings.Builder
	for i, v := range g {
		if i > 0 {
			b.WriteByte(' ')
		}
		if v == Unjudged {
			b.WriteByte('-')
		} else {
			b.WriteString(gainText(v))
		}
	}
	return b.String()
}

// subtopicText writes a ranking by subtopic numbers: "1, 1 2, -".
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

// preferenceText writes a ranking by document numbers, and the groups' judgments: "1 2 4, of which one user says
// 1=3 2=2 3=0, another 1=1 2=2; 2=2 4=1".
func preferenceText(p *Preferences) string {
	var b strings.Builder
	for i, d := range p.Ranked {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(int(d) + 1))
	}
	for i, g := range p.Groups {
		b.WriteString([]string{", of which one user says", ", another"}[min(i, 1)])
		for j, sub := range g.Subgroups {
			if j > 0 {
				b.WriteByte(';')
			}
			for _, d := range sub {
				b.WriteString(" " + strconv.Itoa(int(d.Doc)+1) + "=" + strconv.FormatFloat(d.Level, 'g', -1, 64))
			}
		}
	}
	return b.String()
}
