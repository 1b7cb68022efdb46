package bundle

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
)

// SourceTokens are the token vectors of one model with the ids of their texts.
type SourceTokens struct {
	Model            Model
	Docs, Queries    *late.Tokens
	DocIDs, QueryIDs []string
}

// Order sorts the documents by ordinal and checks that none is missing; queries may be. id names the collection in
// errors.
func (v *SourceTokens) Order(id string, ordinal map[string]int) error {
	for _, t := range []struct {
		what string
		t    *late.Tokens
		ids  []string
	}{{"documents", v.Docs, v.DocIDs}, {"queries", v.Queries, v.QueryIDs}} {
		if err := t.t.Check(); err != nil {
			return say.Faultf("bundle", "build %s: model %s: %s: %w", id, v.Model.Name, t.what, err)
		}
		if t.t.Len() != len(t.ids) {
			return say.Faultf("bundle", "build %s: model %s: %d ids for the tokens of %d %s", id, v.Model.Name,
				len(t.ids), t.t.Len(), t.what)
		}
	}
	row, err := rowsOf(id, v.Model.Name, "token vectors", ordinal, v.DocIDs)
	if err != nil {
		return err
	}
	out := &late.Tokens{Dim: v.Docs.Dim, Scale: v.Docs.Scale, Vocab: v.Docs.Vocab, Offsets: []uint32{0}}
	for _, r := range row {
		out.Rows = append(out.Rows, v.Docs.Of(r)...)
		if v.Docs.Words != nil {
			out.Words = append(out.Words, v.Docs.Words[v.Docs.Offsets[r]:v.Docs.Offsets[r+1]]...)
		}
		out.Offsets = append(out.Offsets, uint32(len(out.Rows)/out.Dim))
	}
	v.Docs = out
	return nil
}

// rowsOf returns the index in ids of each document of ordinal.
func rowsOf(id, model, what string, ordinal map[string]int, ids []string) ([]int, error) {
	row := make([]int, len(ordinal))
	for i := range row {
		row[i] = -1
	}
	for i, d := range ids {
		if o, ok := ordinal[d]; ok {
			row[o] = i
		}
	}
	for d, o := range ordinal {
		if row[o] < 0 {
			return nil, say.Faultf("bundle", "build %s: model %s: document %s has no %s: embed the collection again",
				id, model, d, what)
		}
	}
	return row, nil
}

// tokenFile is a file of token vectors.
type tokenFile struct {
	t   *late.Tokens
	ids []string
}

// Wire codes the vectors.
func (f *tokenFile) Wire(c *wire.Codec) {
	if f.t == nil {
		f.t = &late.Tokens{}
	}
	t := f.t
	c.Int(&t.Dim)
	scale := float64(t.Scale)
	c.Float(&scale)
	t.Scale = float32(scale)
	c.Strings(&f.ids)
	lengths := make([]int, 0, max(len(t.Offsets)-1, 0))
	for i := 1; i < len(t.Offsets); i++ {
		lengths = append(lengths, int(t.Offsets[i]-t.Offsets[i-1]))
	}
	c.Ints(&lengths)
	words := make([]byte, 0, 2*len(t.Words))
	for _, w := range t.Words {
		words = append(words, byte(w), byte(w>>8))
	}
	c.Fields(&words, &t.Vocab)
	raw := make([]byte, len(t.Rows))
	for i, x := range t.Rows {
		raw[i] = byte(x)
	}
	c.Bytes(&raw)
	if !c.Reading() {
		return
	}
	t.Offsets = []uint32{0}
	at := uint32(0)
	for _, n := range lengths {
		if n < 0 || n > len(raw) {
			c.Fail()
			return
		}
		at += uint32(n)
		t.Offsets = append(t.Offsets, at)
	}
	if len(words) > 0 {
		t.Words = make([]uint16, len(words)/2)
		for i := range t.Words {
			t.Words[i] = uint16(words[2*i]) | uint16(words[2*i+1])<<8
		}
	}
	t.Rows = make([]int8, len(raw))
	for i, x := range raw {
		t.Rows[i] = int8(x)
	}
	if t.Check() != nil {
		c.Fail()
	}
}

// putTokens writes the token vectors of a model.
func putTokens(v *SourceTokens, put func(role, stem string, data []byte) error) error {
	name := v.Model.Name
	if err := put(tokenRole+name+"/docs", "late-"+name+"-docs", wire.Marshal(&tokenFile{t: v.Docs})); err != nil {
		return err
	}
	return put(tokenRole+name+"/queries", "late-"+name+"-queries",
		wire.Marshal(&tokenFile{t: v.Queries, ids: v.QueryIDs}))
}

// Tokens fetches the token vectors of a model; ok is false if the bundle has none with that name.
func (b *Bundle) Tokens(model string, fetch Fetch) (v *SourceTokens, ok bool, err error) {
	for _, m := range b.Manifest.Late {
		if m.Name != model && m.Label != model {
			continue
		}
		var docs, queries tokenFile
		if err := b.Manifest.read(tokenRole+m.Name+"/docs", fetch, &docs); err != nil {
			return nil, true, err
		}
		if err := b.Manifest.read(tokenRole+m.Name+"/queries", fetch, &queries); err != nil {
			return nil, true, err
		}
		if docs.t.Len() != len(b.Cards) || len(queries.ids) != queries.t.Len() {
			return nil, true, say.Faultf("bundle", "%s: model %s has token vectors for %d of %d documents",
				b.Manifest.ID, model, docs.t.Len(), len(b.Cards))
		}
		return &SourceTokens{Model: m, Docs: docs.t, Queries: queries.t, QueryIDs: queries.ids}, true, nil
	}
	return nil, false, nil
}

