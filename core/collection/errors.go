package collection

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// ParseError says in which file and line reading stopped, and why. Line counts from 1; 0 means the file as a whole (it
// cannot be opened, it is damaged). File is the name that the reader was given, or the path within a folder or zip.
type ParseError struct {
	File         string
	Line         int
	Err          error
	Unrecognised bool // the file is of no known format, and not damaged as far as was seen
}

// Error returns "collection: read FILE: line N: cause".
func (e *ParseError) Error() string {
	return "collection: " + e.Said()
}

// Said is what people are told.
func (e *ParseError) Said() string {
	s := "read " + e.File + ": "
	if e.Line > 0 {
		s += "line " + strconv.Itoa(e.Line) + ": "
	}
	return s + say.Told(e.Err)
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// LimitError says which field of Limits was exceeded and how. Max is the limit; Got is what was found, or at least
// found where reading stopped at the limit; math.MaxInt64 stands for more than can be counted.
type LimitError struct {
	Limit string // the field of Limits
	Unit  string // "bytes", "documents", …
	Max   int64
	Got   int64
}

// Error returns the unit, what was found and the limit with the name it is configured by.
func (e *LimitError) Error() string {
	if e.Got == math.MaxInt64 {
		return "more " + e.Unit + " than can be counted, where the limit is " + strconv.FormatInt(e.Max, 10) + " (" +
			e.Limit + ")"
	}
	return strconv.FormatInt(e.Got, 10) + " " + e.Unit + " are more than the limit of " + strconv.FormatInt(e.Max, 10) +
		" (" + e.Limit + ")"
}

// parseError places err in file at line unless it is placed already. Errors of jsontext bring their own line, relative
// to first, the line at which their text begins.
func parseError(file string, line int, err error) error {
	if _, ok := errors.AsType[*ParseError](err); ok {
		return err
	}
	if se, ok := errors.AsType[*jsontext.SyntaxError](err); ok && line > 0 {
		line += se.Line - 1
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok && pathErr.Path == file {
		err = pathErr.Err
	}
	return &ParseError{File: file, Line: line, Err: err}
}

// Warning is one kind of oddity found in one file: something that was read, but that its owner should know. Count is
// how often it was met; Line and Message are of the first time (Line 0: no line of its own), Places of the first few.
type Warning struct {
	Kind    string
	File    string
	Line    int
	Count   int
	Message string
	Places  []Place
}

// Place is where an oddity was met, and with what: an id, a value.
type Place struct {
	Line int
	What string
}

// String returns the warning in one line: "FILE:LINE: message (N times)".
func (w Warning) String() string {
	s := w.File
	if w.Line > 0 {
		s += ":" + strconv.Itoa(w.Line)
	}
	if words := counted[w.Kind]; words != "" && w.Count > 1 {
		return s + ": " + strconv.Itoa(w.Count) + words + w.places()
	}
	s += ": " + w.Message
	if w.Count > 1 {
		s += " (" + strconv.Itoa(w.Count) + " times)"
	}
	return s
}

// counted is what is said of several of a kind, before their ids.
var counted = map[string]string{MissingQuery: " judged queries are not in the run: ",
	ExtraQuery: " queries of the run have no judgments: "}

// places are the ids of the first of a kind.
func (w Warning) places() string {
	var ids []string
	for _, p := range w.Places {
		ids = append(ids, p.What)
	}
	text := strings.Join(ids, ", ")
	if w.Count > len(ids) {
		text += " …"
	}
	return text
}

// WorstFirst sorts warnings: those first that leave figures without a meaning, then those that change them.
func WorstFirst(list []Warning) []Warning {
	rank := func(w Warning) int {
		if i := slices.Index([]string{NoCommonQuery, NoJudgedResults, MissingQuery}, w.Kind); i >= 0 {
			return i
		}
		return 3
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Warning) int { return rank(a) - rank(b) })
	return list
}

// places is how many places of a kind of warning are kept.
const places = 5

// warner counts warnings by kind and file, in the order in which the kinds are first met.
type warner struct {
	list []Warning
	lost float64 // the most that worst was told
}

// add counts one oddity (n of them where they are met together). The message is made only the first times.
func (w *warner) add(kind, file string, line, n int, what []byte, message func() string) {
	for i := range w.list {
		if v := &w.list[i]; v.Kind == kind && v.File == file {
			v.Count += n
			if len(v.Places) < places {
				v.Places = append(v.Places, Place{line, string(what)})
			}
			return
		}
	}
	w.list = append(w.list, Warning{Kind: kind, File: file, Line: line, Count: n, Message: message(),
		Places: []Place{{line, string(what)}}})
}

// worst is add of one place, but the warning is of the place where most was lost.
func (w *warner) worst(kind, file string, line int, what []byte, lost float64, message func() string) {
	w.add(kind, file, line, 1, what, message)
	if lost <= w.lost {
		return
	}
	w.lost = lost
	for i := range w.list {
		v := &w.list[i]
		if v.Kind != kind || v.File != file {
			continue
		}
		v.Line, v.Message = line, message()
		if at := slices.Index(v.Places, Place{line, string(what)}); at >= 0 {
			v.Places = slices.Delete(v.Places, at, at+1)
		} else {
			v.Places = v.Places[:len(v.Places)-1]
		}
		v.Places = slices.Insert(v.Places, 0, Place{line, string(what)})
	}
}

// merge adds the warnings of another reader.
func (w *warner) merge(list []Warning) { w.list = append(w.list, list...) }

// drop takes kinds of warnings back.
func (w *warner) drop(kinds ...string) {
	keep := w.list[:0]
next:
	for _, v := range w.list {
		for _, k := range kinds {
			if v.Kind == k {
				continue next
			}
		}
		keep = append(keep, v)
	}
	w.list = keep
}
