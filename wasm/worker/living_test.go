package worker

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A comparison that takes long tells the page once a second that it goes on, and is not stopped by that.
func TestLongWorkTellsThatItGoesOn(t *testing.T) {
	now, told := 0.0, 0
	e := NewEngine(nil, func() float64 { now += 3e5; return now }, func(message.Reply) {})
	e.Alive = func() { told++ }
	going := e.living()
	for range 20 { // six seconds by that clock, from .3 to 6.3
		if going() {
			t.Fatal("it was stopped")
		}
	}
	if told != 5 { // at 1.5, 2.7, 3.9, 5.1 and 6.3: every fourth step of .3 seconds is the first after a whole one
		t.Errorf("told %d times", told)
	}
}
