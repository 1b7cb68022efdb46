package state

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/wire"
)

// MaxFiles is how many files are open at once: message.MaxRuns runs with their judgments, queries, documents, snapshots.
const MaxFiles = 30

// MaxName is how many characters the name of a run may have.
const MaxName = 80

// DefaultLimit is how many bytes a device takes in that says nothing of itself.
const DefaultLimit = 1 << 30

// RowsShown is how many queries stand on a page of the table.
const RowsShown = 25

// DocumentsShown is how many documents of each ranking stand side by side.
const DocumentsShown = 10

// deepest is how many stand there where more are asked for.
const deepest = 50

// opinionsFor is up to how many documents the other tools are asked without being told to.
const opinionsFor = 300_000

// Compare is the Compare screen: what was given to it, how it is compared, what came out, and what of it is looked at. Its Setting and
// its View are undone and redone.
type Compare struct {
	Setting  message.Setting
	Done     *message.Compared // the newest answer; it may be that of an earlier Setting, see Waiting
	Progress *message.Progress // of the answer that is waited for
	Limit    int               // bytes that a file may have; see collection.Together

	compare.View

	Why      map[string]*compare.Explanation // a query of the page of the table
	Detail   *message.Detail
	Opinions []compare.Opinion
	Said     string          // measure of the opinions
	Further  *compare.Tested // the paired tests on the measure that is looked at, where it is not the first; nil until they are there

	PairTests *message.PairTests // every test of the pair that is looked at, nil until they are there
	Agreed    *message.Agreed    // how alike the rankings are, of as many queries as were compared

	Draft    string // measures as typed
	DraftErr string
	Pasted   string
	Naming   int    // the run whose name is being typed, counted from 1; 0 for none
	NewName  string // as typed

	settled  message.Setting // of Done
	arriving *compare.View   // to be looked at when the next report comes
	viewed   string          // what the View of the files was taken from
	linked   bool            // a link waits to be read
	deaths   int
	rows     []int
	rowKey   rowKey
	begun    compare.View    // initial
	begunOf  *compare.Report // the report that begun is of
}

// The columns that the queries are sorted by, and the filters.
const (
	SortChange = "change" // size of the change
	SortDiff   = "diff"   // change with its sign
	SortQuery  = "query"
	SortA      = "a"
	SortB      = "b"

	FilterAll     = ""
	FilterChanged = "changed"
	FilterB       = "b" // B better by more than Over
	FilterA       = "a"
)

type rowKey struct {
	report       *compare.Report
	column, a, b int
	sort         string
	down         bool
	filter, find string
	over         float64
}

// Report is the report on the screen, nil where there is none.
func (c *Compare) Report() *compare.Report {
	if c.Done == nil {
		return nil
	}
	return c.Done.Report
}

// Empty reports whether nothing was given yet.
func (c *Compare) Empty() bool {
	return len(c.Setting.Files) == 0 && c.Setting.Link == "" && !c.Setting.Example
}

// Comparing reports whether an answer is waited for.
func (a *App) Comparing() bool {
	_, waiting := a.asked(message.Runs)
	return waiting
}

// limit is how many bytes a file may have.
func (c *Compare) limit() int {
	if c.Limit > 0 {
		return c.Limit
	}
	return DefaultLimit
}

// Together is how many bytes all files may have.
func (c *Compare) Together() int { return int(collection.Together(int64(c.limit()))) }

func cloneSetting(s message.Setting) message.Setting {
	s.Files = slices.Clone(s.Files)
	s.Measures = slices.Clone(s.Measures)
	s.Names = slices.Clone(s.Names)
	return s
}

func sameSetting(a, b message.Setting) bool {
	return slices.Equal(a.Files, b.Files) && a.Link == b.Link && a.Example == b.Example && a.Chosen == b.Chosen && slices.Equal(a.Measures, b.Measures) &&
		a.Policy == b.Policy && a.Baseline == b.Baseline && a.Separator == b.Separator && a.First == b.First && a.Relative == b.Relative && a.Absolute == b.Absolute &&
		slices.Equal(a.Names, b.Names)
}

// changeRuns applies f to the Setting as one step that can be undone, and compares again.
func (a *App) changeRuns(f func(*message.Setting)) {
	old := a.present()
	f(&a.Compare.Setting)
	if sameSetting(old.setting, a.Compare.Setting) {
		a.draw()
		return
	}
	a.remember(old)
	a.lastKind = ""
	a.address(true)
	a.runs()
	a.draw()
}

