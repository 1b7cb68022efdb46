package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// What gremlins v0.6.0 writes, shortened.
const someMutants = `{"go_module":"x","files":[{"file_name":"a.go","mutations":[
 {"type":"CONDITIONALS_BOUNDARY","status":"LIVED","line":2,"column":7},
 {"type":"CONDITIONALS_NEGATION","status":"KILLED","line":2,"column":7},
 {"type":"ARITHMETIC_BASE","status":"NOT COVERED","line":3,"column":4},
 {"type":"CONDITIONALS_BOUNDARY","status":"NOT COVERED","line":4,"column":4}]}],
 "mutants_killed":38,"mutants_lived":2,"mutants_not_covered":10,"mutants_total":50}`

func TestWhyAMutantLivesStaysWithItsLine(t *testing.T) {
	var m mutants
	if err := json.Unmarshal([]byte(someMutants), &m); err != nil {
		t.Fatal(err)
	}
	if e, c := m.efficacy(), m.coverage(); e != 95 || c != 80 { // 38 of 40, 40 of 50
		t.Errorf("efficacy %v, coverage %v", e, c)
	}
	source := "package a\nif a < b || c {\n\tx+1\n\tcase x < 1:\n"
	read := func(string) (string, error) { return source, nil }
	doc, open, err := mutationText("", "core/a", &m, read)
	if err != nil || open != 2 {
		t.Fatalf("%d open, %v:\n%s", open, err, doc)
	}
	if m.NotCovered != 9 || !strings.Contains(doc, "38 killed, 2 lived, 9 not covered: efficacy 95.0 %, coverage 81.6 %; 1 more") { // 40 of 49
		t.Errorf("the condition of a case counts:\n%s", doc)
	}
	doc = strings.Replace(doc, "{` | "+unexplained, "{` | equal values are the same", 1)
	source = "package a\n// moved down\n" + source[len("package a\n"):]
	m.Files[0].Mutations[0].Line++
	m.Files[0].Mutations[2].Line++
	m.Files[0].Mutations[3].Line++
	doc, open, err = mutationText(doc, "core/a", &m, read)
	if err != nil || open != 1 || !strings.Contains(doc, "a.go:3:7 | conditionals boundary | `if a < b ¦¦ c {` | equal values are the same |") {
		t.Errorf("%d open, %v:\n%s", open, err, doc)
	}
	other, _, _ := mutationText(doc, "core/b", &mutants{}, read)
	if !strings.Contains(other, "## core/b\n\n0 killed") || !strings.HasPrefix(other, strings.TrimSuffix(doc, "\n")) {
		t.Errorf("another room changes the first:\n%s", other)
	}
	if again, _, _ := mutationText(other, "core/b", &mutants{}, read); again != other {
		t.Error("written twice it is another")
	}
	m.Files[0].Mutations[0].Line = 99
	if _, _, err := mutationText(doc, "core/a", &m, read); err == nil {
		t.Error("a line that is not there was read")
	}
}
