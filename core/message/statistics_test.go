package message_test

import (
	"reflect"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	replies = append(replies,
		message.Reply{ID: 20, Kind: message.Statistics,
			Answer: &message.PairTests{A: 1, B: 2, Measure: "AP", Queries: 3, Correction: "Holm", Pairs: 4,
				Rows: []message.TestRow{{Test: "t", Method: "t", N: 5, Draws: 6, Statistic: 7, P: .8, Adjusted: .9,
					Counts: true}}, Difference: 1, Low: 2, High: 3,
				Dz: 6, DzLow: 7, DzHigh: 8, G: 8.5, Cliff: 9, Superiority: 10, Detectable: 11, Needed: 12, Margin: 13,
				Equivalent: 14, EquivalentLow: 15, EquivalentHigh: 16}},
		message.Reply{ID: 21, Kind: message.Agreement, Answer: &message.Agreed{Measure: "AP", Done: 1, Total: 2,
			Rankings: []compare.Agreement{{A: 1, B: 2, Queries: 3, Common: 4, RBO: .5, Tau: .6, TauAP: .7}},
			Orders:   []report.Order{{Measure: "RR", Tau: .1, TauAP: .2, RBO: .3}}}})
	requests = append(requests,
		message.Request{ID: 13, Kind: message.Statistics, Question: &message.AskStatistics{A: 1, B: 2, Measure: "AP",
			Margin: .05}})
}

// A field that is not carried would be lost on its way: every one of these is filled and arrives.
func TestEveryFigureOfThePairArrives(t *testing.T) {
	pair, agreed := replies[len(replies)-2].Answer.(*message.PairTests),
		replies[len(replies)-1].Answer.(*message.Agreed)
	for _, v := range []any{pair, &pair.Rows[0], agreed, &agreed.Rankings[0], &agreed.Orders[0]} {
		s := reflect.ValueOf(v).Elem()
		for i := range s.NumField() {
			if s.Field(i).IsZero() {
				t.Errorf("%s: fill %s", s.Type(), s.Type().Field(i).Name)
			}
		}
	}
	for _, want := range replies[len(replies)-2:] {
		var got message.Reply
		if err := wire.Unmarshal(wire.Marshal(&want), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
}
