package packed

import (
	"encoding/base64"
	"errors"
	"hash/crc32"
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Link returns the fragment, without the #, that ReadLink turns into the same comparison, and what it does without:
// as little as makes it fit. The scores never fit; the report does not depend on them beyond their order. Where ids
// of documents do not fit, the link carries grades by rank instead: every figure of r, the report of in, is computed
// again from it, but nothing that needs documents. The view is left out: WithView adds one. The link holds the
// hash of r. The error is ErrTooLarge with the sizes, or a *LimitError.
//
// A nil r gives a link of documents without a digest, if need be with rankings that are cut at the largest cutoff of
// the measures. stop is asked now and then and may be nil: the error is compare.ErrCancelled.
func Link(in compare.Input, r *report.Report, stop func() bool) (fragment string, save Saving, err error) {
	if n := len(in.Runs); n > MaxRuns {
		return "", Saving{}, &LimitError{"runs", n, MaxRuns}
	}
	x := linking{in: in, r: r, stop: stop}
	for _, try := range []func() (bool, error){x.documents, x.grades, x.cut} {
		if ok, err := try(); ok || err != nil {
			return x.fragment, x.save, err
		}
	}
	if x.length == 0 {
		return "", Saving{}, say.Faultf("packed: make link",
			"%w: the measures need more of the rankings than a link holds", ErrTooLarge)
	}
	return "", Saving{}, say.Faultf("packed: make link", "%w: the link would have %s characters, more than %s",
		ErrTooLarge, say.Thousands(x.length), say.Thousands(MaxLink))
}

// linking searches for the link that omits least.
type linking struct {
	in       compare.Input
	r        *report.Report
	stop     func() bool
	fragment string
	save     Saving
	length   int // of the shortest that did not fit, 0 for none
}

// fits makes a link of packed bytes.
func (x *linking) fits(b []byte, save Saving) bool {
	text := base64.RawURLEncoding.EncodeToString(b)
	s := LinkPrefix + text + linkSum + checksum(text)
	if len(s) <= MaxLink {
		x.fragment, x.save = s, save
		return true
	}
	if x.length == 0 || len(s) < x.length {
		x.length = len(s)
	}
	return false
}

// linkable is the total number of documents up to which Link tries to include ids: no larger comparison has ever
// fitted.
const linkable = 30_000

// size counts the documents of all rankings down to a depth.
func (x *linking) size(depth int) (n int) {
	for _, run := range x.in.Runs {
		for i := range run.Run.NumQueries() {
			n += min(run.Run.Size(i), depth)
		}
	}
	return n
}

// documents tries links with the ids of documents.
func (x *linking) documents() (bool, error) {
	if x.in.Graded != nil || x.size(math.MaxInt) > linkable {
		return false, nil
	}
	f := File{Input: x.in}
	if x.r != nil {
		f.Hash = x.r.Hash
	}
	return x.pack(f, Saving{Scores: true}, Saving{Scores: true, Names: true})
}

// cut tries links with ids whose rankings end at the measures' cutoff. Cutting is a policy, so the figures digest
// differs.
func (x *linking) cut() (bool, error) {
	k := x.in.CutDepth()
	if k == 0 || x.in.Graded != nil || x.size(k) > linkable {
		return false, nil
	}
	return x.pack(File{Input: x.in}, Saving{Scores: true, Depth: k}, Saving{Scores: true, Names: true, Depth: k})
}

func (x *linking) pack(f File, tries ...Saving) (bool, error) {
	for _, save := range tries {
		b, err := Pack(f, save)
		if err != nil {
			return false, err
		}
		if x.fits(b, save) {
			return true, nil
		}
	}
	return false, nil
}

// grades tries links by grades: with whole or cut rankings, with or without query texts.
func (x *linking) grades() (bool, error) {
	whole, err := gradesOf(File{Input: x.in}, x.r, x.stop)
	if err != nil {
		return false, errorUnless(err, errNoGrades)
	}
	had := whole.texts
	forms := []*byGrades{whole}
	if k := x.in.CutDepth(); k > 0 {
		if k = max(k, leastRebuilt); whole.depth == 0 || k < whole.depth {
			forms = append(forms, whole.cut(k))
		}
	}
	for _, g := range forms {
		for _, texts := range []bool{true, false} {
			if !texts && !had {
				continue
			}
			g.texts = had && texts
			b, err := g.proven(x.r, x.stop)
			if err == nil && x.fits(b, Saving{Scores: true, Names: true, Documents: true, Texts: had && !texts,
				Depth: g.depth}) {
				return true, nil
			}
			if err := errorUnless(err, errNoGrades); err != nil && !errors.As(err, new(*LimitError)) {
				return false, err
			}
		}
	}
	return false, nil
}

// errorUnless returns err unless it is of the given kind.
func errorUnless(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}

func checksum(s string) string {
	v := crc32.ChecksumIEEE([]byte(s))
	return strings.ToLower(say.Hex(v, 8))
}

// ReadLink reads a fragment of Link or WithView. It accepts a leading # and additions of mail and chat programs:
// blanks, line breaks and final punctuation.
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

// ReportLink returns the fragment, without the #, that ReadReportLink turns into the same report. It is for reports
// of given scores, which have no rankings to pack. The error is ErrTooLarge with the sizes.
func ReportLink(r *report.Report) (string, error) {
	if n := len(r.Pairs); n > linkablePairs {
		return "", say.Faultf("packed: make link", "%w: the tests of %s pairs are more than a link holds", ErrTooLarge,
			say.Thousands(n))
	}
	text := base64.RawURLEncoding.EncodeToString(PackReport(r))
	s := LinkPrefix + text + linkSum + checksum(text)
	if len(s) > MaxLink {
		return "", say.Faultf("packed: make link", "%w: the link would have %s characters, more than %s",
			ErrTooLarge, say.Thousands(len(s)), say.Thousands(MaxLink))
	}
	return s, nil
}

// linkablePairs is the number of tested pairs up to which ReportLink tries: the figures of a pair take at least ten
// bytes.
const linkablePairs = 600

// ReadReportLink reads a fragment of ReportLink. The error is ErrForeign for a link of runs: see ReadLink.
func ReadReportLink(fragment string) (*report.Report, View, error) {
	link, view, err := SplitLink(fragment)
	if err != nil {
		return nil, view, err
	}
	text, _, _ := strings.Cut(link[len(LinkPrefix):], linkSum)
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, view, errDamaged
	}
	r, err := UnpackReport(b)
	return r, view, err
}

// WithView appends a view to a link of Link, after its checksum. If the result exceeds MaxLink, it returns the link
// unchanged and ok is false.
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

// SplitLink splits a link into the output of Link and the view, zero if absent. It accepts the input of ReadLink
// and decodes only the view. It drops anything else after the checksum. The error wraps wire.ErrDamaged or is
// ErrForeign.
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
		return link, v, nil // truncated, or added by another program
	}
	if len(sum) < 8 || sum[:8] != checksum(rest) {
		return "", v, errDamaged
	}
	v, err = ReadView(rest)
	return link, v, err
}
