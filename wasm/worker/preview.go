//go:build !first

package worker

import (
	"bytes"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	docs "github.com/rankbox/rankbox/core/project/documents"
)

func init() {
	register(message.Preview, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "No collection was made: " + p.What
		p.Do = "Correct the file, or choose others."
	}}, toPreviews, (*previews).preview)
}

const (
	previewRows   = 5   // of each table
	previewCell   = 300 // characters of a cell
	previewTables = 5   // others are read as they are recognised
	previewFiles  = 20  // of each table, whose rows are tried
	previewOthers = 20
	previewField  = 40 // characters of an example
	previewPieces = 12 // chunks of the document that is shown
	sampleDocs    = 100
	sampleBytes   = 2 << 20 // of files that are read whole
)

// previews show what would become of files, and of kept documents that are split again.
type previews struct {
	sample *keptSample // the documents that are previewed, nil for none

	device *Device
	page   *page
}

func toPreviews(e *Engine) *previews { return &e.previews }

// preview reads the beginnings of files. A collection in BEIR's layout and a zip have nothing to choose,
// unless the zip holds queries and judgments alone: then it is where the documents are.
func (v *previews) preview(r message.Request, ask *message.AskPreview) (*message.Previewed, error) {
	if ask.From != "" {
		return v.previewKept(r, ask)
	}
	if v.device.Files == nil {
		return nil, errors.New("no files can be read here")
	}
	out := &message.Previewed{Exact: true}
	files, passed := readable(v.device.spread(ask.Files))
	files = ofFolder(files)
	if len(files) == 1 && strings.EqualFold(path.Ext(files[0].Name), ".zip") {
		return out, v.previewZip(files[0], out)
	}
	if _, beir := beirRoot(files); beir {
		return out, nil
	}
	see := &seeing{out: out, chosen: map[int]*docs.Mapping{}, at: map[string]int{}, headings: map[int][]int{},
		root: docs.Root(namesOf(files)), taken: ask.Pages}
	for _, m := range ask.Mappings {
		see.chosen[m.File] = mappingOf(m.Used)
	}
	p := message.Progress{What: "Looking at the files", Total: len(files), Unit: "files"}
	stopped := v.page.stopped(r, &p)
	for i, f := range files {
		if p.Done = i; stopped() {
			return nil, nil
		}
		head, page, err := []byte(nil), markup(f.Name), error(nil)
		if !page {
			if head, err = v.device.head(f); err == nil {
				page = docs.IsPage(f.Name, head)
			}
		}
		switch {
		case err == nil && page:
			see.pages++
			err = v.seePage(see, f, stopped)
		case err == nil:
			err = see.file(f, head)
		}
		if err != nil && (len(files) == 1 || errors.Is(err, errStopped)) {
			return nil, err
		}
		if err != nil {
			see.say(notRead(f, err))
		}
	}
	if passed != "" {
		see.say(passed + ".")
	}
	if err := see.end(); err != nil {
		return nil, err
	}
	out.Sample = sampleOf(see.docs, see.headings, ask.Chunking, ask.Document)
	return out, nil
}

// seePage reads a document that is a file, unless enough are read. One that cannot be read is refused when all are.
func (v *previews) seePage(see *seeing, f message.File, stopped func() bool) error {
	if len(see.docs) >= sampleDocs || see.read+f.Size > sampleBytes && len(see.docs) > 0 || f.Size > 8*sampleBytes {
		return nil
	}
	see.read += f.Size
	got, err := v.device.ordinary(f, nil, int64(8*sampleBytes), stopped)
	if errors.Is(err, errStopped) {
		return err
	}
	if err != nil || len(got.Docs) != 1 {
		return nil
	}
	taken(f.Name, got, see.taken)
	if got.Headings != nil {
		see.headings[len(see.docs)] = got.Headings
	}
	if see.root != "" {
		got.Docs[0].ID = strings.TrimPrefix(got.Docs[0].ID, docs.ID(see.root)+"/")
	}
	see.fields(&got.Docs[0])
	see.docs = append(see.docs, got.Docs...)
	return nil
}

// mappingOf is the mapping of a message, nil for the recognised one.
func mappingOf(used []message.Used) *docs.Mapping {
	if len(used) == 0 {
		return nil
	}
	var m docs.Mapping
	for _, u := range used {
		m = m.With(u.Column, docs.Use(u.For))
	}
	return &m
}

// usedOf is a mapping as a message has it.
func usedOf(m *docs.Mapping, columns []string) (out []message.Used) {
	for _, c := range m.Text {
		out = append(out, message.Used{Column: c, For: string(docs.ForText)})
	}
	for _, c := range columns {
		if u := m.Of(c); u != docs.LeaveOut && u != docs.ForText {
			out = append(out, message.Used{Column: c, For: string(u)})
		}
	}
	return out
}

