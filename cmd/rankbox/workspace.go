package main

import (
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rankbox/rankbox/cmd/rankbox/fetch"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// openWorkspace says what is in a workspace that Judge saved, or prints one part of it.
func openWorkspace(c *context, args []string) error {
	f := flag.NewFlagSet("workspace", flag.ContinueOnError)
	qrels := f.Bool("qrels", false, "print the resolved grades as TREC qrels")
	queries := f.Bool("queries", false, "print the added queries as JSONL")
	layer := f.String("layer", "", "with -qrels: only the grades of this layer")
	rule := f.String("rule", "", "with -qrels: which grade counts if layers differ: priority, highest, lowest, "+
		"latest or majority (default the workspace's own)")
	system := f.String("system", "", "add this system, and write the workspace to -o")
	out := f.String("o", "", "with -system: the new zip")
	folder := f.String("beir", "", "write documents, queries and resolved grades to this `folder`, in BEIR's layout")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if (*system == "") != (*out == "") || *system != "" && (*qrels || *queries) {
		return usagef("-system PIPELINE -o FILE adds a system and prints nothing else")
	}
	if *folder != "" && (*system != "" || *qrels || *queries) {
		return usagef("-beir FOLDER writes all of a workspace and prints nothing")
	}
	if len(words) != 1 || *qrels && *queries || (*layer != "" || *rule != "") && !*qrels {
		return usagef("want one workspace (a .zip or its folder), and -qrels or -queries to print a part of it")
	}
	w, err := readWorkspace(words[0], bounds.Limits)
	if err != nil {
		return err
	}
	switch {
	case *folder != "":
		all, analyzer, err := w.Whole()
		if err != nil {
			return say.Faultf("rankbox", "%s: %w", words[0], err)
		}
		return fetch.WriteCollection(all, analyzer, *folder)
	case *system != "":
		return addSystem(w, *system, *out)
	case *qrels:
		return workspaceQrels(c, w, *layer, workspace.Rule(*rule))
	case *queries:
		var list []collection.Query
		for _, q := range w.Queries() {
			list = append(list, collection.Query{ID: q.ID, Text: q.Text, Description: q.Description,
				Narrative: q.Narrative})
		}
		return collection.WriteQueries(c.out, list)
	}
	fmt.Fprintf(c.out, "%s: about %s (%s)\n", say.Visible(w.Name()), say.Visible(w.Documents.Collection),
		say.Count(w.Documents.Count, "document", "documents"))
	fmt.Fprintf(c.out, "%s added, %s, %s\n", say.Count(len(w.Queries()), "query", "queries"),
		say.Count(len(w.Specs()), "system or matrix", "systems and matrices"),
		say.Count(len(w.Blobs), "run or report", "runs and reports"))
	for _, h := range w.Layers() {
		fmt.Fprintf(c.out, "layer %s: %s", h.ID, say.Count(w.Layer(h.ID).Graded(), "grade", "grades"))
		for _, s := range []string{string(h.Origin), h.Author, h.Date, string(h.State)} {
			if s != "" {
				fmt.Fprintf(c.out, ", %s", say.Visible(s))
			}
		}
		fmt.Fprintln(c.out)
	}
	_, err = fmt.Fprintf(c.out, "if layers differ, %s\n", w.Rule().Said())
	if w.ReadOnly != "" {
		fmt.Fprintf(c.err, "rankbox: warning: it is read-only: %s\n", w.ReadOnly)
	}
	return err
}

// addSystem writes a workspace with one more system, under its own notation as the name.
func addSystem(w *workspace.Workspace, notation, out string) error {
	n, err := stage.Parse(notation)
	if err != nil {
		return usageError{err}
	}
	if w.ReadOnly != "" {
		return fmt.Errorf("it is read-only: %s", w.ReadOnly)
	}
	// Next makes the stamp the latest of all. The tab is random, so that two students' edits never share one.
	e := workspace.Edit{Stamp: w.Next(time.Now().UnixMilli(), rand.Text()), Kind: workspace.SetSpec, Spec: n.String(),
		Form: "system", Text: n.String()}
	if _, err := w.Apply(e); err != nil {
		return err
	}
	zip, err := w.Export()
	if err != nil {
		return err
	}
	return os.WriteFile(out, zip, 0o666)
}

// readWorkspace reads a workspace from a zip, or from the folder that it was unpacked into.
func readWorkspace(name string, bounds collection.Limits) (*workspace.Workspace, error) {
	most := bounds.Bytes
	if most <= 0 {
		most = 1 << 30
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		b, err := readFile(name, most)
		if err != nil {
			return nil, err
		}
		return workspace.Import(name, b, workspace.Limits{Bytes: most})
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(name, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(name, file)
		if err != nil {
			return err
		}
		b, err := within.FS(os.DirFS(name), filepath.ToSlash(inside), most)
		if err != nil {
			return say.Faultf("rankbox", "%s: %w", file, err)
		}
		if most -= int64(len(b)); most < 0 {
			return say.Faultf("rankbox", "%s holds more than -max-bytes", name)
		}
		files[filepath.ToSlash(inside)] = b
		return nil
	})
	if err != nil {
		return nil, err
	}
	return workspace.Read(files, workspace.Limits{})
}

// workspaceQrels prints the grades that count, or those of one layer.
func workspaceQrels(c *context, w *workspace.Workspace, layer string, rule workspace.Rule) error {
	out := collection.NewQrels()
	if layer != "" {
		var known []string
		for _, h := range w.Layers() {
			known = append(known, h.ID)
		}
		if !strings.Contains(" "+strings.Join(known, " ")+" ", " "+layer+" ") {
			return fmt.Errorf("unknown layer %q: the workspace has %s", layer, say.Few(known, 20))
		}
		for _, j := range w.Layer(layer).Judgments() {
			if j.Graded {
				out.Add(j.Query, j.Document, j.Grade)
			}
		}
		return out.WriteTREC(c.out)
	}
	if rule != "" {
		if _, err := w.Apply(workspace.Edit{Stamp: w.Next(0, "rankbox"), Kind: workspace.SetRule,
			Text: string(rule)}); err != nil {
			return err
		}
	}
	for _, r := range w.Resolve(nil) {
		out.Add(r.Query, r.Document, r.Grade)
	}
	return out.WriteTREC(c.out)
}
