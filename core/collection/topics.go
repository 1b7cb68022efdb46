package collection

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// NotUTF8 is the kind of warning about text that is taken for Latin-1 because it is not UTF-8.
const NotUTF8 = "not-utf8"

// topicTags are the elements of topics, with the field that each begins, "" for none: those of TREC's newswire tracks,
// the Web, COVID, health misinformation and clinical trials tracks, CLEF, NTCIR and INEX.
var topicTags = map[string]string{"top": "", "topic": "", "topics": "", "dataset": "", "num": "num", "number": "num",
	"identifier": "num", "title": "title", "query": "query", "desc": "desc", "description": "desc", "question": "question",
	"narr": "narr", "narrative": "narr", "smry": "other", "con": "other", "fac": "other", "def": "other", "dom": "other",
	"subtopic": "other", "background": "other", "disclaimer": "other", "stance": "other", "evidence": "other"}

// topicTag is the name of an element as topicTags have it, without the language that CLEF puts before it.
func topicTag(name string) (tag string, known bool) {
	slash := ""
	if strings.HasPrefix(name, "/") {
		slash, name = "/", name[1:]
	}
	if len(name) > 3 && name[2] == '-' {
		name = name[3:]
	}
	_, known = topicTags[name]
	return slash + name, known || strings.HasPrefix(name, "?") || strings.HasPrefix(name, "!")
}

// topics reads TREC topics: <top> or <topic>, closed or not, with the elements of topicTags, or <topic number="…"> with
// nothing but a text. The text of a query is its title (or query); where it has none, its description, its question, or
// the text of the topic. Description and narrative are kept. It is one machine: what a tag means depends on what is
// open.
func (d *reading) topics(in *lines) error {
	known := map[string]struct{}{}
	var (
		open    bool
		line    int // of the open topic
		id      string
		fields  = map[string]string{}
		field   string
		content strings.Builder
	)
	closeField := func() {
		if field != "" {
			if _, ok := fields[field]; !ok {
				fields[field] = strings.Join(strings.Fields(unescapeMarkup(content.String())), " ")
			}
		}
		field = ""
		content.Reset()
	}
	closeTopic := func() error {
		bare := "" // of a topic without elements
		if field == "" && len(fields) == 0 {
			bare = strings.Join(strings.Fields(unescapeMarkup(content.String())), " ")
		}
		closeField()
		open = false
		if id == "" {
			id = cutLabel(fields["num"], "Number:")
		}
		q := Query{ID: id, Text: cutLabel(fields["title"], "Topic:"),
			Description: cutLabel(fields["desc"], "Description:"), Narrative: cutLabel(fields["narr"], "Narrative:")}
		if q.Text == "" {
			q.Text = fields["query"]
		}
		for _, text := range [...]string{q.Description, fields["question"], bare} {
			if q.Text == "" {
				q.Text = text
			}
		}
		q.ID = strings.TrimSpace(q.ID)
		id = ""
		clear(fields)
		if q.ID == "" {
			return d.fail(line, errors.New("a topic without <num>"))
		}
		return d.addQuery(known, line, q)
	}
	for {
		b, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		l := string(b)
		if !utf8.Valid(b) {
			d.w.add(NotUTF8, d.name, in.line, 1, nil, func() string {
				return "text that is not UTF-8 is taken for Latin-1"
			})
			r := make([]rune, len(b))
			for i, c := range b {
				r[i] = rune(c)
			}
			l = string(r)
		}
		for l != "" {
			i := strings.IndexByte(l, '<')
			if i < 0 {
				break
			}
			j := strings.IndexByte(l[i:], '>')
			name, attributes := "", ""
			if j > 0 {
				name, attributes, _ = strings.Cut(lower(view(l[i+1:i+j])), " ")
			}
			known := false
			name, known = topicTag(name)
			if !known {
				content.WriteString(l[:i+1]) // a '<' of the text
				l = l[i+1:]
				continue
			}
			content.WriteString(l[:i])
			raw := l[i : i+j+1]
			l = l[i+j+1:]
			switch name {
			case "top", "topic":
				if open {
					return d.fail(in.line, errors.New("<"+name+"> within a topic that is not closed (it began in line "+
						strconv.Itoa(line)+")"))
				}
				open, line = true, in.line
				content.Reset()
				if name == "topic" {
					for _, key := range [...]string{"number", "id", "num"} {
						if id == "" {
							id = attribute(raw, attributes, key)
						}
					}
				}
			case "/top", "/topic":
				if !open {
					return d.fail(in.line, errors.New("<"+name+"> without <"+name[1:]+">"))
				}
				if err := closeTopic(); err != nil {
					return err
				}
			default:
				began := topicTags[name]
				if began != "" || topicTags[strings.TrimPrefix(name, "/")] != "" {
					closeField()
					field = began
				}
			}
			if !open && field != "" {
				return d.fail(in.line, errors.New("<"+name+"> outside a topic"))
			}
		}
		content.WriteString(l)
		content.WriteByte('\n')
		if content.Len() > d.opt.Limits.Line {
			return d.fail(in.line, &LimitError{"Line", "bytes in a field", int64(d.opt.Limits.Line),
				int64(content.Len())})
		}
	}
	if open {
		return d.fail(line, errors.New("a topic is not closed"))
	}
	if len(d.c.Queries) == 0 {
		return d.fail(0, errors.New("no topics"))
	}
	return nil
}

// cutLabel takes the label that TREC writes before a field, in any case, off its text.
func cutLabel(s, label string) string {
	if len(s) >= len(label) && strings.EqualFold(s[:len(label)], label) {
		s = s[len(label):]
	}
	return strings.TrimSpace(s)
}

// attribute returns the value of an attribute of a tag; lowered is the tag's attributes in lower case, raw the tag as
// it is.
func attribute(raw, lowered, name string) string {
	i := strings.Index(" "+lowered, " "+name+"=")
	if i < 0 {
		return ""
	}
	start := len(raw) - 1 - len(lowered) + i + len(name) + 1
	v := raw[start : len(raw)-1]
	if v == "" {
		return ""
	}
	if q := v[0]; q == '"' || q == '\'' {
		v, _, _ = strings.Cut(v[1:], string(rune(q)))
		return v
	}
	v, _, _ = strings.Cut(v, " ")
	return v
}

// unescapeMarkup replaces the five entities of XML and numbered ones.
func unescapeMarkup(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		s = s[i:]
		j := strings.IndexByte(s, ';')
		r := rune(-1)
		if j > 1 && j < 12 {
			switch e := s[1:j]; e {
			case "amp":
				r = '&'
			case "lt":
				r = '<'
			case "gt":
				r = '>'
			case "quot":
				r = '"'
			case "apos":
				r = '\''
			default:
				if e[0] == '#' {
					base, digits := 10, e[1:]
					if len(digits) > 0 && (digits[0] == 'x' || digits[0] == 'X') {
						base, digits = 16, digits[1:]
					}
					if v, err := strconv.ParseUint(digits, base, 21); err == nil && utf8.ValidRune(rune(v)) {
						r = rune(v)
					}
				}
			}
		}
		if r < 0 {
			b.WriteByte('&')
			s = s[1:]
		} else {
			b.WriteRune(r)
			s = s[j+1:]
		}
		i = strings.IndexByte(s, '&')
	}
	b.WriteString(s)
	return b.String()
}

// queriesTSV reads an id and a text a line, with a tab in between.
func (d *reading) queriesTSV(in *lines) error {
	known := map[string]struct{}{}
	return d.pairs(in, "query", "queries", func(id, text string) error {
		return d.addQuery(known, in.line, Query{ID: id, Text: text})
	})
}
