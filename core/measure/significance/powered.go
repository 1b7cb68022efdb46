package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
)

// Estimate is a mean with its interval.
type Estimate struct{ Mean, Low, High float64 }

// Powered is the mean of labels if few are known and many predicted.
type Powered struct {
	Estimate
	Lambda           float64 // how much the predictions count, 0 to 1
	Labelled, Others int     // cases with a label, and those with a prediction alone

	// labels, labels less λ times their predictions, and predictions of the others, with the bounds of each
	label, rest, imputed []float64
	bounds, ofRest       Bounds
	level                float64
}

// PredictionPowered returns the prediction-powered mean of labels: label[i] and predicted[i] are of one case, others
// are predictions of further cases, drawn from the same population as the labelled ones. All lie within the bounds.
//
//	mean = λ · mean(others) + mean(label - λ · predicted)
//	λ = cov(label, predicted) / ((1 + n/N) · var(predicted and others)), between 0 and 1
//
// λ = 0, where predictions say nothing, gives the mean of the labels alone. The predictions may be wrong in any way:
// that costs precision, not truth. What is assumed is that the labelled cases are a random sample. An end of the
// interval lies as far from the mean as the root of the summed squares of the distances of the two means' ends
// (Zou and Donner 2008, MOVER), which [Bounds.Interval] has. All NaN for fewer than two labels or no others.
//
// Source: Angelopoulos, Duchi and Zrnic 2023, PPI++: Efficient Prediction-Powered Inference; ppi-python 0.2.3,
// ppi_mean_pointestimate. Its normal interval misses the mean of few labels too often.
func PredictionPowered(label, predicted, others []float64, b Bounds, level float64) (Powered, error) {
	nan := math.NaN()
	out := Powered{Estimate: Estimate{nan, nan, nan}, Lambda: nan, Labelled: len(label), Others: len(others),
		label: label, imputed: others, bounds: b, level: level}
	if len(label) != len(predicted) {
		return out, say.Faultf("significance", "prediction-powered mean: %d labels and %d predictions of them",
			len(label), len(predicted))
	}
	if len(label) < 2 || len(others) == 0 {
		return out, nil
	}
	n, m := float64(len(label)), float64(len(others))
	meanLabel, meanPredicted := Mean(label), Mean(predicted)
	shared := 0.0
	for i := range label {
		shared += float64((label[i] - meanLabel) * (predicted[i] - meanPredicted))
	}
	every := append(append(make([]float64, 0, len(predicted)+len(others)), predicted...), others...)
	spread := float64(spreadOf(every)*float64(len(every))) / float64(len(every)-1)
	if out.Lambda = 0; spread > 0 {
		out.Lambda = max(0, min(1, shared/n/float64((1+n/m)*spread)))
	}
	out.rest = make([]float64, len(label))
	for i := range label {
		out.rest[i] = label[i] - float64(out.Lambda*predicted[i])
	}
	out.ofRest = b
	if out.Lambda > 0 {
		out.ofRest = Bounds{b.Low - float64(out.Lambda*b.High), b.High - float64(out.Lambda*b.Low)}
	}
	out.Estimate = out.with(out.rest)
	return out, nil
}

// with is the estimate if the labels less λ times their predictions are these.
func (p *Powered) with(rest []float64) Estimate {
	r, o := p.ofRest.Estimate(rest, p.level), p.bounds.Estimate(p.imputed, p.level)
	if p.Lambda == 0 {
		return r
	}
	e := Estimate{Mean: float64(p.Lambda*o.Mean) + r.Mean}
	apart := func(a, b float64) float64 {
		b = float64(p.Lambda * b)
		return math.Sqrt(float64(a*a) + float64(b*b))
	}
	e.Low = max(p.bounds.Low, e.Mean-apart(r.Mean-r.Low, o.Mean-o.Low))
	e.High = min(p.bounds.High, e.Mean+apart(r.High-r.Mean, o.High-o.Mean))
	return e
}

// Estimate is the mean of x with its interval.
func (b Bounds) Estimate(x []float64, level float64) Estimate {
	e := Estimate{Mean: Mean(x)}
	e.Low, e.High = b.Interval(x, level)
	return e
}

// Needed is how many labels would give an interval no wider than 2 · half, if further cases vary as these do: with
// these predictions, as many others and this λ, and from labels alone. 0 if a million are not enough, because the others
// are too few.
func (p *Powered) Needed(half float64) (powered, alone int) {
	if !(half > 0) || p.Mean != p.Mean {
		return 0, 0
	}
	return needed(half, p.rest, p.with), needed(half, p.label, func(x []float64) Estimate {
		return p.bounds.Estimate(x, p.level)
	})
}

// needed is the smallest number of values spread as x whose interval is no wider than 2 · half.
func needed(half float64, x []float64, of func([]float64) Estimate) int {
	x = sorted(x)
	enough := func(n int) bool {
		more := make([]float64, n)
		for i := range more {
			more[i] = x[(2*i+1)*len(x)/(2*n)]
		}
		e := of(more)
		return e.High-e.Low <= 2*half
	}
	const most = 1 << 20
	n := 2
	for ; !enough(n); n *= 2 {
		if n >= most {
			return 0
		}
	}
	for low := n / 2; n-low > 1; {
		if mid := (low + n) / 2; enough(mid) {
			n = mid
		} else {
			low = mid
		}
	}
	return n
}

// spreadOf is the variance, which divides by n.
func spreadOf(x []float64) float64 {
	m, s := Mean(x), 0.0
	for _, v := range x {
		d := v - m
		s += float64(d * d)
	}
	return s / float64(len(x))
}