// runs asks for the comparison of the Setting.
func (a *App) runs() {
	c := &a.Compare
	c.Progress = nil
	if c.Empty() {
		c.Done, c.View, c.viewed, c.settled = nil, compare.View{}, "", message.Setting{}
		c.forget()
		if a.Comparing() { // what is being read is read no longer
			a.sendRuns()
		}
		if a.Screen == share.Compare {
			a.address(false)
		}
		return
	}
	a.sendRuns()
}

func (a *App) sendRuns() {
	s := cloneSetting(a.Compare.Setting)
	s.Limit = a.Compare.limit()
	a.request(message.Runs, &s)
}

// runsAgain asks again after the worker was replaced.
func (a *App) runsAgain() {
	if !a.Compare.Empty() {
		a.sendRuns()
	}
}

func (c *Compare) forget() {
	c.Why, c.Detail, c.Opinions, c.Said, c.Further, c.Naming = nil, nil, nil, "", nil, 0
	c.PairTests, c.Agreed = nil, nil
}

// AddFiles takes files that were dropped, chosen or pasted, and shows the Compare screen.
func (a *App) AddFiles(list []message.File) {
	c := &a.Compare
	a.Problem = nil
	if a.Screen != share.Compare {
		a.Go(share.Compare)
	}
	have := c.Setting.Files
	total := 0
	for _, f := range have {
		total += f.Size
	}
	var taken []message.File
	var over, big []string
	for _, f := range list {
		f.Name = strings.ToValidUTF8(f.Name, "\ufffd")
		switch {
		case len(have)+len(taken) >= MaxFiles:
			over = append(over, f.Name)
		case f.Size > c.limit() || total+f.Size > c.Together():
			big = append(big, f.Name+" ("+say.Bytes(int64(f.Size))+")")
		default:
			total += f.Size
			taken = append(taken, f)
		}
	}
	switch {
	case len(over) > 0:
		a.Problem = &message.Problem{What: "Up to " + strconv.Itoa(MaxFiles) + " files are open at once; " + strconv.Itoa(len(over)) + " more were not taken.", Where: say.Few(over, 5),
			Do: "Take files out that you do not need, or compare these in a second go."}
	case len(big) > 0:
		a.Problem = &message.Problem{What: "This is more than fits into the memory of this device, " + say.Bytes(int64(c.limit())) + " a file and " + say.Bytes(int64(c.Together())) + " together; what did not fit was not read.", Where: say.Few(big, 5),
			Do: "Cut the runs to the first 1,000 documents a query, gzip does not help; or use `rankbox compare` on the command line, which has no such limit."}
	}
	if len(taken) == 0 {
		a.draw()
		return
	}
	a.changeRuns(func(s *message.Setting) {
		if s.Example || s.Link != "" && hasQrels(taken) {
			*s = message.Setting{}
		}
		s.Files = append(s.Files, taken...)
	})
}

// hasQrels guesses by the name whether judgments are among the files: they begin a new comparison.
func hasQrels(list []message.File) bool {
	return slices.ContainsFunc(list, func(f message.File) bool { return strings.Contains(strings.ToLower(f.Name), "qrel") })
}

// TypePasted takes what stands in the field for text.
func (a *App) TypePasted(text string) {
	a.Compare.Pasted = strings.ToValidUTF8(text, "\ufffd")
	a.draw()
}

// Paste takes text as a file.
func (a *App) Paste(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	a.Compare.Pasted = ""
	a.AddFiles([]message.File{a.fx.Text("pasted.txt", text)})
}

// RemoveFile takes a file out.
func (a *App) RemoveFile(id int) {
	a.changeRuns(func(s *message.Setting) {
		s.Files = slices.DeleteFunc(s.Files, func(f message.File) bool { return f.ID == id })
		s.Names = slices.DeleteFunc(s.Names, func(n message.Name) bool { return n.File == id })
		s.Baseline = a.Compare.without(id)
	})
}

// without is the place of the baseline where the runs of a file are gone: 0 where it was one of them.
func (c *Compare) without(file int) int {
	if c.Done == nil || c.Setting.Baseline >= len(c.Done.Origins) || c.Done.Origins[c.Setting.Baseline].File == file {
		return 0
	}
	n := 0
	for _, o := range c.Done.Origins[:c.Setting.Baseline] {
		if o.File != file {
			n++
		}
	}
	return n
}

