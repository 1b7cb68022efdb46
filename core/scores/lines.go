package scores

import (
	"bytes"
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
)

// columnsOf is what the columns of an evaluation's lines hold, -1 for what they do not.
type columnsOf struct{ system, item, measure, value int }

// The forms of lines between white space that evaluations write.
var (
	trecEval   = columnsOf{-1, 1, 0, 2} // trec_eval -q: measure, query, value
	irMeasures = columnsOf{-1, 0, 1, 2} // ir_measures -q: query, measure, value
	tot        = columnsOf{0, 2, 1, 3}  // autojudge-evaluate's tot: run, measure, topic, value
	irRuns     = columnsOf{0, 1, 2, 3}  // its ir_measures: run, topic, measure, value
)

// whole are the words under which tools write the mean over all items.
var whole = []string{"all", "amean", "mean", "avg", "average"}

// isWhole reports whether a line is a mean over all items, which is computed here and not read.
func isWhole(item string) bool {
	for _, w := range whole {
		if strings.EqualFold(item, w) {
			return true
		}
	}
	return false
}

// isLines reports whether the lines are what an evaluation prints of every query.
func isLines(h *head) bool {
	_, ok := formOf(h.lines)
	return ok
}

// formOf tells the forms apart: the column of the measures is the one whose words all are names of measures. Where that is open, as
// for tot's own measures, the first word that repeats down the lines decides nothing, and the file is not recognised.
func formOf(lines [][]byte) (form columnsOf, ok bool) {
	fits := []columnsOf{trecEval, irMeasures, tot, irRuns}
	could := []bool{true, true, true, true}
	n := 0
	for _, l := range lines {
		f := bytes.Fields(l)
		if len(f) == 2 && measure.Known(string(f[0])) {
			continue // the mean that ir_measures prints behind the queries
		}
		if len(f) >= 3 && string(f[0]) == "runid" {
			continue
		}
		for i, x := range fits {
			number := false
			if len(f) == x.value+1 {
				_, err := parseFloat(string(f[x.value]))
				number = err == nil || strings.EqualFold(string(f[x.value]), "nan")
			}
			could[i] = could[i] && number && known(string(f[x.measure]))
		}
		n++
	}
	for i := range fits {
		if n > 0 && could[i] {
			// A query may have the name of a measure; a measure does not look like a query's number.
			return fits[i], true
		}
	}
	return columnsOf{}, false
}

// known reports whether a word of a line is the name of a measure: one of the field, or of the judges of answers.
func known(word string) bool {
	return measure.Known(word) || contains(answerMeasures, strings.ToLower(word))
}

// answerMeasures are measures of answers, which are no measures of rankings.
var answerMeasures = []string{"strict_vital_score", "strict_all_score", "vital_score", "all_score", "nugget_coverage", "f1", "accuracy",
	"main_score", "precision", "recall", "score"}

// lines reads an evaluation's lines.
func (r *reading) lines() error {
	var form columnsOf
	var set bool
	type score struct {
		item, measure string
		value         float64
		line          int
	}
	var pending []score // of a system that a line "runid" names behind them
	flush := func(system string) error {
		for _, s := range pending {
			if err := r.out.add(system, s.item, s.measure, s.value, s.line); err != nil {
				return r.fail(s.line, err)
			}
		}
		pending = pending[:0]
		return nil
	}
	names := 0
	for l := range bytes.Lines(r.b) {
		if bytes.HasPrefix(bytes.TrimLeft(l, " "), []byte("runid")) {
			names++
		}
	}
	form, set = formOf(newHead(r.b).lines)
	if !set {
		return errors.New("no line has a query, a measure and a value")
	}
	line := 0
	for l := range bytes.Lines(r.b) {
		line++
		r.out.Lines = line
		f := strings.Fields(string(l))
		switch {
		case len(f) == 0:
			continue
		case len(f) == 2 && known(f[0]):
			continue // a mean
		case len(f) >= 3 && f[0] == "runid":
			if names > 1 {
				if err := flush(strings.Join(f[2:], " ")); err != nil {
					return err
				}
			}
			continue
		case len(f) != form.value+1:
			return r.fail(line, errors.New(say.Count(len(f), "column", "columns")+", expected "+say.Thousands(form.value+1)))
		}
		item, name := f[form.item], f[form.measure]
		if isWhole(item) {
			continue
		}
		if name == "relstring" {
			continue
		}
		v, err := number(f[form.value])
		if err != nil {
			return r.fail(line, err)
		}
		if form.system >= 0 {
			if err := r.out.add(f[form.system], item, canonical(name), v, line); err != nil {
				return r.fail(line, err)
			}
			continue
		}
		pending = append(pending, score{item, canonical(name), v, line})
	}
	return flush(r.file)
}
