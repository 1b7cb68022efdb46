package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func count(r *statetest.Recorder, kind message.Kind) int {
	n := 0
	for _, x := range r.Sent {
		if x.Kind == kind {
			n++
		}
	}
	return n
}

func TestTestsAndAgreementAreAskedForOnlyWhereSomebodyLooks(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if count(r, message.Statistics)+count(r, message.Agreement) != 0 {
		t.Fatal("asked before anybody looked")
	}
	c.ShowTests(true)
	ask := func() *message.AskStatistics { return r.Last(t, message.Statistics).Question.(*message.AskStatistics) }
	if x := ask(); x.A != 0 || x.B != 1 || x.Measure != "P@1" {
		t.Errorf("%+v", x)
	}
	if c.App.Sharing.CopyLink(); !strings.Contains(r.Copied, "&tests=1") || !strings.HasSuffix(r.Copied, strings.TrimPrefix(r.Addresses[len(r.Addresses)-1], "/evaluate")) {
		t.Errorf("the link lacks it: %s", r.Copied)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Statistics).ID, Kind: message.Statistics, Answer: &message.PairTests{A: 0, B: 1, Measure: "P@1"}})
	c.SetMargin(0.05)
	if x := ask(); x.Margin != 0.05 || c.PairTests == nil {
		t.Errorf("%+v", x)
	}
	c.SetColumn(1)
	if x := ask(); x.Measure != "RR" || c.PairTests != nil {
		t.Errorf("%+v: the tests on another measure stay", x)
	}
	c.ShowTests(false) // while they are waited for: the worker is told
	if x := ask(); x.Measure != "" {
		t.Errorf("%+v", x)
	}
	c.App.Undo()
	if x := ask(); !c.Tests || x.Measure != "RR" {
		t.Errorf("undone: %v, %+v", c.Tests, x)
	}
}

func TestMoreOfTheAgreementIsAskedForUntilItIsWhole(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.ShowAgreement(AgreeRBO)
	give := func(done int) {
		c.App.Receive(message.Reply{ID: r.Last(t, message.Agreement).ID, Kind: message.Agreement, Answer: &message.Agreed{Measure: "P@1", Done: done, Total: 4}})
	}
	give(2)
	if n := count(r, message.Agreement); n != 2 || c.Agreed.Done != 2 {
		t.Errorf("asked %d times", n)
	}
	c.ShowAgreement(AgreeTau) // another form of the same figures
	give(4)
	if n := count(r, message.Agreement); n != 2 {
		t.Errorf("asked %d times", n)
	}
	c.ShowAgreement("")
	if c.Agreed != nil {
		t.Error("it stays")
	}
	c.ShowAgreement(AgreeRBO)
	asked := count(r, message.Agreement)
	c.ShowAgreement("") // hidden before the answer: nothing more is asked
	give(1)
	if count(r, message.Agreement) != asked || c.Agreed != nil {
		t.Error("asked for more though nobody looks")
	}
}

func TestTheTestThatCountsIsAPolicyLikeTheOthers(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.SetPolicy("ties", "docid-asc")
	c.SetPolicy("test", "wilcoxon")
	c.SetPolicy("correction", "fdr_by")
	if s := r.Setting(t); !s.Chosen || s.Policy != "ties=docid-asc test=wilcoxon correction=fdr_by" {
		t.Errorf("%+v", s)
	}
	c.SetPolicy("test", "auto")
	c.SetPolicy("ties", "docid-desc")
	if s := r.Setting(t); s.Policy != "correction=fdr_by" {
		t.Errorf("%q", s.Policy)
	}
	if p, x, err := compare.ReadPolicy(c.Setting.Policy); err != nil || compare.WritePolicy(p, x) != c.Setting.Policy {
		t.Error(err)
	}
	c.App.Undo()
	if s := r.Setting(t); s.Policy != "ties=docid-asc correction=fdr_by" {
		t.Errorf("undone: %q", s.Policy)
	}
	c.SetPolicy("test", "anova")
	if c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.What, "wilcoxon") {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
}
