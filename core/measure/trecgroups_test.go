package measure

import (
	"bytes"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// judgedTopics joins a run with judgments of several users, one topic per judged query by ascending id: lines of query,
// group, subgroup (only in prefs), document and level.
func judgedTopics(t *testing.T, kind, qrels string, r *testRun) []Topic {
	t.Helper()
	levels := map[string]map[string]map[string]map[string]float64{} // by query, group, subgroup and document
	for line := range strings.Lines(qrels) {
		f := strings.Fields(line)
		if kind != "prefs" {
			f = slices.Insert(f, 2, "s")
		}
		level, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		if levels[f[0]] == nil {
			levels[f[0]] = map[string]map[string]map[string]float64{}
		}
		if levels[f[0]][f[1]] == nil {
			levels[f[0]][f[1]] = map[string]map[string]float64{}
		}
		if levels[f[0]][f[1]][f[2]] == nil {
			levels[f[0]][f[1]][f[2]] = map[string]float64{}
		}
		levels[f[0]][f[1]][f[2]][f[3]] = level
	}
	var out []Topic
	for _, query := range slices.Sorted(maps.Keys(levels)) {
		ids := map[string]bool{}
		for _, subs := range levels[query] {
			for _, docs := range subs {
				for id := range docs {
					ids[id] = true
				}
			}
		}
		docs := slices.Sorted(maps.Keys(ids))
		ties := DocIDAsc
		if kind == "qrels_jg" {
			ties = DocIDDesc
			slices.Reverse(docs)
		}
		tp := Topic{Query: query, Ranked: []float64{}, Missing: len(r.ids[query]) == 0}
		var ranked []int32
		for _, i := range order(r.ids[query], r.scores[query], ties, true) {
			ranked = append(ranked, int32(slices.Index(docs, r.ids[query][i])))
			tp.Ranked = append(tp.Ranked, Unjudged)
		}
		groups := slices.Sorted(maps.Keys(levels[query]))
		if kind == "qrels_jg" {
			tp.Subtopics = &Subtopics{Ranked: ranked}
			for _, id := range docs {
				var row []float64
				for _, g := range groups {
					grade := float64(Unjudged)
					if v, ok := levels[query][g]["s"][id]; ok {
						grade = float64(v)
					}
					row = append(row, grade)
				}
				tp.Subtopics.Docs = append(tp.Subtopics.Docs, row)
			}
		} else {
			tp.Preferences = &Preferences{Docs: len(docs), Ranked: ranked}
			for _, g := range groups {
				var group PreferenceGroup
				for _, s := range slices.Sorted(maps.Keys(levels[query][g])) {
					var sub []Preferred
					for _, id := range slices.Sorted(maps.Keys(levels[query][g][s])) {
						sub = append(sub, Preferred{int32(slices.Index(docs, id)), levels[query][g][s][id]})
					}
					group.Subgroups = append(group.Subgroups, sub)
				}
				tp.Preferences.Groups = append(tp.Preferences.Groups, group)
			}
		}
		out = append(out, tp)
	}
	return out
}

var glued = regexp.MustCompile(`(-[lMN])([0-9])`)

// Calls of trec_eval 9.0.4 with judgments of several users, byte for byte: those of the golden files whose options
// need no other file.
func TestEqualsTrecEvalProgramOfGroups(t *testing.T) {
	for kind, least := range map[string]int{"prefs": 10, "qrels_prefs": 10, "qrels_jg": 10} {
		b, err := os.ReadFile("testdata/trec_eval-9.0.4-" + kind + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		var qrels, run string
		calls := 0
		for _, s := range strings.Split("\n"+string(b), "\n== ")[1:] {
			head, text, _ := strings.Cut(s, "\n")
			if text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n" // removed by Split
			}
			switch {
			case head == "qrels":
				qrels = text
				continue
			case head == "run":
				run = text
				continue
			case head == "zscores" || strings.Contains(head, "-Z") || strings.Contains(head, "-D") ||
				strings.Contains(head, "--") || strings.Contains(head, "-M 0"):
				continue
			}
			o := trecOptions(t, glued.ReplaceAllString(strings.Replace(head, "-R "+kind, "", 1), "$1 $2"))
			o.Judgments = kind
			var got bytes.Buffer
			if err := FormatTrecEval(&got, judgedTopics(t, kind, qrels, parseRun(t, "run", run)), o); err != nil {
				t.Errorf("%s: %v", head, err)
				continue
			}
			t.Run(head, func(t *testing.T) { diffLines(t, got.String(), text) })
			calls++
		}
		if calls < least {
			t.Errorf("%s: %d calls", kind, calls)
		}
	}
}
