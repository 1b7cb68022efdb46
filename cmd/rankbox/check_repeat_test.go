package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// steady writes a golden set of so many queries, whose search is a shell script, and the script's baseline.
func steady(t *testing.T, queries int, script string) (set, dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the search is a shell script")
	}
	dir = t.TempDir()
	var b strings.Builder
	b.WriteString("results:\n  command: [sh, s.sh, \"{id}\"]\nmeasures: [RR@10]\nbaseline: base.rankbox\nqueries:\n")
	for i := range queries {
		fmt.Fprintf(&b, "  - {query: \"text %d\", id: \"%d\", expect: [x]}\n", i, i)
	}
	set = putIn(t, dir, "g.yaml", b.String())
	putIn(t, dir, "s.sh", "printf 'x\\ny\\n'\n")
	if code, _, errs := call("", "check", set, "-update"); code != 0 {
		t.Fatal(code, errs)
	}
	putIn(t, dir, "s.sh", script)
	return set, dir
}

// A search that puts the expected document second in every other run of every query is called flaky and does not fail; one that
// does so always regressed: RR falls from 1 to 1/2 on 12 queries, the sign test gives p = 2/2^12. A query that fails in
// some runs only passes.
func TestRepeatTellsFlakyFromRegressed(t *testing.T) {
	flaky := `n=$(cat "n$1" 2>/dev/null || echo 0); echo $((n+1)) > "n$1"
if [ $((n % 2)) = 0 ]; then printf 'y\nx\n'; else printf 'x\ny\n'; fi
`
	set, _ := steady(t, 12, flaky)
	code, out, errs := call("", "check", set, "-repeat", "4", "-gate", "RR@10>=0.9")
	for _, want := range []string{"FLAKY  g  RR@10  1.0000 -> 0.7500", "repeated runs disagree", "12 of 12 queries vary",
		`FLAKY   "0"  2 different results in 4 runs`, "FLAKY  RR@10>=0.9  g  0.7500: fails in 2 of 4 runs"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s\n%s", want, errs, out)
		}
	}
	if code != 0 {
		t.Errorf("a flaky search fails: %d", code)
	}
	set, _ = steady(t, 12, "printf 'y\\nx\\n'\n")
	code, out, errs = call("", "check", set, "-repeat", "3", "-o", "json")
	var v verdictJSON
	if err := json.Unmarshal([]byte(out), &v); err != nil || code != 1 || v.Measures[0].Change.Verdict != "regressed" ||
		len(v.Flaky) != 0 {
		t.Errorf("%d %v %s %s", code, err, errs, out)
	}
	if code, _, errs := call("", "check", set, "-results", "r.run", "-repeat", "3"); code != 2 ||
		!strings.Contains(errs, "needs -s, -command or -url") {
		t.Errorf("a file: %d %s", code, errs)
	}
}

// A clear loss is found after a part of 300 queries, and a search that holds passes after a part of them: the number of
// calls is what the script counted.
func TestSequentialStopsEarly(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		code   int
		want   string
	}{
		"lost":  {"echo >> calls; printf 'y\\nx\\n'\n", 1, "FAILED  RR@10>=-5%  g"},
		"holds": {"echo >> calls; printf 'x\\ny\\n'\n", 0, "holds, decided after"},
	} {
		set, dir := steady(t, 300, c.script)
		code, out, errs := call("", "check", set, "-sequential", "-quiet")
		calls, err := os.ReadFile(filepath.Join(dir, "calls"))
		n := strings.Count(string(calls), "\n")
		if code != c.code || err != nil || !strings.Contains(out, c.want) || n < 5 || n > 200 ||
			!strings.Contains(out, fmt.Sprintf("%d of 300 queries were asked", n)) {
			t.Errorf("%s: %d, %d calls, %s\n%s", name, code, n, errs, out[max(0, len(out)-900):])
		}
	}
	set, _ := steady(t, 3, "exit 0\n")
	if code, _, errs := call("", "check", set, "-sequential", "-update"); code != 2 {
		t.Errorf("-update: %d %s", code, errs)
	}
}
