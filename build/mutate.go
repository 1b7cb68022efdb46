package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// gremlins is the tool that finds what can be changed in the code, and which of that a test runs. It is run by its
// version and is in no go.mod: neither the product nor its tests need it. The changes are made and tested in mutant.go:
// gremlins has no sample, copies the whole tree, and takes the conditions of a case and constants for code that no test
// runs.
const gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// enough is what a room's tests have to reach, in percent: of the changes that they run, those that they notice; of all
// changes, those that they run.
const enough = 95.0

// mutationDoc is the report, unless -o names another file. It is an artefact: nobody commits it.
const mutationDoc = ".cache/mutation.md"

// survivorsDoc says why mutants live. People write it, and it is committed.
const survivorsDoc = "build/survivors.md"

// What became of a mutant, in gremlins' words; runnable and notCovered are what it says of one that has not been run.
const (
	killed     = "KILLED"
	timedOut   = "TIMED OUT"
	lived      = "LIVED"
	notCovered = "NOT COVERED"
	notViable  = "NOT VIABLE"
	runnable   = "RUNNABLE"
)

// mutants are the changes to a room's code, or some of them, as gremlins writes them.
type mutants struct {
	Files []mutantFile `json:"files"`

	Seed  uint64 `json:"seed"`  // that they were drawn with
	Of    int    `json:"of"`    // how many there are, where these were drawn
	Drawn *tally `json:"drawn"` // what became of them when they were drawn, where they have been run again
	Tests string `json:"tests"` // hash of the room and its tests that they met; "" where they met several
}

type mutantFile struct {
	Name      string   `json:"file_name"`
	Mutations []mutant `json:"mutations"`
}

type mutant struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
	Turn   int    `json:"turn"`   // in the draw
	Run    bool   `json:"run"`    // its status is what became of it
}

// tally is what became of mutants. Killed contains the TimedOut.
type tally struct{ Killed, TimedOut, Lived, NotCovered, NotViable int }

func (m *mutants) tally() (t tally) {
	for _, f := range m.Files {
		for _, x := range f.Mutations {
			switch x.Status {
			case killed:
				t.Killed++
			case timedOut:
				t.Killed++
				t.TimedOut++
			case lived:
				t.Lived++
			case notCovered:
				t.NotCovered++
			case notViable:
				t.NotViable++
			}
		}
	}
	return t
}

func (m *mutants) len() (n int) {
	for _, f := range m.Files {
		n += len(f.Mutations)
	}
	return n
}

// efficacy and coverage are percentages, 100 of nothing.
func (t tally) efficacy() float64 { return percent(t.Killed, t.Killed+t.Lived) }
func (t tally) coverage() float64 { return percent(t.Killed+t.Lived, t.Killed+t.Lived+t.NotCovered) }

