package pipeline

import (
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/near"
)

// Limits of a pipeline, because links are untrusted.
const (
	MaxLength = 2000 // bytes of the text, both as written and canonical
	MaxDepth  = 16   // nested combiners
	MaxStages = 32   // stages of the whole pipeline
)

// Error reports an error in a pipeline, with its position.
type Error struct {
	Pos        int    // byte offset in the text or JSON, -1 if there is none (With)
	Message    string // lowercase, without position and suggestion
	Suggestion string // the nearest known name or a way out, or ""
	Unknown    bool   // it names a stage, parameter or word that a later version may know
}

// Error returns the message with position and suggestion.
func (e *Error) Error() string { return "pipeline: " + e.Said() }

// Said returns the message for users who do not see the text.
func (e *Error) Said() string {
	if e.Pos < 0 {
		return e.Reason()
	}
	return "at byte " + strconv.Itoa(e.Pos) + ": " + e.Reason()
}

// Reason returns the message with the suggestion, without the position.
func (e *Error) Reason() string {
	if e.Suggestion == "" {
		return e.Message
	}
	return e.Message + "; did you mean " + e.Suggestion + "?"
}

func fail(pos int, message string) *Error { return &Error{Pos: pos, Message: message} }

func tooLong(pos, length int) *Error {
	return fail(pos, "too long: "+strconv.Itoa(length)+" bytes, the limit is "+strconv.Itoa(MaxLength))
}

func (x *Notation) unknownStage(pos int, name string) *Error {
	names := make([]string, len(x.stages))
	for i, s := range x.stages {
		names[i] = s.Name
	}
	return &Error{Pos: pos, Message: "unknown stage " + quote(name), Suggestion: near.Name(name, names), Unknown: true}
}

func unknownParam(pos int, s *Stage, name string) *Error {
	names := make([]string, len(s.Params))
	for i := range s.Params {
		names[i] = s.Params[i].Name
	}
	return &Error{Pos: pos, Message: s.Name + " has no parameter " + quote(name), Suggestion: near.Name(name, names),
		Unknown: true}
}

func meaningless(pos int, n *Node, i int) *Error {
	p := &n.Stage.Params[i]
	name := p.Name
	for by := n.Stage.index(p.By); !n.applies(by); by = n.Stage.index(p.By) {
		p = &n.Stage.Params[by]
	}
	if p.Only[0] == "" {
		return fail(pos, name+" has no effect if "+p.By+" is set")
	}
	return fail(pos, name+" has no effect with "+p.By+"="+n.Value(p.By)+": it is for "+strings.Join(p.Only, " and ")+
		" only")
}

// quote returns s in quotation marks, shortened to 40 bytes.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.Quote(s)
}

// MustParse is Parse for constant texts: it panics on an error.
func (x *Notation) MustParse(s string) *Node {
	n, err := x.Parse(s)
	if err != nil {
		panic(err)
	}
	return n
}

// Parse reads a pipeline. Every error is an *Error with its byte offset. The grammar:
//
//	pipeline = stage { ">>" stage }
//	stage    = name [ "(" [ argument { "," argument } ] ")" ]
//	argument = name "=" value | value | pipeline
//	name     = value = one or more of A-Z a-z 0-9 + - . _
//
// Spaces, tabs and line ends may separate any two tokens. A combiner (rrf) takes pipelines as arguments. A value
// without a name is that of the stage's positional parameter, if it has one (cut). A text has at most MaxLength
// bytes and MaxStages stages, and combiners nest at most MaxDepth deep. A parameter without meaning for the chosen
// variant (epsilon without okapi) is an error. Names of models are not checked: the collection decides which exist.
func (x *Notation) Parse(s string) (*Node, error) {
	if len(s) > MaxLength {
		return nil, tooLong(MaxLength, len(s))
	}
	p := parser{text: s}
	t, err := p.pipeline(0)
	if err == nil && p.pos < len(s) {
		err = p.unexpected("expected >> or the end")
	}
	if err != nil {
		return nil, err
	}
	return x.check(t)
}

// tree is a stage as written, before names and values are looked up.
type tree struct {
	pos   int
	name  string
	bare  bool // without parentheses: may be a value
	args  []argument
	input *tree
}

// start returns where the pipeline that ends in t begins.
func (t *tree) start() int {
	for t.input != nil {
		t = t.input
	}
	return t.pos
}

// argument is a pipeline (sub) or a value, named or not (key "").
type argument struct {
	keyPos int
	key    string
	value  written
	sub    *tree
}

// written is a value as written. Text writes every kind of value alike (json 0); JSON distinguishes strings ('s'),
// numbers ('n'), and true or false ('b').
type written struct {
	pos  int
	text string
	json byte
}

