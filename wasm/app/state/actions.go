package state

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Go shows a screen.
func (a *App) Go(s share.Screen) {
	if row := screens.Named(string(s)); row == nil || a.leave(row, away{Entry: -1}) {
		return
	}
	a.away = away{}
	if x := a.Screens.On(); s == a.Screen && Subpath(x) != "" { // from a page of a screen to its first
		readPath(x, Path(s))
		a.WriteAddress(true)
		a.Draw()
		return
	}
	a.change("", true, func(p *share.Address) { p.Screen = s })
}

// Type takes what is typed into the search box.
func (a *App) Type(text string) {
	text = strings.ToValidUTF8(text, "")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "")
	}
	if text == a.QueryText() { // a program that takes the page over is told what stands there
		return
	}
	id := ""
	if a.Opened != nil { // what is typed out to the last letter is that query, with its judgments
		if i := slices.IndexFunc(a.Opened.Queries, func(q report.Query) bool { return q.Text == text }); i >= 0 {
			id = a.Opened.Queries[i].ID
		}
	}
	a.change("type", true, func(p *share.Address) {
		p.Query, p.QueryID, p.Document = text, id, ""
		if id != "" {
			p.Query = ""
		}
	})
}

// Pick opens a judged query in Search; "" clears the query.
//
//go:noinline
func (a *App) Pick(id string) {
	a.change("", true, func(p *share.Address) {
		p.QueryID, p.Query, p.Document = id, "", ""
		if id != "" {
			p.Screen = share.Search
		}
	})
}

// Step opens the judged query that stands by places after the present one, round the end.
func (a *App) Step(by int) {
	if a.Opened == nil || len(a.Opened.Queries) == 0 {
		return
	}
	q := a.Opened.Queries
	i := slices.IndexFunc(q, func(t report.Query) bool { return t.ID == a.Spec.QueryID })
	if i < 0 && by > 0 {
		i = -1
	} else if i < 0 {
		i = 0
	}
	a.Pick(q[((i+by)%len(q)+len(q))%len(q)].ID)
}

// Select opens the explanation of a document in a system's list, or closes it where it is open.
func (a *App) Select(system int, document string) {
	a.Unfolded = 0
	a.change("", true, func(p *share.Address) {
		if at := (experiment.Focus{Document: document, System: system}); p.Focus != at {
			p.Focus = at
			return
		}
		p.Focus = experiment.Focus{}
	})
	a.Screens.clicked(true)
}

// Visit opens the explanation of a document in Search.
func (a *App) Visit(at experiment.Focus) {
	a.change("", true, func(p *share.Address) { p.Screen, p.Focus = share.Search, at })
	a.Screens.clicked(true)
}

// Unfold takes the measure of a system's ranking apart, or puts it together again. The richer program does.
func (a *App) Unfold(system int) {
	if system++; a.Unfolded == system {
		system = 0
	}
	a.Close()
	a.Unfolded = system
	if !a.Screens.found() && system > 0 {
		a.fetch(screens.At("/search"), away{Entry: -1})
	}
	a.Draw()
}

// Close closes the explanation.
func (a *App) Close() {
	if a.Unfolded > 0 {
		a.Unfolded = 0
		a.Draw()
	}
	if a.Focus.Document != "" {
		a.change("", true, func(p *share.Address) { p.Focus = experiment.Focus{} })
	}
	a.Screens.clicked(false)
}

// Nodes returns the parsed pipelines of the systems; nil stands for one that cannot be parsed (which no Spec holds). They are parsed anew only when the
// systems are others: a drawing asks for them some thirty times. It is not to be changed.
func (a *App) Nodes() []*pipeline.Node {
	if !HasWorker {
		return nil
	}
	systems := a.Systems()
	if slices.Equal(systems, a.nodesOf) {
		return a.nodes
	}
	a.nodesOf, a.nodes = slices.Clone(systems), nil
	for _, s := range systems {
		n, err := stage.Parse(s)
		if err != nil {
			n = nil
		}
		a.nodes = append(a.nodes, n)
	}
	return a.nodes
}

