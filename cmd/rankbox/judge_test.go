package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
)

// A teacher pools two runs and splits them among 30 students; all hand in grades; the teacher merges them.
func TestAClassBuildsACollection(t *testing.T) {
	dir := t.TempDir()
	run := ""
	for q := range 10 {
		for d := range 72 {
			run += fmt.Sprintf("q%d Q0 d%d %d %d t\n", q, d, d+1, 100-d)
		}
	}
	pool := filepath.Join(dir, "pool.run")
	if err := os.WriteFile(pool, []byte(run), 0o666); err != nil {
		t.Fatal(err)
	}
	shares := filepath.Join(dir, "shares")
	code, out, errs := call("", "judge", "split", pool, pool, "-judges", "30", "-each", "2", "-k", "72", "-o", shares)
	if want := "720 documents of 10 queries, each judged by 2: 30 shares of 48 documents in " + shares +
		"\n"; code != 0 || out != want {
		t.Fatalf("exit %d: %q %s\nwant %q", code, out, errs, want)
	}
	handed := filepath.Join(dir, "handed-in")
	if err := os.MkdirAll(handed, 0o777); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(shares)
	if err != nil || len(files) != 30 {
		t.Fatal(len(files), err)
	}
	for s, f := range files {
		b, err := os.ReadFile(filepath.Join(shares, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		qrels := ""
		for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
			x := strings.Fields(line)
			n := len(x[2]) + int(x[2][len(x[2])-1]) // what every student but the last holds of a document
			if s == 29 {
				n++
			}
			qrels += fmt.Sprintf("%s 0 %s %d\n", x[0], x[2], n%3)
		}
		if err := os.WriteFile(filepath.Join(handed, strings.TrimSuffix(f.Name(), ".run")+".qrels"), []byte(qrels),
			0o666); err != nil {
			t.Fatal(err)
		}
	}
	merged := filepath.Join(dir, "merged.qrels")
	start := time.Now()
	code, out, errs = call("", "judge", "merge", handed, "-o", merged)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("merging takes %v", took)
	}
	if code != 0 || !strings.Contains(out, "30 judges graded 720 documents, 720 of them more than once.") ||
		!strings.Contains(out, "The 20 pairs of 435 that agree least") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	rows := 0
	for _, line := range strings.Split(out, "\n") {
		x := strings.Fields(line)
		if len(x) < 6 || !strings.HasPrefix(x[0], "share-") || x[1] != "48" {
			continue
		}
		rows++
		// The last student never agrees, those who share no document with that one always do.
		if x[0] == "share-30" && x[3] != "0.0" || x[0] == "share-15" && x[3] != "100.0" {
			t.Error(line)
		}
	}
	if rows != 30 {
		t.Errorf("%d students are listed in\n%s", rows, out)
	}
	b, err := os.ReadFile(merged)
	if err != nil || strings.Count(string(b), "\n") != 720 {
		t.Errorf("%d lines, %v", strings.Count(string(b), "\n"), err)
	}
	for _, c := range []struct {
		args []string
		code int
		say  string
	}{
		{[]string{"merge", handed, "-o", merged}, 3, "is there already"},
		{[]string{"merge", pool, merged}, 3, "pool.run holds no judgments"},
		{[]string{"merge", merged}, 2, "at least two judges"},
		{[]string{"merge", handed, "-rule", "loudest"}, 2, `"loudest"`},
		{[]string{"split", pool, "-judges", "4", "-each", "3", "-o", shares}, 3,
			"of 4 judges at most 2 can judge each document, or all"},
		{[]string{"split", pool, "-o", shares}, 2, "-judges or -names"},
		{[]string{"share"}, 2, "want split or merge"},
	} {
		if code, out, errs := call("", append([]string{"judge"}, c.args...)...); code != c.code ||
			!strings.Contains(out+errs, c.say) {
			t.Errorf("%v: exit %d, %s%s, want %d and %q", c.args, code, out, errs, c.code, c.say)
		}
	}
	names := filepath.Join(dir, "names.txt")
	if err := os.WriteFile(names, []byte("Ada L.\nBob\n../evil\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call("", "judge", "split", pool, "-names", names, "-each", "1", "-o", shares); code != 3 ||
		!strings.Contains(errs, `names.txt:3`) && !strings.Contains(errs, "line 3") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// What students hand in is called after them, and a forged, a damaged and a foreign file are all named.
func TestWhatStudentsHandInIsChecked(t *testing.T) {
	dir := t.TempDir()
	class := assignment.Class{Title: "IR", Each: 2, Seed: 1, Scale: assignment.DefaultScale,
		Students: []string{"4711", "4712", "4713", "4714"}}
	for i := range 12 {
		class.Pool = append(class.Pool, workspace.Pooled{Query: "q", Document: fmt.Sprint("d", i)})
	}
	list, err := class.Assignments(assignment.Assignment{Collection: "harbour-wire"})
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	write := func(name, text string) {
		texts[name] = text
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range list {
		var grades []workspace.Judgment
		for i, d := range a.Documents {
			grades = append(grades, workspace.Judgment{Query: d.Query, Document: d.Document, Grade: float64(i % 2),
				Graded: true})
		}
		b, err := a.HandIn(grades)
		if err != nil {
			t.Fatal(err)
		}
		write("mail-"+a.Student+".txt", string(b))
	}
	code, out, errs := call("", "judge", "merge", dir, "-o", filepath.Join(t.TempDir(), "class.qrels"))
	if code != 0 || !strings.Contains(out, "\n  4711  ") || !strings.Contains(out, "4 judges graded 12 documents") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	head, grades, _ := strings.Cut(texts["mail-4711.txt"], "\nq ")
	write("mail-4711.txt", head+"\nq "+strings.Replace(grades, " 1\n", " 0\n", 1))
	whole := strings.TrimSpace(texts["mail-4713.txt"])
	write("mail-4713.txt", whole[:strings.LastIndexByte(whole, '\n')])
	code, out, errs = call("", "judge", "merge", dir)
	if code != 3 || !strings.Contains(errs, "mail-4711.txt: changed by hand") ||
		!strings.Contains(errs, "mail-4713.txt: damaged: its head says 6 grades, and it has 5") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// Ties are counted and listed, and the same grade counts whatever the judges are called. By hand: d1 has 0 and 3, d2 has
// 1, 1 and 2, d3 has 2 and 2, d4 has 0, 3, 1: two ties, of which the lowest grade counts.
func TestNoNameDecidesATie(t *testing.T) {
	files := []string{"q 0 d1 0\nq 0 d2 1\nq 0 d3 2\nq 0 d4 0\n", "q 0 d1 3\nq 0 d2 1\nq 0 d3 2\nq 0 d4 3\n",
		"q 0 d2 2\nq 0 d4 1\n"}
	for _, names := range [][3]string{{"adam", "zoe", "mia"}, {"zoe", "adam", "mia"}, {"mia", "zoe", "adam"}} {
		dir, out := t.TempDir(), filepath.Join(t.TempDir(), "merged.qrels")
		for i, text := range files {
			if err := os.WriteFile(filepath.Join(dir, names[i]+".qrels"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		ties := filepath.Join(t.TempDir(), "ties.run")
		code, said, errs := call("", "judge", "merge", dir, "-o", out, "-ties", ties)
		if code != 0 || !strings.Contains(said, "2 documents are tied") || !strings.Contains(said, "0 1 3") {
			t.Errorf("%v: %d %s%s", names, code, said, errs)
		}
		if got := string(mustRead(t, out)); got != "q 0 d1 0\nq 0 d2 1\nq 0 d3 2\nq 0 d4 0\n" {
			t.Errorf("%v: %s", names, got)
		}
		if got := string(mustRead(t, ties)); got != "q Q0 d1 1 2 ties\nq Q0 d4 2 1 ties\n" {
			t.Errorf("%v: %s", names, got)
		}
	}
	if code, _, errs := call("", "judge", "merge", t.TempDir(), "-rule", "priority"); code != 2 ||
		!strings.Contains(errs, "highest, lowest, latest, majority") {
		t.Errorf("%d %s", code, errs)
	}
}

// One bad line of one student costs that line, wherever it is, and the others' grades count.
func TestABadLineCostsThatLine(t *testing.T) {
	class := assignment.Class{Title: "IR", Each: 1, Seed: 1, Scale: assignment.DefaultScale, Students: []string{"4711"},
		Pool: []workspace.Pooled{{Query: "q", Document: "d1"}, {Query: "q", Document: "d2"}}}
	list, err := class.Assignments(assignment.Assignment{Collection: "harbour-wire"})
	if err != nil {
		t.Fatal(err)
	}
	h, err := list[0].HandIn([]workspace.Judgment{{Query: "q", Document: "d1", Grade: 1, Graded: true},
		{Query: "q", Document: "d2", Grade: 1, Graded: true}})
	if err != nil {
		t.Fatal(err)
	}
	for text, line := range map[string]int{
		"q 0 d1 1\nq 0 d2 two\n":                                2,
		"q 0 d1 1\nthe end\n":                                   2,
		"my grades\nq 0 d1 1\nq 0 d3 1\n":                       1,
		"q 0 d1\nq 0 d1 1\nq 0 d3 1\n":                          1,
		"q 0 d1 1\nq 0\nq 0 d3 0\nq 0 d4 1":                     2,
		strings.Replace(string(h), "q 0 d2 1", "q 0 d2 ???", 1): 8,
		strings.Replace(string(h), "q 0 d2 1", "q 0\n d2 1", 1): 8,
	} {
		dir := t.TempDir()
		bad := filepath.Join(dir, "4711.qrels")
		for name, text := range map[string]string{bad: text, filepath.Join(dir, "4712.qrels"): "q 0 d1 1\nq 0 d2 0\n"} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out := filepath.Join(t.TempDir(), "merged.qrels")
		code, said, errs := call("", "judge", "merge", dir, "-o", out)
		if code != 0 || !strings.Contains(errs, fmt.Sprintf("4711.qrels:%d: the line is left out", line)) ||
			!strings.Contains(said, "4711") || !strings.Contains(string(mustRead(t, out)), "q 0 d1 1\n") {
			t.Errorf("%q: %d %s%s", text, code, said, errs)
		}
	}
	// A file of which no line is a judgment is none.
	name := filepath.Join(t.TempDir(), "x.qrels")
	if err := os.WriteFile(name, []byte("dear teacher\nI did not\nmanage\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call("", "judge", "merge", name, name); code != 3 {
		t.Errorf("%d %s", code, errs)
	}
}
