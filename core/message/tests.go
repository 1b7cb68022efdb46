//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Tests asks for the paired tests of a measure other than the first.
const Tests Kind = 11

func init() { register[AskTests, report.Tests](Tests, true) }

// AskTests names the measure.
type AskTests struct{ Measure string }

// Wire codes the question.
func (a *AskTests) Wire(c *wire.Codec) { c.String(&a.Measure) }
