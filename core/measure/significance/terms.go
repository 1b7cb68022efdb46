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
		Name: "mean-interval", Title: "Interval of a mean", Chapter: ChapterInterval,
		Brief: "Where the mean over all queries like these may lie: of 100 samples of queries, 95 have an interval " +
			"that holds it, however few the queries.",
		Formula: "upper end: the 97.5 % quantile of Σ w·y; y are the values and the measure's largest value, w random " +
			"weights that sum to 1, uniform (Dirichlet); the lower end mirrors it. For values of 0 and 1 this is " +
			"Clopper and Pearson's exact interval",
		Assumes: "The queries are a random sample of those you care about, and the measure has a smallest and a " +
			"largest value.",
		Use: "The bound stands for the queries you did not sample, so ten perfect queries give 0.69 to 1 and not 1 to " +
			"1. It covers in every simulation; for 0 and 1 it is proved. A measure without bounds, such as DCG " +
			"or milliseconds, needs ten values that differ. The farthest value and the range once more then stand for " +
			"the bound. No interval can hold for all such measures: if nine of ten values are 0 and the others " +
			"vary widely, this one holds in 90 of 100 samples of 10 to 20 values, and 94 of 100 with 50.",
		Reference: "Gaffke 2005; Learned-Miller and Thomas 2019, arXiv 1905.06208; Clopper and Pearson 1934, " +
			"Biometrika 26",
	},
	{
		Name: "interval", Title: "Interval of a difference", Chapter: ChapterInterval,
		Brief: "Where the true mean difference may lie. It excludes 0 exactly if the paired test finds a difference.",
		Formula: "from the lower to the higher end of two intervals: that of the mean, whose bounds lie no farther " +
			"beyond the differences and 0 than half their range (below ten queries: their range), and the differences that the test would not " +
			"reject (t test: d̄ ± t·s/√n; randomisation test: Hartigan's subset means). An end moves to 0 if the " +
			"corrected p asks for it, and is written > 0 or < 0 if the interval excludes 0. Level of a pair: 0.05 divided " +
			"by the number of pairs",
		Assumes: "No difference is much larger than those you see. With fewer than seven queries, nothing.",
		Use: "The finding, letters, p and interval always agree. All intervals of a table hold together in 95 of 100 " +
			"samples, after Bonferroni or Šidák. After Holm, Hochberg and Hommel it is at least 90, because " +
			"they spend the level again once a pair is told apart. After Benjamini and Hochberg, 5 % of the intervals " +
			"without 0 may miss. If 2 of 100 queries fail outright, the interval of 20 or 50 queries misses in " +
			"40 of 100 samples: those in which none failed. If nearly all differences are 0, a sentence says so. There is " +
			"no interval if the test is not about the " +
			"mean: Wilcoxon's, and the sign test of differences of several sizes.",
		Reference: "Student 1908, Biometrika 6; Hartigan 1969, JASA 64; Benjamini and Yekutieli 2005, JASA 100",
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
		Brief: "Two one-sided tests: the difference is larger than minus the margin, and smaller than the " +
			"margin. If both hold, the runs are practically equal.",
		Formula: "p = max(p of d̄ > -margin, p of d̄ < margin); each the larger of the t test's and of the tail of the " +
			"interval of a mean",
		Range:   "0 to 1",
		Assumes: "As for the interval of a difference. Choose the margin beforehand.",
		Use: "Finding no difference does not show that there is none. This test does, from enough queries: " +
			"two runs that are equal on two queries show nothing.",
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
		Range: "up to 1, 0 for chance",
		Use: "The 95 % interval of every coefficient here weighs the documents at random, with one more on which " +
			"the judges disagree (lower end) or agree (upper end). So perfect agreement on ten documents has an " +
			"interval too. It covers from five documents on.",
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
		Range: "up to 1, 0 for chance",
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
			"that widens the interval, but does not shift the mean.",
		Use: "The interval joins those of the two means (MOVER), and holds from two labelled queries on. With few it is " +
			"no narrower than that of the labels alone.",
		Reference: "Angelopoulos, Duchi and Zrnic 2023, PPI++: Efficient Prediction-Powered Inference; the mean as " +
			"ppi-python 0.2.3; interval: Zou and Donner 2008, Statistics in Medicine 27",
	},
}
