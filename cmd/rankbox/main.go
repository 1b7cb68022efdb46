// Command rankbox does on files what the page does, with the same code: it measures and compares runs, indexes and
// searches collections, and says why. A command is a row of commands and a file; compare's modes are rows of modes.
//
// Exit codes: 0 fine, 1 a gate failed, 2 usage, 3 bad data or output that cannot be written, 4 a system failed:
// it has no figures, or for some query a backend gave nothing.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/cmd/rankbox/avx2"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
)

func init() {
	avx2.Install()
	at := slices.IndexFunc(commands, func(x command) bool { return x.name == "completion" })
	commands[at].run = completion // it reads commands itself
}

// command is one word after rankbox.
type command struct {
	name, usage, about string
	run                func(c *context, args []string) error
}

// commands in the order in which they are listed: one line a command.
var commands = []command{
	{"eval", "QRELS RUN MEASURES… [-q] [-n] [-p places] [-o tsv|json|jsonl|trec_eval|trec_eval9] [-R " +
		"prefs|qrels_prefs|qrels_jg] [-as tool] [-policy switches]",
		"measure a run, by default like trec_eval or as another tool would; a file may be - for standard input", eval},
	{"convert", "FILE [-o trec|json|csv|tsv|jsonl|npy|benchmark|dataset|judged] [-as run|qrels] [-chunks separator] " +
		"[-map file] [-corpus file] [-lint]",
		"convert runs, qrels, queries, documents or vectors from any format to another, report oddities and repair " +
			"them",
		convert},
	{"search", "COLLECTION -s PIPELINE… [-k 1000] [-t tag] [-split name] [-run name=file]… [-o folder]",
		"rank the collection's queries and write a TREC run; COLLECTION is a BEIR folder, zip or bundle", search},
	{"compare", "[MODE] QRELS RUN… [-m measures] [-baseline run] [-o " + strings.Join(formats(), "|") +
		"] [-gate 'nDCG@10>=-2%']… [-save file] [-against file]",
		"compare runs: leaderboard, tests, differences; modes: " + modeNames(), compareRuns},
	{"check", "FILE [-s pipeline -documents folder | -command words | -url template | -results file] [-m measures] " +
		"[-gate condition]… [-against file [-update]] [-repeat n | -sequential] [-audit] [-junit file] [-comment file] | " +
		"-init FOLDER|LOG [-o file] | -number 'n mean baseline'",
		"check a search against a golden set, locally or in continuous integration: docs/check.md",
		checkGolden},
	{"run", "SPEC [-o folder] [-resume] [-n] [-j hands] [-f " + strings.Join(formats(), "|") +
		"] [-collection name] [-vectors folder]",
		"run an experiment: run every system of a matrix on every query, resumable, then compare them", runExperiment},
	{"report", "FOLDER [-html] [-o " + strings.Join(append(outcomeForms(), formats()...), "|") + "]",
		"print the report of a finished experiment", reportExperiment},
	{"verify", "LINK|FILE|FOLDER [-digest digits] [-collection name] [-o text|json]",
		"recompute the figures of a link, a comparison, a report or an experiment, and compare them with the " +
			"stored ones", verify},
	{"tune", "COLLECTION -s PIPELINE [-m nDCG@10] [-o text|json|opensearch|weaviate] [-type name]",
		"tune the weights of a fusion by cross-validation over the judged queries, and print settings for other " +
			"search engines", tuneWeights},
	{"index", "FILE|FOLDER -o BUNDLE [-map file|-print-map] [-chunk 'sentences(n=3,overlap=1)' [-labels file]] " +
		"[-analyzer name] [-corpus file -queries file -qrels file]",
		"index documents once, as a bundle for rankbox search and the site: Markdown, HTML, text, CSV, JSON, TREC, " +
			"or a BEIR folder; whole or in chunks", index},
	{"spans", "LABELS RUN=BUNDLE… -documents FILE|FOLDER [-k 5] [-rel 1] [-q] [-o text|json]",
		"compare chunkings by how well retrieved chunks cover judged passages: token recall, precision and IoU", spans},
	{"reanchor", "LABELS -new FILE|FOLDER [-old FILE|FOLDER] [-old-chunks BUNDLE] [-new-chunks BUNDLE] [-o labels] " +
		"[-qrels file] [-unsure file] [-before run -after run [-m nDCG@10]] [-f text|json]",
		"find labels again after documents were edited, renamed or cut again; say which part of a change in scores is " +
			"due to them", reanchor},
	{"load", "COLLECTION -to " + strings.Join(engineNames(), "|") + " -url URL -index NAME [-vectors model] [-dry-run]",
		"write the documents of a collection into a search engine, resumable: docs/edge.md", loadCollection},
	{"fetch", "NAME… [-from file|folder|URL] [-o folder] | -list",
		"download and check a public test collection; every command then accepts its name as a folder: " +
			"docs/collections.md", fetchCollections},
	{"published", "[NAME] [-at folder] [-vectors folder] [-o text|markdown|json] [-gate]",
		"compare known systems on public collections with published figures", reproduce},
	{"explain", "COLLECTION QUERY DOCUMENT -s PIPELINE [-o text|json]",
		"explain the score of a document; QUERY is an id of the collection or a text", explain},
	{"trace", "QRELS TRACES… [-m nDCG@10] [-k 5,10,20] [-rel 1] [-o text|json|csv]",
		"measure search agents step by step: recall by steps and tokens, each hop, Any@k and All@k, where each " +
			"relevant " +
			"document was found: docs/files.md", traceAgents},
	{"agree", "QRELS QRELS… [RUN…] [-m nDCG@10] [-model [-half-width 0.05]] [-o text|json]",
		"measure how well judges agree, whether the order of runs depends on the judge, and what a model's " +
			"judgments are worth", agree},
	{"judge", "split RUN… -judges n|-names file [-each 2] [-k 10] -o FOLDER | merge FILE|FOLDER… [-o QRELS] [-rule " +
		"majority] [-f text|json]",
		"split a pool of documents among the judges of a class, and merge what they hand in, with κ by judge", judge},
	{"mark", "HANDED-OUT HANDED-IN… -qrels QRELS [-m nDCG@10]",
		"mark the workspaces of a class against the one that was handed out: queries judged, agreement with hidden " +
			"judgments, the system's figure", mark},
	{"workspace", "FILE [-qrels [-layer name] [-rule priority|highest|lowest|latest|majority]] [-queries] | " +
		"FILE -beir FOLDER | FILE -system PIPELINE -o FILE",
		"list the contents of a saved workspace, print its grades or queries, write it as a BEIR folder, " +
			"or add a system", openWorkspace},
	{"serve", "[-addr 127.0.0.1:8080] [-site folder] [-config file] [-host name]… [-snapshots folder] [-proxied]",
		"serve the built site and the edge to native backends; docs/edge.md", serve},
	{"analyze", "[-a analyzer] [-o tsv|jsonl] [TEXT…]", "print the terms of a text and their offsets", analyze},
	{"mcp", "[-root folder]", "serve eval, compare, trace, lint, search and run as tools to AI assistants (Model " +
		"Context Protocol on standard input and output)", serveTools},
	{"completion", "bash|zsh|fish|powershell", "print a script that completes commands and flags in a shell", nil},
	{"version", "", "print the version and the source it was built from", version},
}

