package screens

import (
	"go/build/constraint"
	"slices"
	"testing"
)

// Every address that the site ever had opens its screen.
func TestOldAddressesOpenTheirScreen(t *testing.T) {
	for path, want := range map[string]string{
		"/": "home", "/search": "search", "/judge": "judge", "/evaluate": "compare", "/compare": "compare",
		"/check": "compare", "/experiment": "experiment",
		"/learn": "learn", "/learn/ndcg": "learn", "/play": "play", "/upload": "upload", "/model": "model",
		"/status": "status", "/embed": "embed", "/gone": "home",
	} {
		if got := At(path).Name; got != want {
			t.Errorf("%s opens %s, want %s", path, got, want)
		}
	}
}

func TestHeaderHasFourEntries(t *testing.T) {
	var got []string
	for _, s := range Headers() {
		got = append(got, s.Header)
	}
	if len(got) != 4 || got[0] != "Search" || got[1] != "Judge" || got[2] != "Evaluate" || got[3] != "Learn" {
		t.Errorf("%q", got)
	}
}

// A screen that shares its entry of the header is linked from the others of that entry.
func TestSectionsHoldTheirScreens(t *testing.T) {
	for name, want := range map[string]int{"compare": 2, "experiment": 2, "learn": 2, "play": 2, "search": 0, "home": 0,
		"upload": 0} {
		if got := Section(name); len(got) != want {
			t.Errorf("%s: %d screens, want %d", name, len(got), want)
		}
	}
}

// A screen is compiled into the program that its row names and into Rich, and into no other.
func TestConstraintsPutScreensIntoTheirProgram(t *testing.T) {
	for _, s := range All {
		for _, b := range Builds {
			in := true
			if c := Constraint(s.Program); c != "" {
				x, err := constraint.Parse("//go:build " + c)
				if err != nil {
					t.Fatal(err)
				}
				in = x.Eval(func(tag string) bool { return slices.Contains(b.Tags, tag) })
			}
			if want := b.Program == Rich || b.Program == s.Program; in != want {
				t.Errorf("%s in the program %s: %v, want %v", s.Name, b.Program, in, want)
			}
		}
	}
}
