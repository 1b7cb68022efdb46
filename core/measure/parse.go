package measure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/near"
)

// ParseError reports an error in a measure's notation, with its position.
type ParseError struct {
	Text    string // the notation as given
	Pos     int    // byte offset into Text, from 0
	Nearest string // the nearest known name, or ""
	Err     error
}

func (e *ParseError) Error() string { return "measure: " + e.Said() }

// Said returns the message for users.
func (e *ParseError) Said() string {
	s := fmt.Sprintf("parse %q: position %d: %v", e.Text, e.Pos+1, e.Err)
	if e.Nearest != "" {
		s += "; did you mean " + e.Nearest + "?"
	}
	if of, ok := strings.CutPrefix(e.Text, "gm_"); ok && errors.Is(e.Err, ErrUnknownMeasure) &&
		(of == "map" || of == "bpref") {
		s += " (for a geometric mean use rankbox eval -summary geometric; -o trec_eval knows the name)"
	}
	return s
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// Errors that a ParseError wraps.
var (
	ErrUnknownMeasure = errors.New("unknown measure")
	// Only in the site's first program.
	ErrBeyond       = errors.New("this build of the program does not have the measure")
	ErrUnknownParam = errors.New("unknown parameter")
	ErrValue        = errors.New("bad value")
	ErrMissing      = errors.New("missing parameter")
	ErrSyntax       = errors.New("syntax")
)

// Parse reads a measure in ir_measures' notation, nDCG(dcg='exp-log2')@10, or by its name in another tool: MAP,
// MRR@10, recall@10, ndcg_cut.10, ndcg_cut_10, P_10, hit_rate@5, ndcg_at_10, map@10-l2, rbp.95. It matches names
// exactly first, then ignores case, "_", "-" and spaces. The error is a *ParseError.
func Parse(notation string) (Measure, error) {
	ms, err := parse(notation)
	if err != nil {
		return Measure{}, err
	}
	if len(ms) != 1 {
		return Measure{}, &ParseError{Text: notation,
			Err: fmt.Errorf("%w: %s stands for %d measures, name one of them: %s", ErrMissing,
				strings.TrimSpace(notation), len(ms), ms[0])}
	}
	return ms[0], nil
}

// ParseList reads several measures, separated by spaces or commas. trec_eval's parameter lists (P.5,10), families
// without parameters (ndcg_cut) and nicknames (official, set, all_trec) yield several measures. Duplicates are
// dropped. An empty list is no error.
func ParseList(s string) ([]Measure, error) {
	var out []Measure
	seen := map[string]bool{}
	for _, f := range splitList(s) {
		ms, err := parse(f.text)
		if err != nil {
			var pe *ParseError
			if errors.As(err, &pe) {
				err = &ParseError{Text: s, Pos: f.pos + pe.Pos, Nearest: pe.Nearest, Err: pe.Err}
			}
			return nil, err
		}
		for _, m := range ms {
			if k := m.String(); !seen[k] {
				seen[k] = true
				out = append(out, m)
			}
		}
	}
	return out, nil
}

type field struct {
	text string
	pos  int
}

// splitList splits a list at spaces and at commas outside brackets and quotes. A piece that starts with a number
// continues the parameters of the piece before: P.5,10.
func splitList(s string) []field {
	var out []field
	depth, start := 0, -1
	var quote byte
	flush := func(end int) {
		if start >= 0 {
			out = append(out, field{s[start:end], start})
			start = -1
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '{' || c == '[':
			depth++
		case c == ')' || c == '}' || c == ']':
			depth--
		case depth <= 0 && (c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			if c == ',' && start >= 0 && continuesParams(s[start:i], s[i+1:]) {
				continue
			}
			if c != ',' && c != ';' && start >= 0 && (strings.HasPrefix(strings.TrimLeft(s[i:], " \t\r\n"), "@") ||
				strings.HasSuffix(strings.TrimRight(s[start:i], " \t\r\n"), "@")) {
				continue // spaces around the cutoff belong to it
			}
			flush(i)
			continue
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(s))
	return out
}

// continuesParams reports whether the text after a comma is another parameter of a trec_eval measure, not a new
// measure.
func continuesParams(head, rest string) bool {
	if !strings.Contains(head, ".") && !strings.HasSuffix(strings.TrimRight(head, "0123456789"), "_") ||
		strings.ContainsAny(head, "(@") {
		return false
	}
	end := strings.IndexAny(rest, ", ;\t\n\r")
	if end < 0 {
		end = len(rest)
	}
	piece := rest[:end]
	if eq := strings.IndexByte(piece, '='); eq >= 0 {
		return true
	}
	_, err := strconv.ParseFloat(piece, 64)
	return err == nil
}

// target is the meaning of a name.
type target struct {
	info *Info
	set  string
}

var names = sync.OnceValue(func() map[string]target {
	m := map[string]target{}
	add := func(name string, tg target) {
		if _, ok := m[name]; !ok {
			m[name] = tg
		}
	}
	for _, in := range registry {
		add(in.Name, target{in, ""})
	}
	for _, in := range registry {
		for _, a := range in.Aliases {
			add(a.Name, target{in, a.Set})
		}
	}
	// Folded names come last, under a prefix that no name has, so that exact names take precedence.
	for _, in := range registry {
		add("~"+foldName(in.Name), target{in, ""})
	}
	for _, in := range registry {
		for _, a := range in.Aliases {
			add("~"+foldName(a.Name), target{in, a.Set})
		}
	}
	return m
})

// foldName removes case and the characters with which tools join words.
func foldName(s string) string {
	var out []byte
	for i := range len(s) {
		if c := s[i]; c != '_' && c != '-' && c != ' ' {
			out = append(out, c)
		}
	}
	return strings.ToLower(string(out))
}

func lookup(name string) (target, bool) {
	n := names()
	if t, ok := n[name]; ok {
		return t, true
	}
	t, ok := n["~"+foldName(name)]
	return t, ok && foldName(name) != ""
}

// nearest returns the known name most similar to name, or "" if none is close.
func nearest(name string) string {
	best, bestD := "", 1+max(1, utf8.RuneCountInString(foldName(name))/2)
	try := func(known string) {
		if d := near.Distance(foldName(name), foldName(known)); d < bestD {
			best, bestD = known, d
		}
	}
	for _, in := range registry {
		try(in.Name)
	}
	for _, in := range registry {
		for _, a := range in.Aliases {
			try(a.Name)
		}
	}
	return best
}

// scanner scans one notation.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) fail(pos int, err error) error {
	return &ParseError{Text: s.text, Pos: pos, Err: err}
}

func (s *scanner) space() {
	for s.pos < len(s.text) && (s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
		s.pos++
	}
}

// accept skips c and reports whether it was there.
func (s *scanner) accept(c byte) bool {
	s.space()
	if s.pos < len(s.text) && s.text[s.pos] == c {
		s.pos++
		return true
	}
	return false
}

// word returns the run of letters, digits, "_" and "-" at the position.
func (s *scanner) word() string {
	s.space()
	start := s.pos
	for s.pos < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[s.pos:])
		if r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		s.pos += n
	}
	return s.text[start:s.pos]
}

