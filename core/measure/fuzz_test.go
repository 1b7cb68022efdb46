package measure

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// Every parsed measure prints canonically and parses back to itself. Every refusal has a position inside the text.
func FuzzParse(f *testing.F) {
	for _, m := range variants(f) {
		f.Add(m.String())
	}
	for _, s := range []string{"", "P", "ndcg_cut.10,20", "iprec_at_recall..10,.20", "nDCG(gains={1:2,3:4})@1",
		"nDCG(gains={1:1e309})", "α_nDCG@3", "11pt_avg..25,.5",
		"P_10", "map -l 2", "all_trec", "official set", "utility.1,-1,0,0", "set_F.0.5", "rbp.p=0.5",
		"nDCG@10,AP;RR@10", "\xff\xfe", "P@٣", "nDCG(dcg='", "x((((", "R@1e9", "R@1e10",
		"map@10-l2", "rbp.95", "rbp.8-l2", "f1 precision", "nDCG @ 10", "nDCG(gains={'1':2})"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ms, err := ParseList(s)
		if err != nil {
			var pe *ParseError
			if !errors.As(err, &pe) || pe.Pos < 0 || pe.Pos > len(s) || pe.Text != s || pe.Err == nil {
				t.Fatalf("ParseList(%q): %#v", s, err)
			}
			return
		}
		for _, m := range ms {
			text := m.String()
			again, err := Parse(text)
			if err != nil || again.String() != text {
				t.Fatalf("%q prints as %q, which parses to %v, %v", s, text, again, err)
			}
			if v := m.Score(&Topic{Ranked: []float64{1, Unjudged, 0, 2, -1},
				Judged: []float64{1, 0, 2, -1, 1}}); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s scores %v", text, v)
			}
		}
	})
}

// topicFromBytes converts any bytes to a topic: the length of the list, then a grade each for the list and the rest
// of the qrels, with ties, subtopics and preferences, which may be cyclic.
func topicFromBytes(b []byte) *Topic {
	t := &Topic{Query: "fuzz", Ranked: []float64{}, Subtopics: &Subtopics{}}
	if len(b) == 0 {
		return t
	}
	users := make([]PreferenceGroup, 2)
	for i := range users {
		users[i].Subgroups = make([][]Preferred, 1+i)
	}
	defer func() {
		t.Preferences = &Preferences{Docs: len(t.Subtopics.Docs), Ranked: t.Subtopics.Ranked, Groups: users[b[0]%3%2:]}
	}()
	n := int(b[0])
	score := 100.0
	for i, c := range b[1:] {
		g := float64(c&15) - 3
		row := []float64{float64(c >> 4 & 1), float64(c >> 5), Unjudged}
		if g == -3 || g == -2 {
			g = Unjudged
		}
		if i < n {
			t.Ranked = append(t.Ranked, g)
			if c&0x40 != 0 {
				score -= 0.5
			}
			t.Scores = append(t.Scores, score)
		}
		if g == Unjudged {
			if i < n {
				t.Subtopics.Ranked = append(t.Subtopics.Ranked, -1)
			}
			continue
		}
		if i < n {
			t.Subtopics.Ranked = append(t.Subtopics.Ranked, int32(len(t.Subtopics.Docs)))
		}
		t.Judged = append(t.Judged, g)
		d := Preferred{int32(len(t.Subtopics.Docs)), float64(c&3) - float64(c>>7)}
		u := &users[c>>2&1]
		s := &u.Subgroups[int(c>>3)%len(u.Subgroups)]
		*s = append(*s, d)
		if u == &users[1] { // reversed in the other subgroup
			u.Subgroups[1-int(c>>3)%2] = append(u.Subgroups[1-int(c>>3)%2], Preferred{d.Doc, float64(c >> 4 & 3)})
		}
		t.Subtopics.Docs = append(t.Subtopics.Docs, row)
	}
	return t
}

// Every measure of every topic is finite and within the range in its entry (except with custom gains), repeatable,
// and within its range over ties. For measures without divisor it never falls if an unjudged document becomes fully
// relevant.
func FuzzScore(f *testing.F) {
	ms := variants(f)
	f.Add([]byte{})
	f.Add([]byte{0, 5, 5, 5})
	f.Add([]byte{255, 3, 4, 5, 6, 0x47, 0x18, 0, 1})
	f.Add([]byte("5 a ranking of some documents, some of them judged"))
	f.Add([]byte(strings.Repeat("\x40zQ8", 40)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 200 {
			b = b[:200]
		}
		tp := topicFromBytes(b)
		for _, m := range ms {
			v := m.Score(tp)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s is %v", m, v)
			}
			if m.table == nil && (v < m.info.Low-1e-9 || v > m.info.High+1e-9) {
				t.Fatalf("%s is %v, outside of %v to %v", m, v, m.info.Low, m.info.High)
			}
			if again := m.Score(tp); again != v {
				t.Fatalf("%s is %v, then %v", m, v, again)
			}
			if len(tp.Ranked) <= 40 {
				if r := m.TieRange(tp); r.Low > v || r.High < v || math.IsNaN(r.Low) || math.IsNaN(r.High) {
					t.Fatalf("%s is %v, tied %+v", m, v, r)
				}
				if r, ok := m.Residual(tp); ok && (r.Low > r.High || math.IsNaN(r.Low) || math.IsNaN(r.High)) {
					t.Fatalf("%s: bounds %+v", m, r)
				}
			}
			switch m.info.Name {
			case "P", "Success", "RR", "DCG", "RBP", "ERR", "SDCG", "INSQ", "NERR8", "NERR9", "NERR10", "NERR11":
				for i, g := range tp.Ranked {
					if g == Unjudged && !m.judged && m.table == nil {
						up := &Topic{Ranked: slices.Clone(tp.Ranked), Judged: append(slices.Clone(tp.Judged), tp.top()),
							TopGrade: tp.top()}
						up.Ranked[i] = tp.top()
						if w := m.Score(up); w < v-1e-12 {
							t.Fatalf("%s falls from %v to %v as rank %d becomes relevant", m, v, w, i+1)
						}
						break
					}
				}
			}
		}
	})
}
