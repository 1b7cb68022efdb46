package scores

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/golden"
	"github.com/rankbox/rankbox/core/measure"
)

// isMTEB reports whether JSON is a result of MTEB, one task of one model: {"task_name", "mteb_version", "scores":
// {split: [{…}]}}, or as versions before 1.11 wrote it: {"mteb_dataset_name", "mteb_version", split: {…}}.
func isMTEB(h *head) bool {
	return h.has("mteb_version") && (h.has("scores") || h.has("task_name") || h.has("mteb_dataset_name"))
}

// notScores are the keys of MTEB's entries that are no scores.
var notScores = []string{"hf_subset", "languages", "evaluation_time", "kg_co2_emissions"}

// mteb reads a result of MTEB. A task's score is the mean over its subsets in the split "test", or in the only split,
// as mteb.TaskResult.get_score(splits=[split]) gives it. The system is the model that the file's folders name.
//
// Source: mteb 2.26.24, mteb/results/task_result.py.
func (r *reading) mteb() error {
	r.out.Noun = "task"
	if r.opt.Name == "" {
		r.file = modelOf(r.name)
	}
	task := r.root.Get("task_name").AsText()
	splits := r.root.Get("scores")
	if task == "" {
		task = r.root.Get("mteb_dataset_name").AsText()
	}
	if task == "" {
		return errors.New("it has no \"task_name\"")
	}
	if splits == nil {
		return r.before(task)
	}
	if splits.Kind != golden.Map || len(splits.Members) == 0 {
		return r.fail(splits.Line, errors.New("\"scores\" holds no split"))
	}
	at := slices.IndexFunc(splits.Members, func(m golden.Member) bool { return m.Key == "test" })
	if at < 0 {
		if at = 0; len(splits.Members) > 1 {
			var names []string
			for _, m := range splits.Members {
				names = append(names, m.Key)
			}
			return r.fail(splits.Line, fmt.Errorf("it has several splits (%s) and none is \"test\": keep one",
				fewOf(names)))
		}
	}
	split := splits.Members[at]
	sums, counts := map[string]float64{}, map[string]int{}
	var names []string
	for _, e := range split.Value.Items {
		for _, m := range e.Members {
			if contains(notScores, m.Key) || m.Value.Kind != golden.Number {
				continue
			}
			v, err := number(m.Value.Text)
			if err != nil {
				return r.fail(m.Line, err)
			}
			if counts[m.Key] == 0 {
				names = append(names, m.Key)
			}
			sums[m.Key] += v
			counts[m.Key]++
		}
	}
	slices.Sort(names)
	for _, name := range names {
		v := nan
		if counts[name] == len(split.Value.Items) { // a subset without it leaves the task without a score
			v = sums[name] / float64(counts[name])
		}
		if err := r.out.add(r.file, task, mtebName(name), v, split.Line); err != nil {
			return r.fail(split.Line, err)
		}
	}
	return nil
}

// modelOf is the model that the folders of a result name, as MTEB writes them: model__name/revision/Task.json. A file
// without folders has none, and all such files are of one model.
func modelOf(name string) string {
	parts := strings.FieldsFunc(name, func(c rune) bool { return c == '/' || c == '\\' })
	at := len(parts) - 2
	if at >= 0 && at > 0 && isRevision(parts[at]) {
		at--
	}
	if at < 0 {
		return "model"
	}
	return strings.Replace(parts[at], "__", "/", 1)
}

// isRevision reports whether a folder is that of a model's revision.
func isRevision(s string) bool {
	if s == "external" || s == "no_revision_available" || s == "no_revision" || len(s) > 0 && s[0] >= '0' &&
		s[0] <= '9' && strings.Trim(s, "0123456789.") == "" {
		return true
	}
	return len(s) == 40 && strings.Trim(s, "0123456789abcdef") == ""
}

// before reads a result of MTEB before version 1.11, which had no main score: its measures are read under their names.
func (r *reading) before(task string) error {
	split := r.root.Get("test")
	if split == nil || split.Kind != golden.Map {
		return errors.New("it has no split \"test\"")
	}
	for _, m := range split.Members {
		if m.Value.Kind != golden.Number || contains(notScores, m.Key) {
			continue
		}
		v, err := number(m.Value.Text)
		if err == nil {
			err = r.out.add(r.file, task, mtebName(m.Key), v, m.Line)
		}
		if err != nil {
			return r.fail(m.Line, err)
		}
	}
	if r.out.Cells() == 0 {
		return r.fail(split.Line, errors.New("the split \"test\" has subsets, and no main score to average: MTEB "+
			"1.11 and later write one"))
	}
	return nil
}

// mtebName is ndcg_at_10 as measures are written here.
func mtebName(name string) string {
	if base, cut, ok := strings.Cut(name, "_at_"); ok {
		if m, err := measure.Parse(map[string]string{"map": "AP", "mrr": "RR", "ndcg": "nDCG", "precision": "P",
			"recall": "R"}[base] + "@" + cut); err == nil {
			return m.String()
		}
	}
	return name
}
