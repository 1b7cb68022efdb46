package golden

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// flow reads a value within a line.
type flow struct {
	p    *block
	s    string
	at   int
	line int
}

func (f *flow) skip() {
	for f.at < len(f.s) && (f.s[f.at] == ' ' || f.s[f.at] == '\t') {
		f.at++
	}
}

func (f *flow) fail(why string) *Node {
	f.p.failAt(f.line, why)
	return &Node{Line: f.line}
}

// value reads one value; inside says whether brackets are open, in which commas and brackets end a plain text.
func (f *flow) value(inside bool, depth int) *Node {
	f.skip()
	switch {
	case f.p.err != nil:
		return &Node{Line: f.line}
	case depth > MostDepth:
		return f.fail("values are nested deeper than " + strconv.Itoa(MostDepth))
	case f.at == len(f.s):
		return f.p.node(Null, "", f.line)
	}
	switch c := f.s[f.at]; {
	case c == '[' || c == '{':
		return f.brackets(c, depth)
	case c == '"' || c == '\'':
		return f.quotes(c)
	case strings.IndexByte("&*!|>%@`,]}#", c) >= 0:
		return f.fail("a value begins with " + string(c) +
			": write it in double quotes. Anchors, tags and texts over " +
			"several lines are read by rankbox check alone")
	case inside && (c == '?' || c == ':'),
		(c == '-' || c == '?' || c == ':') && (f.at+1 == len(f.s) || strings.IndexByte(" \t,[]{}", f.s[f.at+1]) >= 0):
		return f.fail("a value begins with " + string(c) + ": write it in double quotes")
	}
	return f.plain(inside)
}

// plain reads a text without quotes.
func (f *flow) plain(inside bool) *Node {
	start := f.at
	for ; f.at < len(f.s); f.at++ {
		c := f.s[f.at]
		if inside && strings.IndexByte(",[]{}", c) >= 0 {
			break
		}
		if inside && c == '?' {
			return f.fail("a text in brackets has a ?: write it in double quotes")
		}
		if c != ':' {
			continue
		}
		if inside && f.at+1 < len(f.s) && strings.IndexByte(",[]{}", f.s[f.at+1]) >= 0 {
			return f.fail("a blank is missing behind a colon")
		}
		if f.at+1 == len(f.s) || strings.IndexByte(" \t", f.s[f.at+1]) >= 0 {
			if inside {
				break
			}
			return f.fail("a text holds a colon and a blank: write it in double quotes")
		}
	}
	text := strings.TrimRight(f.s[start:f.at], " \t")
	return f.p.node(plainKind(text), plainText(text), f.line)
}

// plainText reads an unquoted text: null is empty, and yes or no are in lower case.
func plainText(s string) string {
	switch plainKind(s) {
	case Null:
		return ""
	case Bool:
		return strings.ToLower(s)
	}
	return s
}

// plainKind tells numbers, yes or no, and nothing from texts, as YAML 1.2 does and the library of the command line.
func plainKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF", ".nan", ".NaN", ".NAN":
		return Number
	}
	if strings.IndexByte("+-.0123456789", s[0]) < 0 {
		return Text
	}
	if s[0] == '.' {
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			return Number
		}
		return Text
	}
	bare := strings.ReplaceAll(s, "_", "")
	if _, err := strconv.ParseInt(bare, 0, 64); err == nil {
		return Number
	}
	if _, err := strconv.ParseUint(bare, 0, 64); err == nil || decimal(bare) {
		return Number
	}
	for prefix, base := range map[string]int{"0b": 2, "0o": 8} { // the library takes a sign behind them
		if rest, ok := strings.CutPrefix(bare, prefix); ok {
			if _, err := strconv.ParseInt(rest, base, 64); err == nil {
				return Number
			}
		}
	}
	return Text
}

// decimal reports whether a text is a number with point or exponent that a float64 holds.
func decimal(s string) bool {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return false
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "+"), "-")
	digits := func() (n int) {
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		s = s[n:]
		return n
	}
	whole, part := digits(), 0
	if strings.HasPrefix(s, ".") {
		s = s[1:]
		part = digits()
	}
	if whole+part == 0 {
		return false
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		if digits() == 0 {
			return false
		}
	}
	return s == ""
}

// brackets reads a flow list or map.
func (f *flow) brackets(open byte, depth int) *Node {
	out, end := f.p.node(List, "", f.line), byte(']')
	if open == '{' {
		out.Kind, end = Map, '}'
	}
	seen := map[string]bool{}
	f.at++
	for {
		f.skip()
		switch {
		case f.p.err != nil:
			return out
		case f.at == len(f.s):
			return f.fail("a " + string(open) + " is not closed on its line")
		case f.s[f.at] == end:
			f.at++
			return out
		}
		quotedKey := f.s[f.at] == '"' || f.s[f.at] == '\''
		key := f.at
		v := f.value(true, depth+1)
		f.skip()
		if out.Kind == Map {
			if tooLong(f.s[key:f.at]) {
				return f.fail(longKey)
			}
			if !v.scalar() || f.at == len(f.s) || f.s[f.at] != ':' {
				return f.fail("a map in braces needs key: value")
			}
			if seen[v.Text] {
				return f.fail("key " + quoted(v.Text) + " comes twice")
			}
			seen[v.Text] = true
			if f.at++; !quotedKey && f.at < len(f.s) && strings.IndexByte(" \t,]}", f.s[f.at]) < 0 {
				return f.fail("a blank is missing behind a colon")
			}
			m := Member{Key: v.Text, Line: f.line}
			if f.skip(); f.at < len(f.s) && (f.s[f.at] == ',' || f.s[f.at] == end) {
				m.Value = f.p.node(Null, "", f.line)
			} else {
				m.Value = f.value(true, depth+1)
			}
			out.Members = append(out.Members, m)
		} else if f.at < len(f.s) && f.s[f.at] == ':' {
			return f.fail("a map in a list needs braces: [{key: value}]")
		} else {
			out.Items = append(out.Items, v)
		}
		f.skip()
		switch {
		case f.p.err != nil:
			return out
		case f.at < len(f.s) && f.s[f.at] == ',':
			f.at++
		case f.at == len(f.s) || f.s[f.at] != end:
			return f.fail("a comma or " + string(end) + " is missing")
		}
	}
}

// escapes are those of double quotes, but for those with hexadecimal digits and \/, which the command line refuses.
var escapes = map[byte]string{'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r",
	'e': "\x1b", ' ': " ", '"': "\"", '\\': "\\", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029"}

// quotes reads a text in quotes.
func (f *flow) quotes(q byte) *Node {
	end := closing(f.s[f.at:])
	if end < 0 {
		return f.fail("the quotes are not closed on their line")
	}
	s := f.s[f.at+1 : f.at+end-1]
	f.at += end
	if q == '\'' {
		return f.p.node(Text, strings.ReplaceAll(s, "''", "'"), f.line)
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i] // closing saw it
		if t, ok := escapes[c]; ok {
			b.WriteString(t)
			continue
		}
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if digits == 0 || i+digits >= len(s)+0 && i+digits > len(s)-1 {
			return f.fail("\\" + string(rune(c)) + " is no escape of a text in double quotes")
		}
		v, err := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
		if err != nil || v > utf8.MaxRune || v >= 0xd800 && v < 0xe000 {
			return f.fail("\\" + s[i:i+1+digits] + " is no character")
		}
		b.WriteRune(rune(v))
		i += digits
	}
	return f.p.node(Text, b.String(), f.line)
}
