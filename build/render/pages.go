package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"

	corebundle "github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/wasm/app"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/worker"
)

// page is one page as the build wants it.
type page struct {
	Route string `json:"route"`
	Head  string `json:"head"`
	Body  string `json:"body"`
}

// pages compares the default systems on the default collection, which is among the arguments id=folder, and renders every route
// from the result.
func pages(args []string) (any, error) {
	for _, a := range args {
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
		rendered, err := app.Prerender(app.Snapshot{Opened: worker.Describe(s), Report: report}, "")
		if err != nil {
			return nil, err
		}
		var out []page
		for _, r := range rendered {
			out = append(out, page{Route: r.Path,
				Head: "<title>" + html.EscapeString(r.Title) + "</title>\n<meta name=\"description\" content=\"" + html.EscapeString(r.Description) + "\">",
				Body: r.Body + "\n<script type=\"application/octet-stream\" id=\"state\">" + r.State + "</script>"})
		}
		return out, nil
	}
	return nil, fmt.Errorf("render pages: there is no collection %s", state.DefaultCollection)
}

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
