package golden

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

// ParseText reads a text of JSON, JSON Lines, CSV, or the YAML that golden sets are written in: maps and lists in
// blocks, flow maps and lists on one line, texts that are plain or in quotes. What YAML has beyond that (anchors, tags,
// texts over several lines) is refused by its line. The whole language costs the page 200 kB; the command line reads
// it. Errors are *collection.ParseError.
func ParseText(name string, b []byte) (*Node, error) {
	n, ok, err := ParseJSON(name, b)
	if ok {
		return n, err
	}
	if !utf8.Valid(b) {
		return nil, &collection.ParseError{File: name, Err: errors.New("it is not UTF-8")}
	}
	p := &block{}
	p.split(strings.TrimPrefix(string(b), "\ufeff"))
	if p.err == nil && len(p.lines) == 0 {
		return nil, &collection.ParseError{File: name, Err: errors.New("it is empty")}
	}
	if n = p.value(0, 0); p.err == nil && p.at < len(p.lines) {
		p.fail("this line does not belong to the lines above: check the indentation")
	}
	if p.err != nil {
		return nil, &collection.ParseError{File: name, Line: p.line, Err: p.err}
	}
	return n, nil
}

// longestKey is how many characters a key has at most, with its quotes and escapes. YAML takes 1,024 (1.2.2, 7.4.2).
const longestKey = 1000

// tooLong reports whether a key, as it is written, has more.
func tooLong(key string) bool { return utf8.RuneCountInString(key) > longestKey }

const longKey = "a key has more than 1,000 characters: write a list of {id: …, grade: …}"

const tabbedItem = "a tab follows the dash: use a space"

// block reads YAML line by line.
type block struct {
	lines []blockLine
	at    int
	nodes int
	line  int // of the error
	err   error
}

// blockLine is a line that holds something.
type blockLine struct {
	indent int
	text   string // without indentation, comment and spaces at the end
	n      int
}

func (p *block) failAt(line int, why string) {
	if p.err == nil {
		p.line, p.err = line, errors.New(why)
	}
	p.at = len(p.lines)
}

func (p *block) fail(why string) { p.failAt(p.lines[min(p.at, len(p.lines)-1)].n, why) }

// split takes the text apart. Comments and empty lines are left out.
func (p *block) split(text string) {
	begun := false // by a line of marks
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.ContainsFunc(line, special) {
			p.failAt(i+1, "it has a control character: write it in double quotes, as \\u2028")
			return
		}
		body := strings.TrimLeft(line, " ")
		indent := len(line) - len(body)
		tabbed := strings.HasPrefix(body, "\t")
		whole := uncomment(body)
		body = strings.TrimRight(whole, " \t")
		switch {
		case (body == "-" || strings.HasSuffix(body, " -")) && strings.Contains(whole[len(body):], "\t"):
			p.failAt(i+1, tabbedItem)
			return
		case tabbed:
			p.failAt(i+1, "the indentation has a tab: use spaces")
			return
		case body == "":
			continue
		case indent == 0 && body == "---" && len(p.lines) == 0 && !begun:
			begun = true
			continue
		case indent == 0 && (strings.HasPrefix(body, "---") || strings.HasPrefix(body, "...")):
			p.failAt(i+1, "a golden set is one document: remove what follows the line of marks")
			return
		case indent == 0 && body[0] == '%':
			p.failAt(i+1, "directives are read by rankbox check alone")
			return
		}
		p.lines = append(p.lines, blockLine{indent, body, i + 1})
	}
}

// special reports whether a character is none of a text, or ends lines for some programs.
func special(r rune) bool {
	switch {
	case r == '\t':
		return false
	case r < ' ', r >= 0x7f && r < 0xa0, r == '\u2028', r == '\u2029', r == '\ufeff', r == '\ufffe', r == '\uffff':
		return true
	}
	return false
}

// uncomment takes a comment off: # at the start or behind a blank, outside of quotes.
func uncomment(s string) string {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || strings.IndexByte(" \t[{,:", s[i-1]) >= 0):
			quote = c
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return s[:i]
		}
	}
	return s
}

// node counts a value.
func (p *block) node(kind Kind, text string, line int) *Node {
	if p.nodes++; p.nodes > MostNodes {
		p.failAt(line, "more than "+strconv.Itoa(MostNodes)+" values")
	}
	return &Node{Kind: kind, Text: text, Line: line}
}

// value reads the map, the list or the text that begins at the present line, which is indented by at least indent.
func (p *block) value(indent, depth int) *Node {
	if p.err != nil || p.at >= len(p.lines) {
		return p.node(Null, "", 1)
	}
	l := p.lines[p.at]
	switch {
	case depth > MostDepth:
		p.fail("values are nested deeper than " + strconv.Itoa(MostDepth))
	case l.indent < indent:
		return p.node(Null, "", l.n)
	case isItem(l.text):
		return p.list(l.indent, depth)
	}
	if _, _, ok := cutKey(l.text); ok {
		return p.mapping(l.indent, depth)
	}
	p.at++
	return p.inline(l.text, l.n, l.indent-1)
}

