package learn

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/class"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Finale is the name of the capstone: no lesson has it.
const Finale = "capstone"

// capstones begins the link of one.
const capstones = "lesson=capstone1&s="

// Capstone is three anonymous systems and what is found of them.
type Capstone struct {
	app     *state.App
	lessons *Lessons
	answers *Answers

	Seed    string
	Query   int // whose lists are shown
	Claims  lesson.Claims
	Typed   [3]string // the difference, and both ends of its interval
	Fault   string
	Decided bool // the claims stand beside the report's
}

// The device remembers a capstone that was begun as a line of its own: the seed, which the systems are, the best,
// whether it can be told apart, what was typed, the kind, the reason and whether it was decided.
const remembered = 11

// begun says whether anything was claimed.
func (c *Capstone) begun() bool {
	return c.Claims.Best >= 0 || c.Claims.Apart >= 0 || c.Claims.Which != [3]int{-1, -1, -1} ||
		c.Typed != [3]string{} || c.Claims.Kind != "" || c.Claims.Why != ""
}

// line is what the device remembers.
func (c *Capstone) line() string {
	k := &c.Claims
	f := []string{c.Seed}
	for _, n := range []int{k.Which[0], k.Which[1], k.Which[2], k.Best, k.Apart} {
		f = append(f, strconv.Itoa(n))
	}
	f = append(f, strconv.Quote(strings.Join(c.Typed[:], "\n")), strconv.Quote(k.Kind), strconv.Quote(k.Why),
		strconv.FormatBool(c.Decided))
	return "capstone\t" + strings.Join(f, "\t") + "\n"
}

// recall takes it back; a line that it does not understand is passed over.
func (c *Capstone) recall(f []string) {
	if len(f) != remembered || class.Clean(f[1]) != f[1] || f[1] == "" {
		return
	}
	old := *c
	c.draw(f[1])
	k := &c.Claims
	var err [9]error
	for i, n := range []*int{&k.Which[0], &k.Which[1], &k.Which[2], &k.Best, &k.Apart} {
		*n, err[i] = strconv.Atoi(f[i+2])
		*n = max(-1, min(*n, 1000))
	}
	var typed string
	for i, s := range []*string{&typed, &k.Kind, &k.Why} {
		*s, err[i+5] = strconv.Unquote(f[i+7])
	}
	decided, bad := strconv.ParseBool(f[10])
	err[8] = bad
	parts := strings.Split(typed, "\n")
	if errors.Join(err[:]...) != nil || len(parts) != len(c.Typed) {
		*c = old
		return
	}
	copy(c.Typed[:], parts)
	if decided {
		c.commit()
	}
}

func newCapstone(app *state.App, lessons *Lessons, answers *Answers) *Capstone {
	c := &Capstone{app: app, lessons: lessons, answers: answers}
	c.draw("1")
	return c
}

// draw begins with the systems of a seed.
func (c *Capstone) draw(seed string) {
	*c = Capstone{app: c.app, lessons: c.lessons, answers: c.answers, Seed: seed,
		Claims: lesson.Claims{Which: [3]int{-1, -1, -1}, Best: -1, Apart: -1, Difference: math.NaN(), Low: math.NaN(),
			High: math.NaN()}}
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
	s := c.lessons.Set()
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
	c.answers.store()
	c.app.Location.Write(false)
	c.app.View.Draw()
}

// Claim changes a claim, before it was decided.
func (c *Capstone) Claim(f func(*lesson.Claims)) {
	if !c.Decided {
		f(&c.Claims)
		c.answers.store()
		c.app.View.Draw()
	}
}

// Type takes the difference and its interval as they are typed.
func (c *Capstone) Type(i int, text string) {
	c.Typed[i] = strings.ReplaceAll(text, "\n", " ")
	c.answers.store()
}

// Decide commits to the claims: they stand beside the report's from then on.
func (c *Capstone) Decide() {
	c.commit()
	c.answers.store()
	c.app.View.Draw()
}

// commit reads what was typed, and says what is at fault with it.
func (c *Capstone) commit() {
	for i, v := range []*float64{&c.Claims.Difference, &c.Claims.Low, &c.Claims.High} {
		*v = math.NaN()
		if strings.TrimSpace(c.Typed[i]) == "" {
			continue
		}
		x, ok := lesson.ReadAnswer(c.Typed[i])
		if !ok {
			c.Fault = strconv.Quote(c.Typed[i]) + " is no number. Write 0.05."
			return
		}
		*v = x
	}
	if c.Claims.Best < 0 {
		c.Fault = "Choose at least which of the three is best."
		return
	}
	c.Fault, c.Decided = "", true
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
	b.WriteString("\n" + strconv.Itoa(agree) + " of " + say.Count(len(lines), "claim", "claims") + " " +
		say.Verb(agree, "is", "are") + " the report's.\n\nWhy, as found: " + c.Claims.Why + "\nThe report: " +
		x.Trio.Finding + "\n")
	return b.String()
}

// Save lets the student save it.
func (c *Capstone) Save() {
	c.app.Browser.Save("rankbox-capstone.txt", "text/plain; charset=utf-8", []byte(c.Text()))
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
