package main

import (
	"bytes"
	stdcontext "context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/rankbox/rankbox/cmd/rankbox/fetch"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// folderFirst is the kind of the warning that a file or folder has the name of a known collection.
const folderFirst = "folder-first"

// fetchCollections downloads collections into the cache, or lists them.
func fetchCollections(c *context, args []string) error {
	f := flag.NewFlagSet("fetch", flag.ContinueOnError)
	list := f.Bool("list", false, "list the collections and which of them are on this machine, without downloading")
	from := f.String("from", "",
		"a `file`, folder or URL to take the collection from instead of its own address; still checked")
	folder := f.String("o", "", "also write the collection to this `folder`, in BEIR's layout")
	quiet := f.Bool("quiet", false, "no progress on standard error")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	all, err := fetch.Recipes()
	if err != nil {
		return err
	}
	cache, err := fetch.Default()
	if err != nil {
		return err
	}
	switch {
	case *list && (len(words) > 0 || *from != "" || *folder != ""):
		return usagef("use -list alone")
	case *list:
		return listCollections(c, all, cache)
	case len(words) == 0:
		return usagef("want the name of a collection, or -list")
	case len(words) > 1 && (*from != "" || *folder != ""):
		return usagef("use -from and -o with one collection")
	}
	var wanted []*recipe.Recipe
	for _, w := range words {
		r := recipe.Named(all, w)
		if r == nil {
			return usageError{recipe.Unknown(all, w)}
		}
		wanted = append(wanted, r)
	}
	if !*quiet {
		cache.Notice = func(text string) { fmt.Fprintf(c.err, "rankbox fetch: %s\n", text) }
		shown := time.Now()
		cache.Progress = func(file string, done, of int64) {
			if time.Since(shown) < time.Second && done < of {
				return
			}
			shown = time.Now()
			fmt.Fprintf(c.err, "rankbox fetch: %s: %s of %s, %d %%\n", file, say.Bytes(done), say.Bytes(of),
				100*done/of)
		}
	}
	ctx, stop := signal.NotifyContext(stdcontext.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for _, r := range wanted {
		brought, err := cache.Fetch(ctx, r, *from)
		if err != nil {
			return err
		}
		what := "is already here, checked"
		if brought > 0 {
			what = "fetched and checked, " + say.Bytes(brought)
		}
		fmt.Fprintf(c.out, "%s: %s. Licence: %s\n", r.Name, what, r.LicenceOr())
		if *folder != "" {
			if err := cache.WriteFolder(r, *folder, collection.Options{Limits: bounds.Limits}); err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s: written to %s\n", r.Name, say.Visible(*folder))
		}
	}
	return nil
}

// listCollections prints the known collections, a line each.
func listCollections(c *context, all []*recipe.Recipe, cache *fetch.Cache) error {
	out, end := c.output("text")
	defer end()
	fmt.Fprintln(out, "name\tlanguage\tdocuments\tqueries\tdownload\there\tlicence\twhat it is")
	for _, r := range all {
		here := "yes"
		if cache.Has(r) != nil {
			here = "no"
		}
		_, err := fmt.Fprintf(out, "%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\n", r.Name, r.Language, r.Documents,
			r.Splits[0].Queries, say.Bytes(r.Bytes()), here, r.LicenceOr(), r.Sentence)
		if err != nil {
			return err
		}
	}
	return nil
}

// isName reports whether a word can be the name of a collection, and no path.
func isName(word string) bool {
	return word != "" && word != "-" && !strings.ContainsAny(word, `/\.`)
}

// knownAs returns the recipe of a name, nil if there is none.
func knownAs(name string) (*recipe.Recipe, error) {
	if !isName(name) {
		return nil, nil
	}
	all, err := fetch.Recipes()
	if err != nil {
		return nil, err
	}
	return recipe.Named(all, name), nil
}

// known reads a collection of the cache by its name. missing is the error of opening a file or folder of that name,
// which is returned if no collection has it.
func (o *opening) known(c *context, name string, missing error) (src bundle.Source, warnings []collection.Warning,
	err error) {
	r, err := knownAs(name)
	if err != nil {
		return src, nil, err
	}
	if r == nil {
		return src, nil, notKnown(name, missing)
	}
	if err := haveModels(o.models, o.beside); err != nil {
		return src, nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	cache, err := fetch.Default()
	if err != nil {
		return src, nil, err
	}
	src.ID, src.Name, src.Licence, src.Origin, src.Analyzer = r.Name, r.Title, r.LicenceOr(), r.Files[0].URL, r.Analyzer
	if src.Collection, err = cache.Read(r, o.split, o.options(c)); err != nil {
		return src, nil, err
	}
	if err := o.spooled(&src); err != nil {
		return src, nil, err
	}
	return src, src.Collection.Warnings, nil
}

// notKnown adds to the error of a name that is no file the name of a collection that was perhaps meant.
func notKnown(name string, missing error) error {
	if !isName(name) || !errors.Is(missing, fs.ErrNotExist) {
		return missing
	}
	all, err := fetch.Recipes()
	if err != nil {
		return missing
	}
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	if near := pipeline.Nearest(name, names); near != "" {
		return fmt.Errorf("%w, and no collection has that name; did you mean %s?", missing, near)
	}
	return missing
}

// shadowed warns that a file or folder comes before the known collection of its name.
func shadowed(name string) []collection.Warning {
	if r, err := knownAs(name); err != nil || r == nil {
		return nil
	}
	return []collection.Warning{{Kind: folderFirst, File: name, Count: 1,
		Message: "this file or folder takes precedence over the public collection of that name; for the collection, " +
			"move it or run from another folder"}}
}

// knownJudgments returns the judgments of a collection of the cache as a file of qrels, nil if no collection has the
// name.
func (c *context) knownJudgments(name string) (io.ReadCloser, error) {
	r, err := knownAs(name)
	if r == nil || err != nil {
		return nil, err
	}
	cache, err := fetch.Default()
	if err != nil {
		return nil, err
	}
	got, err := cache.Read(r, "", collection.Options{Limits: c.limits})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := got.Qrels.WriteTREC(&b); err != nil {
		return nil, err
	}
	return io.NopCloser(&b), nil
}
