package worker

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// Describe says what the page needs to know of an open collection.
func Describe(s *experiment.Session) *message.Opened {
	b := s.Bundle()
	o := &message.Opened{Ref: s.Ref(), Source: b.Manifest.Source, Queries: s.Queries()}
	for _, m := range b.Manifest.Models {
		o.Models = append(o.Models, m.Name)
		if m.Label != m.Name {
			o.Models = append(o.Models, m.Label)
		}
	}
	for range b.Queries {
		o.Encoded = append(o.Encoded, len(b.Manifest.Models) > 0) // a bundle has vectors of every query or none
	}
	categories, months, entities := map[string]int{}, map[string]int{}, map[[2]string]int{}
	first, last := "", ""
	for _, c := range b.Cards {
		if c.Category != "" {
			categories[c.Category]++
		}
		if len(c.Date) == 10 {
			m := c.Date[:7]
			months[m]++
			if first == "" || m < first {
				first = m
			}
			last = max(last, m)
		}
		for _, x := range c.Entities {
			entities[[2]string{x.Name, x.Kind}]++
		}
	}
	for v, n := range categories {
		o.Categories = append(o.Categories, message.Count{Value: v, N: n})
	}
	slices.SortFunc(o.Categories, byValue)
	for m := first; m != "" && m <= last; m = next(m) {
		o.Months = append(o.Months, message.Count{Value: m, N: months[m]})
	}
	for v, n := range entities {
		o.Entities = append(o.Entities, message.Count{Value: v[0], Kind: v[1], N: n})
	}
	slices.SortFunc(o.Entities, func(a, b message.Count) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return byValue(a, b)
	})
	return o
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
