package scores

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// The names of columns, as plain has them.
var (
	systemNames = []string{"run", "runid", "runname", "runtag", "tag", "system", "systemname", "model", "modelname",
		"name", "method",
		"retriever", "pipeline", "ranker", "algorithm", "judge"}
	queryNames  = []string{"query", "queryid", "qid", "queryno", "topic", "topicid", "question", "questionid"}
	taskNames   = []string{"task", "taskname", "dataset", "datasetname", "benchmark", "collection", "corpus", "domain"}
	sampleNames = []string{"item", "itemid", "sample", "sampleid", "example", "exampleid", "instance", "instanceid",
		"case", "caseid", "testcase"}
	measureNames = []string{"measure", "metric", "measurename", "metricname"}
	valueNames   = []string{"value", "score", "metricvalue", "result"}
	docNames     = []string{"doc", "docid", "docno", "document", "documentid", "did", "pid", "passage", "passageid",
		"chunk", "chunkid", "passageid",
		"corpusid"}
	textNames = []string{"text", "querytext", "content", "contents", "body", "title", "answer", "response",
		"description"}
)

// plain is a name as it is compared: without case, and what parts its words.
func plain(name string) string { return parts.Replace(strings.ToLower(strings.TrimSpace(name))) }

var parts = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "", "(", "", ")", "", "#", "")

func contains(list []string, name string) bool { return slices.Contains(list, name) }

// nounOf is what the items of a column are, "" where its name does not say items.
func nounOf(name string) string {
	switch p := plain(name); {
	case contains(queryNames, p):
		return "query"
	case contains(taskNames, p):
		return "task"
	case contains(sampleNames, p):
		return "sample"
	}
	return ""
}

// layout is what the columns of a table are.
type layout struct {
	system, item, measure, value int
	noun                         string
	columns                      []int // of the others that may hold scores
	// A column without a name that comes first, as pandas writes the number of the row; -1 for none
	index int
}

// layoutOf reads a header. ok is false where it is not that of a table of scores.
func layoutOf(header []string) (l layout, ok bool) {
	l = layout{system: -1, item: -1, measure: -1, value: -1, index: -1}
	if len(header) < 2 {
		return l, false
	}
	for i, h := range header {
		p := plain(h)
		switch {
		case contains(docNames, p), contains(textNames, p):
			return l, false // of a run or of judgments, of queries or documents
		case i == 0 && (p == "" || p == "unnamed:0"):
			l.index = 0
		case l.system < 0 && contains(systemNames, p):
			l.system = i
		case l.item < 0 && nounOf(h) != "":
			l.item, l.noun = i, nounOf(h)
		case l.measure < 0 && contains(measureNames, p):
			l.measure = i
		case l.value < 0 && contains(valueNames, p):
			l.value = i
		default:
			l.columns = append(l.columns, i)
		}
	}
	switch {
	case l.item >= 0 && l.value >= 0 && (l.measure >= 0 || l.system >= 0): // a score a row
		return l, true
	case l.value >= 0 || l.measure >= 0: // a column among the others
		for _, i := range []int{l.value, l.measure} {
			if i >= 0 {
				l.columns = append(l.columns, i)
			}
		}
		l.value, l.measure = -1, -1
		slices.Sort(l.columns)
	}
	if len(l.columns) == 0 {
		return l, false
	}
	return l, l.system >= 0 || l.item >= 0 || l.index == 0 && len(l.columns) > 1
}

// isTable reports whether the first lines are those of a table of scores: its header names systems or items, and the
// cells below are numbers.
func isTable(h *head) bool {
	if len(h.lines) < 2 {
		return false
	}
	sep := separator(h.lines[0])
	if sep == 0 {
		return false
	}
	rows, err := csvReader(bytes.Join(h.lines, []byte("\n")), sep).ReadAll()
	if err != nil || len(rows) < 2 {
		return false
	}
	l, ok := layoutOf(rows[0])
	if !ok {
		return false
	}
	columns := l.columns
	if l.value >= 0 {
		columns = []int{l.value}
	}
	numbers, cells := 0, 0
	for _, row := range rows[1:] {
		for _, i := range columns {
			if i >= len(row) || strings.TrimSpace(row[i]) == "" {
				continue
			}
			cells++
			if _, err := number(row[i]); err == nil {
				numbers++
			}
		}
	}
	return numbers > 0 && 2*numbers >= cells
}

