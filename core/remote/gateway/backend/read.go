package backend

import (
	"math"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// scores reads an array of {"index", name}.
func scores(r *jsontext.Reader, name string) []Score {
	var out []Score
	for r.BeginArray(); r.More(); {
		s, seen := Score{Index: -1}, false
		members(r, func(key string) bool {
			switch key {
			case "index":
				s.Index = int(r.Int())
			case name:
				s.Score, seen = r.Float(), true
			default:
				return false
			}
			return true
		})
		if !seen {
			r.Fail(errShape)
		}
		out = append(out, s)
	}
	return out
}

// InOrder puts scores into the order of the n documents that were asked about. Every document must have one
// finite score.
func InOrder(s []Score, n int) ([]float64, error) {
	if len(s) != n {
		return nil, errShape
	}
	out := make([]float64, n)
	seen := make([]bool, n)
	for _, x := range s {
		if x.Index < 0 || x.Index >= n || seen[x.Index] || math.IsNaN(x.Score) || math.IsInf(x.Score, 0) {
			return nil, errShape
		}
		out[x.Index], seen[x.Index] = x.Score, true
	}
	return out, nil
}

// scalar reads a string or number as a string: the ids of documents.
func scalar(r *jsontext.Reader) string {
	switch r.Peek() {
	case '"':
		return r.String()
	case '0':
		return string(r.Number())
	}
	r.Fail(errShape)
	return ""
}

// hitOf are the names of a hit's members: the service's own id, the score, and the object that holds the
// document's fields.
type hitOf struct{ id, score, fields string }

// hits reads an array of hits, each known by the field that the settings name, or by the service's own id.
func (of hitOf) hits(s *Settings, r *jsontext.Reader) []Hit {
	var out []Hit
	for r.BeginArray(); r.More(); {
		var h Hit
		seen := false
		members(r, func(key string) bool {
			switch {
			case key == of.id && s.IDField == "":
				h.ID = scalar(r)
			case key == of.score:
				h.Score, seen = r.Float(), true
			case key == of.fields && s.IDField != "":
				members(r, func(key string) bool {
					if key != s.IDField {
						return false
					}
					h.ID = scalar(r)
					return true
				})
			default:
				return false
			}
			return true
		})
		if !seen || h.ID == "" {
			r.Fail(errShape)
		}
		out = append(out, h)
	}
	return out
}
