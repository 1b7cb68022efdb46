package documents

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/rankbox/rankbox/core/collection"
)

// errNotOffice is that of a zip that is named as a document and is none.
func errNotOffice(kind, part string) error {
	return fmt.Errorf("it is not %s: it has no %s", kind, part)
}

// parts opens a document that is a zip, and returns what reads a file of it: nil for one that is not there.
func (f *file) parts() (read func(name string) ([]byte, error), names []string, err error) {
	a, err := collection.OpenZip(f.name, bytes.NewReader(f.b), int64(len(f.b)), collection.Limits{Bytes: f.lim.Bytes})
	if err != nil {
		return nil, nil, err
	}
	left := f.lim.Bytes
	return func(name string) ([]byte, error) {
		if !slices.Contains(a.Files(), name) {
			return nil, nil
		}
		in, err := a.Open(name)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		b, err := io.ReadAll(io.LimitReader(in, left+1))
		if left -= int64(len(b)); left < 0 && err == nil {
			err = errors.New("it unpacks to more than " + strconv.FormatInt(f.lim.Bytes, 10) + " bytes")
		}
		return b, err
	}, a.Files(), nil
}

// tags walks the tags and texts of XML: f gets the name of a tag in lower case, with a slash before it at its end, and
// its attributes; or "" and a text. Entities that a file declares itself are not replaced.
func tags(b []byte, f func(tag string, attributes map[string]string, text string)) {
	z := html.NewTokenizer(bytes.NewReader(b))
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			f("", nil, string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag, with := string(name), map[string]string{}
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				with[string(k)] = string(v)
			}
			f(tag, with, "")
			if kind == html.SelfClosingTagToken {
				f("/"+tag, with, "")
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			f("/"+string(name), nil, "")
		}
	}
}

// paragraphs gathers the paragraphs of a document and the places of its headings.
type paragraphs struct {
	text     strings.Builder
	now      strings.Builder
	title    string
	headings []int
	heading  bool // the paragraph is one
	named    bool // the paragraph is the title
}

func (p *paragraphs) end() {
	line := strings.TrimSpace(p.now.String())
	p.now.Reset()
	if line != "" && (p.named || p.heading) && p.title == "" {
		p.title = line
	} else if line != "" {
		if p.text.Len() > 0 {
			p.text.WriteByte('\n')
		}
		if p.heading || p.named {
			p.headings = append(p.headings, p.text.Len())
		}
		p.text.WriteString(line)
	}
	p.heading, p.named = false, false
}

// document is that of the paragraphs.
func (p *paragraphs) document(out *Read, f *file) {
	p.end()
	if p.title == "" {
		p.title = strings.TrimSuffix(path.Base(f.name), path.Ext(f.name))
	}
	if p.headings == nil {
		p.headings = []int{}
	}
	out.Docs = []collection.Doc{{ID: ID(f.name), Title: p.title, Text: p.text.String(), URI: f.name}}
	out.Headings = p.headings
}

// readWord reads a .docx: its paragraphs, those of the styles Title and Heading as headings.
func readWord(out *Read, f *file) error {
	read, _, err := f.parts()
	if err != nil {
		return err
	}
	b, err := read("word/document.xml")
	if err != nil || b == nil {
		return cmp.Or(err, errNotOffice(out.Kind, "word/document.xml"))
	}
	var p paragraphs
	in, gone := false, 0 // in a text; how many elements of deleted text are open
	tags(b, func(tag string, with map[string]string, text string) {
		switch tag {
		case "":
			if in && gone == 0 {
				p.now.WriteString(text)
			}
		case "w:t", "/w:t":
			in = tag == "w:t"
		case "w:del":
			gone++
		case "/w:del":
			gone--
		case "w:tab", "/w:tc":
			p.now.WriteByte(' ')
		case "w:br", "w:cr":
			p.now.WriteByte('\n')
		case "w:pstyle":
			style := strings.ToLower(with["w:val"])
			p.named = p.named || style == "title"
			p.heading = p.heading || strings.HasPrefix(style, "heading")
		case "/w:p":
			p.end()
		}
	})
	p.document(out, f)
	return nil
}

// readOpenDocument reads an .odt.
func readOpenDocument(out *Read, f *file) error {
	read, _, err := f.parts()
	if err != nil {
		return err
	}
	b, err := read("content.xml")
	if err != nil || b == nil {
		return cmp.Or(err, errNotOffice(out.Kind, "content.xml"))
	}
	var p paragraphs
	open := 0
	tags(b, func(tag string, _ map[string]string, text string) {
		switch tag {
		case "":
			if open > 0 {
				p.now.WriteString(strings.Join(strings.Fields(text), " "))
				if strings.HasSuffix(text, " ") || strings.HasSuffix(text, "\n") {
					p.now.WriteByte(' ')
				}
			}
		case "text:p":
			open++
		case "text:h":
			open++
			p.heading = true
		case "text:s", "text:tab":
			p.now.WriteByte(' ')
		case "text:line-break":
			p.now.WriteByte('\n')
		case "/text:p", "/text:h":
			open--
			p.end()
		}
	})
	p.document(out, f)
	return nil
}

// readSlides reads a .pptx, slide after slide.
func readSlides(out *Read, f *file) error {
	read, _, err := f.parts()
	if err != nil {
		return err
	}
	var p paragraphs
	for n := 1; ; n++ {
		b, err := read("ppt/slides/slide" + strconv.Itoa(n) + ".xml")
		if err != nil {
			return err
		}
		if b == nil {
			if n == 1 {
				return errNotOffice(out.Kind, "ppt/slides/slide1.xml")
			}
			break
		}
		in := false
		tags(b, func(tag string, _ map[string]string, text string) {
			switch tag {
			case "":
				if in {
					p.now.WriteString(text)
				}
			case "a:t", "/a:t":
				in = tag == "a:t"
			case "a:br":
				p.now.WriteByte('\n')
			case "/a:p":
				p.end()
			}
		})
	}
	p.document(out, f)
	return nil
}

