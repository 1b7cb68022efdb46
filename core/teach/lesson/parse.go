package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Source is a parsed lesson before its figures are computed.
type Source struct {
	Head
	File  string
	data  []datum
	holds []hold

	claims []claim
	steps  [][]raw
	lines  map[string]int // line numbers of fields
}

// datum names a ranking, a comparison or judgments: "a = query q02, system bm25".
type datum struct {
	line       int
	name, what string
}

// hold is a statement in words that the data must confirm: "a docs = 8".
type hold struct {
	line       int
	what, want string
}

// raw is a block before its figures are computed.
type raw struct {
	line  int
	kind  Kind
	text  string   // of a text or a question; the rest of the line after a block's word
	lines []string // of options or rows
	slips []string // of a question: the misconception behind each option, "" for the right one
	note  string
}

// maxSource is the maximum length of a lesson in bytes.
const maxSource = 64 << 10

// words maps the blocks that begin with "!" to their kinds.
var words = map[string]Kind{"play": Play, "unfold": Table, "table": Table, "bars": Bars, "exercise": Drill,
	"search": Link, "compare": Link, "curve": Curve, "judge": Judging, "coins": Coin,
	"figure": Figure}

// Parse reads a lesson in this format:
//
//	title: …            and number, minutes, teaches, misconception, remember (once each),
//	                    after, source, ask, data, holds, claim (any number)
//	# predict           the steps, in this order: predict, do, see, check, real
//	A paragraph with *emphasis*, `code`, [a link](lesson:ties), [another](measure:AP) and a figure {a AP}.
//	? A question        followed by options: "- " wrong, each with "~ " and its misconception, "+ " right; "= " why
//	!play a             and unfold, table, bars, exercise, search, compare, curve, judge, coins, figure
//
// The head repeats what the prose says about its data in words, so that it can be checked: "holds: a docs = 8". A
// comparative sentence names a test in the head: "claim: title = m inseparable A B" and {claim title}; see
// [resolver.supports]. Other figures are computed in place: {calc 1 - 0.95^20}.
//
// The error is an *Error.
func Parse(file string, text string) (*Source, error) {
	s := &Source{File: file, lines: map[string]int{}}
	fail := func(line int, format string, args ...any) (*Source, error) {
		return nil, &Error{file, line, fmt.Errorf(format, args...)}
	}
	if len(text) > maxSource {
		return fail(1, "a lesson is at most %d bytes long", maxSource)
	}
	if !utf8.ValidString(text) {
		return fail(1, "no UTF-8")
	}
	var open *raw // the block that the next line continues
	blank := func() { open = nil }
	for i, line := range strings.Split(text, "\n") {
		n := i + 1
		line = strings.TrimRight(line, " \t\r")
		switch {
		case line == "":
			blank()
		case strings.HasPrefix(line, "# "):
			blank()
			name := strings.TrimPrefix(line, "# ")
			if len(s.steps) == len(Steps) {
				return fail(n, "there are %d steps, and not more", len(Steps))
			}
			if want := Steps[len(s.steps)]; name != want {
				return fail(n, "step %q: here comes %q", name, want)
			}
			s.steps = append(s.steps, nil)
		case len(s.steps) == 0:
			if err := s.field(n, line); err != nil {
				return nil, &Error{file, n, err}
			}
		default:
			step := &s.steps[len(s.steps)-1]
			add := func(r raw) {
				r.line = n
				*step = append(*step, r)
				open = &(*step)[len(*step)-1]
			}
			switch {
			case strings.HasPrefix(line, "? "):
				add(raw{kind: Question, text: line[2:]})
			case open != nil && open.kind == Question &&
				(strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "+ ")):
				if open.note != "" {
					return fail(n, "an option after the reason")
				}
				open.lines = append(open.lines, line)
				open.slips = append(open.slips, "")
			case open != nil && open.kind == Question && strings.HasPrefix(line, "~ ") && len(open.slips) > 0:
				open.slips[len(open.slips)-1] = line[2:]
			case open != nil && open.kind == Question && strings.HasPrefix(line, "= "):
				open.note = line[2:]
			case open != nil && open.kind == Question:
				return fail(n, `a question goes on with "- ", "+ ", "~ " or "= "`)
			case strings.HasPrefix(line, "!"):
				word, rest, _ := strings.Cut(line[1:], " ")
				kind, ok := words[word]
				if !ok {
					return fail(n, "unknown block %q", "!"+word)
				}
				add(raw{kind: kind, text: word + " " + strings.TrimSpace(rest)})
			case open != nil && (open.kind == Table || open.kind == Bars):
				open.lines = append(open.lines, line)
			case open != nil && open.kind != Text:
				return fail(n, "a text begins after an empty line")
			case open != nil:
				open.text += " " + line
			default:
				add(raw{kind: Text, text: line})
			}
		}
	}
	if len(s.steps) < len(Steps) {
		return fail(strings.Count(text, "\n")+1, "the step %q is missing", Steps[len(s.steps)])
	}
	return s, s.check()
}