// Name opens the field for the name of a run.
func (a *App) Name(i int) {
	c := &a.Compare
	if r := c.Report(); r != nil && i < len(r.Systems) {
		c.Naming, c.NewName = i+1, r.Systems[i].Label
		a.draw()
		a.fx.Focus("name-" + strconv.Itoa(i))
	}
}

// WriteName takes what is typed as the name of a run.
func (a *App) WriteName(text string) {
	a.Compare.NewName = strings.ToValidUTF8(text, "\ufffd")
	a.draw()
}

// KeepName gives the run the name that was typed; without one it gets that of its file back.
func (a *App) KeepName() {
	c := &a.Compare
	i := c.Naming - 1
	c.Naming = 0
	if c.Done == nil || i < 0 || i >= len(c.Done.Origins) {
		a.draw()
		return
	}
	name := strings.Join(strings.Fields(c.NewName), " ")
	if r := []rune(name); len(r) > MaxName {
		name = string(r[:MaxName])
	}
	if name != c.Done.Report.Systems[i].Label {
		at := c.Done.Origins[i]
		a.changeRuns(func(s *message.Setting) {
			s.Names = slices.DeleteFunc(s.Names, func(n message.Name) bool { return n.Origin == at })
			if name != "" {
				s.Names = append(s.Names, message.Name{Origin: at, Name: name})
			}
		})
	}
	a.draw()
	a.fx.Focus("rename-" + strconv.Itoa(i))
}

// LeaveName closes the field without a change.
func (a *App) LeaveName() {
	i := a.Compare.Naming - 1
	a.Compare.Naming = 0
	a.draw()
	a.fx.Focus("rename-" + strconv.Itoa(i))
}

// ClearRuns takes everything out.
func (a *App) ClearRuns() {
	a.changeRuns(func(s *message.Setting) { *s = message.Setting{} })
}

// UseExample compares three systems on the open collection.
func (a *App) UseExample() {
	if a.Screen != share.Compare {
		a.Go(share.Compare)
	}
	a.changeRuns(func(s *message.Setting) { *s = message.Setting{Example: true} })
}

// CancelRuns goes back to what was compared before.
func (a *App) CancelRuns() {
	if !a.Comparing() {
		return
	}
	c := &a.Compare
	v := c.View
	c.Setting = cloneSetting(c.settled) // empty where nothing was compared before
	if c.Done != nil {
		c.arriving = &v
	}
	if n := len(a.undo); n > 0 && sameSetting(a.undo[n-1].setting, c.Setting) {
		a.undo = a.undo[:n-1]
	}
	a.runs()
	a.Note("Cancelled. The files that were not read yet were let go.")
}

// choose makes the measures, policy and baseline those of the visitor.
func (c *Compare) choose(f func(*message.Setting)) func(*message.Setting) {
	return func(s *message.Setting) {
		f(s)
		s.Chosen = true
	}
}

// SetPolicy sets one switch of the policy.
func (a *App) SetPolicy(name, option string) {
	p, t, err := compare.ReadPolicy(a.Compare.Setting.Policy)
	if err != nil {
		return
	}
	if option == "" {
		option = "0"
	}
	known, err := t.Set(name, option)
	if !known {
		err = p.Set(name, option)
	}
	if err != nil {
		a.Problem = &message.Problem{What: "This cannot be set: " + sentence(strings.TrimPrefix(err.Error(), "measure: ")), Where: "conventions", Do: "Choose a whole number from 0 to 1,000,000."}
		a.draw()
		return
	}
	a.changeRuns(a.Compare.choose(func(s *message.Setting) { s.Policy = compare.WritePolicy(p, t) }))
}

// PolicyOption is the option that a switch is at: "" stands for a number at its default.
func (a *App) PolicyOption(s measure.Switch) string {
	for _, pair := range strings.Fields(a.Compare.Setting.Policy) {
		if name, option, _ := strings.Cut(pair, "="); name == s.Name {
			return option
		}
	}
	if s.Options == nil {
		return ""
	}
	return s.Options[0]
}

// SetRunBaseline chooses the run that the others are compared with.
func (a *App) SetRunBaseline(i int) {
	a.changeRuns(a.Compare.choose(func(s *message.Setting) { s.Baseline = i }))
}

