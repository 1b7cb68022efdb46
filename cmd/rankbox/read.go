package main

import (
	"fmt"

	"github.com/rankbox/rankbox/core/collection"
)

// readAs reads a file by its content; one that may be a run or qrels is taken for what is preferred.
func readAs(c *context, name string, prefer collection.Format) (*collection.Content, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return collection.Read(shown, f, collection.Options{Prefer: prefer})
}

// judgments reads qrels in any form, with those for subtopics where they have such.
func judgments(c *context, name string) (*collection.Qrels, *collection.Diversity, []collection.Warning, error) {
	got, err := readAs(c, name, collection.QrelsTREC)
	switch {
	case err != nil:
		return nil, nil, nil, err
	case got.Qrels != nil:
		return got.Qrels, got.Diversity, got.Warnings, nil
	case got.Collection != nil && got.Collection.Qrels != nil:
		return got.Collection.Qrels, nil, got.Warnings, nil
	}
	return nil, nil, nil, fmt.Errorf("%s holds no judgments: it reads as %s", name, got.Format)
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
	return nil, nil, fmt.Errorf("%s is no run: it reads as %s", name, got.Format)
}
