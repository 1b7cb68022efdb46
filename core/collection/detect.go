package collection

import (
	"bytes"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/measure"
)

// sniff is how much of a file Detect should be given, if there is that much.
const sniff = 64 << 10

// Detect tells from the first bytes of a file (64 KiB serve best, a few lines suffice) what it holds: Unknown where
// they look like nothing that is read. It goes by the content alone. Where a text may be two things the more common one
// is taken: integers per query and document in JSON are QrelsJSON; lines {"_id","text"} with short texts and no title
// are QueriesJSONL.
func Detect(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return Zip
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(head, npyMagic):
		return NPY
	}
	if holds(head[:min(len(head), 4096)], 0) {
		return Unknown // no text, or UTF-16
	}
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	for i, c := range head {
		switch {
		case c == '{' || c == '[':
			if f := entry(head[i:]); f != Unknown { // of a query whose id begins so
				return f
			}
			f := sniffJSON(head[i:])
			if f == Unknown && mapsChunks(head[i:]) {
				f = ChunkMap
			}
			return f
		case c == '<':
			if f := entry(head[i:]); f != Unknown {
				return f
			}
			if tagAt(head[i:min(len(head), i+4096)], "doc") >= 0 &&
				tagAt(head[i:min(len(head), i+4096)], "docno") >= 0 {
				return CorpusTREC
			}
			if f := sniffTopics(head[i:]); f != Unknown {
				return f
			}
			return sniffText(head)
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			if mapsChunks(head[i:]) {
				return ChunkMap
			}
			return sniffText(head)
		}
	}
	return Unknown
}

// entry reports whether a text begins with a whole entry of a run or of TREC's qrels, whatever its query's id looks
// like.
func entry(b []byte) Format {
	l, _, _ := bytes.Cut(b, []byte("\n"))
	f := spread(l, nil, 7)
	number := func(i int) bool { _, err := parseScore(f[i]); return err == nil }
	switch {
	case len(f) == 6 && number(3) && number(4):
		return RunTREC
	case trec(f) && number(3):
		return QrelsTREC
	}
	return Unknown
}

// Judging says that lines are judgments, or a run, though their documents may be called as measures are, such as R: the
// second of four columns is 0, or Q0, in all of them; or they are said to be judgments, and the last of three columns is
// a whole number in all.
func Judging(head []byte, said bool) bool {
	n := 0
	for l := range bytes.Lines(head) {
		f := spread(l, nil, 7)
		if len(f) == 0 || n > 0 && l[len(l)-1] != '\n' {
			continue
		}
		marked := len(f) > 3 && (string(f[1]) == "0" || lower(f[1]) == "q0")
		if !(marked && (len(f) == 4 || len(f) == 6 && lower(f[1]) == "q0") || said && len(f) == 3 && whole(f[2])) {
			return false
		}
		n++
	}
	return n > 0
}

func whole(b []byte) bool {
	_, whole, err := parseGrade(b)
	return err == nil && whole
}

func sniffTopics(head []byte) Format {
	l := lower(head[:min(len(head), 4096)])
	if strings.Contains(l, "<top>") || strings.Contains(l, "<top ") || strings.Contains(l, "<topic>") || strings.Contains(l, "<topic ") || strings.Contains(l, "<topics") {
		return Topics
	}
	return Unknown
}

// sniffText tells the formats of lines apart by the first lines that look like one of them.
func sniffText(head []byte) Format {
	lines := bytes.Split(head, []byte("\n"))
	if len(lines) > 1 {
		lines = lines[:len(lines)-1] // the last one may be cut off
	}
	if figures(lines) {
		return Unknown
	}
	seen := 0
	for _, l := range lines {
		l = bytes.TrimSuffix(l, []byte("\r"))
		if blank(l) || l[0] == '#' && (seen == 0 && !labelled(l) || remark(l)) {
			continue
		}
		seen++
		if seen == 1 {
			if sep := separator(l); sep != 0 {
				t := &table{sep: sep}
				var cells [][]byte
				if holds(l, '"') {
					t.in = &lineOnce
					cells, _ = t.quoted(l)
				} else {
					cells = bytes.Split(l, []byte{sep})
				}
				if sep == '\t' && len(cells) == 3 && qrelsHeader(cells) {
					return QrelsTSV
				}
				if h, err := parseHeader(cells); err == nil {
					if k := h.kind(); k != Unknown {
						if k == RunCSV && h.beir(cells) && graded(lines, sep, h.at[colScore]) {
							return QrelsCSV
						}
						return k
					}
				}
			}
		}
		f, _ := split(l, nil, 8)
		number := func(i int) bool { _, err := parseScore(trimID(f[i])); return err == nil }
		whole := func(i int) bool { return whole(trimID(f[i])) }
		switch {
		case bytes.Count(bytes.TrimRight(l, " \t"), []byte("\t")) == 1 && !(len(f) >= 5 && number(4)) &&
			entry(l) != QrelsTREC:
			return QueriesTSV
		case len(f) >= 6 && number(4), entry(l) == RunTREC:
			return RunTREC
		case len(f) == 5 && (number(4) && whole(3) || number(3) && whole(2)):
			return RunTREC
		case len(f) == 5 && number(4) && !number(3) && !labelled(l) && lower(f[1]) != "q0":
			return PrefsTREC
		case len(f) == 4 && number(3):
			return QrelsTREC
		case len(f) == 3 && number(2):
			if seen == 1 && ranks(lines) {
				return RunRanks
			}
			return QrelsTSV
		case len(f) == 3 && seen == 1 && qrelsHeader(f):
			return QrelsTSV
		case len(f) == 4 && seen == 1 && qrelsHeader(f):
			return QrelsTREC
		}
		if seen == 10 {
			break
		}
	}
	return Unknown
}

