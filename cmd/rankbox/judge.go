package main

import (
	"bufio"
	"bytes"
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
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
)

// judge lets a class build a collection: split gives each judge a share of a pool, merge joins what they hand in.
func judge(c *context, args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "split":
			return splitPool(c, args[1:])
		case "merge":
			return mergeJudgments(c, args[1:])
		}
	}
	if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		return splitPool(c, args)
	}
	return usagef("want split or merge: rankbox judge split RUN… -judges 30 -o FOLDER, or rankbox judge merge " +
		"FILE|FOLDER… -o QRELS")
}

// splitPool writes a file for each judge with the documents to judge, as a run that Judge on the page takes.
func splitPool(c *context, args []string) error {
	f := flag.NewFlagSet("judge", flag.ContinueOnError)
	judges := f.Int("judges", 0, "split: how many judges there are")
	each := f.Int("each", 2, "split: how many judges each document has, 1 for no overlap")
	depth := f.Int("k", 10, "split: how many documents of each run's list are pooled")
	names := f.String("names", "", "split: a file with the judges' names, one a line, which name their shares")
	folder := f.String("o", "", "split: the folder to write the shares to; merge: the file to write the merged "+
		"qrels to")
	seed := f.Uint64("seed", 1, "split: seed of the order of documents within a query")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	called, err := judgeNames(*names, *judges)
	if err != nil {
		return err
	}
	if len(words) == 0 || *folder == "" || len(called) == 0 || *depth < 1 {
		return usagef("want runs whose documents are pooled, -judges or -names, and a folder: rankbox judge split " +
			"RUN… -judges 30 -o FOLDER")
	}
	c.limits = bounds.Limits
	var pool []workspace.Pooled
	seen := map[workspace.Pooled]bool{}
	for _, name := range words {
		run, warnings, err := ranking(c, name)
		if err != nil {
			return err
		}
		warn(c, "judge", warnings)
		for i, q := range run.Queries() {
			for _, entry := range run.Top(i, *depth, collection.DocIDDescending, nil) {
				if p := (workspace.Pooled{Query: q, Document: entry.Doc}); !seen[p] {
					seen[p] = true
					pool = append(pool, p)
				}
			}
		}
	}
	shares, err := workspace.Split(pool, len(called), *each, *seed)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*folder, 0o777); err != nil {
		return err
	}
	least, most := len(pool), 0
	for i, share := range shares {
		least, most = min(least, len(share)), max(most, len(share))
		if err := writeShare(filepath.Join(*folder, called[i]+".run"), called[i], share); err != nil {
			return err
		}
	}
	of := strconv.Itoa(most)
	if least < most {
		of = strconv.Itoa(least) + " to " + of
	}
	_, err = fmt.Fprintf(c.out, "%s of %d queries, each judged by %d: %s of %s documents in %s\n", say.Count(len(pool),
		"document", "documents"), countQueries(pool), *each,
		say.Count(len(shares), "share", "shares"), of, *folder)
	return err
}

// judgeNames are the names of shares: of a file, or share-01 and so on.
func judgeNames(file string, n int) (out []string, err error) {
	if file == "" {
		for i := 1; i <= n; i++ {
			out = append(out, fmt.Sprintf("share-%0*d", len(strconv.Itoa(n)), i))
		}
		return out, nil
	}
	b, err := readFile(file, 1<<20)
	if err != nil {
		return nil, err
	}
	s := bufio.NewScanner(bytes.NewReader(b))
	for line := 1; s.Scan(); line++ {
		name := strings.TrimSpace(s.Text())
		switch {
		case name == "":
			continue
		case strings.ContainsAny(name, `/\:*?"<>|`) || name[0] == '.' || strings.ContainsFunc(name,
			func(r rune) bool { return r < ' ' }):
			return nil, &collection.ParseError{File: file, Line: line, Err: fmt.Errorf("%q cannot name a file", name)}
		case slices.Contains(out, name):
			return nil, &collection.ParseError{File: file, Line: line, Err: fmt.Errorf("the name %q comes twice", name)}
		}
		out = append(out, name)
	}
	if n > 0 && n != len(out) {
		return nil, usagef("-judges is %d, but %s has %s", n, file, say.Count(len(out), "name", "names"))
	}
	return out, s.Err()
}

func countQueries(pool []workspace.Pooled) int {
	of := map[string]bool{}
	for _, p := range pool {
		of[p.Query] = true
	}
	return len(of)
}

