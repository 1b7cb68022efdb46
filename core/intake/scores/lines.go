package scores

import (
	"bytes"
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
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

// formOf tells the forms apart: the column of the measures is the one whose words all are names of measures. Four
// columns with a fraction that name none are tot or ir_measures all the same, where the second is neither a number
// nor Q0 as judgments have it: of the two middle columns the one with "all", or more different words, holds the
// topics.
func formOf(lines [][]byte) (form columnsOf, ok bool) {
	fits := []columnsOf{trecEval, irMeasures, tot, irRuns}
	good := make([]int, len(fits)) // lines that fit, of n: a broken one here or there is for the reader to name
	n, fraction, four := 0, false, true
	words := [2]map[string]bool{{}, {}} // of the middle columns
	for _, l := range lines {
		f := strings.Fields(string(l))
		if len(f) == 2 && measure.Known(f[0]) || len(f) >= 3 && f[0] == "runid" {
			continue // the mean that ir_measures prints behind the queries, the name of a run
		}
		for i, x := range fits {
			if len(f) == x.value+1 && isScore(f[x.value]) && known(f[x.measure]) {
				good[i]++
			}
		}
		if four = four && len(f) == 4 && isScore(f[3]) && !isScore(f[1]) && !strings.EqualFold(f[1], "Q0"); four {
			words[0][f[1]], words[1][f[2]] = true, true
			fraction = fraction || strings.Contains(f[3], ".")
		}
		n++
	}
	for i := range fits {
		if n > 0 && 8*good[i] >= 7*n {
			return fits[i], true
		}
	}
	switch {
	case n < 2 || !four || !fraction:
	case words[1]["all"] || !words[0]["all"] && len(words[0]) < len(words[1]):
		return tot, true
	case words[0]["all"] || len(words[0]) > len(words[1]):
		return irRuns, true
	}
	return columnsOf{}, false
}

// isScore reports whether a word is a number, or NaN.
func isScore(word string) bool {
	_, err := parseFloat(word)
	return err == nil || strings.EqualFold(word, "nan")
}

// known reports whether a word of a line is the name of a measure: one of the field, or of the judges of answers.
func known(word string) bool {
	return measure.Known(word) || contains(answerMeasures, strings.ToLower(word))
}

// answerMeasures are measures of answers, which are no measures of rankings.
var answerMeasures = []string{"strict_vital_score", "strict_all_score", "vital_score", "all_score", "nugget_coverage",
	"f1"}

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
			return r.fail(line, errors.New(say.Count(len(f), "column",
				"columns")+", expected "+say.Thousands(form.value+1)))
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
