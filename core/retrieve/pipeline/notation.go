package pipeline

// Notation is the set of stages of the notation. It is immutable.
type Notation struct{ stages []*Stage }

// New returns the notation of the stages, in the order of the documentation. It panics if two have the same name.
func New(stages ...*Stage) *Notation {
	x := &Notation{}
	for _, s := range stages {
		if x.Lookup(s.Name) != nil {
			panic("pipeline: two stages are called " + s.Name)
		}
		x.stages = append(x.stages, s)
	}
	return x
}

// All returns every stage in the order of the documentation. The caller owns the slice; the stages are shared.
func (x *Notation) All() []*Stage { return append([]*Stage(nil), x.stages...) }

// Lookup returns the stage with exactly this name, or nil.
func (x *Notation) Lookup(name string) *Stage {
	for _, s := range x.stages {
		if s.Name == name {
			return s
		}
	}
	return nil
}
