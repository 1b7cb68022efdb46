// Package bundle is the published form of a collection: static files that any web server can deliver and that open
// in milliseconds. Exchange collections as BEIR folders instead.
//
// Order of the pipeline: a collection, with vectors → Build → files and a Manifest; Manifest → Open (the files for
// search, each checked) → Bundle → Texts (a shard of document texts, on demand).
package bundle

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Format is the version of written files. Version 1 stays readable.
const Format = 1

// Manifest describes a bundle. File names contain the start of their SHA-256, so that browsers may cache them for
// ever: cards (id, title, date, category, entities of every document), texts in shards, queries, qrels, the index,
// document and query vectors by model, and notes (notes.go). Documents are in ordinal order: descending by id, in
// bytes. Files that are damaged, truncated, mixed from two bundles or newer than this code are refused by name.
type Manifest struct {
	Format      int
	ID          string // "harbour-wire": letters, digits, hyphens
	Name        string // "Harbour Wire"
	Licence     string // SPDX identifier
	Source      string // origin, in a sentence
	Documents   int
	Queries     int
	Judgments   int
	Analyzer    string // of the index
	AnalyzerVer int
	Hash        string // SHA-256 over roles and sums of all files, 64 hex digits: identifies the content
	Shard       int    // documents per shard of texts
	RemoveQuery bool   // queries are documents, each left out of its own ranking
	Files       []File
	Models      []Model    // of vectors
	Elsewhere   *Elsewhere // the backend with the documents; nil if they are here
	Late        []Model    // of token vectors
	Sparse      []Model    // of term weights
}

// Elsewhere names the search backend with the documents. The collection itself has only the ids of judged ones.
type Elsewhere struct {
	Backend  string
	Mode     string // search mode, "" for the default
	Identity string // identity that the backend declared when the collection was made, "" if none
}

// File is one file of a bundle.
type File struct {
	// "cards", "queries", "qrels", "index", "needs", "news", "texts/0", "vectors/minilm/docs", "vectors/minilm/queries"
	Role  string
	Name  string // relative to the manifest
	Bytes int
	Sum   string // SHA-256, 64 hex digits
}

// Model is the origin of vectors.
type Model struct {
	Name       string // as in dense(model=…)
	Label      string // "all-MiniLM-L6-v2"
	Revision   string
	Licence    string
	Pooling    string
	Prefix     string // prepended to queries, "" for none
	Dim        int
	Normalised bool
	Encoder    string // encodes queries without a stored vector, "" for none
	// number format: "" for int8, "f32" if the unrounded numbers are included, "bit" for signs alone
	Numbers string
	source  string // the model's name in meta.json
}

// StaticName is the model that the static encoder's vectors approximate. They use its name in the notation.
const StaticName = "minilm"

// staticRevision marks vectors whose documents and queries a static encoder made.
const staticRevision = "static, both sides"

// Static reports whether a static encoder made the vectors of both documents and queries.
func (m *Model) Static() bool { return m.Revision == staticRevision }

// Called returns the display name of the vectors: the model's full name, or "static MiniLM" for the static
// encoder's.
func (m *Model) Called() string {
	if m.Static() && m.Name == StaticName {
		return "static MiniLM"
	}
	return m.Label
}

// Lexical reports whether a page opens the collection with lexical systems alone. It does without vectors, and with
// the static encoder's, which rank worse than a model's own and would need a download. A device that made them has
// them.
func (m *Manifest) Lexical() bool {
	for i := range m.Models {
		if !m.Models[i].Static() || strings.HasPrefix(m.ID, "upload-") {
			return false
		}
	}
	return true
}

// Role prefixes of token vectors, term weights, stored runs and model networks.
const (
	tokenRole   = "late/"
	weightRole  = "sparse/"
	runRole     = "run/"
	networkRole = "onnx/"
)

// File returns the file with a role.
func (m *Manifest) File(role string) (File, bool) {
	for _, f := range m.Files {
		if f.Role == role {
			return f, true
		}
	}
	return File{}, false
}

