//go:build !first

package measure

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// TrecEval holds the options of the trec_eval program.
type TrecEval struct {
	Measures   []string // -m: "all_trec", "P.5,10", "ndcg.1=3,2=9" …; empty means "official"
	PerQuery   bool     // -q: print every query
	NoSummary  bool     // -n: do not print the summary
	Complete   bool     // -c: a judged query without a list counts 0; otherwise it is excluded
	JudgedOnly bool     // -J: remove unjudged documents from the lists
	Level      int      // -l: lowest relevant grade; 0 means 1
	AllJudged  bool     // -l 0: every judged document is relevant; overrides Level
	MaxDocs    int      // -M: documents kept of every list; 0 means all
	NoDocs     bool     // -M 0: keep none; overrides MaxDocs
	Docs       int      // -N: documents in the collection, for utility
	RunID      string   // the last column of the run file

	// Judgments is -R, the kind of the topics' judgments: "" or "qrels", "qrels_jg" (Topic.Subtopics are judgment
	// groups by ascending name), "prefs" or "qrels_prefs" (Topic.Preferences). Measures of another kind are an
	// error.
	Judgments string
	// Zscore is -Z: the mean and standard deviation of a measure, by its printed name, for a query over reference
	// runs. Values are printed as standard deviations from the mean, 0 if both are 0, NoZscore if unknown. nil
	// prints values unchanged.
	Zscore func(query, measure string) (mean, deviation float64, ok bool)

	// Version is the version of trec_eval to reproduce: 10 (or 0), or 9 for 9.0.4, which pytrec_eval embeds.
	// Version 9 converts recall points to numbers of documents differently (see IPrec). It lacks dcg, ideal_dcg,
	// rbp, rbp_resid and unj. It prints no line for a query that the run lacks, even if Complete counts it. It also
	// stores scores in single precision: the topics must be ranked accordingly.
	Version int

	// Faults also reproduces the faults of the program (10.0-rc3, 9.0.4). It prints -nan for interpolated precision
	// of a list that -J emptied, and for Rndcg of a query whose relevant documents have no gain. With -c, num_rel
	// of the summary is at level 1 whatever Level says, and with -Z not as deviations. prefs_avgjg_Rnonrel is 0 for
	// a query that one of several users has no preference about. In version 10 rbp_resid is 0 for a list without
	// unjudged documents. For a missing query, rbp_resid and utility with parameters are 1.0000 and b.
	Faults bool
}

// trecKind is trec_eval's way to compute, summarise and print a measure.
type trecKind int

const (
	trecMean    trecKind = iota // one figure, averaged
	trecSum                     // an integer, added up
	trecGeo                     // geometric mean, summary only
	trecCuts                    // one figure per cutoff, whole numbers
	trecPoints                  // one figure per cutoff, fractions
	trecGains                   // one figure, parameters grade=gain or name=number
	trecNumbers                 // one figure, a list of numbers as parameters
	trecQueries                 // num_q
	trecRunID
	trecRelString
)

type trecMeasure struct {
	name string
	kind trecKind
	of   string // our notation, without cutoff
	set  string // its nicknames: see trecNicknames; + if version 9 lacks it
}

// in reports whether a version of trec_eval has the measure.
func (tm *trecMeasure) in(version int) bool { return version != 9 || !strings.Contains(tm.set, "+") }

