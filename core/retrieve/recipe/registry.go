package recipe

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// Suffix is the suffix of recipe files.
const Suffix = ".recipe"

//go:embed recipes/*.recipe
var own embed.FS

// All returns the recipes of this repository, sorted by name.
var All = sync.OnceValue(func() []*Recipe {
	all, err := ReadFolder(own, "recipes")
	if err != nil {
		panic(err) // a test reads them all
	}
	return all
})

// ReadFolder reads the recipes of a folder, sorted by name. A recipe's file has its name.
func ReadFolder(fsys fs.FS, dir string) ([]*Recipe, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var out []*Recipe
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name(), Suffix)
		if !ok {
			continue
		}
		data, err := within.FS(fsys, path.Join(dir, e.Name()), maxText)
		if err != nil {
			return nil, err
		}
		r, err := Parse(e.Name(), data)
		if err != nil {
			return nil, err
		}
		if r.Name != stem {
			return nil, &Error{e.Name(), 0, fmt.Errorf("the recipe is called %s: rename the file to %s", r.Name,
				r.Name+Suffix)}
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *Recipe) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

// Named returns the recipe with a name, or nil.
func Named(all []*Recipe, name string) *Recipe {
	for _, r := range all {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Unknown returns the error for an unknown name.
func Unknown(all []*Recipe, name string) error {
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	if n := pipeline.Nearest(name, names); n != "" {
		return fmt.Errorf("there is no collection %q; did you mean %s?", name, n)
	}
	return fmt.Errorf("there is no collection %q; there are %s", name, strings.Join(names, ", "))
}
