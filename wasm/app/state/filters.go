package state

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

// Filters choose which documents may be retrieved, and know how many documents each value has.
type Filters struct {
	engine   *Engine
	settings *Settings
	view     *View
	change   func(kind string, push bool, f func(*share.Address))

	Tuning bool // the settings are open

	narrowed   *message.Facets // counts of the query, nil for none; narrowedBy is what they were asked for
	narrowedBy string
}

var noFacets message.Facets

// Facets are the values that documents can be filtered by: counted in documents with a word of the query where that is
// known and the settings are open, else in all documents of the collection.
func (f *Filters) Facets() *message.Facets {
	if f.narrowed != nil {
		if _, by := f.narrowing(); f.narrowedBy == by {
			return f.narrowed
		}
	}
	if f.engine.Opened == nil {
		return &noFacets
	}
	return &f.engine.Opened.Facets
}

// Narrowed says whether the counts are those of the query.
func (f *Filters) Narrowed() bool { return f.narrowed != nil && f.Facets() == f.narrowed }

// narrowing is what counts of facets depend on; "" where they are not shown.
func (f *Filters) narrowing() (experiment.Spec, string) {
	s := experiment.Spec{Collection: f.settings.Collection(), QueryID: f.settings.Spec.QueryID,
		Query: f.settings.Spec.Query, Filter: f.settings.Spec.Filter}
	if !HasWorker || !f.Tuning || f.engine.Phase != Ready || !f.settings.HasQuery() {
		return s, ""
	}
	return s, string(wire.Marshal(&s))
}

// narrow asks for the counts of the query, where they have not been asked for.
func (f *Filters) narrow() {
	if s, by := f.narrowing(); by != "" && by != f.narrowedBy {
		f.narrowed, f.narrowedBy = nil, by
		counting.ask(f.engine, &s)
	}
}

// Tune opens or closes the sheet of settings that a phone has.
func (f *Filters) Tune(on bool) {
	f.Tuning = on
	f.narrow()
	f.view.Draw()
}

// Category chooses the only category that may be retrieved, "" for all.
func (f *Filters) Category(c string) {
	f.change("", true, func(p *share.Address) { p.Filter.Categories = one(c) })
}

// Entity chooses the only entity, "" for all.
func (f *Filters) Entity(e string) {
	f.change("", true, func(p *share.Address) { p.Filter.Entities = one(e) })
}

// Dates sets the first and last month, YYYY-MM, "" for open. Where they stand the wrong way round the other one
// follows.
//
//go:noinline
func (f *Filters) Dates(from, to string) {
	f.change("dates", true, func(p *share.Address) {
		if from != "" && to != "" && from > to {
			if from+"-01" != p.Filter.From { // it is the first month that was changed
				to = from
			} else {
				from = to
			}
		}
		p.Filter.From, p.Filter.To = "", ""
		if from != "" {
			p.Filter.From = from + "-01"
		}
		if to != "" {
			p.Filter.To = to + "-" + lastDay(to)
		}
	})
}

// Unfilter lets every document pass again.
//
//go:noinline
func (f *Filters) Unfilter() {
	f.change("", true, func(p *share.Address) { p.Filter = experiment.Filter{} })
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// lastDay returns the last day of a month, YYYY-MM.
func lastDay(month string) string {
	if len(month) != 7 {
		return "31"
	}
	switch month[5:] {
	case "04", "06", "09", "11":
		return "30"
	case "02":
		y, err := strconv.Atoi(month[:4])
		if err == nil && y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return "29"
		}
		return "28"
	}
	return "31"
}
