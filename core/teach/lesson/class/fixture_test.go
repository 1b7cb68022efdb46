package class

import (
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files that the page is tested with")

// handedIn are the files that site/e2e/class.test.mjs drops on the page: thirty, of which one is truncated, one
// claims too many points, and one belongs to another class.
const handedIn = "../../../../site/e2e/fixtures/class.json"

func TestTheFilesOfThePageAreOfToday(t *testing.T) {
	c := &Class{Title: "IR, group 2", Lessons: []string{"ap", "ndcg"}, Seed: "winter 26",
		Items: []Item{{"ap", 1}, {"ap", 2}, {"ndcg", 1}, {"ndcg", 2}, {"order", 1}}}
	other := *c
	other.Seed = "summer 27"
	type file struct{ Name, Text string }
	var f struct {
		Link  string
		Files []file
	}
	f.Link = c.Link()
	for i := range 30 {
		name := "student " + strconv.Itoa(i+1)
		r := student(c, name, i%6)
		r.Finished += Minute(i)
		text := c.File(r)
		switch i {
		case 3:
			text = text[:len(text)-25]
		case 7:
			text = strings.Replace(text, "right: 1 of 5", "right: 5 of 5", 1)
		case 11:
			text = other.File(student(&other, name, 5))
		}
		f.Files = append(f.Files, file{"student-" + strconv.Itoa(i+1) + ".txt", text})
	}
	want, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(handedIn, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(handedIn)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is of another time: run the test with -update", handedIn)
	}
}
