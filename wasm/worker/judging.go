//go:build !first

package worker

// judging is what layers of judgments and pools to judge need.
type judging struct {
	open        *openCollection
	handed      handed
	device      *Device
	experiments *experiments
	backends    *backends
	page        *page
}

func toJudging(e *Engine) *judging { return &e.judging }
