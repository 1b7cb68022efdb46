package share

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// golden is a line of testdata/v1.txt, written by Python 3.11: percent-encoding by urllib.parse.quote, checksum by
// zlib.crc32.
type golden struct {
	name, fragment string
	spec           Address
}

func goldens(t testing.TB) []golden {
	data, err := os.ReadFile("testdata/v1.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []golden
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			t.Fatalf("testdata/v1.txt:%d: %d fields", i+1, len(fields))
		}
		g := golden{name: fields[2], fragment: fields[0]}
		if err := json.Unmarshal([]byte(fields[1]), &g.spec); err != nil {
			t.Fatalf("testdata/v1.txt:%d: %v", i+1, err)
		}
		all = append(all, g)
	}
	return all
}

func TestLinksOfVersion1LiveForEver(t *testing.T) {
	all := goldens(t)
	if len(all) < 23 {
		t.Fatalf("%d links left of the 23 that were frozen", len(all))
	}
	for _, g := range all {
		t.Run(g.name, func(t *testing.T) {
			s, err := Decode(g.fragment)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(s, g.spec) {
				t.Fatalf("got  %+v\nwant %+v", s, g.spec)
			}
			roundTrip(t, s)
		})
	}
}

// Encode writes the canonical links among the goldens. A version 2 may change this, but not the test above.
func TestEncodeWritesTheGoldenLinks(t *testing.T) {
	written := 0
	for _, g := range goldens(t) {
		if strings.HasPrefix(g.name, "pairs in another order") {
			break // the following links are not canonical
		}
		got, err := Encode(g.spec)
		if err != nil || got != g.fragment {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", g.name, got, err, g.fragment)
		}
		written++
	}
	if written != 11 {
		t.Errorf("%d canonical links, want 11", written)
	}
}

// roundTrip checks an Address in canonical form.
func roundTrip(t *testing.T, s Address) {
	t.Helper()
	fragment, err := Encode(s)
	if err != nil {
		var e *Error
		if errors.As(err, &e) && e.Reason == TooLong {
			return
		}
		t.Fatalf("Encode(%+v): %v", s, err)
	}
	back, err := Decode(fragment)
	if err != nil {
		t.Fatalf("Decode(%q): %v", fragment, err)
	}
	if !reflect.DeepEqual(back, s) {
		t.Fatalf("%s\ngot  %+v\nwant %+v", fragment, back, s)
	}
	if len(fragment) > MaxLength ||
		strings.Trim(fragment, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._,=&%") != "" {
		t.Fatalf("%q holds characters that do not survive", fragment)
	}
	// net/url is the oracle of the percent-encoding: as a query, the fragment has the same values.
	values, err := url.ParseQuery(fragment)
	if err != nil || values.Get("q") != s.Query || values.Get("doc") != s.Document ||
		len(values["s"]) != len(s.Systems) {
		t.Fatalf("net/url reads %v, %v", values, err)
	}
}

