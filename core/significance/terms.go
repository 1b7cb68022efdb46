package significance

// Term is something this package computes that is neither a paired test nor a correction, as its reader meets it: a
// test of all systems at once, an interval, a size, a measure of agreement.
type Term struct {
	Name      string // short, without spaces: the fragment of its place in the documentation
	Title     string
	Chapter   string
	Brief     string // what it says, in a sentence or two
	Formula   string
	Range     string // "0 to 1"; "" where there is none to tell
	Assumes   string
	Use       string // when it helps, and what it must not be read as
	Reference string
}

// Chapters of [Terms].
const (
	ChapterReading     = "Test results"
	ChapterTogether    = "All runs together"
	ChapterCorrections = "Corrections"
	ChapterInterval    = "Intervals"
	ChapterSize        = "Effect sizes"
	ChapterPower       = "Power and equivalence"
	ChapterRankings    = "Agreement of rankings"
	ChapterJudges      = "Agreement of judges"
)

// Terms returns what the documentation explains beside tests and corrections, chapter by chapter.
func Terms() []Term { return terms }

var terms = []Term{
	{
		Name: "p", Title: "p-value", Chapter: ChapterReading,
		Brief: "The probability of a difference at least this large if the test's null hypothesis were true.",
		Range: "0 to 1",
		Use: "Rankbox calls a difference below 0.05 significant. p is neither the probability that the systems " +
			"are equal nor the size of the difference.",
		Reference: "Wasserstein and Lazar 2016, The American Statistician 70",
	},
	{
		Name: "chosen", Title: "Automatic choice of test", Chapter: ChapterReading,
		Brief: "Without your choice, the differences decide: the sign test if all non-zero ones have one size, " +
			"the t test from 30 queries and 25 times the squared skewness, else the randomisation test.",
		Use: "One test applies to all pairs of a table. Wilcoxon's test is never chosen, because it does not " +
			"test the reported mean.",
		Reference: "25 times the squared skewness: Cochran 1977, Sampling Techniques, 2.15",
	},
	{
		Name: "letters", Title: "Letters of groups", Chapter: ChapterTogether,
		Brief: "Two runs share a letter exactly if their difference is not significant (corrected p of 0.05 or " +
			"more). The best run has the letter a.",
		Assumes: "The assumptions of the chosen test and its correction.",
		Use: "Sharing a letter does not mean equal: A and B may share one, B and C another, and A and C none. " +
			"If only pairs with the baseline are tested, a run has a letter exactly if it does not differ " +
			"significantly from the baseline.",
		Reference: "Piepho 2004, Journal of Computational and Graphical Statistics 13; Gramm et al. 2007",
	},
	{
		Name: "none", Title: "No correction", Chapter: ChapterCorrections,
		Brief: "Every p uncorrected.",
		Use: "Of 20 pairs without a difference, one is significant at 5 % on average. Right if you planned to test " +
			"a single pair.",
	},
	{
		Name: "family", Title: "Family of pairs", Chapter: ChapterCorrections,
		Brief: "The pairs to correct p for: every pair, or only those with the baseline.",
		Use: "Only the baseline's pairs mean fewer corrections and more power: 19 instead of 190 with twenty " +
			"runs. Right if that was your question from the start. Other pairs then get only an uncorrected p.",
		Reference: "Dunnett 1955, Journal of the American Statistical Association 50; Sakai 2018, Laboratory " +
			"Experiments in Information Retrieval",
	},
	{
		Name: "bca", Title: "Bootstrap interval (BCa)", Chapter: ChapterInterval,
		Brief: "Resamples the queries with replacement. 95 % of the resampled means lie in the interval, " +
			"corrected for bias and skew.",
		Formula: "ends at the quantiles Φ(z₀ + (z₀ + z)/(1 - a(z₀ + z))) of the resampled means, z = ±1.96; z₀ " +
			"from the share of resampled means below the mean, a from leaving out one query at a time",
		Assumes: "The queries are a sample of those you care about.",
		Use: "Reports show it for means. With n queries its level is 2Φ(t√(n/(n-1))) - 1, t Student's " +
			"quantile: a little above 95 %, since few queries vary less than their population. On a skewed measure " +
			"it still misses the true mean more often than in 5 of 100 samples: for log-normal values in 14 of 100 " +
			"with 10 queries, 10 with 25, 8 with 200.",
		Reference: "Efron 1987, JASA 82; as scipy.stats.bootstrap; level: Hesterberg 2015, The American Statistician 69",
	},
	{
		Name: "interval", Title: "Interval of a difference", Chapter: ChapterInterval,
		Brief: "The mean differences that the paired test would not reject, at the pair's corrected level.",
		Formula: "t test: d̄ ± t·s/√n. Randomisation test: δ is in it as long as enough sets of queries have a " +
			"mean difference of δ or less, and as many one of δ or more. Level of a pair: 0.05·p/p corrected",
		Assumes: "Those of the test.",
		Use: "It excludes 0 exactly if the corrected p is below 0.05, so the finding, letters, p and interval " +
			"always agree. There is none if too few queries could reject anything, or if the test is not about the " +
			"mean: Wilcoxon's, and the sign test of differences of several sizes. Student's quantile agrees with " +
			"mpmath 1.4.1 to 1e-13. scipy 1.17.1 agrees too; scipy 1.12.0 is off by up to 2.5e-9 (43 degrees of " +
			"freedom), and its intervals with it.",
		Reference: "Student 1908, Biometrika 6; Hartigan 1969, JASA 64",
	},
	{
		Name: "percentile", Title: "Bootstrap interval by percentiles", Chapter: ChapterInterval,
		Brief:     "The middle 95 % of the means of resampled queries, without the corrections of BCa.",
		Formula:   "ends at the 2.5 % and 97.5 % quantiles of the resampled means",
		Assumes:   "The queries are a sample of those you care about, and the means are roughly symmetric.",
		Use:       "Used if BCa has none, for example for values that do not vary.",
		Reference: "Efron 1979, Annals of Statistics 7; as scipy.stats.bootstrap",
	},
	{
		Name: "difference", Title: "Mean difference", Chapter: ChapterSize,
		Brief:   "The mean over the queries of one run's score minus the other's.",
		Formula: "d̄ = (1/n) Σ (b - a)",
		Use:     "In the unit of the measure: 0.02 nDCG is 0.02 nDCG, significant or not.",
	},
	{
		Name: "d_z", Title: "Cohen's d of paired differences", Chapter: ChapterSize,
		Brief: "The mean difference divided by the standard deviation of the differences between queries.",
		Formula: "d_z = d̄/s; s the standard deviation of the differences, with n - 1. The interval comes from " +
			"noncentral t distributions",
		Assumes:   "For its interval: the differences are roughly normal.",
		Use:       "Cohen calls 0.2 small, 0.5 medium and 0.8 large. It is undefined if the differences do not vary.",
		Reference: "Cohen 1988, Statistical Power Analysis, 2.3.5; interval: Cumming and Finch 2001",
	},
	{
		Name: "g_z", Title: "Hedges's g", Chapter: ChapterSize,
		Brief:     "Cohen's d, corrected for its bias with few queries.",
		Formula:   "g = J(n - 1)·d_z; J(m) = Γ(m/2)/(√(m/2)·Γ((m - 1)/2))",
		Use:       "Use it below about 20 queries. Above that it is nearly d_z.",
		Reference: "Hedges 1981, Journal of Educational Statistics 6",
	},
	{
		Name: "delta", Title: "Cliff's δ", Chapter: ChapterSize,
		Brief: "How often a value of one run is above a value of the other, over all pairs of queries, minus how " +
			"often it is below.",
		Formula:   "δ = (#(b > a) - #(b < a))/n², over all n² pairs of a value of b and one of a",
		Range:     "-1 to 1",
		Use:       "It only asks which value is larger, so outliers do not matter. It ignores the pairing by query.",
		Reference: "Cliff 1993, Psychological Bulletin 114",
	},
	{
		Name: "superiority", Title: "Probability of superiority", Chapter: ChapterSize,
		Brief:     "The share of queries on which one run is better; ties count half.",
		Formula:   "(#(b > a) + #(b = a)/2)/n, query by query",
		Range:     "0 to 1",
		Use:       "1/2 means that it is better as often as worse, whatever the sizes.",
		Reference: "Vargha and Delaney 2000, Journal of Educational and Behavioral Statistics 25",
	},
	{
		Name: "power", Title: "Power", Chapter: ChapterPower,
		Brief: "How often an experiment with this number of queries finds a real difference.",
		Formula: "chance that the noncentral t with noncentrality d_z·√n and n - 1 degrees of freedom is beyond " +
			"the critical value of the test",
		Range:   "0 to 1",
		Assumes: "A paired t test at 5 %, on differences that vary like the observed ones.",
		Use: "The smallest difference shown is found 80 times in 100. Compute it before the experiment: the " +
			"power of an observed difference only restates its p.",
		Reference: "Cohen 1988, Statistical Power Analysis; as statsmodels TTestPower",
	},
	{
		Name: "tost", Title: "Equivalence (TOST)", Chapter: ChapterPower,
		Brief: "Two one-sided t tests: the difference is larger than minus the margin, and smaller than the " +
			"margin. If both hold, the runs are practically equal.",
		Formula:   "p = max(p of d̄ > -margin, p of d̄ < margin)",
		Range:     "0 to 1",
		Assumes:   "As for the t test: the mean difference is roughly normal. Choose the margin beforehand.",
		Use:       "Finding no difference does not show that there is none. This test does.",
		Reference: "Schuirmann 1987, Journal of Pharmacokinetics and Biopharmaceutics 15; as statsmodels ttost_paired",
	},
	{
		Name: "rbo", Title: "Rank-biased overlap (RBO)", Chapter: ChapterRankings,
		Brief: "How much the tops of two rankings overlap, for a reader who continues to the next rank with " +
			"probability p.",
		Formula: "RBO = (1 - p) Σ over depths d of p^(d-1) (documents in both down to d)/d, extrapolated beyond " +
			"the shorter list",
		Range: "0 to 1",
		Use: "The first ranks count most: with p = 0.9 the first 10 ranks have 86 % of the weight. The " +
			"rankings may hold different documents.",
		Reference: "Webber, Moffat and Zobel 2010, ACM TOIS 28(4)",
	},
	{
		Name: "tau", Title: "Kendall's τ", Chapter: ChapterRankings,
		Brief: "Pairs in the same order minus pairs in the opposite order, as a share of all pairs.",
		Formula: "τ-b = (P - Q)/√((n₀ - T)(n₀ - U)), P and Q the pairs in the same and in the other order, T and U " +
			"those tied in one, n₀ = n(n - 1)/2",
		Range:     "-1 to 1",
		Assumes:   "Both rankings hold the same items. For rankings of documents, only common documents count.",
		Use:       "Every swap counts the same, at the top and at the end.",
		Reference: "Kendall 1945, Biometrika 33; as scipy.stats.kendalltau",
	},
	{
		Name: "tau_ap", Title: "τ_AP", Chapter: ChapterRankings,
		Brief: "Like τ, but errors near the top of the ranking weigh more.",
		Formula: "τ_AP = 2/(n - 1) Σ over ranks i = 2 … n of c(i)/(i - 1) - 1, c(i) the number above rank i that " +
			"the reference too has above it",
		Range:     "-1 to 1",
		Assumes:   "One of the two rankings is the reference, and neither has ties.",
		Reference: "Yilmaz, Aslam and Robertson 2008, SIGIR",
	},
	{
		Name: "common", Title: "Documents in common", Chapter: ChapterRankings,
		Brief: "How many documents the tops of both rankings share, averaged over the queries.",
		Use:   "It ignores the order.",
	},
	{
		Name: "weighted_tau", Title: "Weighted τ", Chapter: ChapterRankings,
		Brief:     "Like τ, with every pair weighted by the ranks of its two members, so swaps near the top cost more.",
		Formula:   "weight of a pair: 1/(1 + r) + 1/(1 + s), r and s the ranks from 0 of its members",
		Range:     "-1 to 1",
		Reference: "Vigna 2015, WWW; as scipy.stats.weightedtau",
	},
	{
		Name: "rho", Title: "Spearman's ρ", Chapter: ChapterRankings,
		Brief:     "The linear correlation of the ranks, ties sharing their mean rank.",
		Range:     "-1 to 1",
		Reference: "Spearman 1904, American Journal of Psychology 15; as scipy.stats.spearmanr",
	},
	{
		Name: "r", Title: "Pearson's r", Chapter: ChapterRankings,
		Brief:     "The linear correlation of the values themselves.",
		Range:     "-1 to 1",
		Use:       "One outlier can make or break it: look at the plot.",
		Reference: "Pearson 1895; as scipy.stats.pearsonr",
	},
	{
		Name: "kappa", Title: "Cohen's κ", Chapter: ChapterJudges,
		Brief: "How well two judges agree beyond chance, optionally weighted by the distance between their grades.",
		Formula: "κ = 1 - Σ w·observed / Σ w·expected, w = 1 for any difference, or the difference of the grades, " +
			"or its square",
		Range:     "up to 1, 0 for chance",
		Reference: "Cohen 1960, Educational and Psychological Measurement 20; as sklearn cohen_kappa_score",
	},
	{
		Name: "fleiss", Title: "Fleiss's κ", Chapter: ChapterJudges,
		Brief: "How well several judges agree beyond chance. Documents that some judge did not judge are left " +
			"out, as Fleiss defines it.",
		Formula:   "κ = (P - Pₑ)/(1 - Pₑ), P the share of pairs of judges that agree, Pₑ = Σ (share of each grade)²",
		Range:     "up to 1, 0 for chance",
		Reference: "Fleiss 1971, Psychological Bulletin 76; as statsmodels fleiss_kappa",
	},
	{
		Name: "randolph", Title: "Randolph's κ", Chapter: ChapterJudges,
		Brief:     "Like Fleiss's κ, with equal chance for every grade.",
		Formula:   "κ = (P - 1/k)/(1 - 1/k), k the number of grades",
		Range:     "up to 1, 0 for chance",
		Reference: "Randolph 2005; as statsmodels fleiss_kappa(method='randolph')",
	},
	{
		Name: "gwet", Title: "Gwet's AC1 and AC2", Chapter: ChapterJudges,
		Brief: "How far judges agree beyond chance, steady if nearly all documents have one grade, where κ falls " +
			"to 0. Judgments may be missing.",
		Formula: "AC = (P - Pₑ)/(1 - Pₑ), Pₑ = Σ w/(q(q - 1)) · Σ π(1 - π), π the share of each of q grades; AC1: " +
			"w = 1 for equal grades, else 0; AC2: w by how near they lie",
		Range: "up to 1, 0 for chance; the 95 % interval is Student's over the documents",
		Reference: "Gwet 2008, British Journal of Mathematical and Statistical Psychology 61; Gwet 2014, Handbook of " +
			"Inter-Rater Reliability; as irrCAC 0.4.4",
	},
	{
		Name: "alpha", Title: "Krippendorff's α", Chapter: ChapterJudges,
		Brief:     "How well any number of judges agree beyond chance; some judgments may be missing.",
		Formula:   "α = 1 - observed disagreement / expected disagreement",
		Range:     "up to 1, 0 for chance",
		Assumes:   "The scale of the grades: nominal, ordinal, interval or ratio.",
		Reference: "Krippendorff 2011, Computing Krippendorff's alpha-reliability",
	},
	{
		Name: "powered", Title: "Prediction-powered mean", Chapter: ChapterJudges,
		Brief: "The mean of a measure as a person would judge it, from few queries that the person judged and " +
			"many that a model judged.",
		Formula: "mean = λ · mean(others) + mean(label - λ · predicted)",
		Range:   "that of the measure",
		Assumes: "The queries that the person judged are a random sample of all. The model may be wrong in any way: " +
			"that widens the interval, but does not shift the mean. The interval is normal: with few queries it is " +
			"too narrow.",
		Reference: "Angelopoulos, Duchi and Zrnic 2023, PPI++: Efficient Prediction-Powered Inference; as " +
			"ppi-python 0.2.3",
	},
}
