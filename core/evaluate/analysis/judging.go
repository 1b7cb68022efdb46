package analysis

import (
	"math"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// advised is how many judgments are advised.
const advised = 20

// judging is which judgments would settle the most of the difference between the best system and the baseline, or the
// second where the best is the baseline.
var judging = analysis{"judging", Luck, "What to judge next", func(s *Subject, out *Section) error {
	r := s.Report
	c := &r.Columns[0]
	switch {
	case len(r.Systems) < 2:
		out.Sentence = "One run has no difference to settle by judging."
		return nil
	case s.Opened == nil:
		out.Sentence = "The rankings are not available: only a comparison of runs can choose documents to judge."
		return nil
	case s.Opened.Graded():
		out.Sentence = "This comparison has grades by rank, not documents: " +
			"to choose documents to judge, open its .rankbox file."
		return nil
	}
	order := r.Ranking()
	a, b := r.Baseline, order[0]
	if a == b {
		b = order[1]
	}
	m, err := measure.Parse(c.Measure)
	if err != nil {
		return err
	}
	depth := m.Cutoff()
	if depth == 0 || depth > 100 {
		depth = 20
	}
	swings, ok, err := s.Opened.Swings(c.Measure, a, b, depth, s.Cancel)
	if err != nil {
		return err
	}
	if !ok {
		out.Sentence = "For " + c.Measure +
			" Rankbox cannot choose: the measure uses more than the grades of documents."
		return nil
	}
	if len(swings) == 0 {
		out.Sentence = "Nothing: no unjudged document among the first " + strconv.Itoa(depth) + " of " + label(r, a) +
			" and " + label(r, b) + " would change their difference in " + c.Measure + "."
		return nil
	}
	all, these := 0.0, 0.0
	up, down := 0.0, 0.0
	for i, x := range swings {
		all += math.Abs(x.Swing)
		if i < advised {
			these += math.Abs(x.Swing)
		}
		up += max(x.Swing, 0)
		down += min(x.Swing, 0)
	}
	n := min(advised, len(swings))
	t := Table{Caption: "Each alone: by how much " + r.Letter(b) + " − " + r.Letter(a) + " in " + c.Measure +
		" changes if the document is relevant", Columns: []string{"Query", "Document", "Rank " + r.Letter(a),
		"Rank " + r.Letter(b), "Change"}}
	for _, x := range swings[:n] {
		t.Rows = append(t.Rows, []Cell{Words(x.Query), Words(x.ID), rank(x.RankA), rank(x.RankB), Signed(x.Swing, 5)})
	}
	diff := c.Means[b] - c.Means[a]
	out.Sentence = "Judging these " + say.Count(n, "document", "documents") + " first settles " +
		s.Style.Percent(these/all, 0) + " of what " + say.Count(len(swings), "unjudged document leaves",
		"unjudged documents leave") +
		" open: the difference, " + s.Style.Signed(diff, 4) + ", could be " + s.Style.Signed(diff+down, 4) + " to " +
		s.Style.Signed(diff+up, 4) + "."
	out.Tables = []Table{t}
	out.Notes = []string{"Unjudged documents among the first " + strconv.Itoa(depth) +
		", relevant meaning the lowest relevant grade; changes are added up, which is exact for precision and near " +
		"for measures with an ideal. Once some are judged, ask again: that changes what the rest would settle " +
		"(Carterette, Allan and Sitaraman 2006)."}
	if diff+down > 0 || diff+up < 0 {
		out.Notes = append(out.Notes, "By these sums, no grades of theirs can change the sign of the difference.")
	}
	return nil
}}

func rank(n int) Cell {
	if n == 0 {
		return Cell{Text: "–", Value: math.NaN(), Number: true}
	}
	return Whole(n)
}
