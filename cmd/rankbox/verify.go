package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/present/chart/facts"
	"github.com/rankbox/rankbox/core/present/handout"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// verifying is what was asked of rankbox verify.
type verifying struct {
	c          *context
	from       opening
	collection string
	expected   string // hash or its first digits, "" for none
	quiet      bool
}

// verified is what came out for one link or file.
type verified struct {
	Name     string // the file, or "link"
	Kind     string // "comparison", "report", "page", "report JSON", "Markdown", "SVG", "experiment", "runs link", "link"
	From     string // the source of the figures: "rankings", "grades by rank", "values by query", "collection"
	Stored   string // the hash as it is stored, "" where none is
	Computed string
	Words    bool     // the document was made again, and every word of it compared
	Former   bool     // an earlier version wrote it: point figures alone were compared
	Problems []string // beside figures that differ
	Notes    []string // what is no reason to doubt the figures
	Differ   []report.Difference

	stored, again *report.Report // stored is nil where only a hash is
	input         *compare.Input // nil where there are no rankings
}

// errForeign says what can be verified.
var errForeign = errors.New("neither a Rankbox link nor a file with figures: want a packed comparison or " +
	"report (.rankbox), a report page (.html), a report's or an experiment's JSON, Markdown that compare -q wrote, a " +
	"figure (.svg), or the folder of an experiment")

