package measure

import "testing"

// Setting parameters one by one equals the notation.
func TestSettingParametersIsWritingThem(t *testing.T) {
	for _, c := range []struct{ from, param, value, want string }{
		{"nDCG", "cutoff", "5", "nDCG@5"},
		{"nDCG@5", "cutoff", "", "nDCG"},
		{"nDCG@5", "dcg", "exp-log2", "nDCG(dcg='exp-log2')@5"},
		{"nDCG(dcg='exp-log2')@5", "dcg", "log2", "nDCG@5"},
		{"nDCG@5", "judged_only", "True", "nDCG(judged_only=True)@5"},
		{"RBP", "p", "0.5", "RBP(p=0.5)"},
		{"nDCG", "gains", "{1:2,2:5}", "nDCG(gains={1:2,2:5})"},
		{"nDCG(gains={1:2})", "gains", "", "nDCG"},
		{"AP", "rel", "2", "AP(rel=2)"},
	} {
		m, err := mustParse(t, c.from).With(c.param, c.value)
		if err != nil || m.String() != c.want {
			t.Errorf("%s with %s=%q is %s (%v), want %s", c.from, c.param, c.value, m, err, c.want)
		}
	}
	for _, c := range []struct{ from, param, value string }{
		{"nDCG", "cutoff", "0"}, {"nDCG", "cutoff", "1.5"}, {"nDCG", "cutoff", "5 6"}, {"nDCG", "depth", "5"}, {"P@5",
			"cutoff", ""}, {"RBP", "p", "2"},
	} {
		if m, err := mustParse(t, c.from).With(c.param, c.value); err == nil {
			t.Errorf("%s with %s=%q is %s, want an error", c.from, c.param, c.value, m)
		}
	}
	if got := mustParse(t, "nDCG(dcg='exp-log2')@7").Setting("cutoff"); got != "7" {
		t.Errorf("the cutoff is %q", got)
	}
	if got := mustParse(t, "nDCG(dcg='exp-log2')").Setting("dcg"); got != "exp-log2" {
		t.Errorf("the gain is %q", got)
	}
}
