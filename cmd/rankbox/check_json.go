package main

import (
	"encoding/json"
	"io"
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// checkVersion is the version of the form of -o json, as docs/schemas/check.schema.json has it.
const checkVersion = 1

// verdictJSON is the verdict of rankbox check.
type verdictJSON struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	Name     string            `json:"name"`
	Passed   bool              `json:"passed"`
	Failed   int               `json:"failed"`
	Queries  []checkedQuery    `json:"queries"`
	Gates    []checkedGate     `json:"gates"`
	Measures []measuredVerdict `json:"measures"`
	Tags     []taggedVerdict   `json:"tags"`
	Flaky    []string          `json:"flaky"`
	Audit    []auditJSON       `json:"audit"`
	Sweep    *sweepJSON        `json:"sweep"`
	Warnings []string          `json:"warnings"`
	Hash     string            `json:"hash"`
}

type checkedQuery struct {
	Query   string   `json:"query"`
	Text    string   `json:"text"`
	Passed  bool     `json:"passed"`
	Reasons []string `json:"reasons"`
	Found   []string `json:"found"`
}

type checkedGate struct {
	Gate   string   `json:"gate"`
	Passed bool     `json:"passed"`
	Value  *float64 `json:"value"`
	Old    *float64 `json:"old"`
	P      *float64 `json:"p"`
	// of the value: a mean, or a change
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Missing string   `json:"no_interval,omitempty"`
	Against string   `json:"against"`
	Queries int      `json:"queries"`

	Detectable  *float64 `json:"detectable"`
	FalseAlarms *float64 `json:"false_alarms"`
}

type auditJSON struct {
	Kind     string   `json:"kind"`
	Sentence string   `json:"sentence"`
	Queries  []string `json:"queries"`
}

type taggedVerdict struct {
	Tag      string       `json:"tag"`
	Queries  int          `json:"queries"`
	Expects  int          `json:"expecting"`
	Passed   int          `json:"passed"`
	Measures []taggedMean `json:"measures"`
}

type taggedMean struct {
	Measure string   `json:"measure"`
	Queries int      `json:"queries"`
	Mean    *float64 `json:"mean"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Missing string   `json:"no_interval,omitempty"`
}

type sweepJSON struct {
	Without    int            `json:"without_answer"`
	With       int            `json:"with_answer"`
	Thresholds []sweptJSON    `json:"thresholds"`
	Guarantee  *guaranteeJSON `json:"guarantee"`
}

type sweptJSON struct {
	Score          float64 `json:"score"`
	FalsePositives int     `json:"false_positives"`
	Recall         float64 `json:"recall"`
}

type guaranteeJSON struct {
	Score  float64 `json:"score"`
	Risk   float64 `json:"risk"`
	Recall float64 `json:"recall"`
}

type measuredVerdict struct {
	Measure     string       `json:"measure"`
	Mean        *float64     `json:"mean"`
	Low         *float64     `json:"low"`
	High        *float64     `json:"high"`
	Missing     string       `json:"no_interval,omitempty"`
	Queries     int          `json:"queries"`
	Detectable  *float64     `json:"detectable"`
	Spread      *float64     `json:"spread"`
	Assumed     string       `json:"assumed"`
	FalseAlarms *float64     `json:"false_alarms"`
	Change      *changeJSON  `json:"change"`
	Changes     []changeJSON `json:"changes"`
	Moved       []movedQuery `json:"moved"`
}

type changeJSON struct {
	Against string   `json:"against"`
	Verdict string   `json:"verdict"`
	Old     *float64 `json:"old"`
	New     *float64 `json:"new"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Missing string   `json:"no_interval,omitempty"`
	P       *float64 `json:"p"`
	Test    string   `json:"test"`
}

type movedQuery struct {
	Query string  `json:"query"`
	Old   float64 `json:"old"`
	New   float64 `json:"new"`
}

