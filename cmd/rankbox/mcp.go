package main

import (
	"bytes"
	gocontext "context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rankbox/rankbox/core/base/say"
)

// serveTools answers an assistant until it hangs up. Every tool is a command of this program and its answer is what the
// command prints as JSON, byte for byte. Tools read files and write none.
func serveTools(c *context, args []string) error {
	f := flag.NewFlagSet("mcp", flag.ContinueOnError)
	root := f.String("root", "", "tools read only files in this folder, by names relative to it; without it, any file")
	if words, err := parse(c, f, args); err != nil {
		return err
	} else if len(words) > 0 {
		return usagef("mcp takes no arguments")
	}
	within, err := newFence(*root)
	if err != nil {
		return err
	}
	l := newLines(c.in, c.out)
	err = tools(within).Run(gocontext.Background(), &mcp.IOTransport{Reader: l, Writer: writing{l}, MaxLineLength: -1})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// fence is what tools may read: regular files and folders of them, those of a folder alone where it has one.
type fence struct{ root string }

// newFence returns the fence around a folder, "" for none.
func newFence(root string) (fence, error) {
	if root == "" {
		return fence{}, nil
	}
	whole, err := filepath.Abs(root)
	if err == nil {
		whole, err = filepath.EvalSymlinks(whole)
	}
	if err != nil {
		return fence{}, usagef("-root: %v", err)
	}
	if info, err := os.Stat(whole); err != nil || !info.IsDir() {
		return fence{}, usagef("-root %s is no folder", root)
	}
	return fence{whole}, nil
}

// plainly is an error about a file under the name that the assistant gave it: the file's own may be that of a link's
// end, outside the folder.
func plainly(err error, shown string) error {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", shown, err)
}

// inside is a text of a command in which files of the folder have their names relative to it, and the folder has none.
func (f fence) inside(text string) string {
	if f.root == "" || f.root == filepath.VolumeName(f.root)+string(filepath.Separator) {
		return text
	}
	text = strings.ReplaceAll(text, f.root+string(filepath.Separator), "")
	for _, end := range []string{":", "\"", "'", " ", ",", "\n", ")"} {
		text = strings.ReplaceAll(text, f.root+end, "."+end)
	}
	return text
}

// mostFiles is how many files of a folder are looked at.
const mostFiles = 10_000

// path returns the name by which a file is opened, where it may be. A folder may be read where all that is in it may.
func (f fence) path(name string) (string, error) {
	if name == "-" {
		return "", errors.New("-: standard input carries the protocol: name a file")
	}
	given, left := name, mostFiles
	if f.root != "" && !filepath.IsAbs(name) {
		name = filepath.Join(f.root, name)
	}
	return name, f.allow(name, given, &left)
}

// allow refuses a file that may not be read, and a folder in which one is. shown is what the assistant called it.
func (f fence) allow(name, shown string, left *int) error {
	real, err := filepath.EvalSymlinks(name)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return plainly(err, shown)
	}
	if rel, err := filepath.Rel(f.root, real); f.root != "" && (err != nil || !filepath.IsLocal(rel)) {
		return fmt.Errorf("%s is outside the folder that tools may read (-root)", shown)
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return plainly(err, shown)
	case info.Mode().IsRegular():
		return nil
	case !info.IsDir():
		return fmt.Errorf("%s is not a regular file", shown)
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		return plainly(err, shown)
	}
	for _, e := range entries {
		if *left--; *left < 0 {
			return fmt.Errorf("%s: more than %d files", shown, mostFiles)
		}
		inner := filepath.Join(real, e.Name())
		if e.Type()&os.ModeSymlink != 0 { // a link to a folder may lead round in a ring
			if info, err := os.Stat(inner); err != nil || info.IsDir() {
				return fmt.Errorf("%s is a link to a folder, or a broken link", filepath.Join(shown, e.Name()))
			}
		}
		if err := f.allow(inner, filepath.Join(shown, e.Name()), left); err != nil {
			return err
		}
	}
	return nil
}

