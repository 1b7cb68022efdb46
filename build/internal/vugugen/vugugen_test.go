package vugugen

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write makes a folder of a package "pages" with an external test, which makes the library guess "main".
func write(t *testing.T, template string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"run-table.vugu": template,
		"run-table.go": "package pages\n\nimport (\n\t\"strconv\"\n\tpaper \"example.org/ink\"\n)\n\ntype " +
			"RunTable struct{ Name string }\n",
		"example_test.go":  "package pages_test\n",
		"leftover_gen.go":  "package wrong\n",
		"inner/empty.txt":  "",
		"inner/a/row.vugu": "<li></li>",
		"a.vugu":           "<p></p>",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestDir(t *testing.T) {
	cases := []struct {
		name, template string
		has, hasNot    []string
	}{
		{
			"nothing of the added imports is used", "<p>Größe</p>",
			[]string{"package pages", "func (c *RunTable) Build(", "DO NOT EDIT", "Größe",
				`import "github.com/vugu/vugu"`},
			[]string{`"log"`, "vjson", "reflect", `"fmt"`, "js.Value", "unused"},
		},
		{
			"components", `<p><pages:Row></pages:Row><pages:Row></pages:Row></p>`,
			[]string{"vugu.MakeCompKey(0xD5E7678A13C22F9B^", "vugu.MakeCompKey(0xD5E7688A13C2314E^",
				"vgout, kept := dom.Begin(vgin, c)", "dom.Use(vgin, c, vgcompKey, vgcomp)"},
			[]string{"UseComponent", "&vugu.BuildOut"},
		},
		{
			"packages that the Go files import",
			`<p><paper:Sheet></paper:Sheet><b vg-content='strconv.Itoa(1)'></b></p>`,
			[]string{"import \"strconv\"\n", "import paper \"example.org/ink\"\n", "new(paper.Sheet)"}, nil,
		},
		{
			"a variable of the name of a package",
			`<ul><li vg-for='_, strconv := range c.All()' vg-content='strconv.Text()'></li></ul>`,
			nil, []string{`"strconv"`, "ink"},
		},
		{
			"a handler", `<p @click='c.Hear(event)'></p>`,
			[]string{"c.Hear(event)", `dom.On(vgn, "click"`}, []string{"TODO"},
		},
		{
			"nodes are calls, white space between lines is gone",
			"<div>\n\t<p class='a \"b\"' id=\"x\">one\ntwo</p>\n\t<svg viewBox=\"0 0 1 1\"></svg></div>",
			[]string{`dom.Element(vgparent, "", "p", "class\x00a \"b\"\x00id\x00x")`, `dom.Text(vgparent, "one\ntwo")`,
				`dom.Element(vgparent, "svg", "svg", "viewBox\x000 0 1 1")`},
			[]string{`\n\t"`},
		},
		{
			"fmt is used by an expression", `<p vg-content='fmt.Sprint(1)'></p>`,
			[]string{`import "fmt"`, "fmt.Sprint"}, []string{"fmt.Stringer", `"log"`},
		},
		{
			"log is used by the script",
			"<p></p><script type=\"application/x-go\">\nimport \"log\"\nfunc hear() { log.Print(1) }\n</script>",
			[]string{`import "log"`}, []string{"log.Logger", `"fmt"`},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, c.template)
			files, err := Dir(dir)
			if err != nil {
				t.Fatal(err)
			}
			text := files["run-table_gen.go"]
			if len(files) != 2 || text == nil {
				t.Fatalf("%d files", len(files))
			}
			for _, s := range c.has {
				if !bytes.Contains(text, []byte(s)) {
					t.Errorf("%q is missing in\n%s", s, text)
				}
			}
			for _, s := range c.hasNot {
				if bytes.Contains(text, []byte(s)) {
					t.Errorf("%q is in\n%s", s, text)
				}
			}
			if f, err := format.Source(text); err != nil || !bytes.Equal(f, text) {
				t.Errorf("not formatted (%v):\n%s", err, text)
			}
			again, err := Dir(dir)
			if err != nil || !bytes.Equal(again["run-table_gen.go"], text) {
				t.Errorf("a second run gives other bytes (%v)", err)
			}
		})
	}
}

func TestDirReportsTheTemplate(t *testing.T) {
	dir := write(t, `<div><p vg-if='1 +'></p></div>`)
	if _, err := Dir(dir); err == nil || !strings.Contains(err.Error(), "run-table.vugu") {
		t.Errorf("error %v", err)
	}
}

func TestDirs(t *testing.T) {
	dir := write(t, "<p></p>")
	got, err := Dirs(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{dir, filepath.Join(dir, "inner/a")}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, err := Dirs(filepath.Join(dir, "absent")); err != nil || got != nil {
		t.Errorf("an absent folder: %v, %v", got, err)
	}
}
