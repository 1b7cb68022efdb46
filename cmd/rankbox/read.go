package main

import (
	"fmt"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
)

// readAs reads a file by its content; one that may be a run or qrels is taken for what is preferred.
func readAs(c *context, name string, prefer collection.Format) (*collection.Content, error) {
	return readWith(c, name, collection.Options{Prefer: prefer, Limits: c.limits})
}

// readWith reads a file with options.
func readWith(c *context, name string, opt collection.Options) (*collection.Content, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	role, may := shapeRoles[opt.Prefer]
	if !may || opt.Kind != collection.Unknown {
		return collection.Read(shown, f, opt)
	}
	got, rest, err := intake.ReadShape(shown, role, f, opt)
	if got != nil || err != nil {
		return got, err
	}
	return collection.Read(shown, rest, opt)
}

// shapeRoles are the roles of files that may be runs or judgments in the arrangement of another tool.
var shapeRoles = map[collection.Format]intake.Role{collection.Unknown: intake.Any,
	collection.QrelsTREC: intake.Judgments, collection.RunTREC: intake.Runs}

// resolve looks the references of a benchmark up in a corpus. With leaveOut those that cannot be resolved are left out
// instead of counting as never found.
func resolve(c *context, b *collection.Benchmark, corpus string, leaveOut bool) (*collection.Resolved, error) {
	if corpus == "" {
		return nil, fmt.Errorf("%s names documents by reference: give the file of the documents (-corpus) (rankbox "+
			"compare, rankbox convert)", b.File)
	}
	got, err := readAs(c, corpus, collection.CorpusJSONL)
	if err != nil {
		return nil, err
	}
	docs := got.Docs
	if got.Collection != nil {
		docs = got.Collection.Docs
	}
	if len(docs) == 0 {
		return nil, fmt.Errorf("%s holds no documents: it looks like %s", corpus, got.Format)
	}
	return b.Resolve(collection.NewResolver(docs), leaveOut), nil
}

// chunkRule makes the rule by which chunks belong to documents out of a separator and a file.
func chunkRule(c *context, separator, file string) (rule collection.ChunkRule, some bool, err error) {
	rule.Separator = separator
	if file != "" {
		f, shown, err := c.open(file)
		if err != nil {
			return rule, false, err
		}
		defer f.Close()
		if rule.Map, err = collection.ReadChunkMap(f, shown, collection.Options{Limits: c.limits}); err != nil {
			return rule, false, err
		}
	}
	return rule, separator != "" || file != "", nil
}

// judgments reads qrels in any form, with those for subtopics or the preferences where they have such.
func judgments(c *context, name string) (*collection.Content, []collection.Warning, error) {
	got, err := readAs(c, name, collection.QrelsTREC)
	if err != nil {
		return nil, nil, err
	}
	return judgmentsOf(c, name, got)
}

// judgmentsOf returns the judgments among what was read.
func judgmentsOf(c *context, name string, got *collection.Content) (*collection.Content, []collection.Warning, error) {
	switch {
	case got.Qrels != nil:
		return got, got.Warnings, nil
	case got.Collection != nil && got.Collection.Qrels != nil:
		return &collection.Content{Qrels: got.Collection.Qrels}, got.Warnings, nil
	case got.Benchmark != nil:
		_, err := resolve(c, got.Benchmark, "", false)
		return nil, nil, err
	}
	return nil, nil, fmt.Errorf("%s holds no judgments: it looks like %s", name, got.Format)
}

// ranking reads a run in any form.
func ranking(c *context, name string) (*collection.Run, []collection.Warning, error) {
	got, err := readAs(c, name, collection.RunTREC)
	switch {
	case err != nil:
		return nil, nil, err
	case got.Run != nil:
		return got.Run, got.Warnings, nil
	}
	return nil, nil, fmt.Errorf("%s is not a run: it looks like %s", name, got.Format)
}
