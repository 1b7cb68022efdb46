package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	corebundle "github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/wasm/app"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/worker"
)

// pages compares the default systems on the default collection and renders every route from the result. Its arguments are the
// version of the site and the packed collections, each id=folder.
func pages(args []string) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("usage: render pages VERSION ID=FOLDER…")
	}
	for _, a := range args[1:] {
		id, dir, ok := strings.Cut(a, "=")
		if !ok || id != state.DefaultCollection {
			continue
		}
		s, err := open(dir)
		if err != nil {
			return nil, err
		}
		report, err := s.Evaluate(experiment.Spec{Systems: state.Defaults}, nil)
		if err != nil {
			return nil, err
		}
		return app.Prerender(app.Snapshot{Opened: worker.Describe(s), Report: report}, args[0])
	}
	return nil, fmt.Errorf("render pages: there is no collection %s", state.DefaultCollection)
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