func parse(notation string) ([]Measure, error) {
	if head, level, ok := cutLevel(notation); ok {
		return parseLevel(notation, head, level)
	}
	s := &scanner{text: notation}
	s.space()
	start := s.pos
	name := s.word()
	if name == "" {
		return nil, s.fail(start, fmt.Errorf("%w: a measure starts with its name", ErrSyntax))
	}
	if strings.HasPrefix(notation[s.pos:], ".") {
		return parseTrec(s, start, name)
	}
	if ms, ok := family(name); ok && strings.TrimSpace(notation[s.pos:]) == "" {
		return ms, nil
	}
	tg, ok := lookup(name)
	if !ok {
		if ms, ok, err := parseSuffix(s, start, name); ok || err != nil {
			return ms, err
		}
		if ms, ok := nickname(name); ok && strings.TrimSpace(notation[s.pos:]) == "" {
			return ms, nil
		}
		return nil, &ParseError{Text: notation, Pos: start, Nearest: nearest(name),
			Err: fmt.Errorf("%w %q", errUnlisted, name)}
	}
	m := tg.info.blank()
	if in := wholeListNames[name]; in != nil && strings.TrimSpace(notation[s.pos:]) == "" {
		m = in.blank()
	}
	given := map[string]bool{}
	if err := preset(&m, tg.set); err != nil {
		return nil, s.fail(start, err)
	}
	if s.accept('(') {
		if err := s.params(&m, given); err != nil {
			return nil, err
		}
	}
	if s.accept('@') {
		at := m.info.at()
		s.space()
		pos := s.pos
		if at == nil {
			return nil, s.fail(pos-1, fmt.Errorf("%w: %s has no cutoff", ErrUnknownParam, m.info.Name))
		}
		if given[at.Name] {
			return nil, s.fail(pos-1, fmt.Errorf("%w: %s is given twice", ErrSyntax, at.Name))
		}
		if err := s.value(&m, at); err != nil {
			return nil, err
		}
		given[at.Name] = true
	}
	s.space()
	if s.pos < len(s.text) {
		return nil, s.fail(s.pos, fmt.Errorf("%w: unexpected %q", ErrSyntax, s.text[s.pos:]))
	}
	if err := m.complete(); err != nil {
		return nil, s.fail(len(notation), err)
	}
	return []Measure{m}, nil
}

