package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The steps of docs/ci run in an empty folder, with nothing but the program: baseline made, held, broken, made anew.
func TestStepsOfBuilds(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	_, qrels, a, b, _ := files(t)
	script, err := filepath.Abs(filepath.Join("..", "..", "docs", "ci", "steps.sh"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "rankbox")
	self := "#!/bin/sh\nRANKBOX_TEST_ARGS=$(for x in \"$@\"; do printf '%s\\n' \"$x\"; done) exec '" + os.Args[0] + "'\n"
	if err := os.WriteFile(program, []byte(self), 0o777); err != nil {
		t.Fatal(err)
	}
	step := func(env ...string) (int, string) {
		c := exec.Command("sh", script, program)
		c.Dir = dir
		c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "QRELS=" + qrels, "BASELINE=baseline.rankbox", "MEASURES=RR"}, env...)
		out, err := c.CombinedOutput()
		if err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return c.ProcessState.ExitCode(), string(out)
	}
	for _, x := range []struct {
		name string
		env  []string
		code int
		file string
		want string
	}{
		{"the baseline is made", []string{"RUNS=" + a, "UPDATE=1"}, 0, "baseline.rankbox", "RBX"},
		{"it holds", []string{"RUNS=" + a}, 0, "rankbox-comment.md", "### Rankbox: passed"},
		{"a gate is not met", []string{"RUNS=" + a + " " + b, "GATES=RR>=0.99999 RR>=0.00001"}, 1, "rankbox-junit.xml", "<failure"},
		{"another baseline is made", []string{"RUNS=" + b, "UPDATE=1"}, 0, "baseline.rankbox", "RBX"},
	} {
		code, out := step(x.env...)
		data, err := os.ReadFile(filepath.Join(dir, x.file))
		if code != x.code || err != nil || !strings.Contains(string(data), x.want) {
			t.Errorf("%s: %d %v\n%s\n%s", x.name, code, err, out, data)
		}
	}
}

// Nothing that a build fetches may change by itself: actions are pinned by commit, with the version that it is, and no program is "latest".
func TestBuildsFetchWhatIsPinned(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	used := 0
	for _, name := range []string{"github.yml", "gitlab.yml"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci", name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if _, action, ok := strings.Cut(strings.TrimSpace(line), "uses: "); ok {
				if used++; !pinned.MatchString(action) {
					t.Errorf("%s: %s", name, action)
				}
			}
			if strings.Contains(line, "go install") && !strings.Contains(line, "@${RANKBOX_VERSION:?") || strings.Contains(line, "@latest") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if used != 3 {
		t.Errorf("%d actions", used)
	}
}
