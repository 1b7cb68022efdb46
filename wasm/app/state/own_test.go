package state

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

const ownID = "upload-0123456789abcdef"

// own opens a page at an address whose collection is of this device.
func own(t *testing.T, r *statetest.Recorder, address string) *App {
	t.Helper()
	a := New(r, func(string) string { return "/" }, "/search", every...)
	path, fragment, _ := strings.Cut(address, "#")
	a.Begin(path, fragment)
	o := *opened
	o.Ref.ID = ownID
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: &o})
	return a
}

// linkTo is the link to an uploaded collection, as the list of them has it.
func linkTo(t *testing.T, s experiment.Spec) string {
	t.Helper()
	s.Collection = ownID
	f, err := share.Encode(share.Address{Screen: share.Search, Spec: s})
	if err != nil {
		t.Fatal(err)
	}
	return "/search#" + f
}

// The address of an uploaded collection has no typed query, no document id and no filter. A reload brings them back.
func TestTheAddressHoldsNothingOfDocumentsOfOnesOwn(t *testing.T) {
	r := &statetest.Recorder{}
	a := own(t, r, linkTo(t, experiment.Spec{}))
	a.Search.Type("salary of the director")
	a.Filters.Category("dismissal")
	a.Search.Select(1, "letter-7")
	for _, at := range r.Addresses {
		if !strings.Contains(at, "c="+ownID) {
			t.Errorf("the address is %s", at)
		}
		for _, word := range []string{"salary", "letter", "dismissal"} {
			if strings.Contains(at, word) {
				t.Errorf("%s is in the address %s", word, at)
			}
		}
	}
	if link, err := a.Sharing.Link(); err != nil || !strings.Contains(link, "salary") {
		t.Errorf("a link that is shared: %q, %v", link, err)
	}
	last := r.Addresses[len(r.Addresses)-1]
	b := own(t, r, last)
	if !equal(b.Settings.Address, a.Settings.Address) || b.Settings.Document != "letter-7" ||
		r.Last(t, message.Search).Question.(*experiment.Spec).Query != "salary of the director" {
		t.Errorf("a reload has %+v", b.Settings.Address)
	}
	// opened from the list of collections, too: but for a document of a list that is not there
	b = own(t, r, linkTo(t, experiment.Spec{Systems: []string{"bm25"}}))
	if x := b.Settings; x.QueryText() != "salary of the director" || len(x.Filter.Categories) != 1 || x.Document != "" {
		t.Errorf("the link of the list has %+v", b.Settings.Address)
	}
	// a link says itself what it asks for
	for what, s := range map[string]experiment.Spec{"a query": {Query: "crane"}, "a judged query": {QueryID: "q1"},
		"a filter": {Filter: experiment.Filter{From: "2020-01-01"}}} {
		if c := own(t, r, linkTo(t, s)); strings.Contains(c.Settings.QueryText(), "salary") ||
			len(c.Settings.Filter.Categories) > 0 {
			t.Errorf("the link to %s has %+v", what, c.Settings.Address)
		}
	}
	// opening another collection behind a screen forgets nothing of this one
	b.OpenBehind("harbour-wire")
	b.OpenBehind(ownID)
	if c := own(t, r, last); c.Settings.QueryText() != "salary of the director" {
		t.Errorf("after another collection it has %+v", c.Settings.Address)
	}
	// what is given up is forgotten
	b = own(t, r, last)
	b.Filters.Unfilter()
	b.Search.Close()
	b.Search.Pick("q1")
	if c := own(t, r, last); c.Settings.QueryText() == "salary of the director" || r.Recall(AskedKey(ownID)) != "" {
		t.Errorf("a query that was given up comes back: %q", r.Recall(AskedKey(ownID)))
	}
	r.Remember(AskedKey(ownID), "v1&q=damaged")
	if c := own(t, r, last); c.Notices.Problem != nil || strings.Contains(c.Settings.QueryText(), "damaged") {
		t.Errorf("what cannot be read: %+v", c.Settings.Address)
	}
	d, r := start(t, "/search", "")
	d.Search.Type("port")
	if at := r.Addresses[len(r.Addresses)-1]; !strings.Contains(at, "q=port") || len(r.Kept) > 0 {
		t.Errorf("of a collection of the site the address is %s, kept %v", at, r.Kept)
	}
}
