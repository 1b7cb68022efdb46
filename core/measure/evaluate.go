package measure

import (
	"math"
	"slices"
)

// Result holds the values of measures by query.
type Result struct {
	// Measures are the requested measures. Applied[i] is Measures[i] under the policy.
	Measures, Applied []Measure
	// Queries are the queries that count, in the order of the topics.
	Queries []string
	// Values[i][j] is the value of measure i for query j.
	Values [][]float64
	// Missing are the judged queries without a list, Empty those without a relevant document. The policy decides
	// whether Queries includes them.
	Missing, Empty []string
}

// Evaluate scores every topic with every measure. The policy selects the queries that count and the meaning of
// measures. Its tie policy, precision and depth do not apply, since a Topic is already ranked (see [List]). Topics
// without TopGrade get the highest grade of all topics. Cost: one pass over every topic, plus the measures.
func Evaluate(topics []Topic, ms []Measure, policy Policy) *Result {
	r := &Result{Measures: ms, Applied: make([]Measure, len(ms)), Values: make([][]float64, len(ms))}
	for i, m := range ms {
		r.Applied[i] = policy.Apply(m)
	}
	top := 1.0
	for i := range topics {
		topics[i].Prepare()
		if d := topics[i].ideal; len(d) > 0 {
			top = max(top, d[0])
		}
	}
	level := policy.Level()
	values := make([]float64, len(ms)*len(topics))
	for i := range r.Values {
		r.Values[i] = values[i*len(topics) : i*len(topics) : (i+1)*len(topics)]
	}
	for i := range topics {
		t := &topics[i]
		if t.TopGrade == 0 {
			t.TopGrade = top
		}
		skip := false
		if t.Missing {
			r.Missing = append(r.Missing, t.Query)
			skip = policy.Missing == MissingSkip
		}
		if t.relevant(level) == 0 && !t.Subtopics.relevant(level) && !t.Preferences.relevant() {
			r.Empty = append(r.Empty, t.Query)
			skip = skip || policy.Empty == EmptySkip
		}
		if skip {
			continue
		}
		r.Queries = append(r.Queries, t.Query)
		for j := range r.Applied {
			r.Values[j] = append(r.Values[j], r.Applied[j].Score(t))
		}
	}
	return r
}

// relevant reports whether any document is relevant to any sub-topic.
func (s *Subtopics) relevant(level float64) bool {
	if s == nil {
		return false
	}
	for _, d := range s.Docs {
		for _, g := range d {
			if g >= level {
				return true
			}
		}
	}
	return false
}

// Summary returns the summary of measure i over all queries: the sum for counts (NumRet …), else the mean.
func (r *Result) Summary(i int) float64 {
	if r.Applied[i].info.Sum {
		return sum(r.Values[i])
	}
	return r.Mean(i)
}

// Mean returns the [Mean] of measure i over Queries.
func (r *Result) Mean(i int) float64 { return Mean(r.Values[i]) }

// GeometricFloor replaces smaller values, as in trec_eval, because their logarithm diverges.
const GeometricFloor = 0.00001

// GeometricMean returns the [GeometricMean] of measure i.
func (r *Result) GeometricMean(i int) float64 { return GeometricMean(r.Values[i]) }

// Median returns the [Median] of measure i.
func (r *Result) Median(i int) float64 { return Median(r.Values[i]) }

func sum(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// Mean returns the arithmetic mean, added in order; 0 for an empty slice.
func Mean(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return sum(v) / float64(len(v))
}

// GeometricMean returns exp(mean of ln max(value, GeometricFloor)), as trec_eval's gm_map; 0 for an empty slice. S.
// Robertson, On GMAP and other transformations, CIKM 2006.
func GeometricMean(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := 0.0
	for _, x := range v {
		s += ln(math.Max(x, GeometricFloor))
	}
	return exp(s / float64(len(v)))
}

// Median returns the middle value, the mean of the two middle ones if their number is even; 0 for an empty slice.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}
