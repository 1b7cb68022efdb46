package sheet

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
			if got := Text(c.text); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestCSVNeutralisesWhatASpreadsheetWouldRun(t *testing.T) {
	got := CSV([][]string{{"query", "change"}, {"=1+1", "-0.25"}, {`a "b", c`, "+1e-05"}, {"@x", ""}})
	if want := "query,change\n'=1+1,-0.25\n\"a \"\"b\"\", c\",+1e-05\n'@x,\n"; got != want {
		t.Errorf("%q", got)
	}
}
