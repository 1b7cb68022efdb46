package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/remote/gateway"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// What the docs call a default is the default of the code. Each line of a written page that has the word must be known
// here; the pages that are made of the registries are left out, since they cannot differ.
func TestDefaultsInTheDocsAreThoseOfTheCode(t *testing.T) {
	l := gateway.Defaults
	known := map[string]string{ // the beginning of a line → what it must hold
		"experiments.md: | `depth`": "the largest cutoff of `measures`, " + say.Thousands(evaluation.UncutDepth) +
			" if one has none",
		"experiments.md: | `folds`":           fmt.Sprintf("default %d", matrix.Folds),
		"experiments.md: | `baseline`":        "default: the first",
		"experiments.md: Alternatives:":       "with a step (default 1)",
		"check.md: require: any":              string(golden.Any) + " (the default)",
		"edge.md: | `strict`":                 "`" + string(backend.ByWrites) + "` (default)",
		"workspace.md: | `priority`":          "`" + string(workspace.Priority) + "` (default)",
		"edge.md: | limit | default":          "",
		"experiments.md: int8 with AVX2":      "",                                         // a measured figure
		"check.md:   lines=True, default_han": "",                                         // an argument of pandas
		"collections.md: - Known faults":      "short-query defaults are not made for",    // of a collection
		"verify.md: setting that is not at i": "every setting that is not at its default", // of no value
	}
	text := func(page string) string {
		b, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatal(pages, err)
	}
	seen := map[string]bool{}
	for _, page := range pages {
		page = filepath.Base(page)
		switch page {
		case "measures.md", "pipeline.md", "tests.md", "figures.md", "analyzers.md":
			continue
		}
		all := text(page)
		joined := strings.ReplaceAll(all, "\n", " ")
		for line := range strings.Lines(all) {
			if !strings.Contains(line, "default") {
				continue
			}
			found := false
			for begins, holds := range known {
				if strings.HasPrefix(page+": "+line, begins) {
					found, seen[begins] = true, true
					if !strings.Contains(joined, holds) {
						t.Errorf("%s says %q, the code %q", page, line, holds)
					}
				}
			}
			if !found {
				t.Errorf("%s says a default that no test compares with the code: %s", page, line)
			}
		}
	}
	for begins := range known {
		if !seen[begins] {
			t.Errorf("no page has the line %q", begins)
		}
	}
	// the limits of the edge
	mib := func(n int) string { return fmt.Sprintf("%d MiB", n>>20) }
	for name, want := range map[string]string{"body": mib(l.Body), "snapshot": mib(l.Snapshot), "reply": mib(l.Reply),
		"items": say.Thousands(l.Items), "characters": say.Thousands(l.Characters), "total": say.Thousands(l.Total),
		"top_k": say.Thousands(l.TopK), "per_minute": say.Thousands(l.PerMinute), "per_day": say.Thousands(l.PerDay),
		"all_per_day": say.Thousands(l.AllPerDay), "tokens_per_day": say.Thousands(l.TokensPerDay),
		"all_tokens_per_day": say.Thousands(l.AllTokensPerDay), "rooms_per_day": say.Thousands(l.RoomsPerDay),
		"room_per_minute": say.Thousands(l.RoomPerMinute), "voters": say.Thousands(l.Voters),
		"deadline_ms": say.Thousands(int(l.Deadline.Milliseconds()))} {
		if row := "| `" + name + "` | " + want + " |"; !strings.Contains(text("edge.md"), row) {
			t.Errorf("edge.md lacks %q", row)
		}
	}
}

// A number in the usage of a command is the default of its flag.
func TestNumbersInUsagesAreDefaults(t *testing.T) {
	n := 0
	for _, c := range commands {
		for _, m := range regexp.MustCompile(`\[-(\w+) (\d+)\]`).FindAllStringSubmatch(c.usage, -1) {
			n++
			_, text, errs := call("", "help", c.name)
			if want := fmt.Sprintf(`(?s)  -%s int\n[^\n]*\(default %s\)`, m[1], m[2]); !regexp.MustCompile(want).
				MatchString(text + errs) {
				t.Errorf("%s: %s is not the default", c.name, m[0])
			}
		}
	}
	if n == 0 {
		t.Error("no usage has a number")
	}
}
