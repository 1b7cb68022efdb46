package state

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
)

// Knob is a parameter that a slider moves, and the systems that have it.
type Knob struct {
	Stage   *pipeline.Stage
	Param   *pipeline.Param
	Handles []Handle
}

// Handle is the value of a knob's parameter in one system: in the first of its stages that has it.
type Handle struct {
	System int
	Value  float64
}

// Held is what the figures were when the hand went down on a slider.
type Held struct {
	Scores []float64 // of the query on the first measure, a system; NaN where there was none
	Means  []float64 // over all judged queries, likewise
}

// Knobs are the parameters of the systems that sliders move, in the order of the stages.
func (a *App) Knobs() []Knob {
	nodes := a.Nodes()
	var out []Knob
	for _, s := range stage.All() {
		for i := range s.Params {
			k := Knob{Stage: s, Param: &s.Params[i]}
			if k.Param.Slide.Step == 0 {
				continue
			}
			for j, n := range nodes {
				if v, ok := setting(n, s.Name, k.Param.Name); ok {
					k.Handles = append(k.Handles, Handle{j, v})
				}
			}
			if len(k.Handles) > 0 {
				out = append(out, k)
			}
		}
	}
	return out
}

// setting returns the value of a parameter in the first stage of a pipeline that has it; n may be nil.
func setting(n *pipeline.Node, of, name string) (float64, bool) {
	if n == nil {
		return 0, false
	}
	for _, b := range n.Find(of) {
		if b.Applies(name) {
			return b.Number(name), true
		}
	}
	return 0, false
}

// Untouched says whether a knob stands at its default in a system.
func (a *App) Untouched(k Knob, system int) bool {
	for _, b := range a.Nodes()[system].Find(k.Stage.Name) {
		if b.Applies(k.Param.Name) {
			v, err := strconv.ParseFloat(b.Default(k.Param.Name), 64)
			return err == nil && v == b.Number(k.Param.Name)
		}
	}
	return true
}

// Together says whether the handles of a knob move together. Where nobody has said, they do while they stand at one place.
func (a *App) Together(k Knob) bool {
	if on, said := a.locks[k.Stage.Name+" "+k.Param.Name]; said {
		return on
	}
	return !slices.ContainsFunc(k.Handles, func(h Handle) bool { return h.Value != k.Handles[0].Value })
}

// Lock says whether the handles of a knob move together from now on.
func (a *App) Lock(k Knob, on bool) {
	if a.locks == nil {
		a.locks = map[string]bool{}
	}
	a.locks[k.Stage.Name+" "+k.Param.Name] = on
	a.Draw()
}

// Slide moves the handle of one system to a value, and where they move together the others by as much: they keep their distances, and
// none leaves the slider.
func (a *App) Slide(k Knob, system int, value float64) {
	r := k.Param.Slide
	i := slices.IndexFunc(k.Handles, func(h Handle) bool { return h.System == system })
	if i < 0 {
		return
	}
	by := value - k.Handles[i].Value
	together := a.Together(k)
	if a.Lock(k, together); !together { // a handle that is drawn past another does not take it along
		k.Handles = k.Handles[i : i+1]
	}
	for _, h := range k.Handles { // as far as the first that reaches an end; one beyond an end holds nothing back
		if v := h.Value + by; v < r.Min && by < 0 {
			by = min(0, max(by, r.Min-h.Value))
		} else if v > r.Max && by > 0 {
			by = max(0, min(by, r.Max-h.Value))
		}
	}
	if by == 0 {
		return // the page was drawn above: the handle goes back to where it was
	}
	if a.Held == nil {
		a.Hold()
	}
	a.Turned = k.Stage.Name + " " + k.Param.Name
	a.change("set "+a.Turned, true, func(p *share.Address) {
		systems, nodes := slices.Clone(a.Systems()), a.Nodes()
		for _, h := range k.Handles {
			n := nodes[h.System]
			if n == nil {
				continue
			}
			v := math.Round((h.Value+by)*1e6) / 1e6
			if m, err := n.With(k.Stage.Name, k.Param.Name, strconv.FormatFloat(v, 'f', -1, 64)); err == nil {
				systems[h.System] = m.String()
			}
		}
		a.name(p, systems, p.Letters)
	})
}

