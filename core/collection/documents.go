package collection

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// documentsTSV reads documents as MS MARCO has its passages.
func (d *reading) documentsTSV(in *lines) error {
	known := map[string]struct{}{}
	return d.pairs(in, "document", "documents", func(id, text string) error {
		return d.addDoc(known, in.line, Doc{ID: id, Text: text})
	})
}

// pairs reads an id and a text a line, with a tab in between; a file that has none is refused.
func (d *reading) pairs(in *lines, one, many string, add func(id, text string) error) error {
	some := false
	for {
		b, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if blank(b) {
			continue
		}
		id, text, ok := strings.Cut(string(b), "\t")
		if !ok {
			return d.fail(in.line, errors.New("no tab: "+many+" have an id, a tab and a text"))
		}
		id = string(tidy(&d.w, d.name, in.line, view(id)))
		if id == "" {
			return d.fail(in.line, errors.New("empty "+one+" id"))
		}
		if !utf8.ValidString(text) {
			return d.fail(in.line, errNotUTF8)
		}
		if err := add(id, strings.TrimSpace(text)); err != nil {
			return err
		}
		some = true
	}
	if !some {
		return d.fail(0, errors.New("empty file"))
	}
	return nil
}

// trecDoc is the document of TREC's markup that is being read.
type trecDoc struct {
	line int // where it began
	buf  []byte
}

// documentsTREC reads TREC's documents: <DOC> with <DOCNO>, one after the other. The title is the first of <TITLE>,
// <HEADLINE>, <HL>, <TTL>, <TI> and <HEAD> that has any; the text is that of all <TEXT>, or, where there is none, all
// that is neither id nor title. Tags within are taken off, the entities of XML and numbered ones are replaced. Text
// that is not UTF-8 is taken for Latin-1.
func (d *reading) documentsTREC(in *lines) error {
	known := map[string]struct{}{}
	var open *trecDoc
	for {
		b, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		for len(b) > 0 {
			if open == nil {
				at := tagAt(b, "doc")
				if at < 0 {
					if !blank(b) && !bytes.HasPrefix(bytes.TrimSpace(b), []byte("<")) {
						return d.fail(in.line, errors.New("text outside a <DOC>"))
					}
					break
				}
				open, b = &trecDoc{line: in.line}, b[at+len("<doc>"):]
				continue
			}
			end := tagAt(b, "/doc")
			if inner := tagAt(b, "doc"); inner >= 0 && (end < 0 || inner < end) {
				return d.fail(in.line, errors.New("<DOC> within a document that is not closed (it began in line "+
					strconv.Itoa(open.line)+")"))
			}
			part := b
			if end >= 0 {
				part = b[:end]
			}
			open.buf = append(append(open.buf, part...), '\n')
			if len(open.buf) > d.opt.Limits.Line {
				return d.fail(in.line, &LimitError{"Line", "bytes in a document", int64(d.opt.Limits.Line),
					int64(len(open.buf))})
			}
			if end < 0 {
				break
			}
			if err := d.closeDoc(known, open); err != nil {
				return err
			}
			open, b = nil, b[end+len("</doc>"):]
		}
	}
	if open != nil {
		return d.fail(open.line, errors.New("a document is not closed"))
	}
	if len(known) == 0 {
		return d.fail(0, errors.New("no documents"))
	}
	return nil
}

// tagAt is where the tag of this name, in lower case and without attributes, is in b; -1 where it is not.
func tagAt(b []byte, name string) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '<')
		if i < 0 {
			return -1
		}
		at := from + i
		if end := at + len(name) + 2; end <= len(b) && b[end-1] == '>' && lower(b[at+1:end-1]) == name {
			return at
		}
		from = at + 1
	}
}

// titles are the tags that a title stands in, the better ones first.
var titles = []string{"title", "headline", "hl", "ttl", "ti", "head"}

// closeDoc keeps a document that has been read.
func (d *reading) closeDoc(known map[string]struct{}, t *trecDoc) error {
	s := string(t.buf)
	if !utf8.Valid(t.buf) {
		d.w.add(NotUTF8, d.name, t.line, 1, nil, func() string { return "text that is not UTF-8 is taken for Latin-1" })
		r := make([]rune, len(t.buf))
		for i, c := range t.buf {
			r[i] = rune(c)
		}
		s = string(r)
	}
	ids, rest := elements(s, "docno")
	if len(ids) == 0 {
		return d.fail(t.line, errors.New("a document without <DOCNO>"))
	}
	doc := Doc{ID: string(tidy(&d.w, d.name, t.line, view(strings.TrimSpace(unescapeMarkup(ids[0])))))}
	if doc.ID == "" {
		return d.fail(t.line, errors.New("empty <DOCNO>"))
	}
	for _, name := range titles {
		var list []string
		if list, rest = elements(rest, name); doc.Title == "" {
			for _, x := range list {
				if doc.Title = unmarked(x); doc.Title != "" {
					break
				}
			}
		}
	}
	texts, _ := elements(rest, "text")
	if len(texts) == 0 {
		texts = []string{rest}
	}
	var parts []string
	for _, x := range texts {
		if p := unmarked(x); p != "" {
			parts = append(parts, p)
		}
	}
	doc.Text = strings.Join(parts, "\n")
	return d.addDoc(known, t.line, doc)
}

// elements returns what stands in the elements of a name, and s without them.
func elements(s, name string) (inner []string, rest string) {
	var out strings.Builder
	for {
		i := tagAt(view(s), name)
		if i < 0 {
			break
		}
		from := i + len(name) + 2
		n := tagAt(view(s[from:]), "/"+name)
		if n < 0 {
			break
		}
		inner = append(inner, s[from:from+n])
		out.WriteString(s[:i])
		s = s[from+n+len(name)+3:]
	}
	return inner, out.String() + s
}

// unmarked takes tags and comments off a text; white space becomes single spaces.
func unmarked(s string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 == len(s) {
			break
		}
		c := s[i+1]
		j := strings.IndexByte(s[i:], '>')
		if strings.HasPrefix(s[i:], "<!--") {
			j = -1
			if comment, _, closed := strings.Cut(s[i:], "-->"); closed {
				j = len(comment) + 2
			}
		}
		if j < 0 || !(c == '/' || c == '!' || c == '?' || 'a' <= c|0x20 && c|0x20 <= 'z') { // a '<' of the text
			out.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		out.WriteString(s[:i])
		out.WriteByte(' ')
		s = s[i+j+1:]
	}
	out.WriteString(s)
	return strings.Join(strings.Fields(unescapeMarkup(out.String())), " ")
}
