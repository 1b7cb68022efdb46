package main

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	stdhtml "html"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/teach/lesson"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
	"golang.org/x/net/html"
)

// A SCORM 1.2 package of a lesson is a zip for a course system: the lesson as it reads without the program, its
// exercises in several variants with the answers that core/teach/lesson computes, and a script that checks them and reports
// score and completion. It asks nothing of the site.

//go:embed scorm/scorm.js
var scormScript []byte

//go:embed scorm/scorm.css
var scormStyle []byte

// scormVariants is how many variants of an exercise a package has; each attempt draws one.
const scormVariants = 12

// scormCommand writes packages from the site as it was built last.
func scormCommand(_ context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("scorm", flag.ContinueOnError)
	out := fs.String("out", p.path(".cache/scorm"), "write the packages to this `folder`")
	site := fs.String("site", "", "`address` of the site, for the lesson's links; without it they are plain text")
	chosen := fs.String("lessons", "", "`names` of the lessons, with commas; default: all")
	open := fs.Bool("unpacked", false, "write folders instead of zips")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	config, err := p.netlify()
	if err != nil {
		return err
	}
	files, err := readTree(p.path(config.Publish))
	if err != nil {
		return err
	}
	set := &lesson.Set{}
	if data, ok := files["learn/lessons.bin"]; !ok || wire.Unmarshal(data, set) != nil {
		return fmt.Errorf("%s has no lessons: go run ./build site", config.Publish)
	}
	names := strings.Split(*chosen, ",")
	if *chosen == "" {
		names = nil
		for _, l := range set.Lessons {
			names = append(names, l.Name)
		}
	}
	for _, name := range names {
		l := set.Find(name)
		if l == nil {
			return usageError{fmt.Sprintf("there is no lesson %q", name)}
		}
		pack, err := scormPackage(l, files, strings.TrimSuffix(*site, "/"))
		if err != nil {
			return fmt.Errorf("lesson %s: %w", name, err)
		}
		if *open {
			err = writeTree(filepath.Join(*out, name), pack)
		} else {
			err = writeZip(filepath.Join(*out, "rankbox-"+name+".zip"), pack)
		}
		if err != nil {
			return err
		}
		p.say("  %s: %d files", name, len(pack))
	}
	return nil
}

// writeZip writes files into a zip whose bytes depend on them alone.
func writeZip(name string, files map[string][]byte) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, file := range sortedKeys(files) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: file, Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := w.Write(files[file]); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