func TestErrors(t *testing.T) {
	sealed := func(text string) string { return text + "&x=" + checksum(text) }
	const good = "v=1&c=harbour-wire&s=bm25&q=port"
	if _, err := Decode(sealed(good)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, fragment string
		reason         Reason
		message        string // a part of it
	}{
		{"empty", "", Foreign, "not a Rankbox link"},
		{"only a #", "#", Foreign, "not a Rankbox link"},
		{"an anchor", "measures", Foreign, "not a Rankbox link"},
		{"an anchor with a percent sign", "100%", Foreign, "not a Rankbox link"},
		{"somebody else's fragment", "a=1&b=2", Foreign, "not a Rankbox link"},
		{"somebody else's v", "v=abc&x=12345678", Foreign, "not a Rankbox link"},
		{"version with a leading zero", "v=01&x=12345678", Foreign, "not a Rankbox link"},
		{"version 0", "v=0&x=12345678", Foreign, "not a Rankbox link"},
		{"newer", "v=2&anything", Newer, "link version 2"},
		{"newer, encoded twice", "v%3D12%26z%3D1", Newer, "link version 12"},
		{"cut off before the checksum", good, Damaged, "the end of the link is missing"},
		{"cut off within the checksum", sealed(good)[:len(sealed(good))-1], Damaged, "the end of the link is missing"},
		{"cut off after the version", "v=1", Damaged, "the end of the link is missing"},
		{"a letter changed", strings.Replace(sealed(good), "port", "part", 1), Damaged, "was damaged"},
		{"lower case made upper", strings.Replace(sealed(good), "harbour", "Harbour", 1), Damaged, "was damaged"},
		{"a pair lost", strings.Replace(sealed(good), "&s=bm25", "", 1), Damaged, "was damaged"},
		{"letters added at the end", sealed(good) + "abc", Damaged, "was damaged"},
		{"a pair added at the end", sealed(good) + "&utm_source=mail", Damaged, "was damaged"},
		{"broken percent sign", "v=1&q=%2&x=12345678", Damaged, "was damaged"},
		{"pair without a value", "v=1&q&x=12345678", Damaged, "was damaged"},
		{"unknown setting", sealed("v=1&theme=dark"), Unknown, `unknown setting "theme"`},
		{"checksum within", sealed("v=1&x=1"), Unknown, `unknown setting "x"`},
		{"unknown screen", sealed("v=1&page=judge-all"), Unknown, `unknown screen "judge-all"`},
		{"unknown stage", sealed("v=1&s=bm25&s=bm52"), Unknown,
			`system B: at byte 0: unknown stage "bm52"; did you mean bm25?`},
		{"unknown parameter", sealed("v=1&s=bm25%28k9=1%29"), Unknown, `has no parameter "k9"`},
		{"unknown variant", sealed("v=1&s=bm25%28variant=bm26%29"), Unknown, "is one of lucene"},
		{"parameter out of range", sealed("v=1&s=bm25%28b=7%29"), Invalid, "between 0 and 1"},
		{"five systems", sealed("v=1" + strings.Repeat("&s=bm25", 5)), Invalid, "5 systems"},
		{"set twice", sealed("v=1&q=a&q=b"), Invalid, `"q" is set twice`},
		{"version twice", sealed("v=1&v=1"), Unknown, `unknown setting "v"`},
		{"empty value", sealed("v=1&q="), Invalid, `"q" is empty`},
		{"empty system", sealed("v=1&s="), Invalid, `"s" is empty`},
		{"two queries", sealed("v=1&q=a&qid=b"), Invalid, "both a judged and a typed query"},
		{"baseline without systems", sealed("v=1&base=B"), Invalid, "number 1 of 0 systems"},
		{"baseline beyond", sealed("v=1&s=bm25&s=dense&base=C"), Invalid, "number 2 of 2 systems"},
		{"baseline that is no letter", sealed("v=1&s=bm25&base=E"), Invalid, "not the letter of a system"},
		{"lower-case letter", sealed("v=1&s=bm25&base=a"), Invalid, "not the letter of a system"},
		{"system of the document beyond", sealed("v=1&s=bm25&doc=d1&in=B"), Invalid, "number 1 of 1 systems"},
		{"negative depth", sealed("v=1&k=-1"), Invalid, "not a number"},
		{"too deep", sealed("v=1&k=1001"), Invalid, "not between 0 and 1000"},
		{"depth that overflows", sealed("v=1&k=99999999999999999999"), Invalid, "not a number"},
		{"collection in another folder", sealed("v=1&c=..%2Fsecret"), Invalid, "is not a name"},
		{"collection that starts with a dot", sealed("v=1&c=.git"), Invalid, "is not a name"},
		{"collection too long", sealed("v=1&c=" + strings.Repeat("c", 65)), Invalid, "is not a name"},
		{"hash in upper case", sealed("v=1&h=0123456789ABCDEF"), Invalid, "16 lowercase"},
		{"hash too short", sealed("v=1&h=0123456789abcde"), Invalid, "16 lowercase"},
		{"not UTF-8", sealed("v=1&q=%FF"), Invalid, "is not UTF-8"},
		{"control character", sealed("v=1&q=a%00b"), Invalid, "has a control character"},
		{"C1 control character", sealed("v=1&doc=%C2%85"), Invalid, "has a control character"},
		{"line separator", sealed("v=1&ent=%E2%80%A8"), Invalid, "has a control character"},
		{"text turned round", sealed("v=1&cat=%E2%80%AEabc"), Invalid, "has a mark that reverses text"},
		{"query too long", sealed("v=1&q=" + strings.Repeat("q", 1001)), Invalid, "query of 1001 bytes"},
		{"id too long", sealed("v=1&doc=" + strings.Repeat("d", 201)), Invalid, "document id of 201 bytes"},
		{"measure too long", sealed("v=1&m=" + strings.Repeat("m", 65)), Invalid, "measure of 65 bytes"},
		{"17 measures", sealed("v=1" + strings.Repeat("&m=AP", 17)), Invalid, "17 values of measure"},
		{"day that does not exist", sealed("v=1&from=2023-02-29"), Invalid, "not a day"},
		{"day of a century without a leap day", sealed("v=1&from=2100-02-29"), Invalid, "not a day"},
		{"month 13", sealed("v=1&to=2023-13-01"), Invalid, "not a day"},
		{"day 0", sealed("v=1&to=2023-12-00"), Invalid, "not a day"},
		{"date without hyphens", sealed("v=1&to=2023.12.01"), Invalid, "not a day"},
		{"date with a sign", sealed("v=1&to=2023-%2B1-01"), Invalid, "not a day"},
		{"2,001 characters", sealed("v=1" + strings.Repeat("&ent="+strings.Repeat("e", 181), 10) + "&ent=" +
			strings.Repeat("f", 122)), TooLong, "more than 2000"},
		{"very long", strings.Repeat("v=1&", 5000), TooLong, "more than 2000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Decode(tt.fragment)
			var e *Error
			if !errors.As(err, &e) || e.Reason != tt.reason || !strings.Contains(e.Message, tt.message) {
				t.Fatalf("Decode(%q) = %+v, %v; want %s, %q", tt.fragment, s, err, tt.reason, tt.message)
			}
			if !reflect.DeepEqual(s, Address{}) {
				t.Fatalf("an Address beside the error: %+v", s)
			}
		})
	}
	_, err := Decode(sealed("v=1&s=bm52"))
	var cause *pipeline.Error
	if !errors.As(err, &cause) || cause.Suggestion != "bm25" {
		t.Errorf("the cause of %v is %+v", err, cause)
	}
}