func percent(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

// wilson returns the 95 % score interval of n of so many, in percent (Wilson, JASA 1927).
func wilson(n, of int) (low, high float64) {
	if of == 0 {
		return 0, 100
	}
	const z = 1.959963984540054
	m := float64(of)
	p := float64(n) / m
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return 100 * max(0, mid-half), 100 * min(1, mid+half)
}

// once puts the mutants in order, for gremlins lists the files in another each time, and drops what it lists twice: a
// minus is arithmetic and a sign to it, with the same change.
func (m *mutants) once() {
	slices.SortFunc(m.Files, func(a, b mutantFile) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range m.Files {
		slices.SortFunc(f.Mutations, func(a, b mutant) int {
			return cmp.Or(a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Type, b.Type))
		})
	}
	for i, f := range m.Files {
		arithmetic := map[[2]int]bool{}
		for _, x := range f.Mutations {
			if x.Type == "ARITHMETIC_BASE" {
				arithmetic[[2]int{x.Line, x.Column}] = true
			}
		}
		m.Files[i].Mutations = slices.DeleteFunc(f.Mutations, func(x mutant) bool {
			return x.Type == "INVERT_NEGATIVES" && arithmetic[[2]int{x.Line, x.Column}]
		})
	}
}

// draw keeps n of the mutants, each as likely as any other, in their order, and gives each its turn: the order in which
// they were drawn, so that a larger n with the same seed begins with those of a smaller one.
func (m *mutants) draw(n int, seed uint64) {
	m.Of, m.Seed = m.len(), seed
	if n <= 0 || n >= m.Of {
		m.Of = 0
		return
	}
	keep := map[int]bool{}
	turn := map[int]int{}
	for k, i := range rand.New(rand.NewPCG(seed, 0)).Perm(m.Of)[:n] {
		keep[i] = true
		turn[i] = k
	}
	i := 0
	for _, f := range m.Files {
		for k := range f.Mutations {
			f.Mutations[k].Turn = turn[i]
			i++
		}
	}
	i = -1
	for k := range m.Files {
		m.Files[k].Mutations = slices.DeleteFunc(m.Files[k].Mutations, func(mutant) bool { i++; return !keep[i] })
	}
	m.Files = slices.DeleteFunc(m.Files, func(f mutantFile) bool { return len(f.Mutations) == 0 })
}

// again keeps what came out, and has those run that were not noticed.
func (m *mutants) again() {
	if m.Drawn == nil {
		t := m.tally()
		m.Drawn = &t
	}
	m.Tests = ""
	for _, f := range m.Files {
		for i, x := range f.Mutations {
			f.Mutations[i].Run = x.Status != lived && x.Status != notCovered
		}
	}
}

// known takes over what became of the same mutants when they met the same tests.
func (m *mutants) known(last *mutants) {
	type place struct {
		file, kind   string
		line, column int
	}
	status := map[place]string{}
	for _, f := range last.Files {
		for _, x := range f.Mutations {
			if x.Run {
				status[place{f.Name, x.Type, x.Line, x.Column}] = x.Status
			}
		}
	}
	for _, f := range m.Files {
		for i, x := range f.Mutations {
			if s, ok := status[place{f.Name, x.Type, x.Line, x.Column}]; ok {
				f.Mutations[i].Status, f.Mutations[i].Run = s, true
			}
		}
	}
}

// save writes mutants with what became of them so far.
func save(file string, m *mutants) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// mutate runs mutants of one room and writes a report. It fails if the tests notice too few, or if survivorsDoc does
// not say why a mutant lives. What was interrupted goes on where it was, as long as neither the room nor its tests have
// changed.
func mutate(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("mutate", flag.ContinueOnError)
	sample := fs.Int("sample", 0, "run `n` changes that are drawn at random; 0 runs all")
	seed := fs.Uint64("seed", 1, "what they are drawn with")
	workers := fs.Int("workers", 1, "how many to run at once")
	again := fs.Bool("again", false, "run only those again that lived the last time")
	out := fs.String("o", p.path(mutationDoc), "write the report to this `file`")
	if err := fs.Parse(args); err != nil || fs.NArg() != 1 {
		return usageError{"mutate: want one room, as core/share"}
	}
	room := path.Clean(filepath.ToSlash(fs.Arg(0)))
	if !p.exists(room) {
		return usageError{"mutate: there is no " + room}
	}
	file := p.path(".cache/mutants/" + strings.ReplaceAll(room, "/", "-") + ".json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	var m, last mutants
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &last); err != nil {
			return err
		}
	} else if *again {
		return err
	}
	if *again {
		m = last
		m.again()
	} else {
		found := file + ".found"
		defer os.Remove(found)
		// Rooms within the room are rooms of their own.
		c := exec.CommandContext(ctx, "go", "run", gremlins, "unleash", "--dry-run", "--silent", "--exclude-files", "/",
			"--output", found, "./"+room)
		c.Dir, c.Stdout, c.Stderr = p.root, p.log, p.log
		if err := c.Run(); err != nil {
			return err
		}
		text, err := os.ReadFile(found)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return err
		}
		m.once()
		m.draw(*sample, *seed)
	}
	if err := runMutants(ctx, p, room, &m, &last, *workers, func() error { return save(file, &m) }); err != nil {
		return err
	}
	old, _ := os.ReadFile(*out) // none at first
	explained, err := os.ReadFile(p.path(survivorsDoc))
	if err != nil {
		return err
	}
	doc, open, err := mutationText(explain(string(old), string(explained)), room, &m,
		func(file string) (string, error) {
			source, err := os.ReadFile(p.path(path.Join(room, file)))
			return string(source), err
		})
	if err != nil {
		return err
	}
	if err := update(*out, []byte(doc)); err != nil {
		return err
	}
	t := m.tally()
	p.say("%s: efficacy %.1f %%, coverage %.1f %%", room, t.efficacy(), t.coverage())
	switch {
	case t.efficacy() < enough || t.coverage() < enough:
		return fmt.Errorf("mutate: %s: efficacy %.1f %% and coverage %.1f %%, wanted are %.0f %% of each", room,
			t.efficacy(), t.coverage(), enough)
	case open > 0:
		return fmt.Errorf("mutate: %s: %d mutants live and %s does not say why", room, open, survivorsDoc)
	}
	return nil
}