// scormPackage is the files of a package, from those of the site.
func scormPackage(l *lesson.Lesson, files map[string][]byte, site string) (map[string][]byte, error) {
	page, ok := files["learn/"+l.Name+".html"]
	if !ok {
		return nil, errors.New("the site has no page of it")
	}
	exercises, asked := scormExercises(l)
	if len(exercises) == 0 {
		return nil, errors.New("it has no exercise whose answer is a number")
	}
	article, err := scormArticle(l.Name, page, asked, site)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(exercises)
	if err != nil {
		return nil, err
	}
	pack := map[string][]byte{"scorm.js": scormScript, "scorm.css": scormStyle}
	for name, b := range files {
		for _, folder := range []string{"css/rankbox.css", "fonts/"} {
			if i := strings.Index(name, "/"+folder); strings.HasPrefix(name, "assets/") && i > 0 &&
				slices.Contains([]string{".css", ".woff2"}, path.Ext(name)) {
				pack[name[i+1:]] = b
			}
		}
	}
	title := stdhtml.EscapeString(l.Title)
	pack["index.html"] = []byte(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>` + title + `</title>
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="css/rankbox.css">
<link rel="stylesheet" href="scorm.css">
</head>
<body>
<main>
` + article + `
<p id="scorm-note" role="status"></p>
</main>
<script type="application/json" id="exercises">` + string(data) + `</script>
<script src="scorm.js"></script>
</body>
</html>
`)
	pack["imsmanifest.xml"] = scormManifest(l, append(sortedKeys(pack), "imsmanifest.xml"))
	return pack, nil
}

// scormExercise is a variant of an exercise with all that a script says of answers.
type scormExercise struct {
	Question string        `json:"question"`
	Given    []string      `json:"given"`
	Options  []scormOption `json:"options"`
	Answer   float64       `json:"answer"`
	Right    string        `json:"right"`
	Other    string        `json:"other"`
	Wrong    []scormWrong  `json:"wrong"`
}

type scormOption struct {
	Text  string  `json:"text"`
	Value float64 `json:"value"`
}

type scormWrong struct {
	Value float64 `json:"value"`
	Says  string  `json:"says"`
}

// scormExercises are the variants of each exercise whose answer is a number, and whether each exercise of the page, in
// its order, is among them. One that asks for an order is left out.
func scormExercises(l *lesson.Lesson) (exercises [][]scormExercise, asked []bool) {
	for i, step := range l.Steps {
		for j, b := range step {
			if b.Kind != lesson.Drill {
				continue
			}
			var variants []scormExercise
			for n := 0; len(variants) < scormVariants && n < 4*scormVariants; n++ {
				seed := "scorm|" + screen.KeyOf(l.Name, i, j) + "|" + strconv.Itoa(n)
				e := lesson.Make(b.Name, b.Level, seed)
				if e == nil || e.Order != nil {
					continue
				}
				x := scormExercise{Question: e.Question, Given: append([]string{}, e.Given...),
					Options: []scormOption{}, Wrong: []scormWrong{}, Answer: e.Answer,
					Right: e.Says(lesson.Verdict{Right: true}), Other: e.Says(lesson.Verdict{})}
				if b.Level == 1 {
					for _, o := range e.Options {
						x.Options = append(x.Options, scormOption{e.Written(o), o})
					}
				}
				for _, m := range e.Wrong {
					x.Wrong = append(x.Wrong, scormWrong{m.Value, e.Says(lesson.Verdict{Mistake: m.Name})})
				}
				variants = append(variants, x)
			}
			asked = append(asked, len(variants) > 0)
			if len(variants) > 0 {
				exercises = append(exercises, variants)
			}
		}
	}
	return exercises, asked
}

// scormArticle is the lesson out of its page: without what is the teacher's or needs the program, with an empty section
// for each exercise that is asked.
func scormArticle(name string, page []byte, asked []bool, site string) (string, error) {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return "", err
	}
	var article *html.Node
	for n := range doc.Descendants() {
		if n.Data == "article" && hasClass(n, "lesson") {
			article = n
			break
		}
	}
	if article == nil {
		return "", errors.New("its page has no article")
	}
	drills := 0
	for _, n := range slices.Collect(article.Descendants()) {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case hasClass(n, "sheet"), hasClass(n, "no-print"), hasClass(n, "who"), attribute(n, "id") == "learn-next":
			n.Parent.RemoveChild(n)
		case hasClass(n, "drill"):
			if drills >= len(asked) || !asked[drills] {
				n.Parent.RemoveChild(n)
			} else {
				for n.FirstChild != nil {
					n.RemoveChild(n.FirstChild)
				}
				n.Attr = append(n.Attr, html.Attribute{Key: "data-exercise", Val: strconv.Itoa(drills)})
			}
			drills++
		case n.Data == "a" && attribute(n, "href") == "/learn": // "All lessons · "
			n.Parent.RemoveChild(n.NextSibling)
			n.Parent.RemoveChild(n)
		case n.Data == "a" && strings.HasPrefix(attribute(n, "href"), "/"):
			scormLink(n, site)
		case hasClass(n, "fig"):
			n.Parent.InsertBefore(scormStill(name, site), n)
		}
	}
	if drills != len(asked) {
		return "", fmt.Errorf("its page has %d exercises, the lesson %d", drills, len(asked))
	}
	var b bytes.Buffer
	err = html.Render(&b, article)
	return b.String(), err
}

// scormStill says that a figure does not move in the package, and where it does.
func scormStill(name, site string) *html.Node {
	p := &html.Node{Type: html.ElementNode, Data: "p", Attr: []html.Attribute{{Key: "class", Val: "small muted"}}}
	if site == "" {
		p.AppendChild(&html.Node{Type: html.TextNode, Data: "In this package the figure does not move."})
		return p
	}
	a := &html.Node{Type: html.ElementNode, Data: "a", Attr: []html.Attribute{{Key: "href", Val: "/learn/" + name}}}
	a.AppendChild(&html.Node{Type: html.TextNode, Data: "Move the figure on the page of this lesson"})
	scormLink(a, site)
	p.AppendChild(a)
	return p
}

// scormLink has a link of the site lead there in a tab of its own, or nowhere if the site is not known.
func scormLink(n *html.Node, site string) {
	href := attribute(n, "href")
	n.Attr = nil
	if site == "" {
		n.Data, n.DataAtom = "span", 0
		return
	}
	n.Attr = []html.Attribute{{Key: "href", Val: site + href}, {Key: "target", Val: "_blank"},
		{Key: "rel", Val: "noopener"}}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, name string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), name)
}

// scormManifest is imsmanifest.xml of SCORM 1.2: one item, which is the lesson.
func scormManifest(l *lesson.Lesson, files []string) []byte {
	text := func(s string) string {
		var b strings.Builder
		xml.EscapeText(&b, []byte(s))
		return b.String()
	}
	var list strings.Builder
	for _, f := range files {
		if f != "imsmanifest.xml" {
			list.WriteString("\n      <file href=\"" + text(f) + "\"/>")
		}
	}
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="rankbox-` + text(l.Name) + `" version="1.0"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
  xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="rankbox">
    <organization identifier="rankbox">
      <title>` + text(l.Title) + `</title>
      <item identifier="item" identifierref="lesson" isvisible="true">
        <title>` + text(l.Title) + `</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="lesson" type="webcontent" adlcp:scormtype="sco" href="index.html">` + list.String() + `
    </resource>
  </resources>
</manifest>
`)
}