// trecMeasures are trec_eval's measures in print order.
var trecMeasures = []trecMeasure{
	{"runid", trecRunID, "", "oaspfj"},
	{"num_q", trecQueries, "NumQ", "oaspfj"},
	{"num_ret", trecSum, "NumRet", "oas"},
	{"num_rel", trecSum, "NumRel", "oas"},
	{"num_rel_ret", trecSum, "NumRelRet", "oas"},
	{"map", trecMean, "AP", "oa"},
	{"gm_map", trecGeo, "AP", "oa"},
	{"Rprec", trecMean, "Rprec", "oa"},
	{"bpref", trecMean, "Bpref", "oa"},
	{"recip_rank", trecMean, "RR", "oa"},
	{"iprec_at_recall", trecPoints, "IPrec", "oa"},
	{"P", trecCuts, "P", "oa"},
	{"relstring", trecRelString, "", "a"},
	{"recall", trecCuts, "R", "a"},
	{"infAP", trecMean, "infAP", "a"},
	{"gm_bpref", trecGeo, "Bpref", "a"},
	{"Rprec_mult", trecPoints, "Rprec_mult", "a"},
	{"utility", trecNumbers, "utility", "as"},
	{"11pt_avg", trecNumbers, "11pt_avg", "a"},
	{"binG", trecMean, "binG", "a"},
	{"G", trecGains, "G", "a"},
	{"dcg", trecGains, "DCG", "+"},
	{"ideal_dcg", trecGains, "IDCG", "+"},
	{"ndcg", trecGains, "nDCG", "a"},
	{"ndcg_rel", trecGains, "ndcg_rel", "a"},
	{"Rndcg", trecGains, "Rndcg", "a"},
	{"ndcg_cut", trecCuts, "nDCG", "a"},
	{"map_cut", trecCuts, "AP", "a"},
	{"relative_P", trecCuts, "relative_P", "a"},
	{"success", trecCuts, "Success", "a"},
	{"set_P", trecMean, "SetP", "as"},
	{"set_relative_P", trecMean, "SetRelP", "as"},
	{"set_recall", trecMean, "SetR", "as"},
	{"set_map", trecMean, "SetAP", "as"},
	{"set_F", trecNumbers, "SetF", "as"},
	{"num_nonrel_judged_ret", trecSum, "NumNonRelJudgedRet", "a"},
	{"prefs_num_prefs_poss", trecSum, "prefs_num_prefs_poss", "pf"},
	{"prefs_num_prefs_ful", trecSum, "prefs_num_prefs_ful", "pf"},
	{"prefs_num_prefs_ful_ret", trecSum, "prefs_num_prefs_ful_ret", "pf"},
	{"prefs_simp", trecMean, "prefs_simp", "pf"},
	{"prefs_pair", trecMean, "prefs_pair", "pf"},
	{"prefs_avgjg", trecMean, "prefs_avgjg", "pf"},
	{"prefs_avgjg_Rnonrel", trecMean, "prefs_avgjg_Rnonrel", "f"},
	{"prefs_simp_ret", trecMean, "prefs_simp_ret", "f"},
	{"prefs_pair_ret", trecMean, "prefs_pair_ret", "f"},
	{"prefs_avgjg_ret", trecMean, "prefs_avgjg_ret", "f"},
	{"prefs_avgjg_Rnonrel_ret", trecMean, "prefs_avgjg_Rnonrel_ret", "f"},
	{"prefs_simp_imp", trecMean, "prefs_simp_imp", "f"},
	{"prefs_pair_imp", trecMean, "prefs_pair_imp", "f"},
	{"prefs_avgjg_imp", trecMean, "prefs_avgjg_imp", "f"},
	{"map_avgjg", trecMean, "AP_avgjg", "j"},
	{"P_avgjg", trecCuts, "P_avgjg", "j"},
	{"Rprec_mult_avgjg", trecPoints, "Rprec_mult_avgjg", "j"},
	{"yaap", trecMean, "yaap", ""},
	{"rbp", trecGains, "rbp", "a+"},
	{"rbp_resid", trecGains, "rbp_resid", "a+"},
	{"unj", trecCuts, "unj", "a+"},
}

var trecNicknames = map[string]string{"official": "o", "all_trec": "a", "set": "s", "prefs": "p", "all_prefs": "f",
	"qrels_jg": "j"}

// judgments returns the kind of judgments that a measure needs, as in -R; "" for any.
func (tm *trecMeasure) judgments() string {
	if tm.kind == trecRunID || tm.kind == trecQueries {
		return ""
	}
	if tg, ok := lookup(tm.of); ok {
		switch tg.info.Group {
		case Grouped:
			return "qrels_jg"
		case Preferring:
			return "prefs"
		}
	}
	return "qrels"
}

