package ui

import (
	"strings"
	"testing"
)

func TestLinked(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "Mean over 30 queries.", "Mean over 30 queries."},
		{"empty", "", ""},
		{"alone", "RBO", "[RBO→rbo]"},
		{"a caption", "The bar is the 95 % interval. Runs that share a letter cannot be told apart (5 % " +
			"after Holm over 3 pairs).",
			"The bar is the [95 % interval→mean-interval]. Runs that [share a letter→letters] cannot be told apart " +
				"(5 % after [Holm→holm] over 3 pairs)."},
		{"the first of two", "τ 0.5 and τ 0.6", "[τ→tau] 0.5 and τ 0.6"},
		{"the longest", "τ_AP 0.5, Kendall's τ 0.2", "[τ_AP→tau_ap] 0.5, [Kendall's τ→tau] 0.2"},
		{"a hyphened name", "p after Holm–Šidák over 3 pairs", "p after [Holm–Šidák→holm-sidak] over 3 pairs"},
		{"a test at the start", "Paired t test: enough; the paired t test",
			"[Paired t test→t]: enough; the paired t test"},
		{"inside of names", "Holmes is better than Holm-1 and Holm_2", "Holmes is better than Holm-1 and Holm_2"},
		{"after a name", "Holm-1 after Holm", "Holm-1 after [Holm→holm]"},
		{"bytes that are no text", "\xff RBO \xfe", "\xff [RBO→rbo] \xfe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			for _, p := range linked(c.text) {
				if p.To == "" {
					b.WriteString(p.Text)
				} else {
					b.WriteString("[" + p.Text + "→" + strings.TrimPrefix(p.To, "/tests#") + "]")
				}
			}
			if b.String() != c.want {
				t.Errorf("%s\nwant %s", b.String(), c.want)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	for got, want := range map[string]string{
		ToMeasure("nDCG@10"):                 "/measures#nDCG",
		ToMeasure("nDCG(dcg='exp-log2')@10"): "/measures#nDCG",
		ToMeasure("AP"):                      "/measures#AP",
		ToMeasure("11pt_avg"):                "/measures#11pt_avg",
		ToTool("trec_eval 9"):                "/measures#as-trec_eval-9",
		ToPolicy("ties"):                     "/measures#policy-ties",
		ToCorrection(""):                     "/tests#holm",
		ToCorrection("none"):                 "/tests#none",
		ToCorrection("bh"):                   "/tests#fdr_bh",
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
