package experiment

import (
	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/text"
)

// Text returns the text of document d, fetching its shard where it is not there yet.
func (s *Session) Text(d int) (string, error) {
	if s.elsewhere() {
		err := s.bring([]int{d})
		t, _ := s.textOf(d)
		return t, err
	}
	n := d / s.b.Manifest.Shard
	t, ok := s.shards[n]
	if !ok {
		var err error
		if t, _, err = s.b.Texts(d, s.fetch); err != nil {
			return "", err
		}
		s.shards[n] = t
	}
	return t[d%s.b.Manifest.Shard], nil
}

// fetched returns the text of document d if it is there already.
func (s *Session) fetched(d int) (t string, there bool) {
	if s.elsewhere() {
		return s.textOf(d)
	}
	shard, there := s.shards[d/s.b.Manifest.Shard]
	if there {
		t = shard[d%s.b.Manifest.Shard]
	}
	return t, there
}

// need fetches the shards of the texts of documents that are not there yet, all at once.
func (s *Session) need(docs []int) error {
	if s.elsewhere() {
		return s.bring(docs)
	}
	missing := map[int]int{} // shard → one of its documents
	for _, d := range docs {
		n := d / s.b.Manifest.Shard
		if _, ok := s.shards[n]; !ok {
			missing[n] = d
		}
	}
	type answer struct {
		shard int
		texts []string
		err   error
	}
	answers := make(chan answer, len(missing))
	for n, d := range missing {
		go func() {
			t, _, err := s.b.Texts(d, s.fetch)
			answers <- answer{n, t, err}
		}()
	}
	var first error
	for range missing {
		a := <-answers
		if a.err != nil {
			first = a.err
			continue
		}
		s.shards[a.shard] = a.texts
	}
	return first
}

// index returns the index by an analyzer ("" for the collection's own), building it from the texts at the first time.
func (s *Session) index(analyzer string) (*index.Index, error) {
	if analyzer == "" {
		analyzer = s.b.Manifest.Analyzer
	}
	an, err := text.Get(analyzer)
	if err != nil {
		return nil, err
	}
	if x, ok := s.indexes[an.Name()]; ok {
		return x, nil
	}
	all := make([]int, len(s.b.Cards))
	for d := range all {
		all[d] = d
	}
	if err := s.need(all); err != nil {
		return nil, err
	}
	b := index.NewBuilder(an)
	for d, c := range s.b.Cards {
		t, err := s.Text(d)
		if err != nil {
			return nil, err
		}
		b.Add(c.Title, t)
	}
	x := b.Build()
	s.indexes[an.Name()] = x
	return x, nil
}
