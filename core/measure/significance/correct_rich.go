//go:build !first

package significance

func init() {
	corrections = append(corrections, []Correction{
		{"bonferroni", "Bonferroni", "the chance of any false discovery", "none; never finds more than Holm", "m·p",
			"Dunn 1961, JASA 56", Bonferroni},
		{"sidak", "Šidák", "the chance of any false discovery", "independent or normal statistics", "1 - (1-p)ᵐ",
			"Šidák 1967, JASA 62", Sidak},
		{"holm-sidak", "Holm–Šidák", "the chance of any false discovery", "independent or normal statistics",
			"max over j ≤ i of 1 - (1-p₍ⱼ₎)^(m-j+1)",
			"Holland and Copenhaver 1987, Biometrics 43", HolmSidak},
		{"simes-hochberg", "Hochberg", "the chance of any false discovery",
			"statistics that are independent or depend positively", "min over j ≥ i of (m-j+1)·p₍ⱼ₎",
			"Hochberg 1988, Biometrika 75", Hochberg},
		{"hommel", "Hommel", "the chance of any false discovery",
			"statistics that are independent or depend positively; never worse than Hochberg",
			"closed testing with Simes' test",
			"Hommel 1988, Biometrika 75; Wright 1992, Biometrics 48", Hommel},
		{"fdr_bh", "Benjamini–Hochberg", "the expected share of false discoveries",
			"statistics that are independent or depend positively", "min over j ≥ i of m·p₍ⱼ₎/j",
			"Benjamini and Hochberg 1995, JRSS B 57", BenjaminiHochberg},
		{"fdr_by", "Benjamini–Yekutieli", "the expected share of false discoveries", "nothing",
			"min over j ≥ i of m·(1 + 1/2 + … + 1/m)·p₍ⱼ₎/j",
			"Benjamini and Yekutieli 2001, Annals of Statistics 29", BenjaminiYekutieli},
	}...)
}