// seeing gathers files by their columns.
type seeing struct {
	out     *message.Previewed
	chosen  map[int]*docs.Mapping // by the id of a file
	at      map[string]int        // columns → place of the table
	tables  [][]*docs.Table       // by place
	mapping *docs.Mapping         // of a file that was given with the others
	from    string                // its name
	pages   int                   // Markdown, HTML, and text: a document each
	unseen  int                   // others that are not listed

	docs     []collection.Doc // the first documents
	headings map[int][]int    // of those, by their place
	read     int              // bytes of files that were read whole
	root     string           // ids begin below it
	taken    message.Pages

	queried, judged int  // about how many queries and judgments there are
	documents       bool // a file may hold documents, or is not known
}

func (s *seeing) file(f message.File, head []byte) error {
	if docs.IsMapping(head) {
		m, err := docs.ReadMapping(f.Name, head)
		s.mapping, s.from = m, f.Name
		return err
	}
	t, err := docs.Peek(f.Name, head, int64(f.Size))
	if err != nil {
		return err
	}
	beir := isCorpus(f.Name) && t != nil && t.Native // without a folder
	if t == nil || docs.RoleOf(f.Name) == docs.Queries || beir {
		if t != nil && !beir {
			s.queries(f, t)
		} else {
			s.other(f, head)
		}
		return nil
	}
	key := t.Kind + "\x00" + strings.Join(t.Columns, "\x00")
	i, known := s.at[key]
	if !known {
		i = len(s.tables)
		s.at[key], s.tables = i, append(s.tables, nil)
		s.out.Tables = append(s.out.Tables, message.Table{Kind: t.Kind, Native: true})
	}
	s.tables[i] = append(s.tables[i], t)
	s.out.Tables[i].Files = append(s.out.Tables[i].Files, f)
	return nil
}

// queries says how a file of queries is read.
func (s *seeing) queries(f message.File, t *docs.Table) {
	got, err := t.Try(nil)
	if err != nil {
		s.say(f.Name + ": " + say.Sentence(err))
		return
	}
	n := ""
	if !t.Whole {
		n = "about "
	}
	s.queried += len(got.Queries) * max(1, t.About) / max(1, t.Read)
	s.say(f.Name + ": " + n + say.Count(len(got.Queries)*max(1, t.About)/max(1, t.Read), "query", "queries") + ", " +
		got.Mapping.Said() + ".")
}

// other says what a file is whose columns cannot be chosen.
func (s *seeing) other(f message.File, head []byte) {
	kind := collection.Detect(head)
	if kind == collection.QueriesJSONL && isCorpus(f.Name) { // of short texts
		kind = collection.CorpusJSONL
	}
	rows := int(float64(bytes.Count(head, []byte("\n"))) * float64(f.Size) / float64(max(1, len(head))))
	switch kind {
	case collection.QueriesTSV, collection.QueriesCSV, collection.QueriesJSONL:
		s.queried += rows
	case collection.QrelsTSV, collection.QrelsCSV: // the first line names the columns
		s.judged += max(0, rows-1)
	case collection.QrelsTREC, collection.QrelsJSON:
		s.judged += rows
	default:
		s.documents = true
	}
	if kind == collection.Unknown {
		s.out.Exact = false
		s.say(f.Name + ": " + looks(f.Name, head) + ".")
		return
	}
	switch kind {
	case collection.CorpusTREC, collection.CorpusTSV, collection.CorpusCSV, collection.CorpusJSONL,
		collection.QueriesTSV, collection.Gzip, collection.Zip:
		s.out.Exact = docs.RoleOf(f.Name) == docs.Queries && s.out.Exact
	}
	s.say(f.Name + ": " + string(kind) + ".")
}

func looks(name string, head []byte) string {
	if l := docs.Looks(name, head); l != "" {
		return l
	}
	return "not text"
}

func (s *seeing) say(sentence string) {
	if len(s.out.Others) < previewOthers {
		s.out.Others = append(s.out.Others, sentence)
	} else {
		s.unseen++
	}
}

