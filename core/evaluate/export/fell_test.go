package export

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// Figures with the order before a backend in them say so in every form, with every query's values and without; where
// nothing fell back no form has a word of it.
func TestEveryFormSaysWhatFellBack(t *testing.T) {
	in := fixture(t)
	in.Runs[1].Fell = []string{"q1", "q3", "of another collection"}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.Runs[1].Fell = nil
	plain, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const sentence = "for 2 queries the backend did not answer, so they keep the previous order"
	says := map[string]string{"text": sentence, "md": sentence, "latex": sentence, "json": sentence,
		"csv": ",fell_back", "jsonl": `"fell_back"`, "trec": "fell_back             \tall\t2\n"}
	if s := HTML(r, Detail{}); strings.Count(s, sentence) < 2 ||
		strings.Contains(HTML(plain, Detail{}), "did not answer") {
		t.Errorf("HTML: %s", s)
	}
	for _, f := range Formats() {
		for _, d := range []Detail{{}, {Queries: true}} {
			var with, without strings.Builder
			if Write(&with, r, f.Name, d) != nil || Write(&without, plain, f.Name, d) != nil {
				t.Fatal(f.Name)
			}
			want := says[f.Name]
			if want == "" || !strings.Contains(with.String(), want) {
				t.Errorf("%s, %+v: %q is not in\n%s", f.Name, d, want, with.String())
			}
			if s := without.String(); strings.Contains(s, "fell_back") || strings.Contains(s, "did not answer") {
				t.Errorf("%s, %+v: without a fallback\n%s", f.Name, d, s)
			}
			switch f.Name {
			case "latex": // in what is printed, not only in a comment
				caption := with.String()[strings.Index(with.String(), `\caption{`):]
				if caption, _, _ = strings.Cut(caption, "\n"); !strings.Contains(caption, "B: "+sentence) {
					t.Errorf("caption: %s", caption)
				}
			case "csv":
				rows, err := csv.NewReader(strings.NewReader(with.String())).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				for _, row := range rows[1:] {
					want := "0"
					switch {
					case d.Queries && row[1] == "beta" && (row[0] == "q1" || row[0] == "q3"):
						want = "1"
					case !d.Queries && row[0] == "beta":
						want = "2"
					}
					if row[len(row)-1] != want {
						t.Errorf("%q, want %s at the end", row, want)
					}
				}
			case "jsonl":
				for line := range strings.Lines(with.String()) {
					var o struct {
						Run, Query string
						Fell       any `json:"fell_back"`
					}
					if err := json.Unmarshal([]byte(line), &o); err != nil {
						t.Fatal(err)
					}
					var want any
					switch {
					case d.Queries && o.Run == "beta" && (o.Query == "q1" || o.Query == "q3"):
						want = true
					case !d.Queries && o.Run == "beta":
						want = 2.0
					}
					if o.Fell != want {
						t.Errorf("%s: want %v", line, want)
					}
				}
			case "json":
				var o struct {
					Runs []struct {
						Fell    int      `json:"fell_back"`
						Queries []string `json:"fell_back_queries"`
					}
				}
				if err := json.Unmarshal([]byte(with.String()), &o); err != nil || o.Runs[0].Fell != 0 ||
					o.Runs[1].Fell != 2 || strings.Join(o.Runs[1].Queries, " ") != "q1 q3" {
					t.Errorf("%+v, %v", o, err)
				}
			}
		}
	}
}
