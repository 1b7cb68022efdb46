package say

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// What is wanted was written by hand: these are the forms that the page, the terminal and the files share.
func TestSay(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, x := range []struct{ name, page, plain, wantPage, wantPlain string }{
		{"number", Page.Number(-0.1234, 3), Plain.Number(-0.1234, 3), "−0.123", "-0.123"},
		{"no number", Page.Number(nan, 3), Plain.Number(nan, 3), "–", "n/a"},
		{"rounded to nothing", Page.Number(-0.0001, 2), Plain.Number(-0.0001, 2), "0.00", "0.00"},
		{"infinite", Page.Number(-inf, 2), Plain.Number(-inf, 2), "−Inf", "-Inf"},
		{"as short as it is", Page.Short(-2.50), Plain.Short(-2.50), "−2.5", "-2.5"},
		{"short and whole", Page.Short(100), Plain.Short(-0.0000001), "100", "0"},
		{"short of many digits", Page.Short(1.0 / 3), Plain.Short(0.5), "0.333333", "0.5"},
		{"half of the last digit", Page.Number(0.12345, 4), Plain.Number(-0.5, 1), "0.1235", "-0.5"},
		{"p of the level", Page.PIs(0.0496), Plain.PIs(0.0004), "p\u00a0=\u00a00.0496", "p < 0.001"},
		{"in print", Print.FineP(1.234e-9), Print.Number(nan, 2), "1.23e−09", "n/a"},
		{"changed, in print", Print.Signed(-2, 0), Print.Change(2, 1), "−2", "−50.0 %"},
		{"whole", Page.Int(-12), Plain.Int(-12), "−12", "-12"},
		{"signed", Page.Signed(0.5, 2), Plain.Signed(-0.5, 2), "+0.50", "-0.50"},
		{"signed nothing", Page.Signed(-0.0001, 2), Plain.Signed(nan, 2), "−0.0001", "n/a"},
		{"signed 0, and what rounding makes of it", Page.Signed(math.Copysign(0, -1), 4), Plain.Signed(1e-16, 4), "+0.0000",
			"+0.0000"},
		{"a loss that four decimals do not show", Page.Signed(-1e-6, 4), Plain.Signed(-3e-10, 4), "−0.000001", "-3e-10"},
		{"the end of an interval beside 0", Plain.Span(4e-5, 0.1, 3), Plain.Span(-4e-5, 0, 3), "0.00004 to 0.100",
			"-0.00004 to 0.000"},
		{"an interval up to 0, without it", Page.Span(Beside, 0.1, 3), Plain.Span(-0.1, -Beside, 3), "> 0 to 0.100",
			"-0.100 to < 0"},
		{"its ends alone", Page.Signed(Beside, 3), Plain.Signed(-Beside, 4), "> 0", "< 0"},
		{"change from what rounding left", Page.Change(1e-17, 0.2), Plain.Change(0.3, 0.1+0.2), "from 0", "+0.0 %"},
		{"p on either side of the level", Plain.P(0.04999), Plain.P(0.05), "0.04999", "0.050"},
		{"percent", Page.Percent(-0.125, 1), Plain.Percent(0.125, 1), "−12.5\u00a0%", "12.5 %"},
		{"all but one of a thousand", Page.Percent(0.9989, 0), Plain.Percent(0.9999, 1), "99.9\u00a0%", "99.99 %"},
		{"all", Page.Percent(1, 0), Plain.Percent(0, 0), "100\u00a0%", "0 %"},
		{"hardly any", Page.Percent(0.0001, 0), Plain.Percent(1e-9, 0), "0.01\u00a0%", "0.0000 %"},
		{"no share", Page.Percent(nan, 1), Plain.Percent(inf, 1), "–", "n/a"},
		{"change", Page.Change(0.4, 0.3), Plain.Change(0.4, 0.5), "−25.0\u00a0%", "+25.0 %"},
		{"change of less than nothing", Page.Change(-0.4, -0.3), Plain.Change(-0.4, -0.5), "+25.0\u00a0%", "-25.0 %"},
		{"change from nothing", Page.Change(0, 0.3), Plain.Change(0, 0), "from 0", "+0.0 %"},
		{"p", Page.P(0.0123), Plain.PIs(0.0123), "0.012", "p = 0.012"},
		{"p too small", Page.P(0.0009), Plain.PIs(0), "< 0.001", "p < 0.001"},
		{"p just not too small", Page.PIs(0.001), Plain.PIs(nan), "p\u00a0=\u00a00.001", "p n/a"},
		{"fine p", Page.FineP(1.234e-9), Plain.FineP(1.234e-9), "1.23e−09", "1.23e-09"},
		{"fine p that is large", Page.FineP(0.25), Plain.FineP(nan), "0.2500", "n/a"},
		{"range", Page.Span(-1, 1, 1), Plain.Span(-1, nan, 1), "−1.0 to 1.0", "n/a"},
	} {
		if x.page != x.wantPage || x.plain != x.wantPlain {
			t.Errorf("%s: %q and %q, want %q and %q", x.name, x.page, x.plain, x.wantPage, x.wantPlain)
		}
	}
}

