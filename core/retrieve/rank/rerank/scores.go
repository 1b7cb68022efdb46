package rerank

import (
	"errors"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Again reorders the first documents of a ranking by another ranker's scores. The others follow in their order;
// each gets the number just below the document before it. It is not safe for concurrent use.
type Again struct {
	rank.Ranker
	By        rank.Ranker // is asked only for the documents to score
	Name      string      // name of By, for explanations
	Docs      int         // documents of the collection
	Depth     int         // how many documents are scored, ≥ 1
	Keep      int         // how many of all are kept, 0 for all
	Threshold float64     // what a score must reach; documents below it stand behind those above, in the order they had
	Remove    bool        // documents that do not reach it are taken out instead, and so are those that nobody scored
	// how many documents are asked for at once, 0 for all; where some batches are scored and a later one cannot be, its
	// documents stand behind
	Batch    int
	PerGroup int // how many documents of a group (chunks of one document) are scored, 0 for all
	Group    func(d uint32) string

	account rank.Account
	pass    rank.Filter
	scores  map[uint32]float64
	scored  []rank.Hit
}

// Rank implements rank.Ranker. It returns the other ranker's error. If that scores nothing, the ranking stays
// unchanged.
func (a *Again) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	a.account = rank.Account{}
	hits, err := a.Ranker.Rank(q, max(k, a.Depth), f, dst)
	if err != nil || len(hits) == 0 {
		return hits, err
	}
	seen, asked := map[string]int{}, []uint32{}
	for _, h := range hits[:min(a.Depth, len(hits))] {
		if a.PerGroup > 0 {
			g := a.Group(h.Doc)
			if seen[g]++; seen[g] > a.PerGroup {
				continue
			}
		}
		asked = append(asked, h.Doc)
	}
	why, err := a.ask(q, asked)
	if err != nil {
		return hits[:0], err
	}
	a.scores = map[uint32]float64{}
	out := make([]rank.Hit, 0, len(hits))
	for _, h := range a.scored {
		if h.Score >= a.Threshold {
			a.scores[h.Doc] = h.Score
			out = append(out, h)
		}
	}
	limit := len(hits)
	if a.Keep > 0 {
		limit = min(limit, a.Keep)
	}
	limit = min(limit, k)
	under := len(a.scored) - len(out)
	if under > 0 || a.Remove && len(out) > 0 {
		a.account.Below = under
		return a.held(hits, out, under, why, limit), nil
	}
	if len(out) == 0 {
		a.account = rank.Account{Aside: true,
			Note: a.Name + " scores none of these documents, so the order did not change"}
		return hits[:limit], nil
	}
	if missing := len(asked) - len(a.scored); why != "" {
		a.account = rank.Account{Part: true, Note: say.Count(missing, "document stands", "documents stand") +
			" behind, not scored: " + why}
	} else if missing > 0 {
		a.account.Note = a.Name + " does not score all of these documents: the others follow"
	} else if by, ok := a.By.(rank.Accountable); ok {
		a.account.Note = by.Account().Note
	}
	return append(hits[:0], a.behind(hits, out)[:limit]...), nil
}

// behind puts the documents of hits that are not among the scored ones behind those.
func (a *Again) behind(hits, out []rank.Hit) []rank.Hit {
	for _, h := range hits {
		if _, ok := a.scores[h.Doc]; !ok {
			score := h.Score
			if len(out) > 0 {
				score = below(out[len(out)-1].Score)
			}
			out = append(out, rank.Hit{Doc: h.Doc, Score: score})
		}
	}
	return out
}

// held is the ranking behind a threshold that some documents do not reach: they are taken out, or stand behind. A
// threshold is no failure: what could not be asked is told apart from it.
func (a *Again) held(hits, out []rank.Hit, under int, why string, limit int) []rank.Hit {
	text := strconv.FormatFloat(a.Threshold, 'g', -1, 64)
	a.account.Note = say.Count(under, "document", "documents") + " of " + say.Thousands(len(a.scored)) + " " +
		say.Verb(under, "is", "are") + " below the threshold " + text
	if by, ok := a.By.(rank.Accountable); ok && by.Account().Note != "" {
		a.account.Note = by.Account().Note + "; " + a.account.Note
	}
	if !a.Remove {
		a.account.Note += " and " + say.Verb(under, "follows", "follow") + " in their order"
		return append(hits[:0], a.behind(hits, out)[:limit]...)
	}
	gone := len(hits) - len(out)
	if why != "" { // the others were not asked about
		a.account.Part = true
		unasked := map[uint32]bool{}
		for _, h := range hits[:min(a.Depth, len(hits))] {
			unasked[h.Doc] = true
		}
		for _, h := range a.scored {
			delete(unasked, h.Doc)
		}
		kept := out
		for _, h := range hits {
			if unasked[h.Doc] {
				kept = append(kept, h)
			}
		}
		gone = len(hits) - len(kept)
		out = a.behind(kept[len(out):], out)
		a.account.Note += "; " + say.Count(len(unasked), "document was", "documents were") + " not scored: " + why
	}
	a.account.Note += "; " + say.Count(gone, "document was", "documents were") + " taken out"
	return append(hits[:0], out[:min(limit, len(out))]...)
}

// ask has documents scored in batches. why says why a later batch failed, "" if none did.
func (a *Again) ask(q rank.Query, docs []uint32) (why string, err error) {
	a.scored = a.scored[:0]
	size := a.Batch
	if size <= 0 {
		size = len(docs)
	}
	var some []rank.Hit
	for batch := range slices.Chunk(docs, max(1, size)) {
		a.pass = append(a.pass[:0], make(rank.Filter, (a.Docs+63)/64)...)
		for _, d := range batch {
			a.pass[d>>6] |= 1 << (d & 63)
		}
		if some, err = a.By.Rank(q, len(batch), a.pass, some); err != nil {
			if u, ok := errors.AsType[*rank.Unanswerable](err); ok && !u.Wrong && len(a.scored) > 0 {
				why = u.Reason
				break
			}
			return "", err
		}
		a.scored = append(a.scored, some...)
	}
	rank.Sort(a.scored)
	return why, nil
}

// Account implements rank.Accountable.
func (a *Again) Account() rank.Account { return a.account }

// Explain implements rank.Ranker. For a scored document: the other ranker's explanation, with the ranking's own,
// which no longer counts, below it. For others: the ranking's own, and the effect of the lower rank.
func (a *Again) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	inner, err := a.Ranker.Explain(q, f, d)
	if err != nil {
		return inner, err
	}
	hits, err := a.Rank(q, a.Depth, f, nil)
	if err != nil {
		return rank.Part{}, err
	}
	out := rank.Part{Parts: []rank.Part{rank.Before(inner)}}
	for _, h := range hits {
		if h.Doc == d {
			out.Score = h.Score
		}
	}
	by := rank.Part{Name: "place behind what " + a.Name + " scored", Score: out.Score - inner.Score}
	if _, ok := a.scores[d]; ok {
		was, err := a.By.Explain(q, f, d)
		if err != nil {
			return rank.Part{}, err
		}
		before := rank.Part{Name: "previous score, no longer used",
			Values: []rank.Value{{Name: "score", Value: inner.Score}}, Parts: []rank.Part{inner}}
		return rank.Part{Score: out.Score, Parts: []rank.Part{{Name: a.Name, Score: was.Score, Parts: []rank.Part{was}},
			before}}, nil
	}
	if by.Score != 0 {
		out.Parts = append(out.Parts, by)
	}
	return out, nil
}
