package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// schemasPath is where the site publishes the schemas of JSON output: addresses that stay. A change that an output of
// version 1 would not pass needs another version.
const schemasPath = "schemas/v1/"

// machineFiles reports whether a file is for programs, not pages. No first visit fetches it.
func machineFiles(name string) bool {
	return strings.HasPrefix(name, "schemas/") || strings.HasSuffix(name, ".md") || name == "llms.txt"
}

// about is what llms.txt says of the site before its index.
const about = `# Rankbox

> A laboratory for search ranking: it measures rankings as trec_eval does, compares systems with corrected paired
> tests, and checks a search against a golden set in continuous integration. It runs in the browser and as the command
> line rankbox. SKILL.md in the repository tells an assistant which command or tool answers which question.

The pages /measures, /tests, /pipeline and /analyzers define every measure, test, stage and analyzer. The schemas of
JSON output are at /schemas/v1/NAME.schema.json:

`

// machines adds what is published for programs: the schemas, the documentation as it is written, and llms.txt, its
// index.
func (p *project) machines(files map[string][]byte) error {
	schemas, err := filepath.Glob(p.path("docs/schemas/*.json"))
	if err != nil {
		return err
	}
	text := strings.Builder{}
	text.WriteString(about)
	for _, name := range schemas {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		to := schemasPath + filepath.Base(name)
		if id := []byte(`"$id": "/` + to + `"`); strings.HasSuffix(name, ".schema.json") && !bytes.Contains(data, id) {
			return fmt.Errorf("docs/schemas/%s: it has not its address: %s", filepath.Base(name), id)
		}
		files[to] = data
		fmt.Fprintf(&text, "- [%s](/%s)\n", strings.TrimSuffix(filepath.Base(name), ".json"), to)
	}
	docs, err := filepath.Glob(p.path("docs/*.md"))
	if err != nil {
		return err
	}
	for _, name := range docs {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files["docs/"+filepath.Base(name)] = data
	}
	index, ok := files["docs/README.md"]
	if !ok {
		return fmt.Errorf("docs/README.md is missing: llms.txt is made from it")
	}
	_, rest, _ := bytes.Cut(index, []byte("\n"))
	text.WriteString(linksOf(string(rest), files))
	files["llms.txt"] = []byte(text.String())
	return nil
}

var toDocument = regexp.MustCompile(`\]\(([A-Za-z0-9_./-]+)\)`)

// linksOf makes the links of docs/README.md those of the site, and takes out those to what is not published.
func linksOf(index string, files map[string][]byte) string {
	index = toDocument.ReplaceAllStringFunc(index, func(link string) string {
		to := path.Join("docs", toDocument.FindStringSubmatch(link)[1])
		if to == "docs/schemas" {
			return "](/" + schemasPath + "report.schema.json)"
		}
		if _, published := files[to]; published {
			return "](/" + to + ")"
		}
		return "](-)"
	})
	return regexp.MustCompile(`\[([^\]]*)\]\(-\)`).ReplaceAllString(index, "$1")
}
