package main

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/build/static"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// page is what site/index.tmpl.html and the other templates of site/ are given.
type page struct {
	Path    string            // "/search"
	Version string            // as in config.js
	Wasm    string            // address of the program that is fetched ahead, "" for none
	Head    template.HTML     // title and description
	Headers []*screens.Screen // that the header names
	Body    template.HTML     // the page, rendered, and what the program that takes it over begins with
	After   template.HTML     // what stands below it and no program takes over
	Edge    string            // origin of the edge if it is another than the site's
}

// newPage returns what the template is given for a page. The state is a block of data: it has a type that no browser
// runs.
func newPage(r rendered) page {
	return page{
		Path: r.Path,
		Head: head(r),
		Body: template.HTML(r.Body + "\n" + `<script type="application/octet-stream" id="state">` +
			html.EscapeString(r.State) + "</script>"),
	}
}

// previews are the pictures that other sites show beside a link to this one, by how paths begin: each screen as it
// looks. `build pictures` takes them.
var previews = []struct{ path, file, alt string }{
	{"/search", "preview/search.jpg", "Four rankings of one query side by side, with grades and nDCG@10"},
	{"/judge", "preview/judge.jpg", "A document to judge, and the grades to give"},
	{"/evaluate", "preview/evaluate.jpg", "A board of systems with means, intervals and groups"},
	{"/check", "preview/evaluate.jpg", "A board of systems with means, intervals and groups"},
	{"/experiment", "preview/evaluate.jpg", "A board of systems with means, intervals and groups"},
	{"/learn", "preview/learn.jpg", "A lesson on a measure"},
	{"/play", "preview/play.jpg", "A ranking to move by hand, and the measures that follow"},
	{"/collections", "preview/collections.jpg", "Test collections, and your own documents"},
	{"", "preview/home.jpg", "Two rankings of one query side by side, with grades and nDCG@10"},
}

// previewFolder holds them.
const previewFolder = "preview/"

// head is the title, the description, and both again with a picture for sites that show a preview of a link. Those want
// a whole address, which the host of the site says in $URL.
func head(r rendered) template.HTML {
	title, description, origin := html.EscapeString(r.Title), html.EscapeString(r.Description),
		html.EscapeString(strings.TrimSuffix(os.Getenv("URL"), "/"))
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%s</title>\n<meta name=\"description\" content=\"%s\">", title, description)
	at := slices.IndexFunc(previews, func(v struct{ path, file, alt string }) bool {
		return strings.HasPrefix(r.Path, v.path)
	})
	picture := previews[at]
	for _, m := range [][2]string{
		{"type", "website"}, {"site_name", "Rankbox"}, {"title", title}, {"description", description},
		{"image", origin + "/" + picture.file}, {"image:width", "1200"}, {"image:height", "630"},
		{"image:alt", picture.alt},
	} {
		fmt.Fprintf(&b, "\n<meta property=\"og:%s\" content=\"%s\">", m[0], m[1])
	}
	if origin != "" {
		fmt.Fprintf(&b, "\n<meta property=\"og:url\" content=\"%s%s\">", origin, html.EscapeString(r.Path))
	}
	b.WriteString("\n<meta name=\"twitter:card\" content=\"summary_large_image\">")
	return template.HTML(b.String())
}

// templateFuncs are what the templates of pages ask for: the addresses, hashes and modules of the scripts and styles of
// s, and the addresses of files.
func templateFuncs(s *scriptSet, files map[string][]byte) template.FuncMap {
	return template.FuncMap{
		// asset "js/boot.js" is the address of a script, a style or a copied file.
		"asset": func(name string) (string, error) {
			if _, ok := s.own[name]; ok {
				return s.base + name, nil
			}
			if _, ok := files[name]; ok {
				return "/" + name, nil
			}
			return "", fmt.Errorf("there is no asset %q", name)
		},
		// integrity "js/boot.js" is what the browser holds a script or a style against before it uses it.
		"integrity": func(name string) (string, error) {
			data, ok := s.own[name]
			if !ok {
				return "", fmt.Errorf("there is no script or style %q", name)
			}
			return integrity(data), nil
		},
		// fonts are those of the site, for preload: they are optional in the styles, so one that comes late isn't used.
		"fonts": func() []string {
			return slices.DeleteFunc(sortedKeys(s.own), func(name string) bool { return path.Ext(name) != ".woff2" })
		},
		// modules "js/boot.js" are a script and everything that it needs, for modulepreload.
		"modules": func(name string) ([]string, error) {
			seen := []string{name}
			for i := 0; i < len(seen); i++ {
				script, ok := s.own[seen[i]]
				if !ok {
					return nil, fmt.Errorf("there is no script %q", seen[i])
				}
				for _, m := range staticImport.FindAllSubmatch(script, -1) {
					if to := path.Join(path.Dir(seen[i]), string(m[1])); !slices.Contains(seen, to) {
						seen = append(seen, to)
					}
				}
			}
			return seen, nil
		},
	}
}

// pages renders the page of every route through site/index.tmpl.html, the reference through site/reference.tmpl.html,
// and the other site/*.html as templates without a body.
func (p *project) pages(ctx context.Context, bundles []bundled, reference *manual, s *scriptSet,
	files map[string][]byte) error {
	funcs := templateFuncs(s, files)
	execute := func(source string, data page) ([]byte, error) {
		text, err := os.ReadFile(p.path(source))
		if err != nil {
			return nil, err
		}
		t, err := template.New(path.Base(source)).Funcs(funcs).Parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source, err)
		}
		data.Headers = screens.Headers()
		data.Edge = s.config.Edge
		row := screens.At(data.Path)
		if data.Version = s.version; row.Name != "compare" { // whose links have a smaller program first
			data.Wasm = s.config.Programs[string(row.Program)].URL
		}
		var out bytes.Buffer
		if err := t.Execute(&out, data); err != nil {
			return nil, fmt.Errorf("%s for %s: %w", source, data.Path, err)
		}
		return out.Bytes(), nil
	}
	list, err := p.prerender(ctx, s.version, bundles)
	if err != nil {
		return err
	}
	write := func(source string, r rendered, data page) (err error) {
		if static.Address(r.File) != r.Path {
			return fmt.Errorf("the page of %s is in the file %s, which has the address %s", r.Path, r.File,
				static.Address(r.File))
		}
		files[r.File], err = execute(source, data)
		return err
	}
	for _, r := range list {
		if len(r.Data) > 0 {
			files["learn/lessons.bin"] = r.Data
			set := &lesson.Set{}
			if err := wire.Unmarshal(r.Data, set); err != nil {
				return err
			}
			for i := range set.Lessons {
				files["learn/"+set.Lessons[i].Name+".md"] = []byte(set.Lessons[i].Markdown())
			}
		}
		data := newPage(r)
		if err := write("site/index.tmpl.html", r, data); err != nil {
			return err
		}
	}
	for _, r := range reference.Pages {
		if r.Path == "/pipeline" {
			var measured string
			if err := p.render(ctx, &measured, "presets", bundles[0].dir); err != nil {
				return err
			}
			r.Body += measured
		}
		if err := write("site/reference.tmpl.html", r,
			page{Path: r.Path, Head: head(r), Body: template.HTML(r.Body)}); err != nil {
			return err
		}
	}
	others, err := filepath.Glob(p.path("site/*.html"))
	if err != nil {
		return err
	}
	for _, file := range others {
		name := filepath.Base(file)
		if strings.HasSuffix(name, ".tmpl.html") {
			continue
		}
		if files[name], err = execute("site/"+name, page{Path: static.Address(name)}); err != nil {
			return err
		}
	}
	return nil
}
