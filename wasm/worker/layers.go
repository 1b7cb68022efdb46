//go:build !first

package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
)

func init() {
	register(message.Layers, handler{blame: at("the files of layers")}, toJudging, (*judging).layers)
	register(message.Layered, handler{blame: at("the agreement of layers")}, toJudging, (*judging).layered)
}

// mostPooled is how many documents a share of a pool has at most.
const mostPooled = 1000

// mostLayers is how many layers are read from files at once.
const mostLayers = 500

// layers reads the files. One that cannot be read has a problem; the others are read all the same.
func (jd *judging) layers(r message.Request, ask *message.AskLayers) (*message.LayersRead, error) {
	if jd.open.session == nil {
		return nil, errNoCollection
	}
	if jd.device.Files == nil {
		return nil, errors.New("there are no files here")
	}
	limit := int64(ask.Limit)
	if limit <= 0 {
		limit = fileBytes
	}
	out := &message.LayersRead{}
	x := &layering{out: out, session: jd.open.session, limit: limit}
	for i, f := range ask.Files {
		jd.page.tell(r, message.Progress{What: "Reading " + f.Name, Done: i, Total: len(ask.Files), Unit: "files"})
		b, err := jd.device.whole(f, limit)
		if err != nil {
			x.refuse(f.Name, err)
		} else {
			x.file(f.Name, b, f.Modified, true)
		}
		if len(out.List) > mostLayers {
			return nil, say.Faultf("worker", "the files hold more than %d layers", mostLayers)
		}
	}
	return out, nil
}

// layering reads layers from files.
type layering struct {
	out     *message.LayersRead
	session *experiment.Session
	limit   int64
}

func (x *layering) refuse(name string, err error) {
	if pe, ok := errors.AsType[*collection.ParseError](err); ok { // the page names the file
		if err = pe.Err; pe.Line > 0 {
			err = fmt.Errorf("line %d: %w", pe.Line, err)
		}
	}
	x.out.List = append(x.out.List, message.LayerRead{File: name, Problem: say.Sentence(err)})
}

// file reads one: judgments, a run, a workspace, or a zip of such files.
func (x *layering) file(name string, b []byte, modified int, outer bool) {
	if outer && bytes.HasPrefix(b, []byte("PK\x03\x04")) {
		if workspace.Is(bytes.NewReader(b), int64(len(b))) {
			x.workspace(name, b)
		} else if err := x.zip(name, b, modified); err != nil {
			x.refuse(name, err)
		}
		return
	}
	if isUnsure(b) {
		x.unsure(name, b)
		return
	}
	if assignment.IsFile(b) || assignment.IsHandIn(b) {
		x.class(name, b, modified)
		return
	}
	got, err := collection.Read(name, bytes.NewReader(b), collection.Options{Prefer: collection.QrelsTREC,
		Limits: collection.Limits{Bytes: x.limit}})
	if err != nil {
		x.refuse(name, err)
		return
	}
	l := message.LayerRead{File: name, Author: layerName(name), Date: dateOf(modified)}
	qrels := got.Qrels
	if qrels == nil && got.Collection != nil {
		qrels = got.Collection.Qrels
	}
	switch {
	case qrels != nil && qrels.Len() > 0:
		for _, q := range qrels.Queries() {
			qrels.Each(q, func(doc string, grade float64) {
				l.Grades = append(l.Grades, message.LayerGrade{Query: q, Document: doc, Grade: grade, Graded: true})
			})
		}
		x.add(l)
	case got.Run != nil:
		if n := got.Run.Len(); n > mostPooled {
			x.refuse(name, say.Faultf("worker", "it is a run of %d documents: a share to judge has at most %d. Drop "+
				"it on Evaluate to compare it", n, mostPooled))
			return
		}
		for i, q := range got.Run.Queries() {
			got.Run.Each(i, collection.DocIDDescending, func(_ int, entry collection.Entry) bool {
				l.Pool = append(l.Pool, message.Pooled{Query: q, Document: entry.Doc})
				return true
			})
		}
		x.add(l)
	default:
		x.refuse(name, errors.New("it holds neither judgments nor a run: it looks like "+string(got.Format)))
	}
}

