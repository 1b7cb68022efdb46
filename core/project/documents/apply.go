package documents

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

// recognise returns the mapping that names and rows suggest. rows may be the first few.
func (r *rows) recognise(role Role) (m Mapping, err error) {
	if r.find([]string{"run", "system"}) >= 0 && r.find(measureNames) >= 0 && r.find(valueNames) >= 0 {
		return m, errScores
	}
	var used []int
	defer func() {
		for i, c := range r.columns {
			if !slices.Contains(used, i) {
				m.Unused = append(m.Unused, strconv.Quote(c))
			}
		}
	}()
	if role == Queries {
		id := r.find(queryIDNames)
		text := r.find(queryNames, id)
		if text < 0 {
			if text = r.widest([]int{id}); text < 0 {
				return m, fmt.Errorf("no column holds the text of queries: the columns are %s",
					strings.Join(quoted(r.columns), ", "))
			}
		}
		used = []int{id, text}
		m = Mapping{ID: r.name(id), Query: r.name(text)}
		return m, nil
	}
	query, grade := r.find(pairNames), r.grades()
	if query < 0 || grade < 0 {
		query, grade = -1, -1
	}
	id := r.find(idNames, query, grade)
	title := r.find(titleNames, id, query, grade)
	text := r.find(textNames, id, title, query, grade)
	date, category, url := r.find(dateNames), r.find(categoryNames, query), r.find(urlNames)
	language := r.find(languageNames)
	used = []int{id, title, date, category, url, language, query, grade}
	if text < 0 {
		text = r.widest(used)
	}
	if text < 0 && title < 0 {
		return m, fmt.Errorf("no column holds text: the columns are %s", strings.Join(quoted(r.columns), ", "))
	}
	used = append(used, text)
	m = Mapping{ID: r.name(id), Title: r.name(title), Date: r.name(date), Category: r.name(category), URL: r.name(url),
		Language: r.name(language), Query: r.name(query), Grade: r.name(grade)}
	if text >= 0 {
		m.Text = []string{r.name(text)}
	}
	return m, nil
}

var errScores = errors.New("it is a table of scores (run, query, measure, value) and holds no documents: " +
	"rankbox compare compares them")

// grades is the column of grades: by its name, and numbers in all of the first rows; −1 for none.
func (r *rows) grades() int {
	at := r.find(gradeNames)
	for i := range min(len(r.cells), 200) {
		if c := r.cell(i, at); at < 0 || c != "" && !graded(c) {
			return -1
		}
	}
	return at
}

func graded(s string) bool { _, err := grade(s); return err == nil }