// field reads a line of the head.
func (s *Source) field(n int, line string) error {
	name, value, ok := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	if !ok || value == "" {
		return errors.New("the head of a lesson is lines of name: value")
	}
	once := map[string]*string{"title": &s.Title, "teaches": &s.Teaches, "misconception": &s.Misconception,
		"remember": &s.Remember}
	many := map[string]*[]string{"after": &s.After, "source": &s.Sources, "ask": &s.Asks}
	number := map[string]*int{"number": &s.Number, "minutes": &s.Minutes}
	if s.lines[name] > 0 && many[name] == nil && name != "data" && name != "holds" && name != "claim" {
		return fmt.Errorf("%s stands twice", name)
	}
	s.lines[name] = n
	switch {
	case once[name] != nil:
		*once[name] = value
	case many[name] != nil:
		*many[name] = append(*many[name], value)
	case number[name] != nil:
		v, err := strconv.Atoi(value)
		if err != nil || v < 1 || v > 99 {
			return fmt.Errorf("%s: %q is no number from 1 to 99", name, value)
		}
		*number[name] = v
	case name == "data":
		key, what, ok := strings.Cut(value, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" || strings.ContainsAny(key, " {}") {
			return errors.New("data is written name = what")
		}
		if slices.ContainsFunc(s.data, func(d datum) bool { return d.name == key }) {
			return fmt.Errorf("data %q stands twice", key)
		}
		s.data = append(s.data, datum{n, key, strings.TrimSpace(what)})
	case name == "holds":
		what, want, ok := strings.Cut(value, " = ")
		if !ok {
			return errors.New("holds is written data what = text")
		}
		s.holds = append(s.holds, hold{n, what, want})
	case name == "claim":
		key, test, ok := strings.Cut(value, " = ")
		if !ok || key == "" || strings.ContainsAny(key, " {}") {
			return errors.New("a claim is written name = test")
		}
		if slices.ContainsFunc(s.claims, func(c claim) bool { return c.name == key }) {
			return fmt.Errorf("claim %q appears twice", key)
		}
		s.claims = append(s.claims, claim{n, key, test})
	default:
		return fmt.Errorf("unknown field %q", name)
	}
	return nil
}

// check reports missing fields and steps.
func (s *Source) check() error {
	for _, name := range []string{"title", "number", "minutes", "teaches", "misconception", "remember", "source"} {
		if s.lines[name] == 0 {
			return &Error{s.File, 1, fmt.Errorf("the field %q is missing", name)}
		}
	}
	if len(s.Sources) < 2 {
		return &Error{s.File, s.lines["source"], errors.New("a lesson names two sources")}
	}
	plays := 0
	for i, step := range s.steps {
		if len(step) == 0 {
			return &Error{s.File, 1, fmt.Errorf("the step %q is empty", Steps[i])}
		}
		for _, b := range step {
			if err := b.check(); err != nil {
				return &Error{s.File, b.line, err}
			}
			if b.kind == Play {
				plays++
			}
			if b.kind == Play && plays > 1 {
				return &Error{s.File, b.line, errors.New("a lesson has one ranking to play with")}
			}
		}
	}
	for i, kind := range []Kind{0: Question, 3: Drill, 4: Link} {
		if kind != Text && !slices.ContainsFunc(s.steps[i], func(b raw) bool { return b.kind == kind }) {
			return &Error{s.File, s.steps[i][0].line,
				fmt.Errorf("the step %q lacks what it is there for: a question, an exercise or a link", Steps[i])}
		}
	}
	return nil
}

func (b *raw) check() error {
	switch b.kind {
	case Question:
		right := 0
		for i, o := range b.lines {
			if o[0] == '+' {
				right++
			}
			if (o[0] == '-') != (b.slips[i] != "") {
				return fmt.Errorf(`the option %q: a wrong one, and only that, names its misconception: "~ …"`, o[2:])
			}
		}
		switch {
		case len(b.lines) < 2 || len(b.lines) > 5:
			return errors.New("a question has two to five options")
		case right != 1:
			return fmt.Errorf("%d options are right, want one", right)
		case b.note == "":
			return errors.New(`a question says why: "= …"`)
		}
	case Table, Bars:
		if strings.HasPrefix(b.text, "unfold ") {
			return nil
		}
		if len(b.lines) < 2 {
			return errors.New("a table has a head and at least one row")
		}
		for _, l := range b.lines[1:] {
			if strings.Count(l, "|") != strings.Count(b.lines[0], "|") {
				return fmt.Errorf("the row %q has another number of cells than the head", l)
			}
		}
		if b.kind == Bars && strings.Count(b.lines[0], "|") != 1 {
			return errors.New("bars have a label and a number a row")
		}
	}
	return nil
}
