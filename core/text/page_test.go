package text

import "testing"

func TestEveryAnalyzerIsDocumented(t *testing.T) {
	for _, name := range Names() {
		if i, ok := Describe(name); !ok || i.Summary == "" || i.Pipeline == "" || i.Version < 1 {
			t.Errorf("%s: %+v", name, i)
		}
	}
}
