package collection

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// unlike is fail for a file that looks like none that is read here, and may be an ordinary one.
func (d *reading) unlike(line int, err error) error {
	err = d.fail(line, err)
	if p, ok := errors.AsType[*ParseError](err); ok {
		p.Unrecognised = true
	}
	return err
}

// unknown explains as well as it can why a file that begins with head, or is head, is not read.
func (d *reading) unknown(head []byte, whole bool) error {
	line := 1
	for len(head) > 0 && (head[0] == '\n' || head[0] == '\r' || head[0] == ' ' || head[0] == '\t') {
		if head[0] == '\n' {
			line++
		}
		head = head[1:]
	}
	switch {
	case len(head) == 0:
		return d.fail(0, errors.New("empty file"))
	case head[0] == 0xff && len(head) > 1 && head[1] == 0xfe, head[0] == 0xfe && len(head) > 1 && head[1] == 0xff,
		wide(head):
		return d.fail(1, errUTF16)
	case foreign(head) != "":
		return d.fail(0, errors.New(foreign(head)))
	case holds(head, 0):
		text := head[:bytes.IndexByte(head, 0)]
		if len(text) < 4 || len(head) > 200 && bytes.Count(head, []byte{0})*50 > len(head) || !utf8.Valid(text) {
			return d.fail(0, errors.New("not a text: no known format"))
		}
		return d.fail(bytes.Count(text, []byte("\n"))+line, errNUL)
	case head[0] == '{':
		// JSON that is damaged within the head says where; else its keys are of nothing known.
		r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
		r.Reset(head)
		r.Skip()
		if se, ok := errors.AsType[*jsontext.SyntaxError](r.Err()); ok && (whole || !se.Ended) {
			return d.fail(line, r.Err())
		}
		return d.unlike(line, errors.New("JSON of an unknown shape: runs and qrels are {query: {document: number}}"))
	}
	if figures(bytes.Split(head, []byte("\n"))) {
		return d.fail(line, errors.New("this is the output of an evaluation (measure, query, value): compare it "+
			"alone with rankbox compare, or open its run and qrels"))
	}
	if !whole && !holds(head, '\n') {
		return d.unlike(line, errors.New("no known format: a first line of more than "+strconv.Itoa(len(head)>>10)+
			" KiB"))
	}
	for len(head) > 0 && head[0] == '#' { // what is odd is in the lines behind the comments
		_, rest, _ := bytes.Cut(head, []byte("\n"))
		if blank(rest) {
			return d.fail(line, errors.New("nothing but comments"))
		}
		head = rest
		line++
	}
	l, _, _ := bytes.Cut(head, []byte("\n"))
	l = bytes.TrimSuffix(l, []byte("\r"))
	f, _ := split(l, nil, 100)
	why := ""
	if sep := separator(l); (sep == ',' || sep == ';') && len(f) < 3 {
		if _, err := parseHeader(bytes.Split(l, []byte{sep})); err != nil {
			return d.unlike(line, err)
		}
		return d.unlike(line, errUnknownHeader)
	}
	switch {
	case len(f) >= 5:
		if _, err := parseScore(trimID(f[4])); err != nil {
			if _, _, rankless := parseGrade(f[3]); rankless == nil && (len(f) == 6 || lower(f[1]) == "q0") {
				return d.fail(line, err) // a run by all but its score
			}
			why = "; as a run, its " + err.Error()
		}
	case len(f) >= 3:
		if _, _, err := parseGrade(trimID(f[len(f)-1])); err != nil {
			why = "; as qrels, its " + err.Error()
		}
	}
	return d.unlike(line, errors.New("no known format: "+say.Count(len(f), "column", "columns")+
		" where a run has 6 (query, Q0, document, rank, score, tag) and qrels have 4 (query, 0, document, grade) or "+
		"3 (query, document, grade)"+why))
}

// wide reports whether head looks like text of two or four bytes a character without a byte order mark: most of its
// even or odd bytes are 0, few of the others.
func wide(head []byte) bool {
	head = head[:min(len(head), 4096)]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i&1]++
		} else if c < '\t' {
			return false
		}
	}
	return len(head) >= 8 && max(zeros[0], zeros[1])*10 >= len(head)*4 &&
		(min(zeros[0], zeros[1])*20 <= len(head) || head[0] != 0 && head[1] == 0 && head[2] == 0 && head[3] == 0)
}

// Foreign says what a file is that other tools write and that no reader of Rankbox takes, by the bytes it begins with,
// and what to do; "" where it is none of those.
func Foreign(head []byte) string {
	for _, k := range [...]struct{ magic, what string }{
		{"PAR1", "a Parquet file: save it as TREC, JSON or CSV (ranx: kind=\"trec\")"},
		{"\x04\x22\x4d\x18", "compressed with LZ4: decompress it, or save it as TREC or JSON (ranx: kind=\"trec\")"},
		{"\x28\xb5\x2f\xfd", "compressed with Zstandard: decompress it, or use gzip"},
		{"BZh", "compressed with bzip2: decompress it, or use gzip"},
		{"\xfd7zXZ\x00", "compressed with xz: decompress it, or use gzip"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it, or use zip"},
		{"Rar!\x1a\x07", "a RAR archive: unpack it, or use zip"},
		{"%PDF-", "a PDF: save its text first (pdftotext FILE)"},
		{"ARROW1", "an Arrow file: save it as CSV"},
		{"\x89HDF", "an HDF5 file: save it as CSV"},
		{"SQLite format 3", "an SQLite database: export the table as CSV"},
		{"\xd0\xcf\x11\xe0", "an old Office file: save a sheet as CSV, a text as .docx"},
		{"version https://git-lfs", "a Git LFS pointer, not the file itself: run git lfs pull"},
	} {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return k.what
		}
	}
	switch {
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return "a tar archive: unpack it, or use zip"
	case len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5:
		return "a Python pickle: save it as JSON, TREC or CSV"
	}
	return ""
}

// foreign is Foreign, and says of web pages too that they are no runs and no judgments.
func foreign(head []byte) string {
	if what := Foreign(head); what != "" {
		return what
	}
	if l := lower(head[:min(len(head), 256)]); strings.HasPrefix(l, "<!doctype html") || strings.HasPrefix(l, "<html") {
		return "a web page: maybe a page about the file was downloaded instead of the file"
	}
	return ""
}

var errUnknownHeader = errors.New(
	"the header names no known columns: a run needs query_id, doc_id and score, qrels query_id, doc_id and relevance")
