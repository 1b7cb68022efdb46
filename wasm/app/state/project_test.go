package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
)

// Home leads back to the collection of one's own that was opened last, until it is deleted.
func TestTheLastProjectIsRemembered(t *testing.T) {
	a, _ := start(t, "/", "")
	if a.LastProject() != nil {
		t.Fatal("a project before any was opened")
	}
	a.rememberProject(&message.Opened{Ref: report.Ref{ID: "harbour-wire", Name: "Harbour Wire"}})
	if a.LastProject() != nil {
		t.Error("a collection of the site is no project of one's own")
	}
	a.rememberProject(&message.Opened{Ref: report.Ref{ID: "upload-ad81", Name: "Team handbook"}})
	a.Browser.Remember(LedgerKey("upload-ad81"), "41 10 1764338400000 7 a tab")
	p := a.LastProject()
	if p == nil || *p != (Project{ID: "upload-ad81", Name: "Team handbook", Grades: 41, Queries: 10,
		Edited: 1764338400000}) {
		t.Fatalf("%+v", p)
	}
	a.ForgetProject("upload-other")
	if a.LastProject() == nil {
		t.Error("another one was deleted")
	}
	a.ForgetProject("upload-ad81")
	if a.LastProject() != nil {
		t.Error("it was deleted")
	}
}
