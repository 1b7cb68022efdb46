// Package experiment is the Experiment screen without its looks: systems with alternatives are written, the worker says
// which runs that makes and about how long they take, runs them a moment at a time, and what is done stays done. It
// plans, runs and measures nothing itself.
//
// Order of the pipeline: a line is typed → the plan is asked for once the hand rests → Start → answer after answer
// until all is over, or it is stopped → Compare takes the runs.
package experiment

import (
	"strings"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// ID is the name of the screen.
const ID share.Screen = "experiment"

// rest is how many milliseconds nothing is typed before the plan is asked for.
const rest = 250

// longest is how many characters of a Spec are taken.
const longest = 20000

// Written is an experiment as it is typed.
type Written struct {
	Systems, Measures, Baseline string
	Answers                     string // hash of what backends answered, as the edge keeps it; "" for none
}

// Experiment is the screen.
type Experiment struct {
	App *state.App
	Written
	Done    *message.Experimented // the last answer, nil before the first
	Running bool
	about   Written // what Done is about
	over    string  // content hash of the collection that Done is about
	named   Named   // the collection that the link asked for
	first   Written
	asked   bool
	chosen  bool   // the baseline was typed, or came with a link
	later   func() // stops the timer
	renew   bool   // the next question is asked of backends as they are now

	Helpers Helpers
}

// New is the screen as it begins.
func New(a *state.App, first Written) *Experiment {
	x := &Experiment{App: a, Written: first, first: first}
	x.Helpers = Helpers{app: a, matrix: x.Matrix, goOn: x.goOn}
	return x
}

// ID is the name of the screen.
func (x *Experiment) ID() share.Screen { return ID }

// Save returns what was typed.
func (x *Experiment) Save() any { return x.Written }

// Restore puts it back.
func (x *Experiment) Restore(saved any) {
	if w := saved.(Written); w != x.Written {
		x.Written, x.Running = w, false
		x.Helpers.dismiss()
		x.soon()
	}
}

// Fragment is what was typed, as a link.
func (x *Experiment) Fragment() (string, bool) {
	other := x.App.Settings.Collection() != x.App.Settings.Default
	switch {
	case x.Written == x.first && !other:
		return "", true
	case other:
		return "#" + x.link() + x.aboutLink(), true
	}
	return "#" + x.link(), true
}

// link writes it: experiment=, the systems, and the measures, the baseline and the answers of backends where there are
// any.
func (x *Experiment) link() string {
	s := "experiment=" + escape(x.Systems)
	if x.Measures != "" {
		s += "&m=" + escape(x.Measures)
	}
	if x.Baseline != "" {
		s += "&b=" + escape(x.Baseline)
	}
	if x.Answers != "" {
		s += "&a=" + x.Answers
	}
	return s
}

// ReadLink takes what link and aboutLink wrote. A link without a collection is about the site's first one.
func (x *Experiment) ReadLink(fragment string) {
	w, n := Written{}, Named{}
	for i, part := range strings.Split(fragment, "&") {
		name, value, _ := strings.Cut(part, "=")
		text, ok := unescape(value)
		if !ok || len(text) > longest {
			x.App.Notices.Problem = &message.Problem{What: "This link could not be opened: it is cut off or damaged.",
				Where: "the part of the address after #", Do: "Ask for the link again, or write the systems below."}
			return
		}
		switch {
		case i == 0:
			w.Systems = text
		case name == "m":
			w.Measures = text
		case name == "b":
			w.Baseline = text
		case name == "a" && isHash(text):
			w.Answers = text
		default:
			n.read(name, text)
		}
	}
	if n.ID == x.App.Settings.Default {
		x.App.Settings.Spec.Collection = "" // as the page says it
	} else {
		x.App.Settings.Spec.Collection = n.ID
	}
	x.App.Settings.Spec.Hash = ""
	x.Written, x.named, x.Done, x.asked, x.chosen = w, n, nil, false, true
}

// CopyLink puts the link onto the clipboard.
func (x *Experiment) CopyLink() bool {
	x.App.Sharing.CopyText(x.App.Browser.Origin() + state.Path(ID) + "#" + x.link() + x.aboutLink())
	return true
}

// Matrix is the experiment as the worker takes it: a system a line, or one Spec in JSON.
func (x *Experiment) Matrix() message.Matrix {
	m := message.Matrix{Measures: strings.Fields(x.Measures), Baseline: strings.TrimSpace(x.Baseline),
		Answers: x.Answers}
	if strings.HasPrefix(strings.TrimSpace(x.Systems), "{") {
		m.Systems = []string{x.Systems}
		return m
	}
	for _, line := range strings.Split(x.Systems, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			m.Systems = append(m.Systems, line)
		}
	}
	return m
}

// Write takes what is typed. What is at work stops: it was about something else.
func (x *Experiment) Write(w Written) {
	if w == x.Written || len(w.Systems) > longest {
		return
	}
	x.App.History.Keep(x.App.History.Present(), "experiment")
	x.chosen = x.chosen || w.Baseline != x.Baseline && w.Systems == x.Systems
	w.Answers = "" // they are of what was written before
	x.Written, x.Running = w, false
	x.Helpers.dismiss()
	x.App.Location.Write(false)
	x.soon()
	x.App.View.Draw()
}

