package share

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// DefaultCollection is the collection of the demo and the lessons.
const DefaultCollection = "harbour-wire"

// Limits of an Address. Lengths count bytes of UTF-8.
const (
	MaxSystems  = 4 // side by side
	MaxMeasures = 16
	MaxValues   = 16   // of one filter
	MaxDepth    = 1000 // documents shown per system
	maxQuery    = 1000
	maxID       = 200
	maxMeasure  = 64
)

// Canonical checks s and returns its canonical form, so that equal addresses are equal text: the home screen as "",
// systems in canonical notation, System 0 if no document is selected, measures, categories and entities without
// duplicates, categories and entities in byte order (they are alternatives), empty lists nil. It does not change s.
// The error is an *Error, Invalid or Unknown. The rules:
//
//   - strings are UTF-8 without control characters and bidirectional overrides, and at most this long: 1,000 bytes
//     for Query, 200 for ids, categories and entities, 64 for measures;
//   - Collection is letters, digits and - . _, the first a letter or digit, at most 64; Hash is 16 lowercase
//     hexadecimal digits;
//   - at most 4 systems, which stage.Parse accepts, 16 measures, 16 categories, 16 entities;
//   - Letters are different ones of A to D, one for each system, or "";
//   - Baseline and System are indices into Systems (0 if that is empty: write the default systems out to point at
//     one);
//   - QueryID and Query are not both set; Depth is from 0 to 1,000; dates are valid, YYYY-MM-DD.
//
// It cannot check whether the collection has the query, document or categories, or whether a measure exists.
func Canonical(s Address) (Address, error) {
	if s.Screen == Home {
		s.Screen = ""
	} else if s.Screen != "" && !isScreenName(s.Screen) {
		return Address{}, fail(Unknown, "unknown screen "+quote(string(s.Screen)))
	}
	if !collection(s.Collection) {
		return Address{}, fail(Invalid,
			"collection "+quote(s.Collection)+" is not a name of letters, digits and - . _, at most 64")
	}
	if s.Hash != "" && (len(s.Hash) != 16 || strings.Trim(s.Hash, "0123456789abcdef") != "") {
		return Address{}, fail(Invalid, "hash "+quote(s.Hash)+" is not 16 lowercase hexadecimal digits")
	}
	for _, f := range []struct {
		name, value string
		most        int
	}{{"query id", s.QueryID, maxID}, {"query", s.Query, maxQuery}, {"document id", s.Document, maxID}} {
		if err := checkText(f.name, f.value, f.most); err != nil {
			return Address{}, err
		}
	}
	if s.QueryID != "" && s.Query != "" {
		return Address{}, fail(Invalid, "both a judged and a typed query")
	}
	var err error
	if s.Systems, err = canonicalSystems(s.Systems); err != nil {
		return Address{}, err
	}
	if s.Letters, err = letters(s.Letters, len(s.Systems)); err != nil {
		return Address{}, err
	}
	if s.Document == "" {
		s.System = 0
	}
	if err := index("baseline", s.Baseline, len(s.Systems)); err != nil {
		return Address{}, err
	}
	if err := index("system of the document", s.System, len(s.Systems)); err != nil {
		return Address{}, err
	}
	if s.Depth < 0 || s.Depth > MaxDepth {
		return Address{}, fail(Invalid, "depth "+strconv.Itoa(s.Depth)+" is not between 0 and "+strconv.Itoa(MaxDepth))
	}
	if s.Measures, err = distinct("measure", s.Measures, MaxMeasures, maxMeasure); err != nil {
		return Address{}, err
	}
	if s.Filter.Categories, err = distinct("category", s.Filter.Categories, MaxValues, maxID); err != nil {
		return Address{}, err
	}
	if s.Filter.Entities, err = distinct("entity", s.Filter.Entities, MaxValues, maxID); err != nil {
		return Address{}, err
	}
	slices.Sort(s.Filter.Categories)
	slices.Sort(s.Filter.Entities)
	for _, d := range []string{s.Filter.From, s.Filter.To} {
		if d != "" && !isDate(d) {
			return Address{}, fail(Invalid, "date "+quote(d)+" is not a day of the calendar written YYYY-MM-DD")
		}
	}
	return s, nil
}

