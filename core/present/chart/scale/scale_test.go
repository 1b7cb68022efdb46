package scale

import "testing"

// TestAt has places by hand.
func TestAt(t *testing.T) {
	for _, c := range []struct {
		s    Scale
		v    float64
		want string
	}{
		{Scale{Low: 0, High: 1, From: 12, To: 948}, 0.5, "480"},
		{Scale{Low: 2, High: 4, From: 100, To: 0}, 2.5, "75"},
		{Scale{Low: 3, High: 3, From: 4, To: 116}, 3, "60"},
		{Scale{Low: 1, High: 100, From: 0, To: 200, Log: true}, 10, "100"},
		{Scale{Low: 0, High: 3, From: 0, To: 1}, 1, "0.3"},
		{Scale{Low: 0, High: 1, From: 0, To: -0.01}, 1, "0"},
	} {
		if got := Text(c.s.At(c.v)); got != c.want {
			t.Errorf("%+v of %v: %s, want %s", c.s, c.v, got, c.want)
		}
	}
	if lo, hi := Span(5, 5); lo != 4.5 || hi != 5.5 {
		t.Errorf("a span of nothing: %v to %v", lo, hi)
	}
}

// TestStack: the first dot lies on the line, the next ones below, above and farther, and every five dots begin a column
// of three pixels beside it.
func TestStack(t *testing.T) {
	values := make([]float64, 12)
	got := Stack(values, Scale{High: 1, To: 100})
	for i, want := range []Place{{0, 0}, {0, -8}, {0, 8}, {0, -16}, {0, 16}, {3, 0}, {3, -8}, {3, 8}, {3, -16}, {3, 16},
		{6, 0}, {6, -8}} {
		if got[i] != want {
			t.Errorf("dot %d at %v, want %v", i, got[i], want)
		}
	}
	if got := Stack([]float64{0, 0.5}, Scale{High: 1, To: 100}); got[1] != (Place{50, 0}) {
		t.Errorf("a dot alone at %v", got[1])
	}
}
