package gateway

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// embed answers POST /api/v1/embed: {"backend", "input": [text…], "role"?, "output"?}.
func (w *work) embed(string) *Answer {
	text, p := w.body()
	if p != nil {
		return w.problem(p)
	}
	id := ""
	in := backend.Texts{Role: backend.Document, Output: backend.Dense}
	d := newDecoder(text, 8)
	d.object(func(key string) bool {
		switch key {
		case "backend":
			id = d.string(100)
		case "input":
			d.array(w.config.Limits.Items, func() { in.Texts = append(in.Texts, d.text(&w.config.Limits)) })
		case "role":
			if in.Role = backend.Role(d.string(20)); in.Role != backend.Query && in.Role != backend.Document {
				d.fail("a role is query or document")
			}
		case "output":
			if in.Output = backend.Output(d.string(20)); in.Output != backend.Dense && in.Output != backend.Tokens &&
				in.Output != backend.Sparse {
				d.fail("an output is dense, tokens or sparse")
			}
		default:
			return false
		}
		return true
	})
	if p := d.end(); p != nil {
		return w.problem(p)
	}
	if len(in.Texts) == 0 {
		return w.problem(invalid("/input", "no text was sent"))
	}
	b, p := w.choose(id, Embeds)
	if p != nil {
		return w.problem(p)
	}
	if !slices.Contains(b.Outputs, in.Output) {
		return w.problem(unsupported("/output", "this backend does not give that"))
	}
	w.items = len(in.Texts)
	if p := w.spend(len(in.Texts)-1, false); p != nil {
		return w.problem(p)
	}
	canonical := append([]byte(string(in.Role)+" "+string(in.Output)+" "), quoteAll(nil, in.Texts)...)
	return w.remembered(b, canonical, func() int { return price("", in.Texts...) }, func() ([]byte, bool,
		*problem) {
		v, p := w.vectors(b, in)
		if p != nil {
			return nil, false, p
		}
		return w.appendVectors(b, in.Output, v), true, nil
	})
}

// vectors asks for vectors in batches. Those of all batches have one length, and that of the configuration.
func (w *work) vectors(b *Backend, in backend.Texts) (backend.Vectors, *problem) {
	var all backend.Vectors
	for part := range slices.Chunk(in.Texts, batch(b.Batch, b.Kind.Embed.Batch)) {
		some := backend.Texts{Texts: part, Role: in.Role, Output: in.Output}
		p := w.ask(b, b.Kind.Embed.Ask(&b.Settings, some), func(body []byte) error {
			v, err := b.Kind.Embed.Read(body, some)
			if err == nil {
				err = v.Check(some)
			}
			n, m := v.Dimensions(), all.Dimensions()
			if err != nil || b.Dimensions > 0 && n > 0 && n != b.Dimensions || m > 0 && n > 0 && n != m {
				return backend.Broken
			}
			all.Dense = append(all.Dense, v.Dense...)
			all.Tokens = append(all.Tokens, v.Tokens...)
			all.Sparse = append(all.Sparse, v.Sparse...)
			return nil
		})
		if p != nil {
			return all, p
		}
	}
	return all, nil
}

func batch(own, kind int) int {
	if own > 0 {
		return min(own, kind)
	}
	return kind
}

// begin writes what every answer begins with.
func (w *work) begin(b *Backend) []byte {
	out := []byte(`{"backend":"` + b.ID + `","identity":"` + w.identity + `","model":`)
	out = jsontext.AppendQuote(out, b.Settings.Model)
	out = append(out, `,"revision":`...)
	return jsontext.AppendQuote(out, b.Revision)
}

func (w *work) appendVectors(b *Backend, o backend.Output, v backend.Vectors) []byte {
	size := 256
	for _, x := range v.Dense {
		size += len(x.JSON) + 1
	}
	out := append(slices.Grow(w.begin(b), size),
		`,"output":"`+string(o)+`","dimensions":`+strconv.Itoa(v.Dimensions())+`,"vectors":[`...)
	sep := func(i int) {
		if i > 0 {
			out = append(out, ',')
		}
	}
	for i, x := range v.Dense {
		sep(i)
		out = append(out, x.JSON...)
	}
	for i, text := range v.Tokens {
		sep(i)
		out = append(out, '[')
		for j, x := range text {
			sep(j)
			out = append(out, x.JSON...)
		}
		out = append(out, ']')
	}
	for i, weights := range v.Sparse {
		sep(i)
		out = append(out, '[')
		for j, x := range weights {
			sep(j)
			out = append(out, `{"index":`...)
			out = strconv.AppendUint(out, uint64(x.Index), 10)
			out = append(out, `,"value":`...)
			out = strconv.AppendFloat(out, float64(x.Value), 'g', -1, 32)
			out = append(out, '}')
		}
		out = append(out, ']')
	}
	return append(out, "]}"...)
}
