package recipe

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
)

// The files of the Cranfield collection from the University of Glasgow (cran.tar.gz).
const (
	cranDocuments = "cran.all.1400"
	cranQueries   = "cran.qry"
	cranJudgments = "cranqrel"
)

// readCranfield reads the Cranfield collection. Its judgments number the queries by their order in the file: the
// file's own numbers (1, 2, 4, 8 …) belong to a larger set. A code c of its judgments, from 1, a complete answer,
// to 4, becomes the grade 5 − c. Codes 5 and −1 mean of no interest, grade 0.
func readCranfield(fsys fs.FS, opt collection.Options) (*collection.Collection, error) {
	c := newCollection(opt)
	r, err := newReader(fsys, cranDocuments, opt)
	if err != nil {
		return nil, err
	}
	err = r.records("TABW", func(id string, fields map[byte][]string) error {
		return c.doc(r, collection.Doc{ID: id, Title: joinLines(fields['T']), Text: joinLines(fields['W'])})
	})
	if err != nil {
		return nil, err
	}
	queries, err := newReader(fsys, cranQueries, opt)
	if err != nil {
		return nil, err
	}
	err = queries.records("W", func(_ string, fields map[byte][]string) error {
		return c.query(queries, collection.Query{ID: strconv.Itoa(len(c.Queries) + 1), Text: joinLines(fields['W'])})
	})
	if err != nil {
		return nil, err
	}
	if r, err = newReader(fsys, cranJudgments, opt); err != nil {
		return nil, err
	}
	for {
		line, ok := r.next()
		if !ok {
			break
		}
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		if len(w) != 3 {
			return nil, r.fail("%d columns, expected 3: query, document, code", len(w))
		}
		n, err := strconv.Atoi(w[0])
		if err != nil || n < 1 || n > len(c.Queries) {
			return nil, r.fail("query %q: there are queries 1 to %d", w[0], len(c.Queries))
		}
		code, err := strconv.Atoi(w[2])
		if err != nil || code != -1 && (code < 1 || code > 5) {
			return nil, r.fail("code %q: want 1 to 5 or -1", w[2])
		}
		grade := 0.0
		if code > 0 {
			grade = float64(5 - code)
		}
		if err := c.judge(r, strconv.Itoa(n), w[1], grade); err != nil {
			return nil, err
		}
	}
	c.judgedOnly(queries)
	return c.Collection, nil
}

// records reads records that begin with ".I ID" and have one-letter fields ".T", ".W" …, each on its own line.
func (r *reader) records(letters string, emit func(id string, fields map[byte][]string) error) error {
	var (
		id     string
		field  byte
		fields map[byte][]string
		begun  = 0
	)
	end := func() error {
		if fields == nil {
			return nil
		}
		at := r.at
		r.at = begun
		err := emit(id, fields)
		r.at = at
		return err
	}
	for {
		line, ok := r.next()
		if !ok {
			break
		}
		if rest, ok := strings.CutPrefix(line, ".I "); ok {
			if err := end(); err != nil {
				return err
			}
			id, field, fields, begun = strings.TrimSpace(rest), 0, map[byte][]string{}, r.at
			if id == "" || strings.ContainsAny(id, " \t") {
				return r.fail("%q is not an id", rest)
			}
			continue
		}
		if len(line) == 2 && line[0] == '.' && strings.IndexByte(letters, line[1]) >= 0 {
			if fields == nil {
				return r.fail("%s before the first .I", line)
			}
			field = line[1]
			continue
		}
		if field == 0 {
			if line == "" {
				continue
			}
			return r.fail("%q belongs to no record: want .I and a field before it", shortened(line))
		}
		fields[field] = append(fields[field], line)
	}
	if fields == nil {
		return r.fail("it has no record: want lines that begin with .I")
	}
	return end()
}

// shortened shortens a quotation for an error.
func shortened(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
