//go:build !first

package worker

import (
	"hash/fnv"
	"maps"
	"slices"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

func init() {
	register(message.Earlier, handler{blame: at("the collections on this device")}, toUploads, (*uploads).earlier)
}

// mostCompared is how many documents a collection has at most whose texts are compared with those of another: they
// have to be read from the disk.
const mostCompared = 20_000

// earlier finds the collection that has most ids of the one that was made: at least half of either.
func (u *uploads) earlier(_ message.Request, ask *message.AskEarlier) (*message.EarlierOne, error) {
	out := &message.EarlierOne{}
	if u.device.Shelf == nil {
		return out, nil
	}
	ids, err := u.device.Shelf.List()
	if err != nil {
		return nil, err
	}
	made, err := u.comparable(ids, ask.ID)
	if err != nil || made == nil {
		return out, err
	}
	var best *bundle.Bundle
	most := 0
	for _, id := range ask.Among {
		b, err := u.comparable(ids, id)
		if err != nil || b == nil || id == ask.ID { // a damaged collection hides no other one
			continue
		}
		n := 0
		for i := range b.Cards {
			if _, ok := made.Ordinal(b.Cards[i].ID); ok {
				n++
			}
		}
		if n > most && 2*n >= min(len(b.Cards), len(made.Cards)) {
			best, most = b, n
		}
	}
	if best == nil {
		return out, nil
	}
	before, err := u.sums(best)
	if err != nil {
		return nil, err
	}
	now, err := u.sums(made)
	if err != nil {
		return nil, err
	}
	out.ID, out.Name = best.Manifest.ID, best.Manifest.Name
	changes(out, before, now)
	return out, nil
}

// changes fills in what became of documents, given the hashes of their texts by id.
func changes(out *message.EarlierOne, before, now map[string]uint64) {
	added := map[uint64]string{}
	for _, id := range slices.Sorted(maps.Keys(now)) {
		if _, there := before[id]; !there {
			added[now[id]] = id
			out.Added++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before)) {
		sum, there := now[id]
		to, moved := added[before[id]]
		switch {
		case there && sum == before[id]:
			out.Same++
		case there:
			out.Changed = append(out.Changed, id)
		case moved:
			delete(added, before[id])
			out.Added--
			out.From, out.To = append(out.From, id), append(out.To, to)
		default:
			out.Gone = append(out.Gone, id)
		}
	}
}

// comparable opens a collection on this device; nil for chunks, documents of a backend, and collections that are too
// large to compare.
func (u *uploads) comparable(ids map[string][]string, id string) (*bundle.Bundle, error) {
	m, err := u.device.manifestIn(ids, id)
	if err != nil {
		return nil, err
	}
	if _, chunked := m.File(bundle.ChunksName); chunked || m.Elsewhere != nil || m.Documents > mostCompared {
		return nil, nil
	}
	return bundle.Open(m, u.device.fetchOf(id))
}

// sums are the hashes of titles and texts, by id.
func (u *uploads) sums(b *bundle.Bundle) (map[string]uint64, error) {
	x, err := unsplitBundle(b, u.device.fetchOf(b.Manifest.ID))
	if err != nil {
		return nil, err
	}
	docs := x.src.Collection.Docs
	out := make(map[string]uint64, len(docs))
	for i := range docs {
		h := fnv.New64a()
		h.Write([]byte(docs[i].Title + "\x00" + docs[i].Text))
		out[docs[i].ID] = h.Sum64()
	}
	return out, nil
}
