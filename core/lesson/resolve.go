package lesson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/play"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/significance"
)

// Data is where lessons get rankings from: the demo collection.
type Data interface {
	// Ranking is what a system answers to a judged query, as deep as asked for, with every judged document of a grade above 0 beside it.
	// Judgments is "test", "pooled" or "second".
	Ranking(query, system string, depth int, judgments string) (*play.Table, error)
	// Queries are the judged queries.
	Queries() []report.Query
	// Report compares systems, the measures over all queries.
	Report(systems, measures []string) (*report.Report, error)
	// Judges are the grades of both judgments, pair by pair, of one query, "" of all.
	Judges(query string) (first, second []int, err error)
	// Articles are the first documents that a system returns for a query with their texts and both grades, and what its author says counts.
	Articles(query, system string, depth int) (Articles, error)
	// Documents is how many there are.
	Documents() int
}

// Articles are what is judged by hand.
type Articles struct {
	Query, Description, Narrative string
	List                          []Article
}

// Article is one of them.
type Article struct {
	Title, Text   string
	First, Second int
}

// fact is what a datum's name stands for.
type fact interface {
	// say writes the figure that words ask for.
	say(words []string) (string, error)
}

// resolver works a lesson out.
type resolver struct {
	*Source
	data  Data
	facts map[string]fact
	known func(lesson string) bool
}

// Resolve works out every figure of the lesson. known says which lessons there are. The error is an *Error.
func (s *Source) Resolve(data Data, known func(lesson string) bool) (*Lesson, error) {
	r := &resolver{s, data, map[string]fact{}, known}
	for _, d := range s.data {
		f, err := r.fact(d.what)
		if err != nil {
			return nil, &Error{s.File, d.line, fmt.Errorf("data %s: %w", d.name, err)}
		}
		r.facts[d.name] = f
	}
	for _, h := range s.holds {
		got, err := r.figure(strings.Fields(h.what))
		if err != nil {
			return nil, &Error{s.File, h.line, fmt.Errorf("holds %s: %w", h.what, err)}
		}
		if got != h.want {
			return nil, &Error{s.File, h.line, fmt.Errorf("the text says that {%s} is %s, and it is %s", h.what, h.want, got)}
		}
	}
	l := &Lesson{Head: s.Head}
	for _, name := range l.After {
		if !known(name) {
			return nil, &Error{s.File, s.lines["after"], fmt.Errorf("there is no lesson %q", name)}
		}
	}
	for _, f := range []struct {
		name string
		text *string
	}{{"misconception", &l.Misconception}, {"remember", &l.Remember}, {"title", &l.Title}, {"teaches", &l.Teaches}} {
		var err error
		if *f.text, err = r.fill(*f.text); err != nil {
			return nil, &Error{s.File, s.lines[f.name], err}
		}
	}
	l.Asks = slices.Clone(l.Asks)
	for i := range l.Asks {
		var err error
		if l.Asks[i], err = r.fill(l.Asks[i]); err != nil {
			return nil, &Error{s.File, s.lines["ask"], err}
		}
	}
	for _, step := range s.steps {
		var blocks []Block
		for _, b := range step {
			out, err := r.block(b)
			if err != nil {
				return nil, &Error{s.File, b.line, err}
			}
			blocks = append(blocks, out)
		}
		l.Steps = append(l.Steps, blocks)
	}
	return l, nil
}