// Hold remembers the figures as they are, when a hand goes down on a slider.
func (a *App) Hold() {
	h := &Held{}
	for i := range a.Systems() {
		score, mean := math.NaN(), math.NaN()
		if r := a.Results; r != nil && r.Judged && i < len(r.Lists) && r.Lists[i].Problem == "" {
			score = r.Lists[i].Scores[0]
		}
		if m, ok := a.Mean(i); ok {
			mean = m
		}
		h.Scores, h.Means = append(h.Scores, score), append(h.Means, mean)
	}
	a.Held = h
	a.Draw()
}

// Mean is the first measure of a system over all judged queries at the present settings, and whether it is known yet: from the report,
// or from the curve while the report waits for a slider to rest.
func (a *App) Mean(system int) (float64, bool) {
	if r := a.Report; r != nil && !a.Stale() && len(r.Columns) > 0 && system < len(r.Systems) {
		if r.Unanswered(system) {
			return 0, false
		}
		return r.Columns[0].Means[system], true
	}
	c := a.Curve
	if c == nil || a.curveKey() != a.curveOf {
		return 0, false
	}
	l := c.Line(system)
	if l == nil {
		return 0, false
	}
	v, ok := setting(a.Nodes()[system], c.Stage, c.Param)
	if !ok {
		return 0, false
	}
	return c.Value(l, v)
}

// Doubt says why a system has no figure over all judged queries, or one of which a part is not its own; ""
// where neither is so.
func (a *App) Doubt(system int) string {
	if r := a.Report; r != nil && !a.Stale() && system < len(r.Systems) {
		return r.Systems[system].Why
	}
	return ""
}

// Allowed is how many tokens searches may have backends asked for before the page asks again.
const Allowed = 200_000

// Allow lets searches spend so much.
func (a *App) Allow() {
	a.allowance = Allowed
	a.SearchAgain()
}

// MeasureAll asks backends for all judged queries, whatever that costs.
func (a *App) MeasureAll() {
	a.paying = true
	a.send(message.Evaluate)
	a.Draw()
}

// turned is the knob that was moved last, otherwise the first; nil where there is none.
func (a *App) turned() *Knob {
	knobs := a.Knobs()
	for i, k := range knobs {
		if k.Stage.Name+" "+k.Param.Name == a.Turned {
			return &knobs[i]
		}
	}
	if len(knobs) == 0 {
		return nil
	}
	return &knobs[0]
}

// curveKey names what the curve along the knob depends on: all of the systems but that knob's own values. "" for no curve.
func (a *App) curveKey() string {
	k := a.turned()
	if k == nil {
		return ""
	}
	key := a.Collection() + "\n" + k.Stage.Name + " " + k.Param.Name
	for _, n := range a.Nodes() {
		if n != nil {
			if m, err := n.With(k.Stage.Name, k.Param.Name, ""); err == nil {
				n = m
			}
			key += "\n" + n.String()
		}
	}
	for _, m := range a.Spec.Measures {
		key += "\n" + m
	}
	return key
}

// CurveFits says whether the curve is that of the present settings.
func (a *App) CurveFits() bool { return a.Curve != nil && a.curveOf == a.curveKey() }

// curveSoon asks for the curve once the settings rest, where it is another than the one that is there.
func (a *App) curveSoon() {
	if a.curveStop != nil {
		a.curveStop()
		a.curveStop = nil
	}
	if a.Screen != share.Search || a.CurveFits() || a.curveKey() == "" {
		return
	}
	a.curveStop = a.fx.After(250, func() {
		a.curveStop = nil
		if k := a.turned(); k != nil && a.Phase == Ready {
			a.curveAsked = a.curveKey()
			a.enrich()
			a.Request(message.Curve, &message.AskCurve{Spec: a.Full(), Stage: k.Stage.Name, Param: k.Param.Name})
		}
	})
}

// drawn takes the worker's curve; nil where something more urgent took its place.
func (a *App) drawn(c *experiment.Curve) {
	if c != nil {
		a.Curve, a.curveOf = c, a.curveAsked
	}
	a.curveSoon()
}
