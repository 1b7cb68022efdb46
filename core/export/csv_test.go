package export

import "testing"

// What each cell holds behind a comma, a semicolon or a bar begins no formula either.
func TestCellsAreNoFormulaWhateverTheSeparator(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a name", "bm25", "bm25"},
		{"a formula", "=1+1", "'=1+1"},
		{"a command", "|cmd", "'|cmd"},
		{"behind a semicolon", "x;=cmd|' /C calc'!A0", `"x;'=cmd|' /C calc'!A0"`},
		{"behind a semicolon and blanks", `x; "@SUM(1)`, `"x;' ""@SUM(1)"`},
		{"behind two", "x;;-1", `"x;;'-1"`},
		{"behind a bar", "x|+1", "x|'+1"},
		{"behind a tab", "x\t=1", "x[U+0009]=1"},
		{"behind a comma, which is quoted", "x,=1", `"x,=1"`},
		{"no formula", "a;b|c - d", `"a;b|c - d"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := csvCell(c.text); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
