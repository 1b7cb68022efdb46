package backend

import (
	"slices"
	"strconv"
	"strings"
)

// teiInfo reads TEI's GET /info: the model that the server was started with, and its revision where it is known.
var teiInfo = &Inspection{
	Ask: func(*Settings) Request { return Request{Path: "/info"} },
	Read: func(_ *Settings, body []byte) (t Told, err error) {
		var id, sha, dtype string
		r := reader(body)
		members(r, func(key string) bool {
			to := map[string]*string{"model_id": &id, "model_sha": &sha, "model_dtype": &dtype}[key]
			if to == nil || r.Peek() != '"' {
				return false
			}
			*to = r.String()
			return true
		})
		t.Served = strings.Join(slices.DeleteFunc([]string{id, sha, dtype}, func(s string) bool { return s == "" }), " ")
		return t, end(r)
	},
}

// luceneStats reads GET /index/_stats/docs?level=shards of Elasticsearch and OpenSearch, summed over all indices of an alias: how
// many documents the primary shards have, which index it is (a new one of the same name has another uuid), and the sum of their
// sequence numbers, which every write raises.
var luceneStats = &Inspection{
	Ask: func(s *Settings) Request { return Request{Path: "/" + s.Index + "/_stats/docs?level=shards"} },
	Read: func(_ *Settings, body []byte) (t Told, err error) {
		var ids []string
		documents, writes, found, led := int64(0), int64(0), false, false
		r := reader(body)
		shard := func() {
			primary, seq := false, int64(0)
			members(r, func(key string) bool {
				switch key {
				case "routing":
					members(r, func(key string) bool {
						if key != "primary" {
							return false
						}
						primary = r.Bool()
						return true
					})
				case "seq_no":
					members(r, func(key string) bool {
						if key != "max_seq_no" {
							return false
						}
						seq = r.Int()
						return true
					})
				default:
					return false
				}
				return true
			})
			if primary {
				writes += seq + 1
			}
			led = led || primary
		}
		index := func(name string) {
			id := name
			members(r, func(key string) bool {
				switch key {
				case "uuid":
					id = r.String()
				case "primaries":
					members(r, func(key string) bool {
						if key != "docs" {
							return false
						}
						members(r, func(key string) bool {
							if key != "count" {
								return false
							}
							documents, found = documents+r.Int(), true
							return true
						})
						return true
					})
				case "shards":
					members(r, func(string) bool {
						led = false
						for r.BeginArray(); r.More(); {
							shard()
						}
						if !led { // its node is gone, and no other leads yet: the sums would be of a part
							r.Fail(errShape)
						}
						return true
					})
				default:
					return false
				}
				return true
			})
			ids = append(ids, id)
		}
		members(r, func(key string) bool {
			if key != "indices" {
				return false
			}
			members(r, func(key string) bool { index(key); return true })
			return true
		})
		if err := end(r); err != nil {
			return t, err
		}
		if !found {
			return t, errShape
		}
		slices.Sort(ids)
		return Told{Version: strings.Join(ids, " ") + " " + strconv.FormatInt(writes, 10), Documents: strconv.FormatInt(documents, 10)}, nil
	},
}

// counted reads a whole number at the end of a path of members; an array on the way is read by its first element.
func counted(path ...string) func(s *Settings, body []byte) (Told, error) {
	return func(s *Settings, body []byte) (t Told, err error) {
		r := reader(body)
		found := false
		var walk func(path []string)
		walk = func(path []string) {
			if len(path) == 0 {
				t.Documents, found = strconv.FormatInt(r.Int(), 10), true
				return
			}
			if r.Peek() == '[' {
				first := true
				for r.BeginArray(); r.More(); first = false {
					if first {
						walk(path)
					} else {
						r.Skip()
					}
				}
				return
			}
			members(r, func(key string) bool {
				if key != path[0] && (path[0] != "" || key != s.Index) {
					return false
				}
				walk(path[1:])
				return true
			})
		}
		walk(path)
		if err := end(r); err != nil {
			return t, err
		}
		if !found {
			return t, errShape
		}
		return t, nil
	}
}

// weaviateCount asks Weaviate for the number of objects of a class.
var weaviateCount = &Inspection{
	Ask: func(s *Settings) Request {
		return Request{"/v1/graphql", object("query", quote("{ Aggregate { "+s.Index+" { meta { count } } } }"))}
	},
	Read: counted("data", "Aggregate", "", "meta", "count"),
}

// qdrantCount asks Qdrant for the exact number of points of a collection.
var qdrantCount = &Inspection{
	Ask: func(s *Settings) Request {
		return Request{"/collections/" + s.Index + "/points/count", object("exact", "true")}
	},
	Read: counted("result", "count"),
}

// vespaCount asks Vespa for the number of documents of a schema.
var vespaCount = &Inspection{
	Ask: func(s *Settings) Request {
		return Request{"/search/", object("yql", quote("select * from "+s.Index+" where true"), "hits", "0")}
	},
	Read: counted("root", "fields", "totalCount"),
}