// verify computes the figures of a link or a file again.
func verify(c *context, args []string) error {
	f := flag.NewFlagSet("verify", flag.ContinueOnError)
	x := &verifying{c: c}
	f.StringVar(&x.collection, "collection", "",
		"the collection of a link or an experiment: a folder, zip or bundle, or the name of a public one")
	f.StringVar(&x.expected, "hash", "", "the printed hash, at least its first 8 digits: exit code 1 if it differs")
	f.StringVar(&x.expected, "digest", "", "the same: its name in earlier versions")
	format := f.String("o", "text", "output: text or json")
	f.BoolVar(&x.quiet, "quiet", false, "no warnings on standard error")
	x.from.flags(f)
	x.from.modelFlags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	switch {
	case len(words) != 1:
		return usagef("want one link or file")
	case checkTextOrJSON(*format) != nil:
		return checkTextOrJSON(*format)
	case x.expected != "" && (len(x.expected) < 8 || len(x.expected) > 64 || !isHex(x.expected)):
		return usagef("-hash %q: want 8 to 64 lowercase hexadecimal digits", x.expected)
	}
	list, err := x.open(words[0])
	if err != nil {
		return err
	}
	for _, v := range list {
		v.check(x.expected)
	}
	out, end := c.output(*format)
	if *format == "json" {
		err = writeVerifiedJSON(out, list)
	} else {
		err = writeVerified(out, list)
	}
	end()
	if err != nil {
		return err
	}
	if n := len(slices.DeleteFunc(slices.Clone(list), func(v *verified) bool { return !v.fails() })); n > 0 {
		return gateError{errors.New("the figures differ")}
	}
	return nil
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// open recomputes what a word names: a folder, a file or a link.
func (x *verifying) open(word string) ([]*verified, error) {
	info, err := os.Stat(word)
	switch {
	case err == nil && info.IsDir():
		return x.folder(word)
	case err == nil || word == "-":
		f, name, err := x.c.open(word)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		data, err := within.All(f, 0, mostFolder)
		if err != nil {
			return nil, say.Faultf("rankbox", "%s: %w", name, err)
		}
		return x.named(name, data)
	}
	if v, err := x.link(word); v != nil || !errors.Is(err, errForeign) {
		return []*verified{v}, err
	}
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(word, "#&") {
		return nil, err // a file that is not there
	}
	return nil, fmt.Errorf("this is %w", errForeign)
}

// named recomputes a file. Errors name it.
func (x *verifying) named(name string, data []byte) ([]*verified, error) {
	v, err := x.file(data)
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	v.Name = name
	return []*verified{v}, nil
}

// file recomputes the content of a file.
func (x *verifying) file(data []byte) (*verified, error) {
	text := bytes.TrimLeft(data, " \t\r\n")
	switch {
	case packed.IsReport(data):
		r, err := packed.UnpackReport(data)
		if err != nil {
			return nil, err
		}
		return x.values("report", &storedReport{report: r, former: packed.FormerReport(data)})
	case bytes.HasPrefix(data, []byte("RBX")):
		f, err := packed.Unpack(data)
		if err != nil {
			return nil, err
		}
		return x.rankings("comparison", f)
	case handout.Is(data):
		return x.page(data)
	case bytes.HasPrefix(text, []byte("<svg ")):
		return x.svg(data)
	case bytes.HasPrefix(text, []byte("{")):
		return x.json(text)
	case bytes.Contains(text, []byte(export.CarriedOpen)):
		return x.markdown(data)
	}
	if len(text) > 4*packed.MaxLink {
		return nil, errForeign
	}
	return x.link(strings.TrimSpace(string(text)))
}

// rankings measures and tests the runs of a comparison again.
func (x *verifying) rankings(kind string, f *packed.File) (*verified, error) {
	r, err := compare.Compare(f.Input, x.c.stop, nil)
	if err != nil {
		return nil, err
	}
	v := &verified{Kind: kind, From: "rankings", Stored: f.Hash, Computed: r.Hash, again: r, input: &f.Input}
	if f.Graded != nil {
		v.From = "grades by rank"
	}
	v.written(f.Former)
	return v, nil
}

// written says that an earlier version wrote the file, if it did: its hash covered intervals and tests, which are
// computed in another way now, so neither is compared.
func (v *verified) written(former bool) {
	if v.Former = v.Former || former; v.Former {
		if v.Stored = ""; v.Notes == nil {
			v.Notes = []string{"an earlier version wrote it: the hash of that one covers intervals and tests, which are " +
				"computed in another way now, so it was not compared"}
		}
		v.Differ = slices.DeleteFunc(v.Differ, func(d report.Difference) bool { return d.Inferred })
	}
}

// values concludes a stored report again.
func (x *verifying) values(kind string, k *storedReport) (*verified, error) {
	r := k.report
	again, differ, err := r.Recompute(x.c.stop)
	if err != nil {
		return nil, err
	}
	more, err := again.TestDifferences(k.tests, x.c.stop)
	if err != nil {
		return nil, err
	}
	v := &verified{Kind: kind, From: "values by query", Stored: r.Hash, Computed: again.Hash, stored: r, again: again}
	v.Differ = slices.Concat(differ, more)
	v.written(k.former)
	return v, nil
}

// page recomputes the data of a report page, writes the page again, and compares the two.
func (x *verifying) page(data []byte) (*verified, error) {
	inside, err := handout.Data(data)
	if err != nil {
		return nil, err
	}
	v, err := x.file(inside)
	if err != nil {
		return nil, err
	}
	v.Kind = "page"
	if handout.Former(data) {
		v.written(true)
		shown := handout.Figures(data)
		for m, c := range v.again.Columns {
			for s, mean := range c.Means {
				if text := say.Plain.Number(mean, 4); !slices.Contains(shown, text) {
					v.Differ = append(v.Differ, report.Difference{Computed: text, Stored: "not in the page's tables",
						What: "mean of " + v.again.Measures[m] + " of " + v.again.Systems[s].Label})
				}
			}
		}
		return v, nil
	}
	beside, err := handout.ReadBeside(data)
	if err != nil {
		return nil, err
	}
	if !beside.Fits(len(v.again.Systems)) {
		return nil, handout.ErrNoData
	}
	about := beside.Facts
	if v.input != nil { // what follows from the rankings is made of them
		about = facts.Of(v.again, v.input)
		about.Times, about.Protocol, about.Costs = beside.Facts.Times, beside.Facts.Protocol, beside.Facts.Costs
		about.Patterns, about.Courses = beside.Facts.Patterns, beside.Facts.Courses
	}
	var page bytes.Buffer
	if err := handout.Write(&page, v.again, v.input, about, beside.Paragraphs...); err != nil {
		return nil, err
	}
	v.words(differsMarkup(string(data), page.String()))
	return v, nil
}

// words takes in what differs between a document and what is made of its data. Every figure of a document is a word of
// it, so what differs in its data alone is left out where the same document is made of it.
func (v *verified) words(differ []report.Difference) {
	v.Words = true
	v.Differ = append(v.Differ, differ...)
}

// svg recomputes the data of a figure, draws it again, and compares the two.
func (x *verifying) svg(data []byte) (*verified, error) {
	r, draw, err := handout.ReadSVG(data)
	if err != nil {
		return nil, err
	}
	v, err := x.values("SVG", &storedReport{report: r})
	if err != nil {
		return nil, err
	}
	v.words(differsMarkup(string(data), string(draw(v.again))))
	return v, nil
}

// markdown recomputes the data of a report in Markdown, writes it again, and compares the two.
func (x *verifying) markdown(data []byte) (*verified, error) {
	_, s, _ := strings.Cut(string(data), export.CarriedOpen)
	s, _, closed := strings.Cut(s, export.CarriedClose)
	columns, code, two := strings.Cut(s, " ")
	if !closed || !two {
		return nil, errors.New("the data of this Markdown are damaged")
	}
	r, err := packed.Carried(code)
	if err != nil {
		return nil, err
	}
	v, err := x.values("Markdown", &storedReport{report: r})
	if err != nil {
		return nil, err
	}
	detail := export.Detail{Queries: true}
	for c := range strings.SplitSeq(columns, ",") {
		m, err := strconv.Atoi(c)
		if err != nil {
			return nil, errors.New("the data of this Markdown are damaged")
		}
		t, err := v.again.TestOn(m, x.c.stop)
		if err != nil {
			return nil, err
		}
		detail.Tests = append(detail.Tests, t)
	}
	var b bytes.Buffer
	if err := export.Write(&b, v.again, "md", detail); err != nil {
		return nil, err
	}
	v.words(differsMarkdown(string(data), b.String()))
	return v, nil
}

// json recomputes a report's or an experiment's JSON.
func (x *verifying) json(data []byte) (*verified, error) {
	var j struct {
		Format, Hash string
		Spec, Report json.RawMessage
		Runs         json.RawMessage
	}
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, err
	}
	if j.Format != "rankbox-experiment" {
		return x.reportJSON("report JSON", data)
	}
	v, err := x.reportJSON("experiment", j.Report)
	if err == nil {
		var runs []storedRun
		if err = json.Unmarshal(j.Runs, &runs); err == nil {
			v.Problems = append(v.Problems, unanswered(runs)...)
		}
	}
	if err == nil && x.collection == "" && x.from.corpus == "" {
		v.Notes = append(v.Notes, "its report was compared, its analyses, methods and plan were not: give -collection")
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	return v, x.again(v, j.Spec, data, j.Hash)
}

// reportJSON recomputes a report's JSON. If it carries data, they are what is computed, and every member is compared
// with that of the JSON that they give.
func (x *verifying) reportJSON(kind string, data []byte) (*verified, error) {
	k, err := decodeReport(data)
	if err != nil {
		return nil, err
	}
	if k.data == nil {
		return x.values(kind, k)
	}
	v, err := x.values(kind, &storedReport{report: k.data})
	if err != nil {
		return nil, err
	}
	detail := export.Detail{Queries: true}
	for _, m := range k.further {
		again, err := v.again.TestOn(m, x.c.stop)
		if err != nil {
			return nil, err
		}
		detail.Tests = append(detail.Tests, again)
	}
	var b bytes.Buffer
	if err := export.Write(&b, v.again, "json", detail); err != nil {
		return nil, err
	}
	differ, err := differsJSON(data, b.Bytes())
	v.stored, v.Stored = k.report, k.report.Hash
	v.words(differ)
	return v, err
}

// storedRun is what an experiment's JSON says of a run.
type storedRun struct {
	Name, State string
	Queries     struct {
		Evaluated, Empty, Failed int
		FellBack                 int `json:"fell_back"`
		NoAnswer                 int `json:"no_answer"`
	}
	Unconfirmed string
}

// unanswered says of which runs the figures lack the answers of a backend, or may be those of another one.
func unanswered(runs []storedRun) (out []string) {
	for _, r := range runs {
		if r.State != matrix.Completed.String() {
			continue
		}
		q := r.Queries
		if n := q.FellBack + q.NoAnswer; n > 0 {
			out = append(out, fmt.Sprintf("%s: %d of %s %s no answer, so its figures are partial", say.Visible(r.Name), n,
				say.Count(q.Evaluated+q.Empty+q.Failed, "query", "queries"), say.Verb(n, "has", "have")))
		}
		if r.Unconfirmed != "" {
			out = append(out, say.Visible(r.Name)+" was not confirmed: "+say.Visible(r.Unconfirmed))
		}
	}
	return out
}

// again runs an experiment again on its collection.
func (x *verifying) again(v *verified, text, data []byte, hash string) error {
	spec, err := matrix.ReadSpec(text)
	if err != nil {
		return err
	}
	spec.Collection = x.collection
	s, err := openFor(x.c, &x.from, spec, x.quiet)
	if err != nil {
		return err
	}
	of := s.Ref()
	if of.Hash, err = x.from.basis(of.Hash); err != nil {
		return err
	}
	p, err := matrix.NewPlan(spec, of, s.Parts())
	if err != nil {
		return err
	}
	out, _, err := conduct(x.c, p, s, &matrix.Memory{}, 1, true, false)
	if err != nil {
		return err
	}
	v.From, v.Computed, v.again = "collection", out.Report.Hash, out.Report
	if hash != out.Hash && !v.Former {
		v.Problems = append(v.Problems, "the experiment has the hash "+say.Visible(hash)+"; run again it has "+out.Hash+
			": its plan, its collection or the outcome of a query changed")
	}
	if !bytes.Contains(data, []byte(`"stages":`)) { // written before there were any
		for i := range out.Status {
			out.Status[i].Stages = nil
		}
	}
	made, err := out.JSON()
	if err != nil {
		return err
	}
	if v.Former {
		v.Differ = append(v.Differ, v.stored.Differences(out.Report)...)
		v.written(true)
		return nil
	}
	differ, err := differsJSON(data, made)
	v.Differ = append(v.Differ, differ...)
	return err
}

// folder recomputes the files of an experiment, and holds them against one another.
func (x *verifying) folder(dir string) ([]*verified, error) {
	var out []*verified
	for _, name := range []string{outcomeFile, comparisonFile, pageFile} {
		name = filepath.Join(dir, name)
		data, err := readFile(name, mostFolder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list, err := x.named(name, data)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s is not the folder of an experiment: it has neither %s nor %s", dir, outcomeFile,
			comparisonFile)
	}
	first := out[0]
	for _, v := range out[1:] {
		if v.Computed != first.Computed {
			v.Problems = append(v.Problems, "its figures differ from "+first.Name)
		}
		if first.stored != nil && v.From == "rankings" {
			v.Differ = append(v.Differ, first.stored.Differences(v.again)...)
			v.written(first.Former)
		}
	}
	return out, nil
}

// link recomputes a link, whole or from its # on. The error wraps errForeign where it is none of ours.
func (x *verifying) link(text string) (*verified, error) {
	if _, fragment, ok := strings.Cut(text, "#"); ok {
		text = fragment
	}
	if strings.HasPrefix(text, packed.LinkPrefix) {
		f, err := packed.ReadLink(text)
		if err != nil {
			return nil, err
		}
		v, err := x.rankings("runs link", f)
		if v != nil {
			v.Name = "link"
		}
		return v, err
	}
	a, err := share.Decode(text)
	if e, ok := errors.AsType[*share.Error](err); ok && e.Reason == share.Foreign {
		return nil, errForeign
	}
	if err != nil {
		return nil, err
	}
	return x.address(a)
}

// address evaluates the systems of a link on its collection.
func (x *verifying) address(a share.Address) (*verified, error) {
	name := a.Collection
	if name == "" {
		name = share.DefaultCollection
	}
	if x.collection == "" && x.from.corpus == "" {
		return nil, fmt.Errorf("the link names the collection %q and carries no documents: give -collection, its "+
			"folder, zip or bundle, or its name if it is public", name)
	}
	words := []string{x.collection}
	if x.from.corpus != "" {
		words = nil
	}
	s, warnings, err := x.from.session(x.c, words)
	if err != nil {
		return nil, err
	}
	if !x.quiet {
		warn(x.c, "verify", warnings)
	}
	if len(a.Systems) == 0 {
		a.Systems = stage.DefaultsFor(len(s.Models.All()) > 0 && !s.Bundle().Manifest.Lexical())
	}
	if x.from.distant != nil {
		var nodes pipelines
		for _, text := range a.Systems {
			n, err := stage.Parse(text)
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, n)
		}
		if s, err = x.from.ready(x.c, s, nodes...); err != nil {
			return nil, err
		}
	}
	r, err := s.Evaluate(a.Spec, x.c.stop)
	if err != nil {
		return nil, err
	}
	v := &verified{Name: "link", Kind: "link", From: "collection", Computed: r.Hash, again: r}
	if a.Hash != "" && !strings.HasPrefix(s.Ref().Hash, a.Hash) {
		v.Notes = append(v.Notes, fmt.Sprintf("the link names a collection with the hash %s…, this one has %s…: "+
			"documents, index or models differ", a.Hash, s.Ref().Hash[:len(a.Hash)]))
	}
	return v, nil
}

// check holds what was computed against the hash that is stored and the one that is expected.
func (v *verified) check(expected string) {
	if v.Stored != "" && v.Stored != v.Computed {
		v.Problems = append(v.Problems, "the stored hash does not match the computed figures")
	}
	if expected != "" && !strings.HasPrefix(v.Computed, expected) {
		v.Problems = append(v.Problems, "the hash of the figures is not the expected one, "+expected)
	}
	if expected != "" && v.Stored == "" {
		if v.Stored = expected; strings.HasPrefix(v.Computed, expected) {
			v.Stored = v.Computed
		}
	}
}

// fails reports whether something differs.
func (v *verified) fails() bool { return len(v.Problems)+len(v.Differ) > 0 }

// verdict is "holds", "differs", "computed" where there was no hash to hold the figures against, or "figures" where an
// earlier version wrote the words, which were not compared.
func (v *verified) verdict() string {
	switch {
	case v.fails():
		return "differs"
	case v.Former && (v.stored != nil || v.Kind == "page"):
		return "figures"
	case v.Stored == "":
		return "computed"
	}
	return "holds"
}
