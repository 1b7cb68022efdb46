package collection

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// objects reads JSON objects, one a line.
type objects struct {
	json *jsontext.Reader
	file string
	line int
	w    warner
}

// each calls f with every line that is not blank in o.json.
func (o *objects) each(in *lines, f func() error) ([]Warning, error) {
	name, opt := in.src.name, in.src.opt
	o.file = name
	o.json = jsontext.New(nil, jsontext.Limits{Depth: opt.Limits.Depth, Token: opt.Limits.Line, LoneSurrogates: true})
	for {
		b, err := in.next()
		if err == io.EOF {
			return o.w.list, nil
		}
		if err != nil {
			return o.w.list, err
		}
		if blank(b) {
			continue
		}
		o.line = in.line
		o.json.Reset(b)
		if err := f(); err != nil {
			return o.w.list, parseError(name, in.line, err)
		}
		if n := o.json.Replaced(); n > 0 {
			o.w.add(LoneSurrogate, name, in.line, n, nil, func() string {
				return "an unpaired surrogate was replaced by U+FFFD"
			})
		}
	}
}

func (o *objects) warn(kind, what, message string) {
	o.w.add(kind, o.file, o.line, 1, view(what), func() string { return message })
}

// id takes an id: a string, or a number, whose digits are taken as they are written.
func (o *objects) id(key string) string {
	var id []byte
	if o.json.Peek() == '0' {
		id = o.json.Number()
		if id != nil {
			o.warn(NumericID, string(id), key+" "+string(id)+" is a number, not a string")
		}
		return string(id)
	}
	id = o.json.Bytes()
	if t := trimID(id); len(t) < len(id) {
		o.warn(StraySpace, string(id), "id "+strconv.Quote(string(id))+" has white space around it, which is removed")
		id = t
	}
	return string(id)
}

// identified ends an object, whose id must have been seen and not be empty.
func (o *objects) identified(key, id string, seen bool) error {
	o.json.End()
	switch err := o.json.Err(); {
	case err != nil:
		return err
	case !seen:
		return errors.New("missing " + strconv.Quote(key))
	case id == "":
		return errors.New("empty " + strconv.Quote(key))
	}
	spaced(&o.w, o.file, o.line, view(id))
	return controlled(id)
}

// controlled refuses an id of a document or a query that holds a line break, a tab or a zero byte: it would be more
// than one line, or more than one column, of the formats that runs and judgments are exchanged in. A space alone is a
// warning (see spaced).
func controlled(id string) error {
	if strings.ContainsAny(id, "\t\n\v\f\r\x00") {
		return errors.New("id " + strconv.Quote(clip(view(id))) +
			" holds a line break, a tab or a zero byte, which runs and qrels cannot hold: remove it")
	}
	return nil
}

// text takes a string; null is taken for none.
func (o *objects) text() string {
	if o.json.Peek() == 'n' {
		o.json.Null()
		return ""
	}
	return o.json.String()
}

// other passes over metadata that is not of the expected type: null silently, anything else with a warning.
func (o *objects) other(key, id string) {
	if o.json.Peek() != 'n' {
		o.warn(BadMetadata, id, key+" of "+strconv.Quote(id)+" has the wrong type and is ignored")
	}
	o.json.Skip()
}

// label takes a string of the metadata.
func (o *objects) label(key, id string) string {
	if o.json.Peek() != '"' {
		o.other(key, id)
		return ""
	}
	return o.json.String()
}

// page takes a page number of the metadata.
func (o *objects) page(key, id string) int {
	if o.json.Peek() != '0' {
		o.other(key, id)
		return 0
	}
	n, err := strconv.Atoi(string(o.json.Number()))
	if err != nil || n < 0 {
		o.warn(BadMetadata, id, key+" of "+strconv.Quote(id)+" is not a page number and is ignored")
		return 0
	}
	return n
}

func (o *objects) docMetadata(d *Doc) {
	j := o.json
	if j.Peek() != '{' {
		o.other("metadata", d.ID)
		return
	}
	for j.BeginObject(); j.More(); {
		switch key := string(j.Key()); key {
		case "date":
			s := o.label(key, d.ID)
			if d.Date = day(s); d.Date == "" && s != "" {
				o.warn(BadMetadata, d.ID, "date "+strconv.Quote(s)+" of "+strconv.Quote(d.ID)+
					" is not YYYY-MM-DD and is ignored")
			}
		case "category":
			d.Category = o.label(key, d.ID)
		case "uri", "url":
			if s := o.label(key, d.ID); s != "" {
				d.URI = s
			}
		case "path", "file_name": // of a document that has no URI
			if s := o.label(key, d.ID); d.URI == "" || key == "path" && fileName(s) == d.URI {
				d.URI = s
			}
		case "page", "page_number":
			d.Page = o.page(key, d.ID)
		case "time":
			d.news().Time = o.label(key, d.ID)
		case "byline":
			d.news().Byline = o.label(key, d.ID)
		case "story":
			d.news().Story = o.label(key, d.ID)
		case "duplicate_of":
			d.news().DuplicateOf = o.label(key, d.ID)
		case "updates":
			if j.Peek() != '[' {
				if id := o.label(key, d.ID); id != "" {
					d.news().Updates = append(d.news().Updates, id)
				}
				break
			}
			for j.BeginArray(); j.More(); {
				if id := o.label(key, d.ID); id != "" {
					d.news().Updates = append(d.news().Updates, id)
				}
			}
		case "entities":
			if j.Peek() != '[' {
				o.other(key, d.ID)
				break
			}
			o.entities(d)
		default:
			j.Skip()
		}
	}
}

