package predict

import (
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/text"
)

// A computation in Python by the papers' formulas, document by document and word by word: natural logarithms where
// they have ln, base 2 for what is in bits.
func TestPredictors(t *testing.T) {
	an, err := text.Get("whitespace")
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(an)
	for _, d := range []string{"a a b c", "a b b d d d", "c c e", "e f g g a"} {
		b.Add("", d)
	}
	all := New(b.Build()) // what one query leaves behind is no matter to the next
	for _, c := range []struct {
		query          string
		want           []float64
		found, unknown int
	}{
		{"a b", []float64{1.3774437510817341, 2.377443751081734, 0.4904146265058631, 4.327463355911624,
			0.07818049359945574, 0.001630445091884515, 0.0013969897478577351}, 3, 0},
		{"g g e zzz", []float64{2.2516291673878226, 3.169925001442312, 1.1552453009332422, 7.310142826535081,
			0.357298270133512, 0.0022531256757066967, 0.00855926610164227}, 2, 1},
		{"c", []float64{2.584962500721156, 2.584962500721156, 0.6931471805599453, 2.305561249480692,
			0.31028486822607704, 0.0019374842429202802, 0.005461556146742486}, 2, 0},
	} {
		got := all.Of(strings.Fields(c.query))
		if got.Found != c.found || got.Unknown != c.unknown {
			t.Errorf("%s: %+v", c.query, got)
		}
		for i, w := range c.want {
			if !(math.Abs(got.Of[i]-w) <= 1e-9*math.Abs(w)) {
				t.Errorf("%s: %s is %v, want %v", c.query, Predictors[i].Name, got.Of[i], w)
			}
		}
	}
	if got := all.Of([]string{"zzz"}); got.Found != 0 || got.Unknown != 1 || !math.IsNaN(got.Of[0]) {
		t.Errorf("%+v", got)
	}
}
