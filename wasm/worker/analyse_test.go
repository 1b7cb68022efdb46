package worker

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
)

// The page gets the sections that package analysis makes of the same comparison, the parts that it asked for, and a figure that is looked into.
func TestAnalysesAreMadeWhereSomebodyLooks(t *testing.T) {
	l := newLab(t, many())
	d := l.compare(manySetting())
	ask := func(claim string, parts ...string) *message.Analysed {
		t.Helper()
		return answer[message.Analysed](l, message.Analyse, &message.AskAnalyse{Parts: parts, Claim: claim})
	}
	x := ask("", analysis.Slice)
	want, err := analysis.Analyse(&analysis.Subject{Report: d.Report}, "slices")
	if err != nil || len(x.Sections) != 1 || x.Sections[0].JSON() != want[0].JSON() {
		t.Errorf("%+v, %v", x.Sections, err)
	}
	x = ask("AP 0.6", analysis.Slice, analysis.Luck)
	names := ""
	for _, s := range x.Sections {
		names += s.Name + " "
	}
	if names != "slices places belief kinds judging detective " || x.Problem != "" {
		t.Errorf("%s, %s", names, x.Problem)
	}
	if x = ask("nothing", analysis.Luck); !strings.Contains(x.Problem, "names no measure") || len(x.Sections) != 4 {
		t.Errorf("%+v", x)
	}
}

// Of runs that were made from the open collection more is said of their queries.
func TestAnalysesOfAnExperimentKnowTheCollection(t *testing.T) {
	m := message.Matrix{Systems: []string{"bm25(k1=0.5|0.9)", "ql"}, Measures: []string{"nDCG@10"}, Baseline: "bm25"}
	ask, compare, e := trying(t, &matrix.Memory{})
	for x := ask(false, m); !x.Over; x = ask(true, m) {
	}
	compare(m)
	k, err := e.comparisons.last()
	if err != nil || !e.experiments.made(k.report) {
		t.Fatalf("it is not known where the runs are from: %v", err)
	}
	sections, err := e.analyses.part(k, analysis.Matters, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, s := range sections {
		names += s.Name + " "
		if s.Sentence == "" {
			t.Errorf("%s says nothing", s.Name)
		}
	}
	if names != "components prediction errors " {
		t.Error(names)
	}
}
