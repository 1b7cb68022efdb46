package learn

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/lesson/class"
	"github.com/rankbox/rankbox/core/play"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Finale is the name of the capstone: no lesson has it.
const Finale = "capstone"

// capstones begins the link of one.
const capstones = "lesson=capstone1&s="

// Capstone is three anonymous systems and what is found of them.
type Capstone struct {
	learn *Learn

	Seed    string
	Query   int // whose lists are shown
	Claims  lesson.Claims
	Typed   [3]string // the difference, and both ends of its interval
	Fault   string
	Decided bool // the claims stand beside the report's
}

func newCapstone(l *Learn) *Capstone {
	c := &Capstone{learn: l}
	c.draw("1")
	return c
}

// draw begins with the systems of a seed.
func (c *Capstone) draw(seed string) {
	*c = Capstone{learn: c.learn, Seed: seed, Claims: lesson.Claims{Which: [3]int{-1, -1, -1}, Best: -1, Apart: -1, Difference: math.NaN(), Low: math.NaN(), High: math.NaN()}}
}

// open opens the capstone of a link.
func (c *Capstone) open(link string) error {
	seed, err := play.Unescape(strings.TrimPrefix(link, capstones))
	if err != nil || seed == "" || class.Clean(seed) != seed {
		return errors.New("the link of this capstone cannot be read")
	}
	if seed != c.Seed {
		c.draw(seed)
	}
	return nil
}

func (c *Capstone) fragment() string { return capstones + play.Escape(c.Seed) }

// Case is what is to be found out, nil until the lessons were fetched.
func (c *Capstone) Case() *lesson.Case {
	s := c.learn.Set()
	if s == nil || s.Field == nil {
		return nil
	}
	return s.Field.Draw(c.Seed)
}

// Another takes another seed.
func (c *Capstone) Another(seed string) {
	if seed = class.Clean(seed); seed == "" || seed == c.Seed {
		return
	}
	c.draw(seed)
	c.learn.App.WriteAddress(false)
	c.learn.App.Draw()
}

// Claim changes a claim, before it was decided.
func (c *Capstone) Claim(f func(*lesson.Claims)) {
	if !c.Decided {
		f(&c.Claims)
		c.learn.App.Draw()
	}
}

// Type takes the difference and its interval as they are typed.
func (c *Capstone) Type(i int, text string) { c.Typed[i] = text }

// Decide commits to the claims: they stand beside the report's from then on.
func (c *Capstone) Decide() {
	for i, v := range []*float64{&c.Claims.Difference, &c.Claims.Low, &c.Claims.High} {
		*v = math.NaN()
		if strings.TrimSpace(c.Typed[i]) == "" {
			continue
		}
		x, ok := lesson.ReadAnswer(c.Typed[i])
		if !ok {
			c.Fault = strconv.Quote(c.Typed[i]) + " is no number. Write 0.05."
			c.learn.App.Draw()
			return
		}
		*v = x
	}
	if c.Claims.Best < 0 {
		c.Fault = "Say at least which of the three is best."
		c.learn.App.Draw()
		return
	}
	c.Fault, c.Decided = "", true
	c.learn.App.Draw()
}

// Text is the finding, for a file.
func (c *Capstone) Text() string {
	x := c.Case()
	if x == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("Rankbox capstone, seed " + c.Seed + "\n\n")
	agree := 0
	lines := x.Compare(c.Claims)
	for _, l := range lines {
		mark := "other"
		if l.Agrees {
			mark = "same "
			agree++
		}
		b.WriteString(mark + "  " + l.Claim + "\n       found: " + l.Yours + "\n       report: " + l.Report + "\n")
	}
	b.WriteString("\n" + strconv.Itoa(agree) + " of " + strconv.Itoa(len(lines)) + " claims are the report's.\n\nWhy, as found: " + c.Claims.Why + "\nThe report: " + x.Trio.Finding + "\n")
	return b.String()
}

// Save lets the student save it.
func (c *Capstone) Save() {
	c.learn.App.Browser().Save("rankbox-capstone.txt", "text/plain; charset=utf-8", []byte(c.Text()))
}

// Report is the address at which the three systems are compared.
func (c *Capstone) Report() string {
	x := c.Case()
	if x == nil {
		return "/"
	}
	a := share.Address{Screen: share.Home, Spec: experiment.Spec{Collection: state.DefaultCollection}}
	for _, s := range x.Trio.Systems {
		a.Systems = append(a.Systems, x.Field.Systems[s].Notation)
	}
	f, err := share.Encode(a)
	if err != nil {
		return "/"
	}
	return "/#" + f
}
