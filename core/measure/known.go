package measure

import "strings"

// Known reports whether a word is a measure as trec_eval and ir_measures write it at the head of a line of results: a
// name of the registry or of another tool in exactly that spelling, with or without parameters and a cutoff, or a
// figure of trec_eval's that no measure is, as runid and gm_map.
func Known(word string) bool {
	name := word
	if at := strings.LastIndexByte(name, '@'); at >= 0 {
		name = name[:at]
	}
	name, _, _ = strings.Cut(name, "(")
	if strings.HasPrefix(name, "~") {
		return false // where names keeps the folded ones
	}
	if _, ok := names()[name]; ok {
		return true
	}
	return trecKnows(word)
}

// Describes reports whether the measure says how much was judged or found and not how good a ranking is: more unjudged
// documents are no regression, and no run is the best by them.
func (in *Info) Describes() bool { return in.describes || in.Group == Counting || in.Sum }

// Describes is [Info.Describes] of a notation, false of what is none.
func Describes(notation string) bool {
	m, err := Parse(notation)
	return err == nil && m.info.Describes()
}

// JudgedShare reports whether a notation is of a measure whose value is a share of documents with or without judgments:
// a fact about the pool and not an estimate.
func JudgedShare(notation string) bool {
	m, err := Parse(notation)
	return err == nil && m.info.describes
}
