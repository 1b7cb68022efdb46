package matrix

import (
	"io"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/say"
)

// Version is the version of the JSON form of an outcome (docs/schemas/experiment.schema.json).
const Version = 1

// object writes the members of a JSON object in the order in which they are given.
type object struct {
	b     *strings.Builder
	comma bool
}

func (o *object) raw(key, value string) {
	if o.comma {
		o.b.WriteByte(',')
	}
	o.comma = true
	if key != "" {
		o.b.WriteString(jsontext.Quote(key) + ":")
	}
	o.b.WriteString(value)
}

func (o *object) text(key, value string) { o.raw(key, jsontext.Quote(value)) }
func (o *object) int(key string, v int)  { o.raw(key, strconv.Itoa(v)) }

func (o *object) texts(key string, values []string) {
	o.list(key, len(values), func(l *object, i int) { l.text("", values[i]) })
}

func (o *object) inside(key string, f func(*object)) {
	var b strings.Builder
	f(&object{b: &b})
	o.raw(key, "{"+b.String()+"}")
}

func (o *object) list(key string, n int, f func(l *object, i int)) {
	var b strings.Builder
	l := &object{b: &b}
	for i := range n {
		f(l, i)
	}
	o.raw(key, "["+b.String()+"]")
}

// JSON returns the outcome for programs: the Spec, the plan, what became of every run, where it was made, the paragraph and the references for
// a paper, and the report as rankbox compare writes it.
func (x *Outcome) JSON() ([]byte, error) {
	var report strings.Builder
	if err := export.Write(&report, x.Report, "json", export.Detail{Queries: true}); err != nil {
		return nil, err
	}
	var b strings.Builder
	top := &object{b: &b}
	top.inside("", func(o *object) {
		o.text("format", "rankbox-experiment")
		o.int("version", Version)
		o.text("hash", x.Hash)
		o.inside("spec", x.Plan.Spec.members)
		o.inside("plan", x.plan)
		o.list("runs", len(x.Plan.Runs), func(l *object, i int) { l.inside("", func(o *object) { x.run(o, i) }) })
		o.inside("shared", func(o *object) {
			o.int("rankings_made", x.Made)
			o.int("rankings_reused", x.Reused)
		})
		if x.Tuning != nil {
			o.inside("tuning", x.tuning)
		}
		if x.Families != nil {
			o.inside("families", x.tuned)
		}
		if x.Ablation != nil {
			o.inside("ablation", x.ablation)
		}
		if x.Analyses != nil {
			o.raw("analyses", analysis.JSONOf(x.Analyses))
		}
		o.inside("provenance", x.provenance)
		o.text("methods", x.Methods())
		o.text("bibtex", x.BibTeX())
		o.raw("report", strings.TrimSpace(report.String()))
	})
	return []byte(b.String() + "\n"), nil
}

// JSON returns the Spec as ReadSpec reads it. A config matrix comes back as the systems that it stands for.
func (s *Spec) JSON() []byte {
	var b strings.Builder
	(&object{b: &b}).inside("", s.members)
	return []byte(b.String() + "\n")
}

func (s *Spec) members(o *object) {
	if s.Collection != "" {
		o.text("collection", s.Collection)
	}
	o.texts("systems", s.Systems)
	if len(s.Measures) > 0 {
		o.texts("measures", s.Measures)
	}
	if s.Baseline != "" {
		o.text("baseline", s.Baseline)
	}
	if s.Seed != 0 {
		o.int("seed", s.Seed)
	}
	if s.Depth != 0 {
		o.int("depth", s.Depth)
	}
	if len(s.Thresholds) > 0 {
		o.list("thresholds", len(s.Thresholds), func(l *object, i int) { l.raw("", say.Exact(s.Thresholds[i])) })
	}
	if s.Policy != "" {
		o.text("policy", s.Policy)
	}
	if s.Ablate != "" {
		o.text("ablate", s.Ablate)
	}
	if s.Folds != 0 {
		o.int("folds", s.Folds)
	}
}

func (x *Outcome) plan(o *object) {
	p := x.Plan
	o.text("hash", p.Hash)
	o.int("written", p.Written)
	o.int("runs", len(p.Runs))
	o.int("depth", p.Depth)
	o.text("baseline", p.Runs[p.Baseline].Name())
	o.list("merged", len(p.Merged), func(l *object, i int) {
		l.inside("", func(o *object) {
			o.text("written", p.Merged[i].Written)
			o.text("run", p.Runs[p.Merged[i].Run].Name())
		})
	})
	o.list("refused", len(p.Refused), func(l *object, i int) {
		l.inside("", func(o *object) {
			o.text("written", p.Refused[i].Written)
			o.text("why", p.Refused[i].Why)
		})
	})
}

