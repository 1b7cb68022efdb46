package links

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestSite(t *testing.T) {
	const head = "<!doctype html>\n"
	other := map[string]string{
		"/search":            head + `<main id="top"></main>`,
		"/learn/ndcg":        head,
		"/assets/1/js/a.js":  "import '/nowhere'",
		"/assets/1/x.css":    "",
		"/assets/1/data.bin": "<a href=/nowhere>",
	}
	cases := []struct {
		name, page, want string // want is part of the one problem, or ""
		links            int
	}{
		{"a page that is there", `<a href="/search">`, "", 1},
		{"a page that is not", "\n<a\n class=x href='/searhc'>", `/:3: "/searhc": nothing is there`, 1},
		{"without quotes", `<a href=/searhc>`, "/searhc", 1},
		{"a file name is not an address", `<a href="/search.html">`, "nothing is there", 1},
		{"relative", `<a href="learn/ndcg">`, "", 1},
		{"a place", `<a href="/search#top">`, "", 1},
		{"no such place", `<a href="/search#bottom">`, "bottom", 1},
		{"a place on this page", `<p id=here></p><a href="#here">`, "", 1},
		{"no such place on this page", `<a href="#there">`, "there", 1},
		{"state is not a place", `<a href="/search#1.s=abc">`, "", 1},
		{"an escaped address", `<a href="/search?a=1&amp;b=2">`, "", 1},
		{"a script", `<script type=module src="/assets/1/js/b.js"></script>`, "/assets/1/js/b.js", 1},
		{"a style", `<link rel=stylesheet href="/assets/1/x.css">`, "", 1},
		{"several images", `<img srcset="/a.png 1x, /assets/1/data.bin 2x">`, "/a.png", 2},
		{"another site", `<a href="https://example.org/x">`, "", 1},
		{"another site without a scheme", `<a href="//example.org/x">`, "leads away", 1},
		{"a script as an address", `<a href="javascript:alert(1)">`, "javascript", 1},
		{"an inline script", `<script>run()</script>`, "inline <script>", 0},
		{"an inline module after text of several lines",
			"<script type=x>\n<a href=/no>\n</script>\n<script type=module>run()</script>", "/:5: an inline <script>",
			0},
		{"data", `<script type="application/json">{"a":"<a href=/nowhere>"}</script>`, "", 0},
		{"an inline style", `<style>a{}</style>`, "inline <style>", 0},
		{"a style attribute", `<p style="color:red">`, "style", 0},
		{"a handler", `<p onclick="x()">`, "onclick", 0},
		{"a comment", `<!-- <a href="/nowhere"> -->`, "", 0},
		{"markup in a field", `<textarea><a href="/nowhere"></textarea>`, "", 0},
		{"a slash for a space", `<a/href=/searhc>`, "/searhc", 1},
		{"an attribute twice, of which the first counts", `<a href="" href="/nowhere">`, "", 1},
		{"a script that is not closed", `<script>run()`, "inline <script>", 0},
		{"a sign in an attribute", `<a title="a > b" href="/searhc">`, "/searhc", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			files := map[string][]byte{"/": []byte(head + c.page)}
			for name, text := range other {
				files[name] = []byte(text)
			}
			problems, n := Site(files)
			if n != c.links {
				t.Errorf("%d links, want %d", n, c.links)
			}
			switch {
			case c.want == "" && len(problems) > 0:
				t.Errorf("problems %v", problems)
			case c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), c.want)):
				t.Errorf("problems %v, want %q", problems, c.want)
			}
		})
	}
}

func TestDocuments(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"a file", "[a](docs/b.md)", ""},
		{"no file", "one\n[a](docs/c.md)", `README.md:2: "docs/c.md": nothing is there`},
		{"a folder", "[a](docs)", ""},
		{"a heading", "[a](docs/b.md#what-is-ndcg10)", ""},
		{"the second of two headings", "[a](docs/b.md#twice-1)", ""},
		{"no heading", "[a](docs/b.md#thrice)", "thrice"},
		{"a heading of this file", "# Here\n[a](#here)", ""},
		{"no heading of this file", "[a](#here)", "here"},
		{"a heading in code is none", "```\n# Here\n```\n[a](#here)", "here"},
		{"an anchor", "<a class=x id='here'></a>\n[a](#here)", ""},
		{"an anchor in code is none", "`<script>` and `<a id=\"here\">`\n[a](#here)", "here"},
		{"an anchor in a comment is none", "<!-- <a id=\"here\"> -->\n[a](#here)", "here"},
		{"code", "```\n[a](no.md)\n```\n and `[b](no.md)`", ""},
		{"a reference", "[a][b]\n\n[b]: no.md", "no.md"},
		{"a title", `[a](no.md "title")`, "no.md"},
		{"an image", "![a](no.png)", "no.png"},
		{"another site", "[a](https://example.org)", ""},
		{"out of the repository", "[a](../x.md)", "outside"},
		{"from the root", "[a](/docs/b.md)", "relative"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			problems, _, err := Documents(fstest.MapFS{
				"README.md":           {Data: []byte(c.text)},
				"docs/b.md":           {Data: []byte("# What is `nDCG@10`?\n## Twice\n## Twice\n[up](../README.md)")},
				"node_modules/x/y.md": {Data: []byte("[a](no.md)")},
			}, func(dir string) bool { return dir == "node_modules" })
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case c.want == "" && len(problems) > 0:
				t.Errorf("problems %v", problems)
			case c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), c.want)):
				t.Errorf("problems %v, want %q", problems, c.want)
			}
		})
	}
}
