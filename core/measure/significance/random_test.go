package significance

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// The cases are those of scripts/oracle/significance/random_cases.py: scipy 1.17.1, statsmodels 0.15.0, rbo 0.1.3 and
// cliffs-delta 1.0.0 on random scores of ten kinds and 0 to 80 queries. testdata has a few of them; RANKBOX_RANDOM
// names a file with more.
type randomCases struct {
	Pairs []struct {
		Kind               string
		A, B               []number
		Positive, Negative int
		Level              number
		T                  map[string][4]number
		Wilcoxon           [][]json.RawMessage
		Sign               map[string]number
		Randomisation      map[string]number
		Cliff              number
		Skew               *number
		Dz                 []number
		Tost               []number
		Kendall            []number
		Spearman           []number
		Weighted           number
	}
	Corrections []struct {
		P        []number
		Adjusted map[string][]number
	}
	Power []struct {
		N           int
		Dz, Alpha   number
		Alternative string
		Want        number
		Power       *number
		Effect      *number
		Queries     *number
	}
	Rankings []struct {
		S, T           []int
		P              number
		Ext, Truncated number
		X, Y           []number
		TauAP          number `json:"tau_ap"`
	}
}

func randoms(t *testing.T) *randomCases {
	t.Helper()
	file := os.Getenv("RANKBOX_RANDOM")
	if file == "" {
		file = "testdata/random.json"
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c randomCases
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Pairs) < 50 || len(c.Corrections) < 5 || len(c.Power) < 5 || len(c.Rankings) < 5 {
		t.Fatalf("%s holds %d pairs, %d corrections, %d powers, %d rankings", file, len(c.Pairs),
			len(c.Corrections), len(c.Power), len(c.Rankings))
	}
	return &c
}

func TestRandomPairs(t *testing.T) {
	zeros := map[string]ZeroMethod{"wilcox": Drop, "pratt": Pratt, "zsplit": Split}
	methods := map[string]Method{"exact": Exact, "permutation": Exact, "asymptotic": Normal, "auto": Auto}
	c := checker{t: t}
	for i, x := range randoms(t).Pairs {
		a, b := floats(x.A), floats(x.B)
		d := must(Differences(a, b))
		n := len(d)
		at := fmt.Sprintf("case %d (%s, %d queries) ", i, x.Kind, n)
		level := float64(x.Level)
		better, worse, _ := Counts(d)
		if better != x.Positive || worse != x.Negative {
			t.Errorf("%s: %d better, %d worse, want %d and %d", at, better, worse, x.Positive, x.Negative)
		}
		for alt, w := range x.T {
			r := must(PairedT(d, Options{Alternative: alternatives[alt], Level: level}))
			c.near(at+alt+" t", r.Statistic, w[0], 1e-9, 1e-12)
			c.near(at+alt+" t: p", r.P, w[1], 1e-9, 0)
			scale := 1e-11 * magnitude(d)
			c.near(at+alt+" t: low", r.Low, w[2], 1e-9, scale)
			c.near(at+alt+" t: high", r.High, w[3], 1e-9, scale)
		}
		for alt, w := range x.Sign {
			c.near(at+alt+" sign", must(Sign(d, Options{Alternative: alternatives[alt]})).P, w, 1e-11, 0)
		}
		for _, w := range x.Wilcoxon {
			var zero, method, alt string
			var correction bool
			var statistic, p, z number
			for i, into := range []any{&zero, &correction, &method, &alt, &statistic, &p, &z} {
				if i < len(w) {
					if err := json.Unmarshal(w[i], into); err != nil {
						t.Fatal(err)
					}
				}
			}
			o := Options{Alternative: alternatives[alt], Zeros: zeros[zero], Correction: correction,
				Method: methods[method]}
			r := must(Wilcoxon(d, o))
			what := fmt.Sprint(at, zero, " ", correction, " ", method, " ", alt, " Wilcoxon: ")
			c.near(what+"W", r.Statistic, statistic, 1e-13, 0)
			c.near(what+"p", r.P, p, 1e-10, 0)
			if len(w) > 6 {
				c.near(what+"z", r.Z, z, 1e-11, 1e-13)
			}
		}
		for alt, w := range x.Randomisation {
			c.near(at+alt+" randomisation", must(Randomisation(d, Options{Alternative: alternatives[alt]})).P, w, 1e-12,
				0)
		}
		if n > 0 {
			c.near(at+"Cliff", cliffDelta(a, b), x.Cliff, 1e-13, 1e-15)
		}
		if x.Skew != nil && n >= 2 {
			c.near(at+"skewness", Skewness(d), *x.Skew, 1e-10, 1e-12)
		}
		if len(x.Dz) > 0 {
			dz, low, high := CohenDzInterval(d, level)
			c.near(at+"d_z", dz, x.Dz[0], 1e-11, 1e-14)
			if len(x.Dz) == 3 {
				c.near(at+"d_z low", low, x.Dz[1], 1e-7, 1e-9)
				c.near(at+"d_z high", high, x.Dz[2], 1e-7, 1e-9)
			}
		}
		if w := x.Tost; len(w) == 7 {
			e := TOST(d, float64(w[0]), float64(w[1]), 0.05)
			for k, got := range []float64{e.P, e.TLow, e.PLow, e.THigh, e.PHigh} {
				c.near(fmt.Sprint(at, "TOST ", k), got, w[2+k], 1e-9, 1e-300)
			}
		}
		if len(x.Kendall) == 3 {
			k := must(KendallTau(a, b))
			c.near(at+"Kendall b", k.B, x.Kendall[0], 1e-12, 1e-14)
			c.near(at+"Kendall p", k.P, x.Kendall[1], 1e-10, 0)
			c.near(at+"Kendall c", k.C, x.Kendall[2], 1e-12, 1e-14)
			c.near(at+"weighted", must(WeightedTau(a, b)), x.Weighted, 1e-12, 1e-14)
		}
		if len(x.Spearman) == 2 {
			s := must(Spearman(a, b))
			c.near(at+"Spearman", s.Coefficient, x.Spearman[0], 1e-12, 1e-14)
			if r := math.Abs(float64(x.Spearman[0])); r < 1-1e-12 || r == 1 { // scipy rounds 1 to 0.999…
				c.near(at+"Spearman p", s.P, x.Spearman[1], 1e-9, 1e-300)
			}
		}
	}
	c.done(1000)
}

