// Package share turns an Address into a link and back. A link is the fragment of a URL, the part after #, which
// never reaches a server. It carries ids and settings, never documents. Package share knows neither URLs nor the
// available collections.
//
// The order of the pipeline: Address → checked and canonical Address → pairs → percent-encoding → checksum, and
// back. Encode documents the format.
package share

import (
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// MaxLength is the maximum length of a fragment in characters, without the #. Some programs truncate longer URLs.
const MaxLength = 2000

// maxInput is the maximum input of Decode: a link of MaxLength with every character percent-encoded twice.
const maxInput = 9 * MaxLength

// Reason is the kind of a problem with a link or Address.
type Reason string

// The reasons. The page explains each in a sentence.
const (
	Foreign Reason = "foreign" // not a Rankbox link
	Damaged Reason = "damaged" // a Rankbox link that lost or changed characters in transit
	Newer   Reason = "newer"   // a later version of Rankbox made it
	// intact, but names a stage, screen or setting that this version does not know
	Unknown Reason = "unknown"
	Invalid Reason = "invalid" // intact, but a value is out of range or contradicts another
	TooLong Reason = "toolong" // more than MaxLength characters
)

// Error is the error of Encode and Decode.
type Error struct {
	Reason  Reason
	Message string // lowercase, in words
	Err     error  // the cause if another package found it: a *pipeline.Error; else nil
}

// Error returns the message.
func (e *Error) Error() string { return "share: " + e.Message }

// Said returns the message for users.
func (e *Error) Said() string { return e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func fail(reason Reason, message string) *Error { return &Error{Reason: reason, Message: message} }

// Encode returns the fragment, without the #, that Decode turns back into s in canonical form (see Canonical).
// Equal Addresses have equal fragments. The error is an *Error: Invalid or Unknown if s breaks a rule; TooLong,
// with the excess, if the fragment would exceed MaxLength characters.
//
// # The format, version 1
//
//	v=1&c=harbour-wire&s=bm25&s=rrf%28bm25,dense%29&q=port%20strike&x=69a19e31
//
// Pairs of name and value, without defaults:
//
//	v     version of the format, always first
//	page  screen, if not home
//	c     collection
//	h     the collection's hash
//	s     a system, once for each, as a pipeline without spaces
//	as    the letters of the systems, if not A, B, C … in this order
//	base  the baseline as a letter, if not A
//	qid   id of a judged query
//	q     typed query
//	doc   explained document
//	in    the system in whose list it was selected, as a letter, if not A
//	m     a measure, once for each
//	k     documents shown per system
//	cat   category, once for each
//	from  first date
//	to    last date
//	ent   entity, once for each
//	x     checksum, always last: CRC-32 (IEEE) of the text before "&x=", eight hexadecimal digits
//
// Values keep letters, digits and - . _ , = unchanged. Every other byte is percent-encoded, even if fragments allow
// it: mail and chat programs end links at brackets, quotation marks and blanks, and interpret @ and *. The last
// character is a checksum digit, so no program takes it for the end of a sentence.
//
// The checksum distinguishes a truncated or changed link from a foreign fragment. It guards against accidents, not
// against attacks: every value is still checked.
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

// Decode reads a fragment of this or any earlier version and returns its Address in canonical form. It repairs what
// mail and chat programs do to links: a leading #, &amp; for &, line breaks and blanks, more or less
// percent-encoding (up to the whole link once or twice more), final punctuation. The error is an *Error; for an
// empty fragment it is Foreign.
func Decode(fragment string) (Address, error) {
	if len(fragment) > maxInput {
		return Address{}, fail(TooLong, "the link has more than "+strconv.Itoa(MaxLength)+" characters")
	}
	ps, err := openFragment(fragment)
	if err != nil {
		return Address{}, err
	}
	// Later versions get their own readers; this one stays.
	s, err := read1(ps)
	if err != nil {
		return Address{}, err
	}
	return Canonical(s)
}

// Equal reports whether the canonical forms of a and b are equal. Invalid Addresses are equal if all their fields
// are.
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

// pair is an unencoded name and value.
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

// openFragment finds the pairs of a fragment that may have changed in transit, and returns them without version and
// checksum. It tries the fragment as it is, then without blanks, then both with percent-encoding undone once and
// twice. The first reading with a correct checksum wins.
func openFragment(fragment string) ([]pair, error) {
	whole := strings.TrimPrefix(strings.TrimSpace(fragment), "#")
	var first error
	for _, text := range []string{whole, withoutBlanks(whole)} {
		for range 3 {
			for range 3 { // also undoes "&amp;amp;"
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

// withoutBlanks removes blanks and line ends: links never contain them.
func withoutBlanks(s string) string {
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
	if sum[:8] != checksum(canonical) || !isPunctuation(sum[8:]) {
		return nil, fail(Damaged, "the link was damaged")
	}
	if len(canonical)+len("&x=")+8 > MaxLength {
		return nil, fail(TooLong, "the link has more than "+strconv.Itoa(MaxLength)+" characters")
	}
	return ps[1:], nil
}

// isPunctuation reports whether s cannot be part of a link: a final full stop, for example, or a closing bracket or
// quotation mark.
func isPunctuation(s string) bool {
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

// escape percent-encodes every byte of s that programs might change.
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

// unescape undoes percent-encoding once. It reports whether two hexadecimal digits follow every %.
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
		high, low := hexDigit(s[i+1]), hexDigit(s[i+2])
		if high > 15 || low > 15 {
			return "", false
		}
		b = append(b, high<<4|low)
		i += 2
	}
	return string(b), true
}

// hexDigit returns the value of a hexadecimal digit, or 16.
func hexDigit(c byte) byte {
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
