package pipeline

import "strings"

// Markdown returns the reference page of all stages: for each its usage, role, text, formula, source and a table of parameters.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Stages\n\n" +
		"A system is written as a pipeline of stages: a retriever or a combiner first, then transformers, each after `>>`.\n" +
		"Values equal to the default may be left out; the canonical form leaves them out.\n\n" +
		"```\nbm25(k1=1.2,b=0.75)\nrrf(bm25, dense, k=30) >> cut(20)\n```\n")
	for _, s := range registry {
		b.WriteString("\n## " + s.Name + "\n\n`" + s.Usage() + "` (" + s.Role.String() + ")\n\n" + cell(s.Doc) + "\n\n" +
			"*Formula:* " + cell(s.Formula) + "\n\n*Source:* " + cell(s.Source) + "\n")
		if len(s.Params) == 0 {
			continue
		}
		b.WriteString("\n| parameter | values | default | meaning |\n|---|---|---|---|\n")
		for i := range s.Params {
			p := &s.Params[i]
			b.WriteString("| `" + p.Name + "` | " + p.values() + " | " + p.defaults() + " | " + cell(p.Doc))
			if p.Only != nil {
				b.WriteString(" Only for " + p.By + " " + code(p.Only) + ".")
			}
			b.WriteString(" |\n")
		}
	}
	return b.String()
}

// values says in Markdown which values the parameter takes.
func (p *Param) values() string {
	switch p.Kind {
	case Bool:
		return code([]string{"true", "false"})
	case Word:
		if p.Words == nil {
			return "a name"
		}
		return code(p.Words)
	}
	return p.Kind.String() + ", " + plain(p.Min) + " to " + plain(p.Max)
}

// defaults says in Markdown what holds where nothing is written.
func (p *Param) defaults() string {
	if p.Required {
		return "none: required"
	}
	if p.Default == "" {
		return "open"
	}
	s := "`" + p.Default + "`"
	for _, c := range p.Defaults {
		s += ", `" + c.Default + "` for `" + c.Word + "`"
	}
	return s
}

func code(words []string) string { return "`" + strings.Join(words, "` `") + "`" }

// cell escapes plain text for Markdown, inside of tables too.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(s)
}
