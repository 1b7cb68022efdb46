package scores

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/intake/golden"
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
		r.out.of = folderOf(r.name)
		r.file = r.out.of.model
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

// MetaFile is the name of the file in which MTEB describes the model of the results beside it.
const MetaFile = "model_meta.json"

// modelFolder is where a result of MTEB lies: model__name/revision/Task.json.
type modelFolder struct {
	dir      string // "" for a file that is no result of MTEB
	model    string // that the folders name
	parent   string // of the revisions of the model
	revision string // "" for none
	meta     string // the name in MetaFile, for that file
}

// folderOf reads the folders of a result. A file without folders has none, and all such files are of one model. A folder
// with two underscores is that of a model, as MTEB writes them, and the one in it that of a revision; otherwise the
// revision is told by how it looks.
func folderOf(name string) modelFolder {
	parts := strings.FieldsFunc(name, func(c rune) bool { return c == '/' || c == '\\' })
	parts = parts[:max(len(parts)-1, 0)]
	f := modelFolder{dir: strings.Join(parts, "/") + "/", model: "model"}
	at := len(parts) - 1
	if at > 0 && !strings.Contains(parts[at], "__") && (strings.Contains(parts[at-1], "__") || isRevision(parts[at])) {
		f.revision = parts[at]
		at--
	}
	if at >= 0 {
		f.model, f.parent = strings.Replace(parts[at], "__", "/", 1), strings.Join(parts[:at+1], "/")
	}
	return f
}

// meta reads MetaFile.
func (r *reading) meta() error {
	f := folderOf(r.name)
	if r.root == nil {
		return errors.New("it is not JSON")
	}
	if f.meta = r.root.Get("name").AsText(); f.meta == "" {
		f.meta = f.model
	}
	r.out.of = f
	return nil
}

// nameModels names the systems of results of MTEB: by the MetaFile beside them, or else by the folder of the model. If
// several revisions would have one name, or lie in one folder, each has its revision behind it.
func nameModels(tables []*Table) {
	meta, names, revisions := map[string]string{}, map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, t := range tables {
		if t.of.meta != "" {
			meta[t.of.dir] = t.of.meta
		}
	}
	name := func(t *Table) string { return cmp.Or(meta[t.of.dir], t.of.model) }
	note := func(in map[string]map[string]bool, key, dir string) {
		if in[key] == nil {
			in[key] = map[string]bool{}
		}
		in[key][dir] = true
	}
	results := slices.DeleteFunc(slices.Clone(tables), func(t *Table) bool { return t.of.dir == "" || t.of.meta != "" })
	for _, t := range results {
		note(names, name(t), t.of.dir)
		note(revisions, t.of.parent, t.of.dir)
	}
	full := map[string]map[string]bool{}
	said := func(t *Table) string {
		if t.of.revision != "" && (len(names[name(t)]) > 1 || len(revisions[t.of.parent]) > 1) {
			return name(t) + "@" + t.of.revision
		}
		return name(t)
	}
	for _, t := range results {
		note(full, said(t), t.of.dir)
	}
	for _, t := range results {
		system := said(t)
		if len(full[system]) > 1 {
			system += " (" + strings.TrimSuffix(t.of.dir, "/") + ")"
		}
		t.Systems[0], t.system = system, map[string]int{system: 0}
	}
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
