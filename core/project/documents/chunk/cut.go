package chunk

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

func whole(_ *pipeline.Node, text string, _ []int) []Span { return []Span{{0, len(text)}} }

func paragraphs(_ *pipeline.Node, text string, _ []int) []Span { return paragraphSpans(text) }

func sentenceWindows(n *pipeline.Node, text string, _ []int) []Span {
	return slide(sentences(text), n.Integer("n"), n.Integer("overlap"))
}

func wordWindows(n *pipeline.Node, text string, _ []int) []Span {
	return slide(Words(text), n.Integer("n"), n.Integer("overlap"))
}

// slide joins units to windows of n. Each window repeats the last units of the one before. The last window ends with
// the last unit, and may be shorter.
func slide(units []Span, n, overlap int) (out []Span) {
	for i := 0; i < len(units); i += n - overlap {
		last := min(i+n, len(units))
		out = append(out, Span{units[i].Start, units[last-1].End})
		if last == len(units) {
			break
		}
	}
	return out
}

// trim takes white space off both ends of a span; ok is false if nothing is left.
func trim(text string, s Span) (Span, bool) {
	left := strings.TrimLeftFunc(text[s.Start:s.End], unicode.IsSpace)
	s.Start = s.End - len(left)
	s.End = s.Start + len(strings.TrimRightFunc(left, unicode.IsSpace))
	return s, s.Start < s.End
}

// lines calls f with the span of each line, without what ends it.
func lines(text string, f func(s Span)) {
	for at := 0; at < len(text); {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text) - at
		}
		f(Span{at, at + end})
		at += end + 1
	}
}

// paragraphSpans are the pieces between empty lines, or the lines of a text that has no empty line between two others.
func paragraphSpans(text string) []Span {
	var parts, each []Span
	open := Span{-1, -1}
	lines(text, func(s Span) {
		s, some := trim(text, s)
		if some {
			each = append(each, s)
			if open.Start < 0 {
				open.Start = s.Start
			}
			open.End = s.End
		} else if open.Start >= 0 {
			parts, open = append(parts, open), Span{-1, -1}
		}
	})
	if open.Start >= 0 {
		parts = append(parts, open)
	}
	if len(parts) == 1 {
		return each
	}
	return parts
}

// sections are the pieces that begin with a heading, and the text before the first. Headings without text in between,
// such as a chapter's and its first section's, begin one section together.
func sections(_ *pipeline.Node, text string, headings []int) (out []Span) {
	if headings == nil {
		headings = markedHeadings(text)
	}
	start, body := 0, 0 // of the section, and of its text behind its headings
	add := func(end int) {
		if s, some := trim(text, Span{start, end}); some {
			out = append(out, s)
		}
		start = end
	}
	for _, at := range slices.Sorted(slices.Values(headings)) {
		if at < body || at >= len(text) || !utf8.RuneStart(text[at]) {
			continue
		}
		if strings.TrimSpace(text[body:at]) != "" {
			add(at)
		}
		body = len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			body = at + i
		}
	}
	add(len(text))
	return out
}

// markedHeadings are the places of lines that begin with one to six # and a space, outside fenced code.
func markedHeadings(text string) (out []int) {
	code := false
	lines(text, func(s Span) {
		line := strings.TrimLeft(text[s.Start:s.End], " ")
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			code = !code
		}
		rest := strings.TrimLeft(line, "#")
		if marks := len(line) - len(rest); !code && marks >= 1 && marks <= 6 && strings.HasPrefix(rest, " ") &&
			s.End-s.Start-len(line) < 4 {
			out = append(out, s.End-len(line))
		}
	})
	return out
}

// Words are the words of a text: what stands between white space, and each Chinese or Japanese character by itself.
// Token counts of Score are numbers of these.
func Words(text string) (out []Span) {
	start := -1
	end := func(at int) {
		if start >= 0 {
			out, start = append(out, Span{start, at}), -1
		}
	}
	for i, r := range text {
		if r > ' ' && r < 0x7f { // most runes of most texts
			if start < 0 {
				start = i
			}
			continue
		}
		switch {
		case unicode.IsSpace(r):
			end(i)
		case r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end(i)
			out = append(out, Span{i, i + utf8.RuneLen(r)})
		case start < 0:
			start = i
		}
	}
	end(len(text))
	return out
}

// blankOrHidden says of a rune that nobody sees it.
func blankOrHidden(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == utf8.RuneError
}

// abbreviations end with a full stop that ends no sentence, in small letters without it.
var abbreviations = map[string]bool{}

func init() {
	for _, w := range strings.Fields("mr mrs ms dr prof st jr sr vs etc e.g i.e cf al approx dept est fig figs eq " +
		"eqs no nos vol pp p gen col lt sgt capt cmdr adm rev hon gov sen rep inc ltd co corp " +
		"jan feb mar apr jun jul aug sep sept oct nov dec " +
		"bzw z.b d.h u.a usw ca nr str bspw vgl evtl ggf abb bd hrsg ex env art") {
		abbreviations[w] = true
	}
}

// sentences are the sentences of a text, in order, without white space around them. A word that ends with . ! ? or …,
// with any closing quotes and brackets, ends one before white space, unless a small letter follows. So does 。！？
// anywhere, and the end of a paragraph. A full stop behind an abbreviation or a single capital letter ends none.
func sentences(text string) (out []Span) {
	for _, p := range paragraphSpans(text) {
		start := p.Start
		for at := p.Start; at < p.End; {
			r, size := utf8.DecodeRuneInString(text[at:p.End])
			at += size
			if !endMark(r) {
				continue
			}
			for at < p.End { // more of them, and what closes
				next, size := utf8.DecodeRuneInString(text[at:p.End])
				if !strings.ContainsRune(".!?…。！？\"'”“’»)]」』）", next) {
					break
				}
				at += size
			}
			if at < p.End && !(strings.ContainsRune("。！？", r) || ends(text[start:at], text[at:p.End], r)) {
				continue
			}
			if s, some := trim(text, Span{start, at}); some {
				out = append(out, s)
			}
			start = at
		}
		if s, some := trim(text, Span{start, p.End}); some {
			out = append(out, s)
		}
	}
	return out
}

// endMark says of a rune that it may end a sentence. It is asked of every rune of a text.
func endMark(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？':
		return true
	}
	return false
}

// ends says whether a sentence ends between two texts. The first ends with a mark and its closing quotes or brackets.
func ends(before, after string, mark rune) bool {
	next := strings.TrimLeftFunc(after, unicode.IsSpace)
	if len(next) == len(after) { // no space: 3.14, example.org
		return false
	}
	if r, _ := utf8.DecodeRuneInString(next); unicode.IsLower(r) {
		return false
	}
	if mark != '.' || !strings.HasSuffix(before, ".") {
		return true
	}
	word := before[strings.LastIndexFunc(before, unicode.IsSpace)+1:]
	word = strings.Trim(word, ".([\"'“‘„«")
	first, size := utf8.DecodeRuneInString(word)
	single := size == len(word) && unicode.IsUpper(first) // J. Smith
	return !single && !abbreviations[strings.ToLower(word)]
}
