package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// reproduced is what was measured on a collection.
type reproduced struct {
	recipe *recipe.Recipe
	rows   []figureRow // nil: the collection is not here
}

// reproduceFolder prints the page of a folder of collections and returns how many figures differ without a reason.
func reproduceFolder(
	c *context, all []*recipe.Recipe, at string, from opening, k int, quiet bool,
) (n int, err error) {
	found, err := reproduceAll(c, all, at, from, k, func(name, system string) {
		if !quiet {
			fmt.Fprintf(c.err, "rankbox published: %s: %s\n", name, system)
		}
	})
	if err != nil {
		return 0, err
	}
	for _, x := range found {
		n += outside(x.rows)
	}
	out, end := c.output("markdown")
	defer end()
	return n, writeReproduced(out, found)
}

// reproduceAll measures every recipe's collection that is in a folder of collections, each called after its recipe.
// Vectors are in folders of the same names. step is told what is measured.
func reproduceAll(
	c *context, all []*recipe.Recipe, at string, from opening, k int, step func(name, system string),
) (out []reproduced, err error) {
	models := from.vectors
	found := false
	for _, r := range all {
		dir := filepath.Join(at, r.Name)
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			out = append(out, reproduced{recipe: r})
			continue
		} else if err != nil {
			return nil, err
		}
		found = true
		if from.vectors = ""; models != "" {
			dir := filepath.Join(models, r.Name)
			if _, err := os.Stat(dir); err == nil {
				from.vectors = dir
			}
		}
		s, _, err := from.session(c, []string{dir})
		if err != nil {
			return nil, err
		}
		rows, err := figures(s, r, k, func(system string) { step(r.Name, system) })
		if err != nil {
			return nil, err
		}
		out = append(out, reproduced{r, rows})
	}
	if !found {
		return nil, say.Faultf("rankbox", "%s has none of the known collections: want a folder called after "+
			"one, such as %s; rankbox fetch -list names them", at,
			filepath.Join(at, all[0].Name))
	}
	return out, nil
}

// writeReproduced prints a page of all collections.
func writeReproduced(w io.Writer, all []reproduced) error {
	var b strings.Builder
	b.WriteString("<!-- Written by \"rankbox published\". Do not edit. -->\n\n# Reproduced figures\n\n" +
		"What Rankbox measures on public collections, beside the published figures.\n\n" +
		"```sh\nrankbox published -at COLLECTIONS -vectors VECTORS -o markdown > docs/reproduce.md\n```\n\n" +
		"Both folders have a folder for each collection, called after its [recipe](collections.md). A " +
		"difference is ours, rounded to four places, minus the published\n" +
		fmt.Sprintf("figure, or 0 within a published range. More than %v needs an explanation or is a bug. A "+
			"dash means that the recipe's sources do not have the figure.\n", recipe.Tolerance))
	var missing []reproduced
	for _, x := range all {
		if x.rows == nil {
			missing = append(missing, x)
			continue
		}
		r := x.recipe
		fmt.Fprintf(&b, "\n## %s\n\n%s %s documents, %s queries (%s). Analyzer: `%s`. %s\n\n", r.Title,
			r.Sentence, say.Thousands(r.Documents),
			say.Thousands(r.Splits[0].Queries), r.Splits[0].Name, r.Analyzer, comparedFigures(r, x.rows))
		if err := writeFigures(&b, r, x.rows, "markdown"); err != nil {
			return err
		}
		for _, s := range r.Sources {
			fmt.Fprintf(&b, "\n- %s: [%s](%s)", s.Key, s.About, s.URL)
		}
		if len(r.Sources) > 0 {
			b.WriteString("\n")
		}
	}
	if len(missing) > 0 {
		b.WriteString("\n## Not measured here\n\nThe folder had no documents of these collections, so nothing is " +
			"compared with their published figures. Fetch one with\n" +
			"`rankbox fetch NAME`, then run `rankbox published NAME`.\n\n" +
			"| collection | documents | queries | to fetch | published figures |\n|---|--:|--:|--:|---|\n")
	}
	for _, x := range missing {
		r := x.recipe
		var published []string
		for _, f := range r.Figures {
			published = append(published, fmt.Sprintf("`%s` %s %s", f.System, f.Measure, f.Value()))
		}
		if published == nil {
			published = []string{strings.TrimSpace("none in its recipe. " + r.Unpublished)}
		}
		bytes := int64(0)
		for _, f := range r.Files {
			bytes += f.Bytes
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, say.Thousands(r.Documents),
			say.Thousands(r.Splits[0].Queries), say.Bytes(bytes), strings.Join(published, "; "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// comparedFigures says how many figures are published, and how many of them differ.
func comparedFigures(r *recipe.Recipe, rows []figureRow) string {
	published, far := 0, 0
	for _, x := range rows {
		if x.Difference != nil {
			published++
		}
		if x.Outside {
			far++
		}
	}
	if published == 0 {
		return strings.TrimSpace("Its recipe names no published figure. " + r.Unpublished)
	}
	return fmt.Sprintf("Within ±%v of the published figure or explained: %d of %d.", recipe.Tolerance,
		published-far, published)
}
