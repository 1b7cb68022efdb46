package say

import (
	"fmt"
	"strings"
)

// Fault is an error with the part of the program that found it: "bundle: the manifest is damaged". People are told what
// it is without that.
type Fault struct {
	Where string // "bundle", "compare: open"
	Err   error
}

// Faultf makes a Fault of a format, as fmt.Errorf does. An error among its arguments reads as people are told it.
func Faultf(where, format string, args ...any) error {
	for i, a := range args {
		if err, ok := a.(error); ok {
			args[i] = told{err}
		}
	}
	return &Fault{where, fmt.Errorf(format, args...)}
}

// Error returns where it was found and what it is.
func (f *Fault) Error() string { return f.Where + ": " + f.Err.Error() }

// Unwrap returns what it is.
func (f *Fault) Unwrap() error { return f.Err }

// Said is what people are told.
func (f *Fault) Said() string { return Told(f.Err) }

// told is an error within a sentence.
type told struct{ error }

func (t told) Error() string { return Told(t.error) }

func (t told) Unwrap() error { return t.error }

// Told is an error as people are told it: without the part of the program that found it where the error knows it apart,
// and without the middle of names that are too long to read.
func Told(err error) string {
	if e, ok := err.(interface{ Said() string }); ok {
		return Cut(e.Said())
	}
	return Cut(err.Error())
}

// Sentence is what Told says, with a full stop where it is no question.
func Sentence(err error) string {
	s := Told(err)
	if strings.HasSuffix(s, "?") {
		return s
	}
	return strings.TrimSuffix(s, ".") + "."
}
