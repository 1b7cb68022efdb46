package collection

import (
	"strconv"
	"strings"
)

// Metadata is what a run says about itself in the comment at its head that ir_metadata defines (Breuer, Keller, Schaer: "ir_metadata: An
// Extensible Metadata Schema for IR Experiments", SIGIR 2022): one field for every scalar, in the order of the text.
type Metadata []Field

// Field is one scalar. Path holds the keys that lead to it, and for elements of lists their places from 0: {"method", "retrieval", "0", "name"}.
type Field struct {
	Path  []string
	Value string
}

// Get returns the value at a path, "" where there is none.
func (m Metadata) Get(path ...string) string {
	for _, f := range m {
		if equalPath(f.Path, path) {
			return f.Value
		}
	}
	return ""
}

// Set sets the value at a path.
func (m *Metadata) Set(value string, path ...string) {
	for i, f := range *m {
		if equalPath(f.Path, path) {
			(*m)[i].Value = value
			return
		}
	}
	*m = append(*m, Field{append([]string(nil), path...), value})
}

func equalPath(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

const (
	metadataStart = "ir_metadata.start"
	metadataEnd   = "ir_metadata.end"
)

// parseMetadata reads the comment lines at the head of a run. Of YAML it knows what ir_metadata uses: nested maps, lists of scalars and of maps,
// plain and quoted scalars; what it does not understand it passes over.
func parseMetadata(head []string) Metadata {
	var m Metadata
	in := false
	type level struct {
		indent int
		path   []string
		items  int // of the list at this level so far
	}
	stack := []level{{indent: -1}}
	for _, l := range head {
		l = strings.TrimPrefix(strings.TrimRight(l, " \t\r"), "#")
		l = strings.TrimPrefix(l, " ")
		switch strings.TrimSpace(l) {
		case metadataStart:
			in = true
			continue
		case metadataEnd:
			in = false
			continue
		case "":
			continue
		}
		if !in {
			continue
		}
		indent := 0
		for indent < len(l) && l[indent] == ' ' {
			indent++
		}
		l = l[indent:]
		item := false
		for {
			for len(stack) > 1 && (stack[len(stack)-1].indent > indent || stack[len(stack)-1].indent == indent && !item && !strings.HasPrefix(l, "- ")) {
				stack = stack[:len(stack)-1]
			}
			if !strings.HasPrefix(l, "- ") {
				break
			}
			// An element of the list that belongs to the innermost key not deeper than the dash.
			for len(stack) > 1 && stack[len(stack)-1].indent > indent {
				stack = stack[:len(stack)-1]
			}
			top := &stack[len(stack)-1]
			path := append(append([]string(nil), top.path...), strconv.Itoa(top.items))
			top.items++
			rest := strings.TrimLeft(l[1:], " ")
			stack = append(stack, level{indent: indent + 1, path: path})
			indent += len(l) - len(rest)
			l, item = rest, true
		}
		path := stack[len(stack)-1].path
		key, value, ok := cutKey(l)
		if !ok {
			if item {
				m = append(m, Field{path, unquote(l)})
			}
			continue
		}
		path = append(append([]string(nil), path...), key)
		if value == "" {
			stack = append(stack, level{indent: indent, path: path})
			continue
		}
		m = append(m, Field{path, unquote(value)})
	}
	return m
}

// cutKey cuts "key: value" or "key:".
func cutKey(l string) (key, value string, ok bool) {
	if l == "" {
		return "", "", false
	}
	if q := l[0]; q == '"' || q == '\'' {
		i := strings.IndexByte(l[1:], q)
		if i < 0 || !strings.HasPrefix(l[i+2:], ":") {
			return "", "", false
		}
		return l[1 : i+1], strings.TrimSpace(l[i+3:]), true
	}
	if i := strings.Index(l, ": "); i > 0 {
		return strings.TrimSpace(l[:i]), strings.TrimSpace(l[i+1:]), true
	}
	if strings.HasSuffix(l, ":") && len(l) > 1 {
		return l[:len(l)-1], "", true
	}
	return "", "", false
}

// unquote returns the value of a scalar as it is written.
func unquote(s string) string {
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		if v, err := strconv.Unquote(s); err == nil {
			return v
		}
	}
	return s
}

// quote writes a scalar so that it is read back as it is.
func quote(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] == 0x7f {
			return strconv.Quote(s)
		}
	}
	if s == "" || s != strings.TrimSpace(s) || strings.Contains(s, ": ") || strings.HasSuffix(s, ":") || strings.Contains(s, " #") ||
		strings.ContainsAny(s[:1], "-'\"[]{}#&*!|>%@`,?") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

// lines returns the comment lines that say m, nil for none.
func (m Metadata) lines() []string {
	if len(m) == 0 {
		return nil
	}
	out := []string{"# " + metadataStart}
	out = m.nest(out, 0, "")
	return append(out, "# "+metadataEnd)
}

// nest appends the fields, all of them below one key, from path element depth on; lead stands before the first line instead of its indent.
func (m Metadata) nest(out []string, depth int, lead string) []string {
	// Keys in order of first appearance; places in lists in order of number.
	var keys []string
	groups := map[string]Metadata{}
	list := true
	for _, f := range m {
		k := f.Path[depth]
		if _, ok := groups[k]; !ok {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], f)
		if _, err := strconv.Atoi(k); err != nil {
			list = false
		}
	}
	list = list && depth > 0
	if list {
		order := sorted(len(keys), func(i, j int32) int {
			a, _ := strconv.Atoi(keys[i])
			b, _ := strconv.Atoi(keys[j])
			return a - b
		})
		old := keys
		keys = make([]string, len(old))
		for i, k := range order {
			keys[i] = old[k]
		}
	}
	indent := "# " + strings.Repeat("  ", depth)
	for _, k := range keys {
		g := groups[k]
		before := indent
		if lead != "" {
			before, lead = lead, ""
		}
		leaf := len(g) == 1 && len(g[0].Path) == depth+1
		switch {
		case list && leaf:
			out = append(out, before+"- "+quote(g[0].Value))
		case list:
			out = g.nest(out, depth+1, before+"- ")
		case leaf:
			out = append(out, before+k+": "+quote(g[0].Value))
		default:
			out = append(out, before+k+":")
			out = g.nest(out, depth+1, "")
		}
	}
	return out
}