// cutLevel splits ranx's relevance level off a name: map@10-l2.
func cutLevel(notation string) (head string, level int, ok bool) {
	text := strings.TrimSpace(notation)
	i := strings.LastIndex(text, "-l")
	if i <= 0 || strings.Contains(text, "(") || text[i+2:] == "" || strings.Trim(text[i+2:], "0123456789") != "" {
		return "", 0, false
	}
	level, err := strconv.Atoi(text[i+2:])
	return text[:i], level, err == nil && level <= 1e6
}

// parseLevel reads a measure that ends in a relevance level.
func parseLevel(notation, head string, level int) ([]Measure, error) {
	ms, err := parse(head)
	if err != nil {
		var pe *ParseError
		if errors.As(err, &pe) {
			err = &ParseError{Text: notation, Pos: strings.Index(notation, head) + pe.Pos, Nearest: pe.Nearest,
				Err: pe.Err}
		}
		return nil, err
	}
	for i := range ms {
		p := ms[i].info.param("rel")
		if p == nil || ms[i].info == &infoRBP { // ranx's rbp stays graded despite a level
			return nil, &ParseError{Text: notation, Pos: strings.Index(notation, head) + len(head),
				Err: fmt.Errorf("%w: %s has no relevance level", ErrUnknownParam, ms[i].info.Name)}
		}
		ms[i].set(p, float64(level))
	}
	return ms, nil
}

// complete checks that required parameters are present and all are consistent.
func (m *Measure) complete() error {
	for i := range m.info.Params {
		p := &m.info.Params[i]
		if !p.Required || !m.isDefault(p) {
			continue
		}
		if p.At {
			at := "10"
			if p.Kind == KindFloat {
				at = "0.5"
			}
			return fmt.Errorf("%w: %s needs %s: %s@%s", ErrMissing, m.info.Name, p.Name, m.info.Name, at)
		}
		return fmt.Errorf("%w: %s needs %s", ErrMissing, m.info.Name, p.Name)
	}
	if m.info.check != nil {
		return m.info.check(*m)
	}
	return nil
}

// preset applies the parameters of an alias.
func preset(m *Measure, set string) error {
	if set == "" {
		return nil
	}
	s := &scanner{text: set + ")"}
	return s.params(m, map[string]bool{})
}

