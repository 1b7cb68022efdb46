package collection

import (
	"errors"
	"io"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

// Zscores are the means and standard deviations that measures have, query by query, over some reference runs: what
// trec_eval's option -Z reads.
type Zscores struct {
	of map[[2]string][2]float64
}

// Get returns the mean and the standard deviation of a measure, under the name that trec_eval prints, for a query; ok
// is false where none is known.
func (z *Zscores) Get(query, measure string) (mean, deviation float64, ok bool) {
	v, ok := z.of[[2]string{query, measure}]
	return v[0], v[1], ok
}

// ReadZscores reads lines of query, measure, mean, standard deviation, separated by white space. A pair that comes
// again is warned of; the last one counts.
func ReadZscores(r io.Reader, name string, opt Options) (*Zscores, []Warning, error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, nil, err
	}
	in := newLines(src)
	z := &Zscores{of: map[[2]string][2]float64{}}
	var w warner
	var fields [][]byte
	for {
		b, err := in.next()
		if err == io.EOF {
			return z, w.list, nil
		}
		if err != nil {
			return nil, w.list, err
		}
		if blank(b) || remark(b) {
			continue
		}
		fail := func(err error) (*Zscores, []Warning, error) { return nil, w.list, parseError(name, in.line, err) }
		if broken(b) {
			return fail(errCR)
		}
		fields, _ = split(b, fields[:0], 7)
		if len(fields) != 4 {
			return fail(errors.New(say.Count(len(fields), "column", "columns") +
				": deviations have 4 (query, measure, mean, standard deviation)"))
		}
		var v [2]float64
		for i, what := range [...]string{"mean", "standard deviation"} {
			f := trimID(fields[2+i])
			if v[i], err = parseScore(f); err != nil || i == 1 && v[i] < 0 {
				return fail(errors.New(what + " " + strconv.Quote(clip(f)) + " is not a number" +
					[]string{"", " from 0"}[i]))
			}
		}
		key := [2]string{string(tidy(&w, name, in.line, fields[0])), string(tidy(&w, name, in.line, fields[1]))}
		if _, had := z.of[key]; had {
			w.add(DuplicateJudgment, name, in.line, 1, []byte(key[0]+" "+key[1]), func() string {
				return "measure " + strconv.Quote(key[1]) + " of query " + strconv.Quote(key[0]) +
					" is there again; the last line counts"
			})
		} else if len(z.of) == opt.Limits.Entries {
			return fail(&LimitError{"Entries", "deviations", int64(len(z.of)), int64(len(z.of)) + 1})
		}
		z.of[key] = v
	}
}
