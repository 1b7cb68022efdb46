package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

// tick is a number of an axis.
type tick struct {
	at   float64
	text string
}

// ticksFor returns the ticks of an axis, no more than most.
func (a *Axis) ticksFor(most int) []tick {
	if a.Bare || a.Bands != nil {
		return nil
	}
	lo, hi := a.Low, a.High
	if a.To > a.From {
		lo, hi = a.From, a.To
	}
	var out []tick
	if a.Log {
		for _, v := range scale.LogTicks(lo, hi, most) {
			out = append(out, tick{v, say.Exact(v)})
		}
		return out
	}
	at, decimals := scale.Ticks(lo, hi, most, a.Whole)
	for _, v := range at {
		text := a.style.Number(v, decimals)
		if a.Signed && v != 0 {
			text = a.style.Signed(v, decimals)
		}
		out = append(out, tick{v, text})
	}
	return out
}
