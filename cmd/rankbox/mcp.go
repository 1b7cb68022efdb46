package main

import (
	"bytes"
	gocontext "context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveTools answers an assistant until it hangs up. Every tool is a command of this program and its answer is what the command prints as JSON, byte for byte. Tools read files and
// write none.
func serveTools(c *context, args []string) error {
	f := flag.NewFlagSet("mcp", flag.ContinueOnError)
	if words, err := parse(c, f, args); err != nil {
		return err
	} else if len(words) > 0 {
		return usagef("mcp takes no words")
	}
	err := tools().Run(gocontext.Background(), &mcp.IOTransport{Reader: io.NopCloser(c.in), Writer: nopCloser{c.out}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// tools is the server with its tools.
func tools() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "rankbox", Title: "Rankbox", Version: programVersion()}, nil)
	tool(s, "eval", "Measures one run of a search system against relevance judgments, with the values that trec_eval gives.", evalTool.words)
	tool(s, "compare", "Compares runs on the same judgments: means with intervals, paired tests with correction, the finding in a sentence, and every query's values where asked.", compareTool.words)
	tool(s, "lint", "Says what is odd about a file of judgments or of a run: duplicates, ties, gaps, ids that only nearly match, with lines and counts.", lintTool.words)
	tool(s, "search", "Ranks the queries of a collection (a BEIR folder, zip or bundle) with a pipeline such as bm25(k1=0.9) or rrf(bm25, dense): the scores of the documents of every query.", searchTool.words)
	tool(s, "run", "Runs an experiment: every system of a matrix on every judged query of a collection, compared at the end.", runTool.words)
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

// tool adds a tool that is a command.
func tool[In any](s *mcp.Server, name, about string, call func(In) (words, error)) {
	no := false
	mcp.AddTool(s, &mcp.Tool{Name: name, Description: about, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}},
		func(_ gocontext.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
			w, err := call(in)
			if err != nil {
				return nil, nil, err
			}
			var out, said bytes.Buffer
			if code := callCommand(&context{in: bytes.NewReader(w.in), out: &out, err: &said}, w.args); code > 1 {
				return nil, nil, errors.New(strings.TrimSpace(said.String()))
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.String()}}}, nil, nil
		})
}

// evalTool is what the tool eval is asked.
type evalTool struct {
	Qrels    string   `json:"qrels" jsonschema:"file of judgments: TREC qrels, TSV, CSV or JSON"`
	Run      string   `json:"run" jsonschema:"file of the run: TREC, CSV or JSON"`
	Measures []string `json:"measures" jsonschema:"measures, as nDCG@10, AP, P(rel=2)@5"`
	Queries  bool     `json:"queries,omitempty" jsonschema:"every query too"`
	As       string   `json:"as,omitempty" jsonschema:"say what another tool would: trec_eval, pytrec_eval, ranx …"`
}

func (t evalTool) words() (words, error) {
	args := []string{"eval", "-quiet", "-o", "json"}
	if t.Queries {
		args = append(args, "-q")
	}
	if t.As != "" {
		args = append(args, "-as="+t.As)
	}
	return words{args: append(append(args, "--", t.Qrels, t.Run), t.Measures...)}, nil
}

// compareTool is what the tool compare is asked.
type compareTool struct {
	Qrels    string   `json:"qrels" jsonschema:"file of judgments"`
	Runs     []string `json:"runs" jsonschema:"files of runs"`
	Measures []string `json:"measures,omitempty" jsonschema:"measures; the first one is tested"`
	Baseline string   `json:"baseline,omitempty" jsonschema:"the run that the others are held against: its name, letter or number"`
	Policy   string   `json:"policy,omitempty" jsonschema:"switches, as missing=skip,ties=input"`
	Queries  bool     `json:"queries,omitempty" jsonschema:"every query too"`
}

func (t compareTool) words() (words, error) {
	if len(t.Runs) == 0 {
		return words{}, errors.New("want at least one run")
	}
	args := []string{"compare", "-quiet", "-o", "json"}
	for name, value := range map[string]string{"m": strings.Join(t.Measures, " "), "baseline": t.Baseline, "policy": t.Policy} {
		if value != "" {
			args = append(args, "-"+name+"="+value)
		}
	}
	if t.Queries {
		args = append(args, "-q")
	}
	return words{args: append(append(args, "--", t.Qrels), t.Runs...)}, nil
}

// lintTool is what the tool lint is asked.
type lintTool struct {
	File string `json:"file" jsonschema:"file of judgments or of a run"`
	As   string `json:"as,omitempty" jsonschema:"run or qrels, where the file may be either"`
}

func (t lintTool) words() (words, error) {
	args := []string{"convert", "-lint", "-quiet", "-o", "json"}
	if t.As != "" {
		args = append(args, "-as="+t.As)
	}
	return words{args: append(args, "--", t.File)}, nil
}

// searchTool is what the tool search is asked.
type searchTool struct {
	Collection string `json:"collection" jsonschema:"a BEIR folder, zip or bundle"`
	Pipeline   string `json:"pipeline" jsonschema:"the system, as bm25(k1=0.9,b=0.4) >> rm3"`
	Depth      int    `json:"depth,omitempty" jsonschema:"documents a query, 100 where it is not said"`
	Vectors    string `json:"vectors,omitempty" jsonschema:"folder of models with their vectors"`
}

func (t searchTool) words() (words, error) {
	args := []string{"search", "-quiet", "-f", "json", "-s=" + t.Pipeline}
	if t.Depth > 0 {
		args = append(args, "-k", strconv.Itoa(t.Depth))
	}
	if t.Vectors != "" {
		args = append(args, "-vectors="+t.Vectors)
	}
	return words{args: append(args, "--", t.Collection)}, nil
}

// runTool is what the tool run is asked.
type runTool struct {
	Spec       map[string]any `json:"spec" jsonschema:"the experiment: systems with alternatives such as bm25(k1=0.6..1.8/0.2), measures, baseline; see docs/experiments.md"`
	Collection string         `json:"collection,omitempty" jsonschema:"the collection, where the spec names none"`
	Vectors    string         `json:"vectors,omitempty" jsonschema:"folder of models with their vectors"`
}

func (t runTool) words() (words, error) {
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
