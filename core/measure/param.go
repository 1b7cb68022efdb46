package measure

func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// Float returns the value of a parameter by its name: a number, the place of a choice among Param.Choices, or 0 or 1
// for a boolean. It panics if the measure has no such parameter. It looks for the name: read it before a loop, not in
// one.
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

// setFloat stores a value that Float returns.
func (m *Measure) setFloat(name string, v float64) { m.set(m.info.param(name), v) }
