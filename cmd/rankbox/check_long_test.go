package main

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/intake/golden"
)

// YAML has no keys of more than 1,024 characters: a document with a longer id is written in a list, which both readers
// take; a key that one of them cannot take is refused by both.
func TestLongIDsOfAGoldenSet(t *testing.T) {
	for _, n := range []int{198, 199, 200, 996, 997, 998, 999, 1000, 1023, 1024, 1025, 5000} {
		for _, letter := range []string{"d", "é", "\"", "\x01"} {
			id := strings.Repeat(letter, n)
			set := &golden.Set{Queries: []golden.Query{{ID: "q", Text: "q",
				Expected: []golden.Grade{{Doc: "short", Grade: 2}, {Doc: id, Grade: 1}}}}}
			var b strings.Builder
			if err := golden.Write(&b, set); err != nil {
				t.Fatal(err)
			}
			for reader, read := range map[string]func(string, []byte) (*golden.Node, error){"page": golden.ParseText,
				"library": parseYAML} {
				node, err := read("x", []byte(b.String()))
				if err != nil {
					t.Fatalf("%d of %q, %s: %v", n, letter, reader, err)
				}
				again, err := golden.Read("x", node)
				if err != nil || len(again.Queries) != 1 || len(again.Queries[0].Expected) != 2 ||
					again.Queries[0].Expected[1] != set.Queries[0].Expected[1] {
					t.Fatalf("%d of %q, %s: %v", n, letter, reader, err)
				}
			}
		}
	}
	long := strings.Repeat("k", 1025)
	for _, text := range []string{long + ": 1", "\"" + long + "\": 1", "{a: 1, " + long + ": 1}", "[{" + long + ": 1}]",
		"k" + strings.Repeat(" ", 1025) + ": 1"} {
		for reader, read := range map[string]func(string, []byte) (*golden.Node, error){"page": golden.ParseText,
			"library": parseYAML} {
			if _, err := read("x", []byte(text)); err == nil {
				t.Errorf("%s takes %.20s", reader, text)
			}
		}
	}
}
