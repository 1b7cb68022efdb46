package bundle

import (
	"errors"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// SourceRun is a run that accompanies a collection: the scores of a system that cannot run here, for example a
// cross-encoder.
type SourceRun struct {
	Name string // as in run(NAME) and rerank(by=run,file=NAME)
	Run  *collection.Run
}

// ReadRuns reads the TREC runs root/NAME.run ("runs" beside a BEIR collection). It returns none if root is absent.
func ReadRuns(fsys fs.FS, root string) ([]SourceRun, error) {
	entries, err := fs.ReadDir(fsys, root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []SourceRun
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".run")
		if !ok {
			continue
		}
		file, err := fsys.Open(path.Join(root, e.Name()))
		if err != nil {
			return nil, err
		}
		r, _, err := collection.ReadRun(file, path.Join(root, e.Name()), collection.Options{})
		file.Close()
		if err != nil {
			return nil, err
		}
		out = append(out, SourceRun{Name: name, Run: r})
	}
	return out, nil
}

// runFile is the file of a stored run: for each query, documents in ordinal order with their scores as multiples of
// 10^-Decimals.
type runFile struct {
	Decimals int
	Lists    []runList
}

type runList struct {
	Query  string
	Docs   []int // ordinals, ascending
	Scores []int
}

// Wire codes the run. A document is coded as its distance from the previous one.
func (f *runFile) Wire(c *wire.Codec) {
	c.Int(&f.Decimals)
	wire.List(c, &f.Lists, func(l *runList) {
		c.String(&l.Query)
		last := -1
		wire.List(c, &l.Docs, func(d *int) {
			gap := *d - last - 1
			c.Int(&gap)
			if c.Reading() && (gap < 0 || gap > math.MaxUint32) {
				c.Fail()
				return
			}
			*d = last + 1 + gap
			last = *d
		})
		c.Ints(&l.Scores)
		if c.Reading() && len(l.Scores) != len(l.Docs) {
			c.Fail()
		}
	})
	if c.Reading() && (f.Decimals < 0 || f.Decimals > maxDecimals) {
		c.Fail()
	}
}

// maxDecimals and maxWhole bound the scores: an integer below 2^53 divided by a power of ten up to 10^22 is the
// float64 nearest to the decimal.
const (
	maxDecimals = 22
	maxWhole    = 1 << 53
)

// pow10 returns 10^d, exact for d up to 22.
func pow10(d int) float64 {
	p := 1.0
	for range d {
		p *= 10
	}
	return p
}

// fileOf converts a run to its file. It omits documents that ordinal lacks.
func (r *SourceRun) fileOf(id string, ordinal map[string]int) (*runFile, error) {
	f := &runFile{}
	decimals := func(s float64) (whole, places string) {
		whole, places, _ = strings.Cut(strconv.FormatFloat(s, 'f', -1, 64), ".")
		return whole, places
	}
	var hits []collection.Entry
	for i := range r.Run.Queries() {
		hits = r.Run.Ranked(i, collection.DocIDDescending, hits)
		for _, h := range hits {
			_, places := decimals(h.Score)
			f.Decimals = max(f.Decimals, len(places))
		}
	}
	for i, q := range r.Run.Queries() {
		list := runList{Query: q}
		hits = r.Run.Ranked(i, collection.DocIDDescending, hits)
		at := map[int]int{}
		for _, h := range hits {
			whole, places := decimals(h.Score)
			n, err := strconv.ParseInt(whole+places+strings.Repeat("0", f.Decimals-len(places)), 10, 64)
			if err != nil || f.Decimals > maxDecimals || n >= maxWhole || n <= -maxWhole {
				return nil, say.Faultf("bundle",
					"build %s: run %s: query %s, document %s: the score %v beside ones of %d decimals: round them", id,
					r.Name, q, h.Doc, h.Score, f.Decimals)
			}
			if d, ok := ordinal[h.Doc]; ok {
				list.Docs = append(list.Docs, d)
				at[d] = int(n)
			}
		}
		slices.Sort(list.Docs)
		for _, d := range list.Docs {
			list.Scores = append(list.Scores, at[d])
		}
		if len(list.Docs) > 0 {
			f.Lists = append(f.Lists, list)
		}
	}
	if len(f.Lists) == 0 {
		return nil, say.Faultf("bundle",
			"build %s: run %s: none of its documents is in the collection: is it from another collection?", id, r.Name)
	}
	return f, nil
}

// Run fetches a stored run: by query id, best first. ok is false if the bundle has none with that name.
func (b *Bundle) Run(name string, fetch Fetch) (lists map[string][]rank.Hit, ok bool, err error) {
	if _, ok := b.Manifest.File(runRole + name); !ok {
		return nil, false, nil
	}
	var f runFile
	if err := b.Manifest.read(runRole+name, fetch, &f); err != nil {
		return nil, true, err
	}
	lists = make(map[string][]rank.Hit, len(f.Lists))
	over := pow10(f.Decimals)
	for _, l := range f.Lists {
		hits := make([]rank.Hit, len(l.Docs))
		for i, d := range l.Docs {
			if d >= len(b.Cards) {
				return nil, true, say.Faultf("bundle", "%s: the run %s has document %d of %d", b.Manifest.ID, name, d,
					len(b.Cards))
			}
			hits[i] = rank.Hit{Doc: uint32(d), Score: float64(l.Scores[i]) / over}
		}
		rank.Sort(hits)
		lists[l.Query] = hits
	}
	return lists, true, nil
}
