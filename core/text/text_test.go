package text

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// golden calls each with the objects of a file of testdata: a text, and its terms by analyzer.
func golden(t *testing.T, name string, each func(text string, terms map[string][]string, offsets [][2]int)) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	n := 0
	for sc.Scan() {
		var d map[string]json.RawMessage
		var text string
		var offsets [][2]int
		terms := map[string][]string{}
		err := json.Unmarshal(sc.Bytes(), &d)
		for k, v := range d {
			var e error
			switch k {
			case "text":
				e = json.Unmarshal(v, &text)
			case "offsets":
				e = json.Unmarshal(v, &offsets)
			default:
				var w []string
				e = json.Unmarshal(v, &w)
				terms[k] = w
			}
			if e != nil {
				err = e
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
		each(text, terms, offsets)
	}
	if n < 15 {
		t.Errorf("%s: only %d texts", name, n)
	}
}

// Lucene 10.3.2 (lucene.jsonl, with StandardTokenizer's offsets in UTF-16 units) and Python 3.11 with bm25s 0.3.16,
// PyStemmer 3.1.0 and NLTK 3.10.4 (python.jsonl). Oracle: StandardTokenizer, LowerCaseFilter and SnowballFilter of
// Lucene 10.3.2 over 132,713 English and 93,030 French word forms: the words for which the documentation says that
// an analyzer differs, and some for which it does not.
func TestWhereSnowballDiffersFromLucene(t *testing.T) {
	for _, c := range []struct{ analyzer, word, ours, lucene string }{
		{"snowball-english", "added's", "ad", "add"},
		{"snowball-english", "adding's", "ad", "add"},
		{"snowball-english", "canning's", "can", "canning"},
		{"snowball-english", "earring's", "ear", "earring"},
		{"snowball-english", "exceed's", "exce", "exceed"},
		{"snowball-english", "herring's", "her", "herring"},
		{"snowball-english", "inning's", "in", "inning"},
		{"snowball-english", "outing's", "out", "outing"},
		{"snowball-english", "proceed's", "proce", "proceed"},
		{"snowball-english", "succeed's", "succe", "succeed"},
		{"snowball-english", "herring", "herring", "herring"},
		{"snowball-english", "herrings'", "herring", "herring"},
		{"snowball-french", "salais", "sal", "sal"},
		{"snowball-french", "salaison", "salaison", "salaison"},
		{"snowball-french", "mangeais", "mang", "mang"},
	} {
		a, err := Get(c.analyzer)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Terms(c.word); len(got) != 1 || got[0] != c.ours {
			t.Errorf("%s of %s: %q, want %q (Lucene %q)", c.analyzer, c.word, got, c.ours, c.lucene)
		}
		info, _ := Describe(c.analyzer)
		base, _, _ := strings.Cut(c.word, "'")
		if c.ours != c.lucene && !strings.Contains(info.Differs, base) {
			t.Errorf("%s: the documentation does not say that %s differs", c.analyzer, c.word)
		}
	}
}

func TestGolden(t *testing.T) {
	for _, file := range []string{"lucene.jsonl", "python.jsonl"} {
		golden(t, file, func(text string, terms map[string][]string, offsets [][2]int) {
			for name, want := range terms {
				if got := mustGet(t, name).Terms(text); !slices.Equal(got, want) {
					t.Errorf("%s: Terms(%q)\n got %q\nwant %q", name, text, got, want)
				}
			}
			if file == "python.jsonl" {
				return
			}
			var got [][2]int
			units := unitOffsets(text)
			mustGet(t, "lucene-standard").Each(text, func(_ string, start,
				end int) {
				got = append(got, [2]int{units[start], units[end]})
			})
			if !slices.Equal(got, offsets) {
				t.Errorf("offsets of %q\n got %v\nwant %v", text, got, offsets)
			}
		})
	}
}

func TestGet(t *testing.T) {
	names := Names()
	if len(names) != 20 || names[0] != "lucene-english" {
		t.Errorf("Names() = %q", names)
	}
	for _, name := range names {
		a := mustGet(t, name)
		info, ok := Describe(name)
		if a.Name() != name || !ok || info.Name != name || info.Version != a.Version() || a.Version() < 1 {
			t.Errorf("%s: Name %q, Version %d, Info %+v", name, a.Name(), a.Version(), info)
		}
		if info.Summary == "" || info.Pipeline == "" || info.Reference == "" {
			t.Errorf("%s is not described: %+v", name, info)
		}
		for _, alias := range []string{strings.ToUpper(name), strings.ReplaceAll(name, "-", "_")} {
			if b, err := Get(alias); err != nil || b != a {
				t.Errorf("Get(%q) = %v, %v", alias, b, err)
			}
		}
	}
	for name, nearest := range map[string]string{
		"lucene-englsh": "lucene-english", "snowball-klingon": "snowball-danish", "snowbal-german": "snowball-german",
		"lucene": "lucene-english", "snowball": "snowball-english", "white space": "whitespace",
		"bm25s": "bm25s-english",
		"":      "lucene-english", "snowball_french ": "snowball-french",
	} {
		_, err := Get(name)
		if want := fmt.Sprintf("text: get analyzer %q: unknown name, the nearest is %q", name, nearest); err == nil ||
			err.Error() != want {
			t.Errorf("Get(%q): %v, want %s", name, err, want)
		}
	}
	if _, ok := Describe("klingon"); ok {
		t.Error("Describe(klingon)")
	}
}

// The analyzers' Unicode data must not change with Go's. If one of these hashes changes, existing indexes become
// unreadable, and the Version of every affected analyzer must be incremented.
func TestFrozen(t *testing.T) {
	lower, segment, py := fnv.New64a(), fnv.New64a(), fnv.New64a()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		fmt.Fprintf(lower, "%x ", unicode.ToLower(r))
		segment.Write([]byte{words.ready().of(r)})
		py.Write([]byte{python.ready().of(r)})
	}
	for _, c := range []struct {
		name string
		got  uint64
		want uint64
	}{
		{"lower case", lower.Sum64(), 0x540c0ead86c38084},
		{"word classes", segment.Sum64(), 0x2589b32dffcae0a8},
		{"Python's classes", py.Sum64(), 0xae8dd8814aaffd27},
	} {
		if c.got != c.want {
			t.Errorf("%s: %#x, was %#x", c.name, c.got, c.want)
		}
	}
}

