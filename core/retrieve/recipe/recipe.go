// Package recipe describes public test collections: their origin, checksums, layout, licence, and published
// figures. A collection is one file in recipes/. Package cmd/rankbox/fetch downloads the files.
//
// Order of the pipeline: a file → Parse → Recipe, checked; the unpacked files that it names → Recipe.Read →
// collection.Collection.
package recipe

import (
	"strconv"
	"strings"
)

// Recipe describes one public test collection.
type Recipe struct {
	Name     string // the name to type: "scifact"; letters, digits, hyphens
	Title    string // "SciFact"
	Sentence string // a one-sentence description
	Domain   string // "science"
	Language string // BCP 47: "en"
	Analyzer string // that of the language unless the recipe names another
	Layout   Layout
	Files    []File
	Parts    Parts // of the layout "parts"

	Documents int
	Splits    []Split // the first is the default

	Licence     string   // "" if the source states none
	LicenceAt   string   // where it is stated; without a licence, where we looked
	Citation    string   // how to cite it
	Judged      string   // how the documents were judged
	Faults      []string // known faults
	RemoveQuery bool     // queries are documents: each is left out of its own list, as BEIR does

	Sources     []Source // of figures
	Figures     []Figure
	Unpublished string   // why there is no figure, and where we looked
	Models      []string // models that can supply vectors: folders in the layout of scripts/embed
}

// Layout is the arrangement of the files.
type Layout string

// The layouts.
const (
	BEIR      Layout = "beir"      // a zip of corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv
	Cranfield Layout = "cranfield" // cran.all.1400, cran.qry, cranqrel, from Glasgow
	Vaswani   Layout = "vaswani"   // doc-text, query-text, rlv-ass, from Glasgow
	InParts   Layout = "parts"     // files that Parts names
)

// layouts lists all layouts.
var layouts = []string{string(BEIR), string(Cranfield), string(Vaswani), string(InParts)}

// File is one file to download.
type File struct {
	Name  string // in the cache
	Bytes int64
	MD5   string // 32 hex digits
	URL   string
}

// Parts names files within the download. {split} is replaced by the name of a split.
type Parts struct{ Documents, Queries, Judgments string }

// Split is a set of judged queries.
type Split struct {
	Name               string
	Queries, Judgments int
}

// Source is a publication of figures.
type Source struct{ Key, URL, About string }

// Figure is a published figure. Low and High differ only if it was published as a range.
type Figure struct {
	System    string // in the notation of pipelines
	Measure   string
	Low, High float64
	Source    string // key of a Source
	Note      string // why ours may differ, "" if it should not
}

// Value returns the figure as published.
func (f *Figure) Value() string {
	low := strconv.FormatFloat(f.Low, 'f', -1, 64)
	if f.High == f.Low {
		return low
	}
	return low + "–" + strconv.FormatFloat(f.High, 'f', -1, 64)
}

// Tolerance is the accepted difference between a reproduced and the published figure.
const Tolerance = .002

// Difference returns ours minus the published figure (0 within a range), and whether it exceeds Tolerance.
func (f *Figure) Difference(ours float64) (difference float64, outside bool) {
	switch {
	case ours < f.Low:
		difference = ours - f.Low
	case ours > f.High:
		difference = ours - f.High
	}
	const rounding = 1e-9 // .6809 − .6789 is slightly above .002 in binary
	return difference, difference > Tolerance+rounding || difference < -Tolerance-rounding
}

// Bytes returns the total size of the download.
func (r *Recipe) Bytes() (n int64) {
	for _, f := range r.Files {
		n += f.Bytes
	}
	return n
}

// Source returns the source with a key.
func (r *Recipe) Source(key string) *Source {
	for i := range r.Sources {
		if r.Sources[i].Key == key {
			return &r.Sources[i]
		}
	}
	return nil
}

// LicenceOr returns the licence, or a note that the source states none.
func (r *Recipe) LicenceOr() string {
	if r.Licence == "" {
		return "not stated by the source"
	}
	return r.Licence
}

// Split returns the split with a name, the first one for "", or nil.
func (r *Recipe) Split(name string) *Split {
	for i := range r.Splits {
		if name == "" || r.Splits[i].Name == name {
			return &r.Splits[i]
		}
	}
	return nil
}

func (r *Recipe) splitNames() string {
	var names []string
	for _, s := range r.Splits {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}
