package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/worker"
)

// awkward are names that a rule for names may stumble over. Each holds a run of its own.
var awkward = []string{
	"x.out", "x.run.gz", ".run", "x.run", "x.txt", "a.eval", "a.res.txt.gz", "B.RUN", "b.trec", "run", "run.run.run",
	"über größe.run", "日本語.txt", "u\u0308ber.run", "עברית.run", "🦀.run", "with space.run", "semi;colon,comma.run",
	"-dash.run", "#hash.run",
	// the last of 200 characters
	"quote's \"quoted\".run", "percent%20.run", "v1.2.3", "trailing dot.", "..run", "tab\there.run", "line\nfeed.run",
	"<b>bold<b>.run", "json.json", "a" + strings.Repeat("long", 48) + ".run.gz",
}

// outcome is what is held against each other.
type outcome struct {
	Hash string
	Runs []struct{ Name string }
}

// The worker of the page and the command line read the same files as the same comparison: labels, order and the
// report's hash.
func TestTheSameFilesAreTheSameReportOnThePageAndInTheTerminal(t *testing.T) {
	if len(awkward) != 30 || len(awkward[29]) != 200 {
		t.Fatalf("%d names", len(awkward))
	}
	dir := t.TempDir()
	qrels := []byte("q1 0 d1 2\nq1 0 d2 1\nq2 0 d3 1\nq2 0 d4 0\n")
	content := map[string][]byte{}
	for i, name := range awkward {
		text := fmt.Sprintf("q1 Q0 d%d 1 3 t%d\nq1 Q0 d%d 2 2 t%d\nq2 Q0 d%d 1 %d.5 t%d\n", i%5, i, (i+1)%5, i, (i+2)%4,
			i, i)
		if name == "json.json" {
			text = `{"q1": {"d1": 7, "d3": 5}, "q2": {"d3": 1}}`
		}
		content[name] = []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var z bytes.Buffer
			w := gzip.NewWriter(&z)
			io.WriteString(w, text)
			w.Close()
			content[name] = z.Bytes()
		}
	}
	zipped := func(names ...string) []byte {
		var z bytes.Buffer
		w := zip.NewWriter(&z)
		for _, name := range names {
			f, err := w.Create("runs/" + name)
			if err != nil {
				t.Fatal(err)
			}
			data := content[name]
			if name == "t.qrels" {
				data = qrels
			}
			f.Write(data)
		}
		w.Close()
		return z.Bytes()
	}
	// A comparison takes twenty runs: the thirty names are two folders and two zips of them, each with as many as there
	// may be.
	folders := map[string][]string{"first": awkward[:message.MaxRuns], "second": awkward[len(awkward)-message.MaxRuns:]}
	for folder, runs := range folders {
		folders[folder] = slices.Sorted(slices.Values(append([]string{"t.qrels"}, runs...)))
		content[folder+".zip"] = zipped(folders[folder]...)
		content[folder+"-runs.zip"] = zipped(runs...)
	}
	content["one.zip"] = zipped("x.run.gz")
	content["t.qrels"] = qrels
	content["judged.txt"] = []byte("q1\tthe first\nq2\tthe second\n")
	for name, data := range content {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Skipf("this file system has no %q: %v", name, err)
		}
	}
	for folder, names := range folders {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, folder, name), content[name], 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, x := range map[string]struct {
		files     []string // as the page is given them
		arguments []string // in the terminal, where they are others
	}{
		"the first folder":  {folders["first"], []string{"first"}},
		"the second folder": {folders["second"], []string{"second"}},
		"the first files":   {files: append([]string{"t.qrels"}, awkward[:message.MaxRuns]...)},
		"the second files": {files: append([]string{"t.qrels"},
			awkward[len(awkward)-message.MaxRuns:]...)},
		"a zip of the first folder":      {files: []string{"first.zip"}},
		"a zip of the second folder":     {files: []string{"second.zip"}},
		"a zip of the first runs":        {files: []string{"t.qrels", "first-runs.zip"}},
		"a zip of the second runs":       {files: []string{"t.qrels", "second-runs.zip"}},
		"a zip of one run beside others": {files: []string{"t.qrels", "one.zip", "x.run.gz", "x.out"}},
	} {
		page := onPage(t, x.files, content)
		args := []string{"compare", "-o", "json", "-quiet", "--"}
		if x.arguments == nil {
			x.arguments = x.files
		}
		for _, f := range x.arguments {
			args = append(args, filepath.Join(dir, f))
		}
		code, out, errs := call("", args...)
		var terminal outcome
		if err := json.Unmarshal([]byte(out), &terminal); code != 0 || err != nil {
			t.Errorf("%s: exit code %d, %s, %v", name, code, errs, err)
			continue
		}
		if page.Hash != terminal.Hash || !slices.Equal(page.Runs, terminal.Runs) {
			t.Errorf("%s:\npage     %s %q\nterminal %s %q", name, page.Hash, page.Runs, terminal.Hash, terminal.Runs)
		}
	}
}

// onPage gives the files to the worker and returns the report that it exports.
func onPage(t *testing.T, files []string, content map[string][]byte) outcome {
	t.Helper()
	var last message.Reply
	e := worker.NewEngine(nil, nil, func(r message.Reply) { last = r })
	e.Device.Files = func(id int) (io.Reader, error) { return bytes.NewReader(content[files[id-1]]), nil }
	s := &message.Setting{}
	for i, name := range files {
		s.Files = append(s.Files, message.File{ID: i + 1, Name: name, Size: len(content[name])})
	}
	e.Handle(message.Request{ID: 1, Kind: message.Runs, Question: s})
	if c, ok := last.Answer.(*message.Compared); !ok || c.Report == nil {
		t.Fatalf("%+v, %+v", last.Problem, last.Answer)
	} else {
		for _, f := range c.Files {
			if f.Problem != "" {
				t.Fatalf("%s: %s", f.Name, f.Problem)
			}
		}
	}
	e.Handle(message.Request{ID: 2, Kind: message.Export,
		Question: &message.AskExport{What: message.Wanted{Name: "json"}}})
	var r outcome
	if err := json.Unmarshal(last.Answer.(*message.Saved).Bytes, &r); err != nil {
		t.Fatal(err)
	}
	return r
}