func (x *Outcome) run(o *object, i int) {
	r, t := &x.Plan.Runs[i], &x.Status[i]
	o.text("name", r.Name())
	o.text("label", r.Label())
	o.text("pipeline", r.Notation)
	if r.Threshold != 0 {
		o.raw("threshold", say.Exact(r.Threshold))
	}
	o.text("hash", r.Hash)
	o.text("state", t.State.String())
	if t.Why != "" {
		o.text("why", t.Why)
	}
	o.inside("queries", func(o *object) {
		o.int("evaluated", t.Evaluated)
		o.int("empty", t.Empty)
		o.int("failed", t.Failed)
		o.int("not_run", t.NotRun)
		o.int("kept", t.Kept)
		if t.FellBack > 0 {
			o.int("fell_back", t.FellBack)
		}
	})
	if len(t.Asked) > 0 {
		o.texts("remote", t.Asked)
	}
	o.list("without_list", len(x.Failures[i]), func(l *object, k int) {
		f := x.Failures[i][k]
		l.inside("", func(o *object) {
			o.text("query", f.Query)
			o.text("state", f.State.String())
			if f.Why != "" {
				o.text("why", f.Why)
			}
		})
	})
}

func (o *object) num(key string, v float64) {
	if s := say.Exact(v); s != "" {
		o.raw(key, s)
		return
	}
	o.raw(key, "null")
}

func (x *Outcome) tuning(o *object) {
	t := x.Tuning
	o.text("best", x.Report.Systems[t.Best].Label)
	o.num("tuned", t.Tuned)
	o.num("held_out", t.HeldOut)
	o.num("optimism", t.Optimism)
	o.list("choices", len(t.Choices), func(l *object, i int) { l.text("", x.Report.Systems[t.Choices[i]].Label) })
	o.num("baseline", t.Baseline)
	o.num("gain", t.Gain)
	o.num("low", t.Low)
	o.num("high", t.High)
	o.num("p", t.P)
	o.raw("baseline_within_noise_of_best", strconv.FormatBool(t.WithinBest))
}

// tuned are the systems that were tuned, each by itself and all together.
func (x *Outcome) tuned(o *object) {
	f := x.Families
	o.num("held_out", f.HeldOut)
	o.num("optimism", f.Optimism)
	o.list("choices", len(f.Choices), func(l *object, i int) { l.text("", x.Report.Systems[f.Choices[i]].Label) })
	o.list("systems", len(f.Families), func(l *object, i int) {
		a := f.Families[i]
		l.inside("", func(o *object) {
			o.text("best", x.Report.Systems[a.Best].Label)
			o.int("runs", len(a.Runs))
			o.num("tuned", a.Tuned)
			o.num("held_out", a.HeldOut)
			o.num("optimism", a.Optimism)
			if a.Default >= 0 {
				o.text("default", x.Report.Systems[a.Default].Label)
				o.raw("default_within_noise_of_best", strconv.FormatBool(a.WithinBest))
			}
		})
	})
}

func (x *Outcome) ablation(o *object) {
	a := x.Ablation
	o.text("pipeline", a.Pipeline)
	o.num("full", a.Full)
	o.num("bare", a.Bare)
	if a.Orders > 0 {
		o.int("orders", a.Orders)
	}
	o.list("stages", len(a.Stages), func(l *object, i int) {
		s := a.Stages[i]
		l.inside("", func(o *object) {
			o.text("stage", s.Stage)
			o.num("lost", s.Lost)
			o.num("low", s.Low)
			o.num("high", s.High)
			o.num("p_holm", s.P)
			o.num("alone", s.Alone)
			o.num("shapley", s.Shapley)
			if a.Orders > 0 {
				o.num("shapley_error", s.Error)
			}
			o.text("without", s.Without)
		})
	})
}

