// Package marking marks workspaces that students hand in: a workspace is handed out with documents and queries, and
// comes back with grades and a system. It finds out what is a student's own and what was changed that was not theirs to
// change. It ranks nothing, opens no file, and proves no authorship: it says which edits two files share.
//
// Order of the pipeline: handed out, handed in → [Check] → [Work] → [Work.Agreement], [Shared].
package marking

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// Work is what a student added to a workspace.
type Work struct {
	Grades  *collection.Qrels // of the student's layers; where two differ, the first layer's
	Systems []workspace.Spec  // by name
	edits   map[workspace.Edit]bool
}

// Check returns what w adds to the workspace that was handed out. It is an error if w is about other documents, or if
// a query, a grade or a system that was handed out is changed or missing. Names, notes and which layers are hidden are
// the student's to choose. Grades of layers that were imported or made by a model are not the student's own.
func Check(handed, w *workspace.Workspace) (*Work, error) {
	if a, b := handed.Documents, w.Documents; a.Hash != b.Hash {
		return nil, say.Faultf("marking", "it is about other documents: %s (%s) instead of %s (%s)",
			say.Visible(b.Name), short(b.Hash), say.Visible(a.Name), short(a.Hash))
	}
	theirs := map[workspace.Edit]bool{}
	for _, e := range w.All() {
		theirs[e] = true
	}
	given := map[workspace.Edit]bool{}
	for _, e := range handed.All() {
		if given[e] = true; theirs[e] {
			continue
		}
		switch e.Kind {
		case workspace.SetGrade, workspace.UnsetGrade, workspace.SetQuery, workspace.RemoveQuery, workspace.SetSpec,
			workspace.RemoveSpec:
			return nil, say.Faultf("marking", "%s, which was handed out, is changed or missing", what(e))
		}
	}
	out := &Work{Grades: collection.NewQrels(), edits: map[workspace.Edit]bool{}}
	for e := range theirs {
		if !given[e] && (e.Kind == workspace.SetGrade || e.Kind == workspace.SetSpec) {
			out.edits[e] = true
		}
	}
	for _, h := range w.Layers() {
		if h.Origin == workspace.Imported || h.Origin == workspace.Model || h.State != workspace.Counts {
			continue
		}
		for _, j := range w.Layer(h.ID).Judgments() {
			_, had := handed.Layer(h.ID).Grade(j.Query, j.Document)
			if _, known := out.Grades.Grade(j.Query, j.Document); j.Graded && !had && !known {
				out.Grades.Add(j.Query, j.Document, j.Grade)
			}
		}
	}
	old := handed.Specs()
	for _, s := range w.Specs() {
		if s.Form == "system" && !slices.Contains(old, s) {
			out.Systems = append(out.Systems, s)
		}
	}
	return out, nil
}

// short is the beginning of a digest.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// what names the thing that an edit is about.
func what(e workspace.Edit) string {
	switch e.Kind {
	case workspace.SetQuery, workspace.RemoveQuery:
		return "query " + say.Visible(e.Query)
	case workspace.SetSpec, workspace.RemoveSpec:
		return "system " + say.Visible(e.Spec)
	}
	return "the grade of " + say.Visible(e.Document) + " for query " + say.Visible(e.Query) + " in layer " + e.Layer
}

// Agreement compares the student's grades with others: how many documents both graded, the share of equal grades, and
// Cohen's kappa. Shares are NaN if both graded none, kappa also if chance alone always agrees.
func (w *Work) Agreement(with *collection.Qrels) (compared int, share, kappa float64) {
	var a, b []float64
	same := 0
	for _, q := range w.Grades.Queries() {
		w.Grades.Each(q, func(doc string, grade float64) {
			if other, ok := with.Grade(q, doc); ok {
				if a, b = append(a, grade), append(b, other); grade == other {
					same++
				}
			}
		})
	}
	if len(a) == 0 {
		return 0, math.NaN(), math.NaN()
	}
	x, y := significance.Whole(a, b)
	kappa, err := significance.CohenKappa(x, y, significance.Unweighted)
	if err != nil {
		kappa = math.NaN()
	}
	return len(a), float64(same) / float64(len(a)), kappa
}

// Shared is how many edits two students have in common, with one stamp: the tab's random name, its time and number.
// Two people who worked apart share none.
func Shared(a, b *Work) (n int) {
	for e := range a.edits {
		if b.edits[e] {
			n++
		}
	}
	return n
}
