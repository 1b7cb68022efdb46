package main

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// A report's JSON that is read is one that a report can be held against: itself, of which nothing has changed.
func FuzzParseReport(f *testing.F) {
	f.Add([]byte(`{"format":"rankbox-report","version":1,"collection":{"judgments":2},` +
		`"policies":{"ties":"docid-desc"},"runs":[{"name":"a"},{"name":"b"}],"measures":[{"measure":"AP"},` +
		`{"measure":"rbp_resid","smaller_is_better":true}],"queries":[{"query":"1","relevant":1,"values":{"AP":[0.5,` +
		`1],"rbp_resid":[0,0.1]}},{"query":"2","values":{"AP":[0,0],"rbp_resid":[1e-300,-5]}}]}`))
	f.Add([]byte(`{"format":"rankbox-report","version":1,"runs":[{"name":"a"}],"measures":[{"measure":"AP"}],` +
		`"queries":[{"query":"1","values":{"AP":[]}}]}`))
	f.Add([]byte(`{"format":"rankbox-report","version":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<12 {
			return
		}
		r, err := parseReport(b)
		if err != nil {
			return
		}
		if len(r.Queries)*len(r.Systems)*len(r.Measures) > 40 {
			return // the tests would take too long
		}
		seen := map[string]bool{} // a name that appears twice is held against its first
		for _, s := range r.Systems {
			seen["run "+s.Label] = true
		}
		for _, m := range r.Measures {
			seen["measure "+m] = true
		}
		for _, q := range r.Queries {
			seen["query "+q.ID] = true
		}
		again := len(seen) < len(r.Systems)+len(r.Measures)+len(r.Queries)
		g, err := gates.Regress(r, r, gates.DefaultThreshold, nil)
		if err != nil {
			return
		}
		for _, c := range g.Changes {
			if !again && c.Verdict != gates.Unchanged {
				t.Errorf("%+v", c)
			}
		}
		_ = g.String()
	})
}
