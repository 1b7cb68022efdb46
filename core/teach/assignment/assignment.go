// Package assignment lets a class judge a pool of documents without a server: a student's share of the pool as a link
// or a file, and the judgments that the student hands in. It ranks nothing, opens no file and knows no browser.
//
// Order of the pipeline: [Class] → [Class.Assignments] → [Assignment.Link] or [Assignment.File] → [Read] on the
// student's page → grades → [Assignment.HandIn] → [ReadHandIn] → [Assignment.Check].
//
// Its count and its code find a file that was cut, or whose grades were changed in an editor. The class finds one of
// another share. What cannot be proved without a server: who sat at the device. Whoever writes a program can compute a
// code.
package assignment

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"hash/crc32"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/internal/inflate"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/project/workspace"
)

// Prefix begins the link of a share, without "#".
const Prefix = "share="

// Limits of a share.
const (
	MaxName       = 200  // bytes of a class's title, a student's id and the name of a grade
	MaxGuidelines = 8192 // bytes
	MaxDocuments  = 1000
	MaxStudents   = 500
	MaxGrades     = 4 // names of a scale: grades from 0 to 3

	maxLink = packed.MaxLink
	maxWire = 1 << 20 // bytes of a share that is unpacked
	mostIn  = 4 << 20 // bytes of a link or file that is read
)

// DefaultScale names the grades from 0 on.
var DefaultScale = []string{"Not relevant", "Related", "Relevant", "The answer"}

// Errors of Read, ReadFile and ReadHandIn.
var (
	ErrForeign = say.Faultf("assignment", "this is no share of a class")
	ErrDamaged = say.Faultf("assignment", "the share is damaged: it was cut, or a character of it was changed")
	ErrNewer   = say.Faultf("assignment", "a later version of Rankbox made the share")
)

// Assignment is what a student is to judge.
type Assignment struct {
	Class, Student string
	Collection     string // id
	Hash           string // of the collection's content, 16 hex digits; "" if any version will do
	Name           string // of the collection
	Each           int    // how many students judge each document
	Scale          []string
	Guidelines     string
	Queries        []workspace.Query // of Documents that the collection lacks, with their texts
	Documents      []workspace.Pooled
}

func fault(format string, args ...any) error { return say.Faultf("assignment", format, args...) }

// version is that of the form.
const version = 1

// Wire walks the share: documents in stretches of one query.
func (a *Assignment) Wire(c *wire.Codec) {
	c.Fields(&a.Class, &a.Student, &a.Collection, &a.Hash, &a.Name, &a.Each, &a.Guidelines)
	c.Strings(&a.Scale)
	wire.List(c, &a.Queries, func(q *workspace.Query) { c.Fields(&q.ID, &q.Text, &q.Description, &q.Narrative) })
	var parts []stretch
	for _, d := range a.Documents {
		if n := len(parts); n == 0 || parts[n-1].query != d.Query {
			parts = append(parts, stretch{query: d.Query})
		}
		parts[len(parts)-1].docs = append(parts[len(parts)-1].docs, d.Document)
	}
	wire.List(c, &parts, func(p *stretch) {
		c.String(&p.query)
		c.Strings(&p.docs)
	})
	if !c.Reading() {
		return
	}
	a.Documents = nil
	for _, p := range parts {
		for _, d := range p.docs {
			a.Documents = append(a.Documents, workspace.Pooled{Query: p.query, Document: d})
		}
	}
}

type stretch struct {
	query string
	docs  []string
}

// ID tells shares apart: twelve hex digits of a hash of who judges which documents, and how. The collection may be
// renamed, and queries reworded, without changing it.
func (a *Assignment) ID() string {
	b := *a
	b.Hash, b.Name, b.Queries = "", "", nil
	return sha256.Hex(wire.Marshal(&b))[:12]
}

// Layer is the id of the layer that the share's grades go to, so that two students at one device have one each.
func (a *Assignment) Layer() string { return "share-" + a.ID() }

// Rule is the instruction as the head of a layer has it: the scale, then the guidelines.
func (a *Assignment) Rule() string {
	var names []string
	for i, s := range a.Scale {
		names = append(names, say.Plain.Int(i)+" "+s)
	}
	rule := strings.Join(names, ", ")
	if a.Guidelines != "" {
		rule += ". " + a.Guidelines
	}
	return rule
}

// checkName says what is wrong with a name or an id.
func checkName(what, s string, most int) error {
	switch {
	case s == "":
		return fault("the %s is empty", what)
	case len(s) > most:
		return fault("the %s has %d bytes, more than %d", what, len(s), most)
	case !utf8.ValidString(s):
		return fault("the %s is not UTF-8", what)
	case strings.ContainsFunc(s, unicode.IsControl):
		return fault("the %s %q holds a control character", what, s)
	}
	return nil
}

// checkScale says what is wrong with the names of grades.
func checkScale(scale []string) error {
	if len(scale) < 2 || len(scale) > MaxGrades {
		return fault("the scale has %s: want 2 to %d", say.Count(len(scale), "grade", "grades"), MaxGrades)
	}
	for _, s := range scale {
		if err := checkName("name of a grade", s, MaxName); err != nil {
			return err
		}
	}
	return nil
}