// Every truncation and every change of one character is detected and never read as another link.
func TestEveryCutAndChangeIsNoticed(t *testing.T) {
	for _, g := range goldens(t)[:11] {
		for i := range g.fragment {
			_, err := Decode(g.fragment[:i])
			want := Damaged
			if i < len("v=1") {
				want = Foreign
			}
			if reason(err) != want {
				t.Fatalf("Decode(%q): %v", g.fragment[:i], err)
			}
			for _, c := range []byte("0aZ-&=%(") {
				changed := g.fragment[:i] + string(c) + g.fragment[i+1:]
				s, err := Decode(changed)
				if err == nil && !reflect.DeepEqual(s, g.spec) {
					t.Fatalf("%s\nread as %+v", changed, s)
				}
			}
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	// 9 characters each: v=1&q=…&x=12345678 is 2,015
	long := Address{Spec: experiment.Spec{Query: strings.Repeat("港", 222)}}
	fits := Address{Spec: experiment.Spec{Query: strings.Repeat("港", 220) + "a"}}
	tests := []struct {
		name    string
		spec    Address
		reason  Reason // "" for none
		message string
	}{
		{"1,998 characters", fits, "", ""},
		{"2,015 characters", long, TooLong, "would have 2015 characters, 15 more than the 2000"},
		{"unknown stage", Address{Spec: experiment.Spec{Systems: []string{"bm52"}}}, Unknown, "system A"},
		{"letters of more systems", Address{Letters: "AC", Spec: experiment.Spec{Systems: []string{"bm25"}}}, Invalid,
			"\"AC\" are letters of 2 systems, there are 1"},
		{"letters of default systems", Address{Letters: "AC"}, Invalid, "letters of 2 systems, there are 0"},
		{"a letter twice", Address{Letters: "CC", Spec: experiment.Spec{Systems: []string{"bm25", "dense"}}}, Invalid,
			"are not letters of systems"},
		{"a letter beyond the last", Address{Letters: "E", Spec: experiment.Spec{Systems: []string{"bm25"}}}, Invalid,
			"are not letters of systems"},
		{"negative baseline", Address{Spec: experiment.Spec{Systems: []string{"bm25"}, Baseline: -1}}, Invalid,
			"baseline is number -1 of 1"},
		{"empty measure", Address{Spec: experiment.Spec{Measures: []string{""}}}, Invalid, "empty measure"},
		{"negative depth", Address{Spec: experiment.Spec{Depth: -1}}, Invalid, "depth -1"},
		{"two queries", Address{Spec: experiment.Spec{Query: "a", QueryID: "b"}}, Invalid, "both"},
		{"control character", Address{Spec: experiment.Spec{Query: "a\tb"}}, Invalid, "control character"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fragment, err := Encode(tt.spec)
			if reason(err) != tt.reason || err != nil && !strings.Contains(err.Error(), tt.message) ||
				(err != nil) != (fragment == "") {
				t.Fatalf("Encode = %q, %v; want %q, %q", fragment, err, tt.reason, tt.message)
			}
			if err == nil {
				t.Log(len(fragment))
				roundTrip(t, tt.spec)
			}
		})
	}
}

func TestCanonical(t *testing.T) {
	in := Address{Screen: "home", Focus: experiment.Focus{System: 7}, Spec: experiment.Spec{
		Systems: []string{"bm25(k1=0.9)", "rrf(dense,bm25)"}, Measures: []string{"AP", "P@5", "AP"},
		Filter: experiment.Filter{Categories: []string{"b", "a", "b"}, Entities: []string{}},
	}}
	want := Address{Spec: experiment.Spec{
		Systems: []string{"bm25", "rrf(dense, bm25)"}, Measures: []string{"AP", "P@5"},
		Filter: experiment.Filter{Categories: []string{"a", "b"}},
	}}
	got, err := Canonical(in)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v\nwant %+v", got, err, want)
	}
	if in.Systems[0] != "bm25(k1=0.9)" || in.Filter.Categories[0] != "b" {
		t.Fatalf("the argument was changed: %+v", in)
	}
	if !Equal(in, want) || !Equal(want, in) {
		t.Error("an Address is not equal to its canonical form")
	}
}

