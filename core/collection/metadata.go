package collection

import (
	"slices"
	"strconv"
	"strings"
)

// Metadata is what a run says about itself in the comment at its head that ir_metadata defines (Breuer, Keller, Schaer:
// "ir_metadata: An Extensible Metadata Schema for IR Experiments", SIGIR 2022): one field for every scalar, in the
// order of the text.
type Metadata []Field

// Field is one scalar. Path holds the keys that lead to it, and for elements of lists their places from 0: {"method",
// "retrieval", "0", "name"}.
type Field struct {
	Path   []string
	Value  string
	quoted bool // it was written in quotes: "2020" is no number
}

// Get returns the value at a path, "" where there is none.
func (m Metadata) Get(path ...string) string {
	for _, f := range m {
		if slices.Equal(f.Path, path) {
			return f.Value
		}
	}
	return ""
}

// Set sets the value at a path.
func (m *Metadata) Set(value string, path ...string) {
	for i, f := range *m {
		if slices.Equal(f.Path, path) {
			(*m)[i].Value = value
			return
		}
	}
	*m = append(*m, Field{Path: append([]string(nil), path...), Value: value})
}

const (
	metadataStart = "ir_metadata.start"
	metadataEnd   = "ir_metadata.end"
)

// parseMetadata reads the comment lines at the head of a run. Of YAML it knows what ir_metadata uses: nested maps,
// lists of scalars and of maps, plain and quoted scalars; what it does not understand it passes over.
// It is one machine over indented lines.
func parseMetadata(head []string) Metadata {
	var m Metadata
	in := false
	type level struct {
		indent int
		path   []string
		items  int // of the list at this level so far
	}
	stack := []level{{indent: -1}} // the first one is less than any
	var text *block
	for _, l := range head {
		l = strings.TrimPrefix(strings.TrimRight(l, " \t\r"), "#")
		l = strings.TrimPrefix(l, " ")
		if text != nil {
			if strings.TrimSpace(l) != metadataEnd && text.take(l) {
				continue
			}
			m = append(m, Field{Path: text.path, Value: text.value(), quoted: true})
			text = nil
		}
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
			for stack[len(stack)-1].indent > indent || stack[len(stack)-1].indent == indent && !item &&
				!strings.HasPrefix(l, "- ") {
				stack = stack[:len(stack)-1]
			}
			if !strings.HasPrefix(l, "- ") {
				break
			}
			// An element of the list that belongs to the innermost key not deeper than the dash.
			for stack[len(stack)-1].indent > indent {
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
				m = m.scalar(path, l)
			}
			continue
		}
		path = append(append([]string(nil), path...), key)
		value = plain(value)
		switch {
		case value == "":
			stack = append(stack, level{indent: indent, path: path})
		case value == "|" || value == "|-" || value == "|+" || value == ">" || value == ">-" || value == ">+":
			text = &block{path: path, style: value, indent: indent}
		default:
			m = m.scalar(path, value)
		}
	}
	if text != nil {
		m = append(m, Field{Path: text.path, Value: text.value(), quoted: true})
	}
	return m
}

// plain takes a comment off a value that is not in quotes.
func plain(s string) string {
	if s == "" || s[0] == '"' || s[0] == '\'' {
		return s
	}
	if s[0] == '#' {
		return ""
	}
	if i := strings.Index(s, " #"); i >= 0 {
		return strings.TrimRight(s[:i], " ")
	}
	return s
}

// block is the text of a scalar of several lines.
type block struct {
	path   []string
	style  string
	indent int // of its key
	own    int // of its first line
	lines  []string
}

// take adds a line if it belongs to the text.
func (b *block) take(l string) bool {
	n := len(l) - len(strings.TrimLeft(l, " "))
	switch {
	case n == len(l):
		b.lines = append(b.lines, "")
		return true
	case n <= b.indent:
		return false
	case b.own == 0:
		b.own = n
	}
	b.lines = append(b.lines, l[min(n, b.own):])
	return true
}

func (b *block) value() string {
	for len(b.lines) > 0 && b.lines[len(b.lines)-1] == "" {
		b.lines = b.lines[:len(b.lines)-1]
	}
	sep := "\n"
	if b.style[0] == '>' {
		sep = " "
	}
	s := strings.Join(b.lines, sep)
	if len(b.style) == 1 && s != "" {
		s += "\n"
	}
	return s
}

