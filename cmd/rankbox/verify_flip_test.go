package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/present/handout"
)

// flips returns a document once for every decimal and every sentence between tags or line ends, with that one changed.
// What is in skip is no part of what people see.
func flips(document string, skip *regexp.Regexp) (out []string) {
	hidden := skip.FindAllStringIndex(document, -1)
	change := func(from, to int, with string) {
		for _, h := range hidden {
			if from >= h[0] && from < h[1] {
				return
			}
		}
		out = append(out, document[:from]+with+document[to:])
	}
	for _, at := range regexp.MustCompile(`\d+\.\d+|[1-9]`).FindAllStringIndex(document, -1) {
		digit := document[at[1]-1]
		change(at[1]-1, at[1], string('0'+(digit-'0'+1)%10))
	}
	for _, at := range regexp.MustCompile(`[A-Z][a-z]+ [^<>|\n]*[.,:)]`).FindAllStringIndex(document, -1) {
		change(at[0], at[1], "It beats every other system.")
	}
	return out
}

// A page, a drawing and Markdown of which any one decimal, digit or sentence was changed are noticed, and the place is
// named. Every hundredth goes through the whole command; what is compared there is the same text that the file, which
// holds, is made of again.
func TestVerifyNoticesWhateverIsVisible(t *testing.T) {
	x := store(t)
	files := map[string]string{"page": x.files["page"]}
	for kind, args := range map[string][]string{
		"SVG":      {"compare", "figure", "differences", "-quiet", "-o", "svg", "-theme", "dark"},
		"Markdown": {"compare", "-quiet", "-q", "-pairs", "all", "-m", "nDCG@10 AP", "-o", "md"},
	} {
		code, out, errs := call("", append(args, x.runs...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		files[kind] = filepath.Join(x.dir, kind)
		if err := os.WriteFile(files[kind], []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	carried := regexp.MustCompile(`(?s)<script.*</script>|<metadata>.*</metadata>|<!-- rankbox data .*-->`)
	for kind, name := range files {
		code, v, errs := verifies(t, name, "-hash", x.hash[:8])
		if kind != "page" { // without the policy of the experiment
			code, v, errs = verifies(t, name)
		}
		if code != 0 || !v.Holds || v.Checked[0].Kind != kind {
			t.Fatalf("%s: %d %s %+v", kind, code, errs, v)
		}
		document := string(mustRead(t, name))
		differs := differsMarkup
		if kind == "Markdown" {
			differs = differsMarkdown
		}
		all := flips(document, carried)
		if len(all) < 100 {
			t.Errorf("%s: %d changes", kind, len(all))
		}
		for i, changed := range all {
			if d := differs(changed, document); len(d) == 0 || d[0].What == "" || d[0].Stored == d[0].Computed {
				t.Errorf("%s: change %d is not noticed: %+v", kind, i, d)
			}
			if i%(len(all)/8) != 0 || strings.HasPrefix(changed, "<!doctype html>") != strings.HasPrefix(document, "<!doctype html>") {
				continue
			}
			code, out, errs := call(changed, "verify", "-")
			if code != 1 && code != 3 || code == 1 && !strings.Contains(out, ": stored ") {
				t.Errorf("%s: change %d: %d %s %s", kind, i, code, out, errs)
			}
		}
	}
}

// JSON of which any one member was changed is noticed, and the member is named, but for that of the data, which would be
// damaged.
func TestVerifyNoticesEveryMember(t *testing.T) {
	x := store(t)
	var tree any
	if err := json.Unmarshal(mustRead(t, x.files["report JSON"]), &tree); err != nil {
		t.Fatal(err)
	}
	whole := mustRead(t, x.files["report JSON"])
	changed, commands := 0, 0
	var walk func(at string, v any, set func(any))
	try := func(at string, set func(any), was, with any) {
		set(with)
		defer set(was)
		b, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		changed++
		d, err := differsJSON(b, whole)
		if err != nil || len(d) != 1 && at != "hash" || d[0].Stored == d[0].Computed {
			t.Errorf("%s: %v %+v", at, err, d)
		}
		if !strings.HasPrefix(at, "queries") && at != "data" && commands < 60 {
			commands++
			code, out, errs := call(string(b), "verify", "-")
			if code != 1 && code != 3 || code == 1 && !strings.Contains(out, ": stored ") {
				t.Errorf("%s: %d %s %s", at, code, out, errs)
			}
		}
	}
	walk = func(at string, v any, set func(any)) {
		switch x := v.(type) {
		case map[string]any:
			for k, m := range x {
				if at == "" && k == "data" {
					continue
				}
				walk(strings.TrimPrefix(at+"."+k, "."), m, func(v any) { x[k] = v })
			}
		case []any:
			for i, m := range x {
				walk(fmt.Sprintf("%s[%d]", at, i), m, func(v any) { x[i] = v })
			}
			try(at, set, v, append([]any{"one more"}, x...))
		case string:
			try(at, set, v, x+" and more")
		case float64:
			try(at, set, v, x+0.001)
		case bool:
			try(at, set, v, !x)
		case nil:
			try(at, set, v, 0.5)
		}
	}
	walk("", tree, nil)
	if changed < 200 || commands < 50 {
		t.Errorf("%d members, %d through the command", changed, commands)
	}
}

// Files of an earlier version open, and what cannot be compared any more is said: the folder holds what the version of
// 27 November 2026 wrote. An edited mean is named still.
func TestVerifyFilesOfAnEarlierVersion(t *testing.T) {
	dir := filepath.Join("testdata", "former")
	for name, want := range map[string]string{
		"c.rankbox": "computed", "link.txt": "computed", "r.json": "figures", "experiment.json": "figures",
		"r.rankbox-report": "figures", "report.html": "figures",
	} {
		code, v, errs := verifies(t, filepath.Join(dir, name))
		if code != 0 || v.Holds || v.Checked[0].Verdict != want || v.Checked[0].Stored != "" ||
			!strings.Contains(v.Checked[0].Notes[0], "an earlier version wrote it") {
			t.Errorf("%s: %d %s %+v", name, code, errs, v)
		}
	}
	shown := handout.Figures(mustRead(t, filepath.Join(dir, "report.html")))[0]
	for name, c := range map[string][3]string{
		"r.json":      {`"mean":0.`, `"mean":0.1`, "mean of nDCG@10 of a: stored 0.1"},
		"report.html": {shown, "0.1234", "stored not in the page's tables"},
	} {
		b := string(mustRead(t, filepath.Join(dir, name)))
		if !strings.Contains(b, c[0]) {
			t.Fatalf("%s has no %s", name, c[0])
		}
		code, out, _ := call(strings.ReplaceAll(b, c[0], c[1]), "verify", "-")
		if code != 1 || !strings.Contains(out, c[2]) {
			t.Errorf("%s: %d %s", name, code, out)
		}
	}
	if code, out, _ := call("", "verify", filepath.Join(dir, "r.json")); code != 0 ||
		!strings.Contains(out, "words, intervals and tests were not compared") || !strings.Contains(out, notShown) {
		t.Errorf("%d %s", code, out)
	}
}