// plain returns nil for the default systems, so that a link does not carry them.
func (a *App) plain(systems []string) []string {
	if slices.Equal(systems, DefaultsOf(a.Opened)) {
		return nil
	}
	return systems
}

// letters are those of n systems: what each had, and for more the first that no other has.
func (a *App) letters(n int) string {
	s := a.Letters
	for c := byte('A'); len(s) < n; c++ {
		if strings.IndexByte(s, c) < 0 {
			s += string(c)
		}
	}
	return s[:n]
}

// name puts systems with their letters into an address.
func (a *App) name(p *share.Address, systems []string, letters string) {
	p.Systems, p.Letters = a.plain(systems), letters
	if p.Systems == nil {
		p.Letters = ""
	}
}

// Place is where the letter of a system stands in the alphabet, from 0: what it is drawn with. It stays when another system leaves.
func (a *App) Place(i int) int { return int(a.letters(i + 1)[i] - 'A') }

// Letter is what a system is called.
func (a *App) Letter(i int) string { return say.Letter(a.Place(i)) }

// Edit opens the editor of a system; len(Systems()) adds one.
func (a *App) Edit(i int) {
	a.Editing, a.DraftErr = i, ""
	a.Draft = Defaults[0]
	if s := a.Systems(); i < len(s) {
		a.Draft = s[i]
	}
	a.ReadAll()
	a.Draw()
	a.fx.Focus("notation-" + strconv.Itoa(i))
}

// Cancel closes the editor without a change.
func (a *App) Cancel() {
	i := a.Editing
	a.Editing, a.DraftErr = -1, ""
	a.Draw()
	a.fx.Focus("edit-" + strconv.Itoa(i))
}

// Write takes what is typed into the editor and says at once what is wrong with it.
func (a *App) Write(text string) {
	a.Draft = text
	n, err := stage.Parse(text)
	a.refuse(err)
	if err == nil && n.Unread() {
		a.DraftErr = "Loading all stages …"
	}
	if err == nil && a.DraftErr == "" && a.Opened != nil {
		for _, m := range stage.Models(n) {
			if !slices.Contains(a.Opened.Models, m) {
				a.DraftAt = strings.Index(text, m)
				a.DraftErr = a.Opened.Ref.Name + " has no vectors of the model " + strconv.Quote(m) + " (it has: " + strings.Join(a.Opened.Models, ", ") + ")"
			}
		}
	}
	a.Draw()
}

// refuse says what is wrong with the draft, nothing where err is nil.
func (a *App) refuse(err error) {
	a.DraftErr, a.DraftAt = "", -1
	if at, ok := errors.AsType[*pipeline.Error](err); ok { // the place is shown, not counted
		a.DraftAt, a.DraftErr = at.Pos, at.Reason()
	} else if err != nil {
		a.DraftErr = say.Told(err)
	}
}

// Accept puts the edited system into its place.
func (a *App) Accept() {
	a.Write(a.Draft)
	if a.DraftErr != "" {
		return
	}
	n, _ := stage.Parse(a.Draft) // Write has read it
	i := a.Editing
	a.Editing = -1
	a.change("", true, func(p *share.Address) {
		systems := slices.Clone(a.Systems())
		if i >= len(systems) {
			systems = append(systems, n.String())
		} else {
			systems[i] = n.String()
		}
		a.name(p, systems, a.letters(len(systems)))
	})
	a.Draw()
	a.fx.Focus("edit-" + strconv.Itoa(i))
}

