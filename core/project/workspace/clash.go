package workspace

import "maps"

// Clash is a value that two workspaces hold differently and that their stamps cannot decide.
type Clash struct{ Mine, Theirs Edit }

// place identifies the register that an edit sets.
type place struct{ kind, layer, query, document, spec string }

func placeOf(e *Edit) place {
	switch e.Kind {
	case SetGrade, UnsetGrade:
		return place{"grade", e.Layer, e.Query, e.Document, ""}
	case SetQuery, RemoveQuery:
		return place{"query", "", e.Query, "", ""}
	case SetSpec, RemoveSpec:
		return place{"spec", "", "", "", e.Spec}
	case SetClick, RemoveClick:
		return place{"click", "", "", "", e.Spec}
	}
	return place{string(e.Kind), e.Layer, e.Query, e.Document, e.Spec}
}

// Clashes returns what a merge of other into w would decide by a clock that was wrong: both have a value, the two
// differ, one is stamped later than latest (milliseconds since 1970), and neither side had seen the other's.
//
// A tab's stamps grow, and each is after all that the tab had seen. So a side that has a stamp of a tab has seen all
// earlier ones of it, and an edit made with knowledge of another has the later stamp whatever the clocks said. Only
// for edits that knew nothing of each other does the clock decide.
func (w *Workspace) Clashes(other *Workspace, latest int64) (list []Clash) {
	all, theirs := w.All(), other.All()
	mine := make(map[place]*Edit, len(all))
	for i := range all {
		mine[placeOf(&all[i])] = &all[i]
	}
	seenHere, seenThere := seen(all, w.heard), seen(theirs, other.heard)
	for _, e := range theirs {
		m := mine[placeOf(&e)]
		if m == nil || max(m.Time, e.Time) <= latest || m.same(e) || seenThere[m.Tab].Compare(m.Stamp) >= 0 ||
			seenHere[e.Tab].Compare(e.Stamp) >= 0 {
			continue
		}
		list = append(list, Clash{*m, e})
	}
	return list
}

// same reports whether two edits of one place set the same value.
func (e Edit) same(other Edit) bool {
	other.Stamp = e.Stamp
	return e == other
}

// seen is the last stamp of each tab: of the edits that are left and of those that later ones replaced, as far as heard
// knows them. A workspace that was saved as a file has forgotten the latter, so it may ask once more.
func seen(edits []Edit, heard map[string]Stamp) map[string]Stamp {
	out := map[string]Stamp{}
	maps.Copy(out, heard)
	for i := range edits {
		if s := edits[i].Stamp; s.Compare(out[s.Tab]) > 0 {
			out[s.Tab] = s
		}
	}
	return out
}
