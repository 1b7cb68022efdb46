//go:build !library

package export

import (
	"strconv"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// ranks is the table of rank intervals by the first measure; none of fewer than two systems.
func ranks(r *report.Report, style say.Style) []table {
	if len(r.Systems) < 2 || len(r.Queries) < 2 {
		return nil
	}
	found, err := r.Places(0, nil)
	if err != nil {
		return nil // without a cancel there is no error
	}
	t := table{key: "ranks", caption: "Rank intervals by " + r.Measures[0] +
		": the ranks that the mean of each run has in 95 % of bootstrap resamples " +
		r.Words("of the queries") + ", and the share of them in which it is first."}
	t.head = []cell{plain(""), plain("run"), figure("rank"), figure("95 % interval"), figure("first in")}
	for _, s := range r.Ranking() {
		p := found[s]
		t.rows = append(t.rows, []cell{plain(r.Letter(s)), name(r.Systems[s].Label), whole(p.Place),
			{text: strconv.Itoa(p.Low), to: strconv.Itoa(p.High), number: true}, figure(style.Percent(p.First, 1))})
	}
	return []table{t}
}

// given writes what the items of given scores are, and the rank intervals.
func (j *jsonWriter) given(r *report.Report, noun string) {
	j.Str("scores_of", report.Plural(noun))
	j.ranks(r)
}

// ranks are the rank intervals of given scores.
func (j *jsonWriter) ranks(r *report.Report) {
	if len(r.Systems) < 2 || len(r.Queries) < 2 {
		return
	}
	found, err := r.Places(0, nil)
	if err != nil {
		return // without a cancel there is no error
	}
	j.List("ranks", len(found), func(s int) {
		p := found[s]
		j.Object("", func() {
			j.Str("run", r.Systems[s].Label)
			j.Int("rank", p.Place)
			j.Int("low", p.Low)
			j.Int("high", p.High)
			j.Num("first", p.First)
		})
	})
}