// Remove takes a system out.
func (a *App) Remove(i int) {
	a.Editing = -1
	a.change("", true, func(p *share.Address) {
		systems := slices.Delete(slices.Clone(a.Systems()), i, i+1)
		if len(systems) == 0 {
			return
		}
		letters := a.letters(len(systems) + 1)
		a.name(p, systems, letters[:i]+letters[i+1:])
		if p.Baseline >= len(systems) || p.Baseline == i {
			p.Baseline = 0
		} else if p.Baseline > i {
			p.Baseline--
		}
		p.Focus = experiment.Focus{}
	})
	a.Draw()
}

// SetBaseline chooses the system that the others are compared with.
func (a *App) SetBaseline(i int) {
	a.change("", true, func(p *share.Address) {
		p.Baseline = i
	})
}

// Category chooses the only category that may be retrieved, "" for all.
func (a *App) Category(c string) {
	a.change("", true, func(p *share.Address) { p.Filter.Categories = one(c) })
}

// Entity chooses the only entity, "" for all.
func (a *App) Entity(e string) {
	a.change("", true, func(p *share.Address) { p.Filter.Entities = one(e) })
}

func one(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Dates sets the first and last month, YYYY-MM, "" for open. Where they stand the wrong way round the other one follows.
func (a *App) Dates(from, to string) {
	a.change("dates", true, func(p *share.Address) {
		if from != "" && to != "" && from > to {
			if from+"-01" != p.Filter.From { // it is the first month that was changed
				to = from
			} else {
				from = to
			}
		}
		p.Filter.From, p.Filter.To = "", ""
		if from != "" {
			p.Filter.From = from + "-01"
		}
		if to != "" {
			p.Filter.To = to + "-" + lastDay(to)
		}
	})
}

// lastDay returns the last day of a month, YYYY-MM.
func lastDay(month string) string {
	if len(month) != 7 {
		return "31"
	}
	switch month[5:] {
	case "04", "06", "09", "11":
		return "30"
	case "02":
		y, err := strconv.Atoi(month[:4])
		if err == nil && y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			return "29"
		}
		return "28"
	}
	return "31"
}

// Unfilter lets every document pass again.
func (a *App) Unfilter() {
	a.change("", true, func(p *share.Address) { p.Filter = experiment.Filter{} })
}

// Filtered reports whether a filter is on.
func (a *App) Filtered() bool {
	f := a.Spec.Filter
	return len(f.Categories)+len(f.Entities) > 0 || f.From != "" || f.To != ""
}

// SetDepth chooses how many documents each list shows.
func (a *App) SetDepth(n int) {
	a.change("", true, func(p *share.Address) {
		p.Depth = n
		if n == DefaultDepth {
			p.Depth = 0
		}
	})
}

// Reset puts the systems back to the defaults.
func (a *App) Reset() {
	a.change("", true, func(p *share.Address) {
		p.Systems, p.Letters, p.Baseline, p.Focus = nil, "", 0, experiment.Focus{}
	})
}

// CanUndo reports whether there is a step to undo.
func (a *App) CanUndo() bool { return len(a.undo) > 0 }

// Undo takes the last change of settings back.
func (a *App) Undo() { a.travel(&a.undo, &a.redo, "Undone.") }

// Redo makes the last change that was undone again.
func (a *App) Redo() { a.travel(&a.redo, &a.undo, "Done again.") }

func (a *App) travel(from, to *[]Step, said string) {
	n := len(*from)
	if n == 0 {
		return
	}
	old := clone(a.Address)
	*to = append(*to, a.Present())
	back := (*from)[n-1]
	*from = (*from)[:n-1]
	a.Undoing = true
	a.restore(back)
	a.Undoing = false
	a.Held = nil
	a.lastKind = ""
	a.Editing = -1
	a.WriteAddress(false)
	a.settle(old)
	a.Note(said)
}

