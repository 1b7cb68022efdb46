// Package anchor finds labelled passages again after their documents were edited, renamed or cut into other chunks. It
// anchors a label only if one place can be meant; otherwise a person decides. It reads no file and measures nothing.
//
// Order of the pipeline: a label with its quote and the old and the new text → tokens → the tokens that two alignments
// of the texts agree on → the place, or a search for the quote if the passage moved → a Result.
package anchor

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/project/documents/chunk"
)

// Status says what became of a label.
type Status int

// What becomes of labels. The first three are anchored.
const (
	Kept Status = iota // the same text at the same place
	// the same text, letter case, spaces and typography apart, at another place or in a renamed document
	Moved
	Edited // the passage was edited and is still found
	Unsure // several places may be meant, or too much of the passage changed: a person decides
	Lost   // the document or the passage is gone
)

// String returns the status in a word.
func (s Status) String() string { return [...]string{"kept", "moved", "edited", "unsure", "lost"}[s] }

// Anchored says whether the label has a place.
func (s Status) Anchored() bool { return s <= Edited }

// Result is what became of one label.
type Result struct {
	Old    chunk.Label
	New    chunk.Label // at its place; if Unsure at the place to look at, without one if Span.Start is −1
	Status Status
	Kept   float64 // share of the quote's tokens that are at the new place, in order: 0 to 1
	Reason string  // of Unsure and Lost, a sentence
}

// Texts returns the text of a document; ok is false if there is none.
type Texts func(document string) (text string, ok bool)

// The rule's numbers. A passage is anchored if enough of its tokens are aligned; below unsureShare it counts as gone.
const (
	enough      = 0.7
	unsureShare = 0.4
	fewTokens   = 5          // a quote of fewer is too short to be searched for without the old text
	context     = 6          // tokens on either side that must be the same if the old text has a similar passage
	mostSearch  = 10_000_000 // tokens of the quote times tokens of the text in an approximate search
)

// Anchors finds labels in new texts, in their order. Labels fit the old texts, as chunk.Fit makes sure. old is nil if
// the earlier texts are gone: then the quotes and positions are all there is, and more labels are Unsure. renamed maps
// ids of documents to new ids; Renamed makes one.
func Anchors(labels []chunk.Label, old, new Texts, renamed map[string]string) []Result {
	order := make([]int, len(labels))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(labels[a].Document, labels[b].Document) })
	out := make([]Result, len(labels))
	var p *pair
	for _, i := range order {
		l := labels[i]
		if p == nil || p.document != l.Document {
			p = newPair(l.Document, old, new, renamed)
		}
		out[i] = p.anchor(l)
	}
	return out
}

// Renamed finds the new ids of documents that are in old and not in new: those whose text, letter case and spaces
// apart, exactly one new document has, and exactly one old one had.
func Renamed(oldIDs, newIDs []string, old, new Texts) map[string]string {
	known := make(map[string]bool, len(newIDs))
	for _, id := range newIDs {
		known[id] = true
	}
	key := func(texts Texts, id string) string {
		t, _ := texts(id)
		return strings.ToLower(strings.Join(strings.Fields(t), " "))
	}
	missing, times := map[string]string{}, map[string]int{}
	for _, id := range oldIDs {
		if !known[id] {
			missing[key(old, id)] = id
		}
	}
	if delete(missing, ""); len(missing) == 0 {
		return nil
	}
	for _, id := range oldIDs {
		if k := key(old, id); missing[k] != "" {
			times[k]++
		}
	}
	found, out := map[string][]string{}, map[string]string{}
	for _, id := range newIDs {
		if k := key(new, id); missing[k] != "" {
			found[k] = append(found[k], id)
		}
	}
	for k, ids := range found {
		if len(ids) == 1 && times[k] == 1 {
			out[missing[k]] = ids[0]
		}
	}
	return out
}

// pair is a document before and after.
type pair struct {
	document, target string
	hasOld, hasNew   bool
	old, new         string
	numbers          map[string]int32
	a, b             []token // of old and new; made when first needed
	aligned          []int   // for each token of a the one of b that it certainly became, −1 for none
	tooLong          bool    // to be aligned
	prepared         bool
}

func newPair(document string, old, new Texts, renamed map[string]string) *pair {
	p := &pair{document: document, target: document}
	if id := renamed[document]; id != "" {
		p.target = id
	}
	if old != nil {
		p.old, p.hasOld = old(document)
	}
	p.new, p.hasNew = new(p.target)
	return p
}

// prepare makes the tokens and the alignment.
func (p *pair) prepare() {
	if p.prepared {
		return
	}
	p.prepared = true
	p.numbers = map[string]int32{}
	p.b = tokens(p.new, p.numbers)
	if p.hasOld {
		p.a = tokens(p.old, p.numbers)
		p.aligned, p.tooLong = certain(p.a, p.b)
	}
}

func lost(l chunk.Label, reason string) Result {
	return Result{Old: l, New: nowhere(l), Status: Lost, Reason: reason}
}

func nowhere(l chunk.Label) chunk.Label {
	l.Span, l.Quote = chunk.Span{Start: -1, End: -1}, ""
	return l
}

// at is a label at a place of the new text.
func (p *pair) at(l chunk.Label, s chunk.Span) chunk.Label {
	l.Document, l.Span, l.Quote = p.target, s, p.new[s.Start:s.End]
	return l
}