func isItem(s string) bool {
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "-\t")
}

// list reads the items at an indentation.
func (p *block) list(indent, depth int) *Node {
	out := p.node(List, "", p.lines[p.at].n)
	for p.err == nil && p.at < len(p.lines) && p.lines[p.at].indent == indent && isItem(p.lines[p.at].text) {
		l := &p.lines[p.at]
		rest := strings.TrimLeft(l.text[1:], " ")
		if strings.HasPrefix(rest, "\t") {
			p.fail(tabbedItem)
			break
		}
		if rest == "" {
			p.at++
			out.Items = append(out.Items, p.below(indent, l.n, depth))
			continue
		}
		// What follows the dash stands where it stands: its map goes on at that column.
		l.indent, l.text = l.indent+len(l.text)-len(rest), rest
		out.Items = append(out.Items, p.value(l.indent, depth+1))
	}
	p.ends(indent)
	return out
}

// ends refuses a line that is indented deeper than the block that ended before it.
func (p *block) ends(indent int) {
	if p.err == nil && p.at < len(p.lines) && p.lines[p.at].indent > indent {
		p.fail("the indentation matches nothing above: texts over several lines are read by rankbox check alone")
	}
}

// below is the value on the lines below, indented deeper; none is no value.
func (p *block) below(indent, line, depth int) *Node {
	if p.err != nil || p.at >= len(p.lines) || p.lines[p.at].indent <= indent {
		return p.node(Null, "", line)
	}
	return p.value(indent+1, depth+1)
}

// mapping reads the keys at an indentation.
func (p *block) mapping(indent, depth int) *Node {
	out := p.node(Map, "", p.lines[p.at].n)
	seen := map[string]int{}
	for p.err == nil && p.at < len(p.lines) && p.lines[p.at].indent == indent && !isItem(p.lines[p.at].text) {
		l := p.lines[p.at]
		name, rest, ok := cutKey(l.text)
		if !ok {
			p.fail("a key is expected: write " + strconv.Quote(say.Brief(l.text, 40)) + " behind one, as key: text")
			break
		}
		key := p.inline(name, l.n, -1)
		if tooLong(strings.TrimSuffix(strings.TrimRight(l.text[:len(l.text)-len(rest)], " \t"), ":")) {
			p.fail(longKey)
			break
		}
		if before, had := seen[key.Text]; had && p.err == nil {
			p.fail("key " + quoted(key.Text) + " is that of line " + strconv.Itoa(before) + " again")
			break
		}
		seen[key.Text] = l.n
		m := Member{Key: key.Text, Line: l.n}
		if key.Kind == Null {
			p.fail("a key is empty")
		}
		p.at++
		switch {
		case rest != "":
			m.Value = p.inline(rest, l.n, indent)
		case p.at < len(p.lines) && p.lines[p.at].indent == indent && isItem(p.lines[p.at].text):
			m.Value = p.list(indent, depth+1)
		default:
			m.Value = p.below(indent, l.n, depth)
		}
		out.Members = append(out.Members, m)
	}
	p.ends(indent)
	return out
}

// cutKey cuts a line behind its key: at a colon that a blank or the end follows, outside of quotes and brackets.
func cutKey(s string) (key, rest string, ok bool) {
	if s == "" || strings.IndexByte("[{&*!|>%@`?", s[0]) >= 0 && !(s[0] == '?' && len(s) > 1 && s[1] != ' ') {
		return "", "", false
	}
	i := 0
	if s[0] == '"' || s[0] == '\'' {
		if i = closing(s); i < 0 {
			return "", "", false
		}
		rest := strings.TrimLeft(s[i:], " ")
		if !strings.HasPrefix(rest, ":") || len(rest) > 1 && rest[1] != ' ' && rest[1] != '\t' {
			return "", "", false
		}
		return s[:i], strings.Trim(rest[1:], " \t"), true
	}
	for ; i < len(s); i++ {
		if s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\t') {
			return strings.TrimRight(s[:i], " \t"), strings.Trim(s[i+1:], " \t"), true
		}
	}
	return "", "", false
}

// closing is the place behind the quotes that a text begins with, -1 if they are not closed.
func closing(s string) int {
	q := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case q == '"' && s[i] == '\\':
			i++
		case s[i] == q && q == '\'' && i+1 < len(s) && s[i+1] == q:
			i++
		case s[i] == q:
			return i + 1
		}
	}
	return -1
}

// inline reads a value that stands on one line. If the lines below are indented deeper than indent, they go on with it,
// which is refused.
func (p *block) inline(s string, line, indent int) *Node {
	f := &flow{p: p, s: s, line: line}
	n := f.value(false, 0)
	if f.skip(); p.err == nil && f.at < len(s) {
		p.failAt(line, "what follows "+quoted(s[:f.at])+" belongs to nothing")
	}
	if indent >= 0 && p.err == nil && p.at < len(p.lines) && p.lines[p.at].indent > indent {
		p.fail("a value goes on over several lines: write it on one, in double quotes with \\n")
	}
	return n
}