// scalar adds what stands behind a key or a dash: a scalar, or a list or map in brackets.
func (m Metadata) scalar(path []string, s string) Metadata {
	if len(path) < 32 && (strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") || strings.HasPrefix(s, "{") &&
		strings.HasSuffix(s, "}")) {
		if out, ok := m.flow(path, s); ok {
			return out
		}
	}
	v := unquote(s)
	return append(m, Field{Path: path, Value: v, quoted: len(s) != len(v)})
}

// flow adds the elements of a list or map in brackets.
func (m Metadata) flow(path []string, s string) (Metadata, bool) {
	var parts []string
	depth, from := 0, 1
	quote := byte(0)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.TrimSpace(s[from:i]) == "", (c == '"' || c == '\'') &&
			strings.HasSuffix(s[from:i], ": "):
			quote = c
		case c == '[' || c == '{':
			depth++
		case (c == ']' || c == '}') && depth > 0:
			depth--
		case (c == ',' || i == len(s)-1) && depth == 0:
			parts = append(parts, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	if quote != 0 || depth != 0 || from != len(s) {
		return m, false
	}
	out := m
	for i, p := range parts {
		key, value := strconv.Itoa(i), p
		if s[0] == '{' {
			var ok bool
			if key, value, ok = cutKey(p); !ok {
				return m, false
			}
		} else if p == "" {
			return m, false
		}
		out = out.scalar(append(append([]string(nil), path...), key), value)
	}
	return out, true
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

// quoteKey writes a key; line ends and what cannot stand in one become spaces.
func quoteKey(k string) string {
	k = strings.Map(func(r rune) rune {
		if control(r) {
			return ' '
		}
		return r
	}, k)
	if q := quote(k); q != k {
		return "'" + strings.ReplaceAll(k, "'", "") + "'"
	}
	return k
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

// quote writes a scalar so that it is read back as it is.
func quote(s string) string {
	for i := 0; i < len(s); i++ {
		if control(rune(s[i])) {
			return strconv.Quote(s)
		}
	}
	if s == "" || s != strings.TrimSpace(s) || strings.Contains(s, ": ") || strings.HasSuffix(s, ":") ||
		strings.Contains(s, " #") ||
		strings.ContainsAny(s[:1], "-'\"[]{}#&*!|>%@`,?") {
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	}
	return s
}

// written returns the value of a field as it is written.
func (f Field) written() string {
	if !f.quoted && (f.Value == "[]" || f.Value == "{}") {
		return f.Value
	}
	if q := quote(f.Value); !f.quoted || q != f.Value || !otherwise(f.Value) {
		return q
	}
	return "'" + f.Value + "'"
}

// otherwise reports whether YAML would take a scalar without quotes for something else than a string.
func otherwise(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "null", "~", ".nan", ".inf", "-.inf":
		return true
	}
	digits := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits = true
		case !strings.ContainsRune("+-.:_eExXoTZ abcdfABCDF", rune(c)):
			return false
		}
	}
	return digits
}

// tree returns m without what cannot stand in one tree with the rest: a scalar at a key that has others below it, and
// all but the last of several scalars at one key.
func (m Metadata) tree() Metadata {
	inner, last := map[string]bool{}, map[string]int{}
	for i, f := range m {
		key := ""
		for k, p := range f.Path {
			if k > 0 {
				inner[key] = true
			}
			key += p + "\x00"
		}
		last[key] = i
	}
	var out Metadata
	for i, f := range m {
		if key := strings.Join(f.Path, "\x00") + "\x00"; len(f.Path) > 0 && !inner[key] && last[key] == i {
			out = append(out, f)
		}
	}
	return out
}

// lines returns the comment lines that say m, nil for none.
func (m Metadata) lines() []string {
	if m = m.tree(); len(m) == 0 {
		return nil
	}
	out := []string{"# " + metadataStart}
	out = m.nest(out, 0, "")
	return append(out, "# "+metadataEnd)
}

// nest appends the fields, all of them below one key, from path element depth on; lead stands before the first line
// instead of its indent.
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
			out = append(out, before+"- "+g[0].written())
		case list:
			out = g.nest(out, depth+1, before+"- ")
		case leaf:
			out = append(out, before+quoteKey(k)+": "+g[0].written())
		default:
			out = append(out, before+quoteKey(k)+":")
			out = g.nest(out, depth+1, "")
		}
	}
	return out
}
