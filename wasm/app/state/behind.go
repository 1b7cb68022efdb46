//go:build !first

package state

import "github.com/rankbox/rankbox/core/message"

// before are the requests that take long and that the worker may be at when something is searched for, by what people
// call them.
var before = []struct {
	kind message.Kind
	what string
}{
	{message.Runs, "the comparison"},
	{message.Tests, "the tests of a pair"},
	{message.Statistics, "the agreement of rankings"},
	{message.Agreement, "the agreement of rankings"},
	{message.Export, "a file that is written"},
	{message.Experiment, "the experiment"},
	{message.Upload, "the collection that is added"},
}

// Behind names what runs in the worker while the answer to a search or its figures are awaited, "" where nothing does.
func (e *Engine) Behind() string {
	_, search := e.Asked(message.Search)
	_, figures := e.Asked(message.Evaluate)
	if !search && !figures {
		return ""
	}
	for _, b := range before {
		if _, runs := e.Asked(b.kind); runs {
			return b.what
		}
	}
	return ""
}
