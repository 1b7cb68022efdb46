package matrix

import (
	"io"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// What an outcome took is not in its JSON: neither when it was made, nor what was done by an earlier call. A resumed
// experiment has the bytes of one that ran through.

// Version is the version of the JSON form of an outcome (docs/schemas/experiment.schema.json).
const Version = 1

// JSON returns the outcome for programs: the Spec, the plan, what became of every run, where it was made, the paragraph
// and the references for a paper, and the report as rankbox compare writes it.
func (x *Outcome) JSON() ([]byte, error) {
	var report strings.Builder
	if err := export.Write(&report, x.Report, "json", export.Detail{Queries: true}); err != nil {
		return nil, err
	}
	var b strings.Builder
	j := &jsontext.Writer{To: &b}
	j.Object("", func() {
		j.Str("format", "rankbox-experiment")
		j.Int("version", Version)
		j.Str("hash", x.Hash)
		j.Object("spec", func() { x.Plan.Spec.members(j) })
		j.Object("plan", func() { x.plan(j) })
		j.List("runs", len(x.Plan.Runs), func(i int) { j.Object("", func() { x.run(j, i) }) })
		if x.Tuning != nil {
			j.Object("tuning", func() { x.tuning(j) })
		}
		if x.Families != nil {
			j.Object("families", func() { x.tuned(j) })
		}
		if x.Ablation != nil {
			j.Object("ablation", func() { x.ablation(j) })
		}
		if x.Analyses != nil {
			j.Raw("analyses", analysis.JSONOf(x.Analyses))
		}
		j.Object("provenance", func() { x.provenance(j) })
		j.Str("methods", x.Methods())
		j.Str("bibtex", x.BibTeX())
		j.Raw("report", strings.TrimSpace(report.String()))
	})
	return []byte(b.String() + "\n"), nil
}

// JSON returns the Spec as ReadSpec reads it. A config matrix comes back as the systems that it stands for.
func (s *Spec) JSON() []byte {
	var b strings.Builder
	j := &jsontext.Writer{To: &b}
	j.Object("", func() { s.members(j) })
	return []byte(b.String() + "\n")
}

func (s *Spec) members(j *jsontext.Writer) {
	if s.Collection != "" {
		j.Str("collection", s.Collection)
	}
	j.Strs("systems", s.Systems)
	if len(s.Measures) > 0 {
		j.Strs("measures", s.Measures)
	}
	if s.Baseline != "" {
		j.Str("baseline", s.Baseline)
	}
	if s.Seed != 0 {
		j.Int("seed", s.Seed)
	}
	if s.Depth != 0 {
		j.Int("depth", s.Depth)
	}
	if len(s.Thresholds) > 0 {
		j.List("thresholds", len(s.Thresholds), func(i int) { j.Num("", s.Thresholds[i]) })
	}
	if s.Policy != "" {
		j.Str("policy", s.Policy)
	}
	if s.Ablate != "" {
		j.Str("ablate", s.Ablate)
	}
	if s.Folds != 0 {
		j.Int("folds", s.Folds)
	}
	if s.Partial {
		j.Bool("partial", true)
	}
}

func (x *Outcome) plan(j *jsontext.Writer) {
	p := x.Plan
	j.Str("hash", p.Hash)
	j.Int("written", p.Written)
	j.Int("runs", len(p.Runs))
	j.Int("depth", p.Depth)
	j.Str("baseline", p.Runs[p.Baseline].Name())
	j.List("merged", len(p.Merged), func(i int) {
		j.Object("", func() {
			j.Str("written", p.Merged[i].Written)
			j.Str("run", p.Runs[p.Merged[i].Run].Name())
		})
	})
	j.List("refused", len(p.Refused), func(i int) {
		j.Object("", func() {
			j.Str("written", p.Refused[i].Written)
			j.Str("why", p.Refused[i].Why)
		})
	})
}

func (x *Outcome) run(j *jsontext.Writer, i int) {
	r, t := &x.Plan.Runs[i], &x.Status[i]
	j.Str("name", r.Name())
	j.Str("label", r.Label())
	j.Str("pipeline", r.Notation)
	tree, _ := r.node.MarshalJSON() // which never fails
	j.Raw("tree", string(tree))
	if r.Threshold != 0 {
		j.Num("threshold", r.Threshold)
	}
	j.Str("hash", r.Hash)
	j.Str("state", t.State.String())
	if t.Why != "" {
		j.Str("why", t.Why)
	}
	j.Object("queries", func() {
		j.Int("evaluated", t.Evaluated)
		j.Int("empty", t.Empty)
		j.Int("failed", t.Failed)
		j.Int("not_run", t.NotRun)
		if t.FellBack > 0 {
			j.Int("fell_back", t.FellBack)
		}
		if t.Silent > 0 {
			j.Int("no_answer", t.Silent)
		}
		if t.Strays > 0 {
			j.Int("unknown_documents", t.Strays)
		}
	})
	if t.Stages != nil {
		j.List("stages", len(t.Stages), func(k int) { j.Object("", func() { tally(j, &t.Stages[k]) }) })
	}
	if len(t.Asked) > 0 {
		j.Strs("remote", t.Asked)
	}
	if t.Unconfirmed != "" {
		j.Str("unconfirmed", t.Unconfirmed)
	}
	j.List("without_list", len(x.Failures[i]), func(k int) {
		f := x.Failures[i][k]
		j.Object("", func() {
			j.Str("query", f.Query)
			j.Str("state", f.State.String())
			if f.Why != "" {
				j.Str("why", f.Why)
			}
		})
	})
}

// tally is what a stage did, queries by state.
func tally(j *jsontext.Writer, t *stage.Tally) {
	j.Str("stage", t.Stage)
	j.Int("did", t.Queries[stage.Did])
	j.Int("nothing", t.Queries[stage.Nothing])
	j.Int("failed", t.Queries[stage.Failed])
	j.Int("below", t.Queries[stage.Below])
	if t.Moved >= 0 {
		j.Int("moved", t.Moved)
	}
	if t.Below > 0 {
		j.Int("documents_below", t.Below)
	}
	if t.Why != "" {
		j.Str("why", t.Why)
	}
}

func (x *Outcome) tuning(j *jsontext.Writer) {
	t := x.Tuning
	j.Str("best", x.Report.Systems[t.Best].Label)
	j.Num("tuned", t.Tuned)
	j.Num("held_out", t.HeldOut)
	j.Num("optimism", t.Optimism)
	j.List("choices", len(t.Choices), func(i int) { j.Str("", x.Report.Systems[t.Choices[i]].Label) })
	j.Num("baseline", t.Baseline)
	j.Num("gain", t.Gain)
	j.Num("low", t.Low)
	j.Num("high", t.High)
	x.noInterval(j, t.Low)
	j.Num("p", t.P)
	j.Bool("baseline_within_noise_of_best", t.WithinBest)
}

// tuned are the systems that were tuned, each by itself and all together.
func (x *Outcome) tuned(j *jsontext.Writer) {
	f := x.Families
	j.Num("held_out", f.HeldOut)
	j.Num("optimism", f.Optimism)
	j.List("choices", len(f.Choices), func(i int) { j.Str("", x.Report.Systems[f.Choices[i]].Label) })
	j.List("systems", len(f.Families), func(i int) {
		a := f.Families[i]
		j.Object("", func() {
			j.Str("best", x.Report.Systems[a.Best].Label)
			j.Int("runs", len(a.Runs))
			j.Num("tuned", a.Tuned)
			j.Num("held_out", a.HeldOut)
			j.Num("optimism", a.Optimism)
			if a.Default >= 0 {
				j.Str("default", x.Report.Systems[a.Default].Label)
				j.Bool("default_within_noise_of_best", a.WithinBest)
			}
		})
	})
}

// noInterval says why a difference has no interval, if its lower end is not a number.
func (x *Outcome) noInterval(j *jsontext.Writer, low float64) {
	if low != low {
		j.Str("no_interval", report.NoDifference(x.Report.Measures[0], len(x.Report.Queries)))
	}
}

func (x *Outcome) ablation(j *jsontext.Writer) {
	a := x.Ablation
	j.Str("pipeline", a.Pipeline)
	j.Num("full", a.Full)
	j.Num("bare", a.Bare)
	if a.Orders > 0 {
		j.Int("orders", a.Orders)
	}
	j.List("stages", len(a.Stages), func(i int) {
		s := a.Stages[i]
		j.Object("", func() {
			j.Str("stage", s.Stage)
			j.Num("lost", s.Lost)
			j.Num("low", s.Low)
			j.Num("high", s.High)
			x.noInterval(j, s.Low)
			j.Num("p_holm", s.P)
			j.Num("alone", s.Alone)
			j.Num("shapley", s.Shapley)
			if a.Orders > 0 {
				j.Num("shapley_error", s.Error)
			}
			j.Str("without", s.Without)
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
		s := "Chosen on these queries, " + x.Report.Systems[t.Best].Label + " has " + m + " " +
			say.Plain.Number(t.Tuned, 4) + "; chosen on others (" + strconv.Itoa(len(t.Choices)) + " folds, " +
			say.Count(len(chosen), "choice", "choices") +
			"), " + say.Plain.Number(t.HeldOut, 4) + ": choosing flatters by " + say.Plain.Number(t.Optimism, 4) + "."
		s += " Against the baseline the held-out change is " + say.Plain.Signed(t.HeldOut-t.Baseline, 4) +
			", 95 % interval " + say.Plain.Span(t.Low, t.High, 4) + ", " + say.Plain.PIs(t.P) + "."
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
			s := "  " + x.Report.Systems[a.Best].Label + " is the best of " + strconv.Itoa(len(a.Runs)) + ": " +
				say.Plain.Number(a.Tuned, 4) + " tuned, " + say.Plain.Number(a.HeldOut, 4) + " held out, optimism " +
				say.Plain.Signed(a.Optimism, 4) + "."
			switch {
			case a.Default == a.Best:
				s += " It is the default."
			case a.Default >= 0 && a.WithinBest:
				s += " The default, " + x.Report.Systems[a.Default].Label + ", is not significantly different."
			case a.Default >= 0:
				s += " The default, " + x.Report.Systems[a.Default].Label + ", is significantly worse."
			}
			out = append(out, s)
		}
		if len(f.Families) > 1 {
			out = append(out, "Choosing the system and its values on other queries, nested, gives "+
				say.Plain.Number(f.HeldOut, 4)+": choosing both flatters by "+say.Plain.Number(f.Optimism, 4)+".")
		}
	}
	if a := x.Ablation; a != nil {
		out = append(out, a.Pipeline+" has "+m+" "+say.Plain.Number(a.Full, 4)+", and "+say.Plain.Number(a.Bare, 4)+
			" with all of its parts left out. What each is worth:")
		for _, s := range a.Stages {
			out = append(out, "  "+s.Stage+": "+say.Plain.Signed(s.Lost, 4)+" (95 % interval "+say.Plain.Span(s.Low,
				s.High, 4)+", "+say.Plain.PIs(s.P)+" after Holm) as against leaving it out; "+
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

func (x *Outcome) provenance(j *jsontext.Writer) {
	c := x.Collection
	j.Object("collection", func() {
		j.Str("id", c.ID)
		j.Str("name", c.Name)
		j.Str("hash", c.Hash)
		j.Str("licence", c.Licence)
		j.Int("documents", c.Documents)
		j.Int("queries", c.Queries)
		j.Int("judgments", c.Judgments)
		j.Str("analyzer", c.Analyzer)
	})
	j.List("models", len(x.Models), func(i int) {
		j.Object("", func() {
			j.Str("name", x.Models[i].Name)
			j.Str("label", x.Models[i].Label)
			j.Str("revision", x.Models[i].Revision)
		})
	})
	j.Int("seed", x.Plan.Spec.Seed)
	j.Str("program", x.From.Program)
	j.Str("device", x.From.Device)
}

// fewRuns is of how many runs all say what their stages did. Of more only those do in which a stage did less than its
// work.
const fewRuns = 12

// WriteText writes the outcome for a terminal: what became of the runs, the report, and what was shared.
func (x *Outcome) WriteText(w io.Writer) error {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	for i := range x.Plan.Runs {
		t := &x.Status[i]
		said := t.SayUnanswered()
		if said == "" || t.State == Broken {
			continue
		}
		if t.State == Completed {
			said += ": its figures are partial"
		} else {
			said += ", so it has no figures"
		}
		line(x.Plan.Runs[i].Name(), ": ", said, ".")
	}
	line(say.Visible(x.Collection.Name), ": ", x.Plan.Said(), ".")
	for _, m := range x.Plan.Merged {
		line("  ", say.Visible(m.Said(x.Plan)))
	}
	for _, r := range x.Plan.Refused {
		line("  not run: ", say.Visible(brief(r.Written)), ": ", say.Visible(r.Why))
	}
	if x.Unablated != "" {
		line("  ablate: ", say.Visible(x.Unablated))
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
		line(text, " (", strconv.Itoa(t.Evaluated), " evaluated, ", strconv.Itoa(t.Empty), " empty, ",
			strconv.Itoa(t.Failed), " failed, ", strconv.Itoa(t.NotRun), " not run)")
	}
	for i := range x.Status {
		var did []string
		plain := true
		for k := range x.Status[i].Stages {
			t := &x.Status[i].Stages[k]
			plain = plain && t.Plain()
			if text := t.Said(); text != "" {
				did = append(did, say.Visible(text))
			}
		}
		if len(did) > 0 && (!plain || len(x.Status) <= fewRuns) {
			line("  ", x.Plan.Runs[i].Name(), ": ", strings.Join(did, " · "))
		}
	}
	for i, t := range x.Status {
		if text := t.Remote(); text != "" {
			line("  ", x.Plan.Runs[i].Name(), ": ", say.Visible(text))
		}
	}
	if x.Reused > 0 {
		line("  ", say.Count(x.Reused, "ranking was", "rankings were"), " taken from another run that begins alike; ",
			say.Count(x.Made, "was", "were"), " made for several.")
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
