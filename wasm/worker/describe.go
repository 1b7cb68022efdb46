package worker

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Describe says what the page needs to know of an open collection.
func Describe(s *experiment.Session) *message.Opened {
	b := s.Bundle()
	o := &message.Opened{Ref: s.Ref(), Source: b.Manifest.Source, Queries: s.Queries.Described(),
		Lexical: b.Manifest.Lexical()}
	for _, m := range b.Manifest.Models {
		o.Models = append(o.Models, m.Name)
		if m.Label != m.Name {
			o.Models = append(o.Models, m.Label)
		}
	}
	for range b.Queries {
		o.Encoded = append(o.Encoded, len(b.Manifest.Models) > 0) // a bundle has vectors of every query or none
	}
	o.Facets = facets(b.Cards, nil, nil, nil)
	return o
}

// facets counts the values of documents: every value of all of them, of the categories among those of the first filter
// only, of the months of the second and of the entities of the third.
func facets(cards []bundle.Card, ofCategory, ofMonth, ofEntity rank.Filter) message.Facets {
	categories, months, entities := map[string]int{}, map[string]int{}, map[[2]string]int{}
	first, last := "", ""
	count := func(f rank.Filter, d int) int {
		if f.Has(uint32(d)) {
			return 1
		}
		return 0
	}
	for d, c := range cards {
		if c.Category != "" {
			categories[c.Category] += count(ofCategory, d)
		}
		if len(c.Date) == 10 {
			m := c.Date[:7]
			months[m] += count(ofMonth, d)
			if first == "" || m < first {
				first = m
			}
			last = max(last, m)
		}
		for _, x := range c.Entities {
			entities[[2]string{x.Name, x.Kind}] += count(ofEntity, d)
		}
	}
	var out message.Facets
	for v, n := range categories {
		out.Categories = append(out.Categories, message.Count{Value: v, N: n})
	}
	slices.SortFunc(out.Categories, byValue)
	for m := first; m != "" && m <= last; m = next(m) {
		out.Months = append(out.Months, message.Count{Value: m, N: months[m]})
	}
	for v, n := range entities {
		out.Entities = append(out.Entities, message.Count{Value: v[0], Kind: v[1], N: n})
	}
	slices.SortFunc(out.Entities, func(a, b message.Count) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return byValue(a, b)
	})
	return out
}

// narrow counts documents that hold a word of the query. Each kind of value is counted under the other filters, so that
// a count says what choosing the value would leave.
func narrow(s *experiment.Session, spec experiment.Spec) (*message.Facets, error) {
	holding, err := s.Holding(spec)
	if err != nil {
		return nil, err
	}
	under := func(f experiment.Filter) rank.Filter {
		out, passing := slices.Clone(holding), s.Passing(f)
		for i := range passing {
			out[i] &= passing[i]
		}
		return out
	}
	f := spec.Filter
	category, month, entity := f, f, f
	category.Categories, month.From, month.To, entity.Entities = nil, "", "", nil
	out := facets(s.Bundle().Cards, under(category), under(month), under(entity))
	return &out, nil
}

func byValue(a, b message.Count) int {
	if c := strings.Compare(a.Value, b.Value); c != 0 {
		return c
	}
	return strings.Compare(a.Kind, b.Kind)
}

// next returns the month after YYYY-MM, "" where that is not one.
func next(m string) string {
	b := []byte(m)
	if len(b) != 7 || b[4] != '-' {
		return ""
	}
	for _, i := range []int{0, 1, 2, 3, 5, 6} {
		if b[i] < '0' || b[i] > '9' {
			return ""
		}
	}
	if m[5:] < "12" {
		if b[6] == '9' {
			b[5]++
			b[6] = '0'
		} else {
			b[6]++
		}
		return string(b)
	}
	copy(b[5:], "01")
	for i := 3; i >= 0; i-- {
		if b[i] < '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return ""
}
