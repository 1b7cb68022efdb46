package pipeline

// Without returns the pipeline without the transformers for which off returns true. Walk numbers them. It leaves n
// unchanged, and retrievers and combiners always stay.
func (n *Node) Without(off func(i int) bool) *Node {
	i := 0
	return n.rebuild(func(m *Node) *Node {
		at := i
		i++
		if m.Stage.Role == Transformer && off(at) {
			return m.Input
		}
		return m
	})
}

// rebuild returns the pipeline with f applied to each node, parts first, in the order of Walk.
func (n *Node) rebuild(f func(*Node) *Node) *Node {
	c := &Node{Stage: n.Stage, in: n.in, unread: n.unread, values: append([]string(nil), n.values...)}
	if n.Input != nil {
		c.Input = n.Input.rebuild(f)
	}
	out := f(c)
	for _, a := range n.Args {
		c.Args = append(c.Args, a.rebuild(f))
	}
	return out
}

// SetAt returns the pipeline with a parameter set on one stage, the i-th of Walk, and leaves n unchanged. "" means
// the default. It drops values that become meaningless. It returns an *Error for an unknown stage or parameter, or
// an invalid value.
func (n *Node) SetAt(i int, param, value string) (*Node, error) {
	at := 0
	var err *Error
	found := false
	root := n.rebuild(func(c *Node) *Node {
		if at++; at-1 != i {
			return c
		}
		found = true
		p := c.Stage.index(param)
		if p < 0 {
			err = unknownParam(-1, c.Stage, param)
			return c
		}
		if value == "" && c.Stage.Params[p].Required {
			err = fail(-1, c.Stage.Name+" needs "+param)
			return c
		}
		text := ""
		if value != "" {
			if text, err = canonical(c.Stage, &c.Stage.Params[p], written{pos: -1, text: value}); err != nil {
				return c
			}
		}
		if !c.applies(p) {
			err = meaningless(-1, c, p)
			return c
		}
		c.values[p] = text
		for j := range c.values {
			if !c.applies(j) {
				c.values[j] = ""
			}
		}
		c.dropDefaults()
		return c
	})
	if !found {
		return nil, fail(-1, "the pipeline has no such stage")
	}
	if err != nil {
		return nil, err
	}
	if l := len(root.String()); l > MaxLength {
		return nil, tooLong(-1, l)
	}
	return root, nil
}