// The generated ASCII table agrees with the packed one.
func TestTables(t *testing.T) {
	for c := range rune(128) {
		if got := words.ready().of(c); got != asciiClass[c] {
			t.Errorf("%q: class %d, ASCII table %d", c, got, asciiClass[c])
		}
	}
	for _, table := range []*classes{&words, &python} {
		if pages := len(table.ready().class) / 256; pages > 256 {
			t.Errorf("%d pages do not fit a byte", pages)
		}
	}
	for r, want := range map[rune]uint8{
		'é': classALetter, 'א': classHebrewLetter, '٣': classNumeric, 'カ': classKatakana, '漢': classHan,
		'ひ': classHiragana, 'ก': classComplex,
		'\u0301': classExtend, '\u200d': classJoiner, '😀': classEmoji, '🇺': classRegionalIndicator,
		'\U000e007f': classTagEnd, '\ufffd': 0,
		'\U0010ffff': 0, '\U000e0fff': 0, '가': classALetter,
	} {
		if got := words.ready().of(r); got != want {
			t.Errorf("%U: class %d, want %d", r, got, want)
		}
	}
}

// tables.go is generated from the current lists: each code point has the class in its list.
func TestTablesAreCurrent(t *testing.T) {
	for _, c := range []struct {
		file  string
		table *classes
		bits  bool
	}{{"words.txt", &words, false}, {"python.txt", &python, true}} {
		data, err := os.ReadFile("internal/unidata/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]uint8, unicode.MaxRune+1)
		class := 0
		for line := range strings.Lines(string(data)) {
			for _, f := range strings.Fields(line) {
				if f[0] == '#' {
					break
				}
				lo, hi, ok := strings.Cut(f, "-")
				if !ok {
					hi = lo
				}
				a, err1 := strconv.ParseUint(lo, 16, 32)
				b, err2 := strconv.ParseUint(hi, 16, 32)
				if err1 != nil || err2 != nil {
					class++ // a name
					continue
				}
				for r := a; r <= b; r++ {
					if c.bits {
						want[r] |= 1 << (class - 1)
					} else {
						want[r] = uint8(class)
					}
				}
			}
		}
		bad := 0
		for r, w := range want {
			if got := c.table.ready().of(rune(r)); got != w {
				if bad++; bad < 5 {
					t.Errorf("%s: %U: class %d, want %d", c.file, r, got, w)
				}
			}
		}
	}
}

// A word of 255 UTF-16 units is whole, a longer one is split, but never inside a surrogate pair: as in the oracle's
// README for Lucene.
func TestLongWords(t *testing.T) {
	for _, c := range []struct {
		analyzer, text string
		lengths        []int // in bytes
	}{
		{"lucene-standard", strings.Repeat("x", 255), []int{255}},
		{"lucene-standard", strings.Repeat("x", 600), []int{255, 255, 90}},
		{"lucene-standard", strings.Repeat("é", 256), []int{510, 2}},
		{"lucene-standard", strings.Repeat("x", 254) + "𐐀z", []int{254, 5}},
		{"lucene-standard", strings.Repeat("x", 254) + ".z", []int{254, 1}},
		{"lucene-whitespace", strings.Repeat("x", 254) + "𐐀z", []int{258, 1}},
		{"whitespace", strings.Repeat("x", 600), []int{600}},
		{"nltk", strings.Repeat("x", 600), []int{600}},
	} {
		var got []int
		mustGet(t, c.analyzer).Words(c.text, func(start, end int) { got = append(got, end-start) })
		if !slices.Equal(got, c.lengths) {
			t.Errorf("%s: %d bytes: %v, want %v", c.analyzer, len(c.text), got, c.lengths)
		}
	}
}

// Words allocates nothing, even with its maximum lookahead (255 units). Time is linear in the text; otherwise this
// test would take minutes.
func TestWordsCost(t *testing.T) {
	text := strings.Repeat("The flow's boundary-layer, naïve 3.14 東京 😀 of α-catenin_1. ", 20)
	for _, name := range Names() {
		a := mustGet(t, name)
		n := 0
		a.Words(text, func(int, int) { n++ })
		if got := testing.AllocsPerRun(20,
			func() { a.Words(text, func(start, end int) { n += end - start }) }); got != 0 {
			t.Errorf("%s: Words allocates %v times", name, got)
		}
		for _, s := range []string{"_", "a", "\u200d", "🏴\U000e0067", "a.", "\u0301", "🇺", "1\ufe0f", "'", "İ", "é"} {
			a.Words(strings.Repeat(s, 1<<14), func(int, int) { n++ })
		}
	}
}

func checkAnalyzer(t *testing.T, a *Analyzer, s string) {
	t.Helper()
	type word struct{ start, end int }
	var ws []word
	last, least := 0, 0 // end of the last word, and minimum of the next
	a.Words(s, func(start, end int) {
		if start < least || end <= max(start, last) || end > len(s) {
			t.Fatalf("%s: Words(%q): %d-%d after %d", a.Name(), s, start, end, last)
		}
		if last, least = end, end; a.Name() == "cjk" { // pairs of characters share one
			least = start + 1
		}
		ws = append(ws, word{start, end})
	})
	var want, got []string
	for _, w := range ws {
		raw := s[w.start:w.end]
		term, ok := a.Term(raw)
		again, okAgain := a.Term(strings.Clone(raw))
		if term != again || ok != okAgain {
			t.Fatalf("%s: Term(%q) = %q, then %q", a.Name(), raw, term, again)
		}
		if !ok {
			if term != "" {
				t.Fatalf("%s: Term(%q) = %q, false", a.Name(), raw, term)
			}
			continue
		}
		if term == "" || !utf8.ValidString(term) {
			t.Fatalf("%s: Term(%q) = %q", a.Name(), raw, term)
		}
		want = append(want, fmt.Sprint(term, w.start, w.end))
	}
	a.Each(s, func(term string, start, end int) { got = append(got, fmt.Sprint(term, start, end)) })
	if !slices.Equal(got, want) {
		t.Fatalf("%s: Each(%q)\n got %q\nwant %q", a.Name(), s, got, want)
	}
	if terms := a.Terms(s); len(terms) != len(want) || len(want) == 0 && terms != nil {
		t.Fatalf("%s: Terms(%q) = %q", a.Name(), s, terms)
	}
}

// Every analyzer on every text: offsets are valid and ascend, Each equals Words then Term, terms are UTF-8, bad
// bytes are U+FFFD.
func FuzzAnalyzers(f *testing.F) {
	for _, s := range []string{
		"", "The quick brown foxes' dens", "a'b_c.d:e\"f", "\xff\xfe a\xc3 \xed\xa0\x80", "İΣ'Σ ẞ",
		"👨\u200d👩 1\ufe0f\u20e3 🏴\U000e0067\U000e007f", "א\"ב ג'",
		"__a__1__", "東京カタカナ한국 ภาษา", "ïÿ ëyiu automobilïques", "\u0085\u001c\u00a0x", strings.Repeat("x", 254) +
			"𐐀", "ё ейший 'öst gue",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fixed := strings.ToValidUTF8(s, "\ufffd")
		for i := range registry {
			a := &registry[i]
			checkAnalyzer(t, a, s)
			if !utf8.ValidString(s) && strings.Count(fixed, "\ufffd") == countBad(s) {
				if got, want := a.Terms(s), a.Terms(fixed); !slices.Equal(got, want) && len(fixed) < 200 {
					t.Fatalf("%s: %q: %q, as U+FFFD %q", a.Name(), s, got, want)
				}
			}
		}
	})
}