// paths puts the names by which files are opened in the place of those that an assistant gave; "" stays.
func (f fence) paths(names ...*string) error {
	for _, name := range names {
		if *name == "" {
			continue
		}
		path, err := f.path(*name)
		if err != nil {
			return err
		}
		*name = path
	}
	return nil
}

// tools is the server with its tools.
func tools(within fence) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "rankbox", Title: "Rankbox", Version: programVersion()}, nil)
	tool(s, within, "measure_run", "Measures one run of a search system against relevance judgments, with the values "+
		"that trec_eval gives.", evalTool.words)
	tool(s, within, "compare_runs", "Compares runs on the same judgments: means with intervals, corrected paired "+
		"tests, the finding in a sentence, and on request the values of every query.", compareTool.words)
	tool(s, within, "compare_scores", "Compares systems by scores that were measured elsewhere (trec_eval -q, "+
		"ir_measures -q, MTEB, Ragas by id, nuggetizer, a CSV of systems by items), with the same tests and rank "+
		"intervals.", scoresTool.words)
	tool(s, within, "trace_agents", "Measures search agents step by step against judgments: cumulative recall by "+
		"steps and tokens, each hop, Any@k and All@k, and where each relevant document was found.", traceTool.words)
	tool(s, within, "lint_file", "Lints a file of judgments or a run: duplicates, ties, gaps and ids that nearly "+
		"match, with lines and counts.", lintTool.words)
	tool(s, within, "search_collection", "Ranks the queries of a collection (a BEIR folder, zip or bundle) with a "+
		"pipeline such as bm25(k1=0.9) or rrf(bm25, dense), and returns document scores for every query, ten "+
		"documents "+
		"each unless depth says more.", searchTool.words)
	tool(s, within, "run_experiment", "Runs an experiment: runs every system of a matrix on every judged query of a "+
		"collection, then compares them.", runTool.words)
	return s
}

// callCommand is run, which knows the commands, of which this is one.
var callCommand func(c *context, args []string) int

func init() { callCommand = run }

// words are the arguments of a call and what stands on its standard input.
type words struct {
	args []string
	in   []byte
}

// mostAnswer is how many bytes an answer may have: an assistant reads it as a whole.
const mostAnswer = 128 << 10

// less says how to ask a tool for less.
var less = map[string]string{
	"measure_run":  "leave out queries, or ask for fewer measures",
	"compare_runs": "leave out queries, or compare fewer runs",
	"compare_scores": "leave out queries, name fewer measures, or compare fewer systems; rankbox compare FILE -o " +
		"json -q > report.json writes it whole",
	"trace_agents": "trace fewer files at once; rankbox trace -o csv > scores.csv writes the figures of every " +
		"query",
	"lint_file": "lint a part of the file",
	"search_collection": "set a smaller depth; rankbox search COLLECTION -s PIPELINE -k DEPTH > out.run writes the " +
		"whole run",
	"run_experiment": "give fewer alternatives; rankbox run SPEC -o FOLDER keeps every run in files",
}

// tool adds a tool that is a command.
func tool[In any](s *mcp.Server, within fence, name, about string, call func(In, fence) (words, error)) {
	no := false
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: about,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}},
		func(ctx gocontext.Context, _ *mcp.CallToolRequest, in In) (answer *mcp.CallToolResult, _ any, err error) {
			defer func() {
				if v := recover(); v != nil { // one call goes wrong alone
					answer, err = nil, fmt.Errorf("%s crashed: %v", name, v)
				}
			}()
			w, err := call(in, within)
			if err != nil {
				return nil, nil, err
			}
			var out, said bytes.Buffer
			stop := func() bool { return ctx.Err() != nil }
			if code := callCommand(&context{in: bytes.NewReader(w.in), out: &out, err: &said, stop: stop},
				w.args); code > 1 {
				return nil, nil, errors.New(within.inside(strings.TrimSpace(said.String())))
			}
			if out.Len() > mostAnswer {
				return nil, nil, fmt.Errorf("the answer has %s, more than the %s that a tool gives: %s",
					say.Bytes(int64(out.Len())), say.Bytes(mostAnswer), less[name])
			}
			text := within.inside(out.String())
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
}