// WriteMeasures takes what is typed as measures and says at once what is wrong with it.
func (a *App) WriteMeasures(text string) {
	c := &a.Compare
	c.Draft, c.DraftErr = text, ""
	list, err := measure.ParseList(text)
	switch {
	case err != nil:
		c.DraftErr = strings.TrimPrefix(err.Error(), "measure: ")
	case len(list) == 0:
		c.DraftErr = "name at least one measure"
	case len(list) > 16:
		c.DraftErr = "up to 16 measures at once"
	}
	a.draw()
}

// UseMeasures measures by what was typed.
func (a *App) UseMeasures() {
	c := &a.Compare
	if a.WriteMeasures(c.Draft); c.DraftErr != "" {
		return
	}
	list, _ := measure.ParseList(c.Draft)
	a.changeRuns(c.choose(func(s *message.Setting) {
		s.Measures = nil
		for _, m := range list {
			s.Measures = append(s.Measures, m.String())
		}
	}))
}

// AddMeasures measures by these too.
func (a *App) AddMeasures(more []string) {
	a.changeRuns(a.Compare.choose(func(s *message.Setting) {
		s.Measures = slices.Clone(a.Compare.Report().Measures)
		for _, m := range more {
			if !slices.Contains(s.Measures, m) {
				s.Measures = append(s.Measures, m)
			}
		}
	}))
}

// Collapse says how ids of chunks become ids of documents: cut at a separator, the last one or the first; "" takes ids as they are.
func (a *App) Collapse(separator string, first bool) {
	a.changeRuns(func(s *message.Setting) { s.Separator, s.First = separator, first })
}

// SetThreshold sets which change since the snapshot counts, in percent.
func (a *App) SetThreshold(percent float64) {
	if !(percent > 0 && percent <= 100) {
		return
	}
	a.changeRuns(func(s *message.Setting) { s.Relative = percent / 100 })
}

// SetAbsolute sets another change since the snapshot that counts, as a difference; 0 for none.
func (a *App) SetAbsolute(difference float64) {
	if !(difference >= 0 && difference <= 1e9) {
		return
	}
	a.changeRuns(func(s *message.Setting) { s.Absolute = difference })
}

// compared takes the answer to Runs.
func (a *App) compared(d *message.Compared) {
	c := &a.Compare
	before := c.Done
	c.Done, c.Progress, c.deaths = d, nil, 0
	c.forget()
	r := d.Report
	if r == nil {
		c.Open = ""
		c.settled = cloneSetting(c.Setting)
		if a.Screen == share.Compare {
			a.address(false)
		}
		return
	}
	c.Setting.Measures, c.Setting.Policy, c.Setting.Baseline = d.Measures, d.Policy, d.Baseline
	c.settled = cloneSetting(c.Setting)
	c.Draft, c.DraftErr = strings.Join(r.Measures, " "), ""
	c.View = c.after(before)
	if a.Screen == share.Compare {
		a.address(false)
	}
	a.lookRows()
	a.lookQuery()
	a.lookPairs()
	a.lookTests()
	a.lookAgreement()
	n := 0
	for _, u := range r.Runs {
		n += u.Entries
	}
	if n <= opinionsFor {
		a.AskOpinions()
	}
}

// initial is what is looked at first: the best run beside the baseline, the queries that changed most.
func (c *Compare) initial() compare.View {
	r := c.Report()
	if r == c.begunOf {
		return c.begun
	}
	v := compare.View{A: r.Baseline, B: r.Baseline, Sort: SortChange, Down: true, Over: 0.1, Depth: DocumentsShown}
	for _, s := range r.Ranking() {
		if s != v.A {
			v.B = s
			break
		}
	}
	v.Open = c.first(v)
	c.begun, c.begunOf = v, r
	return v
}

// first is the query that stands first in the table.
func (c *Compare) first(v compare.View) string {
	now := c.View
	c.View = v
	defer func() { c.View = now }()
	if rows := c.Rows(); len(rows) > 0 {
		return c.Report().Queries[rows[0]].ID
	}
	return ""
}

