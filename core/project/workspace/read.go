package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// reading is a workspace that is being read.
type reading struct {
	*parser
	w         *Workspace
	lim       Limits
	version   int
	judgments int
}

// Read makes a workspace of its files. Files that are damaged, missing or no part of a workspace are refused by name. A
// workspace of an older version is read into the present form, and the files stay as they are. One of a newer version
// is ReadOnly.
func Read(files map[string][]byte, lim Limits) (*Workspace, error) {
	d := &reading{parser: newParser(), w: New(Documents{}), lim: lim.withDefaults()}
	d.r = jsontext.New(nil, jsontext.Limits{Depth: 8, Token: 6 * MaxText})
	head, ok := files[manifestName]
	if !ok {
		return nil, fault("%s is missing: this is not a workspace", manifestName)
	}
	if len(files) > d.lim.Files {
		return nil, fault("%d files, more than %d", len(files), d.lim.Files)
	}
	sums, err := d.readManifest(head)
	if err != nil {
		return nil, named(manifestName, err)
	}
	if d.version >= 2 {
		if err := checkSums(files, sums); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := d.readFile(name, files[name]); err != nil {
			return nil, named(name, err)
		}
	}
	if len(d.w.Bundle) > 0 {
		if err := d.checkBundle(); err != nil {
			return nil, err
		}
	}
	return d.w, nil
}

func named(name string, err error) error { return fault("%s: %w", name, err) }

// checkSums holds the files against the digests of workspace.json.
func checkSums(files map[string][]byte, sums map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		b, ok := files[name]
		if !ok {
			return fault("%s is missing", name)
		}
		if sha256.Hex(b) != sums[name] {
			return fault("%s is damaged: it is not the file that %s describes", name, manifestName)
		}
	}
	for name := range files {
		if _, ok := sums[name]; !ok && name != manifestName {
			return fault("%q is not a part of this workspace: %s does not name it", name, manifestName)
		}
	}
	return nil
}

// stampField reads a field of a stamp.
func (d *reading) stampField(s *Stamp, key string) bool {
	switch key {
	case "time":
		s.Time = d.r.Int()
	case "tab":
		s.Tab = d.r.String()
	case "n":
		s.N = d.r.Int()
	default:
		return false
	}
	return true
}

// stamped completes the stamp of line n of a file, which version 1 wrote without tab and n, and remembers it.
func (d *reading) stamped(s *Stamp, n int) error {
	if d.version == 1 {
		s.Tab, s.N = "v1", int64(n)
	}
	if s.Time < 0 || s.Time > 1<<52 || s.N < 1 || s.N > 1<<52 || s.Tab == "" || len(s.Tab) > 40 {
		return errors.New("the stamp (time, tab, n) is missing or out of range")
	}
	if err := checkID("tab", s.Tab); err != nil {
		return err
	}
	d.w.latest.raise(*s)
	return nil
}

func (d *reading) readManifest(b []byte) (sums map[string]string, err error) {
	w, r := d.w, d.r
	format, rule := "", ""
	var nameAt, ruleAt Stamp
	sums = map[string]string{}
	err = d.object(b, func(key string) bool {
		if d.stampField(&nameAt, key) {
			return true
		}
		switch key {
		case "format":
			format = r.String()
		case "version":
			d.version = int(min(max(r.Int(), 0), 1<<30))
		case "name":
			w.name.value = r.String()
		case "resolve":
			d.inside(func(key string) bool {
				if key == "rule" {
					rule = r.String()
					return true
				}
				return d.stampField(&ruleAt, key)
			})
		case "documents":
			d.inside(func(key string) bool {
				switch key {
				case "collection":
					w.Documents.Collection = r.String()
				case "name":
					w.Documents.Name = r.String()
				case "hash":
					w.Documents.Hash = r.String()
				case "count":
					w.Documents.Count = int(min(max(r.Int(), 0), 1<<31-1))
				default:
					return false
				}
				return true
			})
		case "files":
			d.inside(func(key string) bool {
				if len(sums) >= d.lim.Files {
					r.Invalid("more than " + strconv.Itoa(d.lim.Files) + " files")
					return true
				}
				sums[key] = r.String()
				return true
			})
		default:
			return false
		}
		return true
	})
	switch {
	case err != nil:
		return nil, err
	case format != Format:
		return nil, fmt.Errorf("its format is %q, not %q", format, Format)
	case d.version < 1:
		return nil, errors.New("it has no version")
	case d.version > Version:
		w.ReadOnly = "version " + strconv.Itoa(d.version) + " of Rankbox's workspaces wrote it, and this one knows " +
			strconv.Itoa(Version) + ": open it in a newer Rankbox to change it"
	}
	if err := d.registers(nameAt, ruleAt, rule); err != nil {
		return nil, err
	}
	for _, s := range []string{w.name.value, w.Documents.Collection, w.Documents.Name, w.Documents.Hash} {
		if err := checkText("description of the documents", s); err != nil {
			return nil, err
		}
	}
	return sums, nil
}

// registers sets the name and the rule that workspace.json has.
func (d *reading) registers(nameAt, ruleAt Stamp, rule string) error {
	w := d.w
	if w.name.value != "" || nameAt != (Stamp{}) {
		if err := d.stamped(&nameAt, 1); err != nil {
			return err
		}
		w.name.at, w.name.there = nameAt, w.name.value != ""
	}
	if rule == "" {
		return nil
	}
	if err := d.stamped(&ruleAt, 1); err != nil {
		return err
	}
	w.rule = register[Rule]{Rule(rule), ruleAt, true}
	return w.rule.value.check()
}

