// Package ui is what the page looks like: Vugu components over package state. It holds no state of its own and makes no
// request. The same components are rendered to HTML at build time.
//
// Components are written in .vugu files; the _gen.go files beside them are generated from those and committed.
package ui

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// sysClass is the class that gives system i its colour. There are eight; the letter beside it never repeats.
func sysClass(i int) string { return string(rune('a' + i%8)) }

// ordinal writes an index as the value of an option.
func ordinal(i int) string { return strconv.Itoa(i) }

func letter(i int) string { return compare.Letter(i) }

// shown spells out what cannot be seen or turns text round, in names and ids out of other people's files.
func shown(s string) string {
	plain := true
	for _, r := range s {
		plain = plain && !unseen(r)
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unseen(r) {
			b.WriteString("[U+" + strings.ToUpper(strconv.FormatInt(int64(r), 16)) + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unseen(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xad || r == 0x61c || r == 0x180e || r == 0xfeff || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e ||
		r >= 0x2060 && r <= 0x206f || r >= 0xfff9 && r <= 0xfffb || r >= 0xe0000 && r <= 0xe007f ||
		r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef // no characters: XML refuses them
}

// brief is shown, cut to what a table has room for.
func brief(s string) string {
	s = shown(s)
	if len(s) <= 60 {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > 60 {
			return s[:i] + "…"
		}
	}
	return s
}

// within is shown, cut in its middle to so many characters: the names of runs often differ at their ends.
func within(s string, most int) string {
	r := []rune(shown(s))
	if len(r) <= most {
		return string(r)
	}
	return string(r[:most/2]) + "…" + string(r[len(r)-(most-1)/2:])
}

// probability writes a p-value to three places.
func probability(p float64) string {
	if p < 0.001 {
		return "< 0.001"
	}
	return fixed(p, 3)
}

func gradeText(g int) string {
	if g == experiment.NoGrade {
		return "?"
	}
	return strconv.Itoa(g)
}

// fixed writes a number with a fixed count of decimals, and an en dash for NaN.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) {
		return "–"
	}
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

// minus writes the signs of the numbers in a sentence of a report, which is plain text, as the page writes them.
func minus(s string) string { return strings.ReplaceAll(s, " -", " −") }

// signed is fixed with a plus sign where it is not negative.
func signed(v float64, decimals int) string {
	s := fixed(v, decimals)
	if s == "–" || strings.HasPrefix(s, "−") {
		return s
	}
	return "+" + s
}

// percent is the change from base to v: "+13.2 %".
func percent(v, base float64) string {
	if base == 0 {
		return "–"
	}
	return signed(100*(v-base)/base, 1) + " %"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// thousands writes 5183 as 5,183.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// date writes 2024-10-03 as 3 Oct 2024; anything else stays as it is.
func date(s string) string {
	if len(s) != 10 {
		return s
	}
	m, err := strconv.Atoi(s[5:7])
	if err != nil || m < 1 || m > 12 {
		return s
	}
	return strings.TrimPrefix(s[8:], "0") + " " + months[m-1] + " " + s[:4]
}

// month writes 2024-10 as Oct 2024.
func month(s string) string {
	if d := date(s + "-01"); d != s+"-01" {
		return d[2:]
	}
	return s
}

// plainClick reports whether a click on a link is to be handled in the page (no key held to open it elsewhere), and then keeps
// the browser from following it.
func plainClick(event vugu.DOMEvent) bool {
	for _, key := range []string{"ctrlKey", "metaKey", "shiftKey", "altKey"} {
		if event.PropBool(key) {
			return false
		}
	}
	event.PreventDefault()
	return true
}

// address is the link to a screen with other settings.
func address(a *state.App, change func(*share.Address)) string {
	s := a.Address
	s.Focus = experiment.Focus{}
	change(&s)
	f, err := share.Encode(state.Explicit(s))
	if err != nil {
		return state.Path(s.Screen)
	}
	return state.Path(s.Screen) + "#" + f
}
