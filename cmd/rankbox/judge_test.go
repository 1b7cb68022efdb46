package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/assignment"
	"github.com/rankbox/rankbox/core/workspace"
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
			grades = append(grades, workspace.Judgment{Query: d.Query, Document: d.Document, Grade: i % 2,
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