// inside reads an object within the one that is being read.
func (d *reading) inside(field func(key string) bool) {
	for d.r.BeginObject(); d.r.More(); {
		if !field(string(d.r.Key())) {
			d.r.Skip()
		}
	}
}

func (d *reading) readFile(name string, b []byte) error {
	switch {
	case name == manifestName:
		return nil
	case name == queriesName:
		return d.lines(b, d.lim.Queries, "queries", d.readQuery)
	case name == clicksName:
		return d.lines(b, d.lim.Judgments, "clicks", d.readClick)
	case name == specsName:
		return d.lines(b, d.lim.Specs, "specs", d.readSpec)
	case strings.HasPrefix(name, layersDir) && strings.HasSuffix(name, ".jsonl"):
		return d.readLayer(strings.TrimSuffix(strings.TrimPrefix(name, layersDir), ".jsonl"), b)
	case strings.HasPrefix(name, runsDir), strings.HasPrefix(name, reportsDir):
		if path.Base(name) != sha256.Hex(b) || strings.Count(name, "/") != 1 {
			return errors.New("its name is not the SHA-256 of its content, or it is damaged")
		}
		d.w.Blobs[name] = b
		return nil
	case strings.HasPrefix(name, documentsDir):
		if d.w.Bundle == nil {
			d.w.Bundle = map[string][]byte{}
		}
		d.w.Bundle[strings.TrimPrefix(name, documentsDir)] = b
		return nil
	}
	if d.w.ReadOnly != "" {
		return nil // of the newer version
	}
	return errors.New("a workspace cannot have this file")
}

// lines calls read with every line, from 1.
func (d *reading) lines(b []byte, most int, what string, read func(line []byte, n int) error) error {
	for n := 1; len(b) > 0; n++ {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		if n > most {
			return fmt.Errorf("more than %d %s", most, what)
		}
		if err := read(line, n); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

func (d *reading) readQuery(line []byte, n int) error {
	var q Query
	var at Stamp
	removed := false
	err := d.object(line, func(key string) bool {
		switch key {
		case "_id":
			q.ID = d.r.String()
		case "text":
			q.Text = d.r.String()
		case "description":
			q.Description = d.r.String()
		case "narrative":
			q.Narrative = d.r.String()
		case "removed":
			removed = d.r.Bool()
		default:
			return d.stampField(&at, key)
		}
		return true
	})
	if err == nil {
		err = d.stamped(&at, n)
	}
	if err != nil {
		return err
	}
	e := Edit{Stamp: at, Kind: SetQuery, Query: q.ID, Text: q.Text, Description: q.Description, Narrative: q.Narrative}
	if removed {
		e, q = Edit{Stamp: at, Kind: RemoveQuery, Query: q.ID}, Query{ID: q.ID}
	}
	if err := e.Check(); err != nil {
		return err
	}
	return once(entry(d.w.queries, q.ID).set(q, !removed, at), "query", q.ID)
}

// once is an error if an id comes twice.
func once(first bool, what, id string) error {
	if !first {
		return fmt.Errorf("the %s %q comes twice", what, id)
	}
	return nil
}

func (d *reading) readSpec(line []byte, n int) error {
	s, at, removed, err := d.readText(line, n)
	if err != nil {
		return err
	}
	e := Edit{Stamp: at, Kind: SetSpec, Spec: s.Name, Form: s.Form, Text: s.Text}
	if removed {
		e.Kind = RemoveSpec
	}
	if err := e.Check(); err != nil {
		return err
	}
	return once(entry(d.w.specs, s.Name).set(s, !removed, at), "spec", s.Name)
}

// readText reads a line with a name, a text and a stamp.
func (d *reading) readText(line []byte, n int) (s Spec, at Stamp, removed bool, err error) {
	err = d.object(line, func(key string) bool {
		switch key {
		case "name":
			s.Name = d.r.String()
		case "form":
			s.Form = d.r.String()
		case "text":
			s.Text = d.r.String()
		case "removed":
			removed = d.r.Bool()
		default:
			return d.stampField(&at, key)
		}
		return true
	})
	if err == nil {
		err = d.stamped(&at, n)
	}
	return s, at, removed, err
}

// checkBundle holds the files of the documents against their manifest.
func (d *reading) checkBundle() error {
	files := d.w.Bundle
	m, err := bundle.ReadManifest(files["manifest.json"])
	if err != nil {
		return named(documentsDir+"manifest.json", err)
	}
	if m.Hash != d.w.Documents.Hash {
		return fault("the documents are not those of the workspace: their hash is %s, not %s", m.Hash,
			d.w.Documents.Hash)
	}
	known := map[string]bool{"manifest.json": true}
	for _, f := range m.Files {
		known[f.Name] = true
		b, ok := files[f.Name]
		if !ok {
			return fault("%s%s is missing", documentsDir, f.Name)
		}
		if len(b) != f.Bytes || sha256.Hex(b) != f.Sum {
			return fault("%s%s is damaged", documentsDir, f.Name)
		}
	}
	for name := range files {
		if !known[name] {
			return fault("%s%s is no part of the documents", documentsDir, name)
		}
	}
	return nil
}