func (r *resolver) block(b raw) (out Block, err error) {
	out.Kind = b.kind
	switch b.kind {
	case Text:
		out.Spans, err = r.spans(b.text)
		return out, err
	case Question:
		if out.Spans, err = r.spans(b.text); err != nil {
			return out, err
		}
		for _, o := range b.lines {
			text, err := r.fill(o[2:])
			if err != nil {
				return out, err
			}
			if slices.ContainsFunc(out.Options, func(x Option) bool { return x.Text == text }) {
				return out, fmt.Errorf("the option %q stands twice", text)
			}
			out.Options = append(out.Options, Option{text, o[0] == '+'})
		}
		out.Note, err = r.fill(b.note)
		return out, err
	}
	word, rest, _ := strings.Cut(b.text, " ")
	args := strings.Fields(rest)
	switch word {
	case "play":
		t, ms, err := r.ranking(args)
		if err != nil {
			return out, err
		}
		t = t.Clone()
		t.Measures = ms
		out.Link = t.Link()
	case "unfold":
		t, ms, err := r.ranking(args)
		if err != nil {
			return out, err
		}
		if len(ms) != 1 {
			return out, errors.New("one measure is unfolded")
		}
		out.Rows, out.Note = unfold(t, ms[0])
	case "table", "bars":
		if out.Note, err = r.fill(rest); err != nil {
			return out, err
		}
		for i, line := range b.lines {
			var row []string
			for _, cell := range strings.Split(line, "|") {
				text, err := r.fill(strings.TrimSpace(cell))
				if err != nil {
					return out, err
				}
				row = append(row, text)
			}
			if b.kind == Bars && i > 0 {
				if _, err := strconv.ParseFloat(strings.ReplaceAll(row[1], "−", "-"), 64); err != nil {
					return out, fmt.Errorf("%q is no number", row[1])
				}
			}
			out.Rows = append(out.Rows, row)
		}
	case "curve":
		names, ranking, _ := strings.Cut(rest, " : ")
		if out.Note, err = r.fill(names); err != nil {
			return out, err
		}
		for _, part := range strings.Split(ranking, " | ") {
			name, label, _ := strings.Cut(strings.TrimSpace(part), " ")
			t, ok := r.facts[name].(*table)
			if !ok {
				return out, fmt.Errorf("there is no ranking %q", name)
			}
			saw, stairs := curve(t.Table)
			out.Rows = append(out.Rows, []string{label, saw, stairs})
		}
		if len(out.Rows) > 2 {
			err = errors.New("two curves are drawn, and not more")
		}
	case "judge":
		if len(args) != 2 {
			return out, errors.New("!judge is followed by a query and a system")
		}
		a, e := r.data.Articles(args[0], args[1], 10)
		if e != nil {
			return out, e
		}
		out.Note = a.Query
		out.Spans = []Span{{Text: a.Description}, {Text: a.Narrative}}
		for _, x := range a.List {
			out.Rows = append(out.Rows, []string{x.Title, x.Text, strconv.Itoa(x.First), strconv.Itoa(x.Second)})
		}
	case "exercise":
		if len(args) != 2 {
			return out, errors.New("!exercise is followed by its name and its level")
		}
		out.Name = args[0]
		out.Level, err = strconv.Atoi(args[1])
		if !slices.ContainsFunc(Generators, func(g Generator) bool { return g.Name == out.Name }) {
			return out, fmt.Errorf("there is no exercise %q", out.Name)
		}
		if err != nil || out.Level < 1 || out.Level > Levels {
			return out, fmt.Errorf("%q is no level from 1 to %d", args[1], Levels)
		}
	case "search", "compare":
		to, note, ok := strings.Cut(rest, " : ")
		if !ok {
			return out, fmt.Errorf("!%s says behind \" : \" what to do there", word)
		}
		if out.Note, err = r.fill(note); err != nil {
			return out, err
		}
		out.Link, err = r.address(word, to)
	}
	return out, err
}

// address is the link of "q02 bm25 | dense" in Search, or of "bm25 | dense" on Home, where systems are compared.
func (r *resolver) address(word, to string) (string, error) {
	a := share.Address{Screen: share.Home, Spec: experiment.Spec{Collection: "harbour-wire"}}
	path := "/"
	if word == "search" {
		query, rest, _ := strings.Cut(strings.TrimSpace(to), " ")
		if !slices.ContainsFunc(r.data.Queries(), func(q report.Query) bool { return q.ID == query }) {
			return "", fmt.Errorf("there is no query %q", query)
		}
		a.Screen, a.QueryID, path, to = share.Search, query, "/search", rest
	}
	for _, s := range strings.Split(to, " | ") {
		if s = strings.TrimSpace(s); s != "" {
			a.Systems = append(a.Systems, s)
		}
	}
	if len(a.Systems) == 0 {
		return "", errors.New("no system is named")
	}
	f, err := share.Encode(a)
	return path + "#" + f, err
}