// readBook reads an EPUB: each part of its spine is a document.
func readBook(out *Read, f *file) error {
	read, _, err := f.parts()
	if err != nil {
		return err
	}
	b, err := read("META-INF/container.xml")
	if err != nil || b == nil {
		return cmp.Or(err, errNotOffice(out.Kind, "META-INF/container.xml"))
	}
	root := ""
	tags(b, func(tag string, with map[string]string, _ string) {
		if tag == "rootfile" && root == "" {
			root = with["full-path"]
		}
	})
	if b, err = read(root); err != nil || b == nil {
		return cmp.Or(err, errNotOffice(out.Kind, "package at "+strconv.Quote(root)))
	}
	files := map[string]string{}
	var spine []string
	tags(b, func(tag string, with map[string]string, _ string) {
		switch tag {
		case "item", "opf:item":
			files[with["id"]] = with["href"]
		case "itemref", "opf:itemref":
			spine = append(spine, with["idref"])
		}
	})
	for _, id := range spine {
		name := path.Join(path.Dir(root), files[id])
		chapter, err := read(name)
		if err != nil {
			return err
		}
		text, _, ok := decoded(chapter, false)
		if chapter == nil || !ok {
			continue
		}
		d, _, err := page(f.name+"/"+name, text)
		if err == nil && d.Text != "" {
			out.Docs = append(out.Docs, d)
		}
	}
	if len(out.Docs) == 0 {
		return errors.New("it has no text")
	}
	return nil
}

// readSheet reads the first sheet of an .xlsx: its first row names the columns. Formulas have the values that were
// computed last; none is run.
func readSheet(f *file) (*rows, error) {
	read, names, err := f.parts()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(names, func(n string) bool {
		return strings.HasPrefix(n, "xl/worksheets/") && strings.HasSuffix(n, ".xml")
	})
	if slices.Contains(names, "xl/worksheets/sheet1.xml") {
		at = slices.Index(names, "xl/worksheets/sheet1.xml")
	}
	if at < 0 {
		return nil, errNotOffice("an Excel sheet", "xl/worksheets")
	}
	shared, err := sharedTexts(read)
	if err != nil {
		return nil, err
	}
	b, err := read(names[at])
	if err != nil {
		return nil, err
	}
	r := &rows{header: 1}
	var row []string
	var value strings.Builder
	kind, column, line, in := "", 0, 0, false
	var bad error
	tags(b, func(tag string, with map[string]string, text string) {
		switch tag {
		case "":
			if in {
				value.WriteString(text)
			}
		case "row":
			row = nil
			if n, err := strconv.Atoi(with["r"]); err == nil {
				line = n
			} else {
				line++
			}
			column = -1
		case "c":
			kind = with["t"]
			value.Reset()
			if n := columnNumber(with["r"]); n >= 0 {
				column = n
			} else {
				column++
			}
		case "v", "t":
			in = true
		case "/v", "/t":
			in = false
		case "/c":
			s := value.String()
			if kind == "s" {
				i, err := strconv.Atoi(s)
				if err != nil || i < 0 || i >= len(shared) {
					bad = fmt.Errorf("row %d: a text that is not in the file", line)
					return
				}
				s = shared[i]
			}
			if column >= f.lim.Columns {
				bad = fmt.Errorf("it has more than %d columns", f.lim.Columns)
				return
			}
			for len(row) <= column {
				row = append(row, "")
			}
			row[column] = s
		case "/row":
			switch {
			case strings.Join(row, "") == "":
			case r.columns == nil:
				r.columns, r.header = unlike(row), line
			case len(r.cells) < f.lim.Documents:
				for len(r.columns) < len(row) {
					r.columns = unlike(append(r.columns, ""))
				}
				r.cells, r.lines = append(r.cells, row), append(r.lines, line)
			}
		}
	})
	if bad == nil && r.columns == nil {
		bad = errors.New("its first sheet is empty")
	}
	return r, bad
}

// Sheet reads the first sheet of an .xlsx: the names of its columns, and its rows with their lines.
func Sheet(name string, b []byte, lim Limits) (columns []string, cells [][]string, lines []int, err error) {
	r, err := readSheet(&file{name: name, b: b, lim: lim.withDefaults()})
	if err != nil {
		return nil, nil, nil, fail(name, 0, err)
	}
	return r.columns, r.cells, r.lines, nil
}

// sharedTexts are the texts that the cells of a workbook refer to.
func sharedTexts(read func(string) ([]byte, error)) (out []string, err error) {
	b, err := read("xl/sharedStrings.xml")
	var value strings.Builder
	in, phonetic := false, false
	tags(b, func(tag string, _ map[string]string, text string) {
		switch tag {
		case "":
			if in && !phonetic {
				value.WriteString(text)
			}
		case "si":
			value.Reset()
		case "t", "/t":
			in = tag == "t"
		case "rph", "/rph":
			phonetic = tag == "rph"
		case "/si":
			out = append(out, value.String())
		}
	})
	return out, err
}

// columnNumber is the column of a cell such as "AB12", from 0; −1 for none.
func columnNumber(cell string) int {
	n := 0
	for _, c := range []byte(cell) {
		if c < 'A' || c > 'Z' || n > 1<<16 {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n - 1
}