// countBad counts the characters of s that read as U+FFFD. ToValidUTF8 replaces a run of bad bytes by one; both
// agree only if every run is one byte.
func countBad(s string) int {
	n := 0
	for _, r := range s {
		if r == utf8.RuneError {
			n++
		}
	}
	return n
}

// benchText is Cranfield if the reference data is present, else synthetic; both are English and nearly all ASCII.
func benchText(b *testing.B) string {
	if data, err := os.ReadFile(benchFile()); err == nil {
		return string(data)
	}
	return strings.Repeat("An experimental study of a wing in a propeller slipstream was made in order to determine "+
		"the spanwise "+
		"distribution of the lift increase due to slipstream at different angles of attack of the wing, and at 2.5 "+
		"free-stream ratios. ", 4000)
}

func BenchmarkWords(b *testing.B) {
	text := benchText(b)
	for _, name := range []string{"lucene-standard", "lucene-whitespace", "whitespace", "nltk", "bm25s-english"} {
		a := mustGet(b, name)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				a.Words(text, func(start, end int) { n += end - start })
			}
		})
	}
	accents := strings.Repeat("l’été où naïveté, Ångström et œuvre se mêlent à la β-caténine ", 4000)
	b.Run("lucene-standard/french", func(b *testing.B) {
		b.SetBytes(int64(len(accents)))
		a := mustGet(b, "lucene-standard")
		n := 0
		for b.Loop() {
			a.Words(accents, func(start, end int) { n += end - start })
		}
	})
}

