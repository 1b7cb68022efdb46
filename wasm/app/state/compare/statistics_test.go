package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
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
	c.Statistics.ShowTests(true)
	ask := func() *message.AskStatistics { return r.Last(t, message.Statistics).Question.(*message.AskStatistics) }
	if x := ask(); x.A != 0 || x.B != 1 || x.Measure != "P@1" {
		t.Errorf("%+v", x)
	}
	if c.App.Sharing.CopyLink(); !strings.Contains(r.Copied, "&tests=1") ||
		!strings.HasSuffix(r.Copied, strings.TrimPrefix(r.Addresses[len(r.Addresses)-1], "/evaluate")) {
		t.Errorf("the link lacks it: %s", r.Copied)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Statistics).ID, Kind: message.Statistics,
		Answer: &message.PairTests{A: 0, B: 1, Measure: "P@1"}})
	c.Statistics.SetMargin(0.05)
	if x := ask(); x.Margin != 0.05 || c.Statistics.PairTests == nil {
		t.Errorf("%+v", x)
	}
	c.View.SetColumn(1)
	if x := ask(); x.Measure != "RR" || c.Statistics.PairTests != nil {
		t.Errorf("%+v: the tests on another measure stay", x)
	}
	c.Statistics.ShowTests(false) // while they are waited for: the worker is told
	if x := ask(); x.Measure != "" {
		t.Errorf("%+v", x)
	}
	c.App.Undo()
	if x := ask(); !c.View.Tests || x.Measure != "RR" {
		t.Errorf("undone: %v, %+v", c.View.Tests, x)
	}
}

func TestMoreOfTheAgreementIsAskedForUntilItIsWhole(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Statistics.ShowAgreement(AgreeRBO)
	give := func(done int) {
		c.App.Receive(message.Reply{ID: r.Last(t, message.Agreement).ID, Kind: message.Agreement,
			Answer: &message.Agreed{Measure: "P@1", Done: done, Total: 4}})
	}
	give(2)
	if n := count(r, message.Agreement); n != 2 || c.Statistics.Agreed.Done != 2 {
		t.Errorf("asked %d times", n)
	}
	c.Statistics.ShowAgreement(AgreeTau) // another form of the same figures
	give(4)
	if n := count(r, message.Agreement); n != 2 {
		t.Errorf("asked %d times", n)
	}
	c.Statistics.ShowAgreement("")
	if c.Statistics.Agreed != nil {
		t.Error("it stays")
	}
	c.Statistics.ShowAgreement(AgreeRBO)
	asked := count(r, message.Agreement)
	c.Statistics.ShowAgreement("") // hidden before the answer: nothing more is asked
	give(1)
	if count(r, message.Agreement) != asked || c.Statistics.Agreed != nil {
		t.Error("asked for more though nobody looks")
	}
}

func TestTheTestThatCountsIsAPolicyLikeTheOthers(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Runs.SetPolicy("ties", "docid-asc")
	c.Runs.SetPolicy("test", "wilcoxon")
	c.Runs.SetPolicy("correction", "fdr_by")
	if s := r.Setting(t); !s.Chosen || s.Policy != "ties=docid-asc test=wilcoxon correction=fdr_by" {
		t.Errorf("%+v", s)
	}
	c.Runs.SetPolicy("test", "auto")
	c.Runs.SetPolicy("ties", "docid-desc")
	if s := r.Setting(t); s.Policy != "correction=fdr_by" {
		t.Errorf("%q", s.Policy)
	}
	policy := c.Runs.Setting.Policy
	if p, x, err := compare.ReadPolicy(policy); err != nil || compare.WritePolicy(p, x) != policy {
		t.Error(err)
	}
	c.App.Undo()
	if s := r.Setting(t); s.Policy != "ties=docid-asc correction=fdr_by" {
		t.Errorf("undone: %q", s.Policy)
	}
	c.Runs.SetPolicy("test", "anova")
	if c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.What, "wilcoxon") {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
}

func TestFurtherMeasuresAreTestedWhenTheyAreLookedAt(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	d := compared(t, 0)
	answer(t, c, r, d)
	if x := c.Statistics.Tested(); x == nil || len(x.Pairs) != 3 || x.Column != 0 {
		t.Fatalf("%+v", x)
	}
	c.View.SetColumn(1)
	if c.Statistics.Tested() != nil {
		t.Error("the tests on another measure are shown")
	}
	x, err := d.Report.TestOn(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Tests).ID, Kind: message.Tests, Answer: x})
	if c.Statistics.Tested() != x {
		t.Error("the tests do not arrive")
	}
	c.View.SetColumn(0)
	if x := c.Statistics.Tested(); x == nil || x.Column != 0 {
		t.Errorf("%+v", x)
	}
}