// readTokens reads the folder of a model of token vectors:
//
//	doc_tokens.i8.npy, query_tokens.i8.npy      int8 [tokens, dim]
//	doc_offsets.npy, query_offsets.npy          int32 [texts + 1]: text i has rows offsets[i] to offsets[i+1]
//	doc_token_ids.npy, query_token_ids.npy      uint16 [tokens], lines of vocab.txt; may be absent
//	doc_ids.txt, query_ids.txt, meta.json       as for vectors; meta.json must have "scale": real value = int8 × scale
func (f *folder) readTokens() (*SourceTokens, error) {
	v := &SourceTokens{Model: f.model}
	scale, err := f.scale()
	if err != nil {
		return nil, err
	}
	var vocab []string
	if text, err := readFile(f.fsys, f.path+"/vocab.txt"); err == nil {
		vocab = splitLines(string(text))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, s := range []struct {
		stem, ids string
		to        **late.Tokens
		names     *[]string
	}{{"doc", "doc_ids", &v.Docs, &v.DocIDs}, {"query", "query_ids", &v.Queries, &v.QueryIDs}} {
		rows, err := f.array(s.stem + "_tokens.i8.npy")
		if err != nil {
			return nil, err
		}
		offsets, err := f.array(s.stem + "_offsets.npy")
		if err != nil {
			return nil, err
		}
		if rows.Int8 == nil || len(rows.Shape) != 2 || offsets.Int32 == nil {
			return nil, say.Faultf("bundle",
				"%s: tokens of %ss are %s of shape %v with offsets %s: want |i1 of two dimensions and <i4", f.path,
				s.stem, rows.Type(), rows.Shape, offsets.Type())
		}
		t := &late.Tokens{Dim: rows.Dim(), Scale: scale, Rows: rows.Int8}
		for i, o := range offsets.Int32 {
			if o < 0 {
				return nil, say.Faultf("bundle", "%s: %s_offsets.npy: row %d is %d", f.path, s.stem, i, o)
			}
			t.Offsets = append(t.Offsets, uint32(o))
		}
		if words, err := f.array(s.stem + "_token_ids.npy"); err == nil && vocab != nil {
			t.Words, t.Vocab = words.Uint16, vocab
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := t.Check(); err != nil {
			return nil, say.Faultf("bundle", "%s: %ss: %w", f.path, s.stem, err)
		}
		*s.to = t
		if *s.names, err = f.ids(s.ids); err != nil {
			return nil, err
		}
		if len(*s.names) != t.Len() {
			return nil, say.Faultf("bundle", "%s: %s.txt has %d ids for the tokens of %d texts", f.path, s.ids,
				len(*s.names), t.Len())
		}
	}
	v.Model.Dim = v.Docs.Dim
	return v, nil
}

// scale returns "scale" of meta.json.
func (f *folder) scale() (float32, error) {
	name := f.path + "/meta.json"
	data, err := readFile(f.fsys, name)
	if err != nil {
		return 0, err
	}
	r := jsontext.New(nil, jsontext.Limits{})
	r.Reset(data)
	scale := 0.0
	for r.BeginObject(); r.More(); {
		if string(r.Key()) == "scale" {
			scale = r.Float()
		} else {
			r.Skip()
		}
	}
	r.End()
	if err := r.Err(); err != nil {
		return 0, say.Faultf("bundle", "%s: %w", name, err)
	}
	if !(scale > 0) || scale > 1e30 {
		return 0, say.Faultf("bundle", "%s: token vectors need \"scale\", a number above 0; it is %v", name, scale)
	}
	return float32(scale), nil
}

// folder is the folder of a model's vectors.
type folder struct {
	fsys  fs.FS
	root  string // the folder of all models
	path  string
	model Model
}

func (f *folder) array(name string) (*collection.Array, error) {
	data, err := readFile(f.fsys, f.path+"/"+name)
	if err != nil {
		return nil, err
	}
	return collection.ReadNPY(bytes.NewReader(data), f.path+"/"+name, collection.Options{})
}

// has reports whether a file exists.
func (f *folder) has(name string) bool {
	_, err := fs.Stat(f.fsys, f.path+"/"+name)
	return err == nil
}

// ids reads a file of ids from the model's folder or the folder of all models.
func (f *folder) ids(name string) ([]string, error) {
	text, err := readFile(f.fsys, f.path+"/"+name+".txt")
	if errors.Is(err, fs.ErrNotExist) {
		above := name + ".txt"
		if f.root != "." {
			above = f.root + "/" + above
		}
		if text, err = readFile(f.fsys, above); errors.Is(err, fs.ErrNotExist) {
			err = say.Faultf("bundle", "%s has no %s.txt, which says whose each row is: the ids in the order of the "+
				"rows, one a line", f.path, name)
		}
	}
	return splitLines(string(text)), err
}

func splitLines(text string) []string {
	out := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range out {
		out[i] = strings.TrimSuffix(l, "\r")
	}
	return out
}