func TestWords(t *testing.T) {
	for _, x := range []struct{ name, got, want string }{
		{"one", Count(1, "query", "queries"), "1 query"},
		{"none", Count(0, "query", "queries"), "0 queries"},
		{"many", Count(5183, "query", "queries"), "5,183 queries"},
		{"it alone", Verb(1, "is", "are"), "is"},
		{"none of them", Verb(0, "has", "have"), "have"},
		{"millions", Thousands(1234567), "1,234,567"},
		{"less than nothing", Thousands(-123456), "-123,456"},
		{"all digits", Exact(0.1), "0.1"},
		{"0 that was below", Exact(math.Copysign(0, -1)), "0"},
		{"no digits", Exact(math.Inf(1)), ""},
		{"letter", Letter(25), "Z"},
		{"behind the last letter", Letter(26), "AA"},
		{"far behind", Letter(26 + 26*26), "AAA"},
		{"label", Lower("Dense"), "dense"},
		{"label of capitals", Lower("BM25, title"), "BM25, title"},
		{"person", Lower("Wilcoxon signed-rank test"), "Wilcoxon signed-rank test"},
		{"nothing", Or(nil), ""},
		{"one of one", Or([]string{"a"}), "a"},
		{"one of three", Or([]string{"a", "b", "c"}), "a, b or c"},
		{"both", And([]string{"a", "b"}), "a and b"},
		{"few", Few([]string{"a", "b", "c"}, 2), "a, b and 1 more"},
		{"not too many", Few([]string{"a", "b"}, 2), "a, b"},
		{"byte", Bytes(1), "1 byte"},
		{"bytes", Bytes(999), "999 bytes"},
		{"kilobytes", Bytes(1999), "1 kB"},
		{"megabytes", Bytes(300e6), "300 MB"},
		{"part of one", Bytes(1234567), "1.23 MB"},
		{"hundreds of them", Bytes(123456789), "123 MB"},
		{"kilobytes alone", Bytes(2500), "2 kB"},
		{"gibibyte", Bytes(1 << 30), "1 GiB"},
		{"gigabytes", Bytes(2500e6), "2.5 GB"},
	} {
		if x.got != x.want {
			t.Errorf("%s: %q, want %q", x.name, x.got, x.want)
		}
	}
}

// The characters are those of Unicode 15's chapters on format controls, private use and noncharacters.
func TestVisible(t *testing.T) {
	for _, x := range []struct{ name, in, want string }{
		{"plain", "run-1.txt", "run-1.txt"},
		{"letters of the world", "Überlauf 中文 🙂", "Überlauf 中文 🙂"},
		{"control", "a\x00\n\x7f", "a[U+0000][U+000A][U+007F]"},
		{"turned round", "a\u202eb", "a[U+202E]b"},
		{"no width", "a\u200bb\ufeff", "a[U+200B]b[U+FEFF]"},
		{"private use", "\ue000\uf8ff", "[U+E000][U+F8FF]"},
		{"private planes", "\U000f0000\U0010fffd", "[U+F0000][U+10FFFD]"},
		{"no character", "\ufdd0\uffff", "[U+FDD0][U+FFFF]"},
		{"not UTF-8", "a\xff\xc3", "a[FF][C3]"},
		{"replacement that stands there", "\ufffd", "\ufffd"},
	} {
		if got := Visible(x.in); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
	if got := Brief(strings.Repeat("ä", 9), 5); got != "äääää…" {
		t.Errorf("brief: %q", got)
	}
	if got := Brief("äää", 3); got != "äää" {
		t.Errorf("brief that fits: %q", got)
	}
	if got := Within("run-2024-final", 7); got != "run…nal" {
		t.Errorf("within: %q", got)
	}
}

// encoding/json reads of what is escaped what it read before, and nothing is left that a terminal obeys.
func TestEscapedSaysTheSame(t *testing.T) {
	for in, want := range map[string]string{
		``: ``, `"plain é 漢 😀"`: `"plain é 漢 😀"`, "{\n\t\"a\": 1,\r\n\"b\": 2}": "{\n\t\"a\": 1,\r\n\"b\": 2}",
		"\"\u202e\"": `"\u202e"`, "\"a\u009bb\"": `"a\u009bb"`, "[\"\ue000\", \"\u200b\"]": `["\ue000", "\u200b"]`,
		"\"\U000f0000\U000e0041x\"": `"\udb80\udc00\udb40\udc41x"`,
		"\"\ufffd\"":                "\"\ufffd\"", "\"\x9bx\"": `"\ufffdx"`,
		"\"\x1b[2J\a\x7f\"": `"\u001b[2J\u0007\u007f"`, "\"a\rb\"": `"a\u000db"`,
	} {
		got := Escaped(in)
		if got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
		var before, after any
		if json.Unmarshal([]byte(in), &before) == nil &&
			(json.Unmarshal([]byte(got), &after) != nil || !reflect.DeepEqual(before, after)) {
			t.Errorf("%q was %v, is %v", in, before, after)
		}
	}
	for r := rune(0x80); r <= 0x10ffff; r++ {
		if text := Escaped(string(r)); hidden(r) == (text == string(r)) {
			t.Fatalf("%U: %s", r, text)
		}
	}
}
