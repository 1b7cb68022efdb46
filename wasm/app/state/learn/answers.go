package learn

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// kept is the key under which the device remembers what was answered.
const kept = "rankbox-learn"

// Answers are what was predicted, judged and answered. The device remembers them until they are deleted.
type Answers struct {
	app      *state.App
	lessons  *Lessons
	capstone *Capstone

	Student   string // what exercises are made of
	Picked    map[string]int
	Drills    map[string]Drill
	Judgments map[string][]int // of a block: a grade an article, −1 for none
	Reached   map[string]bool  // blocks with a figure whose goal was reached
	Done      map[string]bool  // lessons whose exercises were answered

	classes []string // of which the device remembers answers
}

// Judge gives an article of a block a grade.
func (a *Answers) Judge(key string, articles, at, grade int) {
	g := a.Judgments[key]
	for len(g) < articles {
		g = append(g, -1)
	}
	if at < 0 || at >= articles || grade < 0 || grade > 3 {
		return
	}
	g[at] = grade
	a.Judgments[key] = g
	a.store()
	a.app.View.Draw()
}

// Begun says whether a lesson's prediction was made on this device.
func (a *Answers) Begun(name string) bool {
	for key := range a.Picked {
		if strings.HasPrefix(key, name+".") {
			return true
		}
	}
	return false
}

// Next is the lesson to take: one that was begun and is not done, or the first behind a lesson ("" for the list's
// first)
// that is not done; nil if all of them are.
func (a *Answers) Next(behind string) *lesson.Head {
	s := a.lessons.Set()
	if s == nil {
		return nil
	}
	var first *lesson.Head
	from := -1
	for i := range s.Lessons {
		if s.Lessons[i].Name == behind {
			from = i
		}
	}
	for i := range s.Lessons {
		h := &s.Lessons[(from+1+i)%len(s.Lessons)].Head
		if a.Done[h.Name] || h.Name == behind {
			continue
		}
		if behind == "" && a.Begun(h.Name) {
			return h
		}
		if first == nil {
			first = h
		}
	}
	return first
}

// store has the device remember what was answered: a line each.
func (a *Answers) store() {
	var b strings.Builder
	b.WriteString("who\t" + strings.Join(strings.Fields(a.Student), " ") + "\n")
	for _, k := range slices.Sorted(maps.Keys(a.Picked)) {
		b.WriteString("pick\t" + k + "\t" + strconv.Itoa(a.Picked[k]) + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(a.Drills)) {
		d := a.Drills[k]
		b.WriteString("drill\t" + k + "\t" + strconv.Itoa(d.Number) + "\t" + strconv.Itoa(d.Correct) + "\t" +
			strconv.Itoa(d.Level) + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(a.Done)) {
		b.WriteString("done\t" + k + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(a.Reached)) {
		b.WriteString("reached\t" + k + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(a.Judgments)) {
		b.WriteString("judged\t" + k)
		for _, g := range a.Judgments[k] {
			b.WriteString("\t" + strconv.Itoa(g))
		}
		b.WriteByte('\n')
	}
	for _, id := range a.classes {
		b.WriteString("class\t" + id + "\n")
	}
	if a.capstone.begun() {
		b.WriteString(a.capstone.line())
	}
	a.app.Browser.Remember(kept, b.String())
}

// recall takes back what it remembers; lines that it does not understand are passed over.
func (a *Answers) recall() {
	for _, line := range strings.Split(a.app.Browser.Recall(kept), "\n") {
		f := strings.Split(line, "\t")
		number := func(i int) int {
			if i >= len(f) {
				return -1
			}
			n, err := strconv.Atoi(f[i])
			if err != nil {
				return -1
			}
			return n
		}
		switch {
		case f[0] == "who" && len(f) == 2:
			a.Student = f[1]
		case f[0] == "pick" && len(f) == 3 && number(2) >= 0:
			a.Picked[f[1]] = number(2)
		case f[0] == "drill" && (len(f) == 4 || len(f) == 5) && number(2) >= 0 && number(3) >= 0:
			// without a level before there was a choice
			a.Drills[f[1]] = Drill{Number: number(2), Correct: number(3), Level: min(max(0, number(4)), lesson.Levels)}
		case f[0] == "done" && len(f) == 2:
			a.Done[f[1]] = true
		case f[0] == "reached" && len(f) == 2:
			a.Reached[f[1]] = true
		case f[0] == "judged" && len(f) > 2 && len(f) <= 22:
			a.Judgments[f[1]] = nil
			for i := range f[2:] {
				a.Judgments[f[1]] = append(a.Judgments[f[1]], max(-1, min(3, number(i+2))))
			}
		case f[0] == "class" && len(f) == 2 && !slices.Contains(a.classes, f[1]):
			a.classes = append(a.classes, f[1])
		case f[0] == "capstone":
			a.capstone.recall(f)
		}
	}
}

// Forget deletes everything that the device remembers of the lessons.
func (a *Answers) Forget() {
	old := a.app.History.Present()
	a.Student = ""
	clear(a.Picked)
	clear(a.Drills)
	clear(a.Done)
	clear(a.Reached)
	clear(a.Judgments)
	for _, id := range a.classes {
		a.app.Browser.Remember(keptClass+id, "")
	}
	a.classes = nil
	a.capstone.draw(a.capstone.Seed)
	a.app.Browser.Remember(kept, "")
	a.app.History.Keep(old, "")
	a.app.Notices.Say("What this device remembered of the lessons is deleted.")
}

// Remembers says whether there is anything to delete.
func (a *Answers) Remembers() bool {
	return a.Student != "" || len(a.Picked) > 0 || len(a.Drills) > 0 || len(a.Done) > 0 || len(a.Reached) > 0 ||
		len(a.classes) > 0 || len(a.Judgments) > 0 || a.capstone.begun()
}
