package collection

import (
	"errors"
	"io"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// ReadWeights reads texts as weights of terms, a JSON object a line as Anserini's JsonVectorCollection has them ({"id"
// or "_id","contents","vector":{term:
// weight}}), and hands them on one at a time, in order. The map is the caller's. A text whose id was there before is an
// error, as is a weight that is no finite number in 32 bits.
func ReadWeights(r io.Reader, name string, opt Options, f func(id string, weights map[string]float32) error) ([]Warning,
	error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	o := &objects{}
	known := map[string]struct{}{}
	return o.each(newLines(src), func() error {
		id, seen := "", false
		var weights map[string]float32
		for o.json.BeginObject(); o.json.More(); {
			switch key := string(o.json.Key()); key {
			case "id", "_id":
				o.again(seen, key)
				id, seen = o.id(key), true
			case "vector":
				o.again(weights != nil, key)
				weights = weightsOf(o.json)
			default:
				o.json.Skip()
			}
		}
		if err := o.identified("id", id, seen); err != nil {
			return err
		}
		if weights == nil {
			return errors.New(`missing "vector", the weights of its terms`)
		}
		if _, ok := known[id]; ok {
			return errors.New("the weights of " + strconv.Quote(id) + " appear twice")
		}
		if len(known) == opt.Limits.Documents {
			return &LimitError{"Documents", "documents", int64(opt.Limits.Documents), int64(len(known)) + 1}
		}
		known[id] = struct{}{}
		return f(id, weights)
	})
}

func weightsOf(j *jsontext.Reader) map[string]float32 {
	out := map[string]float32{}
	for j.BeginObject(); j.More(); {
		term := string(j.Key())
		w := float32(j.Float())
		if w-w != 0 {
			j.Invalid("the weight of " + strconv.Quote(term) + " is no finite number in 32 bits")
			break
		}
		if _, ok := out[term]; ok {
			j.Invalid("the term " + strconv.Quote(term) + " appears twice")
			break
		}
		out[term] = w
	}
	return out
}