// analyses are what is said of tuning and ablation.
func (x *Outcome) analyses() (out []string) {
	m := x.Report.Measures[0]
	if t := x.Tuning; t != nil {
		chosen := map[int]bool{}
		for _, c := range t.Choices {
			chosen[c] = true
		}
		s := "Chosen on these queries, " + x.Report.Systems[t.Best].Label + " has " + m + " " + say.Plain.Number(t.Tuned, 4) + "; chosen on others (" + strconv.Itoa(len(t.Choices)) + " folds, " + say.Count(len(chosen), "choice", "choices") +
			"), " + say.Plain.Number(t.HeldOut, 4) + ": choosing flatters by " + say.Plain.Number(t.Optimism, 4) + "."
		s += " Against the baseline the held-out change is " + say.Plain.Signed(t.HeldOut-t.Baseline, 4) + ", 95 % interval " + say.Plain.Signed(t.Low, 4) + " to " + say.Plain.Signed(t.High, 4) + ", p " + say.Plain.EqualP(t.P) + "."
		if t.WithinBest {
			s += " The baseline is within the noise of the best."
		}
		out = append(out, s)
	}
	if f := x.Families; f != nil {
		for _, a := range f.Families {
			if len(a.Runs) < 2 {
				continue
			}
			s := "  " + x.Report.Systems[a.Best].Label + " is the best of " + strconv.Itoa(len(a.Runs)) + ": " + say.Plain.Number(a.Tuned, 4) + " tuned, " + say.Plain.Number(a.HeldOut, 4) + " held out, optimism " + say.Plain.Signed(a.Optimism, 4) + "."
			switch {
			case a.Default == a.Best:
				s += " It is the default."
			case a.Default >= 0 && a.WithinBest:
				s += " The default, " + x.Report.Systems[a.Default].Label + ", is within the noise of it."
			case a.Default >= 0:
				s += " The default, " + x.Report.Systems[a.Default].Label + ", is worse by more than chance."
			}
			out = append(out, s)
		}
		if len(f.Families) > 1 {
			out = append(out, "Choosing the system and its values on other queries, nested, gives "+say.Plain.Number(f.HeldOut, 4)+": choosing both flatters by "+say.Plain.Number(f.Optimism, 4)+".")
		}
	}
	if a := x.Ablation; a != nil {
		out = append(out, a.Pipeline+" has "+m+" "+say.Plain.Number(a.Full, 4)+", and "+say.Plain.Number(a.Bare, 4)+" with all of its parts left out. What each is worth:")
		for _, s := range a.Stages {
			out = append(out, "  "+s.Stage+": "+say.Plain.Signed(s.Lost, 4)+" (95 % interval "+say.Plain.Signed(s.Low, 4)+" to "+say.Plain.Signed(s.High, 4)+", p "+say.Plain.EqualP(s.P)+" after Holm) as against leaving it out; "+
				say.Plain.Signed(s.Alone, 4)+" alone; Shapley value "+say.Plain.Signed(s.Shapley, 4)+x.off(s))
		}
	}
	return out
}

// off is how far a Shapley value that was sampled may be off.
func (x *Outcome) off(s Worth) string {
	if x.Ablation.Orders == 0 {
		return ""
	}
	return " ± " + say.Plain.Number(1.96*s.Error, 4) + " (" + strconv.Itoa(x.Ablation.Orders) + " orders)"
}

func (x *Outcome) provenance(o *object) {
	c := x.Collection
	o.inside("collection", func(o *object) {
		o.text("id", c.ID)
		o.text("name", c.Name)
		o.text("hash", c.Hash)
		o.text("licence", c.Licence)
		o.int("documents", c.Documents)
		o.int("queries", c.Queries)
		o.int("judgments", c.Judgments)
		o.text("analyzer", c.Analyzer)
	})
	o.list("models", len(x.Models), func(l *object, i int) {
		l.inside("", func(o *object) {
			o.text("name", x.Models[i].Name)
			o.text("label", x.Models[i].Label)
			o.text("revision", x.Models[i].Revision)
		})
	})
	o.int("seed", x.Plan.Spec.Seed)
	o.text("program", x.From.Program)
	o.text("device", x.From.Device)
	o.text("date", x.From.Date)
}

// WriteText writes the outcome for a terminal: what became of the runs, the report, and what was shared.
func (x *Outcome) WriteText(w io.Writer) error {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line(say.Visible(x.Collection.Name), ": ", x.Plan.Said(), ".")
	for _, m := range x.Plan.Merged {
		line("  ", say.Visible(brief(m.Written)), " is the same as ", x.Plan.Runs[m.Run].Name())
	}
	for _, r := range x.Plan.Refused {
		line("  not run: ", say.Visible(brief(r.Written)), ": ", say.Visible(r.Why))
	}
	for i := range x.Plan.Runs {
		t := &x.Status[i]
		if t.State == Completed && t.Empty+t.Failed == 0 {
			continue
		}
		text := "  " + x.Plan.Runs[i].Name() + ": " + t.State.String()
		if t.Why != "" {
			text += ", " + say.Visible(t.Why)
		}
		line(text, " (", strconv.Itoa(t.Evaluated), " evaluated, ", strconv.Itoa(t.Empty), " empty, ", strconv.Itoa(t.Failed), " failed, ", strconv.Itoa(t.NotRun), " not run)")
	}
	for i, t := range x.Status {
		if text := t.Remote(); text != "" {
			line("  ", x.Plan.Runs[i].Name(), ": ", say.Visible(text))
		}
	}
	if x.Reused > 0 {
		line("  ", say.Count(x.Reused, "ranking was", "rankings were"), " taken from another run that begins alike; ", say.Count(x.Made, "was", "were"), " made for several.")
	}
	line()
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if err := export.Write(w, x.Report, "text", export.Detail{}); err != nil {
		return err
	}
	more := ""
	for _, s := range x.analyses() {
		more += "\n" + s
	}
	if more != "" {
		more += "\n"
	}
	for i := range x.Analyses {
		more += "\n" + x.Analyses[i].Title + ": " + say.Visible(x.Analyses[i].Sentence) + "\n"
	}
	_, err := io.WriteString(w, more+"\nExperiment "+ID(x.Hash)+", report "+ID(x.Report.Hash)+".\n")
	return err
}
