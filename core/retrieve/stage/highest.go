//go:build !first

package stage

import "github.com/rankbox/rankbox/core/retrieve/pipeline"

// Highest returns the highest score that a pipeline can give a document, and the stage whose scores end there. It is
// known of fusions of ranks and of norms that end at 1, and of stages behind them that leave scores as they are.
func Highest(n *pipeline.Node) (score float64, by string, known bool) {
	if n.Unread() {
		return 0, "", false
	}
	m := float64(len(n.Args))
	most := 0.0 // scores of one list after norm
	if n.Stage.Role == pipeline.Combiner {
		switch norm, normed := normOf(n); {
		case normed && (norm == "minmax" || norm == "rank" || norm == "borda" || norm == "inverted" || norm == "sum"):
			most = 1
		case normed:
			return 0, "", false
		}
	}
	switch n.Stage {
	case &Cut.Stage, &Collapse.Stage, &Dedupe.Stage, &Filter.Stage:
		return Highest(n.Input)
	case &RRF.Stage:
		return m / (n.Number("k") + 1), n.Stage.Name, true
	case &ISR.Stage:
		return m * m, n.Stage.Name, true
	case &CombMAX.Stage, &CombMIN.Stage, &CombMED.Stage, &CombANZ.Stage, &WSum.Stage:
		return most, n.Stage.Name, most > 0
	case &CombSUM.Stage:
		return m * most, n.Stage.Name, most > 0
	case &CombMNZ.Stage:
		return m * m * most, n.Stage.Name, most > 0
	}
	return 0, "", false
}

// normOf returns the norm of a stage that has one.
func normOf(n *pipeline.Node) (norm string, has bool) {
	for i := range n.Stage.Params {
		if n.Stage.Params[i].Name == normParam.Name {
			return n.Word(normParam.Name), true
		}
	}
	return "", false
}
