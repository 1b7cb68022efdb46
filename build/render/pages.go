package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/rankbox/rankbox/core/experiment"
	corebundle "github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/worker"
)

// pages compares the default systems on the collection that the site opens and renders every route from the result. Its
// arguments are the version of the site and the folder of that collection, packed, and "lessons" where the site has
// them.
func pages(args []string) (any, error) {
	if len(args) != 2 && (len(args) != 3 || args[2] != "lessons") {
		return nil, errors.New("usage: render pages VERSION FOLDER [lessons]")
	}
	s, err := open(args[1])
	if err != nil {
		return nil, err
	}
	opened := worker.Describe(s)
	report, err := s.Evaluate(experiment.Spec{Systems: state.DefaultsOf(opened)}, nil)
	if err != nil {
		return nil, err
	}
	set := &lesson.Set{}
	if len(args) == 3 { // the lessons talk about the demo; a site of other collections has none
		if set, err = lessons(s); err != nil {
			return nil, err
		}
	}
	return app.Prerender(app.Snapshot{Opened: opened, Report: report}, set, args[0], s.Search)
}

// finished renders the lists that the judged queries of the collection in a folder have until the program is there.
func finished(args []string) (any, error) {
	if len(args) != 1 {
		return nil, errors.New("usage: render finished FOLDER")
	}
	s, err := open(args[0])
	if err != nil {
		return nil, err
	}
	return app.Finished(worker.Describe(s), s.Search)
}

// open opens a packed collection.
func open(dir string) (*experiment.Session, error) {
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return nil, err
	}
	m, err := corebundle.ReadManifest(data)
	if err != nil {
		return nil, err
	}
	fetch := func(f corebundle.File) ([]byte, error) { return os.ReadFile(filepath.Join(dir, f.Name)) }
	b, err := corebundle.Open(m, fetch)
	if err != nil {
		return nil, err
	}
	return experiment.NewSession(b, fetch), nil
}
