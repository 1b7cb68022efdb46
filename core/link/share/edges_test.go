package share

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
)

// The last valid and the first invalid value of each rule. The limits are those in the package documentation; the
// days are Gregorian.
func TestTheEdgesOfEveryRule(t *testing.T) {
	many := func(n int) (out []string) {
		for i := range n {
			out = append(out, "v"+strconv.Itoa(i))
		}
		return out
	}
	two := []string{"bm25", "bm25(k1=2)"}
	for _, x := range []struct {
		name      string
		good, bad func(*Address)
	}{
		{"depth", func(a *Address) { a.Depth = MaxDepth }, func(a *Address) { a.Depth = MaxDepth + 1 }},
		{"no depth", func(a *Address) { a.Depth = 0 }, func(a *Address) { a.Depth = -1 }},
		{"first letters of a screen", func(a *Address) { a.Screen = "az" }, func(a *Address) { a.Screen = "a`" }},
		{"last letters of a screen", func(a *Address) { a.Screen = "za" }, func(a *Address) { a.Screen = "z{" }},
		{"length of a screen", func(a *Address) {
			a.Screen = Screen(strings.Repeat("s", 20))
		}, func(a *Address) { a.Screen = Screen(strings.Repeat("s", 21)) }},
		{"first small letter", func(a *Address) { a.Collection = "a" }, func(a *Address) { a.Collection = "`" }},
		{"last small letter", func(a *Address) { a.Collection = "z" }, func(a *Address) { a.Collection = "{" }},
		{"first capital", func(a *Address) { a.Collection = "A" }, func(a *Address) { a.Collection = "@" }},
		{"last capital", func(a *Address) { a.Collection = "Z" }, func(a *Address) { a.Collection = "[" }},
		{"first digit", func(a *Address) { a.Collection = "0" }, func(a *Address) { a.Collection = "/" }},
		{"last digit", func(a *Address) { a.Collection = "9" }, func(a *Address) { a.Collection = ":" }},
		{"length of a collection", func(a *Address) {
			a.Collection = strings.Repeat("c", 64)
		}, func(a *Address) { a.Collection = strings.Repeat("c", 65) }},
		{"baseline", func(a *Address) {
			a.Systems, a.Baseline = two, 1
		}, func(a *Address) { a.Systems, a.Baseline = two, 2 }},
		{"first baseline", func(a *Address) {
			a.Systems, a.Baseline = two, 0
		}, func(a *Address) { a.Systems, a.Baseline = two, -1 }},
		{"categories", func(a *Address) {
			a.Filter.Categories = many(MaxValues)
		}, func(a *Address) { a.Filter.Categories = many(MaxValues + 1) }},
		{"length of a category", func(a *Address) {
			a.Filter.Categories = []string{strings.Repeat("c", maxID)}
		}, func(a *Address) { a.Filter.Categories = []string{strings.Repeat("c", maxID+1)} }},
		{"first month and day", func(a *Address) {
			a.Filter.From = "0000-01-01"
		}, func(a *Address) { a.Filter.From = "0000-00-01" }},
		{"last month", func(a *Address) {
			a.Filter.From = "9999-12-31"
		}, func(a *Address) { a.Filter.From = "9999-13-01" }},
		{"first day", func(a *Address) { a.Filter.To = "2024-03-01" }, func(a *Address) { a.Filter.To = "2024-03-00" }},
		{"a leap year", func(a *Address) {
			a.Filter.To = "2024-02-29"
		}, func(a *Address) { a.Filter.To = "2023-02-29" }},
		{"a hundredth year", func(a *Address) {
			a.Filter.To = "2000-02-29"
		}, func(a *Address) { a.Filter.To = "1900-02-29" }},
		{"letters in a year", func(a *Address) {
			a.Filter.To = "2024-02-28"
		}, func(a *Address) { a.Filter.To = "20x4-02-28" }},
	} {
		for _, admitted := range []bool{true, false} {
			a := Address{Spec: experiment.Spec{Collection: "c"}}
			if x.bad(&a); admitted {
				a = Address{Spec: experiment.Spec{Collection: "c"}}
				x.good(&a)
			}
			if _, err := Canonical(a); (err == nil) != admitted {
				t.Errorf("%s: admitted %v, want %v (%v)", x.name, err == nil, admitted, err)
			}
		}
	}
}