// ranking reads "a nDCG@5 AP".
func (r *resolver) ranking(args []string) (*play.Table, []measure.Measure, error) {
	if len(args) == 0 {
		return nil, nil, errors.New("no ranking is named")
	}
	t, ok := r.facts[args[0]].(*table)
	if !ok {
		return nil, nil, fmt.Errorf("there is no ranking %q", args[0])
	}
	if len(args) < 2 {
		return nil, nil, errors.New("no measure is named")
	}
	var ms []measure.Measure
	for _, s := range args[1:] {
		m, err := measure.Parse(s)
		if err != nil {
			return nil, nil, err
		}
		ms = append(ms, m)
	}
	return t.Table, ms, nil
}

// fill puts figures in place of what stands in braces.
func (r *resolver) fill(text string) (string, error) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		inner, after, ok := strings.Cut(rest, "}")
		if !ok {
			return "", errors.New("a { without its }")
		}
		v, err := r.figure(strings.Fields(inner))
		if err != nil {
			return "", fmt.Errorf("{%s}: %w", inner, err)
		}
		b.WriteString(v)
		text = after
	}
}

func (r *resolver) figure(words []string) (string, error) {
	if len(words) < 2 {
		return "", errors.New("a figure is written {data what}")
	}
	if words[0] == "calc" {
		v, err := calc(strings.Join(words[1:], ""))
		return number(v), err
	}
	f := r.facts[words[0]]
	if f == nil {
		return "", fmt.Errorf("there is no data %q", words[0])
	}
	return f.say(words[1:])
}

// spans cuts a text into plain and marked pieces.
func (r *resolver) spans(text string) ([]Span, error) {
	var out []Span
	plain := func(s string) error {
		s, err := r.fill(s)
		if err == nil && s != "" {
			out = append(out, Span{Text: s})
		}
		return err
	}
	for text != "" {
		i := strings.IndexAny(text, "*`[")
		if i < 0 {
			return out, plain(text)
		}
		if err := plain(text[:i]); err != nil {
			return nil, err
		}
		mark := text[i]
		end := map[byte]string{'*': "*", '`': "`", '[': "]("}[mark]
		inner, rest, ok := strings.Cut(text[i+1:], end)
		if !ok {
			return nil, fmt.Errorf("a %c without its end", mark)
		}
		inner, err := r.fill(inner)
		if err != nil {
			return nil, err
		}
		s := Span{Text: inner, Style: map[byte]string{'*': "em", '`': "code", '[': "a"}[mark]}
		if mark == '[' {
			to, after, ok := strings.Cut(rest, ")")
			if !ok {
				return nil, errors.New("a link without its )")
			}
			if s.To, err = r.link(to); err != nil {
				return nil, err
			}
			rest = after
		}
		out = append(out, s)
		text = rest
	}
	return out, nil
}

// link is the address of lesson:name or measure:name.
func (r *resolver) link(to string) (string, error) {
	kind, name, _ := strings.Cut(to, ":")
	switch kind {
	case "lesson":
		if r.known(name) {
			return "/learn/" + name, nil
		}
		return "", fmt.Errorf("there is no lesson %q", name)
	case "measure":
		m, err := measure.Parse(name)
		if err != nil {
			return "", err
		}
		return "/measures#" + m.Info().Name, nil
	}
	return "", fmt.Errorf("a link leads to lesson:name or measure:name, not to %q", to)
}

// fact reads what data is: "query q02, system bm25, depth 6", "grades 3 2 0", "a list", "a ideal", "a reverse", "a head 5", "a unjudged 3",
// "a move 4 1", "systems bm25 | dense, measures AP RR", "mean system bm25, judgments pooled", "judges q02", "flips 6 4 -2", "collection demo".
func (r *resolver) fact(what string) (fact, error) {
	word, rest, _ := strings.Cut(what, " ")
	if f, ok := r.facts[word].(*table); ok {
		return derive(f.Table, strings.Fields(rest))
	}
	fields := map[string]string{}
	for _, part := range fieldsOf(what) {
		name, value, _ := strings.Cut(strings.TrimSpace(part), " ")
		fields[name] = strings.TrimSpace(value)
	}
	judgments, depth := "test", 10
	if j, ok := fields["judgments"]; ok {
		judgments = j
	}
	if d, ok := fields["depth"]; ok {
		var err error
		if depth, err = strconv.Atoi(d); err != nil || depth < 1 || depth > 1000 {
			return nil, fmt.Errorf("depth %q", d)
		}
	}
	switch word {
	case "query":
		t, err := r.data.Ranking(fields["query"], fields["system"], depth, judgments)
		return &table{t}, err
	case "grades":
		docs, n, err := play.Read(rest)
		if err != nil {
			return nil, err
		}
		t := &play.Table{}
		t.Fill(docs, n)
		return &table{t}, nil
	case "mean":
		m := &mean{}
		for _, q := range r.data.Queries() {
			t, err := r.data.Ranking(q.ID, strings.TrimSpace(strings.TrimPrefix(fields["mean"], "system ")), 100, judgments)
			if err != nil {
				return nil, err
			}
			m.topics = append(m.topics, t.Topic(0))
		}
		return m, nil
	case "systems":
		rep, err := r.data.Report(strings.Split(fields["systems"], " | "), strings.Fields(fields["measures"]))
		return &comparison{rep}, err
	case "collection":
		return documents(r.data.Documents()), nil
	case "flips":
		return readFlips(strings.Fields(rest))
	case "judges":
		a, b, err := r.data.Judges(rest)
		return &judges{a, b}, err
	}
	return nil, fmt.Errorf("unknown data %q", word)
}