// Look asks for the plan where nobody has yet and the collection is there. It may be called whenever the screen is
// drawn.
func (x *Experiment) Look() {
	x.elsewhere()
	if !x.asked && x.App.Engine.Phase == state.Ready && x.App.Engine.Opened != nil && x.Missing() == nil {
		if x.App.Engine.Opened.Ref.Elsewhere && x.Written == x.first { // what it begins with needs documents
			x.Systems, x.Baseline = strings.Join(x.App.Settings.Full().Systems, "\n"), ""
		}
		x.asked = true
		x.soon()
	}
}

// soon asks for the plan once the hand rests.
func (x *Experiment) soon() {
	if x.later != nil {
		x.later()
	}
	x.later = x.App.Browser.After(rest, func() {
		x.later = nil
		if !x.Running {
			x.send(false)
			x.App.View.Draw()
		}
	})
}

func (x *Experiment) send(on bool) {
	m := x.Matrix()
	if x.App.Engine.Opened == nil || len(m.Systems) == 0 || x.Missing() != nil {
		x.Running, x.Done = false, nil
		return
	}
	x.asked, x.about, x.over = true, x.Written, x.App.Engine.Opened.Ref.Hash
	x.App.Browser.Enrich() // no other program runs experiments
	x.Helpers.idle = false
	x.App.Engine.Request(message.Experiment, &message.AskExperiment{Matrix: m, Go: on, Renew: x.renew, Of: x.Helpers.of,
		Away:  x.Helpers.away(),
		Lists: x.Helpers.lists})
	x.Helpers.lists, x.renew = nil, false
}

// Start runs what is not done yet.
func (x *Experiment) Start() {
	if x.Waiting() {
		x.Helpers.hire(nil)
	} else {
		x.Helpers.hire(x.Done)
	}
	x.Running = true
	x.send(true)
	x.App.View.Draw()
}

// Renew asks backends that changed since the figures were made anew, for all of their runs. The link no longer
// names what they answered.
func (x *Experiment) Renew() {
	x.Answers, x.renew = "", true
	x.App.Location.Write(false)
	x.Start()
}

// KeepAnswers has the edge keep what its backends answered, so that the link shows these figures to whoever opens it.
func (x *Experiment) KeepAnswers() {
	x.App.Engine.Request(message.Experiment, &message.AskExperiment{Matrix: x.Matrix(), Keep: true})
	x.App.View.Draw()
}

// Stop lets go of it; what is done is kept.
func (x *Experiment) Stop() {
	x.Running = false
	x.Helpers.dismiss()
	if len(x.Helpers.lists) > 0 { // what others have done is kept too
		x.send(false)
	}
	x.App.View.Draw()
}

// goOn has the first worker go on where it waited for the others.
func (x *Experiment) goOn() {
	if x.Helpers.idle && x.Running {
		x.send(true)
	}
}

// Takes says which replies are the screen's.
func (x *Experiment) Takes(k message.Kind) bool { return k == message.Experiment }

// Receive takes how far it is, and goes on.
func (x *Experiment) Receive(r message.Reply) {
	d, ok := r.Answer.(*message.Experimented)
	if !ok {
		x.Running = false
		x.Helpers.dismiss()
		return
	}
	if d.Member == "baseline" && !x.chosen && x.Baseline != "" { // the one that stood there belongs to other systems
		x.Baseline = ""
		x.App.Location.Write(false)
		x.send(x.Running)
		return
	}
	x.Helpers.counted(d)
	x.Done = d
	if d.Answers != "" && d.Answers != x.Answers { // the link has them from now on
		x.Answers, x.about.Answers = d.Answers, d.Answers
		x.App.Location.Write(false)
	}
	x.App.Engine.Worked()
	switch {
	case d.Problem != "" || d.Over || d.Note != "" && d.Lasting:
		x.Running = false
		x.Helpers.dismiss()
	case x.Running && d.Waits && len(x.Helpers.lists) == 0 && len(x.Helpers.away()) > 0:
		x.Helpers.idle = true
	case x.Running:
		x.send(true)
	}
}

// Again asks a new worker: it finds what the last one kept.
func (x *Experiment) Again() {
	if x.Running || x.asked {
		x.send(x.Running)
	}
}

// Waiting says whether the plan of what is typed is on its way.
func (x *Experiment) Waiting() bool { return x.Done == nil || x.about != x.Written || x.later != nil }

// CanCompare says whether there are runs to compare.
func (x *Experiment) CanCompare() bool {
	if x.Done == nil || !x.Done.Over || x.Waiting() {
		return false
	}
	for _, r := range x.Done.Runs {
		if r.State == "completed" {
			return true
		}
	}
	return false
}

// Compare shows the runs on the Compare screen.
func (x *Experiment) Compare() {
	if c, ok := x.App.Screens.Other(share.Compare).(interface{ UseExperiment(message.Matrix) }); ok {
		c.UseExperiment(x.Matrix())
	}
}

// isHash reports whether a text is a SHA-256 as links write it.
func isHash(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

const hex = "0123456789ABCDEF"

// escape percent-encodes every byte but letters and digits.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("-_.,()@", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

// unescape undoes it.
func unescape(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		h, l := strings.IndexByte(hex, upper(s[i+1])), strings.IndexByte(hex, upper(s[i+2]))
		if h < 0 || l < 0 {
			return "", false
		}
		b.WriteByte(byte(h<<4 | l))
		i += 2
	}
	return strings.ToValidUTF8(b.String(), ""), true
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'f' {
		return c - 'a' + 'A'
	}
	return c
}
