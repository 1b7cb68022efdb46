package main

import (
	"os"
	"os/exec"
	"path/filepath"
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
