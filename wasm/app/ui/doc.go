// Package ui is what the page looks like: Vugu components over package state. It holds no state of its own and makes no
// request. The same components are rendered to HTML at build time.
//
// Components are written in .vugu files; the _gen.go files beside them are generated from those and committed.
package ui

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// sysClass is the class that gives system i its colour. There are eight; the letter beside it never repeats.
func sysClass(i int) string { return string(rune('a' + i%8)) }

// ordinal writes an index as the value of an option.
func ordinal(i int) string { return strconv.Itoa(i) }

func letter(i int) string { return say.Letter(i) }

// shown spells out what cannot be seen or turns text round, in names and ids out of other people's files.
func shown(s string) string { return say.Visible(s) }

// brief is shown, cut to what a table has room for.
func brief(s string) string { return say.Brief(s, 60) }

func within(s string, most int) string { return say.Within(s, most) }

func probability(p float64) string { return say.Page.P(p) }

func gradeText(g int) string {
	if g == experiment.NoGrade {
		return "?"
	}
	return strconv.Itoa(g)
}

func fixed(v float64, decimals int) string { return say.Page.Number(v, decimals) }

// minus writes the signs of the numbers in a sentence of a report, which is plain text, as the page writes them.
func minus(s string) string { return strings.ReplaceAll(s, " -", " −") }

func signed(v float64, decimals int) string { return say.Page.Signed(v, decimals) }

func plural(n int, one, many string) string { return say.Count(n, one, many) }

func thousands(n int) string { return say.Thousands(n) }

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