// class reads what a class hands out or in. What a student handed in is a second judge's layer.
func (x *layering) class(name string, b []byte, modified int) {
	if assignment.IsFile(b) {
		a, err := assignment.ReadFile(b)
		if err != nil {
			x.refuse(name, err)
			return
		}
		link := string(b[bytes.Index(b, []byte("\n"+assignment.Prefix))+1:])
		x.out.List = append(x.out.List, message.LayerRead{File: name, Class: a.Class, Student: a.Student,
			Share: strings.TrimSpace(link)})
		return
	}
	h, err := assignment.ReadHandIn(b)
	if err != nil {
		x.refuse(name, err)
		return
	}
	l := message.LayerRead{File: name, Author: h.Student, Date: dateOf(modified), Class: h.Class, Student: h.Student,
		HandedShare: h.Share, Judged: h.Of}
	for _, g := range h.Grades {
		l.Grades = append(l.Grades, message.LayerGrade{Query: g.Query, Document: g.Document, Grade: g.Grade,
			Graded: true})
	}
	if len(l.Grades) == 0 {
		x.refuse(name, say.Faultf("worker", "%s handed in no grade", h.Student))
		return
	}
	x.add(l)
}

// dateOf is the day on which a file was changed, "" if that is not known.
func dateOf(modified int) string {
	if modified <= 0 {
		return ""
	}
	return time.UnixMilli(int64(modified)).UTC().Format(time.DateOnly)
}

// layerName is what a layer is called after its file: the name without its endings.
func layerName(file string) string {
	name := strings.TrimSuffix(intake.Name(path.Base(file)), ".qrels")
	return say.Brief(strings.TrimSuffix(name, "-judged"), 60)
}

// zip reads the files of an archive, as a course system hands them out.
func (x *layering) zip(name string, b []byte, modified int) error {
	a, err := collection.OpenZip(name, bytes.NewReader(b), int64(len(b)), collection.Limits{Bytes: x.limit})
	if err != nil {
		return err
	}
	left := x.limit
	for _, file := range a.Files() {
		if strings.HasPrefix(file, "__MACOSX/") || strings.HasPrefix(path.Base(file), ".") {
			continue
		}
		inside, err := within.FS(fs.FS(a), file, left)
		if err != nil {
			return err
		}
		left -= int64(len(inside))
		x.file(file, inside, modified, false)
	}
	return nil
}

// workspace reads the layers of a workspace, each with its times and notes. What a person there gave is a second
// judge's here.
func (x *layering) workspace(name string, b []byte) {
	w, err := workspace.Import(name, b, workspace.Limits{Bytes: x.limit})
	if err != nil {
		x.refuse(name, err)
		return
	}
	n := len(x.out.List)
	for _, h := range w.Layers() {
		list := w.Layer(h.ID).Judgments()
		if len(list) == 0 {
			continue
		}
		l := message.LayerRead{File: name, Author: say.Brief(h.Author, 60), Date: h.Date, Origin: string(h.Origin),
			Rule: h.Rule}
		if l.Author == "" {
			l.Author = layerName(strings.TrimSuffix(strings.TrimSuffix(name, ".zip"), ".workspace"))
		}
		if h.Origin == workspace.Person || h.Origin == workspace.Adjudicated {
			l.Origin = string(workspace.Second)
		}
		for _, j := range list {
			l.Grades = append(l.Grades, message.LayerGrade{Query: j.Query, Document: j.Document, Grade: j.Grade,
				Graded: j.Graded, Time: int(j.Time), Note: j.Note})
		}
		x.add(l)
	}
	if len(x.out.List) == n {
		x.refuse(name, errors.New("the workspace has no grades"))
	}
}