// contentHash computes Hash: the SHA-256 of "role sum
// " of every file in order, without token vectors, term weights, stored runs and networks. Adding those keeps the
// collection's identity, and links to it remain valid.
func (m *Manifest) contentHash() string {
	var b strings.Builder
	for _, f := range m.Files {
		if strings.HasPrefix(f.Role, tokenRole) || strings.HasPrefix(f.Role, weightRole) ||
			strings.HasPrefix(f.Role, runRole) || strings.HasPrefix(f.Role, networkRole) {
			continue
		}
		b.WriteString(f.Role + " " + f.Sum + "\n")
	}
	return sumHex([]byte(b.String()))
}

func sumHex(b []byte) string {
	h := sha(b)
	return hex.EncodeToString(h[:])
}

// Check returns an error with the file's name if data differs from the manifest's entry for the role.
func (m *Manifest) Check(role string, data []byte) error {
	f, ok := m.File(role)
	if !ok {
		return say.Faultf("bundle", "%s: the manifest lists no file for %s", m.ID, role)
	}
	if len(data) != f.Bytes {
		return say.Faultf("bundle", "%s: %s has %d bytes, the manifest says %d: it is cut off or from another version",
			m.ID, f.Name, len(data), f.Bytes)
	}
	if sumHex(data) != f.Sum {
		return say.Faultf("bundle", "%s: %s is damaged or from another version: its SHA-256 is not the manifest's",
			m.ID, f.Name)
	}
	return nil
}

// JSON returns the manifest in its stored form.
func (m *Manifest) JSON() []byte {
	var b strings.Builder
	str := func(s string) { b.WriteString(jsontext.Quote(s)) }
	field := func(name, value string) {
		b.WriteString("  ")
		str(name)
		b.WriteString(": ")
		str(value)
		b.WriteString(",\n")
	}
	number := func(name string, v int) {
		b.WriteString("  ")
		str(name)
		b.WriteString(": " + strconv.Itoa(v) + ",\n")
	}
	b.WriteString("{\n")
	number("format", m.Format)
	field("id", m.ID)
	field("name", m.Name)
	field("licence", m.Licence)
	field("source", m.Source)
	number("documents", m.Documents)
	number("queries", m.Queries)
	number("judgments", m.Judgments)
	field("analyzer", m.Analyzer)
	number("analyzer_version", m.AnalyzerVer)
	field("hash", m.Hash)
	number("shard", m.Shard)
	if m.RemoveQuery {
		b.WriteString("  \"remove_query\": true,\n")
	}
	if x := m.Elsewhere; x != nil {
		b.WriteString("  \"elsewhere\": {\"backend\": ")
		str(x.Backend)
		b.WriteString(", \"mode\": ")
		str(x.Mode)
		b.WriteString(", \"identity\": ")
		str(x.Identity)
		b.WriteString("},\n")
	}
	b.WriteString("  \"files\": [")
	for i, f := range m.Files {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n    {\"role\": ")
		str(f.Role)
		b.WriteString(", \"name\": ")
		str(f.Name)
		b.WriteString(", \"bytes\": " + strconv.Itoa(f.Bytes) + ", \"sha256\": ")
		str(f.Sum)
		b.WriteString("}")
	}
	b.WriteString("\n  ],\n  \"models\": [")
	writeModels(&b, m.Models)
	if len(m.Late) > 0 {
		b.WriteString("\n  ],\n  \"token_models\": [")
		writeModels(&b, m.Late)
	}
	if len(m.Sparse) > 0 {
		b.WriteString("\n  ],\n  \"weight_models\": [")
		writeModels(&b, m.Sparse)
	}
	b.WriteString("\n  ]\n}\n")
	return []byte(b.String())
}

func writeModels(b *strings.Builder, models []Model) {
	str := func(s string) { b.WriteString(jsontext.Quote(s)) }
	for i, d := range models {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n    {\"name\": ")
		str(d.Name)
		for _, p := range [][2]string{{"label", d.Label}, {"revision", d.Revision}, {"licence", d.Licence},
			{"pooling", d.Pooling}, {"prefix", d.Prefix}} {
			b.WriteString(", \"" + p[0] + "\": ")
			str(p[1])
		}
		b.WriteString(", \"dim\": " + strconv.Itoa(d.Dim) + ", \"normalised\": " + strconv.FormatBool(d.Normalised))
		for _, p := range [][2]string{{"encoder", d.Encoder}, {"numbers", d.Numbers}} {
			if p[1] != "" {
				b.WriteString(", \"" + p[0] + "\": ")
				str(p[1])
			}
		}
		b.WriteString("}")
	}
}