// params reads name=value pairs up to the closing parenthesis.
func (s *scanner) params(m *Measure, given map[string]bool) error {
	if s.accept(')') {
		return nil
	}
	for {
		s.space()
		pos := s.pos
		name := s.word()
		if name == "" {
			return s.fail(pos, fmt.Errorf("%w: expected a parameter's name", ErrSyntax))
		}
		p := m.info.param(name)
		if p == nil {
			return s.unknownParam(m, pos, name)
		}
		if given[name] {
			return s.fail(pos, fmt.Errorf("%w: %s is given twice", ErrSyntax, name))
		}
		given[name] = true
		if !s.accept('=') {
			return s.fail(s.pos, fmt.Errorf("%w: expected = after %s", ErrSyntax, name))
		}
		if err := s.value(m, p); err != nil {
			return err
		}
		if s.accept(')') {
			return nil
		}
		if !s.accept(',') {
			return s.fail(s.pos, fmt.Errorf("%w: expected , or )", ErrSyntax))
		}
	}
}

func (s *scanner) unknownParam(m *Measure, pos int, name string) error {
	best, bestD, known := "", 3, make([]string, 0, len(m.info.Params))
	for i := range m.info.Params {
		n := m.info.Params[i].Name
		known = append(known, n)
		if d := near.Distance(strings.ToLower(name), strings.ToLower(n)); d < bestD {
			best, bestD = n, d
		}
	}
	err := fmt.Errorf("%w %q: %s has %s", ErrUnknownParam, name, m.info.Name, strings.Join(known, ", "))
	if len(known) == 0 {
		err = fmt.Errorf("%w %q: %s has none", ErrUnknownParam, name, m.info.Name)
	}
	return &ParseError{Text: s.text, Pos: pos, Nearest: best, Err: err}
}

// value reads the value of parameter p into m.
func (s *scanner) value(m *Measure, p *Param) error {
	s.space()
	pos := s.pos
	switch p.Kind {
	case KindGains:
		return s.gains(m)
	case KindList:
		return s.list(m, p)
	case KindChoice:
		w := s.quoted()
		for i, c := range p.Choices {
			if w == c {
				m.set(p, float64(i))
				return nil
			}
		}
		return s.fail(pos, fmt.Errorf("%w %q for %s: one of '%s'", ErrValue, w, p.Name,
			strings.Join(p.Choices, "', '")))
	case KindBool:
		w := s.word()
		switch strings.ToLower(w) {
		case "true", "1":
			m.set(p, 1)
		case "false", "0":
			m.set(p, 0)
		default:
			return s.fail(pos, fmt.Errorf("%w %q for %s: True or False", ErrValue, w, p.Name))
		}
		return nil
	}
	v, err := s.number(p.Name)
	if err != nil {
		return err
	}
	if p.Kind == KindInt && !p.Decimal && v != math.Trunc(v) {
		return s.fail(pos, fmt.Errorf("%w %s for %s: a whole number", ErrValue, floatText(v), p.Name))
	}
	if (p.Min != 0 || p.Max != 0) && (v < p.Min || v > p.Max) {
		return s.fail(pos, fmt.Errorf("%w %s for %s: from %s to %s", ErrValue, gainText(v), p.Name, gainText(p.Min),
			gainText(p.Max)))
	}
	m.set(p, v)
	return nil
}

// number reads a finite decimal number.
func (s *scanner) number(name string) (float64, error) {
	s.space()
	pos := s.pos
	for s.pos < len(s.text) && strings.IndexByte("0123456789.+-eE", s.text[s.pos]) >= 0 {
		s.pos++
	}
	v, err := strconv.ParseFloat(s.text[pos:s.pos], 64)
	if err != nil || math.IsInf(v, 0) || math.Abs(v) > 1e15 {
		end := s.pos
		if end == pos {
			end = len(s.text)
		}
		return 0, s.fail(pos, fmt.Errorf("%w %q for %s: a number", ErrValue, s.text[pos:end], name))
	}
	return v + 0, nil // -0 becomes 0
}

// quoted reads a string in single or double quotes, or a bare word.
func (s *scanner) quoted() string {
	if s.pos < len(s.text) && (s.text[s.pos] == '\'' || s.text[s.pos] == '"') {
		q := s.text[s.pos]
		if end := strings.IndexByte(s.text[s.pos+1:], q); end >= 0 {
			w := s.text[s.pos+1 : s.pos+1+end]
			s.pos += end + 2
			return w
		}
	}
	return s.word()
}