// separator is the one of comma, tab and semicolon that a line has most of, 0 for none.
func separator(l []byte) rune {
	best, most := rune(0), 0
	for _, c := range []byte{',', '\t', ';'} {
		if n := bytes.Count(l, []byte{c}); n > most {
			best, most = rune(c), n
		}
	}
	return best
}

func csvReader(b []byte, sep rune) *csv.Reader {
	c := csv.NewReader(bytes.NewReader(b))
	c.Comma, c.FieldsPerRecord, c.LazyQuotes = sep, -1, sep == '\t'
	return c
}

// row is a record with its line.
type row struct {
	cells []string
	line  int
}

// table reads a table with a header.
func (r *reading) table() error {
	line, _, _ := bytes.Cut(bytes.TrimLeft(r.b, "\r\n"), []byte("\n"))
	c := csvReader(r.b, separator(line))
	header, err := c.Read()
	if err != nil {
		return placed(r, err)
	}
	var rows []row
	cells := 0
	for {
		record, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return placed(r, err)
		}
		at, _ := c.FieldPos(0)
		if len(record) == 1 && strings.TrimSpace(record[0]) == "" {
			continue
		}
		if len(record) != len(header) {
			return r.fail(at, fmt.Errorf("%d columns, expected %d: check for an unquoted separator", len(record),
				len(header)))
		}
		if cells += len(record); cells > MaxCells*2 {
			return r.fail(at, fmt.Errorf("more than %d cells", MaxCells*2))
		}
		rows, r.out.Lines = append(rows, row{record, at}), at
	}
	l, _ := layoutOf(header)
	return r.arrange(header, rows, l)
}

// placed gives an error of a CSV its line.
func placed(r *reading, err error) error {
	if at, ok := errors.AsType[*csv.ParseError](err); ok {
		return r.fail(at.Line, at.Err)
	}
	return r.fail(0, err)
}

// arrange makes scores of the rows of a table.
func (r *reading) arrange(header []string, rows []row, l layout) error {
	if l.noun != "" {
		r.out.Noun = l.noun
	}
	if l.value >= 0 {
		return r.long(header, rows, l)
	}
	columns, err := r.numeric(header, rows, l)
	if err != nil {
		return err
	}
	known := 0
	for _, i := range columns {
		if measure.Known(header[i]) {
			known++
		}
	}
	switch {
	case l.system >= 0 && l.item >= 0: // a column a measure
		return r.cells(rows, columns, func(cells []string, i int) (string, string, string) {
			return cells[l.system], cells[l.item], canonical(strings.TrimSpace(header[i]))
		})
	case l.item >= 0 && len(columns) == 1 && contains(valueNames, plain(header[columns[0]])): // one system, one measure
		return r.cells(rows, columns, func(cells []string, _ int) (string, string, string) {
			return r.file, cells[l.item], "score"
		})
	case l.system >= 0 && known == len(columns):
		return fmt.Errorf("its columns are measures (%s) and its rows systems: these are means, and without the "+
			"score of every item nothing can be tested. Export the scores query by query (PyTerrier: perquery=True)",
			fewOf(pick(header, columns)))
	case l.system >= 0:
		return r.wide(header, rows, columns, l.system, true)
	case l.item >= 0:
		measures, err := r.areMeasures(header, rows, columns)
		if err != nil {
			return err
		}
		if !measures {
			var times []string
			columns = slices.DeleteFunc(columns, func(i int) bool {
				if timed(header[i]) && !systemic(header[i]) {
					times = append(times, header[i])
					return true
				}
				return false
			})
			if len(times) > 0 {
				r.out.warn("times-left-out", 1, fewOf(times), func() string {
					return "columns of times and costs are no system, and are left out: " + fewOf(times)
				})
			}
			return r.wide(header, rows, columns, l.item, false)
		}
		return r.cells(rows, columns, func(cells []string, i int) (string, string, string) {
			return r.file, cells[l.item], canonical(strings.TrimSpace(header[i]))
		})
	}
	switch r.opt.Systems {
	case "rows":
		return r.wide(header, rows, columns, l.index, true)
	case "columns":
		return r.wide(header, rows, columns, l.index, false)
	}
	return fmt.Errorf("the first column has no name, so that rows may be systems or items: name it \"model\" or " +
		"\"task\", or give -systems rows or -systems columns")
}