// context is where a command reads and writes.
type context struct {
	in       io.Reader
	out, err io.Writer
	limits   collection.Limits // of what is read
	columns  []string          // of tables of scores that are read; nil for all
	terminal bool              // out is one
	command  *command          // the one that runs
	warned   map[string]int    // warnings by say.Kind, so that many of one kind are counted
	help     func()            // prints the help of a command that has its own; nil for its flags alone
	stop     func() bool       // nobody waits for the answer any more; nil where that is never so
}

// errStopped is the end of a command whose caller told it to stop.
var errStopped = errors.New("stopped: the caller cancelled the request")

// stopped reports whether the caller told the command to stop.
func (c *context) stopped() bool { return c.stop != nil && c.stop() }

// sink is an output that remembers the first error of writing to it.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(b)
	if err != nil {
		s.err = fmt.Errorf("standard output: %w", err)
	}
	return n, s.err
}

// usageError is a mistake in the words of the call.
type usageError struct{ error }

// Said is what people are told.
func (e usageError) Said() string { return say.Told(e.error) }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// checkTextOrJSON refuses every other output.
func checkTextOrJSON(format string) error {
	if format != "text" && format != "json" {
		return usagef("output %q is not text or json", format)
	}
	return nil
}

func main() {
	info, err := os.Stdout.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	code := run(&context{in: os.Stdin, out: os.Stdout, err: os.Stderr, terminal: terminal}, os.Args[1:])
	if err := os.Stdout.Close(); err != nil && code < 2 {
		fmt.Fprintf(os.Stderr, "rankbox: standard output: %v\n", err)
		code = 3
	}
	os.Exit(code)
}

// run runs one call and returns its exit code. What cannot be written to standard output is bad data, whatever else
// came out.
func run(c *context, args []string) int {
	out, said := &sink{w: c.out}, &spelled{w: c.err, cut: true}
	c.out, c.err = out, said
	defer said.flush()
	code := do(c, args)
	if out.err != nil && code < 2 {
		fmt.Fprintf(c.err, "rankbox: %v\n", out.err)
		return 3
	}
	return code
}

