// Package judge is the Judge screen without its looks: one query, one document, a grade. The documents are those that
// the open systems find for a query of the open collection, taken by turns from the top of their lists, without saying
// whose they are or what others gave them. Queries, grades and notes are edits of the collection's workspace, which
// the device keeps. It measures nothing.
//
// Grades of others are further layers, from files; a rule says which grade counts. Where layers differ, a grade can be
// given that wins.
//
// Order of the pipeline: a collection is opened → its workspace is read from the device and given to the worker → a
// query is opened → the systems' lists come in → their documents become the pool → a grade is written to the device →
// the next document without one is shown.
package judge

import (
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// ID is the name of the screen.
const ID share.Screen = "judge"

// Highest is the highest grade.
const Highest = 3

// Judge is the screen.
type Judge struct {
	Clash Clash
	App   *state.App

	Journal      Journal
	Queries      Queries
	Grading      Grading
	Layers       Layers
	Comparison   Comparison
	Adjudication Adjudication
	Task         Task
	Class        Class
	Unsure       Unsure
	Intake       Intake
	Log          ClickLog
}

// New is the screen as it begins.
func New(a *state.App) *Judge {
	j := &Judge{App: a}
	j.Journal = Journal{app: a}
	j.Layers = Layers{app: a, journal: &j.Journal}
	j.Comparison = Comparison{app: a, journal: &j.Journal, layers: &j.Layers}
	j.Adjudication = Adjudication{app: a, journal: &j.Journal, layers: &j.Layers, comparison: &j.Comparison}
	j.Task = Task{app: a, journal: &j.Journal, layers: &j.Layers, found: j.Found}
	j.Intake = Intake{app: a, journal: &j.Journal, layers: &j.Layers, task: &j.Task, class: &j.Class, unsure: &j.Unsure}
	j.Grading = Grading{app: a, journal: &j.Journal, layers: &j.Layers, adjudication: &j.Adjudication, task: &j.Task,
		found: j.Found, written: j.Intake.catchUp}
	j.Queries = Queries{app: a, journal: &j.Journal, grading: &j.Grading}
	j.Class = Class{app: a, journal: &j.Journal, queries: &j.Queries}
	j.Unsure = Unsure{app: a, journal: &j.Journal}
	j.Log = ClickLog{app: a, journal: &j.Journal}
	j.begin("")
	return j
}

// begin forgets what was about another collection.
func (j *Judge) begin(collection string) {
	early := j.Intake.early
	if j.Journal.name != "" && j.Journal.name != collection { // files that are waiting are for the other one
		early = nil
	}
	j.Journal.begin(collection)
	j.Queries.goTo = ""
	j.Layers.Said, j.Layers.own, j.Layers.theirs = nil, -1, map[[2]string]float64{}
	j.Comparison.Agreed, j.Comparison.agreedAt = nil, 0
	j.Adjudication.begin()
	j.Class.begin()
	j.Unsure.begin()
	j.Intake.begin(early)
	j.Log.begin()
}

// ID is the name of the screen.
func (j *Judge) ID() share.Screen { return ID }

// saved is what undo goes back to: how many of this page's edits count.
type saved struct {
	only, decisive bool
	at             int
}

// Save returns how many edits count.
func (j *Judge) Save() any { return saved{j.Grading.Only, j.Grading.Decisive, j.Journal.at} }

// Restore takes edits back or makes them again, as edits of their own. Going back in the browser's history takes none
// back.
func (j *Judge) Restore(x any) {
	s := x.(saved)
	j.Grading.Only, j.Grading.Decisive = s.only, s.decisive
	if j.App.History.Undoing {
		j.Journal.travel(s.at)
	}
}

// Takes says which replies are the screen's.
func (j *Judge) Takes(kind message.Kind) bool {
	return kind == message.Needs || kind == message.Adopt || kind == message.Pack || kind == message.Layers ||
		kind == message.Layered || kind == message.Pool
}

// Receive gives a reply to the store that waits for it.
func (j *Judge) Receive(r message.Reply) {
	switch x := r.Answer.(type) {
	case *message.Needed:
		j.Queries.needs = x
	case *message.Saved:
		j.App.Browser.Save(x.Name, x.Type, x.Bytes)
		j.App.Notices.Say(x.Name +
			" was saved. Drop it on Documents in any Rankbox, or open it with `rankbox workspace`.")
	case *message.LayersAgree:
		j.Comparison.answered(x)
	}
	switch r.Kind {
	case message.Layers:
		x, _ := r.Answer.(*message.LayersRead)
		j.Intake.read(x)
	case message.Pool:
		x, _ := r.Answer.(*message.PoolMade)
		j.Class.pooled(x)
	case message.Adopt:
		x, _ := r.Answer.(*message.Adopted)
		j.adopted(x)
	}
}

// CollectionOpened is told that the worker has opened a collection, for the first time or again.
func (j *Judge) CollectionOpened() {
	name := j.App.Settings.Collection()
	defer func() {
		if j.App.Settings.Screen == ID {
			j.Layers.count()
		}
	}()
	if name == j.Journal.name && !j.Journal.loading {
		j.Journal.pushWhole()
		return
	}
	j.begin(name)
	j.Journal.load(j.Intake.catchUp)
}

// adopted takes the collection with the workspace in it, nil if that went wrong.
func (j *Judge) adopted(x *message.Adopted) {
	if x == nil {
		j.Journal.given = false
		j.App.Adopted(nil)
		return
	}
	if x.Behind {
		j.Journal.pushWhole()
		return
	}
	j.Journal.taken(x)
	if x.Opened.Ref.ID != j.Journal.name {
		return
	}
	for _, t := range x.Theirs {
		j.Layers.theirs[[2]string{t.Query, t.Document}] = t.Grade
	}
	j.App.Adopted(&x.Opened)
	if j.Queries.encodes() {
		j.App.Encoder.Load()
	}
	if id := j.Queries.goTo; id != "" {
		j.Queries.goTo = ""
		j.Queries.Open(id)
	}
}

// Begin takes a share if the workspace is there already.
func (j *Judge) Begin() { j.Task.take() }

// ReadLink takes the link of a share.
func (j *Judge) ReadLink(fragment string) { j.Task.readLink(fragment) }

// Unopened says that the screen itself tells why the collection could not be opened.
func (j *Judge) Unopened() bool { return j.Task.Waiting() != nil }

// Entered is told that the screen was opened.
func (j *Judge) Entered() { j.Layers.count() }

// Left is told that another screen was opened: its figures are about the grades that were given here.
func (j *Judge) Left() { j.Journal.left() }

// Clicked is told that a person has opened a document, or closed it or left the screen.
func (j *Judge) Clicked(opened bool) { j.Log.clicked(opened) }

// Found opens the first document without a grade, unless one is open, and asks once for what stands behind the queries.
func (j *Judge) Found() {
	j.Queries.askNeeds()
	j.Layers.count()
	j.Grading.first()
}

// TakesFiles says that files are layers while the screen is open.
func (j *Judge) TakesFiles() bool { return j.App.Settings.Screen == ID }

// AddFiles has judgments read that become layers.
func (j *Judge) AddFiles(files []message.File) { j.Intake.add(files) }

const (
	encoderPause = 250 // milliseconds between two looks whether the encoder is there
	encoderTries = 24
)

// Measure compares the open systems with the grades. It waits for the encoder that dense systems need, but not for
// ever.
func (j *Judge) Measure() { j.measure(encoderTries) }

func (j *Judge) measure(tries int) {
	if j.Queries.encodes() && !j.App.Encoder.Ready && tries > 0 {
		if tries == encoderTries {
			j.App.Encoder.Load()
			j.App.Notices.Say("Loading the encoder for your queries.")
		}
		j.App.Browser.After(encoderPause, func() { j.measure(tries - 1) })
		return
	}
	if j.Journal.dirty {
		j.Journal.push()
	}
	if c, ok := j.App.Screens.Other(share.Compare).(interface{ UseExperiment(message.Matrix) }); ok {
		c.UseExperiment(message.Matrix{Systems: j.App.Settings.Systems()})
	}
}
