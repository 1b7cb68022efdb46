// Package share turns an Address into a link and back. A link is the fragment of a URL, the part behind #: it never
// reaches a server, and it carries ids and settings, never documents. Package share knows neither URLs nor which
// collections exist.
//
// # The form of version 1
//
//	v=1&c=harbour-wire&s=bm25&s=rrf%28bm25,dense%29&q=port%20strike&x=69a19e31
//
// Pairs of name and value, defaults left out:
//
//	v     version of the form, always first
//	page  screen, for others than home
//	c     collection
//	h     the collection's hash
//	s     a system, once for each, as a pipeline without spaces
//	as    the letters of the systems, where they are not A, B, C … in this order
//	base  place of the baseline as a letter, for others than A
//	qid   id of a judged query
//	q     typed query
//	doc   document that is explained
//	in    place of the system in whose list it was selected, as a letter, for others than A
//	m     a measure, once for each
//	k     documents shown a system
//	cat   category, once for each
//	from  first date
//	to    last date
//	ent   entity, once for each
//	x     checksum, always last: CRC-32 (IEEE) of the text before "&x=", eight hexadecimal digits
//
// Values keep letters, digits and - . _ , = as they are; every other byte is percent-encoded, though fragments may hold
// more:
// mail and chat programs end links at brackets, quotation marks and blanks, and take @ and * for something else. The
// last character is a digit of the checksum, so no program takes it for the end of a sentence.
//
// The checksum tells a link that was cut off or changed from a fragment that is none of ours. It guards against
// accidents, not against people: whatever it says, every value is checked.
//
// The order of the pipeline: Address → checked and canonical Address → pairs → percent-encoding → checksum, and back.
package share

import (
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// MaxLength is the longest fragment in characters, without the #. Longer URLs are what programs begin to cut off.
const MaxLength = 2000

// maxInput bounds what Decode looks at: a link of MaxLength with every character percent-encoded twice.
const maxInput = 9 * MaxLength

// Reason says in one word what is wrong with a link or Address.
type Reason string

// The reasons. The page has a sentence for each.
const (
	Foreign Reason = "foreign" // not a Rankbox link: the fragment was never one
	Damaged Reason = "damaged" // a Rankbox link that lost or changed characters on its way
	Newer   Reason = "newer"   // a later version of Rankbox made it
	// undamaged, but names something that this version does not know: a stage, a screen, a setting
	Unknown Reason = "unknown"
	Invalid Reason = "invalid" // undamaged, but a value is out of its range or contradicts another
	TooLong Reason = "toolong" // more than MaxLength characters
)

// Error is what Encode and Decode return.
type Error struct {
	Reason  Reason
	Message string // lowercase, in words
	Err     error  // the cause where another package found it: a *pipeline.Error; else nil
}

// Error returns the message.
func (e *Error) Error() string { return "share: " + e.Message }

// Said is what people are told.
func (e *Error) Said() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func fail(reason Reason, message string) *Error { return &Error{Reason: reason, Message: message} }

// Encode returns the fragment, without the #, that Decode turns back into s in canonical form (see Canonical). Equal
// Addresses have equal fragments. The error is an *Error: Invalid or Unknown where s breaks a rule, TooLong where the
// fragment would have more than MaxLength characters; it says how many too many.
func Encode(s Address) (string, error) {
	s, err := Canonical(s)
	if err != nil {
		return "", err
	}
	fragment := seal(write1(s))
	if over := len(fragment) - MaxLength; over > 0 {
		return "", fail(TooLong, "the link would have "+strconv.Itoa(len(fragment))+" characters, "+strconv.Itoa(over)+
			" more than the "+strconv.Itoa(MaxLength)+" that programs pass on")
	}
	return fragment, nil
}

// Decode reads a fragment of this or any earlier version and returns its Address in canonical form. It accepts what
// happens to links in mail and chat programs: a leading #, &amp; for &, line breaks and blanks, more or less
// percent-encoding than was written (up to the whole link once or twice more), punctuation at the end. The error is an
// *Error. An empty fragment is no link: Foreign.
func Decode(fragment string) (Address, error) {
	if len(fragment) > maxInput {
		return Address{}, fail(TooLong, "the link has more than "+strconv.Itoa(MaxLength)+" characters")
	}
	ps, err := open(fragment)
	if err != nil {
		return Address{}, err
	}
	// Version 1 is the only one so far. A later one gets its own reader here and this one stays.
	s, err := read1(ps)
	if err != nil {
		return Address{}, err
	}
	return Canonical(s)
}

// Equal reports whether a and b mean the same: whether their canonical forms are equal. Addresses that have none,
// because they break a rule, are equal where all their fields are.
func Equal(a, b Address) bool {
	ca, errA := Canonical(a)
	cb, errB := Canonical(b)
	if (errA == nil) != (errB == nil) {
		return false
	}
	if errA == nil {
		a, b = ca, cb
	}
	return a.Screen == b.Screen && a.Collection == b.Collection && a.Hash == b.Hash &&
		slices.Equal(a.Systems, b.Systems) &&
		a.Letters == b.Letters && a.Baseline == b.Baseline && a.QueryID == b.QueryID && a.Query == b.Query &&
		a.Document == b.Document &&
		a.System == b.System && slices.Equal(a.Measures, b.Measures) && a.Depth == b.Depth &&
		slices.Equal(a.Filter.Categories, b.Filter.Categories) && a.Filter.From == b.Filter.From &&
		a.Filter.To == b.Filter.To &&
		slices.Equal(a.Filter.Entities, b.Filter.Entities)
}

// pair is a name and its value, neither encoded.
type pair struct{ name, value string }

// seal returns the fragment of the pairs with its checksum.
func seal(ps []pair) string {
	text := join(ps)
	return text + "&x=" + checksum(text)
}

func join(ps []pair) string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteByte('&')
		}
		escape(&b, p.name)
		b.WriteByte('=')
		escape(&b, p.value)
	}
	return b.String()
}