// NoZscore is the value that -Z prints if the mean is unknown.
const NoZscore = -1000000

// trecKnows reports whether a word names a measure of trec_eval, with or without a cutoff.
func trecKnows(word string) bool {
	for i := range trecMeasures {
		rest, ok := strings.CutPrefix(word, trecMeasures[i].name)
		if ok && (rest == "" || len(rest) > 1 && rest[0] == '_' && strings.IndexByte("0123456789-.", rest[1]) >= 0) {
			return true
		}
	}
	return false
}

// nickname returns the measures of a trec_eval nickname. It omits the run's name, the string of grades and the two
// geometric means, which are no measures of a query.
func nickname(name string) ([]Measure, bool) {
	letter, ok := trecNicknames[name]
	if !ok {
		return nil, false
	}
	var out []Measure
	for _, tm := range trecMeasures {
		if !strings.Contains(tm.set, letter) {
			continue
		}
		switch tm.kind {
		case trecRunID, trecRelString, trecGeo:
		case trecCuts, trecPoints:
			ms, _ := family(tm.name)
			out = append(out, ms...)
		default:
			m, err := Parse(tm.of)
			if err != nil {
				panic("measure: " + err.Error())
			}
			out = append(out, m)
		}
	}
	return out, true
}

// trecRow is one line of trec_eval's output for a query, for the summary, or for both.
type trecRow struct {
	name    string
	kind    trecKind
	measure Measure
	length  int // of relstring
	exact   bool
}