func TestEqual(t *testing.T) {
	base := Address{Screen: Search, Focus: experiment.Focus{Document: "d", System: 1}, Spec: experiment.Spec{
		Collection: "c", Hash: "0123456789abcdef", Systems: []string{"bm25", "dense"}, Baseline: 1,
		Query: "q", Measures: []string{"AP", "P@5"}, Depth: 5,
		Filter: experiment.Filter{Categories: []string{"a"}, From: "2024-01-01", To: "2024-12-31",
			Entities: []string{"e"}},
	}}
	if !Equal(base, base) {
		t.Fatal("not equal to itself")
	}
	changes := map[string]func(s *Address){
		"Screen":     func(s *Address) { s.Screen = "" },
		"Collection": func(s *Address) { s.Collection = "d" },
		"Hash":       func(s *Address) { s.Hash = "" },
		"Systems":    func(s *Address) { s.Systems = []string{"dense", "bm25"} },
		"Letters":    func(s *Address) { s.Letters = "AC" },
		"Baseline":   func(s *Address) { s.Baseline = 0 },
		"QueryID":    func(s *Address) { s.Query, s.QueryID = "", "q" },
		"Query":      func(s *Address) { s.Query = "r" },
		"Document":   func(s *Address) { s.Document = "e" },
		"System":     func(s *Address) { s.System = 0 },
		"Measures":   func(s *Address) { s.Measures = []string{"P@5", "AP"} },
		"Depth":      func(s *Address) { s.Depth = 6 },
		"Categories": func(s *Address) { s.Filter.Categories = nil },
		"From":       func(s *Address) { s.Filter.From = "" },
		"To":         func(s *Address) { s.Filter.To = "" },
		"Entities":   func(s *Address) { s.Filter.Entities = []string{"e", "f"} },
		"invalid":    func(s *Address) { s.Baseline = 9 },
	}
	fields := reflect.TypeFor[Address]().NumField() - 2 + reflect.TypeFor[experiment.Focus]().NumField() +
		reflect.TypeFor[experiment.Spec]().NumField() - 2 + reflect.TypeFor[experiment.Filter]().NumField()
	if len(changes) != fields+1 {
		t.Errorf("%d fields of Address, %d changes: Equal, Encode and this test must know every field", fields,
			len(changes)-1)
	}
	spends := base // a link must not permit spending
	spends.Spend = 1_000_000
	a, errA := Encode(base)
	b, errB := Encode(spends)
	if !Equal(base, spends) || a != b || errA != nil || errB != nil {
		t.Errorf("a link says what may be spent: %s, %s, %v, %v", a, b, errA, errB)
	}
	for name, change := range changes {
		s := base
		change(&s)
		if Equal(base, s) || Equal(s, base) {
			t.Errorf("%s: equal after the change", name)
		}
		if !Equal(s, s) {
			t.Errorf("%s: not equal to itself", name)
		}
	}
}