// Moved is told that the address changed by itself: back, forward, or edited by hand. entry is the number of the entry of the browser's
// history: that of a page that was pushed, in the order of the pushes from 1, 0 for the first one, or a new number. An entry that was
// on this page before comes back as it was, files and all; otherwise the address says what to show.
func (a *App) Moved(path, fragment string, entry int) {
	old := clone(a.Address)
	if entry == a.entry { // told twice, as popstate and as hashchange
		if s, ok := a.visited[entry]; ok && (a.Embedded || Path(s.address.Screen) == path) && equal(s.address, a.Address) {
			return
		}
	}
	a.Problem = nil
	was, known := a.visited[entry]
	if row := rowOf(path, fragment); !known && a.leave(row, away{Path: path, Fragment: fragment, Entry: entry}) {
		return
	}
	a.away = away{}
	a.entry, a.entries = entry, max(a.entries, entry)
	if known {
		a.restore(was)
	} else {
		a.Address = a.read(path, fragment)
		if a.Problem != nil {
			a.WriteAddress(false)
		}
		a.Screens.begin()
	}
	a.lastKind = ""
	a.Editing = -1
	a.settle(old)
}

// Link returns the address that opens what is on the screen.
func (a *App) Link() (string, error) {
	if !HasWorker { // every screen of such a program copies its own
		return "", nil
	}
	s := clone(a.Address)
	s.Collection = a.Collection()
	if s.Hash == "" && a.Opened != nil {
		s.Hash = a.Opened.Ref.Hash[:16]
	}
	if len(s.Systems) == 0 {
		s.Systems = slices.Clone(a.Systems()) // the link keeps its systems when the defaults change
	}
	f, err := share.Encode(s)
	if err != nil {
		return "", err
	}
	return a.fx.Origin() + a.Path(s.Screen) + "#" + f, nil
}

// CopyLink puts the link onto the clipboard.
func (a *App) CopyLink() {
	if a.Screens.copyLink() {
		return
	}
	link, err := a.Link()
	if err != nil {
		a.Problem = &message.Problem{What: "The link could not be made: " + say.Sentence(err), Where: "Copy link", Do: "Shorten the query or take a system out."}
		a.Draw()
		return
	}
	a.CopyText(link)
}

// CopyText puts a link onto the clipboard.
func (a *App) CopyText(link string) { a.CopyWith(link, "It opens on exactly this.") }

// CopyWith puts a link onto the clipboard and says what it opens on and what is in it.
func (a *App) CopyWith(link, says string) {
	a.fx.Copy(link, func(copied bool) {
		if copied {
			a.Note("Link copied: " + strconv.Itoa(len(link)) + " characters. " + says)
			if screens.Named(string(a.Screen)).Part && strings.Contains(link, "#") {
				a.Shared = link
				a.Draw()
			}
		} else {
			a.Problem = &message.Problem{What: "The browser did not allow copying.", Where: "Copy link", Do: "Copy the address of this page instead; it is the same link: " + link}
			a.Draw()
		}
	})
}

// Retry opens the collection again after a failure.
func (a *App) Retry() {
	a.Problem, a.restarts, a.unfetched = nil, 0, false
	if a.Wanted() {
		a.Fetching = &message.Progress{What: "Loading " + screens.At(a.away.Path).Label()}
		a.fx.Swap(a.next())
		a.Draw()
		return
	}
	if HasWorker {
		a.fx.Restart()
		a.Phase = Opening
		a.open()
		a.Screens.again()
	}
	a.Draw()
}

// OpenDefault opens the site's first collection in Search.
func (a *App) OpenDefault() {
	a.change("", true, func(p *share.Address) { *p = share.Address{Screen: share.Search} })
}

// SearchAgain asks for what a missing file kept back.
func (a *App) SearchAgain() {
	a.Problem = nil
	a.send(message.Search)
	a.evaluateSoon()
	a.Draw()
}

// Stop gives up what the worker is doing: it is replaced, and opens the collection again when asked.
func (a *App) Stop() {
	a.waiting = map[uint64]message.Request{}
	a.newest = map[message.Kind]uint64{}
	a.fx.Restart()
	a.Screens.again()
	a.Phase, a.unfetched = Failed, false
	a.Problem = &message.Problem{What: "Loading was cancelled.", Where: "search engine", Do: "Open it again to search."}
	a.Draw()
}

