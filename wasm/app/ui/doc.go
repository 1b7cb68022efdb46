// Package ui is what the page looks like: Vugu components over package state. It holds no state of its own and makes no
// request. The same components are rendered to HTML at build time. Here are the frame and what several screens are made
// of; each screen is a folder below.
//
// Components are written in .vugu files; the _gen.go files beside them are generated from those and committed.
package ui

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// SystemClass is the class that gives system i its colour. There are eight; the letter beside it never repeats.
func SystemClass(i int) string { return string(rune('a' + i%8)) }

// Brief is a name or an id out of somebody's file, cut to what a table has room for.
func Brief(s string) string { return say.Brief(s, 60) }

// GradeText is a grade in its square, which has room for two decimals.
func GradeText(g float64) string {
	if g == experiment.NoGrade {
		return "?"
	}
	return say.Page.Grade(math.Round(g*100) / 100)
}

// GradeClass is its colour: 0.7 has that of 1, so that only grades that are not relevant look so.
func GradeClass(g float64) string {
	if g == experiment.NoGrade {
		return "grade q"
	}
	return "grade g" + strconv.Itoa(int(math.Ceil(max(0, min(3, g)))))
}

// GradeTitle says it in words.
func GradeTitle(g float64) string {
	switch {
	case g == experiment.NoGrade:
		return "not judged"
	case g <= 0:
		return "grade " + say.Page.Grade(g) + ": not relevant"
	}
	return "grade " + say.Page.Grade(g)
}

// Chosen is the option of a select that was chosen, as an index; −1 where it is none.
func Chosen(event vugu.DOMEvent) int {
	i, err := strconv.Atoi(event.PropString("target", "value"))
	if err != nil {
		return -1
	}
	return i
}

// Arrived says how much of what is fetched is there: "12 of 40 kB".
func Arrived(p message.Progress) string {
	return strconv.Itoa(p.Done/1000) + " of " + strconv.Itoa((p.Total+999)/1000) + " kB"
}

// Upwards is −1 for the key with the arrow up, 1 for that with the arrow down, else 0.
func Upwards(event vugu.DOMEvent) int {
	switch event.PropString("key") {
	case "ArrowUp":
		return -1
	case "ArrowDown":
		return 1
	}
	return 0
}

var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// Date writes 2024-10-03 as 3 Oct 2024; anything else stays as it is.
func Date(s string) string {
	if len(s) != 10 {
		return s
	}
	m, err := strconv.Atoi(s[5:7])
	if err != nil || m < 1 || m > 12 {
		return s
	}
	return strings.TrimPrefix(s[8:], "0") + " " + months[m-1] + " " + s[:4]
}

// Month writes 2024-10 as Oct 2024.
func Month(s string) string {
	if d := Date(s + "-01"); d != s+"-01" {
		return d[2:]
	}
	return s
}

// PlainClick reports whether a click on a link is to be handled in the page (no key held to open it elsewhere), and
// then keeps the browser from following it.
func PlainClick(event vugu.DOMEvent) bool {
	for _, key := range []string{"ctrlKey", "metaKey", "shiftKey", "altKey"} {
		if event.PropBool(key) {
			return false
		}
	}
	event.PreventDefault()
	return true
}

// Address is the link to a screen with other settings, for this device.
func Address(a *state.App, change func(*share.Address)) string {
	s := a.Settings.Address
	s.Focus = experiment.Focus{}
	change(&s)
	f, err := share.Encode(state.Listed(s))
	if err != nil {
		return state.Path(s.Screen)
	}
	return state.Path(s.Screen) + "#" + f
}

// Meta joins what is known of a document with a middle dot.
func Meta(day string, rest ...string) string {
	s := Date(day)
	for _, r := range rest {
		if r == "" {
			continue
		}
		if s != "" {
			s += " · "
		}
		s += r
	}
	return s
}

// Examples are four judged queries of the open collection, one a type. If they have fewer types, short ones from all
// over the collection join them.
func Examples(a *state.App) []report.Query {
	if a.Engine.Opened == nil {
		return nil
	}
	var out []report.Query
	seen := map[string]bool{}
	for _, q := range a.Engine.Opened.Queries {
		if !seen[q.Type] {
			seen[q.Type], seen[" "+q.ID] = true, true
			out = append(out, q)
		}
		if len(out) == 4 {
			break
		}
	}
	all := a.Engine.Opened.Queries
	for i := 1; i < 4 && len(out) < 4; i++ {
		for _, q := range all[i*len(all)/4 : (i+1)*len(all)/4] {
			if len(q.Text) < 50 && !seen[" "+q.ID] {
				out = append(out, q)
				break
			}
		}
	}
	return out
}

// QueryLink is the address of a judged query in Search.
func QueryLink(a *state.App, id string) string {
	return Address(a, func(s *share.Address) { s.Screen, s.QueryID, s.Query = share.Search, id, "" })
}
