package collection

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/say"
)

// ParseError says in which file and line reading stopped, and why. Line counts from 1; 0 means the whole file (it
// cannot be opened, it is damaged). File is the name given to the reader, or the path within a folder or zip.
type ParseError struct {
	File         string
	Line         int
	Err          error
	Unrecognised bool // the format is unknown, and the file shows no damage
}

// Error returns "collection: read FILE: line N: cause".
func (e *ParseError) Error() string {
	return "collection: " + e.Said()
}

// Said returns the message for users.
func (e *ParseError) Said() string {
	s := "read " + e.File + ": "
	if e.Line > 0 {
		s += "line " + strconv.Itoa(e.Line) + ": "
	}
	return s + say.Told(e.Err)
}

// Unwrap returns the cause.
func (e *ParseError) Unwrap() error { return e.Err }

// LimitError names the exceeded field of Limits. Max is the limit. Got is the actual number, or the number reached
// when reading stopped; math.MaxInt64 means more than can be counted.
type LimitError struct {
	Limit string // the field of Limits
	Unit  string // "bytes", "documents", …
	Max   int64
	Got   int64
}

// Error returns the unit, the actual number and the limit with its configuration name.
func (e *LimitError) Error() string {
	if e.Got == math.MaxInt64 {
		return "more " + e.Unit + " than can be counted, where the limit is " + strconv.FormatInt(e.Max, 10) + " (" +
			e.Limit + ")"
	}
	return strconv.FormatInt(e.Got, 10) + " " + e.Unit + " are more than the limit of " + strconv.FormatInt(e.Max, 10) +
		" (" + e.Limit + ")"
}

// parseError adds file and line to err unless it has them. Errors of jsontext have their own line, relative to
// first, the line on which their text begins.
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

// Warning is one kind of problem in one file: the reader continued, but the owner should know. Count is the number
// of occurrences. Line and Message describe the first one (Line 0: the file as a whole), Places the first few.
type Warning struct {
	Kind    string
	File    string
	Line    int
	Count   int
	Message string
	Places  []Place
}

// Place locates one occurrence and holds its id or value.
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

// warner counts warnings by kind and file, in the order of first occurrence.
type warner struct {
	list []Warning
}

// add counts n occurrences. It builds the message only for the places that it keeps.
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

// merge adds the warnings of another reader.
func (w *warner) merge(list []Warning) { w.list = append(w.list, list...) }

// drop withdraws kinds of warnings.
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
