package search

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/wasm/app/state"
)

// Editor changes the pipeline of a system, or writes that of a new one.
type Editor struct {
	App    *state.App
	System int
}

// Index writes the number of the system.
func (c *Editor) Index() string { return strconv.Itoa(c.System) }

// Label says what is edited.
func (c *Editor) Label() string { return "Pipeline of system " + c.App.Settings.Letter(c.System) }

// Input takes what was typed.
func (c *Editor) Input(event vugu.DOMEvent) { c.App.Editor.Write(event.PropString("target", "value")) }

// Submit uses it.
func (c *Editor) Submit(event vugu.DOMEvent) {
	event.PreventDefault()
	c.App.Editor.Accept()
}

// Invalid marks a pipeline that cannot be used.
func (c *Editor) Invalid() interface{} {
	if c.App.Editor.DraftErr != "" {
		return "true"
	}
	return nil
}

// Caret is the draft with a caret under the place of its mistake, "" where there is none or it is of no place.
func (c *Editor) Caret() string {
	at := c.App.Editor.DraftAt
	if c.App.Editor.DraftErr == "" || at < 0 || at > len(c.App.Editor.Draft) {
		return ""
	}
	return c.App.Editor.Draft + "\n" + strings.Repeat(" ", utf8.RuneCountInString(c.App.Editor.Draft[:at])) + "^"
}

// Bench is what a richer program adds to the screen: the form of the editor, what the stages of a system did,
// grades for the open document, and the click log. Its functions are nil in the first one.
var Bench struct {
	Form, Stages func(a *state.App, system int) vugu.Builder
	Grading, Log func(a *state.App) vugu.Builder
}

// HasForm says whether the pipeline can be changed by a form too.
func (c *Editor) HasForm() bool { return Bench.Form != nil }

// Form is that form.
func (c *Editor) Form() vugu.Builder { return Bench.Form(c.App, c.System) }

// CanRemove says whether the system is there and not the last one.
func (c *Editor) CanRemove() bool {
	return c.System < len(c.App.Settings.Systems()) && len(c.App.Settings.Systems()) > 1
}
