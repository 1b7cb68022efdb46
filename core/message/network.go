//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Network manages the models of the open collection that can encode typed queries themselves.
const Network Kind = 72

func init() { register[AskNetwork, Networks](Network, false) }

// Actions on a model's network.
const (
	LookAtNetwork = "look"   // inspect the given files: their content, and the cost of loading them
	LoadNetwork   = "load"   // load the inspected network, which then encodes typed queries
	StopNetwork   = "stop"   // stop the network that is loaded or loading
	ForgetNetwork = "forget" // delete the network stored on this device
)

// Locations of a network.
const (
	GivenNetwork  = "files"  // the given files
	HostedNetwork = "site"   // the collection's site
	KeptNetwork   = "device" // this device
)

// AskNetwork asks for the state after an action.
type AskNetwork struct {
	Do    string // an action, or ""
	Model string // of the collection
	From  string
	Files []File // if given
	Keep  bool   // store it on this device when loaded
	Limit int    // maximum bytes of a file on this device, 0 for the default
}

// Networks is the state.
type Networks struct {
	Collection string
	Runtime    int // download size of the network runtime
	Unpacked   int // its size in memory
	Models     []Networked
	Note       string // a partial failure
}

// Networked is a model of the collection with its network.
type Networked struct {
	Model, Label, Pooling, Prefix string
	Dim                           int
	Static                        bool // a token table made its vectors: there is no network
	Documents                     int  // number of documents to encode; the model then has no name and no vectors
	// bytes of the collection's network and of the one on this device; 0 for none
	Hosted, Kept int
	Looked       *Look
	Loaded       *Loaded
}

// Look is the result of inspecting files.
type Look struct {
	From   string
	Graph  string // name of the file
	Bytes  int    // of the graph
	Memory int    // estimated memory in bytes
	Name   string // the model's name in the files, or ""
	Tight  bool   // it may be too large for this device

	Query, Document string // prefixes of queries and documents, from the files
}

// Loaded describes the current encoder of typed queries.
type Loaded struct {
	From, Graph string
	Bytes       int
	Tried       int     // number of judged queries encoded for comparison
	Lowest      float64 // lowest cosine between such a vector and the stored one
	Micros      float64 // median per query
	Pooling     string
	Prefix      string
	Kept        bool
	Made        bool // it has just encoded the documents too
}

// Given returns the files to send beside the message.
func (a *AskNetwork) Given() []File { return a.Files }

// Wire codes the question.
func (a *AskNetwork) Wire(c *wire.Codec) {
	c.Fields(&a.Do, &a.Model, &a.From)
	wire.Structs(c, &a.Files)
	c.Fields(&a.Keep, &a.Limit)
}

// Wire codes the answer.
func (n *Networks) Wire(c *wire.Codec) {
	c.Fields(&n.Collection, &n.Runtime, &n.Unpacked)
	wire.Structs(c, &n.Models)
	c.String(&n.Note)
}

// Wire codes the model.
func (n *Networked) Wire(c *wire.Codec) {
	c.Fields(&n.Model, &n.Label, &n.Pooling, &n.Prefix, &n.Dim, &n.Static, &n.Documents, &n.Hosted,
		&n.Kept)
	Pointer(c, &n.Looked)
	Pointer(c, &n.Loaded)
}

// Wire codes the result.
func (l *Look) Wire(c *wire.Codec) {
	c.Fields(&l.From, &l.Graph, &l.Bytes, &l.Memory, &l.Name, &l.Tight, &l.Query, &l.Document)
}

// Wire codes the description.
func (l *Loaded) Wire(c *wire.Codec) {
	c.Fields(&l.From, &l.Graph, &l.Bytes, &l.Tried, &l.Lowest, &l.Micros, &l.Pooling, &l.Prefix, &l.Kept,
		&l.Made)
}
