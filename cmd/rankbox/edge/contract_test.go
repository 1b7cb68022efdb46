package edge

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/remote/gateway"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// contract is docs/schemas/edge.openapi.json: as much of OpenAPI 3.1 as it uses. A keyword that is not known fails to
// load.
type contract struct {
	OpenAPI    string `json:"openapi"`
	Info       any    `json:"info"`
	Paths      map[string]map[string]json.RawMessage
	Components struct{ Schemas map[string]*schema }
}

type operation struct {
	OperationID string `json:"operationId"`
	Summary     string
	RequestBody struct {
		Required bool
		Content  map[string]struct{ Schema *schema }
	} `json:"requestBody"`
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema *schema }
	}
}

type schema struct {
	Ref         string `json:"$ref"`
	Description string
	Type        string
	Enum        []string
	Pattern     string
	MaxLength   int `json:"maxLength"`
	Minimum     *float64
	Maximum     *float64
	MinItems    int `json:"minItems"`
	Required    []string
	Properties  map[string]*schema
	Additional  any `json:"additionalProperties"`
	Items       *schema
	OneOf       []*schema `json:"oneOf"`
}

func readContract(t testing.TB) *contract {
	t.Helper()
	f, err := os.Open("../../../docs/schemas/edge.openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	c := new(contract)
	if err := d.Decode(c); err != nil {
		t.Fatal(err)
	}
	return c
}

// operation finds what the document says of a request; path is the address without query.
func (c *contract) operation(method, path string) (*operation, error) {
	for name, item := range c.Paths {
		stem, rest, part := strings.Cut(name, "{")
		word, end, _ := strings.Cut(rest, "}")
		length := map[string]int{"sha256": 64, "code": gateway.CodeLength}[word]
		if name != path && (!part || !strings.HasPrefix(path, stem) || !strings.HasSuffix(path, end) ||
			len(path) != len(stem)+length+len(end)) {
			continue
		}
		raw, ok := item[strings.ToLower(method)]
		if !ok {
			return nil, nil
		}
		d := json.NewDecoder(strings.NewReader(string(raw)))
		d.DisallowUnknownFields()
		o := new(operation)
		return o, d.Decode(o)
	}
	return nil, nil
}

// answer returns what of an answer is not as the document says.
func (c *contract) answer(method, path string, status int, contentType string, body []byte) (bad []string) {
	if status >= 400 { // a problem everywhere, whether the address is known or not
		bad = c.body(&schema{Ref: "#/components/schemas/Problem"}, body)
		if contentType != "application/problem+json" {
			bad = append(bad, "an error is of type "+contentType)
		}
		var p struct{ Status int }
		if json.Unmarshal(body, &p); p.Status != status {
			bad = append(bad, fmt.Sprintf("the problem says status %d, the answer %d", p.Status, status))
		}
	}
	o, err := c.operation(method, path)
	if err != nil {
		return append(bad, err.Error())
	}
	if o == nil {
		return bad
	}
	r, ok := o.Responses[strconv.Itoa(status)]
	if !ok {
		return append(bad, fmt.Sprintf("%s %s: status %d is not described", method, path, status))
	}
	if len(r.Content) == 0 && len(body) == 0 && contentType == "" { // 204 and 304
		return bad
	}
	kind, _, _ := strings.Cut(contentType, ";")
	content, ok := r.Content[kind]
	if !ok {
		return append(bad, fmt.Sprintf("%s %s %d: type %q is not described", method, path, status, contentType))
	}
	if content.Schema != nil {
		bad = append(bad, c.body(content.Schema, body)...)
	}
	return bad
}

// request says whether the document takes a body.
func (c *contract) request(method, path string, body []byte) bool {
	o, err := c.operation(method, path)
	if err != nil || o == nil {
		return false
	}
	s := o.RequestBody.Content["application/json"].Schema
	return s != nil && len(c.body(s, body)) == 0
}

func (c *contract) body(s *schema, body []byte) []string {
	var v any
	d := json.NewDecoder(strings.NewReader(string(body)))
	if err := d.Decode(&v); err != nil {
		return []string{err.Error()}
	}
	return c.check(s, "", v)
}

func (c *contract) check(s *schema, at string, v any) (bad []string) {
	if s.Ref != "" {
		return c.check(c.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")], at, v)
	}
	if len(s.OneOf) > 0 {
		for _, x := range s.OneOf {
			if len(c.check(x, at, v)) == 0 {
				return nil
			}
		}
		return []string{at + " is none of several"}
	}
	fail := func(format string, args ...any) { bad = append(bad, at+" "+fmt.Sprintf(format, args...)) }
	switch v := v.(type) {
	case string:
		if s.Type != "string" || s.Enum != nil && !slices.Contains(s.Enum, v) || s.Pattern != "" &&
			!regexp.MustCompile(s.Pattern).MatchString(v) || s.MaxLength > 0 &&
			utf8.RuneCountInString(v) > s.MaxLength {
			fail("is the string %q", v)
		}
	case float64:
		if s.Type != "number" && (s.Type != "integer" || v != math.Trunc(v)) || s.Minimum != nil && v < *s.Minimum ||
			s.Maximum != nil && v > *s.Maximum {
			fail("is the number %v", v)
		}
	case bool:
		if s.Type != "boolean" {
			fail("is a boolean")
		}
	case []any:
		if s.Type != "array" || len(v) < s.MinItems {
			fail("is an array of %d", len(v))
			return bad
		}
		for i, x := range v {
			bad = append(bad, c.check(s.Items, fmt.Sprintf("%s/%d", at, i), x)...)
		}
	case map[string]any:
		if s.Type != "object" {
			fail("is an object")
			return bad
		}
		for _, k := range s.Required {
			if _, ok := v[k]; !ok {
				fail("has no %s", k)
			}
		}
		for k, x := range v {
			p := s.Properties[k]
			if more, ok := s.Additional.(map[string]any); ok && p == nil {
				b, _ := json.Marshal(more)
				p = new(schema)
				json.Unmarshal(b, p)
			}
			if p == nil {
				fail("has %s", k)
				continue
			}
			bad = append(bad, c.check(p, at+"/"+k, x)...)
		}
	default:
		fail("is null")
	}
	return bad
}

// The document has every route of the gateway and every problem, and no others.
func TestTheContractIsOfThisGateway(t *testing.T) {
	c := readContract(t)
	if c.OpenAPI != "3.1.0" {
		t.Errorf("version %s", c.OpenAPI)
	}
	n := 0
	for path, item := range c.Paths {
		for method := range item {
			if method != "parameters" {
				n++
				if !slices.ContainsFunc(gateway.Routes, func(r gateway.Route) bool {
					return r.Path == path && strings.EqualFold(r.Method, method)
				}) {
					t.Errorf("%s %s is no route", method, path)
				}
				if _, err := c.operation(method, strings.NewReplacer("{sha256}", strings.Repeat("0", 64),
					"{code}", strings.Repeat("B", gateway.CodeLength)).Replace(path)); err != nil {
					t.Errorf("%s %s: %v", method, path, err)
				}
			}
		}
	}
	if n != len(gateway.Routes) {
		t.Errorf("%d operations, %d routes", n, len(gateway.Routes))
	}
	var codes []string
	for _, p := range gateway.Problems {
		codes = append(codes, p.Code)
	}
	slices.Sort(codes)
	if want := c.Components.Schemas["Problem"].Properties["code"].Enum; !slices.Equal(codes, want) {
		t.Errorf("problems %v, in the document %v", codes, want)
	}
}

// Every kind of backend and every limit is described where a newcomer reads.
func TestTheDocumentNamesEveryKind(t *testing.T) {
	text, err := os.ReadFile("../../../docs/edge.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range backend.Kinds {
		if !strings.Contains(string(text), "`"+k.Name+"`") {
			t.Errorf("docs/edge.md does not name %s", k.Name)
		}
	}
	for name := range readContract(t).Components.Schemas["Limits"].Properties {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/edge.md does not name the limit %s", name)
		}
	}
}
