package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeCommandsRun runs every `rankbox` command of the pages that a newcomer copies from, in their order, in one
// folder.
func TestReadmeCommandsRun(t *testing.T) {
	for _, page := range []string{"README.md", "docs/guide-runs.md", "docs/check.md", "docs/files.md"} {
		t.Run(page, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("../..", page))
			if err != nil {
				t.Fatal(err)
			}
			root, err := filepath.Abs("../..")
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			n := 0
			for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
				for line := range strings.Lines(block[1]) {
					if !strings.HasPrefix(line, "rankbox ") {
						continue
					}
					n++
					args, out := shellWords(line, root)
					code, printed, errs := call("", args[1:]...)
					if code != 0 {
						t.Fatalf("%sexits %d\n%s%s", line, code, printed, errs)
					}
					if out != "" {
						if err := os.WriteFile(out, []byte(printed), 0o666); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if n < 5 {
				t.Errorf("%d commands", n)
			}
		})
	}
}

// shellWords splits a command into words and takes the file of a redirection off. Paths of the repository become
// absolute.
func shellWords(line, root string) (words []string, out string) {
	line, _, _ = strings.Cut(line, "  #")
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		word := m[1] + m[2]
		if strings.HasPrefix(word, "site/") || strings.HasPrefix(word, "docs/") {
			word = filepath.Join(root, word)
		}
		words = append(words, word)
	}
	if n := len(words); n > 2 && words[n-2] == ">" {
		words, out = words[:n-2], words[n-1]
	}
	return words, out
}
