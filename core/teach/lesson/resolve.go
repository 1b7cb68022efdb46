package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// Data provides rankings from the demo collection.
type Data interface {
	// Ranking returns a system's answer to a judged query to the given depth, with every judged document of a
	// positive grade. Judgments is "test", "pooled", "second" or "late".
	Ranking(query, system string, depth int, judgments string) (*play.Table, error)
	// Queries returns the judged queries.
	Queries() []report.Query
	// Report compares systems by the measures over all queries.
	Report(systems, measures []string) (*report.Report, error)
	// Judges returns the grades of the test judgments and of other judges, pair by pair, for one query or for all
	// (""). The others are "second", "blind" or "late": a model that calls the first ten of the late stage
	// relevant.
	Judges(query, by string) (first, second []int, err error)
	// Articles returns a system's first documents for a query with their texts and both grades, and the query
	// author's relevance criteria.
	Articles(query, system string, depth int) (Articles, error)
	// Figures returns the data of interactive figures.
	Figures() FigureData
	// Documents returns the number of documents.
	Documents() int
}

// FigureData provides the data of interactive figures.
type FigureData interface {
	// Scored returns documents of BM25's ranking for a query, by rank, with the numbers behind their scores.
	Scored(query, system string, ranks []int) ([]figure.Scored, error)
	// Postings returns posting lists of words. An empty query means the whole collection; otherwise they index the
	// titles of documents of a ranking, by rank. nil words means all words of these titles.
	Postings(query, system string, ranks []int, words []string) (figure.Postings, error)
	// Neighbours returns the nearest documents of a query by vector, with the recall and cost of inverted-file
	// indexes of the given numbers of lists.
	Neighbours(query string, lists []int) (figure.Neighbours, error)
	// Expansion returns a query under RM3, with the parts of its weights and scores.
	Expansion(query string) (figure.Expansion, error)
	// Answer returns the content of a lesson's answer.json.
	Answer(lesson string) (figure.Answer, error)
}

// Articles are documents to judge by hand.
type Articles struct {
	Query, Description, Narrative string
	List                          []Article
}

// Article is a document to judge.
type Article struct {
	Title, Text   string
	First, Second int
}

// resolver computes the figures of a lesson.
type resolver struct {
	*Source
	data  Data
	facts map[string]fact
	known func(lesson string) bool
}

// Resolve computes every figure of the lesson. known reports whether a lesson exists. The error is an *Error.
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
			return nil, &Error{s.File, h.line, fmt.Errorf("the text says that {%s} is %s, and it is %s", h.what, h.want,
				got)}
		}
	}
	if err := r.checkClaims(); err != nil {
		return nil, err
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

// block resolves a block.
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
		if out.Options, err = r.options(b); err != nil {
			return out, err
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
		out.Link = t.Longest()
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
				v, err := readNumber(row[1])
				if err != nil {
					return out, fmt.Errorf("%q is no number", row[1])
				}
				out.Values = append(out.Values, v)
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
	case "coins":
		return r.coins(rest)
	case "figure":
		return r.figureOf(rest)
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

// options resolves the answers to a question. Either all have a figure or none has, so that digits never reveal the
// right one.
func (r *resolver) options(b raw) (out []Option, err error) {
	figures := 0
	for i, o := range b.lines {
		text, err := r.fill(o[2:])
		if err != nil {
			return nil, err
		}
		slip, err := r.fill(b.slips[i])
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(x Option) bool { return x.Text == text }) {
			return nil, fmt.Errorf("the option %q stands twice", text)
		}
		if hasFraction(text) {
			figures++
		}
		out = append(out, Option{text, o[0] == '+', slip})
	}
	if figures > 0 && figures < len(out) {
		return nil, fmt.Errorf("%d of %d options have a figure with decimals: give all of them one, or none", figures,
			len(out))
	}
	return out, nil
}

// hasFraction reports whether a text has a number with decimals.
func hasFraction(text string) bool {
	for i := 1; i < len(text)-1; i++ {
		if text[i] == '.' && text[i+1] >= '0' && text[i+1] <= '9' {
			return true
		}
	}
	return false
}

// address returns the link of "q02 bm25 | dense" in Search, or of "bm25 | dense" on Home, which compares systems.
func (r *resolver) address(word, to string) (string, error) {
	a := share.Address{Screen: share.Home, Spec: experiment.Spec{Collection: share.DefaultCollection}}
	path := "/"
	if word == "search" {
		query, rest, _ := strings.Cut(strings.TrimSpace(to), " ")
		if !slices.ContainsFunc(r.data.Queries(), func(q report.Query) bool { return q.ID == query }) {
			return "", fmt.Errorf("no query was sent %q", query)
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

// ranking parses "a nDCG@5 AP".
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

// fill replaces the braces in a text by their figures.
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
	if words[0] == "claim" { // tested separately
		return "", nil
	}
	if words[0] == "calc" {
		v, err := calc(strings.Join(words[1:], ""))
		return decimals(v), err
	}
	f := r.facts[words[0]]
	if f == nil {
		return "", fmt.Errorf("there is no data %q", words[0])
	}
	return f.say(words[1:])
}

// spans splits a text into plain and formatted pieces.
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

// link returns the address of lesson:name or measure:name.
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
