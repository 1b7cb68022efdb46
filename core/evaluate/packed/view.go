package packed

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// View is the state of the comparison's screen: the measure, the two compared runs, the order and filter of the
// queries, the query with open rankings. No figure depends on it. Links and saved files include it, so that their
// recipients see the same screen. The zero View is the initial state.
type View struct {
	Column int // index of the measure
	A, B   int // indices of the runs
	// sort column of the query table: "change" (by size), "diff" (with its sign), "query", "a", "b"; "" for the
	// default
	Sort   string
	Down   bool    // largest first
	Filter string  // "" all queries, "changed", "b" if B is better by more than Over, "a" if A is
	Over   float64 // ≥ 0
	Find   string  // words of the query, or its id
	Page   int     // of the table, from 0
	Open   string  // id of the query whose rankings are shown, "" for none
	Depth  int     // documents of each ranking; 0 for the default
	Tests  bool    // show every test of the pair
	Margin float64 // equivalence margin: ± this much; 0 for report.DefaultMargin
	Agree  string  // similarity of rankings to show: "rbo", "tau", "tauap", "common"; "" for none
	// unfolded figures, separated by dots; "" for the default, "none" for none
	Figures string
	// positions of the runs' letters in the alphabet, from 1, separated by dots (see WithLetters); "" for A, B, C …
	Letters string
	// open tab: "board", "queries", "statistics", "check", "export"; "" in links from before there were tabs
	Tab   string
	Claim string // a printed figure to check, in the form that analysis.ReadClaim reads; "" for none
	// what an embedding frame shows alone: the name of a figure, OnlyQuery for the open query; "" for the finding
	Only string
}

// WithLetters returns the view with the letters of the runs: report.Report.Letters.
func (v View) WithLetters(places []int) View {
	var s []string
	for _, p := range places {
		s = append(s, strconv.Itoa(p+1))
	}
	v.Letters = strings.Join(s, ".")
	return v
}

// Places returns the letters in the form of report.Report, -1 for unreadable ones; nil for A, B, C …
func (v View) Places() []int {
	if v.Letters == "" {
		return nil
	}
	var out []int
	for s := range strings.SplitSeq(v.Letters, ".") {
		n, err := strconv.Atoi(s)
		if err != nil {
			n = 0
		}
		out = append(out, n-1)
	}
	return out
}

// OnlyQuery is View.Only if a frame shows the rankings of the open query alone.
const OnlyQuery = "query"

// maxViewText is the maximum length of a View's text in bytes. Every number in it is below maxViewNumber.
const (
	maxViewText   = 4096
	maxViewNumber = 1 << 20
)

// String returns the view in the notation of links and files, "" for the zero View. It consists of names and
// values; except for letters, digits, "-", "." and "_", every byte is written as "~" and two hexadecimal digits. So
// mail programs cannot damage it.
func (v View) String() string {
	if v == (View{}) {
		return ""
	}
	var b strings.Builder
	field := func(name, value string) {
		if value == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(name + "=")
		for i := 0; i < len(value); i++ {
			switch c := value[i]; {
			case c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'z', c == '-', c == '.', c == '_':
				b.WriteByte(c)
			default:
				b.WriteString("~" + say.Hex(uint32(c), 2))
			}
		}
	}
	number := func(name string, n int) {
		if n > 0 {
			field(name, strconv.Itoa(n))
		}
	}
	field("measure", strconv.Itoa(v.Column+1))
	field("pair", strconv.Itoa(v.A+1)+"-"+strconv.Itoa(v.B+1))
	if v.Sort != "" {
		order := ""
		if v.Down {
			order = "-"
		}
		field("sort", order+v.Sort)
	}
	field("show", v.Filter)
	if v.Over > 0 {
		field("over", strconv.FormatFloat(v.Over, 'g', -1, 64))
	}
	field("find", v.Find)
	field("query", v.Open)
	number("page", v.Page)
	number("depth", v.Depth)
	if v.Tests {
		field("tests", "1")
	}
	if v.Margin > 0 {
		field("margin", strconv.FormatFloat(v.Margin, 'g', -1, 64))
	}
	field("agree", v.Agree)
	field("figures", v.Figures)
	field("letters", v.Letters)
	field("tab", v.Tab)
	field("claim", v.Claim)
	field("only", v.Only)
	return b.String()
}

