//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Upload makes a collection from files and stores it on this device. Uploads lists the stored collections.
// Duplicate copies one under a new id. Embed encodes the documents of a stored collection while other requests are
// answered: its first reply has no answer, the last one with the same id has.
const (
	Upload    Kind = 51
	Uploads   Kind = 52
	Duplicate Kind = 66
	Embed     Kind = 69
)

// Embedding is the progress step of Embed.
const Embedding = "Encoding your documents"

func init() {
	register[AskUpload, Uploaded](Upload, false)
	register[AskUploads, Shelf](Uploads, false)
	register[AskDuplicate, Uploaded](Duplicate, false)
	register[AskEmbed, Uploaded](Embed, false)
}

// AskUpload names the files of a collection: documents, and optional queries and judgments. Without files and From
// it cancels the previous upload.
type AskUpload struct {
	Files    []File
	Mappings []FileMapping // for tables without a test collection's columns
	Limit    int           // maximum bytes of one file after decompression, 0 for the default
	Chunking string        // in the notation of core/project/documents/chunk, "" for whole documents
	From     string        // ID of a stored collection to split again; "" for none
	Zip      []byte        // its workspace, whose grades are transferred
	Pages    Pages
	Backend  string // backend with the documents; "" if they are in the files
}

// Uploaded is a collection stored on this device.
type Uploaded struct {
	ID                            string // as in links; "" if nothing was made
	Name                          string
	Documents, Queries, Judgments int
	Bytes                         int
	Models                        []string
	Warnings                      []string
	// why the browser did not store it, or "": it then lives as long as the tab
	Unkept  string
	Backend string // backend with the documents, "" if they are here
	System  string // the pipeline that searches the backend
	Edits   []byte // of an opened workspace: queries, grades and notes in journal format
	Chunked bool   // its documents are chunks
	Splits  bool   // it can be split again
	Plain   bool   // it has no vectors, and Embed can make them
}

// AskUploads optionally deletes or renames a collection, and asks for the list.
type AskUploads struct {
	Delete string // an ID, "" for none
	Rename string // an ID, "" for none
	Name   string // its new name
}

// AskDuplicate names a stored collection and its copy.
type AskDuplicate struct{ ID, Name string }

// AskEmbed names the collection whose documents to encode; "" cancels the previous request.
type AskEmbed struct {
	ID      string
	Network *AskNetwork // the encoding model, nil for the static encoder
	// prefixes of queries and documents, with a network
	Query, Document string
}

// Shelf lists the collections on this device.
type Shelf struct {
	List        []Uploaded
	Used, Quota float64 // storage of this site in bytes: used, and granted by the browser; 0 if unknown
	Nothing     string  // why the browser stores nothing, or ""
	Stays       bool    // the browser promised not to delete it
}

// Given returns the files to send beside the message.
func (a *AskUpload) Given() []File { return a.Files }

// Given routes the question to the program that reads files.
func (a *AskUploads) Given() []File { return nil }

// Wire codes the question.
func (a *AskUpload) Wire(c *wire.Codec) {
	wire.Structs(c, &a.Files)
	wire.Structs(c, &a.Mappings)
	c.Fields(&a.Limit, &a.Chunking, &a.From, &a.Zip, &a.Backend)
	a.Pages.Wire(c)
}

// Given routes the question to the program that reads files.
func (a *AskDuplicate) Given() []File { return nil }

// Wire codes the question.
func (a *AskDuplicate) Wire(c *wire.Codec) { c.Fields(&a.ID, &a.Name) }

// Given returns the files to send beside the message.
func (a *AskEmbed) Given() []File {
	if a.Network == nil {
		return nil
	}
	return a.Network.Files
}

// Wire codes the question.
func (a *AskEmbed) Wire(c *wire.Codec) {
	c.Fields(&a.ID, &a.Query, &a.Document)
	Pointer(c, &a.Network)
}

// Wire codes the collection.
func (u *Uploaded) Wire(c *wire.Codec) {
	c.Fields(&u.ID, &u.Name, &u.Documents, &u.Queries, &u.Judgments, &u.Bytes, &u.Models, &u.Warnings, &u.Unkept,
		&u.Edits,
		&u.Chunked, &u.Splits, &u.Plain, &u.Backend, &u.System)
}

// Wire codes the question.
func (a *AskUploads) Wire(c *wire.Codec) { c.Fields(&a.Delete, &a.Rename, &a.Name) }

// Wire codes the list.
func (s *Shelf) Wire(c *wire.Codec) {
	wire.Structs(c, &s.List)
	c.Fields(&s.Used, &s.Quota, &s.Nothing, &s.Stays)
}
