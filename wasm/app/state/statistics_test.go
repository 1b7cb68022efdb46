package state

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
)

func count(r *recorder, kind message.Kind) int {
	n := 0
	for _, x := range r.sent {
		if x.Kind == kind {
			n++
		}
	}
	return n
}

func TestTestsAndAgreementAreAskedForOnlyWhereSomebodyLooks(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	if count(r, message.Statistics)+count(r, message.Agreement) != 0 {
		t.Fatal("asked before anybody looked")
	}
	a.ShowTests(true)
	ask := func() *message.AskStatistics { return r.last(t, message.Statistics).Question.(*message.AskStatistics) }
	if x := ask(); x.A != 0 || x.B != 1 || x.Measure != "P@1" {
		t.Errorf("%+v", x)
	}
	if !strings.Contains(r.address[len(r.address)-1], "&tests=1") {
		t.Errorf("the address lacks it: %s", r.address[len(r.address)-1])
	}
	a.Receive(message.Reply{ID: r.last(t, message.Statistics).ID, Kind: message.Statistics, Answer: &message.PairTests{A: 0, B: 1, Measure: "P@1"}})
	a.SetMargin(0.05)
	if x := ask(); x.Margin != 0.05 || a.Compare.PairTests == nil {
		t.Errorf("%+v", x)
	}
	a.SetColumn(1)
	if x := ask(); x.Measure != "RR" || a.Compare.PairTests != nil {
		t.Errorf("%+v: the tests on another measure stay", x)
	}
	a.ShowTests(false) // while they are waited for: the worker is told
	if x := ask(); x.Measure != "" {
		t.Errorf("%+v", x)
	}
	a.Undo()
	if x := ask(); !a.Compare.Tests || x.Measure != "RR" {
		t.Errorf("undone: %v, %+v", a.Compare.Tests, x)
	}
}

func TestMoreOfTheAgreementIsAskedForUntilItIsWhole(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	a.ShowAgreement(AgreeRBO)
	give := func(done int) {
		a.Receive(message.Reply{ID: r.last(t, message.Agreement).ID, Kind: message.Agreement, Answer: &message.Agreed{Measure: "P@1", Done: done, Total: 4}})
	}
	give(2)
	if n := count(r, message.Agreement); n != 2 || a.Compare.Agreed.Done != 2 {
		t.Errorf("asked %d times", n)
	}
	a.ShowAgreement(AgreeTau) // another form of the same figures
	give(4)
	if n := count(r, message.Agreement); n != 2 {
		t.Errorf("asked %d times", n)
	}
	a.ShowAgreement("")
	if a.Compare.Agreed != nil {
		t.Error("it stays")
	}
	a.ShowAgreement(AgreeRBO)
	asked := count(r, message.Agreement)
	a.ShowAgreement("") // hidden before the answer: nothing more is asked
	give(1)
	if count(r, message.Agreement) != asked || a.Compare.Agreed != nil {
		t.Error("asked for more though nobody looks")
	}
}

func TestTheTestThatCountsIsAPolicyLikeTheOthers(t *testing.T) {
	a, r := start(t, "/compare", "")
	a.AddFiles(some)
	answer(t, a, r, report(t, 0))
	a.SetPolicy("ties", "docid-asc")
	a.SetPolicy("test", "wilcoxon")
	a.SetPolicy("correction", "fdr_by")
	if s := r.setting(t); !s.Chosen || s.Policy != "ties=docid-asc test=wilcoxon correction=fdr_by" {
		t.Errorf("%+v", s)
	}
	a.SetPolicy("test", "auto")
	a.SetPolicy("ties", "docid-desc")
	if s := r.setting(t); s.Policy != "correction=fdr_by" {
		t.Errorf("%q", s.Policy)
	}
	if p, x, err := compare.ReadPolicy(a.Compare.Setting.Policy); err != nil || compare.WritePolicy(p, x) != a.Compare.Setting.Policy {
		t.Error(err)
	}
	a.Undo()
	if s := r.setting(t); s.Policy != "ties=docid-asc correction=fdr_by" {
		t.Errorf("undone: %q", s.Policy)
	}
	a.SetPolicy("test", "anova")
	if a.Problem == nil || !strings.Contains(a.Problem.What, "wilcoxon") {
		t.Errorf("%+v", a.Problem)
	}
}
