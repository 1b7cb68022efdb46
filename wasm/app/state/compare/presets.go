package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Presets are the names of the ready-made approaches that the screen offers.
var Presets = []string{"simple", "enhanced", "hybrid"}

// reportFigures are the figures of a technical report, which are unfolded where approaches are compared: means,
// quality and time, stage by stage, queries and runs, time of a query, precision and recall, contribution,
// resources, error patterns, values by cutoff.
const reportFigures = "bars.speed.waterfall.matrix.latency.precision-recall.worth.resources.errors.cutoffs"

// UsePresets compares ready-made approaches on the open collection by their names: one of them with BM25, several
// with each other.
func (in *Input) UsePresets(names ...string) {
	var m message.Matrix
	var labels []string
	if len(names) == 1 {
		m.Systems, labels = []string{"bm25"}, []string{"BM25"}
	}
	for _, name := range names {
		if p := stage.PresetNamed(name); p != nil && len(p.Systems) == 1 {
			m.Systems = append(m.Systems, p.Systems[0])
			labels = append(labels, strings.ToUpper(name[:1])+name[1:])
		}
	}
	if len(m.Systems) < 2 {
		return
	}
	m.Baseline = m.Systems[0]
	s := message.Setting{Matrix: m}
	for i, l := range labels {
		s.Names = append(s.Names, message.Name{Origin: message.Origin{Run: i}, Name: l})
	}
	in.use(s, &packed.View{Tab: TabBoard, Over: firstOver, Figures: reportFigures})
}
