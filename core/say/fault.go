package say

import (
	"fmt"
	"strings"
)

// Fault is an error with the part of the program that found it: "bundle: the manifest is damaged". People are told what it is without that.
type Fault struct {
	Where string // "bundle", "compare: open"
	Err   error
}

// Faultf makes a Fault of a format, as fmt.Errorf does.
func Faultf(where, format string, args ...any) error {
	return &Fault{where, fmt.Errorf(format, args...)}
}

// Error returns where it was found and what it is.
func (f *Fault) Error() string { return f.Where + ": " + f.Err.Error() }

// Unwrap returns what it is.
func (f *Fault) Unwrap() error { return f.Err }

// Said is what people are told.
func (f *Fault) Said() string { return f.Err.Error() }

// Sentence is an error as people are told it: without the part of the program that found it where the error knows it apart, and with a full stop.
func Sentence(err error) string {
	text := err.Error()
	if e, ok := err.(interface{ Said() string }); ok {
		text = e.Said()
	}
	return strings.TrimSuffix(text, ".") + "."
}
