package main

import (
	gocontext "context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assistant starts rankbox mcp as a process of its own and connects to it with the client of the protocol's Go SDK.
func assistant(t *testing.T) *mcp.ClientSession {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(gocontext.Background(),
		&mcp.CommandTransport{Command: itself("mcp")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestAssistantsAreAnsweredAsTheCommandsAnswer calls every tool: its answer is what the command prints, byte for byte.
func TestAssistantsAreAnsweredAsTheCommandsAnswer(t *testing.T) {
	dir, qrels, alpha, beta, _ := files(t)
	dash := filepath.Join(dir, "-o.run")
	if data, err := os.ReadFile(alpha); err != nil || os.WriteFile(dash, data, 0o666) != nil {
		t.Fatal(err)
	}
	spec := `{"systems":["bm25(k1=0.9|1.2)"],"measures":["AP"]}`
	s := assistant(t)
	list, err := s.ListTools(gocontext.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, x := range list.Tools {
		names = append(names, x.Name)
		if x.Description == "" || x.InputSchema == nil || !x.Annotations.ReadOnlyHint {
			t.Errorf("%s says too little of itself", x.Name)
		}
	}
	slices.Sort(names)
	if want := []string{"compare_runs", "compare_scores", "lint_file", "measure_run", "run_experiment",
		"search_collection", "trace_agents"}; !slices.Equal(names, want) {
		t.Errorf("tools %v", names)
	}
	for _, c := range []struct {
		tool  string
		asked map[string]any
		in    string
		args  []string
		code  int
	}{
		{"measure_run", map[string]any{"qrels": qrels, "run": alpha, "measures": []string{"nDCG@10", "AP"},
			"queries": true}, "", []string{"eval", "-quiet", "-q", "-o", "json", qrels, alpha, "nDCG@10", "AP"}, 0},
		{"measure_run", map[string]any{"qrels": qrels, "run": dash, "measures": []string{"AP"}}, "", []string{"eval",
			"-quiet", "-o", "json", qrels, dash, "AP"}, 0},
		{"compare_runs", map[string]any{"qrels": qrels, "runs": []string{alpha, beta}, "measures": []string{"AP",
			"P@1"}, "baseline": "B", "policy": "missing=zero"}, "", []string{"compare", "-quiet", "-o", "json", "-m",
			"AP P@1", "-baseline", "B", "-policy", "missing=zero", qrels, alpha, beta}, 0},
		{"compare_scores", map[string]any{"files": []string{scoreFiles + "autojudge/tot.txt"},
			"measures": []string{"AP"}, "missing": "zero", "queries": true}, "", []string{"compare", "-quiet", "-o",
			"json", "-m", "AP", "-missing", "zero", "-q", scoreFiles + "autojudge/tot.txt"}, 0},
		{"trace_agents", map[string]any{"qrels": "../../core/intake/trace/testdata/browsecomp.qrels",
			"traces": []string{"../../core/intake/trace/testdata/browsecomp"}, "measure": "P@1"}, "", []string{"trace",
			"-quiet",
			"-o", "json", "-m", "P@1", "../../core/intake/trace/testdata/browsecomp.qrels",
			"../../core/intake/trace/testdata/browsecomp"}, 0},
		{"lint_file", map[string]any{"file": alpha, "as": "run"}, "", []string{"convert", "-lint", "-quiet", "-o",
			"json", "-as", "run", alpha}, -1},
		{"search_collection", map[string]any{"collection": wire, "pipeline": "bm25", "depth": 5}, "",
			[]string{"search", "-quiet", "-f", "json", "-s", "bm25", "-k", "5", wire}, 0},
		{"run_experiment", map[string]any{"spec": json.RawMessage(spec), "collection": wire}, spec, []string{"run",
			"-quiet", "-f", "json", "-collection", wire, "-"}, 0},
	} {
		got, err := s.CallTool(gocontext.Background(), &mcp.CallToolParams{Name: c.tool, Arguments: c.asked})
		if err != nil || got.IsError || len(got.Content) != 1 {
			t.Errorf("%s: %v %+v", c.tool, err, got)
			continue
		}
		text := got.Content[0].(*mcp.TextContent).Text
		code, want, errs := call(c.in, c.args...)
		if c.code >= 0 && code != c.code {
			t.Errorf("%s: the command ends with %d: %s", c.tool, code, errs)
		}
		if text != want || !json.Valid([]byte(text)) {
			t.Errorf("%s answers\n%.300s\nand the command prints\n%.300s", c.tool, text, want)
		}
	}
}

// TestAssistantsAreToldWhatIsWrong: a call that cannot be is an error of the tool, with the command's message, and the
// server goes on.
func TestAssistantsAreToldWhatIsWrong(t *testing.T) {
	dir, qrels, alpha, _, _ := files(t)
	s := assistant(t)
	written := filepath.Join(dir, "written")
	table := "model" // an answer about it is more than an assistant is given
	for i := range 60 {
		table += fmt.Sprintf(",task%d", i)
	}
	for i := range 40 {
		table += fmt.Sprintf("\nsystem%d", i) + strings.Repeat(fmt.Sprintf(",0.%d", i+10), 60)
	}
	large := put(t, dir, "large.csv", table)
	for _, c := range []struct {
		tool, says string
		asked      map[string]any
	}{
		{"measure_run", "none.txt", map[string]any{"qrels": "none.txt", "run": alpha, "measures": []string{"AP"}}},
		{"measure_run", "nDGC", map[string]any{"qrels": qrels, "run": alpha, "measures": []string{"nDGC@10"}}},
		{"measure_run", "measures", map[string]any{"qrels": qrels, "run": alpha}},
		{"compare_runs", "at least one run", map[string]any{"qrels": qrels, "runs": []string{}}},
		// A word, not a flag
		{"compare_runs", "-save=", map[string]any{"qrels": qrels, "runs": []string{"-save=" + written, alpha}}},
		{"search_collection", "bm52", map[string]any{"collection": wire, "pipeline": "bm52"}},
		{"run_experiment", "systems", map[string]any{"spec": map[string]any{}, "collection": wire}},
		{"compare_scores", "at least one file", map[string]any{"files": []string{}}},
		{"compare_scores", "tables of scores", map[string]any{"files": []string{qrels}}},
		{"trace_agents", "at least one file", map[string]any{"qrels": qrels, "traces": []string{}}},
		{"compare_scores", "leave out queries", map[string]any{"files": []string{large}, "queries": true}},
	} {
		got, err := s.CallTool(gocontext.Background(), &mcp.CallToolParams{Name: c.tool, Arguments: c.asked})
		said := ""
		switch {
		case err != nil:
			said = err.Error()
		case got.IsError:
			said = got.Content[0].(*mcp.TextContent).Text
		}
		if !strings.Contains(said, c.says) {
			t.Errorf("%s %v: %q, which does not say %q", c.tool, c.asked, said, c.says)
		}
	}
	if exists(written) {
		t.Error("a tool wrote a file")
	}
	if got, err := s.CallTool(gocontext.Background(), &mcp.CallToolParams{Name: "measure_run",
		Arguments: map[string]any{"qrels": qrels, "run": alpha, "measures": []string{"AP"}}}); err != nil ||
		got.IsError {
		t.Errorf("it does not go on: %v", err)
	}
	if code, _, errs := call("", "mcp", "word"); code != 2 || !strings.Contains(errs, "no arguments") {
		t.Error(code, errs)
	}
}
