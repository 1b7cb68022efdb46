package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestSection(t *testing.T) {
	s := section{"a.md", "list", [2]string{"<!-- ", " -->"}, nil}
	const begin, end = "<!-- generated: list -->\n", "<!-- end of list -->\n"
	cases := []struct{ name, file, want string }{
		{"empty", "a\n" + begin + end + "b\n", "a\n" + begin + "new\n" + end + "b\n"},
		{"filled", begin + "old\nolder\n" + end, begin + "new\n" + end},
		{"no beginning", end, ""},
		{"no end", begin + "old\n", ""},
		{"the end first", end + begin, ""},
		{"twice", begin + end + begin + end, ""},
		{"another name", "<!-- generated: lists -->\n" + end, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := s.put(c.file, "new\n")
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// TestOperations asks that the script knows every operation of the renderer, and no other number.
func TestOperations(t *testing.T) {
	text, err := newProject("../..", io.Discard).operations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../site/js/dom.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`const (\w+) = \d+;`).FindAllStringSubmatch(text, -1) {
		if n := strings.Count(string(script), "case "+m[1]+":"); n != 1 {
			t.Errorf("site/js/dom.js handles %s %d times", m[1], n)
		}
	}
	if m := regexp.MustCompile(`case \d+:`).Find(script); m != nil {
		t.Errorf("site/js/dom.js: %s", m)
	}
}