// areMeasures reports whether the columns of a table whose rows are items are measures, so that the file is the
// system: they are unless their names are those of systems. Rows of tasks, of which a benchmark has a few, have systems
// beside them unless all their names are those of measures. The error asks where names say both.
func (r *reading) areMeasures(header []string, rows []row, columns []int) (bool, error) {
	switch r.opt.Systems {
	case "columns":
		return false, nil
	case "measures":
		return true, nil
	}
	var measures, systems []int
	scales := map[int]bool{}
	for _, i := range columns {
		switch name := header[i]; {
		case measure.Known(name), quality(name) && !systemic(name):
			measures = append(measures, i)
		case timed(name) && !systemic(name):
		case systemic(name):
			systems = append(systems, i)
		}
		scales[spanOf(rows, i).scale()] = true
	}
	switch {
	case len(measures) > 0 && len(systems) > 0:
		return false, fmt.Errorf("column %q looks like a measure and %q like a system: give -measures columns or -systems "+
			"columns, or name those that are read (-measures %s)", header[measures[0]], header[systems[0]],
			say.Visible(header[measures[0]]))
	case len(systems) > 0:
		return false, nil
	case r.out.Noun == "task":
		return len(measures) == len(columns), nil
	}
	if len(measures) < len(columns) && len(scales) == 1 && len(columns) > 1 {
		r.out.warn("columns-are-measures", 1, fewOf(pick(header, columns)), func() string {
			return "one row a " + r.out.Noun + ": the columns are read as measures of one system, " + say.Visible(r.file) +
				". If they are systems, give -systems columns"
		})
	}
	return true, nil
}

// pick are the names of some columns.
func pick(header []string, columns []int) (out []string) {
	for _, i := range columns {
		out = append(out, header[i])
	}
	return out
}

// numeric are the columns that hold scores. Those without a number, those that describe or sum up, and of a table with
// systems in rows those on a larger scale than the items, are left out and named. A column with numbers and words is an
// error, which cells finds. The error asks what a column is.
func (r *reading) numeric(header []string, rows []row, l layout) (out []int, err error) {
	if len(r.opt.Columns) > 0 {
		return r.asked(header)
	}
	var text, beside []string
	for _, i := range l.columns {
		scores, words := false, false
		for _, x := range rows {
			v, err := number(x.cells[i])
			scores, words = scores || err == nil && v == v, words || err != nil
		}
		switch {
		case words && !scores:
			text = append(text, header[i])
		case !words && l.item >= 0 && timed(header[i]) && r.opt.Systems != "columns": // a measure, of which less is better
			out = append(out, i)
		case described(header[i], rows, i):
			beside = append(beside, header[i])
		default:
			out = append(out, i)
		}
	}
	if l.item < 0 && r.opt.Systems != "columns" {
		for _, i := range out {
			if averages(rows, out, i) {
				out, beside = slices.DeleteFunc(out, func(j int) bool { return i == j }), append(beside, header[i])
				break
			}
		}
		items, larger, unsure := scaled(rows, out)
		if unsure >= 0 {
			others := "the other columns"
			if len(items) > 0 && items[0] != unsure {
				others = fmt.Sprintf("%q (%v)", header[items[0]], spanOf(rows, items[0]))
			}
			return nil, errUnsure(header[unsure], spanOf(rows, unsure), others)
		}
		out, beside = items, append(beside, pick(header, larger)...)
	}
	if len(text) > 0 {
		r.out.warn("columns-left-out", 1, fewOf(text), func() string {
			return "columns without a score are left out: " + fewOf(text)
		})
	}
	if len(beside) > 0 {
		r.out.warn("summaries-left-out", 1, fewOf(beside), func() string {
			return "columns that sum up, cost or describe are left out: " + fewOf(beside)
		})
	}
	if len(out) == 0 {
		return nil, errors.New("no column holds scores")
	}
	return out, nil
}

