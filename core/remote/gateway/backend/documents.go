package backend

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// stored are the fields of a document that a lookup asks for.
func (s *Settings) stored() []string {
	var out []string
	for _, f := range []string{s.IDField, s.TitleField, s.TextField} {
		if f != "" {
			out = append(out, f)
		}
	}
	return out
}

// document reads an object of stored fields into a document.
func (s *Settings) document(r *jsontext.Reader, d *Stored) {
	members(r, func(key string) bool {
		switch {
		case key == s.IDField && s.IDField != "":
			d.ID = scalar(r)
		case r.Peek() != '"':
			return false
		case key == s.TitleField && s.TitleField != "":
			d.Title = r.String()
		case key == s.TextField && s.TextField != "":
			d.Text = r.String()
		default:
			return false
		}
		return true
	})
}

// documents reads an array of objects, each with its own id and an object of stored fields.
func (s *Settings) documents(r *jsontext.Reader, id, fields string) []Stored {
	var out []Stored
	for r.BeginArray(); r.More(); {
		var d Stored
		members(r, func(key string) bool {
			switch {
			case key == id && s.IDField == "":
				d.ID = scalar(r)
			case key == fields:
				s.document(r, &d)
			default:
				return false
			}
			return true
		})
		if d.ID == "" {
			r.Fail(errShape)
		}
		out = append(out, d)
	}
	return out
}

// read returns a reader of the array at the end of a path of members; "" in the path is the index name.
func read(each func(s *Settings, r *jsontext.Reader) []Stored, path ...string) func(*Settings, []byte) ([]Stored,
	error) {
	return func(s *Settings, body []byte) (out []Stored, err error) {
		at := make([]string, len(path))
		for i, p := range path {
			if at[i] = p; p == "" {
				at[i] = s.Index
			}
		}
		found := false
		r := reader(body)
		within(r, func() { out, found = each(s, r), true }, at...)
		if err := end(r); err != nil {
			return nil, err
		}
		if !found {
			return nil, errShape
		}
		return out, nil
	}
}

// luceneDocuments asks Elasticsearch and OpenSearch.
var luceneDocuments = &Lookup{
	Ask: func(s *Settings, ids []string) Request {
		query := object("ids", string(object("values", list(ids))))
		if s.IDField != "" {
			query = object("terms", string(object(s.IDField, list(ids))))
		}
		return Request{searchPath(s), object("size", strconv.Itoa(len(ids)), "_source", list(s.stored()), "query",
			string(query))}
	},
	Read: read(func(s *Settings, r *jsontext.Reader) []Stored { return s.documents(r, "_id", "_source") }, "hits",
		"hits"),
}

// weaviateDocuments asks by the property that holds the id.
var weaviateDocuments = &Lookup{
	ByField: true,
	Ask: func(s *Settings, ids []string) Request {
		where := `{path: [` + quote(s.IDField) + `], operator: ContainsAny, valueText: ` + list(ids) + `}`
		return Request{"/v1/graphql", object("query", quote("{ Get { "+s.Index+"(where: "+where+", limit: "+
			strconv.Itoa(len(ids))+") { "+strings.Join(s.stored(), " ")+" } } }"))}
	},
	Read: read(func(s *Settings, r *jsontext.Reader) []Stored {
		var out []Stored
		for r.BeginArray(); r.More(); {
			var d Stored
			if s.document(r, &d); d.ID == "" {
				r.Fail(errShape)
			}
			out = append(out, d)
		}
		return out
	}, "data", "Get", ""),
}

// qdrantDocuments asks by the field of the payload that holds the id.
var qdrantDocuments = &Lookup{
	ByField: true,
	Ask: func(s *Settings, ids []string) Request {
		must := object("key", quote(s.IDField), "match", string(object("any", list(ids))))
		return Request{"/collections/" + s.Index + "/points/scroll", object("filter", `{"must":[`+string(must)+`]}`,
			"limit", strconv.Itoa(len(ids)), "with_payload", list(s.stored()))}
	},
	Read: read(func(s *Settings, r *jsontext.Reader) []Stored { return s.documents(r, "id", "payload") }, "result",
		"points"),
}

// vespaDocuments asks by the field that holds the id.
var vespaDocuments = &Lookup{
	ByField: true,
	Ask: func(s *Settings, ids []string) Request {
		quoted := list(ids)
		return Request{"/search/", object("yql", quote("select "+strings.Join(s.stored(),
			", ")+" from "+s.Index+" where "+s.IDField+
			" in ("+quoted[1:len(quoted)-1]+")"), "hits", strconv.Itoa(len(ids)))}
	},
	Read: func(s *Settings, body []byte) ([]Stored, error) {
		var out []Stored
		r := reader(body)
		within(r, func() { out = s.documents(r, "id", "fields") }, "root", "children") // absent if there is none
		return out, end(r)
	},
}

// filterByIDs is a filter in Typesense's language. Backticks quote an id, so one that holds a backtick cannot be
// asked for.
func (s *Settings) filterByIDs(ids []string) string {
	askable := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return strings.Contains(id, "`") })
	return s.IDField + ":=[`" + strings.Join(askable, "`,`") + "`]"
}

// lookUp makes documents of an index be returned by their ids.
func (k *Kind) lookUp(d *described) error {
	if d == nil {
		return nil
	}
	if k.Search == nil {
		return errors.New("documents need a search")
	}
	ask := func(s *Settings, ids []string) (Request, error) {
		return d.request(s, map[string]string{"ids": list(ids), "ids_by_line": quote(strings.Join(ids, "\n")),
			"filter_by_ids": quote(s.filterByIDs(ids)), "n": strconv.Itoa(len(ids)), "stored": list(s.stored()),
			"stored_by_comma": quote(strings.Join(s.stored(), ",")), "index": quote(s.Index), "id": quote(s.IDField)})
	}
	if _, err := ask(&Settings{}, nil); err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	most := 0
	if slices.Contains(d.given, "batch") {
		most = d.batch
	}
	k.Search.Documents = &Lookup{
		Batch:   most,
		ByField: slices.Contains(d.id, "${id}"),
		Ask: func(s *Settings, ids []string) Request {
			r, _ := ask(s, ids)
			return r
		},
		Read: func(s *Settings, body []byte) ([]Stored, error) {
			var out []Stored
			err := d.entries(body, func(r *jsontext.Reader) {
				var x Stored
				read := func(name string, to *string) place {
					return place{append(slices.Clone(d.fields), name), func() {
						if r.Peek() == '"' {
							*to = r.String()
						} else {
							r.Skip()
						}
					}}
				}
				places := []place{{s.named(d.id), func() { x.ID = scalar(r) }}}
				if s.TitleField != "" {
					places = append(places, read(s.TitleField, &x.Title))
				}
				if s.TextField != "" {
					places = append(places, read(s.TextField, &x.Text))
				}
				pick(r, places...)
				if x.ID == "" {
					r.Fail(errShape)
				}
				out = append(out, x)
			})
			return out, err
		},
	}
	return nil
}
