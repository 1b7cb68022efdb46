package message

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/report"
)

// Evaluate evaluates the systems of a Spec over all judged queries.
const Evaluate Kind = 4

func init() { register[experiment.Spec, report.Report](Evaluate, false) }
