package state

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Sliders move the parameters of the systems, and know the curve of the first measure along the one that was moved
// last.
type Sliders struct {
	engine   *Engine
	settings *Settings
	programs *Programs
	search   *Search
	figures  *Figures
	view     *View
	change   func(kind string, push bool, f func(*share.Address))

	Curve  *experiment.Curve // over all judged queries; see CurveFits
	Held   *Held             // the figures when the hand went down on a slider; nil since something else has changed
	Turned string            // stage and parameter of that slider

	curveOf    string // what Curve depends on, and what the one that was asked for does: see curveKey
	curveAsked string
	curveStop  func()
	// stage and parameter: whether the handles of a slider move together, where somebody said
	locks map[string]bool
}

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

// Knobs are the parameters of the systems that sliders move, in the order of the stages.
func (s *Sliders) Knobs() []Knob {
	nodes := s.settings.Nodes()
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

// Untouched says whether a knob stands at its default in a system.
func (s *Sliders) Untouched(k Knob, system int) bool {
	for _, b := range s.settings.Nodes()[system].Find(k.Stage.Name) {
		if b.Applies(k.Param.Name) {
			v, err := strconv.ParseFloat(b.Default(k.Param.Name), 64)
			return err == nil && v == b.Number(k.Param.Name)
		}
	}
	return true
}

// Together says whether the handles of a knob move together. Where nobody has said, they do while they stand at one
// place.
func (s *Sliders) Together(k Knob) bool {
	if on, said := s.locks[k.Stage.Name+" "+k.Param.Name]; said {
		return on
	}
	return !slices.ContainsFunc(k.Handles, func(h Handle) bool { return h.Value != k.Handles[0].Value })
}

// Lock says whether the handles of a knob move together from now on.
func (s *Sliders) Lock(k Knob, on bool) {
	if s.locks == nil {
		s.locks = map[string]bool{}
	}
	s.locks[k.Stage.Name+" "+k.Param.Name] = on
	s.view.Draw()
}

// Slide moves the handle of one system to a value, and where they move together the others by as much: they keep their
// distances, and none leaves the slider.
func (s *Sliders) Slide(k Knob, system int, value float64) {
	r := k.Param.Slide
	i := slices.IndexFunc(k.Handles, func(h Handle) bool { return h.System == system })
	if i < 0 {
		return
	}
	by := value - k.Handles[i].Value
	together := s.Together(k)
	if s.Lock(k, together); !together { // a handle that is drawn past another does not take it along
		k.Handles = k.Handles[i : i+1]
	}
	for _, h := range k.Handles { // as far as the first that reaches an end; one beyond an end holds nothing back
		if h.Value >= r.Min {
			by = max(by, r.Min-h.Value)
		}
		if h.Value <= r.Max {
			by = min(by, r.Max-h.Value)
		}
	}
	if by == 0 {
		return // the page was drawn above: the handle goes back to where it was
	}
	if s.Held == nil {
		s.Hold()
	}
	s.Turned = k.Stage.Name + " " + k.Param.Name
	s.change("set "+s.Turned, true, func(p *share.Address) {
		systems, nodes := slices.Clone(s.settings.Systems()), s.settings.Nodes()
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
		s.settings.name(p, systems, p.Letters)
	})
}

// Hold remembers the figures as they are, when a hand goes down on a slider.
func (s *Sliders) Hold() {
	h := &Held{}
	for i := range s.settings.Systems() {
		score, mean := math.NaN(), math.NaN()
		if r := s.search.Results; r != nil && r.Judged && i < len(r.Lists) && r.Lists[i].Problem == "" {
			score = r.Lists[i].Scores[0]
		}
		if m, ok := s.Mean(i); ok {
			mean = m
		}
		h.Scores, h.Means = append(h.Scores, score), append(h.Means, mean)
	}
	s.Held = h
	s.view.Draw()
}

// Mean is the first measure of a system over all judged queries at the present settings, and whether it is known yet:
// from the report, or from the curve while the report waits for a slider to rest.
func (s *Sliders) Mean(system int) (float64, bool) {
	if r := s.figures.Report; r != nil && !s.figures.Stale() && len(r.Columns) > 0 && system < len(r.Systems) {
		if r.Unanswered(system) {
			return 0, false
		}
		return r.Columns[0].Means[system], true
	}
	c := s.Curve
	if c == nil || s.curveKey() != s.curveOf {
		return 0, false
	}
	l := c.Line(system)
	if l == nil {
		return 0, false
	}
	v, ok := setting(s.settings.Nodes()[system], c.Stage, c.Param)
	if !ok {
		return 0, false
	}
	return c.Value(l, v)
}

// turned is the knob that was moved last, otherwise the first; nil where there is none.
func (s *Sliders) turned() *Knob {
	knobs := s.Knobs()
	for i, k := range knobs {
		if k.Stage.Name+" "+k.Param.Name == s.Turned {
			return &knobs[i]
		}
	}
	if len(knobs) == 0 {
		return nil
	}
	return &knobs[0]
}

// curveKey names what the curve along the knob depends on: all of the systems but that knob's own values. "" for no
// curve.
func (s *Sliders) curveKey() string {
	k := s.turned()
	if k == nil {
		return ""
	}
	key := s.settings.Collection() + "\n" + k.Stage.Name + " " + k.Param.Name
	for _, n := range s.settings.Nodes() {
		if n != nil {
			if m, err := n.With(k.Stage.Name, k.Param.Name, ""); err == nil {
				n = m
			}
			key += "\n" + n.String()
		}
	}
	for _, m := range s.settings.Spec.Measures {
		key += "\n" + m
	}
	return key
}

// CurveFits says whether the curve is that of the present settings.
func (s *Sliders) CurveFits() bool { return s.Curve != nil && s.curveOf == s.curveKey() }

// curveSoon asks for the curve once the settings rest, where it is another than the one that is there.
func (s *Sliders) curveSoon() {
	if s.curveStop != nil {
		s.curveStop()
		s.curveStop = nil
	}
	if s.settings.Screen != share.Search || s.CurveFits() || s.curveKey() == "" {
		return
	}
	s.curveStop = s.view.window.After(250, func() {
		s.curveStop = nil
		if k := s.turned(); k != nil && s.engine.Phase == Ready {
			s.curveAsked = s.curveKey()
			s.programs.enrich()
			tracing.ask(s.engine, &message.AskCurve{Spec: s.settings.Full(), Stage: k.Stage.Name, Param: k.Param.Name})
		}
	})
}

// drawn takes the worker's curve; nil where something more urgent took its place.
func (s *Sliders) drawn(c *experiment.Curve) {
	if c != nil {
		s.Curve, s.curveOf = c, s.curveAsked
	}
	s.curveSoon()
}
