package report

import (
	"errors"
	"math"
	"math/rand"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// made returns a report of k systems on n queries with values that differ by about effect from system to system.
func made(k, n, measures int, effect float64) *Report {
	rnd := rand.New(rand.NewSource(int64(k*1000 + n)))
	r := &Report{}
	r.Collection.Name = "made"
	for s := range k {
		r.Systems = append(r.Systems, System{Label: "S" + say.Letter(s)})
	}
	for q := range n {
		r.Queries = append(r.Queries, Query{ID: string(rune('0' + q%10))})
	}
	for range measures {
		r.Measures = append(r.Measures, "AP")
		c := Column{Measure: "AP"}
		for s := range k {
			v := make([]float64, n)
			for q := range v {
				v[q] = math.Round(1000*min(1, max(0, 0.3+effect*float64(s)+0.3*rnd.NormFloat64()))) / 1000
			}
			c.Values = append(c.Values, v)
		}
		r.Columns = append(r.Columns, c)
	}
	return r
}

// A copy of a system is never told apart from it; a system that is much better always is; every figure is that of
// significance.
func TestStatisticsOfAReport(t *testing.T) {
	r := made(4, 40, 2, 0.25)
	r.Columns[0].Values[1] = append([]float64(nil), r.Columns[0].Values[0]...)
	if err := r.Conclude(Protocol{}, nil); err != nil {
		t.Fatal(err)
	}
	if len(r.Pairs) != 6 {
		t.Fatalf("%d pairs", len(r.Pairs))
	}
	same, _ := r.Pair(0, 1)
	if same.Diff != 0 || same.P != 1 || same.Adjusted != 1 || same.Equal != 40 || !(same.Low < 0 && same.High > 0) ||
		!math.IsNaN(same.Effect) {
		t.Errorf("a copy: %+v", same)
	}
	far, _ := r.Pair(0, 3)
	if far.Adjusted > 0.001 || far.Low <= 0 || far.Better < 30 || far.Better+far.Worse+far.Equal != 40 {
		t.Errorf("far better: %+v", far)
	}
	back, _ := r.Pair(3, 0)
	if back.Diff != -far.Diff || back.Low != -far.High || back.Better != far.Worse {
		t.Errorf("turned round: %+v", back)
	}
	c := r.Columns[0]
	if c.Groups[0] != c.Groups[1] || c.Groups[0] == c.Groups[3] || c.Groups[3] != "a" {
		t.Errorf("groups %q", c.Groups)
	}
	d, _ := significance.Differences(c.Values[0], c.Values[3])
	choice := significance.Choose(d)
	if want := significance.CohenDz(d); far.Effect != want {
		t.Errorf("d_z %v, want %v", far.Effect, want)
	}
	if choice.Test == "t" {
		res, _ := significance.PairedT(d, significance.Options{})
		if r.Test.Name != "paired t test" || far.P != res.P {
			t.Errorf("%s, p %v, want %v", r.Test.Name, far.P, res.P)
		}
	} else if r.Test.Name != "paired randomisation test" {
		t.Errorf("test %q, choice %q", r.Test.Name, choice.Test)
	}
	for m, c := range r.Columns {
		for i, mean := range c.Means {
			low, high := BoundsOf(c.Measure).Interval(c.Values[i], 0.95)
			if c.Low[i] != low || c.High[i] != high || !(low < mean && mean < high) {
				t.Errorf("%d %d: interval %v to %v, want %v to %v", m, i, c.Low[i], c.High[i], low, high)
			}
		}
	}
	again := made(4, 40, 2, 0.25)
	again.Columns[0].Values[1] = append([]float64(nil), again.Columns[0].Values[0]...)
	if again.Conclude(Protocol{}, nil); again.Hash != r.Hash {
		t.Error("the same values give another report")
	}
}

func TestStatisticsOfSmallReports(t *testing.T) {
	for _, k := range []int{1, 2, 3} {
		for _, n := range []int{0, 1, 2} {
			r := made(k, n, 2, 0.1)
			if err := r.Conclude(Protocol{}, nil); err != nil {
				t.Fatalf("%d systems, %d queries: %v", k, n, err)
			}
			if err := wire.Unmarshal(wire.Marshal(r), &Report{}); err != nil {
				t.Errorf("%d systems, %d queries: the report cannot be read again: %v", k, n, err)
			}
			for _, c := range r.Columns {
				for i := range c.Means {
					if some := c.Low[i] < c.High[i]; some != (n > 0) {
						t.Errorf("%d systems, %d queries: interval %v to %v", k, n, c.Low[i], c.High[i])
					}
				}
			}
			if (r.Test.Name != "") != (k > 1) {
				t.Errorf("%d systems: test %q", k, r.Test.Name)
			}
		}
	}
}

func TestStatisticsStop(t *testing.T) {
	r := made(10, 500, 2, 0)
	if err := r.Conclude(Protocol{}, func() bool { return true }); !errors.Is(err, ErrCancelled) {
		t.Errorf("error %v", err)
	}
	v := r.Columns[0].Values
	if _, err := Paired("nDCG@10", v[0][:25], v[1][:25], func() bool { return true }); !errors.Is(err, ErrCancelled) {
		t.Errorf("error %v", err)
	}
}

func TestPaired(t *testing.T) {
	a := []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}
	b := make([]float64, len(a))
	for i := range a {
		b[i] = a[i] + 0.1 + 0.01*float64(i)
	}
	o, err := Paired("nDCG@10", a, b, nil)
	// all 8 differences are positive: 2 of the 2⁸ sign patterns are as far out
	if err != nil || o.P != 2.0/256 || o.Better != 8 || o.Name != "paired randomisation test" ||
		!(o.Low > 0 && o.Low < o.Diff && o.High > o.Diff && o.High < 0.22) {
		t.Errorf("%+v, %v", o, err)
	}
	if o, err = Paired("nDCG@10", a, a, nil); err != nil || o.P != 1 || o.Diff != 0 || o.Equal != 8 {
		t.Errorf("%+v, %v", o, err)
	}
}

func BenchmarkConclude(b *testing.B) {
	for _, c := range []struct {
		name string
		k, n int
	}{{"systems=4/queries=40", 4, 40}, {"systems=20/queries=300", 20, 300}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				r := made(c.k, c.n, 5, 0.02)
				b.StartTimer()
				if err := r.Conclude(Protocol{}, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
