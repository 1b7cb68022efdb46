package learn

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
)

// Coins is a block of differences whose signs are tossed for. Without scripts it shows all ways to set them.
type Coins struct {
	Learn *screen.Learn
	K     string
	B     *lesson.Block
}

// The histogram is a drawing of coinsWide × coinsHigh above its axis.
const coinsWide, coinsHigh = 320.0, 110.0

// Live says that the page reacts.
func (c *Coins) Live() bool { return c.Learn.App.Engine.Phase != state.Loading }

// T are the tosses; all ways where the page does not react.
func (c *Coins) T() *lesson.Tosses {
	t := c.Learn.Figures.Tosses(c.K, c.B)
	if t != nil && !c.Live() {
		return t.All()
	}
	return t
}

// Tossed says that coins have fallen.
func (c *Coins) Tossed() bool { return c.Live() && c.T().Made > 0 }

// turned says whether the last toss turned the sign of a difference.
func (c *Coins) turned(i int) bool { return c.T().Last>>i&1 != 0 }

// Side is what the last toss left of a difference's sign. There is nothing to toss for where it is 0.
func (c *Coins) Side(i int) string {
	switch {
	case !c.Tossed() || c.T().D[i] == 0:
		return "–"
	case c.turned(i):
		return "turn"
	}
	return "keep"
}

// With is a difference with the sign that was tossed.
func (c *Coins) With(i int) string {
	v := c.T().D[i]
	if !c.Tossed() {
		return "–"
	}
	if c.turned(i) && v != 0 {
		v = -v
	}
	return difference(v)
}

// Now is the mean of the last toss.
func (c *Coins) Now() string {
	if !c.Tossed() {
		return "–"
	}
	return difference(c.T().Now)
}

// Measured is the measured mean, and Against as far on the other side of 0.
func (c *Coins) Measured() string { return difference(c.T().Mean) }

// Against is the measured mean with the other sign.
func (c *Coins) Against() string { return difference(-c.T().Mean) }

func difference(v float64) string {
	if v == 0 {
		return "0"
	}
	return say.Page.Signed(v, 3)
}

// Says is what is said of the tosses.
func (c *Coins) Says() string {
	switch {
	case !c.Live():
		return c.T().Exactly()
	case !c.Tossed():
		return "No toss yet."
	}
	return c.T().Says()
}

// Bar is one of the histogram.
type Bar struct{ X, Y, Width, Height, Class string }

// Bars are those of the histogram.
func (c *Coins) Bars() []Bar {
	t := c.T()
	most := float64(max(8, slices.Max(t.Bars)))
	wide := coinsWide / float64(len(t.Bars))
	var out []Bar
	for i, n := range t.Bars {
		b := Bar{X: at(float64(i)*wide + 0.5), Width: at(wide - 1), Height: at(coinsHigh * float64(n) / most)}
		b.Y = at(coinsHigh - coinsHigh*float64(n)/most)
		if i < len(t.Bars)/2-t.Edge() || i >= len(t.Bars)/2+t.Edge() {
			b.Class = "far"
		}
		out = append(out, b)
	}
	return out
}

// place is where a mean stands.
func (c *Coins) place(mean float64) float64 {
	t := c.T()
	return coinsWide/2 + mean/math.Abs(t.Mean)*float64(t.Edge())*coinsWide/float64(len(t.Bars))
}

// Mark is where the measured mean stands; Mirror as far on the other side.
func (c *Coins) Mark() string { return at(c.place(c.T().Mean)) }

// Mirror is where the measured mean would stand with the other sign.
func (c *Coins) Mirror() string { return at(c.place(-c.T().Mean)) }

// Fallen is where the last mean fell.
func (c *Coins) Fallen() string { return at(c.place(c.T().Now)) }

// Fall names the way that it falls: another one each time, so that it is seen again.
func (c *Coins) Fall() string { return "fall" + strconv.Itoa(c.T().Rounds%2) }

func at(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// Toss tosses all coins n times.
func (c *Coins) Toss(n int) { c.Learn.Figures.Toss(c.K, c.B, n) }

// Reset begins again.
func (c *Coins) Reset() { c.Learn.Figures.ResetTosses(c.K) }
