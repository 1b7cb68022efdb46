package main

import (
	"os"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// isWorkspace reports whether a file is the zip of a workspace.
func isWorkspace(name string) bool {
	if !strings.HasSuffix(strings.ToLower(name), ".zip") {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && workspace.Is(f, info.Size())
}

// workspace opens a workspace that holds its documents as a collection, with the queries and grades that were made in
// it.
func (o *opening) workspace(name string) (*experiment.Session, error) {
	w, err := readWorkspace(name, o.limits.Limits)
	if err != nil {
		return nil, err
	}
	if w.Bundle == nil {
		return nil, say.Faultf("rankbox",
			"%s holds no documents: it is about the collection %s. Open that, and print its queries and grades "+
				"with rankbox workspace -queries and -qrels", name, say.Visible(w.Documents.Collection))
	}
	m, err := bundle.ReadManifest(w.Bundle["manifest.json"])
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	if err := o.modelsOf(name, m); err != nil {
		return nil, err
	}
	s, err := session(m, w.Fetch)
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	merged, err := w.Merge(s.Bundle())
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	return s.Adopt(merged.Queries, merged.Judgments, merged.Hash), nil
}