// asked are the columns that the caller named.
func (r *reading) asked(header []string) (out []int, err error) {
	for _, name := range r.opt.Columns {
		i := slices.IndexFunc(header, func(h string) bool { return strings.TrimSpace(h) == strings.TrimSpace(name) })
		if i < 0 {
			return nil, fmt.Errorf("there is no column %q: the file has %s", say.Brief(name, 60), fewOf(header))
		}
		out = append(out, i)
	}
	return out, nil
}

// cells adds the scores of some columns; of says the system, item and measure of a cell.
func (r *reading) cells(rows []row, columns []int, of func(cells []string, i int) (system, item,
	measure string)) error {
	for _, x := range rows {
		for _, i := range columns {
			v, err := number(x.cells[i])
			if err != nil {
				return r.fail(x.line, err)
			}
			system, item, name := of(x.cells, i)
			if isWhole(strings.TrimSpace(item)) {
				continue
			}
			if err := r.out.add(strings.TrimSpace(system), strings.TrimSpace(item), name, v, x.line); err != nil {
				return r.fail(x.line, err)
			}
		}
	}
	return nil
}

// wide reads a table of one measure, systems in its rows or its columns.
func (r *reading) wide(header []string, rows []row, columns []int, key int, systems bool) error {
	if len(columns) == 1 && systems {
		return fmt.Errorf("it has one column of scores, %q: with one item a system nothing can be tested",
			header[columns[0]])
	}
	if systems { // nothing says what the columns are
		r.out.Noun = "item"
	}
	names := map[string]int{}
	for _, i := range columns {
		if j, had := names[header[i]]; had {
			return r.fail(1, fmt.Errorf("columns %d and %d are both named %q", j+1, i+1, header[i]))
		}
		names[header[i]] = i
	}
	return r.cells(rows, columns, func(cells []string, i int) (string, string, string) {
		if systems {
			return cells[key], header[i], "score"
		}
		return header[i], cells[key], "score"
	})
}

// long reads a table with a score a row.
func (r *reading) long(header []string, rows []row, l layout) error {
	at := func(x row, i int, none string) string {
		if i < 0 {
			return none
		}
		return strings.TrimSpace(x.cells[i])
	}
	name := "score"
	if l.measure < 0 && plain(header[l.value]) != "score" && plain(header[l.value]) != "value" {
		name = header[l.value]
	}
	for _, x := range rows {
		item := at(x, l.item, "")
		if isWhole(item) {
			continue
		}
		v, err := number(x.cells[l.value])
		if err != nil {
			return r.fail(x.line, err)
		}
		if err := r.out.add(at(x, l.system, r.file), item, canonical(at(x, l.measure, name)), v, x.line); err != nil {
			return r.fail(x.line, err)
		}
	}
	if len(rows) == 0 {
		return errors.New("a header and nothing behind it")
	}
	if len(l.columns) > 0 {
		left := pick(header, l.columns)
		r.out.warn("columns-left-out", 1, strconv.Quote(left[0]), func() string {
			return "other columns are left " +
				"out: " + fewOf(left)
		})
	}
	return nil
}