// Letters that equal the default are not written, so links without them stay unchanged.
func TestUsualLettersAreNotWritten(t *testing.T) {
	for letters, want := range map[string]string{
		"AB": "v=1&c=x&s=bm25&s=dense&base=B", "": "v=1&c=x&s=bm25&s=dense&base=B",
		"AC": "v=1&c=x&s=bm25&s=dense&as=AC&base=B", "DA": "v=1&c=x&s=bm25&s=dense&as=DA&base=B",
	} {
		f, err := Encode(Address{Letters: letters,
			Spec: experiment.Spec{Collection: "x", Systems: []string{"bm25", "dense"}, Baseline: 1}})
		if err != nil || !strings.HasPrefix(f, want+"&x=") {
			t.Errorf("%q: %s, %v; want %s", letters, f, err, want)
		}
	}
}

// TestRandom encodes random Addresses with every field in use.
func TestRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(11))
	short := 0
	for range 3000 {
		s := randomAddress(rnd)
		c, err := Canonical(s)
		if err != nil {
			t.Fatalf("Canonical(%+v): %v", s, err)
		}
		if again, err := Canonical(c); err != nil || !reflect.DeepEqual(c, again) {
			t.Fatalf("the canonical form of %+v is %+v, %v", c, again, err)
		}
		roundTrip(t, c)
		f1, err1 := Encode(s)
		f2, _ := Encode(c)
		if f1 != f2 {
			t.Fatalf("equal Addresses, different links:\n%s\n%s", f1, f2)
		}
		if err1 != nil {
			continue
		}
		short++
		for _, sent := range []string{
			url.QueryEscape(f1), url.PathEscape(f1), url.PathEscape(url.PathEscape(f1)),
			strings.ReplaceAll(f1, "&", "&amp;"),
			"#" + f1 + ".", f1[:len(f1)/2] + "\r\n" + f1[len(f1)/2:], strings.ReplaceAll(f1, "%28", "("),
		} {
			if back, err := Decode(sent); err != nil || !reflect.DeepEqual(back, c) {
				t.Fatalf("Decode(%q): %+v, %v", sent, back, err)
			}
		}
	}
	if short < 1000 {
		t.Fatalf("only %d of the links were short enough to be tried", short)
	}
}