func checksum(text string) string {
	s := strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(text))), 16)
	return "00000000"[len(s):] + s
}

// open finds the pairs of a fragment, whatever was done to it on its way, and returns them without version and
// checksum. The fragment is taken as it is first, then without blanks, then each with its percent-encoding undone once
// and twice; the first reading whose checksum fits is the right one.
func open(fragment string) ([]pair, error) {
	whole := strings.TrimPrefix(strings.TrimSpace(fragment), "#")
	var first error
	for _, text := range []string{whole, unbroken(whole)} {
		for range 3 {
			for range 3 { // "&amp;amp;" too
				text = strings.ReplaceAll(text, "&amp;", "&")
			}
			ps, err := unseal(text)
			if err == nil {
				return ps, nil
			}
			if first == nil || reason(first) == Foreign {
				first = err
			}
			undone, ok := unescape(text)
			if !ok || undone == text {
				break
			}
			text = undone
		}
	}
	return nil, first
}

func reason(err error) Reason {
	if e, ok := err.(*Error); ok {
		return e.Reason
	}
	return ""
}

// unbroken leaves out blanks and line ends, none of which a link is written with.
func unbroken(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, s)
}

// unseal checks version and checksum of one reading of a fragment and returns the pairs between them.
func unseal(text string) ([]pair, error) {
	rest, ok := strings.CutPrefix(text, "v=")
	if !ok {
		return nil, fail(Foreign, "this is not a Rankbox link")
	}
	version, rest, _ := strings.Cut(rest, "&")
	if version == "" || len(version) > 4 || version[0] == '0' || strings.Trim(version, "0123456789") != "" {
		return nil, fail(Foreign, "this is not a Rankbox link")
	}
	if version != "1" {
		return nil, fail(Newer, "the link was made by a newer version of Rankbox (link version "+version+")")
	}
	var body, sum string
	if at := strings.LastIndex("&"+rest, "&x="); at >= 0 {
		body, sum = strings.TrimSuffix(rest[:at], "&"), rest[at+len("x="):]
	} else {
		return nil, fail(Damaged, "the end of the link is missing")
	}
	ps := []pair{{"v", version}}
	if body != "" {
		for _, part := range strings.Split(body, "&") {
			name, value, ok := strings.Cut(part, "=")
			name, ok1 := unescape(name)
			value, ok2 := unescape(value)
			if !ok || !ok1 || !ok2 {
				return nil, fail(Damaged, "the link was damaged")
			}
			ps = append(ps, pair{name, value})
		}
	}
	if len(sum) < 8 {
		return nil, fail(Damaged, "the end of the link is missing")
	}
	canonical := join(ps)
	if sum[:8] != checksum(canonical) || !punctuation(sum[8:]) {
		return nil, fail(Damaged, "the link was damaged")
	}
	if len(canonical)+len("&x=")+8 > MaxLength {
		return nil, fail(TooLong, "the link has more than "+strconv.Itoa(MaxLength)+" characters")
	}
	return ps[1:], nil
}

// punctuation reports whether s holds nothing that could have been part of a link: the full stop of a sentence, say, or
// the bracket or quotation mark that closes around it.
func punctuation(s string) bool {
	s, ok := unescape(s)
	if !ok {
		return false
	}
	for _, r := range s {
		if !strings.ContainsRune(".,;:!?)]}>'\"*_~| \u00a0’”»…、。」】）\u200b", r) {
			return false
		}
	}
	return true
}

const hexDigits = "0123456789ABCDEF"

// escape writes s with every byte percent-encoded that programs might not keep.
func escape(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9',
			c == '-', c == '.', c == '_', c == ',', c == '=':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
}

// unescape undoes percent-encoding once, and reports whether every % was followed by two hexadecimal digits of either
// case.
func unescape(s string) (string, bool) {
	if !strings.Contains(s, "%") {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		high, low := hex(s[i+1]), hex(s[i+2])
		if high > 15 || low > 15 {
			return "", false
		}
		b = append(b, high<<4|low)
		i += 2
	}
	return string(b), true
}

// hex returns the value of a hexadecimal digit, 16 for anything else.
func hex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}
