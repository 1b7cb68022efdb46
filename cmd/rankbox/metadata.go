package main

import (
	"cmp"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Headers of ir_metadata 0.1 (https://www.ir-metadata.org, Breuer, Keller, Schaer, SIGIR 2022). All six components are
// there, since repro_eval's MetadataAnalyzer looks for each; who made the run nobody told us, so that the actor has a
// role alone. What the schema has no key for is under names of our own: method/indexing/analyzer, the depth of a
// ranking, the hash of a collection.

// begun is what every header begins with.
func begun(tag string) (m collection.Metadata) {
	m.Set("0.1", "schema-version")
	m.Set("1.0", "run-version")
	m.Set(tag, "tag")
	m.Set("rankbox=="+builtVersion(), "platform", "software", "retrieval toolkit", "0")
	return m
}

// builtVersion is the version of the program, of one that has none what it was built from.
func builtVersion() string {
	if v := programVersion(); v != "" && v != "(devel)" {
		return v
	}
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if s.Key == "vcs.revision" {
				return "devel+" + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return "devel"
}

// settings adds what ir_metadata has keys for, k1 and b, of the first bm25 of a pipeline.
func settings(m *collection.Metadata, n *pipeline.Node, place string) {
	var first *pipeline.Node
	n.Walk(func(x *pipeline.Node) {
		if first == nil && x.Stage == &stage.BM25.Stage {
			first = x
		}
	})
	if first != nil {
		for _, name := range []string{"k1", "b"} {
			m.Set(strconv.FormatFloat(first.Number(name), 'f', -1, 64), "method", "retrieval", place, name)
		}
	}
}

// ended adds what every header ends with.
func ended(m *collection.Metadata, of report.Ref) {
	m.Set("experimenter", "actor", "role")
	m.Set(of.Name, "data", "test collection", "name")
	m.Set(of.Hash, "data", "test collection", "hash")
}

// implemented adds the command.
func implemented(m *collection.Metadata, cmd string) {
	m.Set(cmd, "implementation", "executable", "cmd")
	m.Set("go", "implementation", "source", "lang", "0")
	m.Set("true", "method", "automatic")
}

// metadataOf says how a run is made: the collection with its hash, and the pipeline. There is no date in it, so that
// the same run is the same file.
func metadataOf(of report.Ref, n *pipeline.Node, tag string, k int) collection.Metadata {
	m := begun(tag)
	m.Set("{}", "research goal") // of a run that nobody has measured
	implemented(&m, "rankbox search -s "+strconv.Quote(n.String())+" -k "+strconv.Itoa(k))
	m.Set(of.Analyzer, "method", "indexing", "analyzer")
	m.Set(n.String(), "method", "retrieval", "0", "name")
	settings(&m, n, "0")
	m.Set(strconv.Itoa(k), "method", "retrieval", "0", "depth")
	ended(&m, of)
	return m
}

// metadataOfExperiment says how an experiment was made: every run of the comparison, with what it was measured and
// tested by.
func metadataOfExperiment(x *matrix.Outcome) collection.Metadata {
	m := begun("experiment-" + matrix.ID(x.Hash))
	m.Set(runtime.GOARCH, "platform", "hardware", "cpu", "architecture")
	m.Set(strconv.Itoa(runtime.NumCPU()), "platform", "hardware", "cpu", "number of cores")
	m.Set(runtime.GOOS, "platform", "operating system", "kernel")
	for i, name := range x.Report.Measures {
		m.Set(name, "research goal", "evaluation", "reported measures", strconv.Itoa(i))
	}
	m.Set(x.Report.Systems[x.Report.Baseline].Label, "research goal", "evaluation", "baseline", "0")
	if name := x.Report.Test.Name; name != "" {
		m.Set(name, "research goal", "evaluation", "significance test", "0", "name")
		m.Set(cmp.Or(x.Input.Protocol.Correction, "holm"), "research goal", "evaluation", "significance test", "0",
			"correction method")
	}
	implemented(&m, "rankbox run "+specFile)
	m.Set(x.Collection.Analyzer, "method", "indexing", "analyzer")
	for i, run := range x.Compared {
		m.Set(x.Plan.Runs[run].Name(), "method", "retrieval", strconv.Itoa(i), "name")
		if n, err := stage.Parse(x.Plan.Runs[run].Notation); err == nil {
			settings(&m, n, strconv.Itoa(i))
		}
		m.Set(strconv.Itoa(x.Plan.Depth), "method", "retrieval", strconv.Itoa(i), "depth")
	}
	ended(&m, x.Collection)
	return m
}

// writeMetadata writes the header.
func writeMetadata(w io.Writer, m collection.Metadata) error {
	r := collection.NewRunWriter(w, "none")
	r.Head(m)
	return r.Flush()
}