// entities takes the list of what a document is about.
func (o *objects) entities(d *Doc) {
	j := o.json
	for j.BeginArray(); j.More(); {
		if j.Peek() != '{' {
			o.other("an entity", d.ID)
			continue
		}
		var e Entity
		e.Confidence = 1
		for j.BeginObject(); j.More(); {
			switch key := string(j.Key()); key {
			case "name":
				e.Name = o.label("entity name", d.ID)
			case "type":
				e.Kind = o.label("entity type", d.ID)
			case "confidence":
				if j.Peek() != '0' {
					o.other("entity confidence", d.ID)
				} else if e.Confidence = j.Float(); e.Confidence < 0 || e.Confidence > 1 {
					o.warn(BadMetadata, d.ID, "an entity of "+strconv.Quote(d.ID)+
						" has a confidence outside 0 to 1, which is clamped")
					e.Confidence = min(max(e.Confidence, 0), 1)
				}
			default:
				j.Skip()
			}
		}
		if e.Name != "" {
			d.Entities = append(d.Entities, e)
		}
	}
}

// news returns what is noted of the document, to be added to.
func (d *Doc) news() *News {
	if d.News == nil {
		d.News = &News{}
	}
	return d.News
}

// day returns the YYYY-MM-DD at the start of s, or "".
func day(s string) string {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || len(s) > 10 && s[10] != 'T' && s[10] != ' ' {
		return ""
	}
	n := func(s string) int {
		v := 0
		for i := 0; i < len(s); i++ {
			if s[i] < '0' || s[i] > '9' {
				return -1
			}
			v = v*10 + int(s[i]-'0')
		}
		return v
	}
	y, m, d := n(s[:4]), n(s[5:7]), n(s[8:10])
	if y < 0 || m < 1 || m > 12 || d < 1 {
		return ""
	}
	last := 31
	switch m {
	case 4, 6, 9, 11:
		last = 30
	case 2:
		last = 28
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			last = 29
		}
	}
	if d > last {
		return ""
	}
	return s[:10]
}

func blankText(s string) bool { return len(trimID(unsafe.Slice(unsafe.StringData(s), len(s)))) == 0 }

// trimID takes white space and invisible characters (no-break spaces, zero-width characters, byte order marks) off both
// ends.
func trimID(b []byte) []byte {
	for len(b) > 0 {
		n := invisible(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	for len(b) > 0 {
		n := 1
		for n < len(b) && b[len(b)-n]&0xc0 == 0x80 {
			n++
		}
		if k := invisible(b[len(b)-n:]); k != n {
			break
		}
		b = b[:len(b)-n]
	}
	return b
}

// invisible returns the length of the white space or invisible character that b starts with, 0 for anything else.
func invisible(b []byte) int {
	switch c := b[0]; {
	case c == ' ' || '\t' <= c && c <= '\r' || c == 0:
		return 1
	case c == 0xc2 && len(b) > 1 && (b[1] == 0xa0 || b[1] == 0x85 || b[1] == 0xad):
		return 2 // U+00A0, U+0085, U+00AD
	case c == 0xe2 && len(b) > 2 && b[1] == 0x80 && (b[2] >= 0x80 && b[2] <= 0x8f || b[2] == 0xa8 || b[2] == 0xa9 ||
		b[2] == 0xaf):
		return 3 // U+2000 … U+200F, line and paragraph separators, U+202F
	case c == 0xe2 && len(b) > 2 && b[1] == 0x81 && (b[2] == 0x9f || b[2] == 0xa0):
		return 3 // U+205F, U+2060
	case c == 0xe3 && len(b) > 2 && b[1] == 0x80 && b[2] == 0x80:
		return 3 // U+3000
	case c == 0xef && len(b) > 2 && b[1] == 0xbb && b[2] == 0xbf:
		return 3 // U+FEFF
	}
	return 0
}
