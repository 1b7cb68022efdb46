package handout

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/present/chart"
)

// board is a concluded report of random systems S0, S1 … under random decisions: alike, tied, 0 or 1, shifted, silent,
// without any data, on measures of either direction, and most often of few queries.
func board(t *testing.T, rnd *rand.Rand) *report.Report {
	t.Helper()
	k, n := 1+rnd.Intn(7), []int{1, 2, 3, 4, 5, 10, 12, 44}[rnd.Intn(8)]
	r := &report.Report{Baseline: rnd.Intn(k)}
	for q := range n {
		r.Queries = append(r.Queries, report.Query{ID: "q" + strconv.Itoa(q), Relevant: 1})
	}
	silence := []float64{0, 0, 0, 0.3, 1}[rnd.Intn(5)]
	for s := range k {
		x, u := report.System{Label: "S" + strconv.Itoa(s)}, report.Coverage{Queries: n, Documents: n, Top: n}
		if rnd.Float64() < silence {
			x.Missing, u = n, report.Coverage{}
		}
		r.Systems, r.Coverage = append(r.Systems, x), append(r.Coverage, u)
	}
	for _, measure := range [][]string{{"nDCG@10", "unj@10"}, {"unj@10", "AP"}, {"Success@5"}}[rnd.Intn(3)] {
		grid, effect := []float64{1, 4, 1000}[rnd.Intn(3)], []float64{0, 0.05, 0.3, 0.6}[rnd.Intn(4)]
		c := report.Column{Measure: measure, Applied: measure}
		for s := range k {
			v, kind := make([]float64, n), rnd.Intn(7)
			for q := range v {
				switch {
				case r.Systems[s].Missing == n || kind == 0:
				case kind == 1 && s > 0:
					v[q] = c.Values[s-1][q]
				case kind == 2 && s > 0:
					v[q] = c.Values[s-1][q] + 1e-6
				default:
					at := 0.3 + 0.2*math.Sin(float64(q)) + effect*float64(s)/float64(k) + 0.1*rnd.NormFloat64()
					v[q] = math.Round(grid*min(1, max(0, at))) / grid
				}
			}
			c.Values = append(c.Values, v)
		}
		nan := slices.Repeat([]float64{math.NaN()}, k)
		c.Geometric, c.Median, c.TieLow, c.TieHigh, c.ResidualLow, c.ResidualHigh = nan, nan, nan, nan, nan, nan
		r.Columns, r.Measures = append(r.Columns, c), append(r.Measures, measure)
	}
	var p report.Protocol
	for _, s := range report.Switches() {
		if rnd.Intn(2) == 0 {
			if _, err := p.Set(s.Name, s.Options[rnd.Intn(len(s.Options))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.Decisions = p.Decisions()
	if err := r.Conclude(p, nil); err != nil {
		t.Fatal(err)
	}
	return r
}

// facts are what the JSON of a report says, which everything else is held against.
type facts struct {
	Finding, Note, Baseline string
	Runs                    []struct {
		Name, Letter string
		Measures     map[string]struct {
			Mean   *float64
			Groups string
		}
	}
	Measures []struct {
		Measure string
		Lower   bool `json:"smaller_is_better"`
		Best    []string
	}
	Pairs []map[string]any
	Ranks []struct {
		Run             string
		Rank, Low, High int
	}
}

// held holds all that is said of a board against its facts.
type held struct {
	t      *testing.T
	r      *report.Report
	f      facts
	lower  bool
	wrongs []string
	open   int // intervals that end beside 0
}

func (h *held) wrong(format string, args ...any) {
	h.wrongs = append(h.wrongs, fmt.Sprintf(format, args...))
}

// pair is that of two runs on the first measure: of b against a.
func (h *held) pair(a, b string) map[string]any {
	for _, p := range h.f.Pairs {
		if p["a"] == a && p["b"] == b || p["a"] == b && p["b"] == a {
			return p
		}
	}
	return nil
}

// corrected is the p of a pair that decides, 1 where the test has none; false where it is not tested.
func (h *held) corrected(p map[string]any) (v float64, tested bool) {
	a, b := p["a"].(string), p["b"].(string)
	base := h.f.Baseline
	v, is := p["p_"+h.r.CorrectionKey()].(float64)
	tested = !h.silent(a) && !h.silent(b) &&
		(h.r.Protocol().Family != report.BaselineFamily || a == base || b == base)
	if is && !tested {
		h.wrong("a pair outside of the family has a corrected p: %v", p)
	}
	if !is {
		v = 1
	}
	return v, tested
}

// apart reports whether two runs are significantly different.
func (h *held) apart(a, b string) bool {
	v, tested := h.corrected(h.pair(a, b))
	return tested && v < report.Alpha
}

func (h *held) mean(name string) float64 {
	for _, run := range h.f.Runs {
		if run.Name == name {
			return *run.Measures[h.r.Measures[0]].Mean
		}
	}
	return math.NaN()
}

// better reports whether the mean of a is better than that of b.
func (h *held) better(a, b string) bool {
	if h.lower {
		return h.mean(a) < h.mean(b)
	}
	return h.mean(a) > h.mean(b)
}

func (h *held) silent(name string) bool {
	s := slices.IndexFunc(h.r.Systems, func(x report.System) bool { return x.Label == name })
	return h.r.Unanswered(s)
}

// figures holds p, interval, letters and ranks against each other.
func (h *held) figures() {
	baseline := h.r.Protocol().Family == report.BaselineFamily
	groups, ranks := map[string]string{}, map[string][2]int{}
	for _, run := range h.f.Runs {
		groups[run.Name] = run.Measures[h.r.Measures[0]].Groups
		if (groups[run.Name] != "") == h.silent(run.Name) && !baseline {
			h.wrong("%s is silent: %v, and has the letters %q", run.Name, h.silent(run.Name), groups[run.Name])
		}
	}
	for _, x := range h.f.Ranks {
		ranks[x.Run] = [2]int{x.Low, x.High}
		if !h.silent(x.Run) && (x.Low > x.Rank || x.Rank > x.High) {
			h.wrong("rank %+v", x)
		}
	}
	for _, p := range h.f.Pairs {
		a, b := p["a"].(string), p["b"].(string)
		v, tested := h.corrected(p)
		if tested && (h.silent(a) || h.silent(b)) {
			h.wrong("a silent run is tested: %v", p)
		}
		low, is := p["low"].(float64)
		high, _ := p["high"].(float64)
		if is && tested && (low > 0 || high < 0) != (v < report.Alpha) {
			h.wrong("interval and p: %v", p)
		}
		if !tested {
			continue
		}
		if share := strings.ContainsAny(groups[a], groups[b]); !baseline && share == (v < report.Alpha) {
			h.wrong("letters %q and %q of %v", groups[a], groups[b], p)
		}
		if x, y := ranks[a], ranks[b]; (x[1] < y[0] || y[1] < x[0]) && v >= report.Alpha {
			h.wrong("the ranks %v and %v of %v", x, y, p)
		}
	}
}

var (
	systemsOf = regexp.MustCompile(`S\d`)
	beatsOf   = regexp.MustCompile(`(S\d) beats (.*?) [^ ]+\. ?(?:S\d|The test|Only|$)`)
	gainOf    = regexp.MustCompile(`95 % interval of the gain (.+?) to (.+?), `)
	gainsOf   = regexp.MustCompile(`(S\d) by ([^ ]+)`)
	sameOf    = regexp.MustCompile(`(S\d)(?: leads by [^ ]+ but)? is not significantly different from ([^(.]*)`)
	samesOf   = regexp.MustCompile(`\. ((?:S\d(?:, | and )?)+)(?: and \d others?)? (?:is|are) not significantly different\.`)
	pOf       = regexp.MustCompile(`p (=|<|≤) ([0-9.e-]*[0-9])`)
)

// ends holds an interval as it is written, of the whole of a match and its ends, against whether the pair is apart: a
// reader must see on which side of 0 it is exactly if the pair is.
func (h *held) ends(m []string, apart bool) {
	without := func(end, sign string, side float64) bool {
		v, err := strconv.ParseFloat(end, 64)
		return end == sign+" 0" || err == nil && v*side > 0
	}
	if without(m[1], ">", 1) != apart && without(m[2], "<", -1) != apart {
		h.wrong("apart: %v, %s", apart, m[0])
	}
	if apart {
		h.open += strings.Count(m[0], "> 0 to") + strings.Count(m[0], "to < 0")
	}
}

// headline holds sentence and note against the figures.
func (h *held) headline() {
	text := h.f.Finding
	answered := slices.DeleteFunc(systemNames(h.r), h.silent)
	switch {
	case len(answered) == 0:
		if !strings.HasPrefix(text, "No system answered any of ") || h.f.Note != "" {
			h.wrong("nobody answered: %s", text)
		}
		return
	case len(answered) == 1:
		if !strings.Contains(text, ", "+answered[0]+" reaches ") {
			h.wrong("only %s answered: %s", answered[0], text)
		}
		return
	}
	for _, s := range systemNames(h.r) {
		if said := strings.Contains(text, "answered no query"); h.silent(s) && !said {
			h.wrong("%s answered nothing: %s", s, text)
		}
	}
	leader := systemsOf.FindString(text)
	for _, s := range answered {
		if h.better(s, leader) {
			h.wrong("%s is better than the leader: %s", s, text)
		}
	}
	if strings.Contains(text, "equal") {
		for _, s := range answered[1:] {
			if p := h.pair(answered[0], s); p["better"].(float64)+p["worse"].(float64) > 0 {
				h.wrong("equal: %s, %v", text, p)
			}
		}
		return
	}
	if m := beatsOf.FindStringSubmatch(text); m != nil {
		for _, g := range gainsOf.FindAllStringSubmatch(m[2], -1) {
			if !h.apart(leader, g[1]) || !h.better(leader, g[1]) || strings.Trim(g[2], "0.") == "" {
				h.wrong("%s beats %s by %s: %v", leader, g[1], g[2], h.pair(leader, g[1]))
			}
		}
	}
	var same []string
	if m := sameOf.FindStringSubmatch(text); m != nil {
		same = systemsOf.FindAllString(m[2], -1)
	}
	if m := samesOf.FindStringSubmatch(text); m != nil {
		same = append(same, systemsOf.FindAllString(m[1], -1)...)
	}
	for _, s := range same {
		if h.apart(leader, s) {
			h.wrong("%s is not different from %s: %v", leader, s, h.pair(leader, s))
		}
	}
	m := pOf.FindStringSubmatch(h.f.Note)
	uncorrected := strings.Contains(h.f.Note, "not among those tested")
	if m == nil {
		if !strings.Contains(h.f.Note, "p n/a") {
			h.wrong("note: %s", h.f.Note)
		}
		return
	}
	other := h.r.Systems[h.r.Conclusion().Other].Label
	if e := gainOf.FindStringSubmatch(h.f.Note); e != nil && !uncorrected {
		h.ends(e, h.apart(leader, other))
	}
	v, _ := strconv.ParseFloat(m[2], 64)
	small := v < report.Alpha || m[1] == "<"
	if small != h.apart(leader, other) && !uncorrected {
		h.wrong("%s / %s: %v", text, h.f.Note, h.pair(leader, other))
	}
}

func systemNames(r *report.Report) (out []string) {
	for _, s := range r.Systems {
		out = append(out, s.Label)
	}
	return out
}

// drawn holds the sentences of figures against the figures.
func (h *held) drawn() {
	in := chart.NewInput(h.r, chart.Facts{}, chart.Format{Style: say.Plain})
	a, b := h.r.Systems[in.A].Label, h.r.Systems[in.B].Label
	for _, d := range chart.Draw(in) {
		switch d.Name {
		case "intervals":
			best := h.f.Runs[slices.IndexFunc(h.r.Systems, func(s report.System) bool {
				return strings.HasPrefix(d.Sentence, h.r.Letter(slices.Index(systemNames(h.r), s.Label))+" ")
			})].Name
			same, tested := 0, 0
			for _, s := range systemNames(h.r) {
				if p := h.pair(best, s); s != best && p != nil {
					if _, ok := h.corrected(p); ok {
						if tested++; !h.apart(best, s) {
							same++
						}
					}
				}
			}
			if every := strings.Contains(d.Sentence, "Every other run"); every && (same > 0 || tested == 0) ||
				strings.Contains(d.Sentence, "not significantly") != (same > 0) {
				h.wrong("%d of %d are not different: %s", same, tested, d.Sentence)
			}
		case "bars":
			for _, m := range h.f.Measures {
				if len(m.Best) == 1 && strings.Contains(d.Sentence, "by "+m.Measure+";") {
					letter := h.r.Letter(slices.Index(systemNames(h.r), m.Best[0]))
					if !regexp.MustCompile(letter + `( has the best mean)? by [^;]*` + regexp.QuoteMeta(m.Measure)).
						MatchString(d.Sentence) {
						h.wrong("the best by %s is %s: %s", m.Measure, m.Best[0], d.Sentence)
					}
				}
			}
		case "differences":
			p := h.pair(a, b)
			if h.silent(a) || h.silent(b) {
				continue
			}
			better, worse := p["better"].(float64), p["worse"].(float64)
			if p["a"] != a {
				better, worse = worse, better
			}
			if better > 0 && !strings.Contains(d.Sentence, " better than "+h.r.Letter(in.A)+" by "+h.r.Measures[0]+
				" on "+strconv.Itoa(int(better))+" of") || better == 0 && worse > 0 &&
				!strings.Contains(d.Sentence, " worse than ") {
				h.wrong("better on %v, worse on %v: %s", better, worse, d.Sentence)
			}
		}
	}
}

var correctedOf = regexp.MustCompile(`(S\d) less [A-Z] (S\d): [^,]+, 95 % interval, corrected, (.+?) to (.+?); better`)

var betweenOf = regexp.MustCompile(`By [^,]+, [A-Z] (S\d) (is significantly better than|is significantly worse than|` +
	`is not significantly different from|differs significantly, but not in the mean, from|is not tested against|and) ` +
	`[A-Z] (S\d)`)

// statistics holds what is said of every pair against the figures.
func (h *held) statistics() {
	s, err := h.r.Statistics(0, report.StatisticsOptions{})
	if err != nil {
		h.t.Fatal(err)
	}
	for i, run := range h.f.Runs {
		if g := s.Compared.Systems[i].Group; g != run.Measures[h.r.Measures[0]].Groups {
			h.wrong("statistics have the letters %q of %s", g, run.Name)
		}
	}
	for _, p := range s.Pairs {
		a, b := h.r.Systems[p.I].Label, h.r.Systems[p.J].Label
		q := h.pair(a, b)
		if v, tested := h.corrected(q); tested && v != p.Adjusted && (v != 1 || p.Adjusted == p.Adjusted) || !tested && p.Adjusted == p.Adjusted {
			h.wrong("statistics have p %v: %v", p.Adjusted, q)
		}
	}
	var b strings.Builder
	if err := export.WriteStatistics(&b, h.r, s, nil, "text"); err != nil {
		h.t.Fatal(err)
	}
	for _, m := range correctedOf.FindAllStringSubmatch(b.String(), -1) {
		if _, tested := h.corrected(h.pair(m[1], m[2])); tested {
			h.ends(append(m[:1:1], m[3:]...), h.apart(m[1], m[2]))
		}
	}
	said := betweenOf.FindAllStringSubmatch(b.String(), -1)
	if len(said) != len(s.Pairs) {
		h.wrong("%d of %d pairs are said of:\n%s", len(said), len(s.Pairs), b.String())
	}
	for _, m := range said {
		_, tested := h.corrected(h.pair(m[1], m[3]))
		apart := h.apart(m[1], m[3])
		if is := strings.Contains(m[2], "significantly") && !strings.Contains(m[2], "is not"); is != apart ||
			tested == strings.Contains(m[2], "not tested") || strings.Contains(m[2], "better") &&
			!h.better(m[1], m[3]) || strings.Contains(m[2], "worse") && !h.better(m[3], m[1]) {
			h.wrong("%s: %v", m[0], h.pair(m[1], m[3]))
		}
	}
}

// exports holds what files say against the conclusion.
func (h *held) exports() {
	for _, format := range []string{"text", "md"} {
		var b strings.Builder
		if err := export.Write(&b, h.r, format, export.Detail{}); err != nil {
			h.t.Fatal(err)
		}
		if plain := strings.NewReplacer(`\`, "").Replace(b.String()); !strings.Contains(plain, h.f.Finding) ||
			strings.Contains(plain, "told apart") || strings.Contains(plain, "Tukey") {
			h.wrong("%s does not say %s", format, h.f.Finding)
		}
	}
	var page strings.Builder
	if err := Write(&page, h.r, nil, chart.Facts{}); err != nil {
		h.t.Fatal(err)
	}
	if !strings.Contains(page.String(), "<h1>"+text(h.r.Sentence(say.Page))+"</h1>") {
		h.wrong("the page does not say %s", h.r.Sentence(say.Page))
	}
	sections, err := analysis.Analyse(&analysis.Subject{Report: h.r, Style: say.Plain}, "places")
	if err != nil {
		h.t.Fatal(err)
	}
	best := regexp.MustCompile(`^[A-Z] (S\d) is significantly better than every other run`).
		FindStringSubmatch(sections[0].Sentence)
	if best == nil {
		return
	}
	for _, s := range systemNames(h.r) {
		if s != best[1] && !h.silent(s) && !h.apart(best[1], s) {
			h.wrong("%s: %v", sections[0].Sentence, h.pair(best[1], s))
		}
	}
}

// No two statements contradict each other, whatever the board, the test, the correction and the family.
func TestNoTwoStatementsContradict(t *testing.T) {
	rnd := rand.New(rand.NewSource(48))
	kinds := map[report.ConclusionKind]int{}
	boards, open := shared.Sample(1000, 4000), 0
	for i := range boards {
		r := board(t, rnd)
		var b strings.Builder
		if err := export.Write(&b, r, "json", export.Detail{}); err != nil {
			t.Fatal(err)
		}
		h := &held{t: t, r: r, lower: r.Columns[0].Lower}
		if err := json.Unmarshal([]byte(b.String()), &h.f); err != nil {
			t.Fatal(err)
		}
		h.figures()
		h.headline()
		h.drawn()
		h.statistics()
		h.exports()
		open += h.open
		if kinds[r.Conclusion().Kind]++; len(h.wrongs) > 0 {
			t.Fatalf("board %d, %q, baseline %d, %d queries:\n%s\n%s\n%s\n%s", i, r.Protocol(), r.Baseline,
				len(r.Queries), strings.Join(h.wrongs, "\n"), h.f.Finding, h.f.Note, b.String())
		}
	}
	for _, k := range []report.ConclusionKind{report.NoneAnswered, report.OneSystem, report.EqualSystems,
		report.NotDifferent, report.Beats} {
		if kinds[k] < boards/100 {
			t.Errorf("hardly any board of the kind %q: %v", k, kinds)
		}
	}
	if t.Logf("%d intervals end beside 0", open); open == 0 {
		t.Error("no interval ends beside 0, so nothing shows that it is written so")
	}
}