// evalTool is what the tool measure_run is asked.
type evalTool struct {
	Qrels    string   `json:"qrels" jsonschema:"file of judgments: TREC qrels, TSV, CSV or JSON"`
	Run      string   `json:"run" jsonschema:"file of the run: TREC, CSV or JSON"`
	Measures []string `json:"measures" jsonschema:"measures, as nDCG@10, AP, P(rel=2)@5"`
	Queries  bool     `json:"queries,omitempty" jsonschema:"every query too"`
	As       string   `json:"as,omitempty" jsonschema:"say what another tool would: trec_eval, pytrec_eval, ranx …"`
}

func (t evalTool) words(within fence) (words, error) {
	if err := within.paths(&t.Qrels, &t.Run); err != nil {
		return words{}, err
	}
	args := []string{"eval", "-quiet", "-o", "json"}
	if t.Queries {
		args = append(args, "-q")
	}
	if t.As != "" {
		args = append(args, "-as="+t.As)
	}
	return words{args: append(append(args, "--", t.Qrels, t.Run), t.Measures...)}, nil
}

// compareTool is what the tool compare_runs is asked.
type compareTool struct {
	Qrels    string   `json:"qrels" jsonschema:"file of judgments"`
	Runs     []string `json:"runs" jsonschema:"files of runs"`
	Measures []string `json:"measures,omitempty" jsonschema:"measures; the first one is tested"`
	Baseline string   `json:"baseline,omitempty" jsonschema:"the run that the others are held against: its name, letter or number"`
	Policy   string   `json:"policy,omitempty" jsonschema:"switches, as missing=skip,ties=input"`
	Queries  bool     `json:"queries,omitempty" jsonschema:"every query too"`
}

func (t compareTool) words(within fence) (words, error) {
	if len(t.Runs) == 0 {
		return words{}, errors.New("want at least one run")
	}
	t.Runs = slices.Clone(t.Runs)
	names := []*string{&t.Qrels}
	for i := range t.Runs {
		names = append(names, &t.Runs[i])
	}
	if err := within.paths(names...); err != nil {
		return words{}, err
	}
	args := []string{"compare", "-quiet", "-o", "json"}
	for name, value := range map[string]string{"m": strings.Join(t.Measures, " "), "baseline": t.Baseline,
		"policy": t.Policy} {
		if value != "" {
			args = append(args, "-"+name+"="+value)
		}
	}
	if t.Queries {
		args = append(args, "-q")
	}
	return words{args: append(append(args, "--", t.Qrels), t.Runs...)}, nil
}

// scoresTool is what the tool compare_scores is asked.
type scoresTool struct {
	Files    []string `json:"files" jsonschema:"files of scores, or folders of MTEB's results"`
	Measures []string `json:"measures,omitempty" jsonschema:"measures of the files; the first one is tested"`
	Baseline string   `json:"baseline,omitempty" jsonschema:"the baseline: name, letter or number of a system"`
	Systems  string   `json:"systems,omitempty" jsonschema:"rows or columns, if the table does not say it"`
	Missing  string   `json:"missing,omitempty" jsonschema:"items, systems (both left out) or zero"`
	Queries  bool     `json:"queries,omitempty" jsonschema:"the score of every item too"`
}

func (t scoresTool) words(within fence) (words, error) {
	if len(t.Files) == 0 {
		return words{}, errors.New("want at least one file of scores")
	}
	t.Files = slices.Clone(t.Files)
	for i := range t.Files {
		if err := within.paths(&t.Files[i]); err != nil {
			return words{}, err
		}
	}
	args := []string{"compare", "-quiet", "-o", "json"}
	for _, x := range [][2]string{{"m", strings.Join(t.Measures, " ")}, {"baseline", t.Baseline}, {"systems",
		t.Systems}, {"missing", t.Missing}} {
		if x[1] != "" {
			args = append(args, "-"+x[0]+"="+x[1])
		}
	}
	if t.Queries {
		args = append(args, "-q")
	}
	return words{args: append(append(args, "--"), t.Files...)}, nil
}