func randomAddress(rnd *rand.Rand) Address {
	text := func(most int) string {
		letters := []rune("ab Z09 %&=+#?/\\\"'<>()[]{}|~`^*@:;!$,.-_éß港🚢ѝ")
		var b strings.Builder
		for n := 1 + rnd.Intn(most); n > 0; n-- {
			b.WriteRune(letters[rnd.Intn(len(letters))])
		}
		return b.String()
	}
	texts := func(most, length int) []string {
		var l []string
		for range rnd.Intn(most) {
			l = append(l, text(length))
		}
		return l
	}
	pick := func(of ...string) string { return of[rnd.Intn(len(of))] }
	s := Address{Screen: Screen(pick("", "home", "search", "compare")), Spec: experiment.Spec{
		Collection: pick("", "harbour-wire", "scifact", "A.b_c-1"),
		Hash:       pick("", fmt.Sprintf("%016x", rnd.Uint64())),
		Measures:   texts(4, 12),
		Depth:      rnd.Intn(3) * rnd.Intn(500),
	}}
	for range rnd.Intn(5) {
		s.Systems = append(s.Systems, pick("bm25", "bm25(k1=0.9)", "bm25( variant = bm25+ ,delta=.5)",
			"dense(model=e5)",
			"rrf(bm25,dense,k=60)>>cut(20)", fmt.Sprintf("bm25(k1=%.3f,b=%.2f)", rnd.Float64()*3, rnd.Float64())))
	}
	if n := len(s.Systems); n > 0 {
		if rnd.Intn(2) == 0 {
			s.Letters = "DBCA"[:n]
		}
		s.Baseline, s.System = rnd.Intn(n), rnd.Intn(n)
	}
	switch rnd.Intn(3) {
	case 0:
		s.Query = text(60)
	case 1:
		s.QueryID = text(20)
	}
	if rnd.Intn(2) == 0 {
		s.Document = text(20)
	}
	if rnd.Intn(2) == 0 {
		s.Filter = experiment.Filter{Categories: texts(4, 12), Entities: texts(4, 12), From: pick("", "2024-02-29"),
			To: pick("", "2000-02-29")}
	}
	return s
}

func FuzzDecode(f *testing.F) {
	for _, g := range goldens(f) {
		f.Add(g.fragment)
	}
	f.Add("v=2&q=1")
	f.Add("%25%25")
	f.Fuzz(func(t *testing.T, fragment string) {
		s, err := Decode(fragment)
		if err == nil {
			roundTrip(t, s)
		} else if reason(err) == "" {
			t.Fatalf("Decode(%q): %T %v", fragment, err, err)
		}
		// The checksum would hide the rest from the fuzzer: correct it.
		ps := []pair{{"v", "1"}}
		for _, part := range strings.Split(strings.TrimPrefix(fragment, "v=1&"), "&") {
			if name, value, ok := strings.Cut(part, "="); ok && name != "x" {
				name, _ = unescape(name)
				value, _ = unescape(value)
				ps = append(ps, pair{name, value})
			}
		}
		if s, err = Decode(seal(ps)); err == nil {
			roundTrip(t, s)
			sameAsPairs(t, ps, s)
		} else if reason(err) == "" {
			t.Fatalf("Decode(%q): %T %v", seal(ps), err, err)
		}
	})
}

// sameAsPairs compares the filter of an address with the pairs it was read from: no date, category or entity is
// lost or invented.
func sameAsPairs(t *testing.T, ps []pair, s Address) {
	t.Helper()
	want := map[string][]string{}
	for _, p := range ps {
		if !slices.Contains(want[p.name], p.value) {
			want[p.name] = append(want[p.name], p.value)
		}
	}
	one := func(v string) []string {
		if v == "" {
			return nil
		}
		return []string{v}
	}
	for name, got := range map[string][]string{"from": one(s.Filter.From), "to": one(s.Filter.To),
		"cat": s.Filter.Categories, "ent": s.Filter.Entities} {
		w := slices.DeleteFunc(slices.Clone(want[name]), func(v string) bool { return v == "" })
		slices.Sort(w)
		if !slices.Equal(got, w) && !slices.ContainsFunc(w, func(v string) bool { return strings.TrimSpace(v) != v }) {
			t.Fatalf("%s is %q, the link says %q", name, got, w)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	fragment := goldens(b)[4].fragment
	for b.Loop() {
		if _, err := Decode(fragment); err != nil {
			b.Fatal(err)
		}
	}
}