// writeShare writes a share as a TREC run: the order of its documents is that in which they are to be judged.
func writeShare(file, name string, share []workspace.Pooled) error {
	of := map[string]int{}
	for _, p := range share {
		of[p.Query]++
	}
	var b bytes.Buffer
	rank := map[string]int{}
	tag := strings.Join(strings.Fields(name), "-")
	for _, p := range share {
		if strings.ContainsAny(p.Query+p.Document, " \t\n") {
			return fmt.Errorf("%s: a TREC run cannot hold query %q with document %q: an id has a space", file, p.Query,
				p.Document)
		}
		rank[p.Query]++
		fmt.Fprintf(&b, "%s Q0 %s %d %d %s\n", p.Query, p.Document, rank[p.Query], of[p.Query]-rank[p.Query]+1, tag)
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// mergeJudgments joins the judgments of many into one file by a rule, and says how far each agrees with the others.
func mergeJudgments(c *context, args []string) error {
	f := flag.NewFlagSet("judge", flag.ContinueOnError)
	file := f.String("o", "", "split: the folder to write the shares to; merge: the file to write the merged qrels to")
	rule := f.String("rule", string(workspace.Majority),
		"merge: which grade counts if judges differ: "+strings.Join(ruleNames(), ", "))
	tied := f.String("ties", "", "merge: the file to write the documents to on which the judges are tied, as a run that "+
		"Judge takes")
	format := f.String("f", "text", "merge: print the agreement as text or json")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if err := checkTextOrJSON(*format); err != nil {
		return err
	}
	if !slices.Contains(ruleNames(), *rule) {
		return usagef("-rule is %q: want %s", *rule, strings.Join(ruleNames(), ", "))
	}
	c.limits = bounds.Limits
	files, err := handedIn(words)
	if err != nil {
		return err
	}
	if len(files) < 2 {
		return usagef("want the judgments of at least two judges, or a folder of them: rankbox judge merge " +
			"FILE|FOLDER… -o QRELS")
	}
	w := workspace.New(workspace.Documents{})
	var sets []analysis.Judgments
	var bad []error // every file that is none is named
	for _, name := range files {
		set, warnings, err := handed(c, name)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if !*quiet {
			warn(c, "judge", warnings)
		}
		sets = append(sets, set)
		if err := addJudge(w, set.Name, set.Qrels); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := errors.Join(bad...); err != nil {
		return err
	}
	if *file != "" {
		if _, err := w.Apply(workspace.Edit{Stamp: w.Next(0, "rankbox"), Kind: workspace.SetRule,
			Text: *rule}); err != nil {
			return err
		}
		if err := writeResolved(*file, w); err != nil {
			return err
		}
	}
	sections, err := analysis.Agreement(sets, compare.Input{}, nil)
	if err != nil {
		return err
	}
	ties, list := tiesOf(w)
	if sections = append(sections, ties); *tied != "" && len(list) > 0 {
		if err := writeShare(*tied, "ties", list); err != nil {
			return err
		}
	}
	return printSections(c, *format, "rankbox-agreement", sections)
}

// mostTied is how many ties are listed on the terminal.
const mostTied = 20

// tiesOf says on which documents as many judges give one grade as another, and lists them for adjudication.
func tiesOf(w *workspace.Workspace) (s analysis.Section, list []workspace.Pooled) {
	s = analysis.Section{Name: "ties", Title: "Ties", Part: analysis.Matters}
	t := analysis.Table{Columns: []string{"query", "document", "grades", "majority"}}
	for _, d := range w.Disputes(nil) {
		if !d.Tied() {
			continue
		}
		var grades []float64
		for _, g := range d.Grades {
			grades = append(grades, g.Grade)
		}
		slices.Sort(grades) // who gave which is nobody's business here
		if list = append(list, workspace.Pooled{Query: d.Query, Document: d.Document}); len(list) <= mostTied {
			n := map[float64]int{}
			for _, g := range grades {
				n[g]++
			}
			counts := grades[0]
			for _, g := range grades {
				if n[g] > n[counts] {
					counts = g
				}
			}
			t.Rows = append(t.Rows, []analysis.Cell{analysis.Words(d.Query), analysis.Words(d.Document),
				analysis.Words(strings.Trim(fmt.Sprint(grades), "[]")), analysis.Grade(counts)})
		}
	}
	if len(list) == 0 {
		s.Sentence = "No document is tied: on each, one grade has more judges than every other."
		return s, nil
	}
	s.Sentence = say.Count(len(list), "document is", "documents are") + " tied: no grade has the most judges. By the rule " +
		"majority the lowest of the tied grades counts."
	s.Notes = []string{"To adjudicate them, write them with -ties and open that file on Judge."}
	if len(list) > mostTied {
		s.Notes = append(s.Notes, "The first "+say.Thousands(mostTied)+" are listed, the largest differences first.")
	}
	s.Tables = []analysis.Table{t}
	return s, list
}

// mostBad is how many lines of a file may be bad before the file is.
const mostBad = 20

// withoutBad reads a file, and reads it again without each line that cannot be read: a line of one student costs that
// line. If more lines are bad than good, or too many, the file is.
func withoutBad(c *context, name string, b []byte) (*collection.Content, []collection.Warning, error) {
	lines := bytes.SplitAfter(b, []byte("\n"))
	got, bad, err := withoutLines(c, name, lines)
	if err == nil {
		return got, bad, nil
	}
	// the first line may be the bad one, and all others not be like it
	first := slices.IndexFunc(lines, func(l []byte) bool { return len(bytes.TrimSpace(l)) > 0 && l[0] != '#' })
	if first >= 0 {
		lines[first] = []byte("\n")
		if got, bad, other := withoutLines(c, name, lines); other == nil {
			return got, append([]collection.Warning{{File: name, Line: first + 1, Kind: "bad-line", Count: 1,
				Message: "the line is left out: it is unlike the others"}}, bad...), nil
		}
	}
	return nil, nil, err
}

func withoutLines(c *context, name string, lines [][]byte) (*collection.Content, []collection.Warning, error) {
	lines = slices.Clone(lines)
	var bad []collection.Warning
	for {
		got, err := collection.Read(name, bytes.NewReader(bytes.Join(lines, nil)), collection.Options{Limits: c.limits,
			Prefer: collection.QrelsTREC})
		p, ok := errors.AsType[*collection.ParseError](err)
		if err == nil {
			got, warnings, err := judgmentsOf(c, name, got)
			return got, append(bad, warnings...), err
		}
		if !ok || p.Line < 1 || p.Line > len(lines) || len(bad) == mostBad || 2*len(bad) > len(lines) {
			return nil, nil, err
		}
		text := strings.TrimSpace(string(lines[p.Line-1]))
		if text == "" {
			return nil, nil, err
		}
		lines[p.Line-1] = []byte("\n")
		bad = append(bad, collection.Warning{File: name, Line: p.Line, Kind: "bad-line", Count: 1,
			Message: "the line is left out: " + say.Told(p.Err)})
	}
}

// handed reads the judgments of a file. What a student handed in is checked against its code, and called after the
// student. A line that is no judgment is left out, and named: then the code says nothing any more.
func handed(c *context, name string) (analysis.Judgments, []collection.Warning, error) {
	b, err := readFile(name, 4<<20) // a longer one is no student's
	if err == nil && assignment.IsHandIn(b) {
		h, err := assignment.ReadHandIn(b)
		if err != nil {
			got, bad, other := withoutBad(c, name, b)
			if student := assignment.StudentOf(b); other == nil && len(bad) > 0 && student != "" {
				bad[0].Message += ". The code of the file cannot be checked without it"
				return analysis.Judgments{Name: student, Qrels: got.Qrels}, bad, nil
			}
			return analysis.Judgments{}, nil, fmt.Errorf("%s: %s", name, say.Told(err))
		}
		q := collection.NewQrels()
		for _, g := range h.Grades {
			q.Add(g.Query, g.Document, g.Grade)
		}
		return analysis.Judgments{Name: h.Student, Qrels: q}, nil, nil
	}
	var got *collection.Content
	var warnings []collection.Warning
	if err != nil || bytes.HasPrefix(b, []byte("PK\x03\x04")) {
		got, warnings, err = judgments(c, name)
	} else {
		got, warnings, err = withoutBad(c, name, b)
	}
	if err != nil {
		return analysis.Judgments{}, nil, err
	}
	return analysis.Judgments{Name: strings.TrimSuffix(intake.Name(name), ".qrels"), Qrels: got.Qrels}, warnings, nil
}

// ruleNames are the rules by which judgments are merged. Judges of one class have no order, so priority is none: names
// would decide.
func ruleNames() (out []string) {
	for _, r := range workspace.Rules() {
		if r != workspace.Priority {
			out = append(out, string(r))
		}
	}
	return out
}

// handedIn are the files of judgments: those that are named, and those of folders by name.
func handedIn(words []string) (out []string, err error) {
	for _, name := range words {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			out = append(out, name)
			continue
		}
		list, err := os.ReadDir(name)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
				out = append(out, filepath.Join(name, e.Name()))
			}
		}
	}
	return out, nil
}

// addJudge makes a layer of a judge's grades.
func addJudge(w *workspace.Workspace, name string, q *collection.Qrels) error {
	var list []workspace.Judgment
	for _, query := range q.Queries() {
		q.Each(query, func(doc string, grade float64) {
			list = append(list, workspace.Judgment{Query: query, Document: doc, Grade: grade, Graded: true})
		})
	}
	for _, e := range w.AddLayer(workspace.Head{ID: w.FreeLayer(name, ""), Origin: workspace.Person, Author: name},
		list, 0, "rankbox") {
		if _, err := w.Apply(e); err != nil {
			return err
		}
	}
	return nil
}

// writeResolved writes the grades that count as TREC qrels. A file that is there already is not replaced.
func writeResolved(name string, w *workspace.Workspace) error {
	out := collection.NewQrels()
	for _, r := range w.Resolve(nil) {
		out.Add(r.Query, r.Document, r.Grade)
	}
	var b bytes.Buffer
	if err := out.WriteTREC(&b); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name another file, or remove it", name)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	return errors.Join(err, f.Close())
}