// after is what is looked at in a new report: what was asked for, what the files were saved with, or what was looked at before as
// far as it is still there.
func (c *Compare) after(before *message.Compared) compare.View {
	d := c.Done
	saved := c.Setting.Link
	for _, f := range c.Setting.Files {
		saved += " " + strconv.Itoa(f.ID)
	}
	fresh := saved != c.viewed
	c.viewed = saved
	if v := c.arriving; v != nil {
		c.arriving = nil
		return c.valid(*v)
	}
	if v, err := compare.ReadView(d.View); err == nil && fresh && v != (compare.View{}) {
		return c.valid(v)
	}
	v := c.initial()
	if before == nil || before.Report == nil {
		return v
	}
	old := c.View
	if slices.Equal(before.Origins, d.Origins) && before.Baseline == d.Baseline {
		v.A, v.B, v.Find, v.Page = old.A, old.B, old.Find, old.Page
	} else if old.A < len(before.Origins) && old.B < len(before.Origins) && before.Baseline < len(before.Origins) && d.Baseline < len(d.Origins) && before.Origins[before.Baseline] == d.Origins[d.Baseline] {
		x, y := slices.Index(d.Origins, before.Origins[old.A]), slices.Index(d.Origins, before.Origins[old.B])
		if x >= 0 && y >= 0 {
			v.A, v.B = x, y
		}
	}
	v.Sort, v.Down, v.Filter, v.Over, v.Depth = old.Sort, old.Down, old.Filter, old.Over, old.Depth
	v.Tests, v.Margin, v.Agree = old.Tests, old.Margin, old.Agree
	if old.Column < len(before.Report.Measures) {
		v.Column = max(0, slices.Index(d.Report.Measures, before.Report.Measures[old.Column]))
	}
	v.Open = old.Open
	return c.valid(v)
}

// valid is a view with what the report does not have left out.
func (c *Compare) valid(v compare.View) compare.View {
	r := c.Report()
	first := c.initial()
	if v == (compare.View{}) {
		return first
	}
	n := len(r.Systems)
	if v.A < 0 || v.B < 0 || v.A >= n || v.B >= n || v.A == v.B {
		v.A, v.B = first.A, first.B
	}
	if v.Column < 0 || v.Column >= len(r.Columns) {
		v.Column = 0
	}
	if v.Sort == "" {
		v.Sort, v.Down = first.Sort, first.Down
	}
	if v.Depth < DocumentsShown {
		v.Depth = DocumentsShown
	}
	v.Depth = min(v.Depth, deepest)
	if v.Open == "" || !slices.ContainsFunc(r.Queries, func(t experiment.Topic) bool { return t.ID == v.Open }) {
		v.Open = c.first(v)
	}
	now := c.View
	c.View = v
	v.Page = max(0, min(v.Page, c.Pages()-1))
	c.View = now
	return v
}

// Rows are the queries that pass the filter, in the order of the table, as indices into the report's.
func (c *Compare) Rows() []int {
	r := c.Report()
	if r == nil {
		return nil
	}
	key := rowKey{r, c.Column, c.A, c.B, c.Sort, c.Down, c.Filter, c.Find, c.Over}
	if key == c.rowKey {
		return c.rows
	}
	c.rowKey = key
	col := &r.Columns[c.Column]
	va, vb := col.Values[c.A], col.Values[c.B]
	sign := 1.0
	if r.Extra[c.Column].Lower {
		sign = -1
	}
	find := strings.ToLower(strings.TrimSpace(c.Find))
	var out []int
	for q, t := range r.Queries {
		gain := sign * (vb[q] - va[q])
		switch c.Filter {
		case FilterChanged:
			if va[q] == vb[q] {
				continue
			}
		case FilterB:
			if !(gain > c.Over) {
				continue
			}
		case FilterA:
			if !(-gain > c.Over) {
				continue
			}
		}
		if find != "" && !strings.Contains(strings.ToLower(t.ID), find) && !strings.Contains(strings.ToLower(t.Text), find) {
			continue
		}
		out = append(out, q)
	}
	value := func(q int) float64 {
		switch c.Sort {
		case SortA:
			return va[q]
		case SortB:
			return vb[q]
		case SortDiff:
			return vb[q] - va[q]
		}
		return math.Abs(vb[q] - va[q])
	}
	if c.Sort == SortQuery {
		if c.Down {
			slices.Reverse(out)
		}
	} else {
		slices.SortStableFunc(out, func(x, y int) int {
			u, v := value(x), value(y)
			if c.Down {
				u, v = v, u
			}
			switch {
			case u < v:
				return -1
			case u > v:
				return 1
			}
			return 0
		})
	}
	c.rows = out
	return out
}

