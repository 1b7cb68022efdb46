package classify

// Example is a query of known type.
type Example struct {
	Query string
	Type  Type
}

const (
	steps   = 400
	rate    = 0.5
	penalty = 0.02
)

// Train learns a model: multinomial logistic regression by gradient descent, 400 steps of 0.5, with the penalty
// 0.02/2 · Σw² on the mean loss. Equal examples in equal order give equal bits on every machine.
func Train(examples []Example) Model {
	m := make(Model, 1+len(rules))
	x := make([][]bool, len(examples))
	for i, e := range examples {
		x[i] = signs(e.Query)
	}
	for range steps {
		slope := make(Model, len(m))
		for i, e := range examples {
			p := m.Of(e.Query).Probability
			for t := range p {
				miss := p[t]
				if Type(t) == e.Type {
					miss--
				}
				slope[0][t] += miss
				for j, on := range x[i] {
					if on {
						slope[j+1][t] += miss
					}
				}
			}
		}
		for j := range m {
			for t := range m[j] {
				m[j][t] -= float64(rate * (slope[j][t]/float64(len(examples)) + float64(penalty*m[j][t])))
			}
		}
	}
	return m
}

// CrossValidate classifies every example with a model trained on all others (leave-one-out). Rows of the confusion
// matrix are true types, columns predicted ones.
func CrossValidate(examples []Example) (confusion [4][4]int) {
	for i, e := range examples {
		others := append(append([]Example(nil), examples[:i]...), examples[i+1:]...)
		confusion[e.Type][Train(others).Of(e.Query).Type]++
	}
	return confusion
}

// Named returns the type with a name, and whether it exists.
func Named(name string) (Type, bool) {
	for i, t := range Types {
		if t == name {
			return Type(i), true
		}
	}
	return 0, false
}
