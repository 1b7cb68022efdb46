// Package model is the screen on which a model's own network is loaded, so that typed queries are encoded by what made
// the vectors of the documents; without its looks. It reads no file and runs nothing: the worker does.
//
// Order of the pipeline: files are chosen or dropped, or those of the site or of this device are asked for → the worker
// looks at them and says what loading costs → you have them loaded → the worker holds the network against the
// stored vectors → typed queries on Search are encoded by it.
package model

import (
	"slices"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Model is the screen.
type Model struct {
	App *state.App

	Have     *message.Networks // what there is, nil until it was answered
	Progress *message.Progress // of the network that is being loaded, nil for none
	Doing    string            // the model that it is of
	Deleting string            // the model whose kept network is to be deleted, once that is confirmed
	Keep     bool              // the network is to be kept on this device

	Query, Document string // what is put before queries and documents when documents are encoded

	choosing *string             // the model that files are for, nil for none
	files    []message.File      // that were given last
	loaded   *message.AskNetwork // what loaded the one that runs
}

// documents encodes those of uploaded collections.
type documents interface {
	With(*message.AskEmbed)
	Of(id string) bool
	Progress(id string) string
	Cancel(id string)
}

// Encodes returns what encodes the documents of the open collection, and its id.
func (m *Model) Encodes() (d documents, id string) {
	d, _ = m.App.Encoder.Documents.(documents)
	if d == nil || m.App.Engine.Opened == nil {
		return nil, ""
	}
	return d, m.App.Engine.Opened.Ref.ID
}

// Encode has the documents of the open collection encoded by the network that was looked at.
func (m *Model) Encode() {
	d, id := m.Encodes()
	for _, n := range m.Have.Models {
		if d == nil || n.Model != "" || n.Looked == nil {
			continue
		}
		m.App.Notices.Problem = nil
		d.With(&message.AskEmbed{ID: id, Query: m.Query, Document: m.Document, Network: &message.AskNetwork{
			From: message.GivenNetwork, Files: m.files, Keep: m.Keep, Limit: m.App.Engine.Limit}})
	}
}

// New is the screen as it begins.
func New(a *state.App) *Model { return &Model{App: a} }

// ID is the name of the screen.
func (m *Model) ID() share.Screen { return "model" }

// Save keeps nothing for undo: what is loaded is not undone by a key.
func (m *Model) Save() any { return nil }

// Begin asks for the list where the page opens here.
func (m *Model) Begin() {
	if m.App.Settings.Screen == m.ID() {
		m.ask(message.AskNetwork{})
	}
}

// Entered asks for the list when the screen is entered.
func (m *Model) Entered() {
	if m.Progress == nil && m.App.Engine.Phase == state.Ready {
		m.ask(message.AskNetwork{})
	}
}

// Opened asks for the list of another collection, or of one that has got vectors.
func (m *Model) Opened() { m.Entered() }

func (m *Model) ask(q message.AskNetwork) {
	q.Limit = m.App.Engine.Limit
	m.App.Engine.Request(message.Network, &q)
}

// Takes says which replies are the screen's.
func (m *Model) Takes(k message.Kind) bool { return k == message.Network }

// Receive takes them.
func (m *Model) Receive(r message.Reply) {
	m.Progress, m.Doing = nil, ""
	if x, ok := r.Answer.(*message.Networks); ok {
		before, looked := m.running(), m.looked()
		m.Have = x
		if now := m.looked(); now != nil && (looked == nil || *now != *looked) {
			m.Query, m.Document = now.Query, now.Document
		}
		// typed queries are encoded by another one now
		if a := m.App; !slices.Equal(before, m.running()) && a.Settings.HasQuery() && a.Settings.Spec.QueryID == "" {
			spec := a.Settings.Full()
			a.Engine.Request(message.Search, &spec)
		}
		if x.Note != "" {
			m.App.Notices.Say(x.Note)
		}
		if len(m.running()) == 0 {
			m.loaded = nil
		}
	}
	m.App.View.Draw()
}

// running are the models whose network encodes typed queries.
func (m *Model) running() (out []string) {
	if m.Have == nil {
		return nil
	}
	for _, n := range m.Have.Models {
		if n.Loaded != nil {
			out = append(out, n.Model)
		}
	}
	return out
}

// looked is the network that can encode documents, nil for none.
func (m *Model) looked() *message.Look {
	if m.Have == nil {
		return nil
	}
	for _, n := range m.Have.Models {
		if n.Model == "" {
			return n.Looked
		}
	}
	return nil
}

// Hear takes how far it is.
func (m *Model) Hear(p *message.Progress) {
	if m.Doing != "" {
		m.Progress = p
		m.App.View.Draw()
	}
}

// Died is told before the worker is replaced: what it was doing is lost.
func (m *Model) Died(string) { m.Progress, m.Doing = nil, "" }

// Again has the new worker load what the old one had, and asks for the list otherwise.
func (m *Model) Again() {
	if m.loaded != nil {
		m.load(*m.loaded)
		return
	}
	m.Begin()
}

// Choose says which model files are for that are chosen next.
func (m *Model) Choose(model string) { m.choosing = &model }

// TakesFiles says that files are for this screen while it is open.
func (m *Model) TakesFiles() bool { return m.App.Settings.Screen == m.ID() }

// AddFiles has files looked at: for the model that was chosen, otherwise for the first that has a network.
func (m *Model) AddFiles(files []message.File) {
	to := m.choosing
	m.choosing = nil
	if to == nil && m.Have != nil {
		for i := range m.Have.Models {
			if n := &m.Have.Models[i]; to == nil && !n.Static {
				to = &n.Model
			}
		}
	}
	if to == nil {
		return
	}
	m.files = slices.Clone(files)
	m.Look(*to, message.GivenNetwork)
}

// Look has a network looked at.
func (m *Model) Look(model, from string) {
	m.App.Notices.Problem = nil
	q := message.AskNetwork{Do: message.LookAtNetwork, Model: model, From: from}
	if from == message.GivenNetwork {
		q.Files = m.files
	}
	m.ask(q)
	m.App.View.Draw()
}

// Load has what was looked at loaded.
func (m *Model) Load(model string) {
	for _, n := range m.Have.Models {
		if n.Model == model && n.Looked != nil {
			q := message.AskNetwork{Do: message.LoadNetwork, Model: model, From: n.Looked.From, Keep: m.Keep &&
				n.Looked.From != message.KeptNetwork}
			if q.From == message.GivenNetwork {
				q.Files = m.files
			}
			m.load(q)
			return
		}
	}
}

func (m *Model) load(q message.AskNetwork) {
	again := q
	again.Keep = false
	m.loaded = &again
	m.App.Notices.Problem = nil
	m.Doing, m.Progress = q.Model, &message.Progress{What: "network"}
	m.ask(q)
	m.App.View.Draw()
}

// Stop unloads a network, gives up one that is being loaded, or puts away what was looked at.
func (m *Model) Stop(model string) {
	m.Progress, m.Doing, m.loaded = nil, "", nil
	m.ask(message.AskNetwork{Do: message.StopNetwork, Model: model})
	m.App.View.Draw()
}

// Delete asks once, and deletes the kept network at the second time.
func (m *Model) Delete(model string) {
	if m.Deleting != model {
		m.Deleting = model
		m.App.View.Draw()
		return
	}
	m.Deleting = ""
	m.ask(message.AskNetwork{Do: message.ForgetNetwork, Model: model})
	m.App.View.Draw()
}

// SetKeep says whether the network is to be kept on this device.
func (m *Model) SetKeep(on bool) { m.Keep = on; m.App.View.Draw() }
