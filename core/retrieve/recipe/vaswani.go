package recipe

import (
	"io/fs"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
)

// The files of the Vaswani (NPL) collection from the University of Glasgow (npl.tar.gz).
const (
	nplDocuments = "doc-text"
	nplQueries   = "query-text"
	nplJudgments = "rlv-ass"
)

// readVaswani reads the Vaswani collection: records of a line with an id and lines of content, each ended by a line
// "/". Every judged document is relevant, with grade 1.
func readVaswani(fsys fs.FS, opt collection.Options) (*collection.Collection, error) {
	c := newCollection(opt)
	r, err := newReader(fsys, nplDocuments, opt)
	if err != nil {
		return nil, err
	}
	err = r.slashed(func(id string, lines []string) error {
		return c.doc(r, collection.Doc{ID: id, Text: joinLines(lines)})
	})
	if err != nil {
		return nil, err
	}
	queries, err := newReader(fsys, nplQueries, opt)
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	err = queries.slashed(func(id string, lines []string) error {
		if asked[id] {
			return queries.fail("query %q is repeated", id)
		}
		asked[id] = true
		return c.query(queries, collection.Query{ID: id, Text: joinLines(lines)})
	})
	if err != nil {
		return nil, err
	}
	if r, err = newReader(fsys, nplJudgments, opt); err != nil {
		return nil, err
	}
	err = r.slashed(func(id string, lines []string) error {
		if !asked[id] {
			return r.fail("query %q is not in %s", id, nplQueries)
		}
		for _, doc := range strings.Fields(strings.Join(lines, " ")) {
			if strings.Trim(doc, "0123456789") != "" {
				return r.fail("%q is no number of a document", shortened(doc))
			}
			if err := c.judge(r, id, doc, 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.judgedOnly(queries)
	return c.Collection, nil
}

// slashed reads records of an id and lines of content, each ended by a line "/".
func (r *reader) slashed(emit func(id string, lines []string) error) error {
	var lines []string
	id, found := "", false
	for {
		line, ok := r.next()
		if !ok {
			break
		}
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "/" && id == "":
			return r.fail("a record ends here that did not begin with an id")
		case trimmed == "/":
			if err := emit(id, lines); err != nil {
				return err
			}
			id, lines, found = "", nil, true
		case id == "" && trimmed == "":
		case id == "":
			if id = trimmed; strings.Trim(id, "0123456789") != "" {
				return r.fail("%q is no number: want the id of a record", shortened(id))
			}
		default:
			lines = append(lines, line)
		}
	}
	if id != "" {
		return r.fail("record %s has no end: the file is cut short", id)
	}
	if !found {
		return r.fail("there is no record")
	}
	return nil
}
