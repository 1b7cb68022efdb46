package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/say"
)

// Estimate is a mean with its standard error and interval.
type Estimate struct{ Mean, Error, Low, High float64 }

// Powered is the mean of labels if few are known and many predicted.
type Powered struct {
	Estimate
	Lambda           float64 // how much the predictions count, 0 to 1
	Labelled, Others int     // cases with a label, and those with a prediction alone
	// The variances that a plan of the sample needs: of a label, of a label less λ times its prediction, of a
	// prediction times λ.
	label, rectifier, imputed, z float64
}

// PredictionPowered returns the prediction-powered mean of labels: label[i] and predicted[i] are of one case, others
// are predictions of further cases, drawn from the same population as the labelled ones.
//
//	mean = λ · mean(others) + mean(label - λ · predicted)
//	error² = λ² · var(others)/N + var(label - λ · predicted)/n
//	λ = cov(label, predicted) / ((1 + n/N) · var(predicted and others)), between 0 and 1
//
// The interval is normal. λ = 0, where predictions say nothing, gives the mean of the labels alone. The predictions
// may be wrong in any way: that costs precision, not truth. What is assumed is that the labelled cases are a random
// sample, and that there are enough of them for the normal approximation. All NaN for fewer than two labels or no
// others.
//
// Source: Angelopoulos, Duchi and Zrnic 2023, PPI++: Efficient Prediction-Powered Inference; ppi-python 0.2.3,
// ppi_mean_ci.
func PredictionPowered(label, predicted, others []float64, level float64) (Powered, error) {
	nan := math.NaN()
	out := Powered{Estimate: Estimate{nan, nan, nan, nan}, Lambda: nan, Labelled: len(label), Others: len(others)}
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
	rest := make([]float64, len(label))
	for i := range label {
		rest[i] = label[i] - float64(out.Lambda*predicted[i])
	}
	scaled := make([]float64, len(others))
	for i, x := range others {
		scaled[i] = float64(out.Lambda * x)
	}
	out.label, out.rectifier, out.imputed = spreadOf(label), spreadOf(rest), spreadOf(scaled)
	out.z = NormalQuantile((1 + level) / 2)
	out.Mean = Mean(scaled) + Mean(rest)
	out.Error = math.Sqrt(out.imputed/m + out.rectifier/n)
	out.interval(out.z)
	return out, nil
}

// ClassicalMean returns the mean of values with its normal interval, as ppi-python's classical_mean_ci: the variance
// divides by n. All NaN for fewer than two.
func ClassicalMean(x []float64, level float64) Estimate {
	if len(x) < 2 {
		return Estimate{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	e := Estimate{Mean: Mean(x), Error: math.Sqrt(spreadOf(x) / float64(len(x)))}
	e.interval(NormalQuantile((1 + level) / 2))
	return e
}

func (e *Estimate) interval(z float64) {
	half := float64(z * e.Error)
	e.Low, e.High = e.Mean-half, e.Mean+half
}

// Needed is how many labels would give an interval of ± half: with these predictions, as many others and this λ, and
// from labels alone. Both assume that further cases vary as these do. 0 for the first if no number of labels is
// enough, because the others are too few.
//
//	n = var(label - λ · predicted) / (half²/z² - λ² · var(others)/N)    and    n = var(label) · z²/half²
func (p *Powered) Needed(half float64) (powered, alone int) {
	if !(half > 0) || p.Mean != p.Mean {
		return 0, 0
	}
	ratio := half / p.z
	aim := float64(ratio * ratio)
	alone = atLeastTwo(p.label / aim)
	if left := aim - p.imputed/float64(p.Others); left > 0 {
		powered = atLeastTwo(p.rectifier / left)
	}
	return powered, alone
}

func atLeastTwo(n float64) int {
	if n > 1e9 {
		return 1e9
	}
	return max(2, int(math.Ceil(n-1e-9)))
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