// StopMeasuring lets the comparison over all judged queries be; the next change of a system asks for it again.
func (a *App) StopMeasuring() {
	a.Measuring, a.Unmeasured = message.Progress{}, true
	a.Request(message.Evaluate, &experiment.Spec{})
	a.Draw()
}

// Dismiss takes the message about a problem away.
func (a *App) Dismiss() {
	a.Problem = nil
	if a.Fetching == nil {
		a.away = away{}
	}
	a.Draw()
}

// Point is told which document the pointer or the focus is on, "" for none.
func (a *App) Point(id string) {
	if a.Hover != id {
		a.Hover = id
		a.Draw()
	}
}

// Turn turns to the list of a system where a phone shows one at a time.
func (a *App) Turn(i int) {
	a.Shown = i
	a.Draw()
	a.fx.Focus("system-" + strconv.Itoa(i))
}

// Swiped is told which list a phone has been swept to.
func (a *App) Swiped(i int) {
	if i != a.Shown && i >= 0 && i < len(a.Systems()) {
		a.Shown = i
		a.Draw()
	}
}

// Pull gives the explanation the whole height of a narrow screen, or a part of it again.
func (a *App) Pull() { a.Tall = !a.Tall; a.Draw() }

// Tune opens or closes the sheet of settings that a phone has.
func (a *App) Tune(on bool) {
	a.Tuning = on
	a.narrow()
	a.Draw()
}

// TogglePresenter switches the presenter view, which addresses keep.
func (a *App) TogglePresenter() {
	a.Presenter = !a.Presenter
	a.WriteAddress(false)
	a.Draw()
	a.Screens.presented()
}

// ToggleHelp shows or hides the list of shortcuts.
func (a *App) ToggleHelp() {
	a.Help = !a.Help
	a.Draw()
	if a.Help {
		a.fx.Focus("help")
	}
}

// Online is told whether there is a network. Once it is back, what could not be fetched is asked for again: a program, a collection, and what a list
// lacks of texts or vectors.
func (a *App) Online(on bool) {
	a.Offline = !on
	switch {
	case !HasWorker: // the program of another screen is all that can be on its way
		if on && a.unfetched && a.Failing() {
			a.Retry()
		}
	case on && a.unfetched && a.Failing():
		a.Retry()
	case on && a.Phase == Ready && a.Results != nil && slices.ContainsFunc(a.Results.Lists, func(l experiment.List) bool { return l.Again }):
		a.SearchAgain()
		a.curveSoon()
	}
	a.Draw()
}

// FocusOn moves the keyboard focus to the element with an id.
func (a *App) FocusOn(id string) { a.fx.Focus(id) }

// Replace puts another pipeline in the place of a system.
func (a *App) Replace(i int, notation string) {
	a.change("", true, func(p *share.Address) {
		systems := slices.Clone(a.Systems())
		systems[i] = notation
		a.name(p, systems, p.Letters)
	})
}

// NearestQuery returns the judged query that has a vector and shares most words with the one that was typed, or nil where none
// shares any. Equal ones: the first.
func (a *App) NearestQuery() *report.Query {
	if a.Opened == nil {
		return nil
	}
	words := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(a.Spec.Query)) {
		if len(w) > 3 {
			words[w] = true
		}
	}
	var best *report.Query
	most := 0
	for i := range a.Opened.Queries {
		if i >= len(a.Opened.Encoded) || !a.Opened.Encoded[i] {
			continue
		}
		n := 0
		for _, w := range strings.Fields(strings.ToLower(a.Opened.Queries[i].Text)) {
			if words[w] {
				n++
			}
		}
		if n > most {
			best, most = &a.Opened.Queries[i], n
		}
	}
	return best
}