// add adds a layer, with how much of it is about what the collection lacks. One that is about nothing of it is
// refused.
func (x *layering) add(l message.LayerRead) {
	b := x.session.Bundle()
	known := map[string]bool{}
	for _, q := range b.Queries {
		known[q.ID] = true
	}
	lacks := func(query, doc string) bool {
		_, there := b.Ordinal(doc)
		return !there || !known[query]
	}
	all := len(l.Grades) + len(l.Pool)
	for _, g := range l.Grades {
		if lacks(g.Query, g.Document) {
			l.Unknown++
		}
		if g.Graded && (g.Grade < -workspace.MaxGrade || g.Grade > workspace.MaxGrade) {
			x.refuse(l.File, say.Faultf("worker", "the grade %v of %s for %s is outside −%v to %v", g.Grade, g.Document,
				g.Query, workspace.MaxGrade, workspace.MaxGrade))
			return
		}
	}
	pool := l.Pool[:0]
	for _, p := range l.Pool {
		if lacks(p.Query, p.Document) {
			l.Unknown++
		} else {
			pool = append(pool, p)
		}
	}
	if l.Pool = pool; l.Unknown == all {
		x.refuse(l.File, say.Faultf("worker", "none of its queries and documents is in %s: open the collection that "+
			"they are about", b.Manifest.Name))
		return
	}
	x.out.List = append(x.out.List, l)
}

// layered compares the layers of a workspace and those of the collection.
func (jd *judging) layered(r message.Request, ask *message.AskLayered) (*message.LayersAgree, error) {
	if jd.open.session == nil {
		return nil, errNoCollection
	}
	if jd.open.session.Ref().ID != ask.Collection {
		return nil, nil // another collection was opened meanwhile
	}
	b := jd.open.plainly().Bundle()
	out := &message.LayersAgree{Own: len(b.Judgments)}
	if ask.Count {
		return out, nil
	}
	w, err := workspace.Import("the workspace", ask.Zip, workspace.Limits{})
	if err != nil {
		return nil, err
	}
	imported := make([]workspace.Judgment, len(b.Judgments))
	for i, j := range b.Judgments {
		imported[i] = workspace.Judgment{Query: b.Queries[j.Query].ID, Document: j.Doc, Grade: j.Grade, Graded: true}
	}
	var sets []analysis.Judgments
	graders := w.Graders(imported)
	for _, g := range graders {
		if len(ask.Of) == 0 || slices.Contains(ask.Of, g.Head.ID) {
			sets = append(sets, analysis.Judgments{Name: g.Name, Qrels: g.Qrels})
		}
	}
	if len(sets) < 2 {
		return out, nil
	}
	var in compare.Input
	if len(ask.Systems) > 0 {
		runs, err := jd.experiments.ranked(r, ask)
		switch {
		case errors.Is(err, errStopped):
			return nil, nil
		case err != nil:
			out.Problem = say.Sentence(err)
		default:
			in = *runs
		}
	}
	stop := jd.page.stopped(r, &message.Progress{What: "Comparing the layers"})
	if out.Sections, err = analysis.Agreement(sets, in, stop); err == nil && ask.Model != "" {
		err = modelled(out, graders, ask, in, stop)
	}
	if errors.Is(err, compare.ErrCancelled) {
		return nil, nil
	}
	return out, err
}

// modelled adds what a model's layer is worth beside the layer of a person, the first unless one is named.
func modelled(out *message.LayersAgree, graders []workspace.Grader, ask *message.AskLayered,
	in compare.Input, stop func() bool) error {
	var person, model *analysis.Judgments
	for _, g := range graders {
		switch set := (analysis.Judgments{Name: g.Name, Qrels: g.Qrels}); {
		case g.Head.ID == ask.Model:
			model = &set
		case person == nil && (ask.Human == "" || g.Head.ID == ask.Human):
			person = &set
		}
	}
	if person == nil || model == nil {
		return nil
	}
	half := ask.Half
	if !(half > 0) {
		half = analysis.HalfWidth
	}
	s, err := analysis.ModelJudge(*person, *model, in, half, stop)
	out.Sections = append(out.Sections, s...)
	return err
}
