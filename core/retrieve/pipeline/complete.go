package pipeline

import "strings"

// Completion is a possible continuation of an incomplete pipeline.
type Completion struct {
	Text string // the completed text
	Name string // the addition: a stage, a parameter or a word
	Doc  string // its description in a sentence; "" for a word
}

// Complete returns the possible continuations of a text: valid stages, unused parameters, and words of a parameter
// that begin like the end of the text, in registry order. It returns none if a number must follow or nothing fits.
func (x *Notation) Complete(text string) []Completion {
	from := len(text)
	for from > 0 && isAtom(text[from-1]) {
		from--
	}
	before, begun := text[:from], text[from:]
	var out []Completion
	add := func(name, after, doc string) {
		if strings.HasPrefix(name, begun) && name+after != begun {
			out = append(out, Completion{before + name + after, name, doc})
		}
	}
	stages := func(fit func(Role) bool) {
		for _, s := range x.stages {
			if fit(s.Role) {
				after := ""
				if s.Role == Combiner || s.positional() >= 0 && s.Params[s.positional()].Required {
					after = "("
				}
				add(s.Name, after, s.Doc)
			}
		}
	}
	starts := func(r Role) bool { return r != Transformer }
	context := strings.TrimRight(before, " \t\r\n")
	switch {
	case context == "":
		stages(starts)
		return out
	case strings.HasSuffix(context, ">>"):
		stages(func(r Role) bool { return r == Transformer })
		return out
	}
	open := unclosed(context)
	if open < 0 {
		return nil
	}
	name := context[:open]
	at := len(name)
	for at > 0 && isAtom(name[at-1]) {
		at--
	}
	s := x.Lookup(name[at:])
	if s == nil {
		return nil
	}
	inside := context[open+1:]
	if key, ok := strings.CutSuffix(context, "="); ok {
		at := len(key)
		for at > 0 && isAtom(key[at-1]) {
			at--
		}
		p := s.Param(key[at:])
		switch {
		case p == nil:
		case p.Kind == Bool:
			add("true", "", "")
			add("false", "", "")
		default:
			for _, w := range p.Words {
				add(w, "", "")
			}
		}
		return out
	}
	if !strings.HasSuffix(context, "(") && !strings.HasSuffix(context, ",") {
		return nil
	}
	if s.Role == Combiner {
		stages(starts)
	}
	for i := range s.Params {
		if p := &s.Params[i]; !strings.Contains(inside, p.Name+"=") && !p.Positional {
			add(p.Name, "=", p.Doc)
		}
	}
	return out
}

// unclosed returns the index of the last unclosed parenthesis of s, or −1.
func unclosed(s string) int {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}