const mutationHead = `# Mutants

Written by ` + "`go run ./build mutate ROOM`" +
	`: [gremlins](https://github.com/go-gremlins/gremlins) v0.6.0 lists what can be changed in the code
of a room (a bound, a comparison, a sign, an operator), and each change is compiled and meets the tests of the room, alone. Efficacy is how
many of the changes that a test runs make one fail, coverage how many of all changes a test runs. At least 95 % of each is wanted, and a
reason for each that lives, written by hand in build/survivors.md. A large room is sampled (` + "`-sample N -seed S`" +
	`):
every change is as likely to be drawn as any other, and the interval is Wilson's, of 95 %. What a time-out ends counts as killed. What does
not compile counts nowhere. After tests were added, ` + "`-again`" +
	` runs what lived once more; that says what became of those that were drawn,
and no longer what all the others would do, so the percentages stay those of the draw.

`

// explain adds the rows of survivorsDoc to the sections of an earlier report, whose own rows they replace.
func explain(report, explained string) string {
	head, sections, names := report, map[string]string{}, []string{}
	if at := strings.Index(report, "\n## "); at >= 0 {
		head = report[:at]
	}
	for _, text := range []string{report, explained} {
		for _, s := range strings.Split(text, "\n## ")[1:] {
			name, body, _ := strings.Cut(s, "\n")
			if sections[name] == "" {
				names = append(names, name)
			}
			sections[name] += body + "\n"
		}
	}
	for _, name := range names {
		head += "\n## " + name + "\n" + sections[name]
	}
	return head
}

const unexplained = "not looked at yet"

