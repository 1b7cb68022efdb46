package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
)

// Format and Version are what workspace.json says of itself. Version 1 has no stamps but times, and no digests.
const (
	Format  = "rankbox-workspace"
	Version = 2
)

// The names of the files.
const (
	manifestName = "workspace.json"
	queriesName  = "queries.jsonl"
	specsName    = "specs.jsonl"
	clicksName   = "clicks.jsonl"
	layersDir    = "layers/"
	documentsDir = "documents/"
	runsDir      = "runs/"
	reportsDir   = "reports/"
)

// Limits bounds what Import and Read take in; zero fields have the defaults given here.
type Limits struct {
	Bytes     int64 // of all files together: 1 GiB
	Files     int   // 10,000
	Judgments int   // of all layers: 5,000,000
	Queries   int   // 100,000
	Layers    int   // 1,000
	Specs     int   // 10,000
}

func (l Limits) withDefaults() Limits {
	if l.Bytes == 0 {
		l.Bytes = 1 << 30
	}
	for _, f := range []struct {
		n     *int
		usual int
	}{{&l.Files, 10_000}, {&l.Judgments, 5_000_000}, {&l.Queries, 100_000}, {&l.Layers, 1000}, {&l.Specs, 10_000}} {
		if *f.n == 0 {
			*f.n = f.usual
		}
	}
	return l
}

// Files folds the workspace into its files, by name, without the click log. Equal workspaces give equal bytes, in
// whatever order their edits came.
func (w *Workspace) Files() map[string][]byte { return w.files(false) }

func (w *Workspace) files(clicks bool) map[string][]byte {
	out := map[string][]byte{queriesName: queryLines(w.queries), specsName: specLines(w.specs)}
	if b := clickLines(w.clicks); clicks && len(b) > 0 {
		out[clicksName] = b
	}
	for id, l := range w.layers {
		out[layersDir+id+".jsonl"] = l.lines(id)
	}
	for name, b := range w.Blobs {
		out[name] = b
	}
	for name, b := range w.Bundle {
		out[documentsDir+name] = b
	}
	out[manifestName] = manifest(w, out)
	return out
}

func manifest(w *Workspace, files map[string][]byte) []byte {
	b := fmt.Appendf(nil, "{\"format\":%q,\"version\":%d", Format, Version)
	if w.name.at != (Stamp{}) {
		b = appendStamp(jsontext.AppendVisible(append(b, `,"name":`...), w.name.value), `,"time":`, w.name.at)
	}
	if w.rule.at != (Stamp{}) {
		b = append(b, `,"resolve":{"rule":`...)
		b = append(appendStamp(jsontext.AppendVisible(b, string(w.rule.value)), `,"time":`, w.rule.at), '}')
	}
	b = append(b, `,"documents":{"count":`...)
	b = strconv.AppendInt(b, int64(w.Documents.Count), 10)
	b = appendField(appendField(appendField(b, "collection", w.Documents.Collection), "name", w.Documents.Name), "hash",
		w.Documents.Hash)
	b = append(b, `},"files":{`...)
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendVisible(append(b, '\n'), name), ':')
		b = jsontext.AppendVisible(b, sha256.Hex(files[name]))
	}
	return append(b, "}}\n"...)
}

func queryLines(queries map[string]*register[Query]) []byte {
	var b []byte
	for _, id := range slices.Sorted(maps.Keys(queries)) {
		r := queries[id]
		b = jsontext.AppendVisible(append(b, `{"_id":`...), id)
		b = appendField(appendField(appendField(b, "text", r.value.Text), "description", r.value.Description),
			"narrative", r.value.Narrative)
		b = appendEnd(b, r.at, r.there)
	}
	return b
}

func specLines(specs map[string]*register[Spec]) []byte {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		r := specs[name]
		b = jsontext.AppendVisible(append(b, `{"name":`...), name)
		b = appendEnd(appendField(appendField(b, "form", r.value.Form), "text", r.value.Text), r.at, r.there)
	}
	return b
}

// appendEnd ends the line of a register.
func appendEnd(b []byte, at Stamp, there bool) []byte {
	b = appendStamp(b, `,"time":`, at)
	if !there {
		b = append(b, `,"removed":true`...)
	}
	return append(b, "}\n"...)
}

func (l *Layer) lines(id string) []byte {
	b := make([]byte, 0, 200+160*len(l.cells))
	h := l.head.value
	b = jsontext.AppendVisible(append(b, `{"layer":`...), id)
	b = appendField(appendField(appendField(appendField(b, "origin", string(h.Origin)), "author", h.Author), "date",
		h.Date), "rule", h.Rule)
	b = appendField(b, "state", string(h.State))
	if l.head.at != (Stamp{}) {
		b = appendStamp(b, `,"time":`, l.head.at)
	}
	b = append(b, "}\n"...)
	for _, p := range l.pairs() {
		c := l.cells[p]
		b = jsontext.AppendVisible(append(b, `{"query":`...), p.query)
		b = jsontext.AppendVisible(append(b, `,"document":`...), p.document)
		if c.grade.at != (Stamp{}) {
			b = append(b, `,"grade":`...)
			if c.grade.there {
				b = append(b, say.Plain.Grade(c.grade.value)...)
			} else {
				b = append(b, "null"...) // it was taken back, at this time
			}
			b = appendStamp(b, `,"time":`, c.grade.at)
		}
		if c.note.at != (Stamp{}) {
			b = jsontext.AppendVisible(append(b, `,"note":`...), c.note.value)
			b = append(appendStamp(b, `,"noted":{"time":`, c.note.at), '}')
		}
		b = append(b, "}\n"...)
	}
	return b
}

// Digest is the SHA-256 of content, as 64 hexadecimal digits: the name of a run or report.
func Digest(content []byte) string { return sha256.Hex(content) }
