package experiment

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

const boats = "upload-0123456789abcdef"

var boatsHash = "0123456789abcdef" + strings.Repeat("5", 48)

// visit opens the screen at a link, as a page does that has the collections of a site: harbour-wire, and books.
func visit(t *testing.T, fragment string) (*state.App, *Experiment, *statetest.Recorder) {
	t.Helper()
	fx := &statetest.Recorder{}
	var x *Experiment
	base := func(id string) string {
		if strings.HasPrefix(id, "upload-") {
			return "/uploads/" + id + "/"
		}
		return map[string]string{"harbour-wire": "/c/harbour-wire/", "books": "/c/books/"}[id]
	}
	a := state.New(fx, base, "/experiment", state.Part{Name: string(ID), Make: func(a *state.App) state.Screen {
		x = New(a, Written{Systems: "bm25\ndense", Measures: "nDCG@10"})
		return x
	}})
	a.Begin("/experiment", fragment)
	return a, x, fx
}

// arrive answers the newest question for a collection: with ref, or by a refusal where it has no id.
func arrive(t *testing.T, a *state.App, fx *statetest.Recorder, ref report.Ref) *message.Place {
	t.Helper()
	r := fx.Last(t, message.Open)
	reply := message.Reply{ID: r.ID, Kind: r.Kind,
		Problem: &message.Problem{What: "The collection could not be opened."}}
	if ref.ID != "" {
		reply.Problem, reply.Answer = nil, &message.Opened{Ref: ref}
	}
	a.Receive(reply)
	return r.Question.(*message.Place)
}

func asked(fx *statetest.Recorder) (n int) {
	for _, m := range fx.Sent {
		if m.Kind == message.Experiment {
			n++
		}
	}
	return n
}

func TestALinkNamesItsCollection(t *testing.T) {
	a, x, fx := visit(t, "")
	arrive(t, a, fx, report.Ref{ID: "harbour-wire", Name: "Harbour Wire", Hash: strings.Repeat("a", 64),
		Documents: 240})
	if f, own := x.Fragment(); f != "" || !own {
		t.Errorf("the first collection, nothing typed: %q", f)
	}
	x.CopyLink()
	if want := "https://example.org/experiment#experiment=bm25%0Adense&m=nDCG%4010"; !strings.HasPrefix(
		strings.ReplaceAll(fx.Copied, "@", "%40"), want) ||
		!strings.HasSuffix(fx.Copied, "&c=harbour-wire&h="+strings.Repeat("a", 16)) {
		t.Errorf("copied %s", fx.Copied)
	}
	a.Change(true, func(s *share.Address) { s.Collection = boats })
	arrive(t, a, fx, report.Ref{ID: boats, Name: "my boats & co", Hash: boatsHash, Documents: 3})
	f, _ := x.Fragment()
	if !strings.HasSuffix(f, "&c="+boats+"&h=0123456789abcdef&n=my%20boats%20%26%20co&d=3") {
		t.Errorf("an uploaded one: %s", f)
	}

	// The same device: it is opened, and asked about, at once.
	b, y, gx := visit(t, f)
	if p := arrive(t, b, gx, report.Ref{ID: boats, Name: "my boats & co", Hash: boatsHash,
		Documents: 3}); p.Collection != boats || p.Base != "/uploads/"+boats+"/" {
		t.Errorf("opened %+v", p)
	}
	if y.Look(); y.Missing() != nil || y.Systems != x.Systems {
		t.Errorf("%+v is missing", y.Missing())
	}
	if gx.Pass(); asked(gx) != 1 {
		t.Errorf("%d plans asked for, want 1", asked(gx))
	}
	if again, _ := y.Fragment(); again != f {
		t.Errorf("it comes back as %s", again)
	}
}