// fieldsOf cuts at the commas outside of brackets.
func fieldsOf(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	return append(out, s[start:])
}

// derive makes another ranking of one.
func derive(of *play.Table, words []string) (fact, error) {
	t := of.Clone()
	at := func(i int) (int, error) {
		if i >= len(words) {
			return 0, errors.New("a rank is missing")
		}
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 1 || n > len(t.Lists[0]) {
			return 0, fmt.Errorf("there is no rank %q", words[i])
		}
		return n - 1, nil
	}
	if len(words) == 0 {
		return nil, errors.New("what is made of the ranking is missing")
	}
	switch words[0] {
	case "list": // what was not retrieved is not judged either
		for _, d := range t.Out(0) {
			t.Docs[d].Grade = measure.Unjudged
		}
	case "ideal":
		t.Ideal(0)
	case "sorted":
		l := t.Lists[0]
		slices.SortStableFunc(l, func(a, b int) int { return int(t.Docs[b].Grade) - int(t.Docs[a].Grade) })
	case "reverse":
		t.Reverse(0)
	case "head":
		n, err := at(1)
		if err != nil {
			return nil, err
		}
		t.Lists[0] = t.Lists[0][:n+1]
	case "unjudged":
		n, err := at(1)
		if err != nil {
			return nil, err
		}
		t.Docs[t.Lists[0][n]].Grade = measure.Unjudged
	case "move":
		from, err := at(1)
		if err != nil {
			return nil, err
		}
		to, err := at(2)
		if err != nil {
			return nil, err
		}
		t.Shift(0, from, to)
	default:
		return nil, fmt.Errorf("a ranking cannot be made %q", words[0])
	}
	return &table{t}, nil
}

// table is a ranking.
type table struct{ *play.Table }

