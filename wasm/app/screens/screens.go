// Package screens is the one table of the site's screens: what each is called, where it is, what the header and the
// browser's tab say of it, and which program holds it. Routes, pre-rendered pages, the scripts' list of routes, the
// rules about caches and the page for unknown addresses follow from it. It holds no state and draws nothing: those are
// in the screen's folders, wasm/app/state/<name> and wasm/app/ui/<name>.
package screens

import (
	"slices"
	"strings"
)

// Screen is a row of the table.
type Screen struct {
	Name   string // as links write it, and of its folders
	Path   string // "/evaluate"
	Old    string // an address that it had before and keeps
	Door   string // an address that opens a part of it, which the screen's ReadPath knows; "" for none
	Header string // what the header calls it, "" where the header leads there otherwise
	Under  string // name of the screen whose entry of the header it shares with others, "" where it stands alone
	Leads  bool   // it leads to those others itself, so that no links to them stand above it
	Brief  string // what the links between the screens of one entry call it
	Tab    string // title of the browser's tab
	// title of the page as it is served; {finding} and {collection} stand for those of the finished comparison
	Title       string
	Description string  // of the page, the same
	Program     Program // the smallest that holds it, which its page begins with; Rich holds every screen
	Link        string  // how fragments begin that the screen reads itself; "" where all are those of package share
	Both        bool    // the screen's other fragments are those of package share
	Files       bool    // files that are given to the page are for it
	Own         bool    // the screen begins without the collection, so that nothing of that is fetched ahead
	Framed      bool    // other sites may show the page in a frame; every other page refuses that
	Part        bool    // what is on the screen may stand on the page that is framed
	End         bool    // a remixed lesson may end there, on real data
}

// All are the screens, in the order of the header.
var All = []Screen{
	{Name: "home", Path: "/", Tab: "Rankbox", Title: "Rankbox: {finding}", Program: First, Part: true, End: true,
		Description: "A laboratory for search ranking that opens as a web page: BM25, dense and hybrid search " +
			"compared, measured and explained in the browser."},
	{Name: "search", Path: "/search", Header: "Search", Tab: "Rankbox: search", Title: "Rankbox: search {collection}",
		Program: First, Part: true, End: true,
		Description: "Search systems side by side on {collection}: every score explained, every setting live."},
	{Name: "judge", Path: "/judge", Header: "Judge", Tab: "Rankbox: judge", Title: "Rankbox: judge {collection}",
		Program: Rich, Link: "share=", Both: true, End: true,
		Description: "Grade what search systems find on {collection}, one document at a time, by keys or thumb. " +
			"Save your grades as TREC qrels."},
	{Name: "compare", Path: "/evaluate", Old: "/compare", Door: "/check", Header: "Evaluate", Under: "compare",
		Leads: true, Brief: "Runs", Tab: "Rankbox: evaluate", Title: "Rankbox: {finding}", Program: Rich, Link: "runs=",
		Files: true, Own: true, Part: true, End: true,
		Description: "Drop TREC runs and qrels: measures equal to trec_eval's, paired tests, every query explained " +
			"document by document. Nothing leaves your browser."},
	{Name: "experiment", Path: "/experiment", Under: "compare", Brief: "Experiment", Tab: "Rankbox: experiment",
		Title: "Rankbox: experiment on {collection}", Program: Rich, Link: "experiment=", End: true,
		Description: "Run a grid of settings of search systems on {collection}. Every combination runs in the " +
			"browser, is saved as it finishes, and is compared with tests and intervals."},
	{Name: "learn", Path: "/learn", Header: "Learn", Under: "learn", Brief: "Lessons", Tab: "Rankbox: learn",
		Title: "Rankbox: lessons on ranking and its measures", Program: Lessons, Link: "lesson=", Own: true, Part: true,
		Description: "Lessons on the measures of search: predict, try, see the arithmetic, check, and the same " +
			"on real data."},
	{Name: "play", Path: "/play", Under: "learn", Brief: "Play", Tab: "Rankbox: play",
		Title: "Rankbox: play with a ranking", Program: Rich, Link: "play=", Own: true, Part: true, End: true,
		Description: "Drag documents, regrade and cut: every measure follows, and its arithmetic unfolds term by term."},
	{Name: "upload", Path: "/collections", Old: "/upload", Brief: "Documents", Tab: "Rankbox: documents",
		Title: "Rankbox: test collections, and your own documents", Program: Rich,
		Description: "Judged test collections, ready to search, and your own documents: a folder, a zip or a table " +
			"becomes a collection on this device."},
	{Name: "model", Path: "/model", Brief: "Models", Tab: "Rankbox: models",
		Title: "Rankbox: a model of your own for typed queries", Program: Rich,
		Description: "Run a sentence encoder in this tab, from your ONNX files or the site's, to encode typed " +
			"queries with the model that made the vectors."},
	{Name: "status", Path: "/status", Brief: "Server status", Tab: "Rankbox: status",
		Title: "Rankbox: status of the edge", Program: Rich, Own: true,
		Description: "The backends of this site's edge, and their state."},
	{Name: "embed", Path: "/embed", Tab: "Rankbox", Title: "Rankbox: a part of another page", Program: Rich, Own: true,
		Framed:      true,
		Description: "A comparison, a figure, a query or a search inside a slide or a course page."},
}

// Label is what links and notices call the screen.
func (s *Screen) Label() string {
	if s.Brief != "" {
		return s.Brief
	}
	return s.Header
}

// Headers returns the screens that the header names, in order.
func Headers() (out []*Screen) {
	for i := range All {
		if All[i].Header != "" {
			out = append(out, &All[i])
		}
	}
	return out
}

// Section returns the screens of the entry of the header that a screen belongs to, in order; none where that stands
// alone.
func Section(name string) (out []*Screen) {
	head := Named(name).Under
	for i := range All {
		if s := &All[i]; head != "" && s.Under == head {
			out = append(out, s)
		}
	}
	return out
}

// Ends are the paths of the screens that a remixed lesson may end in.
func Ends() (paths []string) {
	for _, s := range All {
		if s.End {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// At is the screen of a path: the one that it begins with, otherwise the first of the table.
func At(path string) *Screen {
	for i := range All {
		s := &All[i]
		if s.Path != "/" && strings.HasPrefix(path, s.Path) || s.Old != "" && strings.HasPrefix(path, s.Old) ||
			s.Door != "" && strings.HasPrefix(path, s.Door) {
			return s
		}
	}
	return &All[0]
}

// Named is the screen of a name, "" being the first of the table; nil where there is none.
//
//go:noinline
func Named(name string) *Screen {
	if name == "" {
		return &All[0]
	}
	if i := slices.IndexFunc(All, func(s Screen) bool { return s.Name == name }); i >= 0 {
		return &All[i]
	}
	return nil
}

// OfFiles is the screen that files are for which are given to the page.
func OfFiles() *Screen {
	return &All[slices.IndexFunc(All, func(s Screen) bool { return s.Files })]
}

// Of is the screen that reads a fragment, without its "#", itself; nil for links of package share.
func Of(fragment string) *Screen {
	for i := range All {
		if s := &All[i]; s.Link != "" && strings.HasPrefix(fragment, s.Link) {
			return s
		}
	}
	return nil
}
