package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSchemasArePublishedAtTheirAddresses: the $id of every schema is the address at which the site has it.
func TestSchemasArePublishedAtTheirAddresses(t *testing.T) {
	files := map[string][]byte{}
	if err := newProject("../..", io.Discard).machines(files); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("../../docs/schemas/*.schema.json")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d schemas: %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			ID string `json:"$id"`
		}
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		if got, ok := files[strings.TrimPrefix(s.ID, "/")]; !ok || string(got) != string(data) ||
			!strings.HasPrefix(s.ID, "/schemas/v1/") {
			t.Errorf("%s: its $id is %q, and the site has no such file", name, s.ID)
		}
	}
}

// TestLLMsTextLinksToWhatThereIs: every link of llms.txt is a file of the site, every document is in it, and none of
// them is kept before it is asked for.
func TestLLMsTextLinksToWhatThereIs(t *testing.T) {
	files := map[string][]byte{}
	if err := newProject("../..", io.Discard).machines(files); err != nil {
		t.Fatal(err)
	}
	text := string(files["llms.txt"])
	if !strings.HasPrefix(text, "# Rankbox\n\n> ") {
		t.Errorf("%.80s", text)
	}
	links := regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1)
	if len(links) < 20 {
		t.Errorf("%d links", len(links))
	}
	for _, l := range links {
		if _, ok := files[strings.TrimPrefix(l[1], "/")]; !ok {
			t.Errorf("%s is not there", l[1])
		}
	}
	for name := range files {
		if !onDemand(name) {
			t.Errorf("%s is kept before anybody asks for it", name)
		}
	}
	for _, name := range []string{"docs/files.md", "docs/check.md", "docs/measures.md"} {
		if !strings.Contains(text, "(/"+name+")") {
			t.Errorf("%s is not in llms.txt", name)
		}
	}
}
