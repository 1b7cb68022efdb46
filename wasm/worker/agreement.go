//go:build !first

package worker

import "github.com/rankbox/rankbox/core/message"

func init() { register(message.Agreement, ofRuns, toAnalyses, (*analyses).agreement) }

// agreeFor is how long, in microseconds, rankings are compared before the other questions have their turn. The page
// asks again for more.
const agreeFor = 150_000

// agreement compares the rankings of a while's worth of further queries.
func (as *analyses) agreement(_ message.Request, ask *message.AskAgreement) (*message.Agreed, error) {
	k, err := as.comparisons.rankings()
	if err != nil {
		return nil, err
	}
	column, err := k.column(ask.Measure)
	if err != nil {
		return nil, err
	}
	a := k.details.agreeing
	if a == nil {
		a = k.c.Agreeing()
		k.details.agreeing = a
	}
	for start, more := as.page.now(), true; more && as.page.now()-start <= agreeFor; {
		if more, err = a.Next(); err != nil {
			return nil, err
		}
	}
	out := &message.Agreed{Measure: k.report.Measures[column], Rankings: a.Means()}
	out.Done, out.Total = a.Done()
	out.Orders, err = k.report.Orders(column)
	return out, err
}
