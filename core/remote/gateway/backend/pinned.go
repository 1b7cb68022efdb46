package backend

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// By is what the identity of a search backend is made of, beside its configuration.
type By string

const (
	ByWrites   By = "strict"        // every write to the index makes another identity
	BySettings By = "settings"      // only another index, mapping or setting does
	ByPoint    By = "point-in-time" // searches are of the index as it was at one moment
)

// Pinning is how an engine holds an index as it is at one moment.
type Pinning struct {
	Open func(s *Settings) Request
	Read func(body []byte) (id string, err error) // of the answer to Open
	Path string                                   // of searches in it
}

// keepPoint is for how long an engine keeps a point in time that nobody searches.
const keepPoint = "10m"

// pinning is that of Elasticsearch and OpenSearch, which differ in two names.
func pinning(path, member string) *Pinning {
	return &Pinning{
		Path: "/_search",
		// an empty body, not none, is a POST
		Open: func(s *Settings) Request { return Request{"/" + s.Index + path + "?keep_alive=" + keepPoint, []byte{}} },
		Read: func(body []byte) (id string, err error) {
			r := reader(body)
			members(r, func(key string) bool {
				if key != member || r.Peek() != '"' {
					return false
				}
				id = r.String()
				return true
			})
			if err := end(r); err != nil {
				return "", err
			}
			if id == "" {
				return "", errShape
			}
			return id, nil
		},
	}
}

// At returns a search within a point in time. The body of the request is an object.
func (p *Pinning) At(r Request, id string) Request {
	pit := `{"pit":` + string(object("id", quote(id), "keep_alive", quote(keepPoint)))
	if len(r.Body) > 2 {
		pit += ","
	}
	return Request{p.Path, append([]byte(pit), r.Body[1:]...)}
}

// Count asks how many documents a point in time has, which keeps it.
func (p *Pinning) Count(id string) Request {
	return p.At(Request{Body: []byte(`{"size":0,"track_total_hits":true}`)}, id)
}

// ReadCount reads the answer to Count.
func (p *Pinning) ReadCount(body []byte) (Told, error) {
	return counted("hits", "total", "value")(&Settings{}, body)
}

// luceneMapping reads GET /index of Elasticsearch and OpenSearch: which indices an alias stands for (a new one has
// another uuid among its settings), and their mappings and settings.
var luceneMapping = &Inspection{
	Ask: func(s *Settings) Request { return Request{Path: "/" + s.Index} },
	Read: func(_ *Settings, body []byte) (t Told, err error) {
		r := reader(body)
		text := []byte("rankbox mapping 1")
		found := false
		var all []string
		members(r, func(index string) bool {
			parts := map[string][]byte{}
			members(r, func(key string) bool {
				if key != "mappings" && key != "settings" {
					return false
				}
				found = true
				parts[key] = sorted(nil, r)
				return true
			})
			all = append(all, quote(index)+" "+string(parts["mappings"])+" "+string(parts["settings"]))
			return true
		})
		if err := end(r); err != nil {
			return t, err
		}
		if !found {
			return t, errShape
		}
		slices.Sort(all)
		for _, one := range all {
			text = append(append(text, '\n'), one...)
		}
		return Told{Version: "mapping " + sha256.Hex(text)}, nil
	},
}

// sorted reads a value and writes it with the members of its objects in order, so that equal values are equal texts.
func sorted(dst []byte, r *jsontext.Reader) []byte {
	switch r.Peek() {
	case '{':
		var all []string
		members(r, func(key string) bool {
			all = append(all, quote(key)+":"+string(sorted(nil, r)))
			return true
		})
		slices.Sort(all)
		dst = append(dst, '{')
		for i, m := range all {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, m...)
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		for n := 0; ; n++ {
			if n == 0 {
				r.BeginArray()
			}
			if !r.More() {
				return append(dst, ']')
			}
			dst = append(sorted(dst, r), ',')
		}
	case '"':
		return jsontext.AppendQuote(dst, r.String())
	case '0':
		return append(dst, r.Number()...)
	case 't', 'f':
		return strconv.AppendBool(dst, r.Bool())
	}
	r.Skip()
	return append(dst, "null"...)
}