// gains reads {grade:gain,...}, or trec_eval's = instead of the colon.
func (s *scanner) gains(m *Measure) error {
	if !s.accept('{') {
		return s.fail(s.pos, fmt.Errorf("%w: gains are written {grade:gain,...}", ErrSyntax))
	}
	t := &table{}
	for !s.accept('}') {
		if len(t.key) > 0 && !s.accept(',') {
			return s.fail(s.pos, fmt.Errorf("%w: expected , or }", ErrSyntax))
		}
		s.space()
		pos, quote := s.pos, byte(0)
		if pos < len(s.text) && (s.text[pos] == '\'' || s.text[pos] == '"') { // ir_measures also accepts {'1':2}
			quote = s.text[pos]
			s.pos++
		}
		k, err := s.number("grade")
		if err != nil {
			return err
		}
		if quote != 0 && !s.accept(quote) {
			return s.fail(s.pos, fmt.Errorf("%w: expected %c after the grade", ErrSyntax, quote))
		}
		if !s.accept(':') {
			return s.fail(s.pos, fmt.Errorf("%w: expected : after the grade", ErrSyntax))
		}
		v, err := s.number("gain")
		if err != nil {
			return err
		}
		if err := t.add(k, v); err != nil {
			return s.fail(pos, err)
		}
	}
	m.table = t.normal()
	return nil
}

// maxList is the maximum length of a list and of a gain table.
const maxList = 100

// add adds the gain of one grade to the table in grade order.
func (t *table) add(grade, gain float64) error {
	if math.Abs(grade) > 1e6 {
		return fmt.Errorf("%w %s for grade: a number up to a million", ErrValue, gainText(grade))
	}
	if len(t.key) == maxList {
		return fmt.Errorf("%w: more than %d grades", ErrValue, maxList)
	}
	i, found := slices.BinarySearch(t.key, grade)
	if found {
		return fmt.Errorf("%w: grade %s is given twice", ErrSyntax, gainText(grade))
	}
	t.key = slices.Insert(t.key, i, grade)
	t.val = slices.Insert(t.val, i, gain)
	return nil
}

// normal removes grades whose gain is the default, and returns nil if none remains: equal meaning gives equal text.
func (t *table) normal() *table {
	out := &table{}
	for i, k := range t.key {
		if t.val[i] != max(k, 0) {
			out.key = append(out.key, k)
			out.val = append(out.val, t.val[i])
		}
	}
	if len(out.key) == 0 {
		return nil
	}
	return out
}

// list reads [number,...].
func (s *scanner) list(m *Measure, p *Param) error {
	if !s.accept('[') {
		return s.fail(s.pos, fmt.Errorf("%w: %s is written [number,...]", ErrSyntax, p.Name))
	}
	var vals []float64
	for !s.accept(']') {
		if len(vals) > 0 && !s.accept(',') {
			return s.fail(s.pos, fmt.Errorf("%w: expected , or ]", ErrSyntax))
		}
		v, err := s.number(p.Name)
		if err != nil {
			return err
		}
		vals = append(vals, v)
	}
	return s.setList(m, p, vals)
}

func (s *scanner) setList(m *Measure, p *Param, vals []float64) error {
	for _, v := range vals {
		if v < p.Min || v > p.Max {
			return s.fail(s.pos, fmt.Errorf("%w %s for %s: from %s to %s", ErrValue, floatText(v), p.Name,
				gainText(p.Min), gainText(p.Max)))
		}
	}
	slices.Sort(vals)
	vals = slices.Compact(vals)
	if len(vals) == 0 || len(vals) > maxList {
		return s.fail(s.pos, fmt.Errorf("%w: a list has 1 to %d numbers, not %d", ErrValue, maxList, len(vals)))
	}
	if m.info.usual != nil && slices.Equal(vals, m.info.usual) {
		m.table = nil
		return nil
	}
	m.table = &table{val: vals}
	return nil
}
