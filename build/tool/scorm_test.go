package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/teach/lesson"
)

// builtLesson is a site with one lesson: a figure, an exercise that is chosen, one that asks for an order, and one
// that is typed.
func builtLesson() (*lesson.Lesson, map[string][]byte) {
	l := &lesson.Lesson{Head: lesson.Head{Name: "made", Title: `Gain & "loss"`}, Steps: [][]lesson.Block{
		{{Kind: lesson.Text}},
		{{Kind: lesson.Drill, Name: "ap", Level: 1}, {Kind: lesson.Drill, Name: "order", Level: 1},
			{Kind: lesson.Drill, Name: "recall", Level: 2}},
	}}
	page := `<!doctype html><body><header>no</header>
		<article class="lesson"><p><a href="/learn">All lessons</a> · <b>1</b></p>
		<section class="fig">still</section><p class="who">who</p><section class="drill"><p>old</p></section>
		<section class="drill">order</section><section class="drill">old</section>
		<p><a href="/search#q=1">real data</a> <a href="https://doi.example/1">source</a></p>
		<p id="learn-next">next</p><p class="no-print">P</p><section class="sheet print-only">key</section></article>`
	folder := "assets/0123456789abcdef/"
	files := map[string][]byte{"learn/made.html": []byte(page)}
	for _, name := range []string{"css/rankbox.css", "css/rankbox.css.br", "css/evaluate.css", "fonts/a.woff2"} {
		files[folder+name] = []byte(name)
	}
	return l, files
}

func TestALessonIsPacked(t *testing.T) {
	l, files := builtLesson()
	pack, err := scormPackage(l, files, "https://lab.example")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"css/rankbox.css", "fonts/a.woff2", "imsmanifest.xml", "index.html", "scorm.css", "scorm.js"}
	if got := sortedKeys(pack); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	page := string(pack["index.html"])
	for _, gone := range []string{"All lessons", ">who<", ">old<", ">order<", ">next<", ">P<", ">key<", "<header"} {
		if strings.Contains(page, gone) {
			t.Errorf("%q is left: %.2000s", gone, page)
		}
	}
	for _, there := range []string{`<section class="drill" data-exercise="0"></section>`,
		`data-exercise="2"`, `<a href="https://lab.example/search#q=1" target="_blank" rel="noopener">real data</a>`,
		`<a href="https://doi.example/1">source</a>`, `href="https://lab.example/learn/made"`,
		`<title>Gain &amp; &#34;loss&#34;</title>`} {
		if !strings.Contains(page, there) {
			t.Errorf("%q is not there: %.2000s", there, page)
		}
	}
	if pack, err = scormPackage(l, files, ""); err != nil ||
		!strings.Contains(string(pack["index.html"]), "<span>real data</span>") {
		t.Errorf("%v: a link leads nowhere without a site", err)
	}
	// the manifest is XML, names every other file once, and its one item is the page
	var m struct {
		Schema    string `xml:"metadata>schema"`
		Version   string `xml:"metadata>schemaversion"`
		Title     string `xml:"organizations>organization>item>title"`
		Resources []struct {
			Href  string `xml:"href,attr"`
			Type  string `xml:"scormtype,attr"`
			Files []struct {
				Href string `xml:"href,attr"`
			} `xml:"file"`
		} `xml:"resources>resource"`
	}
	if err := xml.Unmarshal(pack["imsmanifest.xml"], &m); err != nil {
		t.Fatal(err)
	}
	if m.Schema != "ADL SCORM" || m.Version != "1.2" || m.Title != `Gain & "loss"` || len(m.Resources) != 1 ||
		m.Resources[0].Href != "index.html" || m.Resources[0].Type != "sco" ||
		len(m.Resources[0].Files) != len(pack)-1 {
		t.Errorf("%+v", m)
	}
	delete(files, "learn/made.html")
	if _, err := scormPackage(l, files, ""); err == nil {
		t.Error("a lesson without a page is packed")
	}
}

// What the script checks against is what core/teach/lesson says: right, each known mistake, and neither.
func TestPackedExercisesAreTheLessons(t *testing.T) {
	l, files := builtLesson()
	pack, err := scormPackage(l, files, "")
	if err != nil {
		t.Fatal(err)
	}
	data := regexp.MustCompile(`(?s)id="exercises">(.*?)</script>`).FindSubmatch(pack["index.html"])[1]
	var exercises [][]scormExercise
	if err := json.Unmarshal(data, &exercises); err != nil || len(exercises) != 2 {
		t.Fatalf("%d exercises, %v", len(exercises), err)
	}
	for i, place := range []int{0, 2} {
		b := l.Steps[1][place]
		if len(exercises[i]) != scormVariants {
			t.Errorf("exercise %d has %d variants", i, len(exercises[i]))
		}
		if (len(exercises[i][0].Options) > 0) != (b.Level == 1) {
			t.Errorf("exercise %d: %+v", i, exercises[i][0].Options)
		}
		e := lesson.Make(b.Name, b.Level, "scorm|made.1."+[]string{"0", "", "2"}[place]+"|0")
		x := exercises[i][0]
		if !e.Check(x.Answer).Right || x.Question != e.Question || x.Right != e.Says(e.Check(x.Answer)) {
			t.Errorf("%+v, want %+v", x, e)
		}
		for _, w := range x.Wrong {
			if w.Says != e.Says(e.Check(w.Value)) {
				t.Errorf("%v: %q, want %q", w.Value, w.Says, e.Says(e.Check(w.Value)))
			}
		}
	}
}

func TestAZipDependsOnItsFilesAlone(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{"b.txt": []byte("b"), "a/a.txt": []byte("a")}
	var all [][]byte
	for _, name := range []string{"x/1.zip", "2.zip"} {
		if err := writeZip(filepath.Join(dir, name), files); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	z, err := zip.NewReader(bytes.NewReader(all[0]), int64(len(all[0])))
	if err != nil || len(z.File) != 2 || z.File[0].Name != "a/a.txt" || !bytes.Equal(all[0], all[1]) {
		t.Errorf("%v", err)
	}
}
