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
	self := "#!/bin/sh\nRANKBOX_TEST_ARGS=$(for x in \"$@\"; do printf '%s\\n' \"$x\"; done) exec '" + os.Args[0] +
		"'\n"
	if err := os.WriteFile(program, []byte(self), 0o777); err != nil {
		t.Fatal(err)
	}
	step := func(env ...string) (int, string) {
		c := exec.Command("sh", script, program)
		c.Dir = dir
		c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "QRELS=" + qrels, "BASELINE=baseline.rankbox",
			"MEASURES=RR"}, env...)
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
		{"a gate is not met", []string{"RUNS=" + a + " " + b, "GATES=RR>=0.99999 RR>=0.00001"}, 1, "rankbox-junit.xml",
			"<failure"},
		{"another baseline is made", []string{"RUNS=" + b, "UPDATE=1"}, 0, "baseline.rankbox", "RBX"},
	} {
		code, out := step(x.env...)
		data, err := os.ReadFile(filepath.Join(dir, x.file))
		if code != x.code || err != nil || !strings.Contains(string(data), x.want) {
			t.Errorf("%s: %d %v\n%s\n%s", x.name, code, err, out, data)
		}
	}
}

// The steps of the Action run here one after the other, but those that are other Actions: the program, which no release
// has, is built from the folder of the Action, and the check fails with its verdict in the summary, as JUnit and as a
// comment.
func TestStepsOfTheAction(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := parseNode("action.yml", data)
	if err != nil {
		t.Fatal(err)
	}
	sets, err := filepath.Abs(goldenSets)
	if err != nil {
		t.Fatal(err)
	}
	dir, ran := t.TempDir(), 0
	for _, args := range []string{"", "-gate RR@10<=0.5"} {
		for _, step := range n.Get("runs").Get("steps").Items {
			if step.Get("run") == nil {
				continue
			}
			ran++
			c := exec.Command("sh", "-e", "-c", step.Get("run").Text)
			c.Dir = dir
			c.Env = append(os.Environ(), "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+dir,
				"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "summary.md"), "ARGS="+args, "SITE=https://rankbox.example",
				"SET="+filepath.Join(sets, "golden.yaml"))
			out, err := c.CombinedOutput()
			fails := args != "" && step.Get("name").Text == "check"
			if code := c.ProcessState.ExitCode(); (err != nil) != fails || fails && code != 1 {
				t.Fatalf("%s %s: %v\n%s", step.Get("name").Text, args, err, out)
			}
		}
	}
	if ran != 6 {
		t.Errorf("%d steps ran", ran)
	}
	for name, want := range map[string]string{
		"summary.md":         "(<https://rankbox.example/compare#runs=",
		"rankbox-junit.xml":  "<failure",
		"rankbox-comment.md": "### Rankbox: failed",
	} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
	}
}

// Nothing that a build fetches may change by itself: actions are pinned by commit, with the version that it is, and no
// program is "latest".
func TestBuildsFetchWhatIsPinned(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	used := 0
	for _, name := range []string{
		"docs/ci/github.yml", "docs/ci/gitlab.yml", "action.yml", ".github/workflows/release.yml",
	} {
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if _, action, ok := strings.Cut(strings.TrimSpace(line), "uses: "); ok && !strings.HasPrefix(line, "#") {
				if used++; !pinned.MatchString(action) {
					t.Errorf("%s: %s", name, action)
				}
			}
			if strings.Contains(line, "go install") && !strings.Contains(line, "@${RANKBOX_VERSION:?") ||
				strings.Contains(line, "@latest") {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
	if used < 12 {
		t.Errorf("%d actions", used)
	}
}
