package message

import (
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
)

// Evaluate evaluates the systems of a Spec over all judged queries.
const Evaluate Kind = 4

func init() { register[experiment.Spec, report.Report](Evaluate, false) }
