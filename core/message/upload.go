//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Upload makes a collection of files and keeps it on this device; Uploads says what is kept; Duplicate makes a second
// collection of one that is kept, with an id of its own. Embed makes vectors of the documents of a kept collection
// while other requests are answered: its first reply has no answer, the last one with the same id has.
const (
	Upload    Kind = 51
	Uploads   Kind = 52
	Duplicate Kind = 66
	Embed     Kind = 69
)

// Embedding is the work whose progress Embed tells.
const Embedding = "Encoding your documents"

func init() {
	register[AskUpload, Uploaded](Upload, false)
	register[AskUploads, Shelf](Uploads, false)
	register[AskDuplicate, Uploaded](Duplicate, false)
	register[AskEmbed, Uploaded](Embed, false)
}

// AskUpload names the files of a collection: documents, and queries and judgments where there are some. Neither files
// nor From:
// the one before is given up.
type AskUpload struct {
	Files    []File
	Mappings []FileMapping // of tables whose columns are not those of a test collection's format
	Limit    int           // bytes of one file after decompression, 0 for the usual
	Chunking string        // as core/documents/chunk writes it, "" for whole documents
	From     string        // the ID of a kept collection, whose documents are split again; "" for none
	Zip      []byte        // its workspace, whose grades are carried over
	Pages    Pages
	Backend  string // that has the documents; "" if they are in the files
}

// Uploaded is a collection that is kept on this device.
type Uploaded struct {
	ID                            string // as links write it; "" where nothing was made
	Name                          string
	Documents, Queries, Judgments int
	Bytes                         int
	Models                        []string
	Warnings                      []string
	// why the browser did not keep it, "" where it did: it is there as long as the tab
	Unkept  string
	Backend string // that has the documents, "" if they are here
	System  string // the pipeline that searches there
	Edits   []byte // of a workspace that was opened: queries, grades and notes, as its journal has them
	Chunked bool   // its documents are chunks
	Splits  bool   // it can be split again
	Plain   bool   // it has no vectors, and Embed can make them
}

// AskUploads deletes or renames a collection, if it names one, and asks for the list.
type AskUploads struct {
	Delete string // an ID, "" for none
	Rename string // an ID, "" for none
	Name   string // what that one is called from now on
}

// AskDuplicate names a collection that is kept, and what its duplicate is called.
type AskDuplicate struct{ ID, Name string }

// AskEmbed names the collection whose documents are encoded; "" cancels the work on the one before.
type AskEmbed struct {
	ID      string
	Network *AskNetwork // the model that encodes them, nil for the static encoder
	// what stands before queries and before documents, with a network
	Query, Document string
}

// Shelf is what is kept on this device.
type Shelf struct {
	List        []Uploaded
	Used, Quota float64 // bytes of this site on this device, and how many the browser grants; 0 where it does not say
	Nothing     string  // why the browser keeps nothing, "" where it does
	Stays       bool    // the browser promised not to delete it by itself
}

// Given returns the files, for who sends them beside the message.
func (a *AskUpload) Given() []File { return a.Files }

// Given says that the question is for the program that reads files.
func (a *AskUploads) Given() []File { return nil }

// Wire walks the question.
func (a *AskUpload) Wire(c *wire.Codec) {
	wire.Structs(c, &a.Files)
	wire.Structs(c, &a.Mappings)
	c.Fields(&a.Limit, &a.Chunking, &a.From, &a.Zip, &a.Backend)
	a.Pages.Wire(c)
}

// Given says that the question is for the program that reads files.
func (a *AskDuplicate) Given() []File { return nil }

// Wire walks the question.
func (a *AskDuplicate) Wire(c *wire.Codec) { c.Fields(&a.ID, &a.Name) }

// Given returns the files, for who sends them beside the message.
func (a *AskEmbed) Given() []File {
	if a.Network == nil {
		return nil
	}
	return a.Network.Files
}

// Wire walks the question.
func (a *AskEmbed) Wire(c *wire.Codec) {
	c.Fields(&a.ID, &a.Query, &a.Document)
	Pointer(c, &a.Network)
}

// Wire walks the collection.
func (u *Uploaded) Wire(c *wire.Codec) {
	c.Fields(&u.ID, &u.Name, &u.Documents, &u.Queries, &u.Judgments, &u.Bytes, &u.Models, &u.Warnings, &u.Unkept,
		&u.Edits,
		&u.Chunked, &u.Splits, &u.Plain, &u.Backend, &u.System)
}

// Wire walks the question.
func (a *AskUploads) Wire(c *wire.Codec) { c.Fields(&a.Delete, &a.Rename, &a.Name) }

// Wire walks the list.
func (s *Shelf) Wire(c *wire.Codec) {
	wire.Structs(c, &s.List)
	c.Fields(&s.Used, &s.Quota, &s.Nothing, &s.Stays)
}
