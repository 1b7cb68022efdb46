package collection

// Pairs returns how many pairs of documents are compared to measure one run: those within every group, but not of a
// query whose only group has no subgroups, which is measured without.
func (p *Preferences) Pairs() int {
	n := 0
	for i := range p.topics {
		for j := range p.topics[i].groups {
			n += p.topics[i].pairs(&p.topics[i].groups[j])
		}
	}
	return n
}

func (t *preferredTopic) pairs(g *preferredGroup) int {
	if len(t.groups) < 2 && len(g.subs) < 2 {
		return 0
	}
	n := min(len(g.levels), len(t.docs))
	return n * (n - 1) / 2
}
