package report

import (
	"fmt"
	"math"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/shared"
)

// anyReport returns a concluded report of random systems: alike, tied, constant or shifted, on a measure of either
// direction and under random decisions.
func anyReport(t *testing.T, rnd *rand.Rand) *Report {
	t.Helper()
	k, n := 2+rnd.Intn(7), 1+rnd.Intn(60)
	r := &Report{Baseline: rnd.Intn(k)}
	for q := range n {
		r.Queries = append(r.Queries, Query{ID: strconv.Itoa(q)})
	}
	for s := range k {
		r.Systems = append(r.Systems, System{Label: "S" + strconv.Itoa(s)})
	}
	for _, measure := range [][]string{{"nDCG@10", "unj@10"}, {"unj@10", "AP"}, {"P@1"}}[rnd.Intn(3)] {
		c := Column{Measure: measure}
		grid := []float64{1, 4, 1000}[rnd.Intn(3)] // values are multiples of 1/grid: many ties, or hardly any
		effect := []float64{0, 0.05, 0.3}[rnd.Intn(3)]
		level := make([]float64, n) // a query's own
		for q := range level {
			level[q] = 0.25 * rnd.NormFloat64()
		}
		for s := range k {
			v := make([]float64, n)
			kind := rnd.Intn(8)
			for q := range v {
				switch {
				case kind == 0: // constant
					v[q] = 0.5
				case kind == 1 && s > 0: // the same as the one before
					v[q] = c.Values[s-1][q]
				case kind == 2 && s > 0: // the same but for one size
					v[q] = min(1, c.Values[s-1][q]+0.125)
				case kind == 3 && rnd.Intn(3) > 0: // mostly 0
				case kind == 4 && s > 0 && q > 0: // one query outweighs all others
					v[q] = c.Values[s-1][q] - 0.01
				default:
					v[q] = math.Round(grid*min(1,
						max(0, 0.4+level[q]+effect*rnd.Float64()*float64(s)+0.2*rnd.NormFloat64()))) / grid
				}
			}
			c.Values = append(c.Values, v)
		}
		r.Columns, r.Measures = append(r.Columns, c), append(r.Measures, measure)
	}
	var p Protocol
	for _, s := range Switches() {
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

// said is what the sentence and the note of a report say, read from their words.
type said struct {
	equal              bool // all systems
	leader             string
	beaten             map[string]string // to the gain as written
	beats              int               // how many, also where they are not named
	same, differs      []string
	others             int // that are not told apart from the leader, and not named
	onlyBaseline       bool
	against            string
	low, high, p       string
	uncorrected, noEnd bool
}

var (
	equalTwo  = regexp.MustCompile(`^(S\d) and (S\d) are equal by \S+ on every query\.$`)
	equalAll  = regexp.MustCompile(`^all \d systems are equal to (S\d) by \S+ on every query\.$`)
	notOne    = regexp.MustCompile(`^(S\d) is not significantly different from (S\d) by \S+ \(\S+\)\.$`)
	leads     = regexp.MustCompile(`^(S\d) (?:leads by |beats )(.*)$`)
	beatsMany = regexp.MustCompile(`beats (\d) systems by (\S+) to (\S+) \S+\.`)
	gainOf    = regexp.MustCompile(`(S\d) by (\d+\.\d+(?:e-\d+)?)`)
	namesOf   = regexp.MustCompile(`S\d`)
	othersOf  = regexp.MustCompile(`(\d) others?`)
	notApart  = regexp.MustCompile(`but is not significantly different from ([^.]*)\.`)
	neither   = regexp.MustCompile(`\. ([^.]*?) (?:is|are) not significantly different\.`)
	differing = regexp.MustCompile(
		`The test says that ([^.]*) differs? from S\d, but not that the mean is (lower|higher)\.`)
	noteOf = regexp.MustCompile(
		`^(?:Against (S\d): )?(?:95 % interval of the gain ((?:> )?\S+) to ((?:< )?\S+), )?[^.]*?, p (= \S+?|< ` +
			`0\.001|n/a|≤ \S+ \(\S+ draws\))(?:\.| (after|without)[^.]*\.)(?: (?:No interval: |Only \d).*\.)?$`)
	beginning  = regexp.MustCompile(`^On \d+ (?:query|queries), `)
	onlyTested = "Only pairs with the baseline are tested."
)

// read reads the words.
func read(t *testing.T, r *Report) said {
	t.Helper()
	text := r.Sentence(say.Plain)
	s := said{beaten: map[string]string{}, onlyBaseline: strings.Contains(text, onlyTested)}
	rest := beginning.ReplaceAllString(text, "")
	switch {
	case rest == text:
		t.Fatalf("no beginning: %s", text)
	case equalTwo.MatchString(rest) || equalAll.MatchString(rest):
		s.equal = true
	case notOne.MatchString(rest):
		m := notOne.FindStringSubmatch(rest)
		s.leader, s.same = m[1], []string{m[2]}
	case leads.MatchString(rest):
		s.leader = leads.FindStringSubmatch(rest)[1]
		if n := beatsMany.FindStringSubmatch(rest); n != nil {
			s.beats, _ = strconv.Atoi(n[1])
			s.beaten["first"], s.beaten["last"] = n[2], n[3]
		} else {
			for _, g := range gainOf.FindAllStringSubmatch(rest, -1) {
				s.beaten[g[1]] = g[2]
			}
			s.beats = len(s.beaten)
		}
		n := notApart.FindStringSubmatch(rest)
		if n == nil {
			n = neither.FindStringSubmatch(rest)
		}
		if n != nil {
			s.same = namesOf.FindAllString(n[1], -1)
			if o := othersOf.FindStringSubmatch(n[1]); o != nil {
				s.others, _ = strconv.Atoi(o[1])
			}
		}
		if n := differing.FindStringSubmatch(rest); n != nil {
			s.differs = namesOf.FindAllString(n[1], -1)
			if (n[2] == "higher") != r.Columns[0].Lower {
				t.Errorf("direction: %s", text)
			}
		}
	default:
		t.Fatalf("cannot be read: %s", text)
	}
	note := r.Note(say.Plain)
	m := noteOf.FindStringSubmatch(note)
	if m == nil {
		t.Fatalf("cannot be read: %s", note)
	}
	s.against, s.low, s.high, s.p = m[1], m[2], m[3], strings.TrimPrefix(m[4], "= ")
	s.noEnd, s.uncorrected = m[2] == "", strings.Contains(note, "is not among those tested")
	return s
}

// excludes reports whether an interval is without 0.
func excludes(p Pair) bool { return p.Low > 0 || p.High < 0 }

// aboutMean reports whether the test that decides is about the mean difference.
func aboutMean(r *Report) bool {
	t := r.Protocol().Test
	return t != "wilcoxon" && t != "sign"
}

// checkPairs checks p values, intervals and letters against each other.
func checkPairs(t *testing.T, r *Report) {
	t.Helper()
	about := aboutMean(r)
	for _, p := range r.Pairs {
		if (p.Low != p.Low) != (p.High != p.High) || p.Low > p.Diff || p.High < p.Diff {
			t.Errorf("interval without its difference: %+v", p)
		}
		tested, reject := p.Adjusted == p.Adjusted, p.Adjusted < Alpha
		if !tested {
			reject = p.P < Alpha
		}
		if p.Low == p.Low && excludes(p) != reject || p.Low != p.Low && reject && about {
			t.Errorf("interval and p: %+v", p)
		}
		if tested && p.Adjusted < p.P*(1-1e-12) {
			t.Errorf("corrected p below p: %+v", p)
		}
		back, ok := r.Pair(p.B, p.A)
		if !ok || back.Diff != -p.Diff || p.Low == p.Low && (back.Low != -p.High || back.High != -p.Low) {
			t.Errorf("turned round: %+v, %+v", p, back)
		}
	}
	for m := range r.Columns {
		tests, err := r.TestOn(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := &r.Columns[m]
		for _, p := range tests.Pairs {
			if !r.Tested(p.A, p.B) {
				continue
			}
			if share := strings.ContainsAny(c.Groups[p.A], c.Groups[p.B]); share == p.Apart() {
				t.Errorf("column %d: letters %q: %+v", m, c.Groups, p)
			}
		}
		best := r.RankingBy(m)[0]
		if r.Protocol().Family == "" && !strings.HasPrefix(c.Groups[best], "a") {
			t.Errorf("column %d: the best has %q", m, c.Groups[best])
		}
	}
}

// checkWords checks what is said against means, pairs and letters.
func checkWords(t *testing.T, r *Report) {
	t.Helper()
	s, c := read(t, r), &r.Columns[0]
	number := func(name string) int { n, _ := strconv.Atoi(strings.TrimPrefix(name, "S")); return n }
	if s.equal {
		for _, v := range c.Values[1:] {
			for q := range v {
				if math.Abs(v[q]-c.Values[0][q]) > 1e-12 {
					t.Errorf("not equal: %v", c.Values)
				}
			}
		}
		return
	}
	leader := number(s.leader)
	gain := func(i int) float64 {
		if c.Lower {
			return c.Means[i] - c.Means[leader]
		}
		return c.Means[leader] - c.Means[i]
	}
	beats, same, differs, untested := 0, 0, 0, 0
	for i := range r.Systems {
		if i == leader {
			continue
		}
		if gain(i) < 0 {
			t.Errorf("S%d is better than the leader", i)
		}
		p, _ := r.Pair(leader, i)
		low, high := -p.High, -p.Low // of the leader less the other
		if c.Lower {
			low, high = p.Low, p.High
		}
		name := r.Systems[i].Label
		share := strings.ContainsAny(c.Groups[leader], c.Groups[i])
		written, beaten := s.beaten[name]
		switch {
		case !r.Tested(leader, i):
			untested++
			if beaten || slices.Contains(s.same, name) || slices.Contains(s.differs, name) {
				t.Errorf("%s is not tested, and something is said of it", name)
			}
		case !p.Apart():
			same++
			if beaten || slices.Contains(s.differs, name) || !share || low > 0 || high < 0 {
				t.Errorf("%s is not told apart: letters %q, %v to %v", name, c.Groups, low, high)
			}
			if s.others == 0 && !slices.Contains(s.same, name) {
				t.Errorf("nothing is said of %s", name)
			}
		case slices.Contains(s.differs, name):
			differs++
			if beaten || share || aboutMean(r) {
				t.Errorf("%s differs: %+v", name, p)
			}
		default:
			beats++
			if share || !(gain(i) > 0) || low <= 0 || slices.Contains(s.same, name) {
				t.Errorf("%s is beaten: letters %q, %v to %v, gain %v", name, c.Groups, low, high, gain(i))
			}
			if s.beats <= fewNamed && written != say.Plain.Gap(gain(i), 3) {
				t.Errorf("%s is beaten by %v, written %q", name, gain(i), written)
			}
		}
	}
	if beats != s.beats || same != len(s.same)+s.others || untested > 0 != s.onlyBaseline ||
		differs != len(s.differs) && differs <= fewNamed {
		t.Errorf("beats %d, as %d, differs from %d, untested %d: %+v", beats, same, differs, untested, s)
	}
	other := r.Baseline
	if other == leader {
		other = r.Ranking()[1]
	}
	if s.against != "" && number(s.against) != other || (s.against == "") != (len(r.Systems) == 2) {
		t.Errorf("against %q, not %d", s.against, other)
	}
	p, _ := r.Pair(other, leader)
	low, high, value := p.Low, p.High, p.Adjusted
	if c.Lower {
		low, high = -high, -low
	}
	if s.uncorrected {
		value = p.P
	}
	if s.noEnd != (low != low) || !s.noEnd &&
		(s.low != say.Plain.Gap(low, 3) || s.high != say.Plain.Gap(high, 3)) || s.p != say.Plain.P(value) &&
		!strings.HasPrefix(r.PIs(&p, say.Plain), "p ≤ ") {
		t.Errorf("%v to %v, p %v: %+v", low, high, value, s)
	}
	if gain(other) < low-1e-12 || gain(other) > high+1e-12 {
		t.Errorf("the interval %v to %v is not of the gain %v", low, high, gain(other))
	}
}

// Whatever the figures and decisions: sentence, note, letters, intervals and p say the same.
func TestConclusionNeverContradictsItself(t *testing.T) {
	rnd := rand.New(rand.NewSource(29))
	kinds := map[string]int{}
	reports := shared.Sample(240, 1200)
	for i := range reports {
		r := anyReport(t, rnd)
		checkPairs(t, r)
		checkWords(t, r)
		x := r.Conclusion()
		kinds[string(x.Kind)]++
		if len(x.Untested) > 0 {
			kinds["untested"]++
		}
		if len(x.Differs) > 0 {
			kinds["differs"]++
		}
		if len(x.Beaten) > fewNamed {
			kinds["beats many"]++
		}
		if t.Failed() {
			t.Fatalf("report %d: %q, baseline %d, %d queries, means %v, letters %q, pairs %+v\n%s\n%s", i, r.Protocol(),
				r.Baseline, len(r.Queries), r.Columns[0].Means, r.Columns[0].Groups, r.Pairs,
				r.Sentence(say.Plain), r.Note(say.Plain))
		}
	}
	for _, k := range []ConclusionKind{EqualSystems, NotDifferent, Beats, "untested", "differs", "beats many"} {
		if kinds[string(k)] < reports/100 {
			t.Errorf("hardly any report of the kind %q: %v", k, kinds)
		}
	}
	t.Log(fmt.Sprint(kinds))
}