// ReadView reads the output of String; "" is the zero View. It ignores unknown names, which come from later
// versions. The error wraps wire.ErrDamaged. The caller must check that measure, runs and query exist.
func ReadView(text string) (View, error) {
	var v View
	if text == "" {
		return v, nil
	}
	if len(text) > maxViewText {
		return v, errDamaged
	}
	for part := range strings.SplitSeq(text, "&") {
		name, coded, ok := strings.Cut(part, "=")
		if !ok {
			return View{}, errDamaged
		}
		value, ok := decodeView(coded)
		if !ok {
			return View{}, errDamaged
		}
		if text := v.text(name); text != nil {
			*text = value
			continue
		}
		number := func(least int) int {
			n, err := strconv.Atoi(value)
			if err != nil || n < least || n >= maxViewNumber {
				ok = false
			}
			return n
		}
		amount := func() float64 {
			f, err := strconv.ParseFloat(value, 64)
			ok = err == nil && f >= 0 && f <= math.MaxInt32
			return f
		}
		word := func(known ...string) string {
			ok = slices.Contains(known, value)
			return value
		}
		switch name {
		case "measure":
			v.Column = number(1) - 1
		case "pair":
			a, b, two := strings.Cut(value, "-")
			value = a
			v.A = number(1) - 1
			value = b
			v.B = number(1) - 1
			ok = ok && two
		case "sort":
			value, v.Down = strings.CutPrefix(value, "-")
			v.Sort = word("change", "diff", "query", "a", "b")
		case "show":
			v.Filter = word("changed", "a", "b")
		case "over":
			v.Over = amount()
		case "page":
			v.Page = number(0)
		case "depth":
			v.Depth = number(0)
		case "tests":
			v.Tests = number(0) > 0
		case "margin":
			v.Margin = amount()
		case "agree":
			v.Agree = word("rbo", "tau", "tauap", "common")
		}
		if !ok {
			return View{}, errDamaged
		}
	}
	return v, nil
}

// text returns the field with a name if it holds free text, else nil.
func (v *View) text(name string) *string {
	switch name {
	case "find":
		return &v.Find
	case "query":
		return &v.Open
	case "figures":
		return &v.Figures
	case "letters":
		return &v.Letters
	case "tab":
		return &v.Tab
	case "claim":
		return &v.Claim
	case "only":
		return &v.Only
	}
	return nil
}

func decodeView(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '~' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return "", false
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(n))
		i += 2
	}
	return strings.ToValidUTF8(b.String(), "\ufffd"), true
}

// The hash of the report is in the text of a view under the first of these names. It is no part of the View, which may
// be zero. The hash of earlier versions is under the second: it covered intervals and tests, which are computed in
// another way now, and so nothing computes it any more.
const (
	hashName   = "hash="
	formerName = "digest="
)

// withHash adds a hash to the text of a view. What is no hash is left out.
func withHash(view, hash string) string {
	if !isHash(hash) {
		return view
	}
	if view != "" {
		view += "&"
	}
	return view + hashName + hash
}

// hashOf returns the hash in the text of a view, "" where there is none, and whether an earlier version made it.
func hashOf(view string) (hash string, former bool) {
	for part := range strings.SplitSeq(view, "&") {
		name, s, _ := strings.Cut(part, "=")
		if name += "="; (name == hashName || name == formerName) && isHash(s) {
			return s, name == formerName
		}
	}
	return "", false
}

func isHash(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }
