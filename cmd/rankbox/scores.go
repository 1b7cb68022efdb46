package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/scores"
)

// scoring is what is said of tables of scores.
type scoring struct {
	systems, measures, items string
	missing                  string
	lower                    []string
}

// scored are the flags of tables of scores.
var scored = group{"Tables of scores", func(x *comparing, f *flag.FlagSet) {
	f.StringVar(&x.scoring.systems, "systems", "", "whether the systems are the rows or columns of a table that does "+
		"not say it, or the names of the columns that are systems, between commas; "+
		"of {a: {b: score}} in JSON, rows says that a is the system")
	f.StringVar(&x.scoring.measures, "measures", "", "columns: the columns of a table are measures, and the file is the "+
		"system; or the names of the columns that are, between commas")
	f.StringVar(&x.scoring.items, "items", "", "the names of the columns that are items of a table whose rows are "+
		"systems, between commas")
	f.StringVar(&x.scoring.missing, "missing", scores.LeaveItems,
		"a missing score leaves out the item for all systems (items), leaves out "+
			"its system (systems), or counts 0 (zero)")
	f.Func("lower", "a measure for which lower is better, repeatable", func(s string) error {
		x.scoring.lower = append(x.scoring.lower, s)
		return nil
	})
}}

// role is how the files of a comparison are read that may be scores.
func (s scoring) role() intake.Role {
	switch {
	case s.systems == "rows", s.items != "":
		return intake.ScoreRows
	case s.systems != "":
		return intake.ScoreColumns
	case s.measures != "":
		return intake.ScoreMeasures
	}
	return intake.Any
}

// columns are those that are named.
func (s scoring) columns() (out []string) {
	for _, list := range []string{s.systems, s.measures, s.items} {
		if list != "" && list != "rows" && list != "columns" {
			out = append(out, strings.Split(list, ",")...)
		}
	}
	return out
}

// check refuses flags that contradict each other or name nothing.
func (s scoring) check() error {
	given := 0
	for _, list := range []string{s.systems, s.measures, s.items} {
		if list != "" {
			given++
		}
	}
	if given > 1 {
		return errors.New("-systems, -measures and -items each say what the columns are: give one")
	}
	if s.missing != "" && !slices.Contains(scores.Missing, s.missing) {
		return fmt.Errorf("-missing %q is not one of %s", s.missing, strings.Join(scores.Missing, ", "))
	}
	return nil
}

// openScores makes the report of a table of scores.
func (x *comparing) openScores(m *mode, t *scores.Table) (err error) {
	switch {
	case !slices.Contains([]string{"", "statistics", "figure"}, m.name):
		return usagef("%s are scores: rankbox compare %s needs the runs and the judgments that they were measured on",
			x.words[0], m.name)
	case x.packTo != "":
		return usagef("-pack packs runs with their judgments, and these are scores: -save saves the report")
	case len(x.runNames) > 0:
		return usagef("-run-name names runs, and these are scores: their systems are named in the file")
	case x.policies != "":
		return usagef("-policy says how runs are measured, and these are scores, measured already")
	}
	a := scores.Asked{Name: x.name, Lower: x.scoring.lower, Missing: x.scoring.missing, Cancel: x.c.stop}
	if x.given["m"] {
		a.Measures = strings.FieldsFunc(x.measured, func(r rune) bool { return r == ' ' || r == ',' })
	}
	if x.given["baseline"] {
		a.Baseline = x.baseline
	}
	if err := x.protocol(&a.Protocol); err != nil {
		return err
	}
	if x.made, err = t.Report(a); err != nil {
		return fmt.Errorf("%s: %w", x.words[0], err)
	}
	if x.pairs == "all" {
		x.paired = x.made.Measures
	} else if x.pairs != "" {
		x.paired = strings.FieldsFunc(x.pairs, func(r rune) bool { return r == ' ' || r == ',' })
		for _, name := range x.paired {
			if !slices.Contains(x.made.Measures, name) {
				return usagef("-pairs: there is no measure %q in the report, which has %s: name it with -m", name,
					strings.Join(x.made.Measures, ", "))
			}
		}
	}
	return x.holds.open(len(x.made.Systems), x.made.Measures)
}

// spread puts the files of folders in the place of these. A folder of folders, as MTEB writes one a model, is
// searched to its ends for JSON.
func spread(words []string) ([]string, error) {
	var out []string
	for _, w := range words {
		info, err := os.Stat(w)
		if err != nil || !info.IsDir() {
			out = append(out, w) // opening it says what is wrong
			continue
		}
		direct, err := filesOf(w)
		deep := err != nil
		if err == nil && slices.ContainsFunc(direct, describes) { // the model beside its results

			deep = true
		}
		if !deep {
			out = append(out, direct...)
			continue
		}
		before := len(out)
		err = filepath.WalkDir(w, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.EqualFold(filepath.Ext(name), ".json") {
				out = append(out, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(out) == before {
			return nil, fmt.Errorf("%s is empty", w)
		}
	}
	return out, nil
}

// describes reports whether a file describes the model of MTEB's results.
func describes(name string) bool { return filepath.Base(name) == scores.MetaFile }

// tableOf is the table of scores that files hold, nil where they hold runs or judgments.
func tableOf(files []*intake.File, got *intake.Gathered) (*scores.Table, error) {
	if len(files) == 0 || files[0].Scores == nil {
		return nil, nil
	}
	for _, f := range files {
		if f.Scores == nil {
			return nil, fmt.Errorf("%s is not a table of scores, as %s is: scores are compared alone, and runs with "+
				"their judgments", f.Name, files[0].Name)
		}
	}
	for i, told := range got.Files {
		if told.Problem != nil {
			return nil, fmt.Errorf("%s: %w", files[i].Name, told.Problem)
		}
	}
	return got.Scores, nil
}