func (p *pair) anchor(l chunk.Label) Result {
	switch {
	case !p.hasNew:
		return lost(l, "The document is gone.")
	case l.Whole:
		return p.whole(l)
	case p.hasOld && l.Span.Start >= 0 && l.Span.End <= len(p.old) && p.old == p.new:
		status := Kept
		if p.target != p.document {
			status = Moved
		}
		return Result{Old: l, New: p.at(l, l.Span), Status: status, Kept: 1}
	}
	if p.hasOld && l.Span.End > len(p.old) { // of another text: only the quote is of use
		l.Span = chunk.Span{Start: -1, End: -1}
	}
	p.prepare()
	if p.hasOld && l.Span.Start < 0 { // a quote without a position: it has one if the old text has it once
		if all := occurrences(p.a, tokens(l.Quote, p.numbers)); len(all) == 1 {
			l.Span = hull(p.a, all[0])
		}
	}
	if p.hasOld && l.Span.Start >= 0 && !p.tooLong {
		return p.byAlignment(l)
	}
	return p.bySearch(l, false)
}

// whole anchors the label of a whole document: by its id, if the text has not become another one.
func (p *pair) whole(l chunk.Label) Result {
	r := Result{Old: l, New: l, Status: Kept, Kept: 1}
	r.New.Document = p.target
	if p.target != p.document {
		r.Status = Moved
	}
	if !p.hasOld || p.old == p.new {
		return r
	}
	p.prepare()
	if p.tooLong {
		r.Status, r.Reason = Unsure, "The document is too long and has changed too much to compare."
		return r
	}
	n := 0
	for _, to := range p.aligned {
		if to >= 0 {
			n++
		}
	}
	most := max(len(p.a), len(p.b))
	if n == most { // letter case and spaces apart the same
		return r
	}
	r.Status, r.Kept = Edited, float64(n)/float64(most)
	if r.Kept < 0.5 {
		r.Status, r.Reason = Unsure, "More than half of the document changed."
	}
	return r
}

// byAlignment anchors a label at the tokens that its own became.
func (p *pair) byAlignment(l chunk.Label) Result {
	from, to := rangeOf(p.a, l.Span)
	if from == to {
		return lost(l, "The passage holds no text.")
	}
	at := p.core(from, to)
	n := len(at)
	share := float64(n) / float64(to-from)
	if n == 0 || share < enough {
		return p.bySearch(l, true)
	}
	first, last := p.widen(from, to, at)
	span := p.trimmed(l.Span, from, to, first, last)
	r := Result{Old: l, New: p.at(l, span), Kept: share}
	switch {
	case 3*(last+1-first) > 5*n:
		r.Status, r.Reason = Unsure, "Much was added within the passage."
	case n == to-from && last+1-first == n:
		r.Status = Moved
		if p.target == p.document && r.New.Span == l.Span && r.New.Quote == p.old[l.Span.Start:l.Span.End] {
			r.Status = Kept
		}
	default:
		r.Status = Edited
	}
	if r.Status != Unsure && !p.certainPlace(from, to, first, last) {
		r.Status, r.Reason = Unsure, "The document has a similar passage, and the text around it changed."
	}
	return r
}

// bySearch looks for the quote in all of the new text: the passage was moved, or the old text is gone.
func (p *pair) bySearch(l chunk.Label, gone bool) Result {
	quote := l.Quote
	if quote == "" && p.hasOld && l.Span.Start >= 0 {
		quote = p.old[l.Span.Start:l.Span.End]
	}
	words := tokens(quote, p.numbers)
	if len(words) == 0 {
		return lost(l, "The label has no quote, and the old text is not known.")
	}
	found := occurrences(p.b, words)
	r := Result{Old: l, New: nowhere(l), Status: Unsure, Kept: 1}
	if len(found) > 0 {
		r.New = p.at(l, hull(p.b, found[0]))
	}
	for _, f := range found {
		if s := hull(p.b, f); !gone && s.Start == l.Span.Start && p.new[s.Start:s.End] == strings.TrimSpace(quote) {
			r.New, r.Status = p.at(l, s), Kept
			return r
		}
	}
	switch {
	case len(found) > 1:
		r.Reason = "The new text has the quote more than once."
		return r
	case len(found) == 1 && p.hasOld && len(occurrences(p.a, words)) > 1:
		r.Reason = "The old text had the quote more than once."
		return r
	case len(found) == 1 && gone && p.repeats(l.Span):
		r.Reason = "The old text had a part of the passage elsewhere too."
		return r
	case len(found) == 1 && len(words) < fewTokens:
		r.Reason = "The quote is too short to be found for certain."
		return r
	case len(found) == 1:
		r.Status = Moved
		return r
	}
	return p.similar(l, words)
}

// repeats says whether the old text has a large part of a passage more than once.
func (p *pair) repeats(s chunk.Span) bool {
	from, to := rangeOf(p.a, s)
	return !p.partsAlone(from, to, 0, len(p.a))
}

// similar looks for a passage that is like the quote. It anchors the label only if the old text is not known, since
// otherwise the alignment had found the passage.
func (p *pair) similar(l chunk.Label, words []token) Result {
	if len(words)*len(p.b) > mostSearch {
		r := Result{Old: l, New: nowhere(l), Status: Unsure}
		r.Reason = "The quote is not in the text, which is too long to look for a similar passage."
		return r
	}
	best, from, to := nearestPlace(words, p.b)
	share := 1 - float64(best)/float64(len(words))
	if share < unsureShare || from >= to {
		return lost(l, "Most of the passage is gone.")
	}
	r := Result{Old: l, New: p.at(l, hull(p.b, [2]int{from, to})), Status: Unsure, Kept: share,
		Reason: "Only a similar passage is found."}
	other := min(nearest(words, p.b[:from]), nearest(words, p.b[to:]))
	if !p.hasOld && share >= enough && len(words) >= 2*fewTokens && float64(other-best) >= 0.3*float64(len(words)) {
		r.Status, r.Reason = Edited, ""
	}
	return r
}

// Count is how many results have each status.
func Count(results []Result) (n [5]int) {
	for _, r := range results {
		n[r.Status]++
	}
	return n
}
