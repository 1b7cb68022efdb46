package scores

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/intake/scores/nugget"
)

// isRagas reports whether JSON is samples of Ragas that name contexts by id.
func isRagas(h *head) bool { return h.has("retrieved_context_ids", "reference_context_ids") }

// ragas reads the samples of Ragas, a line or an entry each, and compares the ids of what was retrieved with those of
// the reference:
//
//	id_based_context_precision = |retrieved ∩ reference| / |retrieved|
//	id_based_context_recall    = |retrieved ∩ reference| / |reference|
//
// over sets of ids as texts: a repeated id counts once, and 7 is "7". A sample that retrieved nothing has no
// precision, and one whose reference is empty no recall: that score is missing, as it is NaN in Ragas.
//
// Source: ragas 0.4.3, IDBasedContextPrecision and IDBasedContextRecall.
func (r *reading) ragas() error {
	r.out.Noun = "sample"
	return r.answers(func(n *golden.Node, item string) error {
		retrieved, err := idsOf(n, "retrieved_context_ids")
		if err != nil {
			return err
		}
		reference, err := idsOf(n, "reference_context_ids")
		if err != nil {
			return err
		}
		hits := 0
		for id := range retrieved {
			if reference[id] {
				hits++
			}
		}
		if err := r.out.add(r.file, item, "id_based_context_precision", share(float64(hits), len(retrieved)),
			n.Line); err != nil {
			return err
		}
		return r.out.add(r.file, item, "id_based_context_recall", share(float64(hits), len(reference)), n.Line)
	})
}

// share is a part of so many, NaN of none.
func share(part float64, of int) float64 {
	if of == 0 {
		return nan
	}
	return part / float64(of)
}

// idsOf are the ids of a list as texts.
func idsOf(n *golden.Node, key string) (map[string]bool, error) {
	list := n.Get(key)
	if list == nil || list.Kind == golden.Null {
		return nil, fmt.Errorf("a sample without %q: they are compared by id", key)
	}
	if list.Kind != golden.List {
		return nil, fmt.Errorf("%q is not a list of ids", key)
	}
	out := map[string]bool{}
	for _, x := range list.Items {
		if x.Kind != golden.Text && x.Kind != golden.Number {
			return nil, fmt.Errorf("%q holds something else than ids", key)
		}
		out[x.Text] = true
	}
	return out, nil
}

// answers calls read for every object of the file with the id of what it answers: its own id, or else the text of its
// query, or its number.
func (r *reading) answers(read func(n *golden.Node, item string) error) error {
	seen := map[string]int{}
	for i, n := range r.root.Objects() {
		if n.Kind != golden.Map {
			return r.fail(n.Line, errors.New("an entry that is not an object"))
		}
		item := ""
		for _, key := range []string{"qid", "query_id", "topic_id", "id", "sample_id", "user_input", "query"} {
			if item = n.Get(key).AsText(); item != "" {
				break
			}
		}
		if item == "" {
			item = strconv.Itoa(i + 1)
		}
		if at, had := seen[item]; had {
			return r.fail(n.Line, fmt.Errorf("%q is answered twice, in line %d and here", say.Brief(item, 60), at))
		}
		seen[item], r.out.Lines = n.Line, n.Line
		if err := read(n, item); err != nil {
			return r.fail(n.Line, err)
		}
	}
	return nil
}

// isNuggets reports whether JSON is what nuggetizer writes of nuggets.
func isNuggets(h *head) bool { return h.has("nuggets") && (h.has("qid") || h.has("query")) }

// nuggets reads nuggetizer's assignments, one answer a line, and measures how many nuggets each answer has:
//
//	strict_vital_score, strict_all_score: the share of vital nuggets, of all, with the assignment "support"
//	vital_score, all_score: the same, where "partial_support" counts a half
//
// An answer without (vital) nuggets has 0, as there. The system is "run_id" where the lines have one, otherwise the
// file.
//
// Source: nuggetizer 0.0.5, core/metrics.py, which calculate_metrics.py runs; Pradeep et al. 2025, The Great Nugget
// Recall.
func (r *reading) nuggets() error {
	seen := map[[2]string]int{}
	for _, n := range r.root.Objects() {
		item := n.Get("qid").AsText()
		if item == "" {
			item = n.Get("query").AsText()
		}
		if item == "" {
			return r.fail(n.Line, errors.New("an answer without \"qid\""))
		}
		system := n.Get("run_id").AsText()
		if system == "" {
			system = r.file
		}
		if doc := n.Get("docid").AsText(); doc != "" {
			return r.fail(n.Line, errors.New("it holds assignments of nuggets to documents (\"docid\"): nugget "+
				"recall is of answers"))
		}
		if at, had := seen[[2]string{system, item}]; had {
			return r.fail(n.Line, fmt.Errorf("query %q is answered twice, in line %d and here", say.Brief(item, 60),
				at))
		}
		seen[[2]string{system, item}] = n.Line
		list := n.Get("nuggets")
		if list == nil || list.Kind != golden.List {
			return r.fail(n.Line, errors.New("an answer without a list of \"nuggets\""))
		}
		var nuggets []nugget.Nugget
		for _, x := range list.Items {
			assignment, importance := x.Get("assignment").AsText(), x.Get("importance").AsText()
			var support nugget.Support
			switch assignment {
			case "support":
				support = nugget.Full
			case "partial_support":
				support = nugget.Partial
			case "not_support":
			case "":
				return r.fail(x.Line, errors.New("a nugget without an assignment: these are nuggets, and nuggetizer "+
					"assign says which of them an answer has"))
			default:
				return r.fail(x.Line, fmt.Errorf("assignment %q is not one of support, partial_support, not_support",
					say.Brief(assignment, 60)))
			}
			switch importance {
			case "vital", "okay":
			default:
				return r.fail(x.Line, fmt.Errorf("importance %q is not one of vital, okay", say.Brief(importance, 60)))
			}
			nuggets = append(nuggets, nugget.Nugget{Vital: importance == "vital", Support: support})
		}
		recall := nugget.Of(nuggets)
		for _, s := range []struct {
			name  string
			value float64
		}{
			{"strict_vital_score", recall.StrictVital}, {"strict_all_score", recall.StrictAll},
			{"vital_score", recall.Vital}, {"all_score", recall.All},
		} {
			if err := r.out.add(system, item, s.name, s.value, n.Line); err != nil {
				return r.fail(n.Line, err)
			}
		}
		r.out.Lines = n.Line
	}
	return nil
}

// isNuggetMetrics reports whether JSON is what nuggetizer's calculate_metrics.py writes.
func isNuggetMetrics(h *head) bool { return h.has("qid", "strict_vital_score") }

// nuggetMetrics reads those, a query a line; the last one, "all", is their mean and is not read.
func (r *reading) nuggetMetrics() error {
	for _, n := range r.root.Objects() {
		item := n.Get("qid").AsText()
		if isWhole(item) {
			continue
		}
		for _, m := range n.Members {
			if m.Key == "qid" {
				continue
			}
			v, err := scoreOf(m.Value)
			if err == nil {
				err = r.out.add(r.file, item, m.Key, v, m.Line)
			}
			if err != nil {
				return r.fail(m.Line, err)
			}
		}
		r.out.Lines = n.Line
	}
	return nil
}
