package main

import (
	"encoding/json"
	"io"
	"math"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/report/gates"
	"github.com/rankbox/rankbox/core/say"
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
	Warnings []string          `json:"warnings"`
	Hash     string            `json:"hash"`
}

type checkedQuery struct {
	Query   string   `json:"query"`
	Text    string   `json:"text"`
	Passed  bool     `json:"passed"`
	Reasons []string `json:"reasons"`
}

type checkedGate struct {
	Gate   string   `json:"gate"`
	Passed bool     `json:"passed"`
	Value  *float64 `json:"value"`
	Old    *float64 `json:"old"`
	P      *float64 `json:"p"`
}

type measuredVerdict struct {
	Measure    string       `json:"measure"`
	Mean       *float64     `json:"mean"`
	Low        *float64     `json:"low"`
	High       *float64     `json:"high"`
	Queries    int          `json:"queries"`
	Detectable *float64     `json:"detectable"`
	Spread     *float64     `json:"spread"`
	Assumed    string       `json:"assumed"`
	Change     *changeJSON  `json:"change"`
	Moved      []movedQuery `json:"moved"`
}

type changeJSON struct {
	Verdict string   `json:"verdict"`
	Old     *float64 `json:"old"`
	New     *float64 `json:"new"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
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
			q.Reasons...)})
	}
	for _, c := range v.Checks {
		out.Gates = append(out.Gates, checkedGate{c.Gate.Text, !c.Fails(v.Sure), finite(c.New), finite(c.Old),
			finite(c.P)})
	}
	if v.Change != nil {
		out.Warnings = append(out.Warnings, v.Change.Warnings...)
	}
	if r != nil {
		out.Hash = r.Hash
		for m := range r.Columns {
			col, p := &r.Columns[m], x.power[m]
			row := measuredVerdict{Measure: col.Measure, Mean: finite(col.Means[0]), Low: finite(col.Low[0]),
				High: finite(col.High[0]), Queries: p.Queries, Detectable: finite(p.Detectable),
				Spread:  finite(p.Spread),
				Assumed: p.Assumed, Moved: []movedQuery{}}
			if p.Spread == 0 {
				row.Detectable = nil // nothing tells
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
		m.Change = &changeJSON{string(c.Verdict), finite(c.Old), finite(c.New), finite(c.Low), finite(c.High),
			finite(c.P), c.Test}
		for _, q := range c.Moved {
			m.Moved = append(m.Moved, movedQuery{q.Query, q.Old, q.New})
		}
	}
}
