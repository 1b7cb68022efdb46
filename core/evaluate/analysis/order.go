package analysis

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// FewestPairs is how many documents two judges must both have judged, each in its query, for their orders of systems
// to be compared.
const FewestPairs = 10

// mostRefused is how many pairs of sets are named that are not compared.
const mostRefused = 5

// mostMeans is up to how many sets the means of the runs are shown.
const mostMeans = 3

// JudgedOrder says whether the runs of in come out in another order when another judge judges them (Voorhees 1998,
// SIGIR). Of every two sets only the documents count that both judged, so nothing but the grades differs: the means of
// the first measure with each set alone, and how alike the two orders are. Two sets with fewer than FewestPairs such
// documents, or in which a judge finds nothing relevant among them, are left out with the reason. The judgments of in
// are not looked at.
func JudgedOrder(sets []Judgments, in compare.Input, cancel func() bool) (Section, error) {
	out := Section{Name: "judged-order", Title: "Order of systems by judge"}
	notation, err := measureOf(in)
	if err != nil {
		return Section{}, err
	}
	o := &ordering{sets: sets, docs: join(sets), in: in, cancel: cancel, notation: notation, by: Table{
		Caption: notation + " over the documents that both judged", Columns: []string{"run"}}, orders: Table{
		Caption: "Orders of the runs", Columns: []string{"judges", "documents", "queries", "τ", "τ_AP", "τ weighted",
			"ρ", "pairs that swap"}}}
	for a := range sets {
		for b := a + 1; b < len(sets); b++ {
			if err := o.compare(a, b); err != nil {
				return Section{}, err
			}
		}
	}
	for i, why := range o.refused {
		if i == mostRefused {
			out.Notes = append(out.Notes, "Not compared for such reasons: "+strconv.Itoa(len(o.refused)-i)+" more.")
			break
		}
		out.Notes = append(out.Notes, "Not compared: "+why+".")
	}
	switch {
	case o.by.Rows == nil:
		out.Sentence = "No two judges share enough documents to compare the orders of the runs."
		return out, nil
	case len(sets) <= mostMeans:
		out.Tables = []Table{o.by}
	}
	switch runs := len(o.by.Rows); {
	case runs < 2:
		out.Sentence = "One run has no order."
		return out, nil
	case o.changed == 0:
		out.Sentence = "By " + notation + " no two of the " + say.Count(runs, "run", "runs") + " swap, whoever judges."
	default:
		out.Sentence = "By " + notation + " " + strconv.Itoa(o.changed) + " of " +
			say.Count(o.all, "pair of runs", "pairs of runs") + " " + say.Verb(o.changed, "changes", "change") +
			" places with the judge."
	}
	out.Tables = append(out.Tables, o.orders)
	out.Notes = append(out.Notes, "Each two judges are compared over the documents that both judged. Others count "+
		"as unjudged for both, so a run's mean differs from that on the board.",
		"τ_AP weighs errors near the top more. The first judge's order is its reference. It is not defined for "+
			"equal means.")
	return out, nil
}

// ordering is a JudgedOrder on its way.
type ordering struct {
	sets         []Judgments
	docs         []judged
	in           compare.Input
	cancel       func() bool
	notation     string
	by, orders   Table
	refused      []string
	changed, all int // pairs of runs that swap, and pairs
}

// compare adds what two sets do to the order.
func (o *ordering) compare(a, b int) error {
	named := o.sets[a].Name + " and " + o.sets[b].Name
	pair, n := common(o.sets, o.docs, a, b)
	if why := lacks(o.sets, pair, n, a, b); why != "" {
		o.refused = append(o.refused, named+": "+why)
		return nil
	}
	x, y, c, err := meansBy(o.sets, pair, a, b, o.in, o.cancel)
	if err != nil {
		return err
	}
	if o.by.Rows == nil {
		for _, name := range c.Names() {
			o.by.Rows = append(o.by.Rows, []Cell{Words(name)})
		}
	}
	with := [2]string{o.sets[a].Name, o.sets[b].Name}
	if len(o.sets) > 2 {
		with = [2]string{with[0] + ", with " + with[1], with[1] + ", with " + with[0]}
	}
	o.by.Columns = append(o.by.Columns, with[0], with[1])
	for r := range o.by.Rows {
		o.by.Rows[r] = append(o.by.Rows[r], Number(x[r], 4), Number(y[r], 4))
	}
	swaps := 0
	for i := range x {
		for j := range i {
			if float64((x[i]-x[j])*(y[i]-y[j])) < 0 {
				swaps++
			}
		}
	}
	o.changed, o.all = o.changed+swaps, o.all+len(x)*(len(x)-1)/2
	row, err := alike(x, y, o.notation)
	if err != nil {
		return err
	}
	row = append([]Cell{Words(named), Whole(n), Whole(len(c.Queries()))}, row...)
	o.orders.Rows = append(o.orders.Rows, append(row, Whole(swaps)))
	return nil
}

