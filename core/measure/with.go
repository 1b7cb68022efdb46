package measure

import (
	"fmt"
	"strings"
)

// With returns the measure with one parameter set to a value in the notation ("" for absent or the default). Its
// error is that of Parse.
func (m Measure) With(param, value string) (Measure, error) {
	p := m.info.param(param)
	if p == nil {
		return m, &ParseError{Text: value, Err: fmt.Errorf("%w %q", ErrUnknownParam, param)}
	}
	if value = strings.TrimSpace(value); value == "" {
		if p.Kind == KindGains || p.Kind == KindList {
			m.table = nil
		} else {
			m.set(p, p.absent())
		}
	} else {
		s := &scanner{text: value}
		if err := s.value(&m, p); err != nil {
			return m, err
		}
		if s.space(); s.pos < len(value) {
			return m, s.fail(s.pos, fmt.Errorf("%w: unexpected %q", ErrSyntax, value[s.pos:]))
		}
	}
	if err := m.complete(); err != nil {
		return m, &ParseError{Text: value, Err: err}
	}
	return m, nil
}

// Setting returns a parameter's value in the form of With, "" if it is absent and has no default.
func (m Measure) Setting(param string) string {
	p := m.info.param(param)
	if p == nil || (p.Optional || p.Required || p.Kind == KindGains || p.Kind == KindList) && m.isDefault(p) {
		return ""
	}
	return strings.Trim(m.paramText(p), "'")
}
