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

// earlier finds the collection on this device that has most ids of the one that was made: at least half of either.
func (u *uploads) earlier(_ message.Request, ask *message.AskEarlier) (*message.EarlierOne, error) {
	out := &message.EarlierOne{}
	made, err := u.openKept(ask.ID)
	if err != nil || made == nil {
		return out, err
	}
	kept, err := u.device.Shelf.List()
	if err != nil {
		return nil, err
	}
	var best *bundle.Bundle
	most := 0
	for _, id := range slices.Sorted(maps.Keys(kept)) {
		if id == ask.ID || !slices.Contains(kept[id], "manifest.json") {
			continue
		}
		b, err := u.openKept(id)
		if err != nil || b == nil { // a damaged collection hides no other one
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

// openKept opens a collection on this device; nil for chunks, documents of a backend, and collections that are too
// large to compare.
func (u *uploads) openKept(id string) (*bundle.Bundle, error) {
	m, err := u.device.keptManifest(id)
	if err != nil {
		return nil, err
	}
	if _, chunked := m.File(bundle.ChunksName); chunked || m.Elsewhere != nil || m.Documents > mostCompared {
		return nil, nil
	}
	return bundle.Open(m, u.fetchKept(id))
}

func (u *uploads) fetchKept(id string) bundle.Fetch {
	return func(f bundle.File) ([]byte, error) { return u.device.Shelf.Get(id, f.Name) }
}

// sums are the hashes of titles and texts, by id.
func (u *uploads) sums(b *bundle.Bundle) (map[string]uint64, error) {
	out := make(map[string]uint64, len(b.Cards))
	for i := 0; i < len(b.Cards); {
		texts, _, err := b.Texts(i, u.fetchKept(b.Manifest.ID))
		if err != nil {
			return nil, err
		}
		for _, t := range texts {
			h := fnv.New64a()
			h.Write([]byte(b.Cards[i].Title + "\x00" + t))
			out[b.Cards[i].ID] = h.Sum64()
			i++
		}
	}
	return out, nil
}
