package gotest

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadTAP reads what `node --test --test-reporter=tap` writes: the counts of its last lines, and the reasons of skipped
// tests. Cancelled tests count as failed; tests marked as to do count as skipped. What failed tests say is not kept,
// since node's other reporters print it. A report that breaks off before its counts is an error.
func ReadTAP(r io.Reader) (*Result, error) {
	res := &Result{}
	counts := map[string]int{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		line := scanner.Text()
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			name, number, _ := strings.Cut(rest, " ")
			if n, err := strconv.Atoi(number); err == nil {
				counts[name] = n
			}
			continue
		}
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "ok ") && !strings.HasPrefix(line, "not ok ") {
			continue
		}
		for _, mark := range []string{" # SKIP", " # TODO"} {
			if title, why, ok := strings.Cut(line, mark); ok {
				if _, t, ok := strings.Cut(title, " - "); ok {
					title = t
				}
				res.Skips = append(res.Skips, fmt.Sprintf("end to end: %s: %s", title, strings.TrimSpace(mark[3:]+why)))
			}
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("gotest: read TAP: %w", err)
	}
	for _, name := range []string{"pass", "fail", "cancelled", "skipped", "todo"} {
		if _, ok := counts[name]; !ok {
			return nil, fmt.Errorf("gotest: read TAP: the report has no count %q: the run broke off", name)
		}
	}
	res.Passed = counts["pass"]
	res.Failed = counts["fail"] + counts["cancelled"]
	res.Skipped = counts["skipped"] + counts["todo"]
	return res, nil
}
