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
	"strings"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/handout"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/share/packed"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/core/within"
)

// verifying is what was asked of rankbox verify.
type verifying struct {
	c          *context
	from       opening
	collection string
	expected   string // digest or its first digits, "" for none
	quiet      bool
}

// verified is what came out for one link or file.
type verified struct {
	Name     string // the file, or "link"
	Kind     string // "comparison", "report", "page", "report JSON", "experiment", "runs link", "link"
	From     string // the source of the figures: "rankings", "grades by rank", "values by query", "collection"
	Stored   string // the digest as it is stored, "" where none is
	Computed string
	Problems []string // beside figures that differ
	Notes    []string // what is no reason to doubt the figures
	Differ   []report.Difference

	stored, again *report.Report // stored is nil where only a digest is
}

// errForeign says what can be verified.
var errForeign = errors.New("neither a Rankbox link nor a file with figures: want a packed comparison or " +
	"report (.rankbox), a report page (.html), a report's or an experiment's JSON, or the folder of an experiment")

// verify computes the figures of a link or a file again.
func verify(c *context, args []string) error {
	f := flag.NewFlagSet("verify", flag.ContinueOnError)
	x := &verifying{c: c}
	f.StringVar(&x.collection, "collection", "",
		"the collection of a link or an experiment: a folder, zip or bundle, or the name of a public one")
	f.StringVar(&x.expected, "digest", "",
		"the printed digest, at least its first 8 digits: exit code 1 if it differs")
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
		return usagef("-digest %q: want 8 to 64 lowercase hexadecimal digits", x.expected)
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
		return x.values("report", &storedReport{report: r})
	case bytes.HasPrefix(data, []byte("RBX")):
		f, err := packed.Unpack(data)
		if err != nil {
			return nil, err
		}
		return x.rankings("comparison", f)
	case bytes.HasPrefix(data, []byte(handout.Begins)):
		return x.page(data)
	case bytes.HasPrefix(text, []byte("{")):
		return x.json(text)
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
	from := "rankings"
	if f.Graded != nil {
		from = "grades by rank"
	}
	return &verified{Kind: kind, From: from, Stored: f.Digest, Computed: r.Hash, again: r}, nil
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
	if k.digest != "" && k.digest != export.Digest(r) {
		v.Problems = append(v.Problems, "the values by query do not match the member \"digest\"")
	}
	return v, nil
}

// page recomputes the data of a report page, and holds the figures that it shows against them.
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
	if shown := handout.Hash(data); shown != v.Stored && v.Stored != "" {
		v.Problems = append(v.Problems, "the page shows the digest "+say.Visible(shown)+", its data have "+v.Stored)
	} else {
		v.Stored = shown
	}
	shown, want := handout.Figures(data), handout.TableFigures(v.again)
	if len(shown) != len(want) {
		v.Problems = append(v.Problems,
			fmt.Sprintf("the page's tables have %d figures, its data %d", len(shown), len(want)))
		return v, nil
	}
	for i := range want {
		if shown[i] != want[i] {
			what := fmt.Sprintf("figure %d of the page's tables", i+1)
			v.Differ = append(v.Differ, report.Difference{What: what, Stored: shown[i], Computed: want[i]})
		}
	}
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
		k, err := decodeReport(data)
		if err != nil {
			return nil, err
		}
		return x.values("report JSON", k)
	}
	k, err := decodeReport(j.Report)
	if err != nil {
		return nil, err
	}
	v, err := x.values("experiment", k)
	if err == nil {
		var runs []storedRun
		if err = json.Unmarshal(j.Runs, &runs); err == nil {
			v.Problems = append(v.Problems, unanswered(runs)...)
		}
	}
	if err != nil || x.collection == "" && x.from.corpus == "" {
		return v, err
	}
	return v, x.again(v, j.Spec, j.Hash)
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
func (x *verifying) again(v *verified, text []byte, hash string) error {
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
	v.Differ = append(v.Differ, v.stored.Differences(out.Report)...)
	if hash != out.Hash {
		v.Problems = append(v.Problems, "the experiment has the hash "+say.Visible(hash)+"; run again it has "+out.Hash+
			": its plan, its collection or the outcome of a query changed")
	}
	return nil
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

// check holds what was computed against the digest that is stored and the one that is expected.
func (v *verified) check(expected string) {
	switch {
	case v.Stored == "" || v.Stored == v.Computed:
	case len(v.Differ) > 0:
		v.Problems = append(v.Problems, "the stored digest does not match the computed figures")
	default:
		v.Problems = append(v.Problems, "the stored digest does not match the figures: it was edited, "+
			"its source was, or an earlier version of Rankbox computed it differently")
	}
	if expected != "" && !strings.HasPrefix(v.Computed, expected) {
		v.Problems = append(v.Problems, "the digest of the figures is not the expected one, "+expected)
	}
	if expected != "" && v.Stored == "" {
		if v.Stored = expected; strings.HasPrefix(v.Computed, expected) {
			v.Stored = v.Computed
		}
	}
}

// fails reports whether the figures differ.
func (v *verified) fails() bool { return len(v.Problems)+len(v.Differ) > 0 }

// verdict is "holds", "differs", or "computed" where there was no digest to hold the figures against.
func (v *verified) verdict() string {
	switch {
	case v.fails():
		return "differs"
	case v.Stored == "":
		return "computed"
	}
	return "holds"
}
