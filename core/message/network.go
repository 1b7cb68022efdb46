//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Network is about the models of the open collection that may encode typed queries themselves.
const Network Kind = 72

func init() { register[AskNetwork, Networks](Network, false) }

// What may be done with a model's network.
const (
	LookAtNetwork = "look"   // at the files, which stay as they are: what they are, what loading them costs
	LoadNetwork   = "load"   // what was looked at; encodes typed queries from then on
	StopNetwork   = "stop"   // the one that is loaded, or being loaded
	ForgetNetwork = "forget" // the one that is kept on this device
)

// Where a network is.
const (
	GivenNetwork  = "files"  // its files were given
	HostedNetwork = "site"   // the collection brings it
	KeptNetwork   = "device" // it was kept here
)

// AskNetwork asks what there is, after something was done.
type AskNetwork struct {
	Do    string // "" for nothing
	Model string // of the collection
	From  string
	Files []File // where they were given
	Keep  bool   // on this device, when it is loaded
	Limit int    // bytes that a file may have on this device, 0 for the usual
}

// Networks is what there is.
type Networks struct {
	Collection string
	Runtime    int // bytes of what runs a network, on the way
	Unpacked   int // the same in memory
	Models     []Networked
	Note       string // something that did not go as asked, though the rest did
}

// Networked is a model of the collection and its network.
type Networked struct {
	Model, Label, Pooling, Prefix string
	Dim                           int
	Static                        bool // a table of tokens made its vectors: there is no network
	Documents                     int  // that a network can encode; the model has no name then, and no vectors
	// bytes of the network that the collection brings and of the one on this device; 0 for none
	Hosted, Kept int
	Looked       *Look
	Loaded       *Loaded
}

// Look is what is known before anything is loaded.
type Look struct {
	From   string
	Graph  string // name of the file
	Bytes  int    // of the graph
	Memory int    // bytes that it will take, as reckoned
	Name   string // what the files call the model, "" for nothing
	Tight  bool   // it is much for this device

	Query, Document string // what the files put before queries and documents
}

// Loaded is what encodes typed queries.
type Loaded struct {
	From, Graph string
	Bytes       int
	Tried       int     // judged queries that were encoded anew
	Lowest      float64 // cosine of such a vector with the one that is stored
	Micros      float64 // a query, half of the time
	Pooling     string
	Prefix      string
	Kept        bool
	Made        bool // it has just encoded the documents too
}

// Given returns the files, for who sends them beside the message.
func (a *AskNetwork) Given() []File { return a.Files }

// Wire walks the question.
func (a *AskNetwork) Wire(c *wire.Codec) {
	c.Fields(&a.Do, &a.Model, &a.From)
	wire.Structs(c, &a.Files)
	c.Fields(&a.Keep, &a.Limit)
}

// Wire walks the list.
func (n *Networks) Wire(c *wire.Codec) {
	c.Fields(&n.Collection, &n.Runtime, &n.Unpacked)
	wire.Structs(c, &n.Models)
	c.String(&n.Note)
}

// Wire walks the model.
func (n *Networked) Wire(c *wire.Codec) {
	c.Fields(&n.Model, &n.Label, &n.Pooling, &n.Prefix, &n.Dim, &n.Static, &n.Documents, &n.Hosted,
		&n.Kept)
	Pointer(c, &n.Looked)
	Pointer(c, &n.Loaded)
}

// Wire walks what is known.
func (l *Look) Wire(c *wire.Codec) {
	c.Fields(&l.From, &l.Graph, &l.Bytes, &l.Memory, &l.Name, &l.Tight, &l.Query, &l.Document)
}

// Wire walks what is loaded.
func (l *Loaded) Wire(c *wire.Codec) {
	c.Fields(&l.From, &l.Graph, &l.Bytes, &l.Tried, &l.Lowest, &l.Micros, &l.Pooling, &l.Prefix, &l.Kept,
		&l.Made)
}