func TestAnotherDeviceSaysWhatIsMissing(t *testing.T) {
	const link = "#experiment=bm25%0Aql&m=AP&a="
	answers := strings.Repeat("0b", 32)
	a, x, fx := visit(t, link+answers+"&c="+boats+"&h=0123456789abcdef&n=my%20boats&d=3")
	if x.Missing() != nil {
		t.Error("it is missing before anybody looked")
	}
	arrive(t, a, fx, report.Ref{})
	m := x.Missing()
	if m == nil || *m != (Named{boats, "0123456789abcdef", "my boats", 3}) {
		t.Fatalf("missing: %+v", m)
	}
	if a.Notices.Problem != nil {
		t.Errorf("and said twice: %+v", a.Notices.Problem)
	}
	x.Look()
	w := x.Written
	w.Systems = "bm25\nql(mu=500)"
	x.Write(w)
	x.Start()
	if fx.Pass(); asked(fx) != 0 {
		t.Errorf("%d questions about nothing", asked(fx))
	}
	if f, _ := x.Fragment(); !strings.Contains(f, "&c="+boats+"&h=0123456789abcdef&n=my%20boats&d=3") {
		t.Errorf("the link forgets what is missing: %s", f)
	}

	x.Drop()
	if p := arrive(t, a, fx, report.Ref{ID: "harbour-wire", Name: "Harbour Wire", Hash: strings.Repeat("a", 64),
		Documents: 240}); p.Collection != "harbour-wire" {
		t.Errorf("opened %+v", p)
	}
	x.Look()
	fx.Pass()
	if q := last(fx); q == nil || q.Go || len(q.Matrix.Systems) != 2 || q.Matrix.Systems[1] != "ql(mu=500)" ||
		q.Matrix.Answers != "" || x.Missing() != nil {
		t.Errorf("after it was dropped: %+v", q)
	}
	if f, _ := x.Fragment(); strings.Contains(f, "&c=") || strings.Contains(f, "&a=") {
		t.Errorf("the link keeps what was dropped: %s", f)
	}
}

func TestAnotherVersionIsNotTaken(t *testing.T) {
	ref := report.Ref{ID: "books", Name: "Books", Hash: strings.Repeat("b", 64), Documents: 9}
	a, x, fx := visit(t, "#experiment=bm25&c=books&h=cccccccccccccccc")
	arrive(t, a, fx, ref)
	x.Look()
	if fx.Pass(); x.Missing() == nil || asked(fx) != 0 {
		t.Fatalf("missing %+v, %d asked", x.Missing(), asked(fx))
	}
	x.Drop()
	if fx.Pass(); x.Missing() != nil || asked(fx) != 1 {
		t.Errorf("missing %+v, %d asked", x.Missing(), asked(fx))
	}
	if f, _ := x.Fragment(); !strings.HasSuffix(f, "&c=books&h=bbbbbbbbbbbbbbbb") {
		t.Errorf("%s", f)
	}

	a, x, fx = visit(t, "#experiment=bm25&c=nowhere&h=cccccccccccccccc")
	if arrive(t, a, fx, report.Ref{}); x.Missing() == nil {
		t.Error("a collection that the site lacks is not missing")
	}
	a, x, fx = visit(t, "#experiment=bm25&c=books&h=bbbbbbbbbbbbbbbb")
	if arrive(t, a, fx, report.Ref{}); x.Missing() != nil || a.Notices.Problem == nil {
		t.Error("one that the site has, and the network does not bring, is taken for missing")
	}
}

// What was computed on one collection is not shown for another.
func TestResultsBelongToTheirCollection(t *testing.T) {
	a, x, fx := visit(t, "")
	arrive(t, a, fx, report.Ref{ID: "harbour-wire", Hash: strings.Repeat("a", 64)})
	x.Look()
	fx.Pass()
	r := fx.Last(t, message.Experiment)
	a.Receive(message.Reply{ID: r.ID, Kind: r.Kind,
		Answer: &message.Experimented{Over: true, Runs: []message.ExperimentRun{{State: "completed"}}}})
	if !x.CanCompare() {
		t.Fatal("nothing to compare")
	}
	a.Change(true, func(s *share.Address) { s.Collection = "books" })
	arrive(t, a, fx, report.Ref{ID: "books", Hash: strings.Repeat("b", 64)})
	n := asked(fx)
	if x.Look(); x.Done != nil || x.CanCompare() {
		t.Error("figures of the other collection are still there")
	}
	if fx.Pass(); asked(fx) != n+1 {
		t.Error("the plan is not asked for again")
	}
}

func TestADamagedCollectionInALink(t *testing.T) {
	for _, tt := range []struct{ name, part string }{
		{"a path", "c=../../etc"}, {"a slash", "c=a/b"}, {"too long", "c=" + strings.Repeat("a", 65)}, {"empty", "c="},
		{"a hash alone", "h=0123456789abcdef"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, x, _ := visit(t, "#experiment=bm25&"+tt.part)
			if x.named.ID != "" || x.App.Settings.Collection() != x.App.Settings.Default {
				t.Errorf("%+v, %s", x.named, x.App.Settings.Collection())
			}
		})
	}
	for _, part := range []string{"h=0123456789ABCDEF", "h=0123", "d=-3", "d=x", "d=2000000000",
		"n=" + strings.Repeat("n", 81)} {
		_, x, _ := visit(t, "#experiment=bm25&c=books&"+part)
		if x.named != (Named{ID: "books"}) {
			t.Errorf("%s: %+v", part, x.named)
		}
	}
}
