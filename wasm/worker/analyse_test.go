package worker

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
)

// The page gets the sections that package analysis makes of the same comparison, the parts that it asked for, and a
// figure that is looked into.
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

// A run file that lists its one relevant document twice gives the 1.63 of run-llama/llama_index issue 22683.
func TestClaimSeesDocumentsThatComeAgain(t *testing.T) {
	files := map[int][2]string{1: {"one.qrels", "1 0 a 1\n"}, 2: {"again.run", "1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n"}}
	l := newLab(t, files)
	s := &message.Setting{}
	for id, f := range files {
		s.Files = append(s.Files, message.File{ID: id, Name: f[0], Size: len(f[1])})
	}
	l.compare(s)
	x := answer[message.Analysed](l, message.Analyse, &message.AskAnalyse{Claim: "nDCG 1.63"})
	const headline = "1.63 is what LlamaIndex, Haystack 2 and AutoRAG print. "
	if x.Checked == nil || !strings.HasPrefix(x.Checked.Headline, headline) ||
		len(x.Checked.Changed) != 1 || len(x.Sections) != 1 ||
		!strings.Contains(x.Sections[0].Sentence, "documents that the run lists more than once counted each time") {
		t.Errorf("%+v, %+v, %s", x.Checked, x.Sections, x.Problem)
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
