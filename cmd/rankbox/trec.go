package main

import (
	"errors"
	"flag"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

// trecLong are the long names of trec_eval's options; like getopt it takes every beginning of one that stands for no
// other.
var trecLong = map[string]string{
	"query_eval_wanted": "q", "measure": "m", "complete_rel_info_wanted": "c", "level_for_rel": "l", "nosummary": "n",
	"Debug_level": "D", "Judged_docs_only": "J",
	"Number_docs_in_coll": "N", "Max_retrieved_per_topic": "M", "Rel_info_format": "R", "Results_format": "T",
	"Zscore": "Z",
}

// trecWords takes options apart that are written as trec_eval's may be: -l2, -qc, -qcmmap, --level_for_rel 2. What is a
// flag of our own stays as it is.
func trecWords(f *flag.FlagSet, args []string) []string {
	var out []string
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		name, value, given := strings.Cut(strings.TrimLeft(a, "-"), "=")
		switch {
		case len(a) < 3 || a[0] != '-' || f.Lookup(name) != nil || name == "h" || name == "help":
			out = append(out, a)
		case a[1] == '-':
			short := ""
			for long, letter := range trecLong {
				if long == name {
					short = letter
					break
				}
				if strings.HasPrefix(long, name) {
					short += letter
				}
			}
			if len(short) != 1 {
				out = append(out, a)
				continue
			}
			if out = append(out, "-"+short); given {
				out = append(out, value)
			}
		default:
			out = append(out, trecCluster(a)...)
		}
	}
	return out
}

// trecCluster splits letters that follow one hyphen; one that takes a value takes the rest.
func trecCluster(word string) []string {
	var out []string
	for i := 1; i < len(word); i++ {
		switch c := word[i]; {
		case strings.IndexByte("qcnJ", c) >= 0:
			out = append(out, "-"+string(c))
		case strings.IndexByte("mlDNMRTZ", c) >= 0:
			out = append(out, "-"+string(c))
			if i+1 < len(word) {
				out = append(out, word[i+1:])
			}
			return out
		default:
			return []string{word}
		}
	}
	return out
}

// judged are the judgments of an evaluation.
type judged struct {
	// of diversity the best grade, of preferences whether a document is relevant to anybody
	qrels       *collection.Qrels
	subtopics   *collection.Diversity
	preferences *collection.Preferences
	named       bool // subtopics are in the order of their names
}

// Kinds of judgments, as trec_eval's -R names them.
var judgmentKinds = []string{"qrels", "qrels_jg", "prefs", "qrels_prefs"}

// readJudged reads judgments of a kind, or else what they turn out to be. Without a kind they are read as the measures
// want them.
func readJudged(c *context, name, kind string, ms []measure.Measure) (*judged, []collection.Warning, error) {
	wants := func(g measure.Group) *measure.Measure {
		if i := slices.IndexFunc(ms, func(m measure.Measure) bool { return m.Info().Group == g }); i >= 0 {
			return &ms[i]
		}
		return nil
	}
	j := &judged{named: kind == "qrels_jg" || wants(measure.Diverse) == nil}
	if j.named && kind != "qrels_jg" && wants(measure.Grouped) == nil || kind == "prefs" || kind == "qrels_prefs" {
		var warnings []collection.Warning
		switch kind {
		case "prefs", "qrels_prefs":
			f, shown, err := c.open(name)
			if err != nil {
				return nil, nil, err
			}
			defer f.Close()
			opt := collection.Options{Kind: collection.PrefsTREC, Limits: c.limits}
			if kind == "qrels_prefs" {
				opt.Kind = collection.QrelsTREC
			}
			if j.preferences, warnings, err = collection.ReadPreferences(f, shown, opt); err != nil {
				return nil, nil, err
			}
			if j.preferences.Len() == 0 {
				return nil, nil, errors.New(shown + " holds no judgments")
			}
			j.qrels = j.preferences.Qrels()
		default:
			got, list, err := judgments(c, name)
			if err != nil {
				return nil, nil, err
			}
			j.qrels, j.preferences, warnings = got.Qrels, got.Preferences, list
			if kind == "qrels" && j.preferences != nil {
				return nil, nil, errors.New(name + " holds preferences and no qrels")
			}
		}
		if m := wants(measure.Preferring); m != nil && j.preferences == nil {
			return nil, nil, usagef(
				"%s is about preferences: -R prefs reads query, group, subgroup, document, level; -R qrels_prefs "+
					"takes the grades of qrels for levels", m)
		}
		for _, g := range []measure.Group{measure.Grouped, measure.Diverse} {
			if m := wants(g); m != nil {
				return nil, nil, usagef("%s is about grades of several users or sub-topics, and not about preferences",
					m)
			}
		}
		return j, warnings, nil
	}
	if m := wants(measure.Preferring); m != nil {
		return nil, nil, usagef(
			"%s is about preferences, which cannot be combined with judgments per user or sub-topic: -R prefs or -R "+
				"qrels_prefs", m)
	}
	f, shown, err := c.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	d, warnings, err := collection.ReadDiversity(f, shown, collection.Options{Limits: c.limits})
	if err != nil {
		return nil, nil, err
	}
	if err := d.Check(); err != nil {
		return nil, nil, say.Faultf("rankbox", "%s: %w", shown, err)
	}
	j.qrels, j.subtopics = d.Qrels(), d
	return j, warnings, nil
}

// kind returns what -R would have been.
func (j *judged) kind(given string) string {
	switch {
	case given != "":
		return given
	case j.preferences != nil:
		return "prefs"
	}
	return "qrels"
}

// readZscores reads what -Z names.
func readZscores(c *context, name string) (*collection.Zscores, []collection.Warning, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return collection.ReadZscores(f, shown, collection.Options{Limits: c.limits})
}

// only returns what -D 0.QUERY leaves of the topics: the others count as if the run lacked them.
func only(topics []measure.Topic, query string) {
	for i := range topics {
		t := &topics[i]
		if t.Query != query {
			*t = measure.Topic{Query: t.Query, Judged: t.Judged, Missing: true, Subtopics: t.Subtopics,
				Preferences: t.Preferences}
			if t.Subtopics != nil {
				t.Subtopics = &measure.Subtopics{Docs: t.Subtopics.Docs}
			}
			if t.Preferences != nil {
				t.Preferences = &measure.Preferences{Docs: t.Preferences.Docs, Groups: t.Preferences.Groups}
			}
		}
	}
}

// debugQuery reads the value of -D: LEVEL or LEVEL.QUERY.
func debugQuery(text string) (query string, some bool, err error) {
	level, query, some := strings.Cut(text, ".")
	if n, err := strconv.Atoi(level); err != nil || n != 0 {
		return "", false, usagef("-D %s: want 0.QUERY, to evaluate only this query; levels 1 to 6 are not supported",
			text)
	}
	return query, some, nil
}