// isScreenName reports whether s could be the name of a screen: lower-case letters. The page knows which screens exist.
func isScreenName(s Screen) bool {
	for _, r := range s {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return len(s) <= 20
}

// collection reports whether id is empty or a plain name. It becomes part of a path, so slashes and a leading dot
// are refused.
func collection(id string) bool {
	for i := 0; i < len(id); i++ {
		c := id[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !plain && (i == 0 || c != '-' && c != '.' && c != '_') {
			return false
		}
	}
	return len(id) <= 64
}

// canonicalSystems returns the pipelines in canonical notation, nil for none.
func canonicalSystems(in []string) ([]string, error) {
	if len(in) > MaxSystems {
		return nil, fail(Invalid, strconv.Itoa(len(in))+" systems, at most "+strconv.Itoa(MaxSystems)+
			" can be compared")
	}
	var out []string
	for i, s := range in {
		n, err := stage.Parse(s)
		if err != nil {
			reason := Invalid
			var e *pipeline.Error
			if errors.As(err, &e) && e.Unknown {
				reason = Unknown
			}
			return nil, &Error{Reason: reason, Message: "system " + letterOf(i) + ": " + say.Told(err), Err: err}
		}
		out = append(out, n.String())
	}
	return out, nil
}

func letters(s string, systems int) (string, error) {
	if s == "" {
		return "", nil
	}
	usual := true
	for i := range len(s) {
		if s[i] < 'A' || s[i] >= 'A'+MaxSystems || strings.IndexByte(s, s[i]) < i {
			return "", fail(Invalid, quote(s)+" are not letters of systems")
		}
		usual = usual && int(s[i]-'A') == i
	}
	if len(s) != systems {
		return "", fail(Invalid, quote(s)+" are letters of "+strconv.Itoa(len(s))+" systems, there are "+
			strconv.Itoa(systems))
	}
	if usual {
		s = ""
	}
	return s, nil
}

func letterOf(i int) string { return string(rune('A' + i)) }

func index(name string, i, systems int) error {
	if i == 0 || i > 0 && i < systems {
		return nil
	}
	return fail(Invalid, name+" is number "+strconv.Itoa(i)+" of "+strconv.Itoa(systems)+" systems, counted from 0")
}

// distinct returns a copy of in without duplicates, nil if empty. It refuses empty strings.
func distinct(name string, in []string, most, length int) ([]string, error) {
	if len(in) > most {
		return nil, fail(Invalid, strconv.Itoa(len(in))+" values of "+name+", at most "+strconv.Itoa(most))
	}
	var out []string
next:
	for _, s := range in {
		if s == "" {
			return nil, fail(Invalid, "empty "+name)
		}
		if err := checkText(name, s, length); err != nil {
			return nil, err
		}
		for _, seen := range out {
			if seen == s {
				continue next
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// checkText checks that s is displayable and not too long.
func checkText(name, s string, most int) error {
	if len(s) > most {
		return fail(Invalid, name+" of "+strconv.Itoa(len(s))+" bytes, at most "+strconv.Itoa(most))
	}
	if !utf8.ValidString(s) {
		return fail(Invalid, name+" "+quote(s)+" is not UTF-8")
	}
	for _, r := range s {
		switch {
		case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029:
			return fail(Invalid, name+" "+quote(s)+" has a control character")
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return fail(Invalid, name+" "+quote(s)+" has a mark that reverses text")
		}
	}
	return nil
}

// isDate reports whether s is a valid Gregorian date, YYYY-MM-DD.
func isDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	number := func(digits string) int {
		n := 0
		for i := 0; i < len(digits); i++ {
			if digits[i] < '0' || digits[i] > '9' {
				return -1
			}
			n = n*10 + int(digits[i]-'0')
		}
		return n
	}
	y, m, d := number(s[:4]), number(s[5:7]), number(s[8:])
	if y < 0 || m < 1 || m > 12 || d < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1]
	if m == 2 && y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		days++
	}
	return d <= days
}

// quote returns s in quotation marks, with unprintable characters escaped, shortened to 40 bytes.
func quote(s string) string {
	if len(s) > 40 {
		return strconv.QuoteToASCII(s[:40]) + "…"
	}
	return strconv.Quote(s)
}
