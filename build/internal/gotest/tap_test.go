package gotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadTAP runs the real `node --test`.
func TestReadTAP(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node.js is absent")
	}
	file := filepath.Join(t.TempDir(), "a.test.mjs")
	const script = `
import test from 'node:test';
test('a reader opens a link', () => {});
test('a teacher drags a document', () => { throw new Error('it did not move'); });
test('an engineer drops five runs', { skip: 'no files' }, () => {});
test('with parts', async (t) => { await t.test('one', () => {}); });
`
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--test", "--test-reporter=tap", file)
	for _, v := range os.Environ() { // a test that runs under node --test would report to it instead
		if !strings.HasPrefix(v, "NODE_TEST_CONTEXT=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, _ := cmd.Output() // failing is part of the test
	got, err := ReadTAP(strings.NewReader(string(out)))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got.Failed != 1 || got.Skipped != 1 || got.Passed < 2 {
		t.Errorf("%+v\n%s", got, out)
	}
	if len(got.Skips) != 1 || got.Skips[0] != "end to end: an engineer drops five runs: SKIP no files" {
		t.Errorf("skips %q", got.Skips)
	}
	half, _, _ := strings.Cut(string(out), "# pass")
	if _, err := ReadTAP(strings.NewReader(half)); err == nil {
		t.Error("no error for a report that broke off")
	}
}
