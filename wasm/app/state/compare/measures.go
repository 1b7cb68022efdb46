package compare

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Measures is the field in which measures are typed.
type Measures struct {
	app  *state.App
	runs *Runs

	Typed string
	Fault string // what is wrong with it, "" for nothing
}

// Write takes typed measures and reports an error in them at once.
func (m *Measures) Write(text string) {
	m.Typed, m.Fault = text, ""
	list, err := m.parsed()
	switch {
	case err != nil:
		m.Fault = say.Told(err)
	case len(list) == 0:
		m.Fault = "name at least one measure"
	case len(list) > share.MaxMeasures:
		m.Fault = "up to " + strconv.Itoa(share.MaxMeasures) + " measures at once"
	}
	m.app.View.Draw()
}

// Use measures with the typed measures.
func (m *Measures) Use() {
	if m.Write(m.Typed); m.Fault != "" {
		return
	}
	list, _ := m.parsed()
	m.runs.change(choose(func(s *message.Setting) { s.Measures = list }))
}

// parsed are the measures that are typed: of a table of scores those that it has, by their names there.
func (m *Measures) parsed() (out []string, err error) {
	if m.runs.Done != nil && m.runs.Done.Available != nil {
		have := m.runs.Done.Available
		for _, name := range strings.FieldsFunc(m.Typed, func(r rune) bool { return r == ' ' || r == ',' }) {
			if m, err := measure.Parse(name); err == nil && !slices.Contains(have, name) {
				name = m.String()
			}
			if !slices.Contains(have, name) {
				return nil, errors.New("there is no measure " + say.Visible(name) +
					": the table has " + say.Few(have, 8))
			}
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		return out, nil
	}
	list, err := measure.ParseList(m.Typed)
	for _, m := range list {
		out = append(out, m.String())
	}
	return out, err
}