// measureOf is the first measure of an input, as it is written.
func measureOf(in compare.Input) (string, error) {
	list := in.Measures
	if len(list) == 0 {
		list = in.Defaults()
	}
	m, err := measure.Parse(list[0])
	if err != nil {
		return "", err
	}
	return m.String(), nil
}

// common returns the judgments of the n documents that both sets judged.
func common(sets []Judgments, docs []judged, a, b int) (pair [2]*collection.Qrels, n int) {
	for i, s := range []int{a, b} {
		pair[i] = collection.NewQrels()
		other := sets[a+b-s].Qrels
		for _, q := range sets[s].Qrels.Queries() {
			sets[s].Qrels.Each(q, func(doc string, grade float64) {
				if _, judged := other.Grade(q, doc); judged {
					pair[i].Add(q, doc, grade)
				}
			})
		}
	}
	for _, d := range docs {
		if d[a] != collection.Unjudged && d[b] != collection.Unjudged {
			n++
		}
	}
	return pair, n
}

// lacks says why the orders by two sets are not compared, "" if they are.
func lacks(sets []Judgments, pair [2]*collection.Qrels, n, a, b int) string {
	if n < FewestPairs {
		return "both judged " + say.Count(n, "document", "documents") + ", and it takes " + strconv.Itoa(FewestPairs)
	}
	for i, s := range []int{a, b} {
		relevant := false
		for _, q := range pair[i].Queries() {
			pair[i].Each(q, func(_ string, grade float64) { relevant = relevant || grade >= relevantFrom })
		}
		if !relevant {
			return sets[s].Name + " holds none of the documents relevant that both judged"
		}
	}
	return ""
}

// meansBy are the means of the runs with the judgments of each of two sets.
func meansBy(sets []Judgments, pair [2]*collection.Qrels, a, b int, in compare.Input, cancel func() bool) (x,
	y []float64, c *compare.Comparison, err error) {
	var means [2][]float64
	for i, s := range []int{a, b} {
		in.Qrels = pair[i]
		if c, err = compare.Open(in); err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %w", sets[s].Name, err)
		}
		m, err := c.Evaluation.Means(cancel)
		if err != nil {
			return nil, nil, nil, err
		}
		means[i] = m[0]
	}
	if len(means[0]) != len(means[1]) {
		return nil, nil, nil, errors.New("the two judges measure other runs")
	}
	return means[0], means[1], c, nil
}

// alike is how alike two orders of runs by their means are.
func alike(x, y []float64, notation string) ([]Cell, error) {
	m, err := measure.Parse(notation)
	if err != nil {
		return nil, err
	}
	sign := 1.0
	if m.Info().Lower {
		sign = -1
	}
	u, v := make([]float64, len(x)), make([]float64, len(y))
	for i := range x {
		u[i], v[i] = float64(sign*x[i]), float64(sign*y[i])
	}
	tau, err := significance.KendallTau(u, v)
	if err != nil {
		return nil, err
	}
	ap, err := significance.TauAP(u, v)
	if err != nil {
		return nil, err
	}
	weighted, err := significance.WeightedTau(u, v)
	if err != nil {
		return nil, err
	}
	rho, err := significance.Spearman(u, v)
	if err != nil {
		return nil, err
	}
	return []Cell{Number(tau.B, 3), Number(ap, 3), Number(weighted, 3), Number(rho.Coefficient, 3)}, nil
}

// Agreement is what the terminal and the page show of two or more sets of judgments: how far they agree and, with
// runs, what that does to the order of the runs.
func Agreement(sets []Judgments, in compare.Input, cancel func() bool) ([]Section, error) {
	first, err := Judges(sets)
	if err != nil {
		return nil, err
	}
	out := []Section{first}
	if len(sets) > 2 {
		s, err := ByJudge(sets)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(in.Runs) > 0 {
		s, err := JudgedOrder(sets, in, cancel)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}
