// Package recipe knows public test collections: where each comes from, what it must weigh, how it is read, under which
// licence, and the figures that others published on it. A collection is one file in recipes/.
//
// Order of the pipeline: a file → Parse → Recipe, checked; the files that it names, unpacked, → Recipe.Read →
// collection.Collection. Downloading is not done here: package cmd/rankbox/fetch does that.
package recipe

import (
	"strconv"
	"strings"
)

// Recipe describes one public test collection.
type Recipe struct {
	Name     string // as it is typed: "scifact"; letters, digits, hyphens
	Title    string // "SciFact"
	Sentence string // what it is, one sentence
	Domain   string // "science"
	Language string // BCP 47: "en"
	Analyzer string // that of its language unless the recipe names another
	Layout   Layout
	Files    []File
	Parts    Parts // of the layout "parts"

	Documents int
	Splits    []Split // the first is read if none is asked for

	Licence     string   // "" if the source states none
	LicenceAt   string   // where it is stated; with no licence, where one was looked for
	Citation    string   // how to cite it
	Judged      string   // how it was judged
	Faults      []string // known faults
	RemoveQuery bool     // queries are documents: each is left out of its own list, as BEIR does

	Sources     []Source // of figures
	Figures     []Figure
	Unpublished string   // why there is no figure: what was looked for
	Models      []string // for which vectors can be made: folders of the layout that scripts/embed writes
}

// Layout says how the files are read.
type Layout string

// The layouts.
const (
	BEIR      Layout = "beir"      // a zip of corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv
	Cranfield Layout = "cranfield" // cran.all.1400, cran.qry, cranqrel, as Glasgow keeps them
	Vaswani   Layout = "vaswani"   // doc-text, query-text, rlv-ass, as Glasgow keeps them
	InParts   Layout = "parts"     // files that Parts names
)

// layouts are all of them.
var layouts = []string{string(BEIR), string(Cranfield), string(Vaswani), string(InParts)}

// File is one file to download.
type File struct {
	Name  string // in the cache
	Bytes int64
	MD5   string // 32 hex digits
	URL   string
}

// Parts names files within what was downloaded. {split} stands for the name of a split.
type Parts struct{ Documents, Queries, Judgments string }

// Split is a set of judged queries.
type Split struct {
	Name               string
	Queries, Judgments int
}

// Source is where figures were published.
type Source struct{ Key, URL, About string }

// Figure is a published figure. Low and High are equal unless it was published as a range.
type Figure struct {
	System    string // in the notation of pipelines
	Measure   string
	Low, High float64
	Source    string // key of a Source
	Note      string // why it may differ, "" if it should not
}

// Value returns the figure as it was published.
func (f *Figure) Value() string {
	low := strconv.FormatFloat(f.Low, 'f', -1, 64)
	if f.High == f.Low {
		return low
	}
	return low + "–" + strconv.FormatFloat(f.High, 'f', -1, 64)
}

// Tolerance is how far a reproduced figure may be from the published one.
const Tolerance = .002

// Difference returns ours minus the published figure, 0 within a range, and whether it exceeds Tolerance.
func (f *Figure) Difference(ours float64) (difference float64, outside bool) {
	switch {
	case ours < f.Low:
		difference = ours - f.Low
	case ours > f.High:
		difference = ours - f.High
	}
	const rounding = 1e-9 // .6809 − .6789 is a little more than .002 in binary
	return difference, difference > Tolerance+rounding || difference < -Tolerance-rounding
}

// Bytes returns the size of everything to download.
func (r *Recipe) Bytes() (n int64) {
	for _, f := range r.Files {
		n += f.Bytes
	}
	return n
}

// Source returns the source of a key.
func (r *Recipe) Source(key string) *Source {
	for i := range r.Sources {
		if r.Sources[i].Key == key {
			return &r.Sources[i]
		}
	}
	return nil
}

// LicenceOr returns the licence, or says that the source states none.
func (r *Recipe) LicenceOr() string {
	if r.Licence == "" {
		return "not stated by the source"
	}
	return r.Licence
}

// Split returns the split of a name, the first one for "", nil if there is none.
func (r *Recipe) Split(name string) *Split {
	for i := range r.Splits {
		if name == "" || r.Splits[i].Name == name {
			return &r.Splits[i]
		}
	}
	return nil
}

// splitNames returns the names of the splits.
func (r *Recipe) splitNames() string {
	var names []string
	for _, s := range r.Splits {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}