// do runs one call.
func do(c *context, args []string) int {
	if len(args) == 0 {
		help(c.err)
		return 2
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return helpOn(c, args[1:])
	case "-version", "--version":
		args = append([]string{"version"}, args[1:]...)
	}
	i := slices.IndexFunc(commands, func(x command) bool { return x.name == args[0] })
	if i < 0 {
		return unknown(c, args[0])
	}
	c.command = &commands[i]
	err := commands[i].run(c, args[1:])
	c.warnedMore(args[0])
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(c.err, "rankbox %s: %s\nusage: rankbox %s %s\n", args[0], say.Told(err), args[0], commands[i].usage)
		return 2
	}
	hint := ""
	if l, ok := errors.AsType[*collection.LimitError](err); ok && limitFlags[l.Limit] != "" {
		hint = "; -" + limitFlags[l.Limit] + " raises it"
	}
	fmt.Fprintf(c.err, "rankbox %s: %s%s\n", args[0], say.Told(err), hint)
	var gate gateError
	var failed failedError
	switch {
	case errors.As(err, &failed):
		return 4
	case errors.As(err, &gate):
		return 1
	}
	return 3
}

// released and revision are the version and the commit of a released program: `go run ./build release` sets them. For
// others Go's build information has them.
var released, revision string

// version prints what the program was built from.
func version(c *context, args []string) error {
	f := flag.NewFlagSet("version", flag.ContinueOnError)
	if words, err := parse(c, f, args); err != nil {
		return err
	} else if len(words) > 0 {
		return usagef("version takes no arguments")
	}
	text, built := "rankbox", ""
	if b, ok := debug.ReadBuildInfo(); ok {
		if text += " " + b.Main.Version; released != "" {
			text = "rankbox " + released
		}
		if revision != "" {
			built = " " + revision
		}
		for _, s := range b.Settings {
			switch s.Key {
			case "vcs.revision":
				built = " " + s.Value
			case "vcs.modified":
				if s.Value == "true" {
					built += " with changes"
				}
			}
		}
		built += " " + b.GoVersion
	}
	_, err := fmt.Fprintln(c.out, text+built)
	return err
}

// parse reads flags that may stand anywhere among the other words, which it returns.
func parse(c *context, f *flag.FlagSet, args []string) ([]string, error) {
	f.SetOutput(io.Discard)
	var words []string
	for len(args) > 0 {
		if args[0] == "-" || !strings.HasPrefix(args[0], "-") {
			words = append(words, args[0])
			args = args[1:]
			continue
		}
		if args[0] == "--" { // all that follows are words, as file names that begin with a dash
			return append(words, args[1:]...), nil
		}
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				f.SetOutput(c.out)
				if c.help != nil {
					c.help()
				} else {
					if c.command != nil {
						c.command.help(c.out)
					}
					printFlags(f)
				}
				return nil, err
			}
			return nil, usageError{meantFlag(f, args[:len(args)-len(f.Args())], err)}
		}
		if read := len(args) - len(f.Args()); args[read-1] == "--" {
			return append(words, f.Args()...), nil
		}
		args = f.Args()
	}
	return words, nil
}

// warn tells what a command noticed and went on from; many of one kind are counted.
func warn[W any](c *context, command string, warnings []W) {
	texts := make([]string, len(warnings))
	for i, w := range warnings {
		texts[i] = fmt.Sprint(w)
	}
	if c.warned == nil {
		c.warned = map[string]int{}
	}
	for _, text := range say.Alike(texts) { // and one by one, as files are read
		k := say.Kind(text)
		if c.warned[k]++; c.warned[k] <= say.FewAlike {
			fmt.Fprintf(c.err, "rankbox %s: warning: %s\n", command, text)
		}
	}
}

// warnedMore says how many warnings are not printed, being like others.
func (c *context) warnedMore(command string) {
	n := 0
	for _, seen := range c.warned {
		n += max(0, seen-say.FewAlike)
	}
	if n > 0 {
		fmt.Fprintf(c.err, "rankbox %s: and %s like these\n", command, say.Count(n, "warning", "warnings"))
	}
}

// open returns a file, or standard input for "-", with the name that errors use.
func (c *context) open(name string) (io.ReadCloser, string, error) {
	if name == "-" {
		in, err := unpack(io.NopCloser(c.in), c.limits)
		return in, intake.StandardInput, err
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		if in, fault := c.knownJudgments(name); in != nil || fault != nil {
			return in, name, fault
		}
	}
	if err != nil {
		return nil, name, notKnown(name, err)
	}
	in, err := unpack(f, c.limits)
	if err != nil {
		f.Close()
		return nil, name, say.Faultf("rankbox", "%s: %w", name, err)
	}
	return in, name, nil
}