// PageRows are those of Rows that stand on the page of the table.
func (c *Compare) PageRows() []int {
	rows := c.Rows()
	from := min(c.Page*RowsShown, len(rows))
	return rows[from:min(from+RowsShown, len(rows))]
}

// Pages is how many pages the table has, at least 1.
func (c *Compare) Pages() int { return max(1, (len(c.Rows())+RowsShown-1)/RowsShown) }

// lookRows asks why the queries of the page of the table changed.
func (a *App) lookRows() {
	c := &a.Compare
	r := c.Report()
	if r == nil || c.A == c.B {
		c.Why = nil
		return
	}
	var ids []string
	for _, q := range c.PageRows() {
		ids = append(ids, r.Queries[q].ID)
	}
	c.Why = nil
	if len(ids) > 0 {
		a.request(message.Reasons, &message.AskReasons{A: c.A, B: c.B, Measure: r.Measures[c.Column], Queries: ids})
	}
}

// lookQuery asks for the rankings of the open query.
func (a *App) lookQuery() {
	c := &a.Compare
	r := c.Report()
	if r == nil || c.Open == "" {
		c.Detail = nil
		return
	}
	a.request(message.Query, &message.AskQuery{A: c.A, B: c.B, Measure: r.Measures[c.Column], Query: c.Open, Depth: c.Depth})
}

// AskOpinions asks what other tools say.
func (a *App) AskOpinions() {
	if r := a.Compare.Report(); r != nil {
		a.request(message.Opinions, &message.AskOpinions{Measure: r.Measures[a.Compare.Column]})
	}
}

// lookPairs asks for the paired tests on the measure that is looked at, where the report does not have them.
func (a *App) lookPairs() {
	c := &a.Compare
	c.Further = nil
	if r := c.Report(); r != nil && c.Column > 0 && len(r.Systems) > 1 {
		a.request(message.Tests, &message.AskTests{Measure: r.Measures[c.Column]})
	}
}

// Tested is the paired tests on the measure that is looked at, nil while they are worked out.
func (c *Compare) Tested() *compare.Tested {
	r := c.Report()
	switch {
	case r == nil:
		return nil
	case c.Column == 0:
		return &compare.Tested{Pairs: r.Pairs, Test: r.Test}
	case c.Further != nil && c.Further.Column == c.Column:
		return c.Further
	}
	return nil
}

// How a change of what is looked at is kept: leafing is not undone; a choice is, and gets an entry of the history where one would want
// to come back from it. Changes of the same kind in a row, but "", are one.
type how struct {
	kind         string
	undone, push bool
}

var (
	leafing  = how{}
	choosing = how{undone: true}
	visiting = how{undone: true, push: true}
)

// look changes what is looked at.
func (a *App) look(as how, f func(*Compare)) {
	c := &a.Compare
	old := a.present()
	page := slices.Clone(c.PageRows())
	f(c)
	if c.Page >= c.Pages() {
		c.Page = c.Pages() - 1
	}
	was := old.view
	if was == c.View {
		a.draw()
		return
	}
	again := as.kind != "" && as.kind == a.lastKind
	if as.undone {
		if !again {
			a.remember(old)
		}
		a.lastKind = as.kind
	}
	pair := was.A != c.A || was.B != c.B || was.Column != c.Column
	if pair || !slices.Equal(page, c.PageRows()) {
		a.lookRows()
	}
	if pair || was.Open != c.Open || was.Depth != c.Depth {
		a.lookQuery()
	}
	if pair || was.Tests != c.Tests || was.Margin != c.Margin {
		a.lookTests()
	}
	if was.Column != c.Column || (was.Agree == "") != (c.Agree == "") {
		a.lookAgreement()
	}
	if was.Column != c.Column {
		a.lookPairs()
		if _, waiting := a.asked(message.Opinions); c.Opinions != nil || waiting {
			c.Opinions = nil
			a.AskOpinions()
		}
	}
	if a.Screen == share.Compare {
		a.address(as.push && !again)
	}
	a.draw()
}