func TestRandomCorrections(t *testing.T) {
	c := checker{t: t}
	for i, x := range randoms(t).Corrections {
		for _, correction := range Corrections() {
			for k, got := range correction.Adjust(floats(x.P)) {
				c.near(fmt.Sprint("case ", i, " ", correction.Name, " ", k), got, x.Adjusted[correction.Name][k], 1e-11,
					1e-15)
			}
		}
	}
	c.done(100)
}

func TestRandomPower(t *testing.T) {
	c := checker{t: t}
	for i, x := range randoms(t).Power {
		alt := TwoSided
		if x.Alternative == "larger" {
			alt = Greater
		}
		at := fmt.Sprintf("case %d (n %d, dz %v, alpha %v, %s, %v) ", i, x.N, x.Dz, x.Alpha, x.Alternative, x.Want)
		if x.Power != nil {
			c.near(at+"power", Power(float64(x.N), float64(x.Dz), float64(x.Alpha), alt), *x.Power, 1e-8, 1e-10)
		}
		if x.Effect != nil {
			c.near(at+"effect", DetectableEffect(float64(x.N), float64(x.Alpha), float64(x.Want), alt), *x.Effect, 1e-7,
				0)
		}
		if x.Queries != nil {
			c.near(at+"queries", QueriesNeeded(float64(x.Dz), float64(x.Alpha), float64(x.Want), alt), *x.Queries, 1e-7,
				0)
		}
	}
	c.done(10)
}

func TestRandomRankings(t *testing.T) {
	c := checker{t: t}
	for i, x := range randoms(t).Rankings {
		at := fmt.Sprint("case ", i, " ")
		o := must(RBO(x.S, x.T, float64(x.P)))
		c.near(at+"RBO", o.Ext, x.Ext, 1e-12, 1e-14)
		if o.Min > o.Ext+1e-12 || float64(x.Truncated) > o.Ext+1e-12 {
			t.Errorf("%sRBO: at least %v, truncated %v, extrapolated %v", at, o.Min, x.Truncated, o.Ext)
		}
		c.near(at+"tau AP", must(TauAP(floats(x.X), floats(x.Y))), x.TauAP, 1e-12, 1e-14)
	}
	c.done(10)
}