func (t *table) say(words []string) (string, error) {
	rank := func() (int, error) {
		if len(words) != 2 {
			return 0, errors.New("a rank is missing")
		}
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 || n > len(t.Lists[0]) {
			return 0, fmt.Errorf("there is no rank %q", words[1])
		}
		return t.Lists[0][n-1], nil
	}
	count := func(list []int, ok func(g int32) bool) string {
		n := 0
		for _, d := range list {
			if ok(t.Docs[d].Grade) {
				n++
			}
		}
		return strconv.Itoa(n)
	}
	relevant := func(g int32) bool { return g > 0 }
	switch words[0] {
	case "title":
		d, err := rank()
		if err != nil {
			return "", err
		}
		return t.Docs[d].Label, nil
	case "grade":
		d, err := rank()
		if err != nil {
			return "", err
		}
		return grade(t.Docs[d].Grade), nil
	case "missed-title":
		for _, d := range t.Out(0) {
			if t.Docs[d].Grade > 0 {
				return t.Docs[d].Label, nil
			}
		}
		return "", errors.New("nothing relevant was missed")
	case "grades":
		return t.Text(0), nil
	case "docs":
		return strconv.Itoa(len(t.Lists[0])), nil
	case "ranks":
		var at []string
		for i, d := range t.Lists[0] {
			if relevant(t.Docs[d].Grade) {
				at = append(at, strconv.Itoa(i+1))
			}
		}
		return strings.Join(at, " "), nil
	case "found":
		return count(t.Lists[0], relevant), nil
	case "missed":
		return count(t.Out(0), relevant), nil
	case "relevant":
		all := make([]int, len(t.Docs))
		for i := range all {
			all[i] = i
		}
		return count(all, relevant), nil
	case "holes":
		return count(t.Lists[0], func(g int32) bool { return g == measure.Unjudged }), nil
	}
	m, err := measure.Parse(words[0])
	if err != nil {
		return "", err
	}
	u := m.Unfold(t.Topic(0))
	switch {
	case len(words) == 1:
		return number(u.Value), nil
	case words[1] == "sum":
		return number(u.Sum), nil
	case words[1] == "divisor":
		return number(u.Divisor), nil
	case words[1] == "term" && len(words) == 3, words[1] == "work" && len(words) == 3:
		n, err := strconv.Atoi(words[2])
		if err != nil || n < 1 || n > len(u.Parts) {
			return "", fmt.Errorf("there is no rank %q", words[2])
		}
		if words[1] == "work" {
			return u.Parts[n-1].Work, nil
		}
		return number(u.Parts[n-1].Term), nil
	case words[1] == "residual":
		r, ok := m.Residual(t.Topic(0))
		if !ok {
			return "", fmt.Errorf("%s says nothing of unjudged documents", m)
		}
		return number(r.High - r.Low), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// documents is how many a collection has.
type documents int

func (d documents) say(words []string) (string, error) {
	if words[0] != "docs" {
		return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
	}
	return say.Thousands(int(d)), nil
}

func grade(g int32) string {
	if g == measure.Unjudged {
		return "?"
	}
	return strconv.Itoa(int(g))
}

func number(v float64) string { return say.Page.Number(v, 4) }

// unfold is the arithmetic as a table, and its caption.
func unfold(t *play.Table, m measure.Measure) (rows [][]string, caption string) {
	u := m.Unfold(t.Topic(0))
	rows = [][]string{{"Rank", "Document", "Grade", "Term", "Value"}}
	for _, p := range u.Parts {
		work := p.Work
		if work == "" {
			work = "–"
		}
		rows = append(rows, []string{strconv.Itoa(p.Place), t.Docs[t.Lists[0][p.Place-1]].Label, grade(p.Grade), work, number(p.Term)})
	}
	rows = append(rows, []string{"", "sum", "", "", number(u.Sum)})
	if u.By != "" {
		rows = append(rows, []string{"", "÷ " + u.By, "", "", number(u.Divisor)})
	}
	rows = append(rows, []string{"", m.String(), "", "", number(u.Value)})
	return rows, m.String() + ": " + strings.Join(u.Steps(), "; ")
}

// mean is a system over all queries.
type mean struct{ topics []*measure.Topic }

func (m *mean) say(words []string) (string, error) {
	x, err := measure.Parse(words[0])
	if err != nil {
		return "", err
	}
	sum := 0.0
	for _, t := range m.topics {
		sum += x.Score(t)
	}
	return number(sum / float64(max(1, len(m.topics)))), nil
}

// flips are differences whose signs are flipped in every way.
type flips struct {
	sum              int
	ways, high, both int
}

func readFlips(words []string) (fact, error) {
	var d []int
	f := &flips{}
	for _, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil || len(d) == 16 {
			return nil, fmt.Errorf("%q: whole numbers, at most 16", w)
		}
		d = append(d, v)
		f.sum += v
	}
	f.ways = 1 << len(d)
	for set := range f.ways {
		s := 0
		for i, v := range d {
			if set>>i&1 != 0 {
				v = -v
			}
			s += v
		}
		if s >= f.sum {
			f.high++
		}
		if s >= f.sum || s <= -f.sum {
			f.both++
		}
	}
	return f, nil
}

func (f *flips) say(words []string) (string, error) {
	switch words[0] {
	case "sum":
		return strconv.Itoa(f.sum), nil
	case "ways":
		return strconv.Itoa(f.ways), nil
	case "high":
		return strconv.Itoa(f.high), nil
	case "both":
		return strconv.Itoa(f.both), nil
	case "p":
		return number(float64(f.both) / float64(f.ways)), nil
	case "least":
		return number(2 / float64(f.ways)), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// judges are two judgments of the same pairs.
type judges struct{ first, second []int }

func (j *judges) say(words []string) (string, error) {
	same := 0
	x, y := make([]int, len(j.first)), make([]int, len(j.first))
	for i, a := range j.first {
		b := j.second[i]
		if a == b {
			same++
		}
		x[i], y[i] = min(1, a), min(1, b)
	}
	switch words[0] {
	case "pairs":
		return say.Thousands(len(j.first)), nil
	case "same":
		return say.Thousands(same), nil
	case "share":
		return number(float64(same) / float64(max(1, len(j.first)))), nil
	case "kappa":
		k, err := significance.CohenKappa(j.first, j.second, significance.Unweighted)
		return number(k), err
	case "binary":
		k, err := significance.CohenKappa(x, y, significance.Unweighted)
		return number(k), err
	case "cell":
		if len(words) == 3 {
			a, err1 := strconv.Atoi(words[1])
			b, err2 := strconv.Atoi(words[2])
			n := 0
			for i := range j.first {
				if j.first[i] == a && j.second[i] == b {
					n++
				}
			}
			return say.Thousands(n), errors.Join(err1, err2)
		}
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// comparison is systems over all queries; A is the first of them.
type comparison struct{ *report.Report }

func (c *comparison) say(words []string) (string, error) {
	system := func(i int) (int, error) {
		if i < len(words) && len(words[i]) == 1 {
			if s := int(words[i][0] - 'A'); s >= 0 && s < len(c.Systems) {
				return s, nil
			}
		}
		return 0, errors.New("a system is missing: A is the first")
	}
	column := func(i int) (*report.Column, error) {
		if i < len(words) {
			for k := range c.Columns {
				if c.Columns[k].Measure == words[i] {
					return &c.Columns[k], nil
				}
			}
			return nil, fmt.Errorf("%q is not among the measures", words[i])
		}
		return nil, errors.New("a measure is missing")
	}
	if words[0] == "n" {
		return strconv.Itoa(len(c.Queries)), nil
	}
	a, err := system(1)
	if err != nil {
		return "", err
	}
	switch words[0] {
	case "name":
		return c.Systems[a].Label, nil
	case "mean", "gmean", "zeros", "value", "low", "high", "kind", "median":
		col, err := column(2)
		if err != nil {
			return "", err
		}
		v := col.Values[a]
		switch words[0] {
		case "mean":
			return number(col.Means[a]), nil
		case "low":
			return number(col.Low[a]), nil
		case "high":
			return number(col.High[a]), nil
		case "gmean":
			r := measure.Result{Values: [][]float64{v}}
			return number(r.GeometricMean(0)), nil
		case "median":
			r := measure.Result{Values: [][]float64{v}}
			return number(r.Median(0)), nil
		case "zeros":
			n := 0
			for _, x := range v {
				if x == 0 {
					n++
				}
			}
			return strconv.Itoa(n), nil
		}
		if len(words) < 4 {
			return "", errors.New("a query or a kind of queries is missing")
		}
		sum, n := 0.0, 0
		for i, q := range c.Queries {
			if q.ID == words[3] || words[0] == "kind" && q.Type == words[3] {
				sum += v[i]
				n++
			}
		}
		if n == 0 {
			return "", fmt.Errorf("there is no query %q", words[3])
		}
		return number(sum / float64(n)), nil
	}
	b, err := system(2)
	if err != nil {
		return "", err
	}
	if words[0] == "p" || words[0] == "plow" || words[0] == "phigh" {
		for _, p := range c.Pairs {
			if p.A == a && p.B == b || p.A == b && p.B == a {
				switch words[0] {
				case "p":
					return say.Page.P(p.P), nil
				case "plow":
					return say.Page.Signed(p.Low, 4), nil
				}
				return say.Page.Signed(p.High, 4), nil
			}
		}
		return "", errors.New("the pair was not tested")
	}
	col, err := column(3)
	if err != nil {
		return "", err
	}
	wins, ties := 0, 0
	for i := range c.Queries {
		switch d := col.Values[a][i] - col.Values[b][i]; {
		case math.Abs(d) < 1e-12:
			ties++
		case d > 0:
			wins++
		}
	}
	switch words[0] {
	case "diff":
		return say.Page.Signed(col.Means[a]-col.Means[b], 4), nil
	case "wins":
		return strconv.Itoa(wins), nil
	case "ties":
		return strconv.Itoa(ties), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}
