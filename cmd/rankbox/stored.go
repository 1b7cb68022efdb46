package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// stored are the values of -run: runs by the names that pipelines call them.
type stored [][2]string

func (s *stored) String() string { return "" }

// Set implements flag.Value.
func (s *stored) Set(v string) error {
	name, file, named := strings.Cut(v, "=")
	if !named {
		file = v
		name, _, _ = strings.Cut(filepath.Base(v), ".")
	}
	n, err := stage.Parse(stage.Run.Name + "(" + name + ")")
	if err != nil || n.Word("file") != name || file == "" {
		return fmt.Errorf("%q: want NAME=FILE, the name letters, digits and + - . _, the first a letter", v)
	}
	*s = append(*s, [2]string{name, file})
	return nil
}

// give reads the runs and gives them to a session.
func (s stored) give(c *context, to *experiment.Session) error {
	for _, x := range s {
		r, _, err := ranking(c, x[1])
		if err != nil {
			return err
		}
		switch unknown := to.SetRun(x[0], r); {
		case unknown == r.Len():
			return fmt.Errorf("%s: none of its queries or documents are in the collection", x[1])
		case unknown > 0:
			fmt.Fprintf(c.err, "rankbox: warning: %s: %d of %s %s a query or document that the collection "+
				"does not have\n", x[1], unknown, say.Count(r.Len(), "line", "lines"),
				say.Verb(unknown, "names", "name"))
		}
	}
	return nil
}

// ids adds the documents of the runs to a set.
func (s stored) ids(c *context, to map[string]bool) error {
	for _, x := range s {
		r, _, err := ranking(c, x[1])
		if err != nil {
			return err
		}
		for i := range r.Queries() {
			r.Each(i, collection.DocIDDescending, func(_ int, e collection.Entry) bool {
				to[strings.Clone(e.Doc)] = true
				return true
			})
		}
	}
	return nil
}
