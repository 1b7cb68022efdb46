package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/present/handout"
)

// verification is what rankbox verify -o json prints.
type verification struct {
	Holds   bool
	Checked []struct {
		Name, Kind, Verdict, Hash, Stored string
		From                              string `json:"computed_from"`
		Problems, Notes                   []string
		Differences                       []struct{ What, Stored, Computed string }
	}
}

// verifies calls rankbox verify -o json and holds the output against its schema.
func verifies(t *testing.T, args ...string) (code int, v verification, errs string) {
	t.Helper()
	code, out, errs := call("", append([]string{"verify", "-quiet", "-o", "json"}, args...)...)
	if out == "" {
		return code, v, errs
	}
	var tree any
	if json.Unmarshal([]byte(out), &v) != nil || json.Unmarshal([]byte(out), &tree) != nil {
		t.Fatalf("no JSON: %s", out)
	}
	s := readSchema(t, "verification")
	for _, bad := range s.check(s, "$", tree) {
		t.Error(bad)
	}
	return code, v, errs
}

// stored is a comparison of two systems, and an experiment about them, in every form that verify takes.
type storedForms struct {
	dir, hash string
	files     map[string]string // by kind
	runs      []string          // qrels and runs
	link      string
}

// store writes them. The hash is that of the JSON report.
func store(t *testing.T) storedForms {
	t.Helper()
	x := storedForms{dir: t.TempDir(), files: map[string]string{}}
	run := func(args ...string) string {
		t.Helper()
		code, out, errs := call("", args...)
		if code != 0 {
			t.Fatalf("%q: %d %s", args, code, errs)
		}
		return out
	}
	write := func(kind, name, text string) {
		x.files[kind] = filepath.Join(x.dir, name)
		if err := os.WriteFile(x.files[kind], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	runs := filepath.Join(x.dir, "runs")
	run("search", wire, "-quiet", "-k", "1000", "-o", runs, "-s", "bm25", "-s", "bm25 >> rm3")
	x.files["comparison"] = filepath.Join(x.dir, "c.rankbox")
	x.files["report"] = filepath.Join(x.dir, "r.rankbox-report")
	x.runs = []string{filepath.Join(wire, "qrels", "test.tsv"), filepath.Join(runs, "bm25.run"),
		filepath.Join(runs, "bm25__rm3.run")}
	text := run(append([]string{"compare", "-pack", x.files["comparison"], "-save", x.files["report"], "-pairs", "all",
		"-quiet", "-m", "nDCG@10 AP", "-policy", "rel=2", "-q", "-o", "json"}, x.runs...)...)
	write("report JSON", "r.json", text)
	var j struct{ Hash string }
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		t.Fatal(err)
	}
	x.hash = j.Hash
	x.link = strings.TrimSpace(run(append([]string{"compare", "link", "-quiet", "-m", "nDCG@10"}, x.runs...)...))
	spec := writeSpec(t, `{"systems": ["bm25", "bm25 >> rm3"], "measures": ["nDCG@10", "AP"], "policy": "rel=2"}`)
	x.files["folder"] = filepath.Join(x.dir, "experiment")
	run("run", spec, "-collection", wire, "-quiet", "-o", x.files["folder"])
	x.files["experiment"] = filepath.Join(x.files["folder"], outcomeFile)
	x.files["page"] = filepath.Join(x.files["folder"], pageFile)
	return x
}

// Every form of the same comparison holds, by its own stored hash and by that of the others: run and compare measured
// the same rankings.
func TestVerifyHolds(t *testing.T) {
	x := store(t)
	for kind, name := range x.files {
		code, v, errs := verifies(t, name, "-hash", x.hash[:12])
		if code != 0 || !v.Holds || errs != "" {
			t.Errorf("%s: %d %s %+v", kind, code, errs, v)
		}
		for _, c := range v.Checked {
			named := kind == "folder" || c.Kind == kind
			if c.Hash != x.hash || c.Stored != x.hash || c.Verdict != "holds" || !named {
				t.Errorf("%s: %+v", kind, c)
			}
		}
	}
	if _, v, _ := verifies(t, x.files["folder"]); len(v.Checked) != 3 {
		t.Errorf("the folder has %d files that are verified", len(v.Checked))
	}
	code, v, errs := verifies(t, x.files["experiment"], "-collection", wire)
	if code != 0 || v.Checked[0].From != "collection" || v.Checked[0].Hash != x.hash {
		t.Errorf("run again: %d %s %+v", code, errs, v)
	}
	want := "every figure and every word matches (written again from its rankings)\n  hash " + x.hash
	if code, out, errs := call("", "verify", x.files["page"]); code != 0 || !strings.Contains(out, want) {
		t.Errorf("%d %s %s", code, out, errs)
	}
	text, err := os.ReadFile(x.files["report JSON"])
	if err != nil {
		t.Fatal(err)
	}
	if code, out, errs := call(string(text), "verify", "-"); code != 0 || !strings.Contains(out, "every word matches") {
		t.Errorf("standard input: %d %s %s", code, out, errs)
	}
}

// A report page that is too large for its runs has the report inside, whose figures are concluded again.
func TestVerifyAPageWithoutRuns(t *testing.T) {
	x := store(t)
	page, err := os.ReadFile(x.files["page"])
	if err != nil {
		t.Fatal(err)
	}
	inside, err := handout.Data(page)
	if err != nil {
		t.Fatal(err)
	}
	f, err := packed.Unpack(inside)
	if err != nil {
		t.Fatal(err)
	}
	r, err := compare.Compare(f.Input, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var alone bytes.Buffer
	if err := handout.Write(&alone, r, nil, known(r, &f.Input, nil, nil), "a paragraph"); err != nil {
		t.Fatal(err)
	}
	page = alone.Bytes()
	name := filepath.Join(x.dir, "small.html")
	if err := os.WriteFile(name, page, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, v, errs := verifies(t, name); code != 0 || v.Checked[0].From != "values by query" {
		t.Errorf("%d %s %+v", code, errs, v)
	}
}

func TestVerifyLinks(t *testing.T) {
	x := store(t)
	code, v, errs := verifies(t, "https://example.org/compare#"+x.link)
	if code != 0 || !v.Holds || len(v.Checked) != 1 || v.Checked[0].Verdict != "holds" ||
		v.Checked[0].From != "grades by rank" {
		t.Fatalf("a link of runs: %d %s %+v", code, errs, v)
	}
	hash := v.Checked[0].Hash
	code, v, _ = verifies(t, x.link, "-hash", hash[:8])
	if code != 0 || !v.Holds || v.Checked[0].Stored != hash {
		t.Errorf("with its hash: %d %+v", code, v)
	}
	code, v, errs = verifies(t, x.link, "-hash", x.hash)
	if code != 1 || !strings.Contains(errs, "differ") || v.Holds {
		t.Errorf("with another hash: %d %s %+v", code, errs, v)
	}
	// Whoever changed a judgment and not the hash is told.
	if code, v, _ = verifies(t, edited(t, x.link)); code != 1 || v.Holds || v.Checked[0].Verdict != "differs" {
		t.Errorf("an edited link: %d %+v", code, v)
	}
	// A link of the page about the same systems has the same hash, that of the whole runs.
	_, text, _ := call("", append([]string{"compare", "-quiet", "-m", "nDCG@10", "-q", "-o", "json"}, x.runs...)...)
	var whole struct{ Hash string }
	if err := json.Unmarshal([]byte(text), &whole); err != nil || whole.Hash != hash {
		t.Fatal(whole.Hash, hash, err)
	}
	about := experiment.Spec{Systems: []string{"bm25", "bm25>>rm3"}, Measures: []string{"nDCG@10"}}
	about.Hash = "0123456789abcdef"
	f, err := share.Encode(share.Address{Spec: about})
	if err != nil {
		t.Fatal(err)
	}
	code, v, errs = verifies(t, "https://example.org/#"+f, "-collection", wire, "-hash", hash)
	if code != 0 || !v.Holds || v.Checked[0].From != "collection" || len(v.Checked[0].Notes) != 1 {
		t.Errorf("a link of systems: %d %s %+v", code, errs, v)
	}
	want := `the link names the collection "harbour-wire" and carries no documents: give -collection`
	if code, _, errs := verifies(t, "https://example.org/#"+f); code != 3 || !strings.Contains(errs, want) {
		t.Errorf("without the collection: %d %s", code, errs)
	}
	// A link that names no system is about those that the page opens with.
	if f, err = share.Encode(share.Address{}); err != nil {
		t.Fatal(err)
	}
	code, v, errs = verifies(t, "#"+f, "-collection", wire)
	if code != 0 || v.Checked[0].Verdict != "computed" {
		t.Errorf("a link without systems: %d %s %+v", code, errs, v)
	}
}

// edited packs what a link holds again, with another baseline and the hash that it had.
func edited(t *testing.T, link string) string {
	t.Helper()
	f, err := packed.ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	f.Input.Baseline = 1
	b, err := packed.Pack(*f, packed.Saving{})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "edited.rankbox")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// replaced writes a file with one text in the place of another, which must be there.
func replaced(t *testing.T, name, old, with string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%s holds no %q", name, old)
	}
	out := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(out, bytes.Replace(b, []byte(old), []byte(with), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	return out
}

// Whatever was edited, the exit code is 1 and the edited figure is named.
func TestVerifyNamesWhatWasEdited(t *testing.T) {
	x := store(t)
	var r struct {
		Runs []struct {
			Measures map[string]map[string]any
		}
		Pairs []map[string]any
	}
	text, err := os.ReadFile(x.files["report JSON"])
	if err != nil || json.Unmarshal(text, &r) != nil {
		t.Fatal(err)
	}
	raw := func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}
	first := r.Runs[0].Measures["nDCG@10"]
	other := strings.Repeat("0", 64)
	page, err := os.ReadFile(x.files["page"])
	if err != nil {
		t.Fatal(err)
	}
	shown := `<td class="n">` + handout.Figures(page)[0]
	if !bytes.Contains(page, []byte(shown)) {
		shown = `<td class="n"><b>` + handout.Figures(page)[0]
	}
	for name, c := range map[string]struct{ kind, old, with, want string }{
		"a mean": {"report JSON", `"mean":` + raw(first["mean"]), `"mean":0.9`,
			`runs[0: bm25].measures["nDCG@10"].mean: stored 0.9`},
		"the end of an interval": {"report JSON", `"high":` + raw(first["high"]), `"high":0.95`,
			`runs[0: bm25].measures["nDCG@10"].high: stored 0.95`},
		"a p": {"report JSON", `"p":` + raw(r.Pairs[0]["p"]), `"p":0.001`,
			"pairs[0: nDCG@10, bm25, bm25__rm3].p: stored 0.001"},
		"a p on a further measure": {"report JSON", `"p":` + raw(r.Pairs[1]["p"]), `"p":0.002`,
			"pairs[1: AP, bm25, bm25__rm3].p: stored 0.002"},
		"the hash":                {"report JSON", `"hash":"` + x.hash, `"hash":"` + other, "stored hash does not match"},
		"a decision":              {"report JSON", `"rel":"2"`, `"rel":"1"`, "policies.rel: stored 1, computed 2"},
		"a grade":                 {"report JSON", `"grades":{"`, `"grades":{"9":1,"`, `collection.grades["9"]: stored 1`},
		"a run's name":            {"report JSON", `"name":"bm25"`, `"name":"BM25"`, "name: stored BM25, computed bm25"},
		"a mean of an experiment": {"experiment", `"mean":` + raw(first["mean"]), `"mean":0.9`, "stored 0.9"},
		"a figure of a page":      {"page", shown, strings.Replace(shown, "0.", "0.9", 1), "column 8: stored 0.9"},
		"the hash of a page":      {"page", "Report <code>" + x.hash, "Report <code>" + other, "stored 000"},
		"the tables of a page":    {"page", `<td class="n">`, `<td>`, `element <td> in table 1, row 1, column 3: stored <td`},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call("", "verify", replaced(t, x.files[c.kind], c.old, c.with))
			if code != 1 || !strings.Contains(out, c.want) || !strings.Contains(errs, "the figures differ") {
				t.Errorf("%d %s\n%s\nwant %s", code, errs, out, c.want)
			}
		})
	}
	t.Run("the hash of a comparison", func(t *testing.T) {
		b, err := os.ReadFile(x.files["comparison"])
		if err != nil {
			t.Fatal(err)
		}
		f, err := packed.Unpack(b)
		if err != nil || f.Hash != x.hash {
			t.Fatal(err, f.Hash)
		}
		f.Hash = other
		if b, err = packed.Pack(*f, packed.Saving{}); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(t.TempDir(), "c.rankbox")
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		code, v, errs := verifies(t, name)
		if code != 1 || v.Checked[0].Stored != other || v.Checked[0].Hash != x.hash {
			t.Errorf("%d %s %+v", code, errs, v)
		}
	})
	t.Run("rankings and judgments of a comparison", func(t *testing.T) {
		b, err := os.ReadFile(x.files["comparison"])
		if err != nil {
			t.Fatal(err)
		}
		f, err := packed.Unpack(b)
		if err != nil {
			t.Fatal(err)
		}
		f.Runs[0], f.Runs[1] = f.Runs[1], f.Runs[0]
		if b, err = packed.Pack(*f, packed.Saving{}); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		for name, b := range map[string][]byte{comparisonFile: b, outcomeFile: mustRead(t, x.files["experiment"])} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		code, v, errs := verifies(t, dir)
		if code != 1 || len(v.Checked) != 2 {
			t.Fatalf("%d %s %+v", code, errs, v)
		}
		a, b2 := v.Checked[0], v.Checked[1]
		if a.Verdict != "holds" || b2.Verdict != "differs" || len(b2.Differences) == 0 ||
			!strings.Contains(strings.Join(b2.Problems, " "), "its figures differ from") {
			t.Errorf("%d %s %+v", code, errs, v)
		}
	})
	t.Run("an experiment of another collection", func(t *testing.T) {
		name := replaced(t, x.files["experiment"], `"systems":["bm25",`, `"systems":["bm25(k1=2)",`)
		code, out, errs := call("", "verify", name, "-collection", wire)
		if code != 1 || !strings.Contains(out, "run again it has") {
			t.Errorf("%d %s %s", code, out, errs)
		}
	})
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What cannot be read is bad data, and the message names the file and what is wrong.
func TestVerifyRefusesWhatIsDamaged(t *testing.T) {
	x := store(t)
	write := func(b []byte) string {
		t.Helper()
		name := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	flipped := mustRead(t, x.files["comparison"])
	flipped[len(flipped)/2] ^= 1
	half := func(kind string) []byte { b := mustRead(t, x.files[kind]); return b[:len(b)/2] }
	for name, c := range map[string]struct {
		arg, want string
		code      int
	}{
		"a flipped bit":      {write(flipped), "damaged", 3},
		"half a comparison":  {write(half("comparison")), "damaged", 3},
		"half a report":      {write(half("report")), "damaged", 3},
		"half a page":        {write(half("page")), "is incomplete", 3},
		"half a JSON":        {write(half("report JSON")), "unexpected end of JSON", 3},
		"half an experiment": {write(half("experiment")), "unexpected end of JSON", 3},
		"another JSON":       {write([]byte(`{"a":1}`)), `its format is not "rankbox-report"`, 3},
		"a run":              {runFile, "neither a Rankbox link nor a file with figures", 3},
		"an empty folder":    {t.TempDir(), "is not the folder of an experiment", 3},
		"a file that is not": {filepath.Join(x.dir, "nothing"), "no such file", 3},
		"half a link":        {x.link[:len(x.link)/2], "damaged", 3},
		"a link of systems":  {"v=1&s=bm25&x=00000000", "the link was damaged", 3},
		"somebody's link":    {"https://example.org/#top", "neither a Rankbox link", 3},
		"no word":            {"-o", "flag needs an argument", 2},
		"a hash that is no":  {"-hash=xyz", "want one link or file", 2},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call("", "verify", c.arg)
			if code != c.code || !strings.Contains(errs, c.want) {
				t.Errorf("%d %s%s, want %s", code, out, errs, c.want)
			}
		})
	}
	if code, _, errs := call("", "verify", x.link, "-hash", "12"); code != 2 || !strings.Contains(errs, "8 to 64") {
		t.Errorf("%d %s", code, errs)
	}
}

// Whatever a file holds, it is refused or recomputed.
func FuzzVerify(f *testing.F) {
	f.Add([]byte(`{"format":"rankbox-report","version":1,"runs":[{"name":"a"}],"measures":[{"measure":"AP"}],` +
		`"queries":[{"query":"1","values":{"AP":[1]}}]}`))
	f.Add([]byte(`{"format":"rankbox-experiment","report":{}}`))
	f.Add([]byte("<!doctype html>\n<!-- rankbox page 1 -->\n" + `<td class="n"><b>1</b></td>Report <code>` + strings.Repeat("0", 64) + `</code>`))
	f.Add([]byte("runs=AA&x=00000000"))
	f.Add([]byte("v=1&s=bm25&x=00000000"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<12 {
			return
		}
		x := &verifying{c: &context{in: strings.NewReader(""), out: &bytes.Buffer{}, err: &bytes.Buffer{}}}
		v, err := x.file(b)
		if (v == nil) == (err == nil) {
			t.Fatalf("%+v, %v", v, err)
		}
		if v != nil && len(v.Computed) != 64 {
			t.Errorf("hash %q", v.Computed)
		}
	})
}
