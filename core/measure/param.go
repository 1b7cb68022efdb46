package measure

func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// Float returns the value of a parameter by name: a number, the index of a choice in Param.Choices, or 0 or 1 for a
// boolean. It panics if the measure has no such parameter. It searches for the name, so call it before a loop, not
// inside.
func (m *Measure) Float(name string) float64 {
	for i := range m.info.own {
		if m.info.own[i] == name {
			return m.x[i]
		}
	}
	p := m.info.param(name)
	if p == nil {
		panic("measure: " + m.info.Name + " has no parameter " + name)
	}
	return m.get(p)
}

// setFloat stores a value for Float.
func (m *Measure) setFloat(name string, v float64) { m.set(m.info.param(name), v) }
