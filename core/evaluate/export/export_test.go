package export

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// golden compares got with a file of testdata/golden, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", name, got)
	}
}

func TestFormatsOfTheFixture(t *testing.T) {
	r, err := compare.Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Formats() {
		for name, d := range map[string]Detail{"report": {}, "queries": {Queries: true}} {
			var b strings.Builder
			if err := Write(&b, r, f.Name, d); err != nil {
				t.Fatal(err)
			}
			golden(t, name+"."+f.Name, b.String())
		}
	}
	if err := Write(&strings.Builder{}, r, "pdf", Detail{}); err == nil {
		t.Error("there is no PDF")
	}
}

func TestViewsOfTheFixture(t *testing.T) {
	c, err := compare.Open(fixture(t))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range []string{"nDCG@10", "AP", "infAP"} {
		if err := WriteQuery(&b, c, m, "q1", 10); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteQuery(&b, c, "nDCG@10", "q3", 10); err != nil {
		t.Fatal(err)
	}
	golden(t, "query.txt", b.String())
	b.Reset()
	if err := WriteOpinions(&b, c, "nDCG@10"); err != nil {
		t.Fatal(err)
	}
	golden(t, "opinions.txt", b.String())
	b.Reset()
	if err := WriteUnjudged(&b, c, 10); err != nil {
		t.Fatal(err)
	}
	golden(t, "unjudged.txt", b.String())
}

// hostileNames are what somebody may call a run, a query or a document.
var hostileNames = []string{
	"=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", " =1", "\"=1", "＝1+1", "%0A=1",
	`\input{/etc/passwd}`, `\write18{rm -rf}`, `$x^2_3$`, "{", "}", "~&#%", "[h]", "*", "^^5cinput",
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a|b", "[x](javascript:alert(1))",
	"![x](http://e.example/p.png)", "http://e.example/", "www.e.example", "`code`", "**bold**", "@someone",
	"line\nbreak", "cr\rreturn", "nul\x00", "esc\x1b[31m", "bell\a", "back\bspace",
	"right\u202eleft", "mark\u200f", "zero\u200bwidth", "isolate\u2066", "bom\ufeff", "ls\u2028ps\u2029",
	"tag\U000e0041", "bad\xff\xfeutf8", "",
	strings.Repeat("long", 500),
	"中文系统", "نظام البحث", "שלום", "😀👩\u200d👧", "e\u0301 Łódź ŉ ŋ ½ €", "a--b---c ''d'' ,,e", "\\\\[1em]",
	"\\end{tabular}", "%", "^^4d^^5c", "&amp;lt;", "-0.5", "−1", "'=1", "''=1",
}

func hostile(t testing.TB) *report.Report {
	in := compare.Input{Name: "<b>\\textbf{=1}\u202e", Qrels: collection.NewQrels(),
		Measures: []string{"nDCG@10", "P@1"}}
	for i, n := range hostileNames {
		q := n + "#" + strconv.Itoa(i)
		in.Qrels.Add(n, n, 1)
		in.Queries = append(in.Queries, collection.Query{ID: n, Text: n, Type: hostileNames[i%7], Domain: q})
	}
	for s := range 12 {
		b := collection.NewRunBuilder(hostileNames[s])
		for i, n := range hostileNames {
			if i%(s+2) == 0 {
				continue
			}
			b.Add(n, n, 1)
			b.Add(n, "other"+n, float64(s%3))
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: hostileNames[s*3], Run: run})
	}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func written(t testing.TB, r *report.Report, format string, d Detail) string {
	var b strings.Builder
	if err := Write(&b, r, format, d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHostileNamesStayInert(t *testing.T) {
	r := hostile(t)
	for _, d := range []Detail{{}, {Queries: true}} {
		for _, f := range Formats() {
			for i, c := range written(t, r, f.Name, d) {
				if c == '\n' || c == '\t' && f.Name == "trec" {
					continue
				}
				if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029' ||
					c == unicode.ReplacementChar && !strings.HasPrefix(f.Name, "json") {
					if strings.HasPrefix(f.Name, "json") && c > 0x7f { // as data, where no terminal sees it; see below
						continue
					}
					t.Errorf("%s: character %U at byte %d", f.Name, c, i)
					break
				}
			}
		}

		// CSV: no cell that is not a number starts what a spreadsheet runs. encoding/csv is the oracle of the quoting.
		rows, err := csv.NewReader(strings.NewReader(written(t, r, "csv", d))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			if len(row) != len(rows[0]) {
				t.Errorf("csv: %d cells in %q", len(row), row)
			}
			for _, cell := range row {
				if _, err := strconv.ParseFloat(cell, 64); err != nil &&
					regexp.MustCompile(`^[\s"'\x{a0}]*[=+\-@|%＝＋－＠]`).MatchString(cell) &&
					!strings.HasPrefix(cell, "'") {
					t.Errorf("csv: cell %q", cell)
				}
			}
		}

		// LaTeX: once our own commands and the escapes are taken away, nothing is left that TeX acts on.
		known := regexp.MustCompile(
			`\\(textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|char34|textasciigrave|` +
				`ldots|allowbreak|strut)\{\}|\\rankboxchar\{[0-9A-F]{4,6}\}|\\[{}$&` +
				`#_%]|\{[\[\]*]\}|\$[-<]\$|\$(p|d_z)\$|[-,']\{\}`)
		own := regexp.MustCompile(
			`\\(begin|end|caption|label|textbf|textsuperscript|centering|toprule|midrule|bottomrule|multicolumn|` +
				`parbox|raggedright|linewidth|strut|smallskip|small|footnotesize|scriptsize|setlength|` +
				`tabcolsep)\b|\\\\$`)
		for _, l := range strings.Split(written(t, r, "latex", d), "\n") {
			if strings.HasPrefix(l, "%") || strings.HasPrefix(l, `\providecommand{\rankboxchar}`) {
				continue
			}
			for _, c := range l {
				if c > 0x7f && !latexKnows(c) {
					t.Errorf("latex: %U, which pdfLaTeX may not know, in %q", c, l)
				}
			}
			l = own.ReplaceAllString(known.ReplaceAllString(l, ""), "")
			if strings.ContainsAny(l, `\$#^_~%"`) || strings.Count(l, "{") != strings.Count(l, "}") {
				t.Errorf("latex: %q", l)
			}
		}

		// Markdown: no tag but ours, as many cells in every row as in the head, nothing that becomes a link.
		md := regexp.MustCompile(`(?m)^<!-- rankbox data [0-9,]+ [A-Za-z0-9+/=]+ -->$`).ReplaceAllString(written(t, r,
			"md", d), "")
		clean := strings.NewReplacer("<sup>", "", "</sup>", "").Replace(md)
		if strings.ContainsAny(clean, "<>") {
			t.Error("md: a tag is left")
		}
		if m := regexp.MustCompile(`[^\\]://|[^\\]\]\(|www\.`).FindString(md); m != "" {
			t.Errorf("md: %q is left", m)
		}
		cells := 0
		for _, l := range strings.Split(md, "\n") {
			if !strings.HasPrefix(l, "|") {
				cells = 0
				continue
			}
			if n := strings.Count(l, "|"); cells == 0 {
				cells = n
			} else if n != cells {
				t.Errorf("md: %d bars, not %d: %q", n, cells, l)
			}
		}

		// JSON: encoding/json reads it and gets the names back; nothing ends a script element.
		j := written(t, r, "json", d)
		var v struct {
			Runs []struct{ Name string }
		}
		if err := json.Unmarshal([]byte(j), &v); err != nil {
			t.Fatal(err)
		}
		if v.Runs[0].Name != hostileNames[0] || v.Runs[3].Name != hostileNames[9] {
			t.Errorf("json: names %q", v.Runs)
		}
		if strings.Contains(j, "<") {
			t.Error("json: a < is left")
		}

		// TREC: two tabs a line
		for _, l := range strings.Split(strings.TrimSpace(written(t, r, "trec", d)), "\n") {
			if strings.Count(l, "\t") != 2 || len(strings.Fields(l)) != 3 {
				t.Errorf("trec: %q", l)
			}
		}
	}
}

// A report out of a message or a file, however damaged, is written by every format and held against another one.
func FuzzReport(f *testing.F) {
	in := fixture(f, "AP")
	in.Runs = in.Runs[:1]
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(wire.Marshal(r))
	f.Fuzz(func(t *testing.T, payload []byte) {
		got := &report.Report{}
		if wire.Unmarshal(payload, got) != nil || !got.Whole() || len(got.Systems) > 20 {
			return
		}
		for _, f := range Formats() {
			if err := Write(&strings.Builder{}, got, f.Name, Detail{Queries: true}); err != nil {
				t.Fatal(err)
			}
		}
		gates.Regress(got, r, gates.DefaultThreshold, nil)
	})
}

// Every line of jsonl is an object with the figures of the report. encoding/json is the oracle of the writing.
func TestJSONLinesHoldTheFigures(t *testing.T) {
	r := hostile(t)
	lines := strings.Split(strings.TrimSuffix(written(t, r, "jsonl", Detail{}), "\n"), "\n")
	if len(lines) != len(r.Systems)*len(r.Columns) {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines {
		var x struct {
			Run, Measure string
			Mean         float64
		}
		s, m := i/len(r.Columns), i%len(r.Columns)
		if err := json.Unmarshal([]byte(l), &x); err != nil || x.Measure != r.Measures[m] ||
			x.Mean != r.Columns[m].Means[s] || x.Run != strings.ToValidUTF8(r.Systems[s].Label, "\ufffd") {
			t.Errorf("%+v of %s, %v", x, l, err)
		}
	}
	lines = strings.Split(strings.TrimSuffix(written(t, r, "jsonl", Detail{Queries: true}), "\n"), "\n")
	if len(lines) != len(r.Systems)*len(r.Columns)*len(r.Queries) {
		t.Fatalf("%d lines of queries", len(lines))
	}
	for i, l := range lines {
		var x struct {
			Query string
			Value *float64
		}
		q, m, s := i%len(r.Queries), i/len(r.Queries)%len(r.Columns), i/len(r.Queries)/len(r.Columns)
		if err := json.Unmarshal([]byte(l), &x); err != nil || x.Value == nil || *x.Value != r.Columns[m].Values[s][q] {
			t.Errorf("%+v of %s, %v", x, l, err)
		}
	}
}