// mutationText writes the document anew with what came out of a room; open is how many of its survivors nobody has
// explained. Reasons stay with the file, the kind of change and the text of the line, also those of earlier samples.
func mutationText(old, room string, m *mutants, source func(file string) (string, error)) (doc string, open int,
	err error) {
	sections := map[string]string{}
	for _, s := range strings.Split(old, "\n## ")[1:] {
		name, _, _ := strings.Cut(s, "\n")
		sections[name] = strings.TrimRight(s, "\n") + "\n"
	}
	order, rows := reasons(sections[room])
	seen := map[string]bool{} // what has been run now, whether it lives or not
	var lines []string
	for _, f := range m.Files {
		text, err := source(f.Name)
		if err != nil {
			return "", 0, err
		}
		code := strings.Split(text, "\n")
		for _, x := range f.Mutations {
			if x.Line < 1 || x.Line > len(code) {
				return "", 0, errors.New("mutate: " + f.Name + " has no line " + strconv.Itoa(x.Line) +
					": it was changed meanwhile")
			}
			kind := strings.ToLower(strings.ReplaceAll(x.Type, "_", " "))
			shown := inCell(code[x.Line-1])
			if x.Status != lived && x.Status != notCovered {
				seen[f.Name+" | "+kind+" | "+shown] = true
				seen[f.Name+" | "+kind+", not covered | "+shown] = true
				continue
			}
			if x.Status == notCovered {
				kind += ", not covered"
			}
			key := f.Name + " | " + kind + " | " + shown
			seen[key] = true
			reason := unexplained
			if r, ok := rows[key]; ok {
				reason = r.reason
			}
			if reason == unexplained {
				open++
			}
			lines = append(lines, fmt.Sprintf("| %s:%d:%d | %s | %s | %s |\n", f.Name, x.Line, x.Column, kind, shown,
				reason))
		}
	}
	var earlier []string
	for _, key := range order {
		cells := strings.Split(key, " | ")
		if text, err := source(cells[0]); m.Of > 0 && !seen[key] && err == nil && stillThere(text, cells[2]) {
			earlier = append(earlier, fmt.Sprintf("| %s | %s | %s | %s |\n", rows[key].place, cells[1], cells[2],
				rows[key].reason))
		}
	}
	const table = "| place | change | line | why it lives |\n|---|---|---|---|\n"
	text := room + "\n\n" + outcome(m)
	if len(lines) > 0 {
		text += "\n" + table + strings.Join(lines, "")
	}
	if len(earlier) > 0 {
		text += "\nOf earlier samples:\n\n" + table + strings.Join(earlier, "")
	}
	sections[room] = text
	doc = mutationHead
	var all []string
	for name := range sections {
		all = append(all, name)
	}
	slices.Sort(all)
	for i, name := range all {
		if i > 0 {
			doc += "\n"
		}
		doc += "## " + sections[name]
	}
	return doc, open, nil
}

// row is what the document says of a mutant.
type row struct{ place, reason string }

// reasons reads the rows of a room's section, by file, kind of change and line, and their order.
func reasons(section string) (order []string, rows map[string]row) {
	rows = map[string]row{}
	for line := range strings.Lines(section) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); len(cells) == 4 && cells[1] != "change" {
			place := strings.TrimPrefix(cells[0], "| ")
			file, _, _ := strings.Cut(place, ":")
			key := file + " | " + cells[1] + " | " + cells[2]
			if _, known := rows[key]; known {
				rows[key] = row{place, strings.TrimSuffix(cells[3], " |")}
				continue
			}
			rows[key] = row{place, strings.TrimSuffix(cells[3], " |")}
			order = append(order, key)
		}
	}
	return order, rows
}

// inCell is a line of the source as a cell of a table shows it.
func inCell(line string) string {
	return "`" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(line), "|", "¦"), "`", "'") + "`"
}

// stillThere says whether a line of the document is one of the source.
func stillThere(source, shown string) bool {
	for line := range strings.Lines(source) {
		if inCell(line) == shown {
			return true
		}
	}
	return false
}

// outcome says what came out, in one paragraph.
func outcome(m *mutants) string {
	t, now := m.tally(), m.tally()
	if m.Drawn != nil {
		t = *m.Drawn
	}
	of := func(n, all int) string {
		s := fmt.Sprintf("%.1f %%", percent(n, all))
		if m.Of > 0 {
			low, high := wilson(n, all)
			s += fmt.Sprintf(" (95 %% interval %.1f to %.1f %%)", low, high)
		}
		return s
	}
	s := fmt.Sprintf("All %d changes: ", m.len())
	if m.Of > 0 {
		s = fmt.Sprintf("A sample, %d of %d changes, drawn with seed %d: ", m.len(), m.Of, m.Seed)
	}
	s += fmt.Sprintf("%d killed (%d by a time-out), %d lived, %d not covered, %d did not compile. Efficacy %s, "+
		"coverage %s.", t.Killed, t.TimedOut, t.Lived, t.NotCovered,
		t.NotViable, of(t.Killed, t.Killed+t.Lived), of(t.Killed+t.Lived, t.Killed+t.Lived+t.NotCovered))
	if noticed := now.Killed - t.Killed; noticed > 0 {
		s += fmt.Sprintf(" Tests that were added since notice %d of the %d that lived or were not covered.", noticed,
			t.Lived+t.NotCovered)
	}
	return s + "\n"
}
