package ui

import (
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// TestSavedFiguresAreInert draws figures of runs with hostile names: every file is XML that encoding/xml takes, of no elements and attributes but those that draw, and the
// numbers beside it are a CSV that no spreadsheet runs.
func TestSavedFiguresAreInert(t *testing.T) {
	evil := []string{"<script>alert(1)</script>", "]]><script>", `" onload="alert(1)`, "&lt;b&gt;&#60;", "--><image href=x>", "=cmd|' /C calc'!A0", "nul\x00bell\a", "right\u202eleft", "none\ufffe\uffff", "bad\xff\xfe", "中文 نظام 😀",
		strings.Repeat("long", 500), "</title></text></svg>", "<!DOCTYPE x [<!ENTITY a \"b\">]>&a;"}
	q := collection.NewQrels()
	for i, id := range evil {
		q.Add(id, id, 1+i%2)
	}
	in := compare.Input{Name: "<b>", Qrels: q, Measures: []string{"nDCG@10", "P@1"}}
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
	app := &state.App{}
	app.Compare.Done = &message.Compared{Report: r}
	app.Compare.A, app.Compare.B = 0, 5
	figures := (&CompareFigures{part: part{App: app}}).Figures()
	if len(figures) != 2 {
		t.Fatalf("%d figures", len(figures))
	}
	elements := map[string]string{"svg": "xmlns viewBox width height font-family font-variant-numeric", "title": "", "rect": "width height fill", "path": "fill stroke stroke-width d", "circle": "fill cx cy r stroke",
		"text": "fill font-size x y text-anchor"}
	for _, f := range figures {
		svg := f.SVG()
		if dir := os.Getenv("RANKBOX_FIGURES"); dir != "" { // to look at them
			os.WriteFile(filepath.Join(dir, f.Name+".svg"), []byte(svg), 0o666)
		}
		d := xml.NewDecoder(strings.NewReader(svg))
		texts := ""
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			switch x := token.(type) {
			case xml.StartElement:
				known, ok := elements[x.Name.Local]
				if !ok {
					t.Errorf("%s: element %s", f.Name, x.Name.Local)
				}
				for _, a := range x.Attr {
					if !strings.Contains(" "+known+" ", " "+a.Name.Local+" ") {
						t.Errorf("%s: attribute %s of %s", f.Name, a.Name.Local, x.Name.Local)
					}
				}
			case xml.CharData:
				texts += string(x)
			case xml.Directive, xml.ProcInst, xml.Comment:
				t.Errorf("%s: %T", f.Name, x)
			}
		}
		if f.Name == "intervals" && (!strings.Contains(texts, "]]><script>") || !strings.Contains(texts, "right[U+202E]left") || strings.ContainsAny(texts, "\u202e\a")) {
			t.Errorf("names are not shown as they are: %q", texts)
		}
		rows, err := csv.NewReader(strings.NewReader(compare.CSV(f.Data))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, c := range row {
				if _, err := strconv.ParseFloat(c, 64); err != nil && c != "" && strings.ContainsAny(c[:1], "=+-@\t\r") {
					t.Errorf("%s: cell %q", f.Name, c)
				}
			}
		}
	}
}