// end applies the mappings.
func (s *seeing) end() error {
	var unfit error
	fits := 0
	for i, list := range s.tables {
		n, fit := s.table(&s.out.Tables[i], list)
		s.out.Documents += n
		if s.mapping != nil && fit == nil {
			fits++
		} else if unfit == nil {
			unfit = fit
		}
	}
	if s.mapping != nil && len(s.tables) > 0 && fits == 0 {
		return unfit
	}
	if more := len(s.out.Tables) - previewTables; more > 0 {
		s.out.Tables = s.out.Tables[:previewTables]
		s.say(say.Count(more, "table with other columns is", "tables with other columns are") + " read as recognised.")
	}
	if len(s.tables) == 0 && s.pages == 0 && !s.documents && s.queried > 0 {
		s.out.Queries, s.out.Judgments = s.queried, s.judged
	}
	if s.pages > 0 {
		s.out.Documents += s.pages
		s.say(say.Count(s.pages, "file of text, Markdown or HTML is", "files of text, Markdown or HTML are") +
			" a document each.")
	}
	if s.unseen > 0 {
		s.out.Others = append(s.out.Others, say.Count(s.unseen, "more file", "more files")+".")
	}
	return nil
}

// table tries the mapping of a table on the beginnings of its files. It returns about how many documents there are,
// and why the mapping file does not fit.
func (s *seeing) table(out *message.Table, list []*docs.Table) (documents int, unfit error) {
	first := list[0]
	m, recognised := s.chosen[out.Files[0].ID], true
	if m == nil && s.mapping != nil {
		if unfit = first.Fits(s.mapping); unfit == nil {
			m, out.From = s.mapping, s.from
		}
	}
	used := &first.Mapping
	if m != nil {
		used, recognised = m, false
	}
	out.Used = usedOf(used, first.Columns)
	for _, c := range first.Columns {
		out.Columns = append(out.Columns, message.Column{Name: c})
	}
	out.Whole = true
	for i, t := range list {
		out.Native = out.Native && t.Native
		out.Read, out.About, out.Whole = out.Read+t.Read, out.About+t.About, out.Whole && t.Whole
		for c, n := range t.Filled {
			out.Columns[c].Filled += n
		}
		if i >= previewFiles {
			s.out.Exact = false
			continue
		}
		got, err := t.Try(m)
		if err != nil {
			if out.Problem == "" {
				out.Problem = misfit(err)
			}
		} else {
			s.sample(got.Docs)
			out.Documents, out.Queries = out.Documents+len(got.Docs), out.Queries+len(got.Queries)
			if got.Qrels != nil {
				out.Judgments += got.Qrels.Len()
			}
			for _, w := range got.Warnings {
				out.Warnings = append(out.Warnings, t.Name+": "+w+".")
			}
		}
		addRows(out, t, used)
	}
	s.out.Exact = s.out.Exact && out.Whole
	if out.Read == 0 {
		return 0, unfit
	}
	if recognised && len(out.Used) == 0 && out.Problem == "" {
		out.Problem = "No column is recognised: choose the text."
	}
	return int(float64(out.Documents) / float64(min(out.Read, tried(list))) * float64(out.About)), unfit
}

// misfit says why a mapping does not fit, where first.
func misfit(err error) string {
	var at *collection.ParseError
	if !errors.As(err, &at) {
		return say.Sentence(err)
	}
	where := at.File
	if at.Line > 0 {
		where += ", line " + strconv.Itoa(at.Line)
	}
	return where + ": " + say.Sentence(at.Err)
}

// tried is how many rows were tried.
func tried(list []*docs.Table) (n int) {
	for _, t := range list[:min(len(list), previewFiles)] {
		n += t.Read
	}
	return n
}

// addRows adds the first rows of a table, as read and as the documents or queries that become of them.
func addRows(out *message.Table, t *docs.Table, m *docs.Mapping) {
	for i := range t.Read {
		if len(out.Rows) == previewRows {
			return
		}
		cells, line := t.Row(i)
		row := message.PreviewRow{Line: line}
		value := map[docs.Use]string{}
		for c, cell := range cells {
			row.Cells = append(row.Cells, say.Brief(cell, previewCell))
			if u := m.Of(t.Columns[c]); u != docs.LeaveOut && u != docs.ForText {
				value[u] = say.Brief(cell, previewCell)
			}
		}
		row.ID, row.Title, row.Text = value[docs.ForID], value[docs.ForTitle], ""
		if row.ID == "" {
			row.ID = "row-" + strconv.Itoa(i+1)
		}
		var texts []string
		for _, c := range m.Text {
			if j := slices.Index(t.Columns, c); j >= 0 {
				texts = append(texts, cells[j])
			}
		}
		row.Text = say.Brief(strings.TrimSpace(strings.Join(texts, " ")), 2*previewCell)
		if m.OnlyQueries() {
			row.Title, value[docs.ForQuery] = value[docs.ForQuery], ""
		}
		for _, u := range []docs.Use{docs.ForDate, docs.ForCategory, docs.ForLanguage, docs.ForURL, docs.ForQuery,
			docs.ForGrade} {
			if value[u] != "" {
				row.Notes = append(row.Notes, string(u)+": "+value[u])
			}
		}
		out.Rows = append(out.Rows, row)
	}
}