// 40 bytes are quoted completely, 41 are cut to 40.
func TestWhatIsQuotedIsShortened(t *testing.T) {
	if got := quote(strings.Repeat("q", 40)); strings.Contains(got, "…") {
		t.Errorf("40 bytes: %s", got)
	}
	if got := quote(strings.Repeat("q", 41)); got != strconv.Quote(strings.Repeat("q", 40))+"…" {
		t.Errorf("41 bytes: %s", got)
	}
}

// Hexadecimal digits in both cases, by hand: a is 10.
func TestDigitsOfPercentEncoding(t *testing.T) {
	for in, want := range map[string]string{"%4a": "J", "%4A": "J", "%6f": "o", "%6F": "o", "%49": "I", "%c3%a9": "é"} {
		if got, ok := unescape(in); !ok || got != want {
			t.Errorf("%s is %q", in, got)
		}
	}
}

// A number has at most six digits, a version four. A link has at most MaxLength characters, and the error for a
// longer one states the excess.
func TestTheEdgesOfWhatIsWritten(t *testing.T) {
	if n, err := readNumber(pair{"k", "999999"}); err != nil || n != 999999 {
		t.Errorf("six digits: %d, %v", n, err)
	}
	if _, err := readNumber(pair{"k", "1000000"}); err == nil {
		t.Error("seven digits are read")
	}
	if _, err := readNumber(pair{"k", ""}); err == nil {
		t.Error("no digits are read")
	}
	if four, five := reasonOf("v=9999&q=x&x=00000000"), reasonOf("v=99999&q=x&x=00000000"); four == five ||
		five != reasonOf("v=x") {
		t.Errorf("a version of four digits is %v, of five %v", four, five)
	}
	var long []string // so that the query reaches the maximum before its own limit
	for _, c := range "abcdefgh" {
		long = append(long, strings.Repeat(string(c), min(maxID, 160)))
	}
	longest := 0
	for i := 1; ; i++ {
		a := Address{Spec: experiment.Spec{Query: strings.Repeat("q", i)}}
		a.Filter.Categories = long
		s, err := Encode(a)
		if err != nil {
			if i < 100 {
				t.Fatal(err)
			}
			break
		}
		if back, err := Decode(s); err != nil || back.Query != a.Query || len(s) > MaxLength {
			t.Fatalf("%d characters: %v", len(s), err)
		}
		longest = len(s)
	}
	if longest != MaxLength {
		t.Errorf("the longest link has %d characters, want %d", longest, MaxLength)
	}
}

func reasonOf(fragment string) string {
	_, err := Decode(fragment)
	return string(reason(err))
}

// Unchanged: letters, digits and five signs; every other byte becomes hexadecimal digits. All of A to Z, a to z, 0
// to 9.
func TestWhatIsEscaped(t *testing.T) {
	const kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._,="
	for c := range 256 {
		want := fmt.Sprintf("%%%02X", c)
		if strings.IndexByte(kept, byte(c)) >= 0 {
			want = string(rune(c))
		}
		var b strings.Builder
		escape(&b, string([]byte{byte(c)}))
		if back, ok := unescape(b.String()); b.String() != want || !ok || back != string([]byte{byte(c)}) {
			t.Errorf("byte %#x: %q, back %q, %v, want %q", c, b.String(), back, ok, want)
		}
	}
}

// The first and the last forbidden character of each range, and their neighbours.
func TestTextRefusesWhatCannotBeShown(t *testing.T) {
	for _, x := range []struct {
		r       rune
		refused string // "" for a valid text
	}{
		{0x1f, "control"}, {0x20, ""}, {0x7e, ""}, {0x7f, "control"}, {0x9f, "control"}, {0xa0, ""},
		{0x2027, ""}, {0x2028, "control"}, {0x2029, "control"}, {0x202a, "reverses"}, {0x202e, "reverses"},
		{0x202f, ""},
		{0x2065, ""}, {0x2066, "reverses"}, {0x2069, "reverses"}, {0x206a, ""},
	} {
		err := checkText("query", "a"+string(x.r)+"b", 100)
		if (err == nil) != (x.refused == "") || err != nil && !strings.Contains(err.Error(), x.refused) {
			t.Errorf("%U: %v, want %q", x.r, err, x.refused)
		}
	}
}