type parser struct {
	text string
	pos  int
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// next skips space and consumes the byte c if it follows; it reports whether it did.
func (p *parser) next(c byte) bool {
	p.space()
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func isAtom(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' ||
		c == '_'
}

// atom skips space and returns the run of name characters that follows, or "", with its position.
func (p *parser) atom() (string, int) {
	p.space()
	start := p.pos
	for p.pos < len(p.text) && isAtom(p.text[p.pos]) {
		p.pos++
	}
	return p.text[start:p.pos], start
}

// unexpected reports the token at the current position and the expected one.
func (p *parser) unexpected(expected string) *Error {
	p.space()
	if p.pos >= len(p.text) {
		return fail(p.pos, "unexpected end: "+expected)
	}
	for _, r := range p.text[p.pos:] {
		return fail(p.pos, "unexpected "+quote(string(r))+": "+expected)
	}
	return fail(p.pos, expected)
}

func (p *parser) pipeline(depth int) (*tree, *Error) {
	t, err := p.stage(depth)
	for err == nil {
		if !p.next('>') {
			return t, nil
		}
		if p.pos >= len(p.text) || p.text[p.pos] != '>' {
			e := fail(p.pos-1, `unexpected ">"`)
			e.Suggestion = ">>"
			return nil, e
		}
		p.pos++
		var after *tree
		if after, err = p.stage(depth); err == nil {
			after.input, t = t, after
		}
	}
	return nil, err
}

func (p *parser) stage(depth int) (*tree, *Error) {
	name, pos := p.atom()
	if name == "" {
		return nil, p.unexpected("expected the name of a stage")
	}
	t := &tree{pos: pos, name: name, bare: true}
	if !p.next('(') {
		return t, nil
	}
	t.bare = false
	if depth++; depth > MaxDepth {
		return nil, fail(pos, "nested too deep: the limit is "+strconv.Itoa(MaxDepth))
	}
	if p.next(')') {
		return t, nil
	}
	for {
		a, err := p.argument(depth)
		if err != nil {
			return nil, err
		}
		t.args = append(t.args, a)
		if p.next(')') {
			return t, nil
		}
		if !p.next(',') {
			return nil, p.unexpected("expected , or )")
		}
	}
}

func (p *parser) argument(depth int) (argument, *Error) {
	key, pos := p.atom()
	if key == "" {
		return argument{}, p.unexpected("expected a parameter or a pipeline")
	}
	if p.next('=') {
		value, at := p.atom()
		if value == "" {
			return argument{}, p.unexpected("expected the value of " + quote(key))
		}
		return argument{keyPos: pos, key: key, value: written{pos: at, text: value}}, nil
	}
	p.pos = pos
	sub, err := p.pipeline(depth)
	return argument{sub: sub}, err
}

// check turns a tree into nodes: it looks up names, checks values and positions, drops defaults, and enforces the
// limits.
func (x *Notation) check(t *tree) (*Node, error) {
	stages := 0
	n, err := x.checkTree(t, 0, &stages)
	if err != nil {
		return nil, err
	}
	if l := len(n.String()); l > MaxLength {
		return nil, tooLong(0, l)
	}
	return n, nil
}

func (x *Notation) checkTree(t *tree, depth int, stages *int) (*Node, *Error) {
	if depth > MaxDepth {
		return nil, fail(t.pos, "nested too deep: the limit is "+strconv.Itoa(MaxDepth))
	}
	if *stages++; *stages > MaxStages {
		return nil, fail(t.pos, "too many stages: the limit is "+strconv.Itoa(MaxStages))
	}
	s := x.Lookup(t.name)
	if s == nil {
		return nil, x.unknownStage(t.pos, t.name)
	}
	n := &Node{Stage: s, in: x, values: make([]string, len(s.Params))}
	switch {
	case s.Role == Transformer && t.input == nil:
		return nil, fail(t.pos, s.Name+" has no ranking to work on: put it after a retriever and >>")
	case s.Role != Transformer && t.input != nil:
		return nil, fail(t.pos, s.Name+" ranks documents itself: it must start a pipeline and cannot follow >>")
	case t.input != nil:
		var err *Error
		if n.Input, err = x.checkTree(t.input, depth, stages); err != nil {
			return nil, err
		}
	}
	at := make([]int, len(s.Params)) // position of each value
	for k := range t.args {
		arg := &t.args[k]
		if arg.sub != nil && s.Role == Combiner {
			if _, _, ok := canonicalNumber(arg.sub.name); ok && arg.sub.bare {
				return nil, fail(arg.sub.pos, "unexpected "+quote(arg.sub.name)+": parameters of "+s.Name+
					" are written name=value")
			}
			sub, err := x.checkTree(arg.sub, depth+1, stages)
			if err != nil {
				return nil, err
			}
			n.Args = append(n.Args, sub)
			continue
		}
		var value written
		i, pos := -1, arg.keyPos
		if arg.sub != nil {
			i, pos = s.positional(), arg.sub.start()
			switch {
			case s.index(arg.sub.name) >= 0 && arg.sub.bare:
				return nil, fail(pos, "expected a value: "+arg.sub.name+"=…")
			case !arg.sub.bare || arg.sub.input != nil || i < 0 && x.Lookup(arg.sub.name) != nil:
				return nil, fail(pos, s.Name+" takes no pipelines")
			case i < 0:
				return nil, fail(pos, "unexpected "+quote(arg.sub.name)+": parameters of "+s.Name+
					" are written name=value")
			}
			value = written{pos: pos, text: arg.sub.name}
		} else if i = s.index(arg.rename(s)); i < 0 {
			return nil, unknownParam(pos, s, arg.key)
		} else {
			value = arg.value
		}
		if n.values[i] != "" {
			return nil, fail(pos, s.Params[i].Name+" appears twice")
		}
		text, err := canonical(s, &s.Params[i], value)
		if err != nil {
			return nil, err
		}
		n.values[i], at[i] = text, pos
	}
	if s.MaxArgs > 0 && len(n.Args) > s.MaxArgs {
		return nil, fail(t.pos, s.Name+" combines at most "+strconv.Itoa(s.MaxArgs)+" pipelines")
	}
	if len(n.Args) < s.MinArgs {
		return nil, fail(t.pos, s.Name+" combines at least "+strconv.Itoa(s.MinArgs)+" pipelines")
	}
	for i := range n.values {
		if n.values[i] == "" && s.Params[i].Required {
			return nil, fail(t.pos, s.Name+" needs "+s.Params[i].Name+": "+strings.TrimPrefix(s.Usage(), "… >> "))
		}
		if n.values[i] != "" && !n.applies(i) {
			return nil, meaningless(at[i], n, i)
		}
	}
	n.dropDefaults()
	return n, nil
}

// rename gives an argument the name and value that the stage declares where it is written in another way.
func (a *argument) rename(s *Stage) string {
	if to, ok := s.Also[a.key+"="+a.value.text]; ok {
		a.key, a.value.text, _ = strings.Cut(to, "=")
	} else if to, ok := s.Also[a.key]; ok {
		a.key = to
	}
	return a.key
}

// canonical checks a value against its declaration and returns its canonical text, which is never empty.
func canonical(s *Stage, p *Param, w written) (string, *Error) {
	wrong := func(what string) (string, *Error) {
		return "", fail(w.pos, p.Name+" of "+s.Name+" is "+what+", not "+quote(w.text))
	}
	switch p.Kind {
	case Bool:
		if w.text != "true" && w.text != "false" || w.json == 's' {
			return wrong("true or false")
		}
		return w.text, nil
	case Word:
		if w.json != 0 && w.json != 's' {
			return wrong("a word")
		}
		return canonicalWord(s, p, w)
	}
	text, f, ok := canonicalNumber(w.text)
	if !ok || w.json != 0 && w.json != 'n' {
		return wrong("a number")
	}
	if p.Kind == Integer && f != math.Floor(f) {
		return wrong("a whole number")
	}
	if f < p.Min || f > p.Max {
		return wrong("between " + formatNumber(p.Min) + " and " + formatNumber(p.Max))
	}
	if len(text) > 32 { // printed values must be readable again
		return wrong("a number of at most 32 characters without an exponent")
	}
	return text, nil
}

func canonicalWord(s *Stage, p *Param, w written) (string, *Error) {
	if known, ok := p.Also[w.text]; ok {
		return known, nil
	}
	for _, known := range p.Words {
		if w.text == known || p.Fold && foldWord(w.text) == foldWord(known) {
			return known, nil
		}
	}
	if p.Words != nil {
		return "", &Error{Pos: w.pos, Message: p.Name + " of " + s.Name + " is one of " + strings.Join(p.Words, " ") +
			", not " +
			quote(w.text), Suggestion: near.Name(w.text, p.Words), Unknown: true}
	}
	ok := w.text != "" && len(w.text) <= 64 && (w.text[0]|0x20 >= 'a' && w.text[0]|0x20 <= 'z')
	for i := 0; i < len(w.text); i++ {
		ok = ok && isAtom(w.text[i])
	}
	if !ok {
		return "", fail(w.pos, p.Name+" of "+s.Name+
			" is a name that starts with a letter, at most 64 letters, digits and + - . _, not "+
			quote(w.text))
	}
	return w.text, nil
}

// foldWord normalises a word: lower case, and - for _.
func foldWord(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "-") }

// formatNumber returns the shortest decimal text of f.
func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