// SetPair chooses the two runs that are held against each other.
func (a *App) SetPair(x, y int) {
	if r := a.Compare.Report(); r != nil && x >= 0 && y >= 0 && x < len(r.Systems) && y < len(r.Systems) {
		a.look(visiting, func(c *Compare) {
			if x == y { // the one that was changed pushes the other away
				if x != c.A {
					y = c.A
				} else {
					x = c.B
				}
			}
			c.A, c.B, c.Page = x, y, 0
		})
	}
}

// SetColumn chooses the measure of the pairs, the queries and all that is below them.
func (a *App) SetColumn(m int) {
	if r := a.Compare.Report(); r != nil && m >= 0 && m < len(r.Columns) {
		a.look(visiting, func(c *Compare) { c.Column, c.Page = m, 0 })
	}
}

// SortBy sorts the queries by a column; again turns the order round. The change is sorted by its size, then by its sign, both ways.
func (a *App) SortBy(by string) {
	a.look(choosing, func(c *Compare) {
		c.Page = 0
		switch {
		case by == SortChange && c.Sort == SortChange:
			c.Sort, c.Down = SortDiff, true
		case by == SortChange && c.Sort == SortDiff && c.Down:
			c.Down = false
		case by == c.Sort:
			c.Down = !c.Down
		default:
			c.Sort, c.Down = by, by == SortChange
		}
	})
}

// SetFilter chooses which queries are shown.
func (a *App) SetFilter(f string) {
	a.look(choosing, func(c *Compare) { c.Filter, c.Page = f, 0 })
}

// SetOver sets by how much a run must be better to pass the filter.
func (a *App) SetOver(v float64) {
	if v >= 0 && v <= 1e9 {
		a.look(choosing, func(c *Compare) { c.Over, c.Page = v, 0 })
	}
}

// FindQuery shows the queries whose id or text holds a text.
func (a *App) FindQuery(text string) {
	a.look(how{kind: "find", undone: true}, func(c *Compare) { c.Find, c.Page = strings.ToValidUTF8(text, ""), 0 })
}

// TurnPage goes to another page of the table.
func (a *App) TurnPage(by int) {
	a.look(leafing, func(c *Compare) { c.Page = max(0, c.Page+by) })
}

// OpenQuery shows the rankings of a query.
func (a *App) OpenQuery(id string) {
	a.look(visiting, func(c *Compare) { c.Open = id })
}

// StepQuery opens the query that stands by places after the open one in the table, round the end.
func (a *App) StepQuery(by int) {
	c := &a.Compare
	r, rows := c.Report(), c.Rows()
	if r == nil || len(rows) == 0 {
		return
	}
	at := slices.IndexFunc(rows, func(q int) bool { return r.Queries[q].ID == c.Open })
	if at < 0 && by < 0 {
		at = 0
	}
	at = ((at+by)%len(rows) + len(rows)) % len(rows)
	a.look(how{kind: "step", undone: true, push: true}, func(c *Compare) { c.Open, c.Page = r.Queries[rows[at]].ID, at/RowsShown })
}

// DeeperRuns shows more documents of each ranking, or the first few again.
func (a *App) DeeperRuns() {
	a.look(leafing, func(c *Compare) {
		if c.Depth > DocumentsShown {
			c.Depth = DocumentsShown
		} else {
			c.Depth = deepest
		}
	})
}

// ExportRuns saves a file: "latex", "csv-queries", "comparison", "snapshot", "fix 3" …
func (a *App) ExportRuns(what string) {
	if a.Compare.Report() != nil || strings.HasPrefix(what, "fix ") {
		ask := &message.AskExport{What: what, View: a.Compare.View.String()}
		if r := a.Compare.Report(); r != nil {
			ask.Measure = r.Measures[a.Compare.Column]
		}
		a.request(message.Export, ask)
	}
}

// Exporting reports whether a file is being made.
func (a *App) Exporting() bool {
	r, waiting := a.asked(message.Export)
	return waiting && r.Question.(*message.AskExport).What != ""
}

// CancelExport lets the file be that is being made.
func (a *App) CancelExport() {
	if a.Exporting() {
		a.request(message.Export, &message.AskExport{})
		a.Compare.Progress = nil
		a.Note("Cancelled. Nothing was saved.")
	}
}

// SavePicture saves a drawing as an image of twice its size in pixels.
func (a *App) SavePicture(name, svg string, width, height int) {
	a.fx.Picture(name, svg, width, height, func(saved bool) {
		if saved {
			a.Note(name + " was saved.")
			return
		}
		a.Problem = &message.Problem{What: "The browser could not make an image of this figure.", Where: name, Do: "Save it as SVG instead; every program that takes PNG files takes those too, or turns them into one."}
		a.draw()
	})
}

