package slim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// entities is the file of the standard library with HTML's 2,231 named characters. The variable there is set when a
// program starts, so that the linker keeps the table wherever html is imported (Vugu does, for html.EscapeString). As a
// function it is kept only where html.UnescapeString is called, which no part of the page does: 1.5 % of the bytes
// after Brotli.
const entities = "src/html/entity.go"

var asFunction = [][2]string{
	{"import \"sync\"\n", ""},
	{"var entityMaps = sync.OnceValues(func() (", "func entityMaps() ("},
	{"\n\treturn entity, entity2\n})\n", "\n\treturn entity, entity2\n}\n"},
}

// settings is the package of the standard library that reads the environment's GODEBUG, counts where a setting changed
// what a program does, and finds the call that did by bisection. A browser has no environment: every setting is at its
// default, which is "", and nothing is counted. The package that says so is 1.5 % smaller after Brotli.
const settings = "src/internal/godebug/godebug.go"

// settingsAPI are the exported functions of it.
var settingsAPI = []string{"New", "Name", "Undocumented", "String", "IncNonDefault", "Value"}

const noSettings = `package godebug

type Setting struct{ name string }

func New(name string) *Setting { return &Setting{name} }

func (s *Setting) Name() string {
	if s.Undocumented() {
		return s.name[1:]
	}
	return s.name
}

func (s *Setting) Undocumented() bool { return s.name != "" && s.name[0] == '#' }

func (s *Setting) String() string { return s.Name() + "=" }

func (s *Setting) IncNonDefault() {}

func (s *Setting) Value() string { return "" }
`

// logs and tests are the packages of the standard library that the stemmers import, to say what they would never meet
// and to test themselves. What the two set when a program starts stays in it, with flag, runtime/trace and more behind
// them: 1 % of the npm package's search program after Brotli. In their place stand the functions that the stemmers
// call; a program that calls another is not compiled.
const (
	logs  = "src/log/log.go"
	tests = "src/testing/testing.go"
)

const plainLogs = `package log

import (
	"fmt"
	"os"
)

func Println(v ...any) { fmt.Fprintln(os.Stderr, v...) }

func Printf(format string, v ...any) { fmt.Fprintf(os.Stderr, format+"\n", v...) }

func Panicln(v ...any) { panic(fmt.Sprintln(v...)) }
`

const noTests = `package testing

type T struct{}

func (t *T) Errorf(format string, args ...any) {}
`

// instead replaces a file that defines what the other form does.
func instead(form string) func([]byte) ([]byte, error) {
	return func(text []byte) ([]byte, error) {
		if clause, _, _ := strings.Cut(form, "\n"); !bytes.Contains(text, []byte("\n"+clause+"\n")) {
			return nil, fmt.Errorf("there is no %s", clause)
		}
		return []byte(form), nil
	}
}

// Overlay writes into dir what go build -overlay takes, and returns its path: the files of the toolchain in goroot that
// programs for JavaScript are compiled with in another form, which does the same there. It is an error where a file
// is not as this package knows it.
func Overlay(goroot, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for name, change := range map[string]func([]byte) ([]byte, error){entities: tableOnDemand,
		settings: defaults, logs: instead(plainLogs), tests: instead(noTests)} {
		from, to := filepath.Join(goroot, filepath.FromSlash(name)), filepath.Join(dir, filepath.Base(name))
		text, err := os.ReadFile(from)
		if err != nil {
			return "", fmt.Errorf("slim: %w", err)
		}
		if text, err = change(text); err != nil {
			return "", fmt.Errorf("slim: %s: %w", from, err)
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return "", err
		}
		replace[from] = to
	}
	others, err := filepath.Glob(filepath.Join(goroot, filepath.FromSlash(filepath.Dir(tests)), "*.go"))
	if err != nil {
		return "", err
	}
	for _, file := range others {
		if filepath.Base(file) != filepath.Base(tests) && !strings.HasSuffix(file, "_test.go") {
			replace[file] = "" // not there
		}
	}
	index, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, index, 0o666)
}

func tableOnDemand(text []byte) ([]byte, error) {
	for _, change := range asFunction {
		if bytes.Count(text, []byte(change[0])) != 1 {
			return nil, errors.New("the table of entities is not laid out as that of Go 1.26")
		}
		text = bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
	}
	return text, nil
}

var exported = regexp.MustCompile(`(?m)^func (?:\(\w+ \*?\w+\) )?([A-Z]\w*)\(`)

func defaults(text []byte) ([]byte, error) {
	var have []string
	for _, m := range exported.FindAllSubmatch(text, -1) {
		if name := string(m[1]); name != "Write" { // of a type that is not exported
			have = append(have, name)
		}
	}
	if !slices.Equal(have, settingsAPI) {
		return nil, fmt.Errorf("it exports %q, and that of Go 1.26 %q", have, settingsAPI)
	}
	return []byte(noSettings), nil
}
