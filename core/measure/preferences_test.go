package measure

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// groupsOf parses "u1: s a=3 b=2; t b=1 c=0 | u2: …", users and their subgroups by name, and numbers documents by
// id.
func groupsOf(t testing.TB, text string, ranked ...string) *Preferences {
	t.Helper()
	var ids []string
	words := strings.NewReplacer("|", " ", ":", " ", ";", " ").Replace(text)
	for _, w := range strings.Fields(words) {
		if id, _, ok := strings.Cut(w, "="); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	p := &Preferences{Docs: len(ids), Ranked: []int32{}}
	for _, user := range strings.Split(text, "|") {
		var g PreferenceGroup
		_, user, _ = strings.Cut(user, ":")
		for _, sub := range strings.Split(user, ";") {
			var docs []Preferred
			for _, w := range strings.Fields(sub) {
				id, level, ok := strings.Cut(w, "=")
				if !ok {
					continue
				}
				d := Preferred{Doc: int32(slices.Index(ids, id))}
				if _, err := fmt.Sscan(level, &d.Level); err != nil {
					t.Fatal(err)
				}
				docs = append(docs, d)
			}
			g.Subgroups = append(g.Subgroups, docs)
		}
		p.Groups = append(p.Groups, g)
	}
	for _, id := range ranked {
		p.Ranked = append(p.Ranked, int32(slices.Index(ids, id)))
	}
	return p
}

// The examples of trec_eval's help (trec_eval -h -R prefs, version 9.0.4), with what the program prints for
// prefs_num_prefs_poss.
func TestPreferencesOfTrecEvalsHelp(t *testing.T) {
	for _, c := range []struct {
		name, groups string
		want         float64
	}{
		{"4 before five, 1 before four, 2 and 6 before two each", "u: s 1=3 2=2 3=0 4=6 5=0 6=2", 13},
		{"1>2 twice, 1>3, 2>3, 4>1, 4>2, and by way of 2 4>3, which the help forgets and the program counts",
			"u: s 1=3 2=2 3=1; t 1=2 2=1 4=3", 6},
		{"two users: 1>2, 3>1, 4>1, 3>4, 2>1", "u1: s 1=3 2=2 | u2: s 1=0 3=6 4=2; t 1=0 2=8", 5},
		{"1>2, 1>3, 2>3, 2>4, and by way of 2 1>4", "u: s 1=3 2=2 3=1; t 2=5 4=4", 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mustParse(t, "NumPrefs").Score(&Topic{Preferences: groupsOf(t, c.groups)}); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// The output of trec_eval 9.0.4 with -R prefs -m all_prefs.
func TestPreferencesEqualTrecEval(t *testing.T) {
	const all = "NumPrefs NumPrefsFul NumPrefsFul(over='retrieved') prefs_simp prefs_pair prefs_avgjg " +
		"prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret prefs_avgjg_ret " +
		"prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp prefs_avgjg_imp"
	for _, c := range []struct {
		name, groups string
		ranked       []string
		want         string
	}{
		{"two users, one with subgroups", "g1: s 1=3 2=2 3=0 | g2: a 1=1 2=2; b 2=2 4=1", []string{"1", "2", "4"},
			"5 4 2 0.8000 0.8750 0.7500 0.9545 0.6667 0.7500 0.7500 0.9545 0.8000 0.8750 0.7500"},
		{"nothing retrieved", "g1: s 1=3 2=2 3=0 | g2: a 1=1 2=2; b 2=2 4=1", nil,
			"5 0 0 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000"},
		{"circle without end", "g: s 1=1 2=2; t 2=1 1=2", []string{"1", "2"},
			"0 0 0 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000"}, // trec_eval aborts
	} {
		t.Run(c.name, func(t *testing.T) {
			ms, err := ParseList(all)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range ms {
				text := fmt.Sprintf("%.4f", m.Score(&Topic{Preferences: groupsOf(t, c.groups, c.ranked...)}))
				if m.info.Sum {
					text = strings.TrimSuffix(text, ".0000")
				}
				got = append(got, text)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

// By hand: one group finds d relevant and a, b and c not. So one of these is kept, the first of the ranking, and
// compared with d and, by trec_eval's oversight, with all three. In b d c it is b: neither d nor any other document
// ranks above it, 0 / 4. In d c it is c: d ranks above it; a, b and c itself do not, 1 / 4. The program prints the
// same for both.
func TestRnonrelComparesWithItself(t *testing.T) {
	m := mustParse(t, "prefs_avgjg_Rnonrel")
	if v := m.Score(&Topic{Preferences: groupsOf(t, "g: s a=0 b=0 c=0 d=1", "b", "d", "c")}); v != 0 {
		t.Errorf("%v, want 0", v)
	}
	if v := m.Score(&Topic{Preferences: groupsOf(t, "g: s a=0 b=0 c=0 d=1", "d", "c")}); v != 0.25 {
		t.Errorf("%v, want 1/4", v)
	}
	// Across subgroups they are not compared: 1 / 1.
	if v := m.Score(&Topic{Preferences: groupsOf(t, "g: s a=0 b=0 c=0 d=1; t d=1", "d", "c")}); v != 1 {
		t.Errorf("%v, want 1", v)
	}
}

// trec_eval 9.0.4 prints 0.0000 if one of two users has nothing to compare: 0/0. By hand: the first user's 1 / 1,
// and 0 for the second.
func TestRnonrelAtFault(t *testing.T) {
	topics := []Topic{{Query: "q", Preferences: groupsOf(t, "g: s d1=1 d2=0 | h: s d1=0 d3=0", "d1", "d2", "d3")}}
	for _, faults := range []bool{true, false} {
		want := "prefs_avgjg_Rnonrel   \tall\t0.5000\nprefs_avgjg_Rnonrel_ret\tall\t0.5000\n"
		if faults {
			want = strings.ReplaceAll(want, "0.5", "0.0")
		}
		var out bytes.Buffer
		o := TrecEval{Measures: []string{"prefs_avgjg_Rnonrel", "prefs_avgjg_Rnonrel_ret"}, Judgments: "prefs",
			Version: 9, Faults: faults}
		if err := FormatTrecEval(&out, topics, o); err != nil || out.String() != want {
			t.Errorf("faults %v: %q, want %q; %v", faults, out.String(), want, err)
		}
	}
}

// A measure for another kind of judgments is refused, as in trec_eval; num_q and runid work with all.
func TestTrecEvalJudgments(t *testing.T) {
	topics := []Topic{{Query: "q", Ranked: []float64{1}, Judged: []float64{1}, Subtopics: exampleGroups(),
		Preferences: examplePreferences()}}
	for _, c := range []struct {
		judgments, measure string
		ok                 bool
	}{
		{"", "map", true}, {"qrels", "map", true}, {"prefs", "map", false}, {"qrels_jg", "map", false}, {"prefs",
			"relstring", false}, {"prefs", "", false},
		{"", "prefs_simp", false}, {"prefs", "prefs_simp", true}, {"qrels_prefs", "all_prefs", true}, {"qrels_jg",
			"prefs", false},
		{"", "map_avgjg", false}, {"qrels_jg", "qrels_jg", true}, {"prefs", "P_avgjg", false},
		{"", "num_q", true}, {"prefs", "num_q", true}, {"qrels_jg", "runid", true},
	} {
		o := TrecEval{Judgments: c.judgments, Version: 9}
		if c.measure != "" {
			o.Measures = []string{c.measure}
		}
		if err := FormatTrecEval(&bytes.Buffer{}, topics, o); (err == nil) != c.ok {
			t.Errorf("-R %q -m %q: %v", c.judgments, c.measure, err)
		}
	}
}

// -Z by hand: AP is 1, half a deviation of 0.5 above the mean 0.75. With deviation 0 the result is 0 if the value
// is the mean; unknown means give -1000000. gm_map is the logarithm of 1, 0, until the end: exp((0 - 1)/0.5).
func TestTrecEvalZscores(t *testing.T) {
	topics := []Topic{{Query: "q", Ranked: []float64{1}, Judged: []float64{1}}}
	known := map[string][2]float64{"map": {0.75, 0.5}, "Rprec": {1, 0}, "recip_rank": {0.5, 0}, "num_ret": {2, 4},
		"gm_map": {1, 0.5}}
	o := TrecEval{Measures: []string{"map", "Rprec", "recip_rank", "num_ret", "gm_map", "bpref", "num_q", "runid"},
		RunID: "r", Version: 9, PerQuery: true}
	o.Zscore = func(query, name string) (float64, float64, bool) {
		v, ok := known[name]
		return v[0], v[1], ok && query == "q"
	}
	const want = "Znum_ret               \tq\t-0.2500\nZmap                   \tq\t0.5000\nZRprec                 " +
		"\tq\t0.0000\nZbpref                 \tq\t-1000000.0000\nZrecip_rank            \tq\t-1000000.0000\n" +
		"runid                 \tall\tr\nZnum_q                 \tall\t1.0000\nZnum_ret               " +
		"\tall\t-0.2500\nZmap                   \tall\t0.5000\nZgm_map                \tall\t0.1353\n" +
		"ZRprec                 \tall\t0.0000\nZbpref                 \tall\t-1000000.0000\nZrecip_rank            " +
		"\tall\t-1000000.0000\n"
	var out bytes.Buffer
	if err := FormatTrecEval(&out, topics, o); err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}
}

// -M 0 leaves nothing of any list.
func TestTrecEvalOfNoDocuments(t *testing.T) {
	topics := []Topic{{Query: "q", Ranked: []float64{1}, Judged: []float64{1}, Preferences: examplePreferences(),
		Subtopics: exampleGroups()}}
	for judgments, measures := range map[string]string{"qrels": "num_ret map success.1",
		"prefs": "prefs_simp prefs_num_prefs_ful", "qrels_jg": "map_avgjg P_avgjg.1"} {
		var out bytes.Buffer
		if err := FormatTrecEval(&out, topics, TrecEval{Measures: strings.Fields(measures), Judgments: judgments,
			NoDocs: true, Version: 9}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); f[2] != "0" && f[2] != "0.0000" {
				t.Errorf("%s: %s", judgments, line)
			}
		}
	}
}

// The plain definition, by document and user, on random judgments: closure by Warshall's algorithm, pairs one by
// one.
func TestPreferencesEqualTheirDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 400 {
		tp := randomTopic(rng, 12)
		p := tp.Preferences
		n := p.Docs
		place := make([]int, n) // rank, or beyond all ranks
		for d := range place {
			place[d] = math.MaxInt
		}
		for r, d := range p.Ranked {
			if d >= 0 {
				place[d] = r
			}
		}
		var ful, poss [3]int // by over
		sums, groups := [3]float64{}, float64(len(p.Groups))
		up := map[[2]int]int{}
		for _, g := range p.Groups {
			beats := make([][]bool, n)
			for i := range beats {
				beats[i] = make([]bool, n)
			}
			for _, sub := range g.Subgroups {
				for _, a := range sub {
					for _, b := range sub {
						if a.Level > b.Level {
							beats[a.Doc][b.Doc] = true
						}
					}
				}
			}
			for k := range n {
				for i := range n {
					for j := range n {
						beats[i][j] = beats[i][j] || beats[i][k] && beats[k][j]
					}
				}
			}
			var f, m [3]int
			for i := range n {
				for j := range n {
					if !beats[i][j] {
						continue
					}
					up[[2]int{i, j}]++
					for over := range 3 {
						found := 0
						for _, d := range []int{i, j} {
							if place[d] < math.MaxInt {
								found++
							}
						}
						if found >= over {
							m[over]++
							if place[i] < place[j] {
								f[over]++
							}
						}
					}
				}
			}
			for over := range 3 {
				ful[over] += f[over]
				poss[over] += m[over]
				if m[over] > 0 {
					sums[over] += float64(f[over]) / float64(m[over])
				}
			}
		}
		ratio := func(a, b float64) float64 {
			if b == 0 {
				return 0
			}
			return a / b
		}
		for over, set := range []string{"", "(over='implied')", "(over='retrieved')"} {
			pairs, sum := 0.0, 0.0
			for i := range n {
				for j := i + 1; j < n; j++ {
					a, b := up[[2]int{i, j}], up[[2]int{j, i}]
					found := 0
					for _, d := range []int{i, j} {
						if place[d] < math.MaxInt {
							found++
						}
					}
					if a+b == 0 || found < over {
						continue
					}
					pairs++
					if place[i] < place[j] {
						sum += float64(a) / float64(a+b)
					} else if place[j] < place[i] {
						sum += float64(b) / float64(a+b)
					}
				}
			}
			for name, want := range map[string]float64{"prefs_simp": ratio(float64(ful[over]), float64(poss[over])),
				"prefs_pair": ratio(sum, pairs), "prefs_avgjg": ratio(sums[over], groups)} {
				if got := mustParse(t, name+set).Score(tp); math.Abs(got-want) > 1e-12 {
					t.Fatalf("%s%s: %v, want %v; %v, ranked %v", name, set, got, want, p.Groups, p.Ranked)
				}
			}
		}
		if got := mustParse(t, "NumPrefs").Score(tp); got != float64(poss[0]) {
			t.Fatalf("NumPrefs: %v, want %d", got, poss[0])
		}
	}
}

// Pair by pair, by definition, compared with counting by classes and by rows of bits.
func TestPreferencesAreCountedAsPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for round := range 400 {
		p := &Preferences{Docs: 1 + rng.IntN(140)}
		for range 1 + rng.IntN(4) {
			var g PreferenceGroup
			order := rng.Perm(p.Docs) // no subgroup contradicts another
			for range 1 + rng.IntN(2)*rng.IntN(3) {
				var sub []Preferred
				for at, d := range order {
					if rng.IntN(3) > 0 {
						sub = append(sub, Preferred{int32(d), float64(max(0, 12-at/(1+round%9)))})
					}
				}
				g.Subgroups = append(g.Subgroups, sub)
			}
			p.Groups = append(p.Groups, g)
		}
		for _, d := range rng.Perm(p.Docs)[:rng.IntN(p.Docs+1)] {
			p.Ranked = append(p.Ranked, int32(d), -1)
		}
		p.prepare()
		var want [overRetrieved + 1]pairShare
		for _, part := range []int{overRetrieved, overImplied, overJudged} {
			if part != overRetrieved {
				want[part] = want[part+1]
			}
			for i := range int32(p.Docs) {
				for j := i + 1; j < int32(p.Docs); j++ {
					up, down := 0, 0
					for g := range p.tallies {
						a, isA := slices.BinarySearch(p.tallies[g].members, i)
						b, isB := slices.BinarySearch(p.tallies[g].members, j)
						if isA && isB && p.tallies[g].prefers(a, b) {
							up++
						} else if isA && isB && p.tallies[g].prefers(b, a) {
							down++
						}
					}
					in := overJudged
					if j < p.found {
						in = overRetrieved
					} else if i < p.found {
						in = overImplied
					}
					if in != part || up+down == 0 {
						continue
					}
					want[part].pairs++
					if part != overJudged {
						want[part].sum += float64(up) / float64(up+down)
					}
				}
			}
		}
		for over := range want {
			if sum, pairs := p.pairs(over); sum != want[over].sum || pairs != want[over].pairs {
				t.Fatalf("round %d, over %d: %v of %d pairs, want %+v", round, over, sum, pairs, want[over])
			}
		}
		for at, worth := range worths(p) {
			if p.weigh(); p.worth[at] != worth {
				t.Fatalf("round %d: place %d is worth %d, want %d", round, at, p.worth[at], worth)
			}
		}
		for g := range p.tallies {
			u := &p.tallies[g]
			var is tally
			for i, at := range u.members {
				for j := i + 1; j < len(u.members); j++ {
					up := 0
					if u.prefers(i, j) {
						up = 1
					} else if !u.prefers(j, i) {
						continue
					}
					switch {
					case u.members[j] < p.found:
						is.fulRet, is.possRet = is.fulRet+up, is.possRet+1
					case at < p.found:
						is.fulImp, is.possImp = is.fulImp+up, is.possImp+1
					default:
						is.neither++
					}
				}
			}
			got := [...]int{u.fulRet, u.possRet, u.fulImp, u.possImp, u.neither}
			if want := [...]int{is.fulRet, is.possRet, is.fulImp, is.possImp, is.neither}; got != want {
				t.Fatalf("round %d, group %d: %v, want %v", round, g, got, want)
			}
			for _, over := range []int{overJudged, overRetrieved} {
				ful, poss := u.asManyNonRelevant(p, over)
				if f, n := padded(u, p, over); ful != f || poss != n {
					t.Fatalf("round %d, group %d, over %d: %d of %d, want %d of %d", round, g, over, ful, poss, f, n)
				}
			}
		}
	}
}

// worths counts for every index what weigh does, pair by pair.
func worths(p *Preferences) []int {
	out := make([]int, p.Docs)
	for g := range p.tallies {
		u := &p.tallies[g]
		for i, at := range u.members {
			for j := range u.members {
				if u.prefers(i, j) {
					out[at]++
				} else if u.prefers(j, i) && (u.class != nil || len(p.tallies) > 1) {
					out[at]--
				}
			}
		}
	}
	return out
}

// prefers reports whether the group prefers member i to member j.
func (t *tally) prefers(i, j int) bool {
	if t.class != nil {
		return t.class[i] < t.class[j]
	}
	return t.width > 0 && t.beats[i*t.width+j/64]>>(j%64)&1 != 0
}

// padded is asManyNonRelevant, pair by pair.
func padded(t *tally, p *Preferences, over int) (ful, poss int) {
	r, n := t.rel, t.non
	if over == overRetrieved {
		r, n = t.relRet, t.nonRet
	}
	if r >= n {
		ful, poss = t.fulfilled(over)
		return ful + t.relRet*(r-n), poss + t.rel*(r-n)
	}
	kept := func(i int) bool { return over != overRetrieved || t.members[i] < p.found }
	worst, first, zeros := -1, 0, 0
	if t.class != nil {
		worst = int(slices.Max(t.class))
	}
	left := make([]bool, len(t.members))
	for j := range left {
		left[j] = kept(j)
		if t.class != nil && int(t.class[j]) == worst && kept(j) {
			first++
			left[j] = first <= r
		} else if t.class == nil && t.level[j] == 0 {
			zeros++
			left[j] = kept(j) && zeros <= t.rel
		}
	}
	for j := range left {
		for i := range left {
			with := left[i] && t.prefers(i, j)
			if t.class != nil {
				with = kept(i) && (int(t.class[j]) == worst || t.prefers(i, j))
			}
			if !left[j] || !with {
				continue
			}
			poss++
			if i < j && t.members[i] < p.found {
				ful++
			}
		}
	}
	return ful, poss
}

// As many users as documents, two each: memory grows with their judgments, not with users times documents.
func TestPreferencesOfManyUsersAreSmall(t *testing.T) {
	const n = 2000
	p := &Preferences{Docs: n, Ranked: []int32{0, 1}}
	for i := range int32(n) {
		p.Groups = append(p.Groups, PreferenceGroup{Subgroups: [][]Preferred{{{i, 2}, {(i + 1) % n, 1}}}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := mustParse(t, "prefs_pair").Score(&Topic{Preferences: p})
	runtime.ReadMemStats(&after)
	// 0 and 1 are in order; 1 to 2 and n-1 to 0 depend on which is retrieved; the others are unfulfilled.
	if want := 2.0 / n; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1024*n {
		t.Errorf("%d bytes are allocated", used)
	}
}