// SaveText saves a text that the page made.
func (a *App) SaveText(name, kind, text string) {
	a.fx.Save(name, kind, []byte(text))
	a.Note(name + " was saved.")
}

// answered takes the answer to a question about the comparison.
func (c *Compare) answered(a *App, x wire.Wirer) {
	switch x := x.(type) {
	case *message.Explanations:
		c.Why = map[string]*compare.Explanation{}
		for i := range x.List {
			c.Why[x.List[i].Query] = &x.List[i]
		}
	case *message.Detail:
		if x.Query == c.Open {
			c.Detail = x
		}
	case *message.Opined:
		c.Opinions, c.Said = x.Tools, x.Measure
	case *compare.Tested:
		c.Further = x
	case *message.PairTests:
		c.PairTests = x
	case *message.Agreed:
		a.agreed(x)
	case *message.Saved:
		a.fx.Save(x.Name, x.Type, x.Bytes)
		a.Note(x.Name + " was saved (" + say.Bytes(int64(len(x.Bytes))) + "). It was made in this page and sent nowhere.")
	}
}

// runsFailed takes a problem with the comparison as a whole.
func (a *App) runsFailed(p *message.Problem) {
	c := &a.Compare
	if c.Setting.Link != "" && (c.Done == nil || c.Done.Report == nil) {
		// nothing can be made of the link: the empty screen opens
		p.Where, p.Do = "the part of the address after #", "Ask for the link again, or for the file; or drop your own runs below."
		c.Setting = message.Setting{Files: c.Setting.Files}
		c.Done = nil
		a.address(false)
	} else if c.Setting.Example {
		c.Setting = message.Setting{}
		c.Done = nil
	}
}

// link is the link of what is compared and looked at, "" where it does not fit; whole says that what is looked at fits too.
func (c *Compare) link() (fragment string, whole bool) {
	if c.Done == nil || c.Done.Report == nil || c.Done.Link == "" {
		return "", true
	}
	if c.View == c.initial() {
		return c.Done.Link, true
	}
	return compare.WithView(c.Done.Link, c.View)
}

// LinkLength is how many characters the link has that is copied, 0 where there is none.
func (c *Compare) LinkLength() int {
	s, _ := c.link()
	return len(s)
}

// runsFragment is the address of what is compared, with its "#"; "" where it does not fit.
func (a *App) runsFragment() string {
	c := &a.Compare
	s := c.Setting.Link
	if c.Done != nil && c.Done.Report != nil && sameSetting(c.Setting, c.settled) {
		s, _ = c.link()
	}
	if s == "" {
		return ""
	}
	return "#" + s
}

// openLink compares what a fragment holds, unless it is what is compared already: then it is only looked at as the link says.
func (a *App) openLink(fragment string) {
	c := &a.Compare
	link, view, err := compare.SplitLink(fragment)
	if err != nil {
		link = fragment // the worker says what is wrong with it
	}
	if c.Done != nil && c.Done.Report != nil && c.Done.Link == link && sameSetting(c.Setting, c.settled) {
		a.look(leafing, func(c *Compare) { c.View = c.valid(view) })
		return
	}
	if c.Setting.Link == link && link != "" && a.Comparing() {
		return
	}
	c.Setting = message.Setting{Link: link}
	c.Done, c.View, c.viewed, c.settled = nil, compare.View{}, "", message.Setting{}
	c.arriving = nil
	if view != (compare.View{}) {
		c.arriving = &view
	}
	c.forget()
	c.linked = true
}

// copyRunsLink puts the link of the comparison onto the clipboard.
func (a *App) copyRunsLink() {
	c := &a.Compare
	if c.Report() == nil {
		a.copyText(a.fx.Origin() + Path(share.Compare))
		return
	}
	link, _ := c.link()
	if link == "" {
		a.Problem = &message.Problem{What: "These runs are too large for a link: it may have " + strconv.Itoa(compare.MaxLink) + " characters.", Where: "Copy link",
			Do: "Save them as one file instead (Exports, below); any Rankbox opens it again when it is dropped on the page."}
		a.draw()
		return
	}
	a.copyText(a.fx.Origin() + Path(share.Compare) + "#" + link)
}
