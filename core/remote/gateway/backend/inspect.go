package backend

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// teiInfo reads TEI's GET /info: the model that the server was started with, and its revision where it is
// known.
var teiInfo = &Inspection{
	Ask: func(*Settings) Request { return Request{Path: "/info"} },
	Read: func(_ *Settings, body []byte) (t Told, err error) {
		var said [3]string
		r := reader(body)
		members(r, func(key string) bool {
			for i, name := range [...]string{"model_id", "model_sha", "model_dtype"} {
				if key == name && r.Peek() == '"' {
					said[i] = r.String()
					return true
				}
			}
			return false
		})
		for _, s := range said {
			if s != "" && t.Served != "" {
				t.Served += " "
			}
			t.Served += s
		}
		return t, end(r)
	},
}

// luceneStats reads GET /index/_stats/docs?level=shards of Elasticsearch and OpenSearch, summed over all
// indices of an alias: how many documents the primary shards have, which index it is (a new one of the same
// name has another uuid), and the sum of their sequence numbers, which every write raises.
var luceneStats = &Inspection{
	Ask: func(s *Settings) Request { return Request{Path: "/" + s.Index + "/_stats/docs?level=shards"} },
	Read: func(_ *Settings, body []byte) (t Told, err error) {
		x := &luceneTotals{r: reader(body)}
		members(x.r, func(key string) bool {
			if key != "indices" {
				return false
			}
			members(x.r, func(name string) bool { x.index(name); return true })
			return true
		})
		if err := end(x.r); err != nil {
			return t, err
		}
		if !x.found {
			return t, errShape
		}
		version := strings.Join(x.ids, " ") + " " + strconv.FormatInt(x.writes, 10)
		return Told{Version: version, Documents: strconv.FormatInt(x.documents, 10)}, nil
	},
}

// luceneTotals are the sums over the indices of an answer.
type luceneTotals struct {
	r                 *jsontext.Reader
	ids               []string // uuids
	documents, writes int64
	found             bool // a number of documents
}

// index reads the statistics of one index.
func (x *luceneTotals) index(name string) {
	id := name
	members(x.r, func(key string) bool {
		switch key {
		case "uuid":
			id = x.r.String()
		case "primaries":
			within(x.r, func() { x.documents, x.found = x.documents+x.r.Int(), true }, "docs", "count")
		case "shards":
			members(x.r, func(string) bool { x.shard(); return true })
		default:
			return false
		}
		return true
	})
	at := 0
	for at < len(x.ids) && x.ids[at] < id {
		at++
	}
	x.ids = append(x.ids[:at:at], append([]string{id}, x.ids[at:]...)...)
}

// shard reads the copies of one shard, of which one leads. If its node is gone and no other leads yet, the sums
// would be of a part.
func (x *luceneTotals) shard() {
	led := false
	for x.r.BeginArray(); x.r.More(); {
		primary, seq := false, int64(0)
		members(x.r, func(key string) bool {
			switch key {
			case "routing":
				within(x.r, func() { primary = x.r.Bool() }, "primary")
			case "seq_no":
				within(x.r, func() { seq = x.r.Int() }, "max_seq_no")
			default:
				return false
			}
			return true
		})
		if primary {
			led, x.writes = true, x.writes+seq+1
		}
	}
	if !led {
		x.r.Fail(errShape)
	}
}

// within reads the value at the end of a path of members.
func within(r *jsontext.Reader, read func(), path ...string) {
	if len(path) == 0 {
		read()
		return
	}
	members(r, func(key string) bool {
		if key != path[0] {
			return false
		}
		within(r, read, path[1:]...)
		return true
	})
}

// counted reads a whole number at the end of a path of members; an array on the way is read by its first
// element.
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