// grade reads a grade: a number without an exponent.
func grade(s string) (float64, error) {
	if strings.Trim(s, "+-.0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	g, err := strconv.ParseFloat(s, 64)
	if err == nil && math.Abs(g) > math.MaxInt32 {
		err = strconv.ErrRange
	}
	return g + 0, err // -0 becomes 0
}

// columns of a mapping in rows; −1 for none.
type places struct {
	id, title, date, category, url, language, query, grade int
	text                                                   []int
}

// place finds the columns of a mapping.
func (r *rows) place(m *Mapping) (p places, err error) {
	find := func(u Use, name string) int {
		if name == "" {
			return -1
		}
		i := slices.Index(r.columns, name)
		if i < 0 && err == nil {
			err = &lineError{r.header, fmt.Errorf("there is no column %q, which the mapping uses for %s; the columns "+
				"are %s. "+
				"Correct the mapping, or give the file that it was made for", name, u, strings.Join(quoted(r.columns),
				", "))}
		}
		return i
	}
	p = places{id: find(ForID, m.ID), title: find(ForTitle, m.Title), date: find(ForDate, m.Date),
		category: find(ForCategory, m.Category),
		url:      find(ForURL, m.URL), language: find(ForLanguage, m.Language), query: find(ForQuery, m.Query),
		grade: find(ForGrade, m.Grade)}
	for _, c := range m.Text {
		p.text = append(p.text, find(ForText, c))
	}
	return p, err
}

// rows makes documents, queries and grades of rows by a mapping, or by the one that is recognised.
func (out *Read) rows(r *rows, role Role, given *Mapping) error {
	m, err := r.recognise(role)
	if errors.Is(err, errScores) || len(r.cells) == 0 {
		return cmp.Or(err, errors.New("it has a header and no rows"))
	}
	if given != nil {
		m, err = *given, given.check()
		m.Unused = nil
		for _, c := range r.columns {
			if m.Of(c) == LeaveOut {
				m.Unused = append(m.Unused, strconv.Quote(c))
			}
		}
	}
	if err != nil {
		return err
	}
	out.Mapping = m
	p, err := r.place(&m)
	if err != nil {
		return err
	}
	if m.OnlyQueries() {
		return out.queries(r, p, given != nil)
	}
	return out.documents(r, p, given != nil)
}

func (out *Read) queries(r *rows, p places, strict bool) error {
	description, narrative := r.find([]string{"description", "desc"}, p.id, p.query), r.find([]string{"narrative",
		"narr"}, p.id, p.query)
	seen := map[string]int{}
	for i := range r.cells {
		q := collection.Query{ID: ID(r.cell(i, p.id)), Text: r.cell(i, p.query), Description: r.cell(i, description),
			Narrative: r.cell(i, narrative)}
		if q.Text == "" {
			continue
		}
		if first := seen[q.ID]; first > 0 && strict {
			return r.again(i, p.id, first)
		} else if q.ID == "" || p.id < 0 || first > 0 {
			q.ID = "q" + strconv.Itoa(i+1)
		}
		seen[q.ID] = r.lines[i]
		out.Queries = append(out.Queries, q)
	}
	if len(out.Queries) == 0 {
		return &lineError{r.header, fmt.Errorf("the column %q, used for the query, is empty in every row: choose "+
			"another one", out.Mapping.Query)}
	}
	return nil
}

// again is the error of an id that two rows have.
func (r *rows) again(row, id, first int) error {
	return &lineError{r.lines[row],
		fmt.Errorf("the id %q (column %q) is that of line %d too: choose another column for the id, "+
			"or none, and rows are numbered", say.Brief(r.cell(row, id), 60), r.name(id), first)}
}

// pairing gathers the queries of rows that each have a document and a query.
type pairing struct {
	queries map[string]string // text → id
	docs    map[string]int    // what tells documents apart → place
}

func (out *Read) documents(r *rows, p places, strict bool) error {
	seen := map[string]int{} // id → line
	var noID, noText, noDate, markup tally
	pairs := pairing{map[string]string{}, map[string]int{}}
	languages := map[string]bool{}
	texts := 0
	for i := range r.cells {
		d := collection.Doc{ID: ID(r.cell(i, p.id)), Title: r.cell(i, p.title), Category: r.cell(i, p.category),
			URI: r.cell(i, p.url)}
		var parts []string
		marked, some := false, false
		if d.Title, marked = fieldText(d.Title); marked {
			d.Title = strings.Join(strings.Fields(d.Title), " ")
		}
		for _, c := range p.text {
			t := r.cell(i, c)
			if t, some = fieldText(t); t != "" {
				parts = append(parts, t)
			}
			marked = marked || some
		}
		if marked {
			markup.add(r.lines[i])
		}
		d.Text = strings.Join(parts, "\n\n")
		if d.Text != "" {
			texts++
		} else if d.Title == "" {
			noText.add(r.lines[i])
		}
		if day := r.cell(i, p.date); isDate(day) {
			d.Date = day[:10]
		} else if day != "" {
			noDate.add(r.lines[i])
		}
		if p.language >= 0 {
			languages[strings.ToLower(r.cell(i, p.language))] = true
		}
		if p.query >= 0 {
			if err := out.pair(r, p, i, d, &pairs, seen); err != nil {
				return err
			}
			continue
		}
		if d.ID == "" {
			d.ID = "row-" + strconv.Itoa(i+1)
			noID.add(r.lines[i])
		} else if first := seen[d.ID]; first > 0 && strict {
			return r.again(i, p.id, first)
		} else if first == 0 {
			seen[d.ID] = r.lines[i]
		}
		out.Docs = append(out.Docs, d)
	}
	if texts == 0 && strict && len(p.text) > 0 {
		return &lineError{r.header, fmt.Errorf("%s, used for the text, is empty in every row: choose another column "+
			"for the text",
			"the column "+strings.Join(quoted(out.Mapping.Text), " and "))}
	}
	if n := Unique(out.Docs); n > 0 {
		out.Warnings = append(out.Warnings, say.Count(n, "id was", "ids were")+" repeated and got a number added")
	}
	if p.id >= 0 {
		out.warn(noID, "row has no id and is numbered", "rows have no id and are numbered")
	}
	out.warn(markup, "row holds HTML, of which the text is taken", "rows hold HTML, of which the text is taken")
	out.warn(noText, "row has neither title nor text", "rows have neither title nor text")
	out.warn(noDate, "date is not YYYY-MM-DD and was left out", "dates are not YYYY-MM-DD and were left out")
	if len(languages) == 1 {
		for l := range languages {
			out.Language = l
		}
	}
	return nil
}

// pair takes a row that has a document and a query.
func (out *Read) pair(r *rows, p places, i int, d collection.Doc, all *pairing, seen map[string]int) error {
	key := d.ID
	if p.id < 0 || key == "" {
		key = "\x00" + d.Title + "\x00" + d.Text
	}
	at, known := all.docs[key]
	if !known {
		at = len(out.Docs)
		if d.ID == "" {
			d.ID = "row-" + strconv.Itoa(i+1)
		}
		all.docs[key], seen[d.ID] = at, r.lines[i]
		out.Docs = append(out.Docs, d)
	} else if before := out.Docs[at]; before.Title != d.Title || before.Text != d.Text {
		return r.again(i, p.id, seen[before.ID])
	}
	text := r.cell(i, p.query)
	if text == "" {
		return nil
	}
	id := all.queries[text]
	if id == "" {
		id = "q" + strconv.Itoa(len(all.queries)+1)
		all.queries[text] = id
		out.Queries = append(out.Queries, collection.Query{ID: id, Text: text})
	}
	if p.grade < 0 || r.cell(i, p.grade) == "" {
		return nil
	}
	g, err := grade(r.cell(i, p.grade))
	if err != nil {
		return &lineError{r.lines[i], fmt.Errorf("the grade %q (column %q) is not a number: choose another "+
			"column, or leave it out",
			say.Brief(r.cell(i, p.grade), 40), r.name(p.grade))}
	}
	if out.Qrels == nil {
		out.Qrels = collection.NewQrels()
	}
	out.Qrels.Add(id, out.Docs[at].ID, g)
	return nil
}

// tally counts rows, and remembers the line of the first.
type tally struct{ n, first int }

func (t *tally) add(line int) {
	if t.n++; t.n == 1 {
		t.first = line
	}
}

func (out *Read) warn(t tally, one, many string) {
	if t.n > 0 {
		out.Warnings = append(out.Warnings, say.Count(t.n, one, many)+"; the first is in line "+strconv.Itoa(t.first))
	}
}

// analyzers are those of languages that have one of their own, by code and English name.
var analyzers = map[string]string{
	"da": "snowball-danish", "danish": "snowball-danish",
	"de": "snowball-german", "german": "snowball-german",
	"es": "snowball-spanish", "spanish": "snowball-spanish",
	"fi": "snowball-finnish", "finnish": "snowball-finnish",
	"fr": "snowball-french", "french": "snowball-french",
	"hu": "snowball-hungarian", "hungarian": "snowball-hungarian",
	"it": "snowball-italian", "italian": "snowball-italian",
	"nb": "snowball-norwegian",
	"nl": "snowball-dutch", "dutch": "snowball-dutch",
	"no": "snowball-norwegian", "norwegian": "snowball-norwegian",
	"pt": "snowball-portuguese", "portuguese": "snowball-portuguese",
	"ru": "snowball-russian", "russian": "snowball-russian",
	"sv": "snowball-swedish", "swedish": "snowball-swedish",
	"ja": "cjk", "japanese": "cjk", "ko": "cjk", "korean": "cjk", "zh": "cjk", "chinese": "cjk",
}

// Analyzer is the analyzer of documents in a language, which is a code (de, de-CH) or an English name; "" for the
// default.
func Analyzer(language string) string {
	code, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(language), "_", "-"), "-")
	return analyzers[code]
}
