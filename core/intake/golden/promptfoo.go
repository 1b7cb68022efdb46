package golden

import "strconv"

// isPromptfoo: {tests: [{vars: {query}, assert: [{type: contains, value}]}]}, the list of tests alone, or what
// promptfoo eval -o writes: {results: {results: [{testCase: {vars, assert}, response: {output}}]}}, or a line of JSON
// for each.
func isPromptfoo(n *Node) bool {
	return some(tests(n), func(x *Node) bool { return x.Get("vars") != nil || x.Get("assert") != nil })
}

// tests is the list of tests of a configuration of promptfoo, or of the results of one.
func tests(n *Node) *Node {
	for _, list := range []*Node{n.Get("tests"), n.Get("results").Get("results")} {
		if list != nil {
			return list
		}
	}
	return n
}

func (r *reading) promptfoo(n *Node) {
	first := ""
	for i, x := range tests(n).Items {
		row := x
		if c := x.Get("testCase"); c != nil {
			x = c
			if of := row.Get("provider").Get("id").AsText() + "\n" + row.Get("prompt").Get("label").AsText(); i == 0 {
				first = of
			} else if of != first {
				r.warn("results", row.Line, "results of other providers and prompts than the first are ignored")
				continue
			}
		}
		vars := x.Get("vars")
		q := r.query(vars, &Node{Line: x.Line})
		if q.Text == "" && vars != nil && len(vars.Members) == 1 && vars.Members[0].Value.scalar() {
			q.Text = vars.Members[0].Value.Text
		}
		if q.Text == "" {
			r.refuse(x.Line,
				"test "+strconv.Itoa(i+1)+" has no variable that is a query (vars: query, question or input)")
			return
		}
		if vars != nil {
			r.expectations(&q, vars, expectAlone)
		}
		if list := x.Get("assert"); list != nil {
			for _, a := range lines(list) {
				r.assertion(&q, a)
			}
		}
		r.add(q)
		r.answered(&q, row.Get("response").Get("output"))
	}
}

// assertion takes one assertion of promptfoo: those that say which text must occur.
func (r *reading) assertion(q *Query, a *Node) {
	kind, value := a.Get("type"), a.Get("value")
	if !kind.scalar() {
		r.refuse(a.Line, "an assertion has no type")
		return
	}
	switch kind.Text {
	case "contains", "icontains", "contains-all", "icontains-all":
		if value != nil {
			q.Concepts = append(q.Concepts, r.texts("value", value)...)
		}
	default:
		why := "assertions of type " + quoted(kind.Text) + " are ignored: they are not about the results"
		r.warn("assertion", a.Line, why)
	}
}
