package snowball

import (
	"strings"
	"unicode/utf8"
)

// The passes of Hungarian in order. In each the longest ending decides, and only if it begins in R1. Endings of the
// first list are deleted, those of the second replaced by a, of the third by e.
var hungarianPasses = [...][3]string{
	{"ba ra be re ig nak nek val vel ul nál nél ból ról tól ül ből ről től n an ban en ben képpen on ön képp kor t " +
		"at et ként anként enként " +
		"onként ot ért öt hez hoz höz vá vé", "", ""},
	{"", "án ánként", "én"},
	{"stul astul stül estül", "ástul", "éstül"},
	{}, // the factive, which requires a double consonant
	{"éi é ké aké eké oké öké", "áéi áké", "ééi éké éé"},
	{"a ja d ad ed od öd e je nk unk ünk uk juk ük jük m am em om o", "ád ánk ájuk ám á", "éd énk éjük ém é"},
	{"id aid jaid eid jeid i ai jai ei jei itek eitek jeitek ik aik jaik eik jeik ink aink jaink eink jeink aitok " +
		"jaitok im aim jaim eim jeim",
		"áid ái áik áink áitok áim", "éid éi éitek éik éink éim"},
	{"k ak ek ok ök", "ák", "ék"},
}

// Hungarian removes noun inflections: case, possession, number.
func Hungarian(w string) string {
	r1 := hungarianRegion(w)
	w = hungarianDouble(w, r1, "al", "el")
	for i, pass := range hungarianPasses {
		if pass[0] == "" && pass[1] == "" {
			w = hungarianDouble(w, r1, "á", "é")
			continue
		}
		longest, left := "", ""
		for k, list := range pass {
			for ending := range strings.FieldsSeq(list) {
				if len(ending) > len(longest) && strings.HasSuffix(w, ending) {
					longest, left = ending, [...]string{"", "a", "e"}[k]
				}
			}
		}
		at := len(w) - len(longest)
		if longest == "" || at < r1 {
			continue
		}
		w = w[:at] + left
		if i == 0 { // removing a case may leave a final á or é
			if n := len(w) - 2; n >= r1 && strings.HasSuffix(w, "á") {
				w = w[:n] + "a"
			} else if n >= r1 && strings.HasSuffix(w, "é") {
				w = w[:n] + "e"
			}
		}
	}
	return w
}

func hungarianVowel(r rune) bool { return strings.ContainsRune("aáeéiíoóöőuúüű", r) }

// hungarianRegion returns the start of R1: after the first consonant or digraph if the word begins with a vowel,
// else after the first vowel.
func hungarianRegion(w string) int {
	first, _ := utf8.DecodeRuneInString(w)
	if hungarianVowel(first) {
		i := strings.IndexFunc(w, func(r rune) bool { return !hungarianVowel(r) })
		if i < 0 {
			return len(w)
		}
		for _, d := range [...]string{"cs", "dzs", "gy", "ly", "ny", "sz", "ty", "zs"} {
			if strings.HasPrefix(w[i:], d) {
				return i + len(d)
			}
		}
		_, n := utf8.DecodeRuneInString(w[i:])
		return i + n
	}
	i := strings.IndexFunc(w, hungarianVowel)
	if i < 0 {
		return len(w)
	}
	_, n := utf8.DecodeRuneInString(w[i:])
	return i + n
}

// hungarianDouble removes one of two endings if it begins in R1 after a double consonant, and makes that single.
func hungarianDouble(w string, r1 int, a, b string) string {
	stem, ok := strings.CutSuffix(w, a)
	if !ok {
		if stem, ok = strings.CutSuffix(w, b); !ok {
			return w
		}
	}
	n := len(stem)
	if n < r1 || n < 2 {
		return w
	}
	const doubles = " bb cc dd ff gg jj kk ll mm nn pp rr ss tt vv zz ccs zzs ggy lly nny tty ssz "
	if strings.Contains(doubles, " "+stem[n-2:]+" ") || n >= 3 && strings.Contains(doubles, " "+stem[n-3:]+" ") {
		return stem[:n-2] + stem[n-1:]
	}
	return w
}
