package spell_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank/spell"
	"github.com/rankbox/rankbox/core/text"
)

// made returns an index with each word in the given number of documents.
func made(t *testing.T, words map[string]int) *index.Index {
	t.Helper()
	a, err := text.Get("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	for left := true; left; {
		left = false
		var doc []string
		for w, n := range words {
			if n > 0 {
				doc = append(doc, w)
				words[w]--
				left = true
			}
		}
		if left {
			b.Add("", strings.Join(doc, " "))
		}
	}
	return b.Build()
}

// By hand. fraud is one swap from fruad: 1 − 1/5; fruit and frauds are two edits from it: 1 − 2/5 each, and fruit is in
// more documents. Of equal ones the smaller term comes first.
func TestSuggest(t *testing.T) {
	x := made(t, map[string]int{"fraud": 2, "fruit": 9, "ruad": 50, "frauds": 1, "port": 1, "bark": 3, "barn": 3,
		"bars": 4, "naïve": 1})
	tests := []struct {
		name, word, want string
	}{
		{"a swap is one edit, and nearer than more frequent words", "fruad", "fraud fruit frauds"},
		{"more documents first, then the smaller term", "barb", "bars bark barn"},
		{"a word that the index holds is none of them", "bark", "bars barn"},
		{"three letters are too few", "por", ""},
		{"letters are code points", "naive", "naïve"},
		{"nothing is near", "zzzzzz", ""},
		{"nothing at all", "", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range spell.Suggest(x, tt.word, 10) {
			got = append(got, s.Term)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q gives %v, want %s", tt.name, tt.word, got, tt.want)
		}
	}
}

// By hand, of equally many edits. "havbour" is one edit from both: v is a neighbour of neither r nor n, so the more
// frequent word comes first. "porf": f is beside r and t, but not beside k. "ferrry" has a doubled letter too many, a
// slip (3), and "ferroy" would be a change (4). "agruond" is a swap from "aground".
func TestSlipsOfTheHandComeFirst(t *testing.T) {
	x := made(t, map[string]int{"harbour": 3, "haybour": 1, "pork": 9, "port": 2, "ferry": 1, "ferroy": 8, "aground": 1,
		"agruons": 9, "naïve": 1})
	for word, want := range map[string]string{
		"havbour": "harbour haybour",
		"porf":    "port pork",
		"ferrry":  "ferry ferroy",
		"agruond": "agruons aground", // s is beside d, a slip too, and more documents have it
		"naïvé":   "naïve",
	} {
		var got []string
		for _, s := range spell.Likeliest(x, word, 10) {
			got = append(got, s.Term)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q gives %v, want %s", word, got, want)
		}
	}
}

// Oracle: DirectSpellChecker of Lucene 10.3.2 with its defaults, 10 suggestions for each of 50 misspelt words, over the
// vocabulary of SciFact without stemming.
func TestSuggestEqualsLucene(t *testing.T) {
	data, err := os.ReadFile(shared.Path(t, "oracle/lucene/spell.json"))
	if err != nil {
		t.Fatal(err)
	}
	z := shared.Open(t, "oracle/lucene/vocabulary.scifact-unstemmed.tsv.gz")
	r := csv.NewReader(z)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// An index with few documents reproduces the order of the vocabulary's frequencies: only the order counts, and
	// equal frequencies stay equal.
	var counts []int
	df := map[string]int{}
	for _, row := range rows {
		n := 0
		for _, c := range row[1] {
			if c < '0' || c > '9' {
				n = -1
				break
			}
			n = 10*n + int(c-'0')
		}
		if n < 0 {
			continue // the header
		}
		df[row[0]] = n
		counts = append(counts, n)
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	for w, n := range df {
		at, _ := slices.BinarySearch(counts, n)
		df[w] = at + 1
	}
	x := made(t, df)
	var cases []struct {
		Word   string `json:"misspelt"`
		Direct []struct {
			Word  string  `json:"word"`
			Score float32 `json:"score"`
		} `json:"direct"`
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 50 {
		t.Fatalf("%d words", len(cases))
	}
	for _, c := range cases {
		var got, want []string
		for i, s := range spell.Suggest(x, c.Word, 10) {
			got = append(got, s.Term)
			if i < len(c.Direct) && s.Similarity != c.Direct[i].Score {
				t.Errorf("%s: %s is %v, Lucene %v", c.Word, s.Term, s.Similarity, c.Direct[i].Score)
			}
		}
		for _, s := range c.Direct {
			want = append(want, s.Word)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, Lucene %v", c.Word, got, want)
		}
	}
}