func checkText(what, s string, most int) error {
	if len(s) > most || !utf8.ValidString(s) {
		return fault("the %s may have %s of UTF-8", what, say.Bytes(int64(most)))
	}
	return nil
}

func (a *Assignment) check() error {
	errs := []error{checkName("title of the class", a.Class, MaxName), checkName("student", a.Student, MaxName),
		checkName("collection", a.Collection, MaxName), checkScale(a.Scale),
		checkText("guidelines", a.Guidelines, MaxGuidelines), checkText("name", a.Name, MaxGuidelines)}
	if n := len(a.Documents); n == 0 || n > MaxDocuments {
		errs = append(errs, fault("a share has 1 to %d documents, and this one has %d", MaxDocuments, n))
	}
	if a.Hash != "" && (len(a.Hash) != 16 || strings.Trim(a.Hash, "0123456789abcdef") != "") || a.Each < 1 {
		errs = append(errs, ErrDamaged)
	}
	for _, d := range a.Documents {
		errs = append(errs, checkName("id of a query", d.Query, workspace.MaxID),
			checkName("id of a document", d.Document, workspace.MaxID))
	}
	for _, q := range a.Queries {
		errs = append(errs, checkName("id of a query", q.ID, workspace.MaxID), checkText("text of a query",
			q.Text+q.Description+q.Narrative, workspace.MaxText))
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TooLongError says that a share does not fit a link.
type TooLongError struct{ Length int }

func (e *TooLongError) Error() string { return "assignment: " + e.Said() }

// Said is what people are told.
func (e *TooLongError) Said() string {
	return "the link would have " + say.Thousands(e.Length) + " characters, and links hold " + say.Thousands(maxLink)
}

// Link writes the share as the fragment of an address, without "#". The error is a *TooLongError if it has more than
// 8,192 characters.
func (a *Assignment) Link() (string, error) {
	s := a.Fragment()
	if len(s) > maxLink {
		return "", &TooLongError{len(s)}
	}
	return s, nil
}

const sumName = "&x="

func sum(s string) string { return strings.ToLower(say.Hex(crc32.ChecksumIEEE([]byte(s)), 8)) }

// Fragment is the link, however long.
func (a *Assignment) Fragment() string {
	var b bytes.Buffer
	b.WriteByte(version)
	w, _ := flate.NewWriter(&b, flate.BestCompression) // a known level
	w.Write(wire.Marshal(a))                           // a bytes.Buffer takes everything
	w.Close()
	text := base64.RawURLEncoding.EncodeToString(b.Bytes())
	return Prefix + text + sumName + sum(text)
}

// Read reads a fragment that Link wrote, or that of a file. It accepts a leading # and what mail and chat programs add:
// blanks, line breaks and punctuation at the end.
func Read(fragment string) (*Assignment, error) {
	if len(fragment) > mostIn {
		return nil, ErrDamaged
	}
	s := strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, fragment)
	s = strings.NewReplacer("&amp;", "&", "%26", "&", "%3D", "=").Replace(s)
	s, ok := strings.CutPrefix(strings.TrimPrefix(s, "#"), Prefix)
	if !ok {
		return nil, ErrForeign
	}
	text, check, ok := strings.Cut(s, sumName)
	if !ok || len(check) < 8 || check[:8] != sum(text) {
		return nil, ErrDamaged
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) == 0 {
		return nil, ErrDamaged
	}
	if b[0] > version {
		return nil, ErrNewer
	}
	body, err := within.All(inflate.New(bytes.NewReader(b[1:])), 0, maxWire)
	if err != nil || b[0] == 0 {
		return nil, ErrDamaged
	}
	a := &Assignment{}
	if _, err := wire.UnmarshalWithin(body, a, 16*maxWire); err != nil {
		return nil, ErrDamaged
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	return a, nil
}

// fileTitle is the first line of a file of a share.
const fileTitle = "Rankbox share, version 1"

// File writes the share as a file that Judge takes, for one that does not fit a link.
func (a *Assignment) File() []byte {
	return []byte(fileTitle + "\nclass: " + a.Class + "\nstudent: " + a.Student + "\nDrop this file on Judge.\n" +
		a.Fragment() + "\n")
}

// IsFile says whether a file is one of File.
func IsFile(b []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(b, []byte("\ufeff")), []byte(fileTitle))
}

// ReadFile reads what File wrote.
func ReadFile(b []byte) (*Assignment, error) {
	if !IsFile(b) {
		return nil, ErrForeign
	}
	_, fragment, ok := strings.Cut(string(b), "\n"+Prefix)
	if !ok {
		return nil, ErrDamaged
	}
	return Read(Prefix + fragment)
}

// FileName is what a file of a student is called: the id, without what file systems refuse.
func FileName(student, ending string) string {
	name := strings.Trim(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '-'
		}
		return r
	}, student), ". ")
	if name == "" {
		name = "student"
	}
	return name + ending
}
