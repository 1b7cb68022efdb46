package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/project/clicks"
)

// schema is as much of JSON Schema (draft 2020-12) as the files of docs/schemas use. A keyword that it does not know
// fails to load.
type schema struct {
	Schema      string `json:"$schema"`
	ID          string `json:"$id"`
	Ref         string `json:"$ref"`
	Title       string
	Description string
	Type        any
	Const       any
	Required    []string
	OneOf       []*schema
	Properties  map[string]*schema
	Pattern     map[string]*schema `json:"patternProperties"` // of prefixes: "^p_"
	Additional  any                `json:"additionalProperties"`
	Items       *schema
	Defs        map[string]*schema `json:"$defs"`
}

func readSchema(t *testing.T, name string) *schema {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "docs", "schemas", name+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	s := new(schema)
	if err := d.Decode(s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if s.Title == "" || s.Description == "" || s.Schema != "https://json-schema.org/draft/2020-12/schema" {
		t.Errorf("%s has no title, no description or another dialect", name)
	}
	return s
}

// check returns what is wrong with v at path.
func (s *schema) check(root *schema, path string, v any) (bad []string) {
	if s.Ref != "" {
		return root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")].check(root, path, v)
	}
	if s.Const != nil && fmt.Sprint(s.Const) != fmt.Sprint(v) {
		return []string{fmt.Sprintf("%s is %v, not %v", path, v, s.Const)}
	}
	if s.Type != nil && !slices.ContainsFunc(typesOf(s.Type), func(name string) bool { return is(v, name) }) {
		return []string{fmt.Sprintf("%s is %T, not %v", path, v, s.Type)}
	}
	switch v := v.(type) {
	case []any:
		for i, x := range v {
			if s.Items != nil {
				bad = append(bad, s.Items.check(root, fmt.Sprintf("%s[%d]", path, i), x)...)
			}
		}
	case map[string]any:
		if s.OneOf != nil {
			fit := 0
			for _, x := range s.OneOf {
				if len(x.check(root, path, v)) == 0 {
					fit++
				}
			}
			if fit != 1 {
				bad = append(bad, fmt.Sprintf("%s fits %d of the schemas in oneOf", path, fit))
			}
		}
		for _, k := range s.Required {
			if _, ok := v[k]; !ok {
				bad = append(bad, path+" has no "+k)
			}
		}
		for k, x := range v {
			p := s.Properties[k]
			for prefix, q := range s.Pattern {
				if strings.HasPrefix(k, prefix[1:]) {
					p = q
				}
			}
			if p == nil {
				switch more := s.Additional.(type) {
				case bool:
					if !more {
						bad = append(bad, path+" has "+k)
					}
					continue
				case map[string]any:
					b, _ := json.Marshal(more)
					p = new(schema)
					if err := json.Unmarshal(b, p); err != nil {
						bad = append(bad, err.Error())
					}
				default:
					continue
				}
			}
			bad = append(bad, p.check(root, path+"."+k, x)...)
		}
	}
	return bad
}

func typesOf(t any) (out []string) {
	switch t := t.(type) {
	case string:
		return []string{t}
	case []any:
		for _, x := range t {
			out = append(out, x.(string))
		}
	}
	return out
}

func is(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		return name == "number" || name == "integer" && !strings.ContainsAny(v.String(), ".eE")
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// What the commands print is what the published schemas say: whatever is judged, tested and left out.
func TestJSONIsAsItsSchemaSays(t *testing.T) {
	_, qrels, alpha, beta, gamma := files(t)
	dir := t.TempDir()
	subtopics := put(t, dir, "subtopics", "q 1 d1 1\nq 1 d2 1\nq 2 d2 1\nq 2 d1 0\n")
	prefs := put(t, dir, "prefs", "q1 u1 s a 3\nq1 u1 s b 2\nq1 u2 s b 1\nq1 u2 s a 2\n")
	x, y := put(t, dir, "x.run", "q Q0 d1 1 2 x\nq Q0 d2 2 1 x\n"), put(t, dir, "y.run", "q Q0 d2 1 1 y\n")
	a, b := put(t, dir, "a.run", "q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n"), put(t, dir, "b.run", "q1 Q0 b 1 1 y\n")
	texts := put(t, dir, "queries.jsonl",
		`{"_id":"q1","text":"one","metadata":{"type":"t","difficulty":"easy","domain":"d"}}`+"\n"+
			`{"_id":"q2","text":"two words","metadata":{"type":"u"}}`+"\n")
	coll := small(t, twoDocs)
	knows(t, "wire", "scifact", beirZip(t, wire, "wire", "qrels/test.tsv"), nil)
	if code, _, errs := call("", "fetch", "-quiet", "wire"); code != 0 {
		t.Fatal(errs)
	}
	base := filepath.Join(dir, "golden.rankbox")
	traced := put(t, dir, "traced", "q1 0 d1 1\nq1 0 d2 2\nq2 0 d3 1\n")
	agentA := put(t, dir, "a.jsonl", `{"query_id":"q1","steps":[{"query":"x","retrieved":["d9","d1"],"tokens":9},`+
		`{"query":"y","retrieved":["d2"],"tokens":9}]}`+"\n")
	agentB := put(t, dir, "b.jsonl", `{"query_id":"q2","steps":[]}`+"\n")
	for _, c := range []struct {
		schema string
		args   []string
	}{
		{"report", []string{"compare", qrels, alpha, beta, gamma, "-o", "json"}},
		{"report", []string{"compare", qrels, alpha, beta, gamma, "-o", "json", "-q", "-pairs", "all", "-queries",
			texts}},
		{"report", []string{"compare", qrels, alpha, "-o", "json", "-q"}},
		{"report", []string{"compare", qrels, alpha, beta, "-o", "json", "-q", "-policy",
			"missing=skip,unjudged=condensed,rel=2", "-test", "wilcoxon", "-correction", "none", "-name", "n"}},
		{"report", []string{"compare", qrels, alpha, alpha, "-o", "json", "-m", "NumRet"}},
		{"report", []string{"compare", subtopics, x, y, "-o", "json", "-q"}},
		{"report", []string{"compare", prefs, a, b, "-o", "json", "-q"}},
		{"report", []string{"compare", "../../core/intake/scores/testdata/autojudge/tot.txt", "-o", "json", "-q", "-pairs",
			"all"}},
		{"report", []string{"compare", "../../core/intake/scores/testdata/mteb", "-o", "json", "-m", "main_score"}},
		{"report", []string{"compare", "../../core/intake/scores/testdata/pytrec_eval/hybrid.json", "-o", "json"}},
		{"statistics", []string{"compare", "statistics", "../../core/intake/scores/testdata/pyterrier/perquery.csv", "-o",
			"json"}},
		{"statistics", []string{"compare", "statistics", qrels, alpha, beta, gamma, "-o", "json"}},
		{"statistics", []string{"compare", "statistics", qrels, alpha, alpha, "-o", "json", "-test", "sign"}},
		{"statistics", []string{"compare", "statistics", subtopics, x, y, "-o", "json"}},
		{"eval", []string{"eval", "-o", "json", "-q", qrels, alpha, "AP", "nDCG@10"}},
		{"eval", []string{"eval", "-o", "json", qrels, alpha, "AP"}},
		{"eval-line", []string{"eval", "-o", "jsonl", "-q", qrels, alpha, "AP", "nDCG@10"}},
		{"explanation", []string{"explain", coll, "q1", "d1", "-s", "bm25", "-o", "json"}},
		{"published", []string{"published", "wire", "-quiet", "-o", "json"}},
		{"published", []string{"published", "wire", "-quiet", "-vectors", wire + "/vectors", "-o", "json"}},
		{"check", []string{"check", goldenSets + "/golden.yaml", "-o", "json"}},
		{"check", []string{"check", goldenSets + "/promptfooconfig.yaml", "-s", "bm25",
			"-documents", goldenSets + "/docs", "-o", "json"}},
		{"check", []string{"check", goldenSets + "/ragas.jsonl", "-o", "json", "-against", base, "-update"}},
		{"check", []string{"check", goldenSets + "/ragas.jsonl", "-o", "json", "-against", base,
			"-gate", "RR@10>=-1%"}},
		{"trace", []string{"trace", "../../core/intake/trace/testdata/browsecomp.qrels",
			"../../core/intake/trace/testdata/browsecomp", "-o", "json"}},
		{"trace", []string{"trace", traced, agentA, agentB, "-o", "json", "-quiet"}},
		{"term", []string{"analyze", "-o", "jsonl", "-all", "the ferry"}},
	} {
		code, out, errs := call("", c.args...)
		if code != 0 {
			t.Errorf("%q: %d, %s", c.args, code, errs)
			continue
		}
		s := readSchema(t, c.schema)
		documents := []string{out}
		if strings.Contains(strings.Join(c.args, " "), "jsonl") && c.schema != "report" {
			documents = strings.Split(strings.TrimSpace(out), "\n")
		}
		for _, text := range documents {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
			if d.More() {
				t.Errorf("%q: more than one document", c.args)
			}
			for _, bad := range s.check(s, c.schema, v) {
				t.Errorf("%q: %s", c.args, bad)
			}
		}
	}
	// the checker itself: what is not so is found
	s := readSchema(t, "eval-line")
	for _, text := range []string{`{}`, `{"measure":"AP"}`, `{"measure":"AP","value":"1"}`,
		`{"measure":"AP","value":1,"more":1}`, `[]`} {
		var v any
		json.Unmarshal([]byte(text), &v)
		if len(s.check(s, "line", v)) == 0 {
			t.Errorf("%s was accepted", text)
		}
	}
}

// Search saves a click log as its schema says.
func TestAClickLogIsAsItsSchemaSays(t *testing.T) {
	s := readSchema(t, "click")
	for _, e := range []clicks.Entry{
		{Time: 1, Collection: "c", QueryID: "q", Query: "x", Systems: []string{"bm25"}, System: "bm25",
			Ranking: []string{"d"}, Position: 1, Document: "d", Dwell: 7},
		{Query: "x", System: "bm25", Ranking: []string{"d"}, Position: 1, Document: "d"},
	} {
		d := json.NewDecoder(strings.NewReader(e.Line()))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		for _, bad := range s.check(s, "", v) {
			t.Errorf("%s: %s", e.Line(), bad)
		}
	}
}
