package golden

import (
	"slices"
	"strings"
)

// isLangSmith: [{inputs: {question}, outputs: {documents}}], or the rows of an experiment as its to_pandas has them:
// inputs.question, outputs.documents for what the run returned, reference.documents, example_id.
func isLangSmith(n *Node) bool {
	return some(n, func(x *Node) bool {
		in := x.Get("inputs")
		return in != nil && in.Kind == Map || len(under(x, "inputs").Members) > 0
	})
}

// under is the map of the members whose keys begin with a name and a dot, without those.
func under(n *Node, name string) *Node {
	out := &Node{Kind: Map, Line: n.Line}
	for _, m := range n.Members {
		if key, ok := strings.CutPrefix(m.Key, name+"."); ok {
			out.Members = append(out.Members, Member{key, m.Line, m.Value})
		}
	}
	return out
}

func (r *reading) langSmith(n *Node) {
	for _, x := range entries(n) {
		in, out := x.Get("inputs"), find(x, []string{"outputs", "referenceoutputs"})
		row := in == nil
		if row {
			in, out = under(x, "inputs"), under(x, "reference")
		}
		q := r.query(in, x)
		if id := x.Get("example_id"); row && id.scalar() {
			q.ID = id.Text // its id is the run's
		}
		if q.Text == "" && len(in.Members) == 1 && in.Members[0].Value.scalar() {
			q.Text = in.Members[0].Value.Text
		}
		if out != nil && out.Kind == Map {
			r.expectations(&q, out, append(slices.Clone(outputAlone), expectAlone...))
		}
		r.add(q)
		if row {
			r.answered(&q, find(under(x, "outputs"), append(slices.Clone(outputAlone), answerKeys...)))
		}
	}
}