// FormatTrecEval writes the figures of the topics in trec_eval 10's output format: its names, its order, and lines
// of the form "%-22s\t%s\t%6.4f". Queries come in byte order of their ids. It does not change the topics. The error
// comes from w, or concerns o.Measures or the lack of anything to summarise.
func FormatTrecEval(w io.Writer, topics []Topic, o TrecEval) error {
	rows, err := trecRows(o)
	if err != nil {
		return err
	}
	order := make([]int, 0, len(topics))
	both := 0
	for i := range topics {
		if !topics[i].Missing {
			both++
		}
		if o.Complete || !topics[i].Missing {
			order = append(order, i)
		}
	}
	if len(order) == 0 || both == 0 && o.Version == 9 {
		return say.Faultf("measure: trec_eval", "no queries with both results and relevance information")
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(topics[a].Query, topics[b].Query) })
	totals := make([]float64, len(rows))
	var out []byte
	for _, at := range order {
		t := trecTopic(&topics[at], o)
		unseen := o.Version == 9 && topics[at].Missing
		show := o.PerQuery && !unseen
		out = out[:0]
		for i, r := range rows {
			switch r.kind {
			case trecRunID, trecQueries:
				continue
			case trecRelString:
				if show {
					s := relString(&t, r.length, o.JudgedOnly)
					if topics[at].Missing {
						s = ""
					}
					out = fmt.Appendf(out, "%-22s\t%s\t'%s'\n", r.name, t.Query, s)
				}
				continue
			}
			v := 0.0
			if !unseen || r.name == "num_rel" {
				v = trecValue(r, &t, topics[at].Missing, o)
			}
			if r.kind == trecGeo {
				v = ln(math.Max(v, GeometricFloor))
			}
			if o.Zscore != nil && !unseen {
				v = o.deviation(t.Query, r.name, v)
			}
			switch {
			case o.Faults && o.Complete && r.name == "num_rel":
				totals[i] += float64(len(t.ideal))
			case o.Zscore != nil && unseen && r.kind != trecGeo: // num_rel would be a count among deviations
			default:
				totals[i] += v
			}
			if show && r.kind != trecGeo {
				out = o.append(out, r, t.Query, v)
			}
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	if o.NoSummary {
		return nil
	}
	out = out[:0]
	n := float64(len(order))
	for i, r := range rows {
		switch r.kind {
		case trecRunID:
			out = fmt.Appendf(out, "%-22s\t%s\t%s\n", r.name, "all", o.RunID)
		case trecQueries:
			out = o.append(out, r, "all", n)
		case trecRelString:
		case trecSum:
			out = o.append(out, r, "all", totals[i])
		case trecGeo:
			out = o.append(out, r, "all", exp(totals[i]/n))
		default:
			out = o.append(out, r, "all", totals[i]/n)
		}
	}
	_, err = w.Write(out)
	return err
}

// append writes the line of a value. Deviations are fractions even for counts.
func (o *TrecEval) append(out []byte, r trecRow, query string, v float64) []byte {
	if o.Zscore != nil {
		out = append(out, 'Z')
	}
	switch {
	case math.IsNaN(v):
		return fmt.Appendf(out, "%-22s\t%s\t%6s\n", r.name, query, "-nan")
	case o.Zscore == nil && (r.kind == trecSum || r.kind == trecQueries):
		return fmt.Appendf(out, "%-22s\t%s\t%d\n", r.name, query, int64(v))
	}
	return fmt.Appendf(out, "%-22s\t%s\t%6.4f\n", r.name, query, v)
}

// deviation converts a value as -Z does.
func (o *TrecEval) deviation(query, name string, v float64) float64 {
	mean, deviation, ok := o.Zscore(query, name)
	switch {
	case ok && deviation != 0:
		return (v - mean) / deviation
	case ok && v == mean:
		return 0
	}
	return NoZscore
}

// trecTopic returns the topic as the options cut it, with the decimals of grades cut off.
func trecTopic(src *Topic, o TrecEval) Topic {
	t := Topic{Query: src.Query, Judged: cutDecimals(src.Judged), Ranked: cutDecimals(src.Ranked), Hits: src.Hits,
		Retrieved: src.Retrieved}
	if slices.ContainsFunc(t.Hits, func(h Hit) bool { return !isWhole(h.Grade) }) {
		t.Hits = slices.Clone(t.Hits)
		for i := range t.Hits {
			t.Hits[i].Grade = math.Trunc(t.Hits[i].Grade)
		}
	}
	if src.Missing {
		t.Ranked, t.Hits, t.Retrieved = nil, nil, 0
		if o.Faults {
			t.Retrieved = 1 // trec_eval replaces a missing list by one unknown document
		}
	}
	cut := func(ranked []int32) []int32 {
		switch {
		case src.Missing || o.NoDocs:
			return nil
		case o.MaxDocs == 0:
			return ranked
		}
		return ranked[:min(len(ranked), o.MaxDocs)]
	}
	if s := src.Subtopics; s != nil {
		t.Subtopics = s.wholeGrades(cut(s.Ranked))
	}
	if p := src.Preferences; p != nil {
		t.Preferences = &Preferences{Docs: p.Docs, Groups: p.Groups, Ranked: cut(p.Ranked)}
	}
	if o.NoDocs {
		t.Ranked, t.Hits, t.Retrieved = nil, nil, 0
	} else if o.MaxDocs > 0 {
		n := min(t.Len(), o.MaxDocs)
		if t.Ranked != nil {
			t.Ranked = t.Ranked[:n]
		} else {
			t.Retrieved = n
			i, _ := slices.BinarySearchFunc(t.Hits, n+1, func(h Hit, rank int) int { return int(h.Rank) - rank })
			t.Hits = t.Hits[:i]
		}
	}
	return t
}

// trecValue returns the value of a row for a query.
func trecValue(r trecRow, t *Topic, missing bool, o TrecEval) float64 {
	v := r.measure.Score(t)
	if missing {
		switch in := r.measure.info; {
		case in == &infoUnj, r.exact && (in == &infoUtility || in == &infoRBPResid || r.name == "num_ret"), !o.Faults &&
			in == &infoUtility, !o.Faults && in == &infoRBPResid:
			v = 0
		}
	}
	if !o.Faults {
		return v
	}
	hits, n := t.list(r.measure.judged)
	switch r.measure.info {
	case &infoIPrec:
		if n == 0 && r.measure.recallPoint(r.measure.Float("recall"), t.relevant(r.measure.rel)) == 0 {
			return math.NaN()
		}
	case &infoIPrecAvg:
		points := recallPoints
		if r.measure.table != nil {
			points = r.measure.table.val
		}
		if n == 0 && r.measure.recallPoint(points[0], t.relevant(r.measure.rel)) == 0 {
			return math.NaN()
		}
	case &infoRndcg:
		if t.relevant(r.measure.rel) > 0 && len(r.measure.idealGains(t)) == 0 {
			return math.NaN()
		}
	case &infoRBPResid:
		if unjudgedWithin(hits, n) == 0 {
			return 0
		}
	case &infoPrefsAvgJGRnonrel:
		over := overJudged
		if r.measure.Float("over") != 0 {
			over = overRetrieved
		}
		if p := t.preferences(); p != nil && p.undefined(over) {
			return 0
		}
	}
	return v
}

// relString writes the grades of the first documents as trec_eval does.
func relString(t *Topic, length int, judged bool) string {
	t.Prepare()
	hits, n := t.list(judged)
	b := []byte(strings.Repeat("-", min(length, n)))
	for _, h := range hits {
		if int(h.Rank) > len(b) {
			break
		}
		switch g := h.Grade; {
		case g > 9:
			b[h.Rank-1] = '>'
		case g >= 0:
			b[h.Rank-1] = '0' + byte(g)
		default:
			b[h.Rank-1] = '.'
		}
	}
	return string(b)
}

// trecRows returns the lines for the options, in trec_eval's order.
func trecRows(o TrecEval) ([]trecRow, error) {
	asked := o.Measures
	if len(asked) == 0 {
		asked = []string{"official"}
	}
	given := o.Judgments
	switch given {
	case "":
		given = "qrels"
	case "qrels_prefs":
		given = "prefs"
	}
	marked := map[string]bool{}
	params := map[string]string{}
	for _, a := range asked {
		name, p, has := strings.Cut(a, ".")
		if letter, ok := trecNicknames[name]; ok {
			for _, tm := range trecMeasures {
				if strings.Contains(tm.set, letter) && tm.in(o.Version) {
					marked[tm.name] = true
				}
			}
			continue
		}
		if !slices.ContainsFunc(trecMeasures, func(tm trecMeasure) bool {
			return tm.name == name &&
				tm.in(o.Version)
		}) {
			return nil, say.Faultf("measure: trec_eval", "-m %s: %w", a, ErrUnknownMeasure)
		}
		marked[name] = true
		if has && p == "" {
			return nil, say.Faultf("measure: trec_eval", "-m %s: %w: parameters", a, ErrMissing)
		}
		if _, ok := params[name]; has && !ok {
			params[name] = p
		}
	}
	var rows []trecRow
	for _, tm := range trecMeasures {
		if !marked[tm.name] {
			continue
		}
		if want := tm.judgments(); want != "" && want != given {
			return nil, say.Faultf("measure: trec_eval", "-m %s: it is computed from %s (-R %s)", tm.name,
				judgmentKinds[want], want)
		}
		more, err := tm.rows(params[tm.name], o)
		if err != nil {
			return nil, say.Faultf("measure: trec_eval", "-m %s.%s: %w", tm.name, params[tm.name], err)
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

var judgmentKinds = map[string]string{"qrels": "grades", "qrels_jg": "grades of several users", "prefs": "preferences"}

// rows returns the lines of one measure. params is the text after the point, or "".
func (tm trecMeasure) rows(params string, o TrecEval) ([]trecRow, error) {
	row := trecRow{name: tm.name, kind: tm.kind, exact: params == ""}
	if params != "" && tm.kind != trecRunID {
		row.name += "_" + params
	}
	if tm.kind == trecRunID || tm.kind == trecRelString {
		row.length = 10
		if params != "" {
			row.length = max(0, int(leadingFloat(params)))
		}
		return []trecRow{row}, nil
	}
	tg, ok := lookup(tm.of)
	if !ok {
		panic("measure: trec_eval: no measure " + tm.of)
	}
	m := tg.info.blank()
	if err := preset(&m, tg.set); err != nil {
		return nil, err
	}
	if p := m.info.param("rel"); p != nil && (!p.Optional || m.rel != noLevel) {
		if m.rel = 1; o.AllJudged {
			m.rel = 0
		} else if o.Level != 0 {
			m.rel = float64(o.Level)
		}
	}
	if m.info == &infoUtility {
		m.setFloat("docs", float64(o.Docs))
	}
	if v := m.info.param("version"); v != nil && o.Version == 9 {
		m.set(v, 9)
	}
	m.judged = o.JudgedOnly
	row.measure = m
	switch tm.kind {
	case trecCuts, trecPoints:
		vals := families[tm.name]
		if params != "" {
			vals = nil
			for _, f := range strings.Split(params, ",") {
				v := leadingFloat(f)
				if tm.kind == trecCuts {
					v = math.Trunc(v)
				}
				vals = append(vals, v)
			}
			slices.Sort(vals)
			if len(slices.Compact(slices.Clone(vals))) != len(vals) {
				return nil, fmt.Errorf("%w: duplicate cutoffs", ErrValue)
			}
			if at := m.info.at(); vals[0] < at.Min || vals[len(vals)-1] > at.Max {
				return nil, fmt.Errorf("%w: cutoff out of range", ErrValue)
			}
		}
		var out []trecRow
		for _, v := range vals {
			row.name = tm.name + "_" + strconv.Itoa(int(v))
			if tm.kind == trecPoints {
				row.name = tm.name + "_" + strconv.FormatFloat(v, 'f', 2, 64)
			}
			row.measure.set(m.info.at(), v)
			out = append(out, row)
		}
		return out, nil
	case trecGains:
		t := &table{}
		for _, f := range strings.Split(params, ",") {
			if params == "" {
				break
			}
			key, val, ok := strings.Cut(f, "=")
			if !ok {
				return nil, fmt.Errorf("%w: expected grade=gain", ErrSyntax)
			}
			if p := m.info.param(key); p != nil && p.Kind == KindFloat {
				row.measure.set(p, leadingFloat(val))
			} else if g, err := strconv.Atoi(key); err == nil {
				if err := t.add(float64(g), leadingFloat(val)); err != nil {
					return nil, err
				}
			} else if m.info != &infoRBP && m.info != &infoRBPResid {
				return nil, fmt.Errorf("%w %q", ErrUnknownParam, key)
			}
		}
		if m.info != &infoRBP && m.info != &infoRBPResid {
			row.measure.table = t.normal()
		}
		return []trecRow{row}, nil
	case trecNumbers:
		if params == "" {
			return []trecRow{row}, nil
		}
		var vals []float64
		for _, f := range strings.Split(params, ",") {
			vals = append(vals, leadingFloat(f))
		}
		switch m.info {
		case &infoUtility:
			if len(vals) != 4 {
				return nil, fmt.Errorf("%w: utility takes 4 numbers, not %d", ErrValue, len(vals))
			}
			for i, name := range utilityWorth {
				row.measure.setFloat(name, vals[i])
			}
		case &infoSetF:
			row.measure.setFloat("beta", vals[0])
		default:
			row.measure.table = &table{val: vals}
		}
		return []trecRow{row}, nil
	}
	if params != "" {
		return nil, fmt.Errorf("%w: %s takes none", ErrUnknownParam, tm.name)
	}
	return []trecRow{row}, nil
}

// leadingFloat parses the number at the start of s as C's atof does, or returns 0.
func leadingFloat(s string) float64 {
	for ; s != ""; s = s[:len(s)-1] {
		if v, err := strconv.ParseFloat(s, 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return v
		}
	}
	return 0
}
