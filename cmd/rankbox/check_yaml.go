package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
)

// parseNode reads a text of JSON, JSON Lines, CSV or YAML.
func parseNode(name string, b []byte) (*golden.Node, error) {
	n, ok, err := golden.ParseJSON(name, b)
	if !ok {
		return parseYAML(name, b)
	}
	if err != nil && !strings.HasSuffix(strings.ToLower(name), ".json") {
		if y, fault := parseYAML(name, b); fault == nil { // a flow map or list: JSON to the eye, YAML to the letter
			return y, nil
		}
	}
	return n, err
}

// yamlLine is how the library says where an error is: it has no type that knows the line.
var yamlLine = regexp.MustCompile(`^yaml: line (\d+): (.*)$`)

// parseYAML reads one document of YAML.
func parseYAML(name string, b []byte) (n *golden.Node, err error) {
	fail := func(line int, err error) error { return &collection.ParseError{File: name, Line: line, Err: err} }
	var doc yaml.Node
	d := yaml.NewDecoder(strings.NewReader(string(b)))
	if err := d.Decode(&doc); err != nil {
		said, line := err.Error(), 0
		if m := yamlLine.FindStringSubmatch(said); m != nil {
			said = m[2]
			line, _ = strconv.Atoi(m[1])
		}
		return nil, fail(line, errors.New("no YAML: "+said))
	}
	if d.Decode(new(yaml.Node)) == nil {
		return nil, fail(0, errors.New("it holds more than one YAML document (---)"))
	}
	c := converter{left: golden.MostNodes}
	n = c.node(&doc, 0)
	if c.err != nil {
		return nil, fail(c.line, c.err)
	}
	return n, nil
}

// converter makes nodes of those of the YAML library.
type converter struct {
	left int
	line int
	err  error
}

func (c *converter) refuse(y *yaml.Node, why string) *golden.Node {
	if c.err == nil {
		c.line, c.err = y.Line, errors.New(why)
	}
	return &golden.Node{Line: y.Line}
}

// node converts a node and all within. An alias counts as often as it is used, so that a small file cannot become a
// large tree.
func (c *converter) node(y *yaml.Node, depth int) *golden.Node {
	n := &golden.Node{Line: y.Line}
	switch c.left--; {
	case c.err != nil:
		return n
	case c.left < 0:
		return c.refuse(y, "more than "+strconv.Itoa(golden.MostNodes)+" values")
	case depth > golden.MostDepth:
		return c.refuse(y, "values are nested deeper than "+strconv.Itoa(golden.MostDepth))
	}
	switch y.Kind {
	case yaml.DocumentNode:
		return c.node(y.Content[0], depth)
	case yaml.AliasNode:
		n := *c.node(y.Alias, depth+1)
		n.Line = y.Line
		return &n
	case yaml.SequenceNode:
		n.Kind = golden.List
		for _, x := range y.Content {
			n.Items = append(n.Items, c.node(x, depth+1))
		}
	case yaml.MappingNode:
		n.Kind = golden.Map
		for i := 0; i+1 < len(y.Content); i += 2 {
			key := y.Content[i]
			if key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			switch {
			case key.Kind != yaml.ScalarNode:
				return c.refuse(key, "a key is not a text")
			case key.ShortTag() == "!!merge":
				return c.refuse(key, "merge keys (<<) are not supported: write the keys out")
			}
			m := golden.Member{Key: key.Value, Line: key.Line, Value: c.node(y.Content[i+1], depth+1)}
			n.Members = append(n.Members, m)
		}
	case yaml.ScalarNode:
		n.Text = y.Value
		switch y.ShortTag() {
		case "!!null":
			n.Kind, n.Text = golden.Null, ""
		case "!!bool":
			n.Kind, n.Text = golden.Bool, strings.ToLower(y.Value)
		case "!!int", "!!float":
			n.Kind = golden.Number
		default:
			n.Kind = golden.Text
		}
	}
	return n
}

// readNode reads a file of any of the forms.
func readNode(c *context, name string) (*golden.Node, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := within.All(f, 0, mostText)
	if err != nil {
		return nil, &collection.ParseError{File: shown, Err: err}
	}
	return parseNode(shown, b)
}
