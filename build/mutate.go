package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// gremlins is the tool that changes the code, a line at a time, and looks whether a test fails. It is run by its version and is in no
// go.mod: neither the product nor its tests need it.
const gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// enough is what a room's tests have to reach, in percent: of the changes that they run, those that they notice; of all changes, those
// that they run.
const enough = 95.0

// mutationDoc is where what came out is kept, with why the survivors live.
const mutationDoc = "docs/mutation.md"

// mutants is what gremlins writes of a room.
type mutants struct {
	Killed     int `json:"mutants_killed"`
	Lived      int `json:"mutants_lived"`
	NotCovered int `json:"mutants_not_covered"`
	Files      []struct {
		Name      string `json:"file_name"`
		Mutations []mutant
	}
}

type mutant struct {
	Type, Status string
	Line, Column int
}

// ofCase is a line with conditions of a case: they belong to no block that the cover tool counts, so gremlins runs none of their changes.
var ofCase = regexp.MustCompile(`^case |^[^{}"]*[^:]:$`)

// efficacy and coverage are percentages, 100 of nothing.
func (m *mutants) efficacy() float64 { return percent(m.Killed, m.Killed+m.Lived) }
func (m *mutants) coverage() float64 { return percent(m.Killed+m.Lived, m.Killed+m.Lived+m.NotCovered) }

func percent(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

// mutate runs the mutants of one room and writes what came out into mutationDoc. It fails where that is not enough, or where nobody has
// written down why a mutant lives.
func mutate(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("mutate", flag.ContinueOnError)
	from := fs.String("from", "", "take what gremlins wrote into this `file` instead of running it")
	if err := fs.Parse(args); err != nil || fs.NArg() != 1 {
		return usageError{"mutate: want one room, as core/share"}
	}
	room := path.Clean(filepath.ToSlash(fs.Arg(0)))
	if !p.exists(room) {
		return usageError{"mutate: there is no " + room}
	}
	file := *from
	if file == "" {
		out, err := os.CreateTemp("", "rankbox-mutants-*.json")
		if err != nil {
			return err
		}
		out.Close()
		defer os.Remove(out.Name())
		file = out.Name()
		// A worker at a time: two that share a machine find time-outs that are none. Rooms within the room are rooms of their own. With
		// --test-cpu this version gives go test a flag that it does not know, and takes every failure of that for a test's.
		c := exec.CommandContext(ctx, "go", "run", gremlins, "unleash", "--workers", "1", "--timeout-coefficient", "20", "-E", "/", "--output", file, "./"+room)
		c.Dir, c.Stdout, c.Stderr = p.root, p.log, p.log
		if err := c.Run(); err != nil {
			return err
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var m mutants
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	old, _ := os.ReadFile(p.path(mutationDoc)) // none at first
	doc, open, err := mutationText(string(old), room, &m, func(file string) (string, error) {
		source, err := os.ReadFile(p.path(path.Join(room, file)))
		return string(source), err
	})
	if err != nil {
		return err
	}
	if err := update(p.path(mutationDoc), []byte(doc)); err != nil {
		return err
	}
	p.say("%s: efficacy %.1f %%, coverage %.1f %%", room, m.efficacy(), m.coverage())
	switch {
	case m.efficacy() < enough || m.coverage() < enough:
		return fmt.Errorf("mutate: %s: efficacy %.1f %% and coverage %.1f %%, wanted are %.0f %% of each", room, m.efficacy(), m.coverage(), enough)
	case open > 0:
		return fmt.Errorf("mutate: %s: %d mutants live and %s does not say why", room, open, mutationDoc)
	}
	return nil
}

const mutationHead = `# Mutants

Written by ` + "`go run ./build mutate ROOM`" + `: [gremlins](https://github.com/go-gremlins/gremlins) v0.6.0 changes the code of a room, one place at a
time, and runs its tests. Efficacy is how many of the changes that a test runs make one fail, coverage how many of all changes a test runs.
At least 95 % of each is wanted, and a reason for each that lives; reasons are written here by hand, and kept as long as the line is.

`

const unexplained = "not looked at yet"

// mutationText writes the document anew with what came out of a room, whose counts lose the conditions of
// cases; open is how many of its survivors nobody has explained. Reasons stay
// with the file, the kind of change and the text of the line.
func mutationText(old, room string, m *mutants, source func(file string) (string, error)) (doc string, open int, err error) {
	sections := map[string]string{}
	for _, s := range strings.Split(old, "\n## ")[1:] {
		name, _, _ := strings.Cut(s, "\n")
		sections[name] = strings.TrimRight(s, "\n") + "\n"
	}
	why := map[string]string{}
	for line := range strings.Lines(sections[room]) {
		if cells := strings.Split(strings.TrimSpace(line), " | "); len(cells) == 4 {
			file, _, _ := strings.Cut(strings.TrimPrefix(cells[0], "| "), ":")
			why[file+cells[1]+cells[2]] = strings.TrimSuffix(cells[3], " |")
		}
	}
	var rows []string
	conditions := 0
	for _, f := range m.Files {
		text, err := source(f.Name)
		if err != nil {
			return "", 0, err
		}
		lines := strings.Split(text, "\n")
		for _, x := range f.Mutations {
			if x.Status != "LIVED" && x.Status != "NOT COVERED" {
				continue
			}
			if x.Line < 1 || x.Line > len(lines) {
				return "", 0, errors.New("mutate: " + f.Name + " has no line " + strconv.Itoa(x.Line) + ": it was changed meanwhile")
			}
			if x.Status == "NOT COVERED" && ofCase.MatchString(strings.TrimSpace(lines[x.Line-1])) {
				conditions++
				m.NotCovered--
				continue
			}
			kind := strings.ToLower(strings.ReplaceAll(x.Type, "_", " "))
			if x.Status == "NOT COVERED" {
				kind += ", not covered"
			}
			code := "`" + strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(lines[x.Line-1]), "|", "¦"), "`", "'") + "`"
			reason, ok := why[f.Name+kind+code]
			if !ok {
				reason = unexplained
			}
			if reason == unexplained {
				open++
			}
			rows = append(rows, fmt.Sprintf("| %s:%d:%d | %s | %s | %s |\n", f.Name, x.Line, x.Column, kind, code, reason))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%d killed, %d lived, %d not covered: efficacy %.1f %%, coverage %.1f %%; %d more are in conditions of a case, where gremlins runs none.\n",
		room, m.Killed, m.Lived, m.NotCovered, m.efficacy(), m.coverage(), conditions)
	if len(rows) > 0 {
		b.WriteString("\n| place | change | line | why it lives |\n|---|---|---|---|\n" + strings.Join(rows, ""))
	}
	sections[room] = b.String()
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
