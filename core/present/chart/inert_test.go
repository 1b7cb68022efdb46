package chart_test

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/present/chart"
)

var evil = []string{"<script>alert(1)</script>", "]]><script>", `" onload="alert(1)`, "&lt;b&gt;&#60;",
	"--><image href=x>", "=cmd|' /C calc'!A0", "nul\x00bell\a", "right\u202eleft", "none\ufffe\uffff", "bad\xff\xfe",
	"中文 نظام 😀",
	strings.Repeat("long",
		500), "</title></text></svg>", "<!DOCTYPE x [<!ENTITY a \"b\">]>&a;", "\\input{/etc/passwd}", "'];alert(1);//",
	"${x}%\n\\end{axis}"}

// hostile is a report of runs and queries with hostile names, with the measures of every figure.
func hostile(t testing.TB) *chart.Input {
	q := collection.NewQrels()
	var queries []collection.Query
	for i, id := range evil {
		q.Add(id, id, float64(1+i%2))
		queries = append(queries, collection.Query{ID: id, Text: id, Type: evil[i%3]})
	}
	in := compare.Input{Name: "<b>", Qrels: q, Queries: queries, Measures: []string{"nDCG@10", "P@1"}}
	for _, f := range chart.All() {
		if f.Measures != nil {
			in.Measures = append(in.Measures, f.Measures("nDCG@10")...)
		}
	}
	for s, name := range evil {
		b := collection.NewRunBuilder(name)
		for i, id := range evil {
			if i%(s+2) > 0 {
				b.Add(id, id, 1)
			} else {
				b.Add(id, "other", 1)
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, compare.Named{Name: name, Run: run})
	}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := chart.Facts{Protocol: evil[0], Sweep: &chart.Sweep{X: chart.Param{Name: evil[0]},
		Y: chart.Param{Name: evil[1]}}, Ablation: &chart.Ablation{Pipeline: evil[15],
		Measure: "nDCG@10"}, Grades: []chart.Graded{{System: 0, N: 3, Median: 0.5},
		{System: 5, Grade: 1, Judged: true, N: 3, Median: 0.5}, {System: 5, Grade: 2, Judged: true, N: 3,
			Median: 0.7}}}
	k := len(r.Systems)
	for s := range k {
		x.Times = append(x.Times, []float64{float64(s), 600})
		x.Stages, x.Steps = append(x.Stages, s), append(x.Steps, chart.Growth{System: s, Stage: evil[s]})
		x.Ablation.Stages = append(x.Ablation.Stages, chart.Worth{Stage: evil[s], Lost: 0.1, Low: -0.1, High: 0.2,
			Alone: 0.3, Shapley: 0.2})
		x.Sweep.X.Values, x.Sweep.Y.Values = append(x.Sweep.X.Values, float64(s)), append(x.Sweep.Y.Values,
			float64(s)/10)
		x.Sweep.System = append(x.Sweep.System, make([]int, k))
		x.Costs = append(x.Costs, chart.Cost{Name: evil[s], Bytes: s%2 == 0, Values: r.Columns[0].Means})
		x.Courses = append(x.Courses, chart.Course{Recall: []float64{0.1, 0.2}, Queries: []int{2, 1}})
		x.Patterns = append(x.Patterns, chart.Pattern{Name: evil[s], Queries: make([]int, k)})
	}
	return &chart.Input{Report: r, A: 0, B: 5, Facts: x}
}

// TestFilesAreInert draws every figure of runs with hostile names: every SVG is XML that encoding/xml takes, of no
// elements and attributes but those that draw; the numbers beside it are a table that no spreadsheet runs; the
// specification is JSON in which names are data; LaTeX holds no command that a name brought.
func TestFilesAreInert(t *testing.T) {
	in := hostile(t)
	elements := map[string]string{"svg": "xmlns viewBox width height font-family font-variant-numeric", "title": "",
		"rect": "width height fill", "path": "fill stroke stroke-width stroke-linecap stroke-opacity d",
		"text": "fill font-size x y text-anchor"}
	for _, fig := range chart.All() {
		t.Run(fig.Name, func(t *testing.T) {
			d := fig.Draw(in)
			if d == nil {
				t.Fatal("not drawn")
			}
			for _, theme := range []chart.Theme{chart.Light, chart.Dark} {
				svg := d.SVG(theme)
				if dir := os.Getenv("RANKBOX_FIGURES"); dir != "" { // to look at them
					os.WriteFile(filepath.Join(dir, fig.Name+chart.Themes()[theme]+".svg"), []byte(svg), 0o666)
				}
				texts := inert(t, svg, elements)
				if fig.Name == "intervals" && (!strings.Contains(texts, "]]><script>") ||
					!strings.Contains(texts, "right[U+202E]left") || strings.ContainsAny(texts, "\u202e\a")) {
					t.Errorf("names are not shown as they are: %q", texts)
				}
			}
			rows, err := csv.NewReader(strings.NewReader(d.CSV())).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				for _, c := range row {
					if _, err := strconv.ParseFloat(c, 64); err != nil && c != "" &&
						strings.ContainsAny(c[:1], "=+-@\t\r") {
						t.Errorf("cell %q", c)
					}
				}
			}
			if n := strings.Count(d.TSV(), "\n"); n != len(d.Data) {
				t.Errorf("%d lines of TSV for %d rows", n, len(d.Data))
			}
			for line := range strings.Lines(d.TSV()) {
				if n := strings.Count(line, "\t") + 1; n != len(d.Data[0]) {
					t.Errorf("%d cells of %d in %q", n, len(d.Data[0]), line)
				}
			}
			var spec any
			if err := json.Unmarshal([]byte(d.Vega()), &spec); err != nil {
				t.Fatal(err)
			}
			tex := d.LaTeX()
			for _, command := range []string{`\input`, `\write`, `\script`} {
				if strings.Contains(tex, command) {
					t.Errorf("LaTeX has %s", command)
				}
			}
			if strings.Count(tex, `\end{axis}`) != 1 ||
				strings.Count(tex, "{") != strings.Count(tex, "}")+strings.Count(tex, `\{`)-strings.Count(tex, `\}`) {
				t.Error("LaTeX has lost its braces")
			}
			text := d.Text(chart.DefaultColumns)
			if strings.ContainsAny(text, "\a\x00\u202e\x1b") {
				t.Error("the terminal gets a control character")
			}
		})
	}
}

// inert reads an SVG and returns its texts.
func inert(t *testing.T, svg string, elements map[string]string) (texts string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			known, ok := elements[x.Name.Local]
			if !ok {
				t.Errorf("element %s", x.Name.Local)
			}
			for _, a := range x.Attr {
				if !strings.Contains(" "+known+" ", " "+a.Name.Local+" ") {
					t.Errorf("attribute %s of %s", a.Name.Local, x.Name.Local)
				}
			}
		case xml.CharData:
			texts += string(x)
		case xml.Directive, xml.ProcInst, xml.Comment:
			t.Errorf("%T", x)
		}
	}
}