// finite is a number as JSON has it: null if it is none.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// json writes the verdict for programs.
func (x *checking) json(w io.Writer, r *report.Report, v gates.Conditions) error {
	out := verdictJSON{Format: "rankbox-check", Version: checkVersion, Name: x.set.Name, Failed: v.Failed(),
		Queries: []checkedQuery{}, Gates: []checkedGate{}, Measures: []measuredVerdict{}, Warnings: []string{}}
	out.Passed = out.Failed == 0
	for _, q := range v.Queries {
		out.Queries = append(out.Queries, checkedQuery{q.Query, q.Text, len(q.Reasons) == 0, append([]string{},
			q.Reasons...), append([]string{}, q.Instead...)})
	}
	for _, c := range v.Checks {
		g := checkedGate{Gate: c.Gate.Text, Passed: !c.Fails(v.Sure), Value: finite(c.New), Old: finite(c.Old),
			P: finite(c.P), Against: c.Against, Queries: c.Queries}
		if c.Gate.Quantile == 0 {
			g.Low, g.High, g.Missing = finite(c.Low), finite(c.High), c.NoInterval()
		}
		if p := x.powerOf(c.Gate.Measure, c.Gate.Text); p != nil {
			g.Detectable, g.FalseAlarms = finite(p.Loss), finite(p.Alarms)
		}
		out.Gates = append(out.Gates, g)
	}
	out.Tags, out.Flaky = []taggedVerdict{}, []string{}
	out.Audit = []auditJSON{}
	for _, a := range x.audit {
		out.Audit = append(out.Audit, auditJSON{a.Kind, a.Sentence, append([]string{}, a.Queries...)})
	}
	for _, f := range x.flaky {
		out.Flaky = append(out.Flaky, f.Query)
	}
	for _, row := range taggedRows(x.set.Tags(), r, v) {
		t := taggedVerdict{row.Tag, row.Queries, row.Expecting, row.Passed, []taggedMean{}}
		for _, m := range row.Measures {
			t.Measures = append(t.Measures, taggedMean{m.Measure, m.Queries, finite(m.Mean), finite(m.Low),
				finite(m.High), m.Missing})
		}
		out.Tags = append(out.Tags, t)
	}
	if w := x.sweep; w != nil {
		out.Sweep = &sweepJSON{Without: w.Without, With: w.With, Thresholds: []sweptJSON{}}
		for _, t := range w.Rows {
			out.Sweep.Thresholds = append(out.Sweep.Thresholds, sweptJSON{t.Score, t.FalsePositives, w.Recall(t)})
		}
		if t := w.Guaranteed; t.Score == t.Score {
			out.Sweep.Guarantee = &guaranteeJSON{t.Score, w.Risk, w.Recall(t)}
		}
	}
	if v.Change != nil {
		out.Warnings = append(out.Warnings, v.Change.Warnings...)
	}
	if r != nil {
		out.Hash = r.Hash
		for m := range r.Columns {
			col := &r.Columns[m]
			row := measuredVerdict{Measure: col.Measure, Mean: finite(col.Means[0]), Low: finite(col.Low[0]),
				High: finite(col.High[0]), Missing: col.NoInterval(), Queries: len(r.Queries),
				Moved: []movedQuery{}, Changes: []changeJSON{}}
			if p := x.powerOf(col.Measure, ""); p != nil {
				row.Queries, row.Spread, row.Assumed = p.Queries, finite(p.Spread), p.Assumed
				row.Detectable, row.FalseAlarms = finite(p.Loss), finite(p.Alarms)
			}
			if v.Change != nil {
				row.since(v.Change.Changes)
			}
			out.Measures = append(out.Measures, row)
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, say.Escaped(string(b))+"\n")
	return err
}

// since sets what became of the measure since the baseline.
func (m *measuredVerdict) since(changes []gates.MeasureChange) {
	for _, c := range changes {
		if c.Measure != m.Measure {
			continue
		}
		change := changeJSON{c.Against, string(c.Verdict), finite(c.Old), finite(c.New), finite(c.Low), finite(c.High),
			c.NoInterval(), finite(c.P), c.Test}
		if m.Changes = append(m.Changes, change); len(m.Changes) > 1 {
			continue
		}
		m.Change = &change
		for _, q := range c.Moved {
			m.Moved = append(m.Moved, movedQuery{q.Query, q.Old, q.New})
		}
	}
}

// powerOf is which loss fails by a rule, nil if nobody worked it out.
func (x *checking) powerOf(measure, gate string) *gates.Power {
	for i := range x.power {
		if p := &x.power[i]; p.Measure == measure && p.Gate == gate {
			return p
		}
	}
	return nil
}