// graded says that a column holds whole numbers below the first line, as grades are. Between tabs, as BEIR writes them,
// they may also have decimals.
func graded(lines [][]byte, sep byte, at int) bool {
	for i, l := range lines {
		cells := bytes.Split(bytes.TrimSuffix(l, []byte("\r")), []byte{sep})
		if i == 0 || len(cells) <= at || holds(l, '"') {
			continue
		}
		cell := bytes.Trim(trimID(cells[at]), `"`)
		if g, _, err := parseGrade(cell); !whole(cell) && (sep != '\t' || err != nil || g < 0 || g > mostDecimal) {
			return false
		}
	}
	return true
}

// remark reports whether a line is a comment wherever it stands: a '#' with white space, or nothing, behind it.
func remark(l []byte) bool {
	return l[0] == '#' && (len(l) == 1 || l[1] == ' ' || l[1] == '\t' || l[1] == '\r')
}

// labelled reports whether a line is an entry though it starts with '#', as its query's id does: its second column is
// Q0 or 0.
func labelled(l []byte) bool {
	if remark(l) {
		return false
	}
	f := spread(l, nil, 4)
	return len(f) >= 4 && (lower(f[1]) == "q0" || string(f[1]) == "0")
}

// ranksFrom is how many documents one query must have at least for its third column, 1, 2, 3 … (or 0, 1, 2 …), to be
// taken for ranks. Grades do not go that far.
const ranksFrom = 6

// ranks reports whether the third column counts every query's documents, as MS MARCO's runs and PyTerrier's "minimal"
// format have it.
func ranks(lines [][]byte) bool {
	query, last, n := "", 0.0, 0
	for _, l := range lines {
		if blank(l) || l[0] == '#' {
			continue
		}
		f, _ := split(bytes.TrimSuffix(l, []byte("\r")), nil, 4)
		if len(f) != 3 {
			return false
		}
		v, whole, err := parseGrade(trimID(f[2]))
		switch {
		case err != nil || !whole:
			return false
		case n == 0 || string(f[0]) != query:
			if v != 0 && v != 1 {
				return false
			}
			query, n = string(f[0]), 0
		case v != last+1:
			return false
		}
		last = v
		if n++; n == ranksFrom {
			return true
		}
	}
	return false
}

// lineOnce is a source of lines that has none.
var lineOnce = lines{src: &source{opt: Options{Limits: Limits{}.withDefaults()}}, ended: true}

// sniffJSON tells the formats of JSON apart by what the text begins with.
func sniffJSON(head []byte) Format {
	r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
	r.Reset(head)
	if head[0] == '[' {
		return JudgedQueryJSON
	}
	found := Unknown
	sawID, title, length := false, false, 0
	plain := false // an "id", as Anserini has it
	for r.BeginObject(); found == Unknown && r.More(); {
		key := string(r.Key())
		kind := r.Peek()
		switch {
		case key == "_id":
			sawID = true
			r.Skip()
		case (key == "id" || key == "docid") && (kind == '"' || kind == '0'):
			plain = true
			r.Skip()
		case plain && key == "contents" && kind == '"':
			return CorpusJSONL
		case key == "title" && kind == '"':
			title = true
			r.Skip()
		case key == "text" && kind == '"':
			length = len(r.Bytes())
		case sawID:
			r.Skip()
		case key == "schema_version" && kind == '"', key == "queries" && kind == '[':
			found = BenchmarkJSON
		case kind == '{':
			found = sniffMember(r, key)
		default:
			r.Skip()
		}
	}
	if sawID {
		switch {
		case r.Err() != nil && !title && length == 0, title, length > 400:
			return CorpusJSONL
		}
		return QueriesJSONL
	}
	return found
}

// sniffMember looks into the object at a key of the outermost object.
func sniffMember(r *jsontext.Reader, key string) Format {
	found, keys, named := Unknown, 0, 0 // where every key is the name of a measure, these are figures and no documents
	for r.BeginObject(); r.More(); keys++ {
		if measure.Known(string(r.Key())) {
			named++
		}
		switch r.Peek() {
		case '0':
			if found == Unknown {
				found = QrelsJSON
			}
			if n := r.Number(); bytes.ContainsAny(n, ".eE") {
				found = RunJSON
			}
		case '{':
			if key == "queries" || key == "documents" || key == "qrels" {
				return DatasetJSON
			}
			r.Skip()
		default:
			r.Skip()
		}
	}
	if key == "metadata" || keys > 0 && named == keys {
		return Unknown // the metadata of one shape or the other: look on
	}
	return found
}