// ReadManifest reads the output of JSON, of this version or an older one. It ignores unknown members within the
// same major format and refuses a newer format.
func ReadManifest(data []byte) (*Manifest, error) {
	m := &Manifest{}
	r := jsontext.New(nil, jsontext.Limits{Depth: 8, Token: 1 << 16})
	r.Reset(data)
	count := func() int {
		v := r.Int()
		if v < 0 || v > 1<<31-1 {
			r.Invalid("a count that cannot be")
			return 0
		}
		return int(v)
	}
	for r.BeginObject(); r.More(); {
		switch string(r.Key()) {
		case "format":
			m.Format = count()
		case "id":
			m.ID = r.String()
		case "name":
			m.Name = r.String()
		case "licence":
			m.Licence = r.String()
		case "source":
			m.Source = r.String()
		case "documents":
			m.Documents = count()
		case "queries":
			m.Queries = count()
		case "judgments":
			m.Judgments = count()
		case "analyzer":
			m.Analyzer = r.String()
		case "analyzer_version":
			m.AnalyzerVer = count()
		case "hash":
			m.Hash = r.String()
		case "shard":
			m.Shard = count()
		case "remove_query":
			m.RemoveQuery = r.Bool()
		case "elsewhere":
			m.Elsewhere = readElsewhere(r)
		case "files":
			for r.BeginArray(); r.More(); {
				var f File
				for r.BeginObject(); r.More(); {
					switch string(r.Key()) {
					case "role":
						f.Role = r.String()
					case "name":
						f.Name = r.String()
					case "bytes":
						f.Bytes = count()
					case "sha256":
						f.Sum = r.String()
					default:
						r.Skip()
					}
				}
				m.Files = append(m.Files, f)
			}
		case "models":
			m.Models = readModels(r, count)
		case "token_models":
			m.Late = readModels(r, count)
		case "weight_models":
			m.Sparse = readModels(r, count)
		default:
			r.Skip()
		}
	}
	r.End()
	if err := r.Err(); err != nil {
		return nil, say.Faultf("bundle", "manifest.json: %w", err)
	}
	return m, m.validate()
}

func readModels(r *jsontext.Reader, count func() int) (out []Model) {
	for r.BeginArray(); r.More(); {
		var d Model
		for r.BeginObject(); r.More(); {
			switch string(r.Key()) {
			case "name":
				d.Name = r.String()
			case "label":
				d.Label = r.String()
			case "revision":
				d.Revision = r.String()
			case "licence":
				d.Licence = r.String()
			case "pooling":
				d.Pooling = r.String()
			case "prefix":
				d.Prefix = r.String()
			case "dim":
				d.Dim = count()
			case "normalised":
				d.Normalised = r.Bool()
			case "encoder":
				d.Encoder = r.String()
			case "numbers":
				d.Numbers = r.String()
			default:
				r.Skip()
			}
		}
		out = append(out, d)
	}
	return out
}

func (m *Manifest) validate() error {
	switch {
	case m.Format == 0:
		return say.Faultf("bundle", "manifest.json: this is not the manifest of a collection")
	case m.Format > Format:
		return say.Faultf("bundle",
			"manifest.json: format %d is newer than this version of Rankbox, which reads up to %d: reload the page",
			m.Format, Format)
	case !validID(m.ID):
		return say.Faultf("bundle", "manifest.json: %q is not the id of a collection", m.ID)
	case m.Shard < 1:
		return say.Faultf("bundle", "manifest.json: shards of %d documents", m.Shard)
	}
	seen := map[string]bool{}
	for _, f := range m.Files {
		if !validName(f.Name) || len(f.Sum) != 64 || seen[f.Role] {
			return say.Faultf("bundle", "manifest.json: the entry for %q (file %q) is not valid", f.Role, f.Name)
		}
		seen[f.Role] = true
	}
	if m.Hash != m.contentHash() {
		return say.Faultf("bundle",
			"manifest.json: the content hash does not match the listed files: the manifest was altered or mixed")
	}
	return nil
}

func validID(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

// validName prevents a manifest from naming a file outside its folder.
func validName(s string) bool {
	if s == "" || len(s) > 120 || s[0] == '/' || strings.Contains(s, "..") {
		return false
	}
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '/') {
			return false
		}
	}
	return true
}
