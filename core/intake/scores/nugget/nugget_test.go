package nugget_test

import (
	"testing"

	"github.com/rankbox/rankbox/core/intake/scores/nugget"
)

// By hand: of three vital nuggets one is supported and one in part, of two others one is supported. core/intake/scores
// compares these figures with those of nuggetizer.
func TestRecallByHand(t *testing.T) {
	got := nugget.Of([]nugget.Nugget{{true, nugget.Full}, {true, nugget.Partial}, {true, nugget.None},
		{false, nugget.Full}, {false, nugget.None}})
	if want := (nugget.Recall{StrictVital: 1. / 3, StrictAll: 2. / 5, Vital: 1.5 / 3, All: 2.5 / 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := nugget.Of(nil); got != (nugget.Recall{}) {
		t.Errorf("no nuggets: %+v", got)
	}
}
