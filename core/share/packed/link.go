package packed

import (
	"encoding/base64"
	"hash/crc32"
	"strings"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
)

// Link returns the fragment, without the #, that ReadLink turns into the same comparison, and what it does without: as little as
// makes it fit. The scores never fit; the report does not depend on them beyond their order. Saving.Depth is the largest cutoff of the
// measures where the whole rankings do not fit and every measure has one. The view is left out: WithView adds one. The error is
// ErrTooLarge with the sizes, or a *LimitError.
func Link(in compare.Input) (fragment string, save Saving, err error) {
	if n := len(in.Runs); n > MaxRuns {
		return "", Saving{}, &LimitError{"runs", n, MaxRuns}
	}
	tries := []Saving{{Scores: true}, {Scores: true, Names: true}}
	if k := cutoff(in); k > 0 {
		tries = append(tries, Saving{Scores: true, Depth: k}, Saving{Scores: true, Names: true, Depth: k})
	}
	length := 0
	for _, save := range tries {
		b, err := Pack(File{Input: in}, save)
		if err != nil {
			return "", Saving{}, err
		}
		text := base64.RawURLEncoding.EncodeToString(b)
		s := LinkPrefix + text + linkSum + checksum(text)
		if len(s) <= MaxLink {
			return s, save, nil
		}
		length = len(s)
	}
	return "", Saving{}, say.Faultf("packed: make link", "%w: the link would have %d characters, more than %d", ErrTooLarge, length, MaxLink)
}

// cutoff returns the depth to which every measure looks, 0 where one looks at everything.
func cutoff(in compare.Input) int {
	k := 0
	for _, text := range in.Measures {
		m, err := measure.Parse(text)
		if err != nil || m.Cutoff() == 0 || in.Policy.Apply(m).String() != m.String() || in.Policy.Unjudged == measure.Condensed || strings.Contains(m.String(), "judged_only") {
			return 0
		}
		k = max(k, m.Cutoff())
	}
	return max(k, 0)
}

func checksum(s string) string {
	v := crc32.ChecksumIEEE([]byte(s))
	return strings.ToLower(say.Hex(v, 8))
}

// ReadLink reads a fragment that Link or WithView made. It accepts a leading # and what mail and chat programs add: blanks, line breaks
// and punctuation at the end.
func ReadLink(fragment string) (*File, error) {
	link, view, err := SplitLink(fragment)
	if err != nil {
		return nil, err
	}
	text, _, _ := strings.Cut(link[len(LinkPrefix):], linkSum)
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, errDamaged
	}
	in, err := Limits{Runs: MaxRuns}.Unpack(b)
	if err != nil {
		return nil, err
	}
	in.View = view
	return in, nil
}

// WithView returns a link of Link with a view behind its checksum. Where that makes it longer than MaxLink it stays as it is, and ok is
// false.
func WithView(link string, v View) (s string, ok bool) {
	text := v.String()
	if text == "" {
		return link, true
	}
	s = link + "&" + text + viewSum + checksum(text)
	if len(s) > MaxLink {
		return link, false
	}
	return s, true
}

const viewSum = "&y="

// SplitLink returns the parts of a link: what Link made, and the view, zero where there is none. It accepts what ReadLink accepts and
// decodes nothing but the view; what follows the checksum and is no view is left out. The error wraps wire.ErrDamaged or is ErrForeign.
func SplitLink(fragment string) (link string, v View, err error) {
	if len(fragment) > 4*MaxLink {
		return "", v, errDamaged
	}
	s := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, fragment)
	s = strings.ReplaceAll(s, "&amp;", "&")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "%26", "&"), "%3D", "=")
	s = strings.TrimPrefix(s, "#")
	if !strings.HasPrefix(s, LinkPrefix) {
		return "", v, ErrForeign
	}
	text, sum, ok := strings.Cut(s[len(LinkPrefix):], linkSum)
	if !ok || len(sum) < 8 || sum[:8] != checksum(text) {
		return "", v, errDamaged
	}
	link = s[:len(LinkPrefix)+len(text)+len(linkSum)+8]
	rest, found := strings.CutPrefix(sum[8:], "&")
	if !found {
		return link, v, nil
	}
	rest, sum, ok = strings.Cut(rest, viewSum)
	if !ok {
		return link, v, nil // cut off, or put there by somebody else
	}
	if len(sum) < 8 || sum[:8] != checksum(rest) {
		return "", v, errDamaged
	}
	v, err = ReadView(rest)
	return link, v, err
}
