package tokens

import "testing"

func TestOf(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "four": 1, "fives": 2, "éééé": 1, "harbour wire": 3} {
		if got := Of(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
