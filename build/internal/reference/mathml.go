package reference

import (
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A formula is set from the plain notation of the registries, "nDCG@k = DCG@k / IDCG@k": text → tokens → a row of nodes
// → MathML for what is arithmetic, and plain text, which breaks at the end of a line, for the words between. What
// cannot be drawn without guessing (a fraction of whole sentences) stays on the line, with its sign.

// A node is an element of MathML, or in words a run of prose.
type node struct {
	tag  string // mi, mn, mo, mtext; mrow, mfrac, msup, msub, msqrt, munder
	text string
	kids []node
}

const prose = "mtext"

// joiner keeps a comma or a parenthesis on the line of the formula before it.
const joiner = "\u2060"

func leaf(tag, text string) node           { return node{tag: tag, text: text} }
func branch(tag string, kids ...node) node { return node{tag: tag, kids: kids} }
func (n node) is(tag, text string) bool    { return n.tag == tag && n.text == text }
func (n node) fence() bool                 { return n.tag == "mrow" && len(n.kids) > 1 && n.kids[0].is("mo", "(") }
func operator(text string, in string) bool { return strings.Contains(in, " "+text+" ") }
func relation(text string) bool            { return operator(text, " = < > ≤ ≥ ") }
func additive(text string) bool            { return operator(text, " + − ") }
func (n node) width() (runes int) {
	runes = utf8.RuneCountInString(n.text)
	for _, k := range n.kids {
		runes += k.width()
	}
	return runes
}

// group is one node for a list of them.
func group(kids []node) node {
	if len(kids) == 1 {
		return kids[0]
	}
	return branch("mrow", kids...)
}

// token is a piece of the notation; space says that one stands before it.
type token struct {
	text  string
	space bool
}

func letter(r rune) bool {
	return unicode.IsLetter(r) && r != 'Σ' || unicode.Is(unicode.Mn, r) || r == '_' || r >= '₀' && r <= '₉' || r == 'ₑ'
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

// tokens cuts a statement into words, numbers and signs.
func tokens(s string) []token {
	var out []token
	space := false
	r := []rune(s)
	at := func(i int) rune {
		if i >= 0 && i < len(r) {
			return r[i]
		}
		return 0
	}
	for i := 0; i < len(r); {
		if r[i] == ' ' {
			space = true
			i++
			continue
		}
		from := i
		switch {
		case letter(r[i]):
			for i < len(r) && (letter(r[i]) || digit(r[i]) || (r[i] == '\'' || r[i] == '-' && letter(at(i+2))) &&
				i-from > 1 && letter(at(i+1))) || i > from && i < len(r) && r[i] == '-' && i-from == 1 &&
				at(i+1) == 'b' {
				i++
			}
		case digit(r[i]):
			for i < len(r) && (digit(r[i]) || (r[i] == '.' || r[i] == ',') && digit(at(i+1))) {
				i++
			}
			if at(i) == 'e' && at(i+1) == '-' && digit(at(i+2)) { // 1e-10
				for i += 2; digit(at(i)); i++ {
				}
			} else if letter(at(i)) && letter(at(i+1)) { // a name: 11pt_avg
				for i < len(r) && letter(r[i]) {
					i++
				}
			}
		case r[i] == '.' && at(i+1) == '.':
			i += 2
		case (r[i] == '<' || r[i] == '>') && at(i+1) == '=':
			i += 2
		default:
			i++
		}
		out = append(out, token{string(r[from:i]), space})
		space = false
	}
	return out
}

// operators are written so.
var operators = map[string]string{"<=": "≤", ">=": "≥", "-": "−", "*": "·", "..": "…"}

var greek = map[string]string{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "lambda": "λ", "mu": "μ",
	"phi": "φ", "sigma": "σ"}

// long is how many characters a fraction's line or what stands below a sign may have.
const long = 46

type setter struct {
	t []token
	i int
}

func (s *setter) peek(n int) string {
	if s.i+n < len(s.t) {
		return s.t[s.i+n].text
	}
	return ""
}

func (s *setter) glued(n int) bool { return s.i+n < len(s.t) && !s.t[s.i+n].space }

// plainWord says whether a token is a word of a sentence and no name.
func (s *setter) plainWord() bool {
	w := s.peek(0)
	if greek[w] != "" || w == "log2" || s.glued(1) && (s.peek(1) == "(" || s.peek(1) == "@" || s.peek(1) == "^") {
		return false
	}
	if w == "a" { // an article before a word
		next, _ := utf8.DecodeRuneInString(s.peek(1))
		return letter(next) && utf8.RuneCountInString(s.peek(1)) > 1
	}
	if strings.Contains(w, "'") {
		return true
	}
	for _, r := range w {
		if !unicode.IsLower(r) && r != '-' && r != '\'' {
			return false
		}
	}
	return len(w) > 1 && w != "d̄"
}

// sums says of the word sum that a product follows, not a sentence.
func (s *setter) sums() bool {
	next := setter{t: s.t, i: s.i + 1}
	first, _ := utf8.DecodeRuneInString(next.peek(0))
	return (letter(first) || first == '(' || first == '|') && !next.plainWord()
}

// name is an identifier as it is set: Greek where it is a Greek letter's.
func name(w string) node {
	if g := greek[w]; g != "" {
		w = g
	}
	first, _ := utf8.DecodeRuneInString(w)
	if digit(first) && strings.Trim(w, "0123456789.,") == "" {
		return leaf("mn", w)
	}
	return leaf("mi", w)
}

// list reads up to the token until, or to the end where it is "", and takes that token too.
func (s *setter) list(until string) []node {
	var out []node
	term := 0 // where the product begins that a "/" divides
	add := func(space bool, n node) {
		if len(out) > 0 && space && n.tag != "mo" {
			last := &out[len(out)-1]
			if last.tag == prose && n.tag == prose {
				last.text += " " + n.text
				return
			}
			if last.tag != "mo" || last.text == "," {
				out = append(out, leaf(prose, "\u2009"))
			}
		}
		out = append(out, n)
	}
	for s.i < len(s.t) {
		w := s.t[s.i]
		first, _ := utf8.DecodeRuneInString(w.text)
		switch {
		case w.text == until:
			s.i++
			return out
		case w.text == "/":
			s.i++
			if n, ok := s.fraction(slices.Clone(out[term:]), until); ok {
				out = append(out[:term], n)
			} else {
				out = append(out, leaf("mo", "/"))
			}
		case (w.text == "sum" || w.text == "product" || w.text == "Σ") && s.peek(1) == "over":
			if n, ok := s.over(); ok {
				add(w.space, n)
				term = len(out)
			} else {
				add(w.space, leaf(prose, w.text))
				s.i++
			}
		case w.text == "Σ" || w.text == "sum" && s.sums():
			add(w.space, leaf("mo", "∑"))
			s.i++
		case w.text == "x" && w.space && s.i+1 < len(s.t) && s.t[s.i+1].space && len(out) > 0 &&
			out[len(out)-1].tag != "mo" && letter(rune(s.peek(1)[0])):
			out = append(out, leaf("mo", "×"))
			s.i++
		case letter(first) && s.plainWord():
			add(w.space, leaf(prose, w.text))
			s.i++
			if slices.Contains([]string{"of", "where", "with", "from", "or", "and", "is", "if", "to", "else"}, w.text) {
				term = len(out)
			}
		case letter(first) || digit(first) || w.text == "(" || w.text == "|" || w.text == "√":
			add(w.space, s.factor())
		default:
			sign := w.text
			if s := operators[sign]; s != "" {
				sign = s
			}
			out = append(out, leaf("mo", sign))
			s.i++
			if relation(sign) || additive(sign) || sign == "," || sign == ":" {
				term = len(out)
			}
		}
	}
	return out
}

// factor reads one: a name, a number, a call, a parenthesis, bars, with its cutoff and its power.
func (s *setter) factor() node {
	w := s.t[s.i]
	s.i++
	var n node
	switch {
	case w.text == "(":
		inside := s.list(")")
		if len(inside) == 1 && inside[0].tag == "mfrac" && s.peek(0) != "^" {
			return inside[0]
		}
		n = parenthesis(inside)
	case w.text == "|":
		n = branch("mrow", append(append([]node{leaf("mo", "|")}, s.list("|")...), leaf("mo", "|"))...)
	case (w.text == "√" || w.text == "sqrt" && s.peek(0) == "(") && s.i < len(s.t):
		n = branch("msqrt", group(bare(s.factor())))
	case w.text == "log2":
		n = branch("msub", leaf("mi", "log"), leaf("mn", "2"))
	default:
		n = name(w.text)
	}
	for s.i < len(s.t) && s.glued(0) {
		switch s.peek(0) {
		case "(":
			if n.tag != "mi" && n.tag != "msub" {
				return n
			}
			s.i++
			n = branch("mrow", n, parenthesis(s.list(")")))
		case "@":
			s.i++
			if s.i == len(s.t) || !s.glued(0) {
				return branch("mrow", n, leaf("mo", "@"))
			}
			n = branch("mrow", n, leaf("mo", "@"), name(s.peek(0)))
			s.i++
		case "^":
			s.i++
			if s.i == len(s.t) || !s.glued(0) {
				return branch("mrow", n, leaf("mo", "^"))
			}
			if up := s.peek(0); up == "-" { // 2^-x
				s.i++
				n = branch("msup", n, branch("mrow", leaf("mo", "−"), s.factor()))
			} else if first, _ := utf8.DecodeRuneInString(up); first == '(' || letter(first) || digit(first) {
				n = branch("msup", n, group(bare(s.exponent())))
			} else {
				return branch("mrow", n, leaf("mo", "^"))
			}
		case "²":
			s.i++
			n = branch("msup", n, leaf("mn", "2"))
		default:
			first, _ := utf8.DecodeRuneInString(s.peek(0))
			if n.tag != "mn" || !letter(first) {
				return n
			}
			n = branch("mrow", n, name(s.peek(0))) // 2T
			s.i++
		}
	}
	return n
}

// exponent reads what stands above the line: a parenthesis, a name or a number, and a parenthesis of its own only in
// the first case.
func (s *setter) exponent() node {
	if s.peek(0) == "(" {
		s.i++
		return parenthesis(s.list(")"))
	}
	s.i++
	return name(s.t[s.i-1].text)
}

func parenthesis(inside []node) node {
	return branch("mrow", append(append([]node{leaf("mo", "(")}, inside...), leaf("mo", ")"))...)
}

// tall says that signs beside n grow with it.
func (n node) tall() bool {
	return n.tag == "mfrac" || n.tag == "munder" || slices.ContainsFunc(n.kids, node.tall)
}

// bare takes off the parentheses that a fraction, a root or a power makes needless.
func bare(n node) []node {
	if n.fence() {
		return n.kids[1 : len(n.kids)-1]
	}
	return []node{n}
}

// fraction reads what stands below the line, and is false, having read nothing, where one of the two is too long to
// stand there.
func (s *setter) fraction(above []node, until string) (node, bool) {
	from := s.i
	var below []node
	if w := s.peek(0); w == "sum" {
		end := *s
		for depth := 0; end.i < len(end.t); end.i++ {
			switch end.peek(0) {
			case "(":
				depth++
			case ")":
				depth--
			}
			if depth < 0 || depth == 0 && (end.peek(0) == "," || end.peek(0) == "+") {
				break
			}
		}
		part := setter{t: s.t[:end.i], i: s.i}
		below = part.list("")
		s.i = end.i
	} else if s.i < len(s.t) && s.plainWordOrNone() {
		below = []node{leaf(prose, s.words())}
	} else if s.i < len(s.t) && s.peek(0) != until {
		below = []node{s.factor()}
		if s.peek(0) == "of" {
			below = append(below, leaf(prose, "\u2009"+s.words()+"\u2009"))
			if first, _ := utf8.DecodeRuneInString(s.peek(0)); letter(first) {
				below = append(below, s.factor())
			}
		}
	}
	for len(above) > 0 && above[0].is(prose, "\u2009") {
		above = above[1:]
	}
	width := func(list []node) int { return group(list).width() }
	if len(above) == 0 || len(below) == 0 || width(above) > long || width(below) > long {
		s.i = from
		return node{}, false
	}
	if len(above) == 1 {
		above = bare(above[0])
	}
	if len(below) == 1 {
		below = bare(below[0])
	}
	return branch("mfrac", group(above), group(below)), true
}

func (s *setter) plainWordOrNone() bool {
	first, _ := utf8.DecodeRuneInString(s.peek(0))
	return letter(first) && s.plainWord()
}

// words reads a run of words of a sentence.
func (s *setter) words() string {
	var list []string
	for s.i < len(s.t) && s.plainWordOrNone() && !slices.Contains([]string{"over", "where"}, s.peek(0)) {
		list = append(list, s.peek(0))
		s.i++
	}
	return strings.Join(list, " ")
}

// over reads "sum over ranks i <= k of": the sign with what it runs over below it. It is false, having read nothing,
// where no "of" ends that.
func (s *setter) over() (node, bool) {
	end := 0
	depth := 0
scan:
	for i := s.i + 2; i < len(s.t); i++ {
		switch w := s.t[i].text; w {
		case "(", "|":
			if w == "(" {
				depth++
			}
			if depth == 0 {
				break scan
			}
		case ")":
			if depth--; depth < 0 {
				break scan
			}
		case ",", "+", "-", "/", "*", "sum", "product":
			if depth == 0 {
				break scan
			}
		case "of":
			if i+1 < len(s.t) && depth == 0 && !slices.Contains([]string{"the", "them", "a", "all"}, s.t[i+1].text) {
				end = i
			}
		}
	}
	if end == 0 {
		return node{}, false
	}
	part := setter{t: s.t[:end], i: s.i + 2}
	below := part.list("")
	if group(below).width() > long {
		return node{}, false
	}
	sign := "∑"
	if s.peek(0) == "product" {
		sign = "∏"
	}
	s.i = end + 1
	return branch("munder", leaf("mo", sign), group(below)), true
}

// mathML is a statement of a formula as HTML: words, and MathML between them.
func mathML(statement string) string {
	var b strings.Builder
	s := setter{t: tokens(statement)}
	flow(&b, s.list(""))
	return strings.TrimSpace(b.String())
}

// flow writes nodes where lines may break: after a relation, before a plus, and beside words.
func flow(b *strings.Builder, list []node) {
	var open []node
	flush := func() {
		if len(open) > 0 {
			b.WriteString(`<math>`)
			for i, n := range open {
				n.write(b, i == 0 || i == len(open)-1, false)
			}
			b.WriteString("</math>")
			open = nil
		}
	}
	for i, n := range list {
		switch {
		case n.text == "\u2009" && (i > 0 && (list[i-1].tag == prose || list[i-1].is("mo", ",")) || i+1 < len(list) &&
			list[i+1].tag == prose):
			flush()
			if !strings.HasSuffix(b.String(), " ") {
				b.WriteString(" ")
			}
		case n.tag == prose && n.text != "\u2009":
			flush()
			if i > 0 && list[i-1].tag == "mo" && list[i-1].text != "," {
				b.WriteString(" ")
			}
			b.WriteString(html.EscapeString(n.text))
			if i+1 < len(list) && list[i+1].tag == "mo" && list[i+1].text != "," {
				b.WriteString(" ")
			}
		case n.is("mo", ",") || n.is("mo", ":"):
			flush()
			said := strings.TrimRight(b.String(), " ")
			b.Reset()
			b.WriteString(said + joiner + n.text + " ")
		case n.tag == "mrow" && n.wordy():
			flush()
			b.WriteString(html.EscapeString(n.kids[0].text))
			flow(b, n.kids[1:len(n.kids)-1])
			b.WriteString(joiner + html.EscapeString(n.kids[len(n.kids)-1].text))
		case n.tag == "mo" && relation(n.text):
			open = append(open, n)
			if i+1 < len(list) && len(list[i+1].kids) > 0 {
				flush()
				b.WriteString("<wbr>")
			}
		case n.tag == "mo" && (additive(n.text) || n.text == "×"):
			flush()
			if i > 0 && list[i-1].tag != prose {
				b.WriteString("<wbr>")
			}
			open = append(open, n)
		default:
			open = append(open, n)
		}
	}
	flush()
}

// wordy says of a parenthesis, or of what stands between bars, that it holds words, between which its line may break.
func (n node) wordy() bool {
	if !n.kids[0].is("mo", "(") && !n.kids[0].is("mo", "|") {
		return false
	}
	for _, k := range n.kids {
		if k.tag == prose && k.text != "\u2009" && strings.Contains(k.text, " ") {
			return true
		}
	}
	return false
}

// write writes an element. An operator at the edge of its row keeps the space of one between two things; a
// parenthesis grows with what it holds where grown is true.
func (n node) write(b *strings.Builder, edge, grown bool) {
	b.WriteString("<" + n.tag)
	if n.tag == "mo" && edge && (relation(n.text) || additive(n.text) || n.text == "/" || n.text == "×") {
		b.WriteString(` form="infix"`)
	}
	if n.tag == "mo" && strings.Contains("()|@", n.text) {
		b.WriteString(` lspace="0" rspace="0"`)
		if !grown {
			b.WriteString(` stretchy="false"`)
		}
	}
	if n.tag == "munder" || n.tag == "mfrac" {
		b.WriteString(` displaystyle="true"`)
	}
	b.WriteString(">" + html.EscapeString(n.text))
	grown = n.tall()
	for i, k := range n.kids {
		k.write(b, n.tag == "mrow" && (i == 0 || i == len(n.kids)-1) && n.kids[0].tag == "mo" &&
			!n.kids[0].is("mo", "−"), grown)
	}
	b.WriteString("</" + n.tag + ">")
}
