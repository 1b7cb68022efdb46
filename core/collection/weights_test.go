package collection

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestReadWeights(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []map[string]float32
		says       string
	}{
		{"two texts, other fields passed over", `{"id":"d1","contents":"x","vector":{"port":12,"##s":0.5}}` + "\n\n" +
			`{"_id":7,"vector":{}}`, []map[string]float32{{"port": 12, "##s": .5}, {}}, ""},
		{"a weight below 0", `{"id":"d1","vector":{"a":-1.5,"b":2}}`, []map[string]float32{{"a": -1.5, "b": 2}}, ""},
		{"no vector", `{"id":"d1","contents":"x"}`, nil, `line 1: missing "vector"`},
		{"no id", `{"vector":{}}`, nil, `line 1: missing "id"`},
		{"twice", `{"id":"d","vector":{}}` + "\n" + `{"id":"d","vector":{}}`, []map[string]float32{{}},
			`line 2: the weights of "d" appear twice`},
		{"a term twice", `{"id":"d","vector":{"a":1,"a":2}}`, nil, `the term "a" appears twice`},
		{"too large", `{"id":"d","vector":{"a":1e39}}`, nil, `the weight of "a" is no finite number`},
		{"text for a weight", `{"id":"d","vector":{"a":"1"}}`, nil, "line 1: column"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []map[string]float32
			_, err := ReadWeights(strings.NewReader(c.text), "f", Options{},
				func(_ string, w map[string]float32) error {
					got = append(got, w)
					return nil
				})
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Fatalf("error %v, want %q", err, c.says)
			}
			if len(got) != len(c.want) {
				t.Fatalf("%v, want %v", got, c.want)
			}
			for i := range got {
				if !maps.Equal(got[i], c.want[i]) {
					t.Errorf("text %d: %v, want %v", i, got[i], c.want[i])
				}
			}
		})
	}
}

// FuzzWeights: whatever is read has an id and weights that are numbers.
func FuzzWeights(f *testing.F) {
	f.Add([]byte(`{"id":"d1","contents":"x","vector":{"port":12,"##s":0.5}}` + "\n" + `{"_id":7,"vector":{}}`))
	f.Add([]byte(`{"id":"d","vector":{"a":1e39}}`))
	f.Add([]byte(`{"id":"d","vector":{"a":-1.5}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var plain []map[string]float64 // as encoding/json reads it, where it is text by line feeds
		for line := range strings.SplitSeq(string(b), "\n") {
			if line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff")); line == "" {
				continue
			}
			var v struct {
				Vector map[string]float64 `json:"vector"`
			}
			if !utf8.Valid(b) || strings.ContainsAny(line, "\r\\") || json.Unmarshal([]byte(line), &v) != nil {
				break
			}
			plain = append(plain, v.Vector)
		}
		n := 0
		ReadWeights(strings.NewReader(string(b)), "f", Options{Limits: Limits{Bytes: 1 << 20}},
			func(id string, w map[string]float32) error {
				if id == "" || w == nil {
					t.Fatalf("id %q, weights %v", id, w)
				}
				for term, x := range w {
					if x-x != 0 {
						t.Fatalf("%q weighs %v", term, x)
					}
					if n < len(plain) && float32(plain[n][term]) != x {
						t.Fatalf("%q weighs %v, want %v", term, x, plain[n][term])
					}
				}
				n++
				return nil
			})
	})
}