// traceTool is what the tool trace_agents is asked.
type traceTool struct {
	Qrels   string   `json:"qrels" jsonschema:"file of judgments"`
	Traces  []string `json:"traces" jsonschema:"files (JSONL with steps) or folders, one a system"`
	Measure string   `json:"measure,omitempty" jsonschema:"of every step; nDCG@10 if not given"`
}

func (t traceTool) words(within fence) (words, error) {
	if len(t.Traces) == 0 {
		return words{}, errors.New("want at least one file of traces")
	}
	t.Traces = slices.Clone(t.Traces)
	names := []*string{&t.Qrels}
	for i := range t.Traces {
		names = append(names, &t.Traces[i])
	}
	if err := within.paths(names...); err != nil {
		return words{}, err
	}
	args := []string{"trace", "-quiet", "-o", "json"}
	if t.Measure != "" {
		args = append(args, "-m="+t.Measure)
	}
	return words{args: append(append(args, "--", t.Qrels), t.Traces...)}, nil
}

// lintTool is what the tool lint_file is asked.
type lintTool struct {
	File string `json:"file" jsonschema:"file of judgments or of a run"`
	As   string `json:"as,omitempty" jsonschema:"run or qrels, if the file may be either"`
}

func (t lintTool) words(within fence) (words, error) {
	if err := within.paths(&t.File); err != nil {
		return words{}, err
	}
	args := []string{"convert", "-lint", "-quiet", "-o", "json"}
	if t.As != "" {
		args = append(args, "-as="+t.As)
	}
	return words{args: append(args, "--", t.File)}, nil
}

// searchTool is what the tool search_collection is asked.
type searchTool struct {
	Collection string `json:"collection" jsonschema:"a BEIR folder, zip or bundle"`
	Pipeline   string `json:"pipeline" jsonschema:"the system, as bm25(k1=0.9,b=0.4) >> rm3"`
	Depth      int    `json:"depth,omitempty" jsonschema:"documents a query, 10 where it is not said"`
	Vectors    string `json:"vectors,omitempty" jsonschema:"folder of models with their vectors"`
}

func (t searchTool) words(within fence) (words, error) {
	if err := within.paths(&t.Collection, &t.Vectors); err != nil {
		return words{}, err
	}
	args := []string{"search", "-quiet", "-f", "json", "-s=" + t.Pipeline}
	if t.Depth <= 0 {
		t.Depth = 10
	}
	args = append(args, "-k", strconv.Itoa(t.Depth))
	if t.Vectors != "" {
		args = append(args, "-vectors="+t.Vectors)
	}
	return words{args: append(args, "--", t.Collection)}, nil
}

// runTool is what the tool run_experiment is asked.
type runTool struct {
	Spec       map[string]any `json:"spec" jsonschema:"the experiment: systems with alternatives such as bm25(k1=0.6..1.8/0.2), measures, baseline; see docs/experiments.md"`
	Collection string         `json:"collection,omitempty" jsonschema:"the collection, where the spec names none"`
	Vectors    string         `json:"vectors,omitempty" jsonschema:"folder of models with their vectors"`
}

func (t runTool) words(within fence) (words, error) {
	if err := within.paths(&t.Collection, &t.Vectors); err != nil {
		return words{}, err
	}
	if named, ok := t.Spec["collection"].(string); ok && named != "" && t.Collection == "" {
		path, err := within.path(named)
		if err != nil {
			return words{}, err
		}
		if within.root != "" {
			t.Collection = path
		}
	}
	spec, err := json.Marshal(t.Spec)
	if err != nil {
		return words{}, err
	}
	args := []string{"run", "-quiet", "-f", "json"}
	if t.Collection != "" {
		args = append(args, "-collection="+t.Collection)
	}
	if t.Vectors != "" {
		args = append(args, "-vectors="+t.Vectors)
	}
	return words{append(args, "--", "-"), spec}, nil
}
