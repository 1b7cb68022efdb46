package measure

import "strings"

// Known reports whether a word names a measure at the start of an output line of trec_eval or ir_measures. That is
// a name of the registry or of another tool in its exact spelling, with or without parameters and cutoff, or a
// figure of trec_eval that is no measure, such as runid and gm_map.
func Known(word string) bool {
	name := word
	if at := strings.LastIndexByte(name, '@'); at >= 0 {
		name = name[:at]
	}
	name, _, _ = strings.Cut(name, "(")
	if strings.HasPrefix(name, "~") {
		return false // names holds folded names here
	}
	if _, ok := names()[name]; ok {
		return true
	}
	return trecKnows(word)
}

// Describes reports whether the measure describes how much was judged or found, not how good a ranking is. More
// unjudged documents are no regression, and such a measure ranks no run best.
func (in *Info) Describes() bool { return in.describes || in.Group == Counting || in.Sum }

// Describes is [Info.Describes] of a notation, or false if that is invalid.
func Describes(notation string) bool {
	m, err := Parse(notation)
	return err == nil && m.info.Describes()
}

// JudgedShare reports whether a notation is a measure of the share of judged or unjudged documents: a fact about
// the pool, not an estimate.
func JudgedShare(notation string) bool {
	m, err := Parse(notation)
	return err == nil && m.info.describes
}