func BenchmarkEach(b *testing.B) {
	text := benchText(b)[:1<<18]
	for _, name := range Names() {
		a := mustGet(b, name)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			n := 0
			for b.Loop() {
				a.Each(text, func(term string, _, _ int) { n += len(term) })
			}
		})
	}
}

// BenchmarkIndexer uses the package like an indexer: with a table from raw word to term.
func BenchmarkIndexer(b *testing.B) {
	text := benchText(b)
	a := mustGet(b, "lucene-english")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		terms := map[string]string{}
		n := 0
		a.Words(text, func(start, end int) {
			w := text[start:end]
			t, ok := terms[w]
			if !ok {
				t, _ = a.Term(w)
				terms[w] = t
			}
			n += len(t)
		})
	}
}

func ExampleAnalyzer() {
	a, err := Get("lucene-english")
	if err != nil {
		panic(err)
	}
	const text = "The dog's bones, and the cats'."
	a.Each(text, func(term string, start, end int) { fmt.Printf("%s (%s)\n", term, text[start:end]) })
	// Output:
	// dog (dog's)
	// bone (bones)
	// cat (cats)
}

func ExampleGet() {
	_, err := Get("lucene-englisch")
	fmt.Println(err)
	// Output: text: get analyzer "lucene-englisch": unknown name, the nearest is "lucene-english"
}

func TestEveryAnalyzerIsDescribed(t *testing.T) {
	for _, name := range Names() {
		x, ok := Describe(name)
		if !ok || x.Version == 0 || x.Summary == "" || x.Pipeline == "" || x.Reference == "" {
			t.Errorf("%s: %+v", name, x)
		}
	}
	if len(about) != len(registry) {
		t.Errorf("%d descriptions of %d analyzers", len(about), len(registry))
	}
	if _, ok := Describe("lucene"); ok {
		t.Error("an analyzer that there is not is described")
	}
}

func TestTelling(t *testing.T) {
	for word, want := range map[string]bool{"harbour": true, "she": false, "he's": false, "her’s": false, "they": false,
		"42": false, "3.5": false, "2nd": true, "": false, "été": true, "東京": true, "№": false, "u.s": true} {
		if Telling(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}
