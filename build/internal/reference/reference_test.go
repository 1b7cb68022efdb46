package reference

import (
	"encoding/json"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/build/internal/links"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

// entry finds an entry by its address.
func entry(t *testing.T, pages []Page, address string) *Entry {
	t.Helper()
	for _, p := range pages {
		for _, c := range p.Chapters {
			for i := range c.Entries {
				if p.Path+"#"+c.Entries[i].ID == address {
					return &c.Entries[i]
				}
			}
		}
	}
	t.Errorf("there is no %s", address)
	return &Entry{}
}

// Everything that is registered has an entry at the address that the page's terms lead to, with all that the registry
// says of it, in the document and on the page of the site.
func TestEverythingRegisteredHasAnEntry(t *testing.T) {
	pages := Pages()
	document, site := map[string]string{}, map[string]string{}
	for i := range pages {
		document[pages[i].Path], site[pages[i].Path] = pages[i].Markdown(), pages[i].HTML(pages)
	}
	check := func(address string, said ...string) {
		t.Helper()
		entry(t, pages, address)
		path, id, _ := strings.Cut(address, "#")
		if n := strings.Count(site[path], `<article class="entry" id="`+id+`">`); n != 1 {
			t.Errorf("%s: %d articles", address, n)
		}
		_, section, _ := strings.Cut(site[path], `<article class="entry" id="`+id+`">`)
		section, _, _ = strings.Cut(section, "</article>")
		for _, s := range said {
			if want := (Text{{Plain, s}}).html(); s == "" || !strings.Contains(section, want) {
				t.Errorf("%s: its article does not say %q", address, s)
			}
			if !strings.Contains(document[path], markdown(s)) && !strings.Contains(document[path], codeSpan(s)) {
				t.Errorf("%s: the document does not say %q", address, s)
			}
		}
	}
	for _, in := range measure.All() {
		said := append([]string{in.Brief, in.Reference, in.Range()}, in.Notes...)
		for i := range in.Params {
			said = append(said, in.Params[i].Doc+"; "+in.Params[i].Usual())
		}
		for _, a := range in.Aliases {
			said = append(said, a.Name)
		}
		check("/measures#"+in.Name, said...)
		e := entry(t, pages, "/measures#"+in.Name)
		if e.Formula != in.Formula || !strings.Contains(e.fact("Example"), in.Example.Working) ||
			!strings.HasPrefix(e.fact("Example"), in.Example.Measure+" of ") {
			t.Errorf("%s: formula %q, example %q", in.Name, e.Formula, e.fact("Example"))
		}
	}
	for _, s := range measure.Switches() {
		check("/measures#policy-"+s.Name, append([]string{s.Title}, s.Options...)...)
	}
	for _, c := range measure.Conventions() {
		check("/measures#as-"+strings.ReplaceAll(c.Name, " ", "-"), c.Doc, c.Version)
	}
	for _, x := range measure.Terms() {
		check("/measures#"+x.Name, x.Title, x.Brief, x.Use, x.Reference)
	}
	for _, x := range significance.All() {
		check("/tests#"+x.Name, x.Title, x.Assumes, x.Use, x.Reference)
	}
	for _, x := range significance.Corrections() {
		check("/tests#"+x.Name, x.Title, x.Controls, x.Reference)
	}
	for _, x := range significance.Terms() {
		check("/tests#"+x.Name, x.Title, x.Brief)
	}
	for _, s := range stage.All() {
		check("/pipeline#"+s.Name, s.Usage(), s.Doc, s.Source)
		for i := range s.Params {
			check("/pipeline#"+s.Name, s.Params[i].Doc)
		}
	}
	for _, name := range text.Names() {
		a, _ := text.Describe(name)
		check("/analyzers#"+slug(name), a.Summary, a.Pipeline)
	}
	for _, f := range chart.All() {
		said := []string{f.Title, f.Doc}
		if f.Needs != "" {
			said = append(said, f.Needs)
		}
		check("/figures#"+f.Name, said...)
	}
	for _, f := range chart.Formats() {
		check("/figures#format-"+f.Name, upper(f.Doc))
	}
}

// Ids are unique, links within the reference lead to something, and nothing would run.
func TestPagesAreSound(t *testing.T) {
	pages := Pages()
	files := map[string][]byte{}
	for i := range pages {
		body := pages[i].HTML(pages)
		files[pages[i].Path] = []byte("<!doctype html>" + body)
		for _, bad := range []string{"<script", "<style", "<form", "<iframe", " style=", "javascript:"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s holds %s", pages[i].Path, bad)
			}
		}
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(body, -1) {
			if seen[m[1]] || m[1] == "" || strings.ContainsAny(m[1], " =&\t") {
				t.Errorf("%s: id %q", pages[i].Path, m[1])
			}
			seen[m[1]] = true
		}
		if n := strings.Count(body, "<h1>"); n != 1 {
			t.Errorf("%s: %d headings of the first order", pages[i].Path, n)
		}
	}
	if problems, n := links.Site(files); len(problems) > 0 || n < 200 {
		t.Errorf("%d links, problems: %v", n, problems)
	}
}

// Characters that mean something in HTML or Markdown stay characters, wherever they stand.
func TestHostileCharacters(t *testing.T) {
	const bad = "<script>alert(1)</script>\"'&<img src=x onerror=alert(1)>"
	all := []Page{{
		Path: "/x\"><script>", Doc: "docs/x.md", Title: bad, Description: bad, Intro: []Text{plain(bad),
			code(bad)}, Sample: bad,
		Chapters: []Chapter{{ID: bad, Title: bad, Intro: plain(bad), Entries: []Entry{
			{ID: bad, Name: bad, Title: bad, Usage: bad, Brief: bad, Formula: bad + "; " + bad, Facts: []Fact{
				{Label: bad, Items: []Text{plain(bad), code(bad), {{Grade, bad}}, {{Grade, "-" + bad}}, {{Work, bad}}}},
				{Label: bad, List: true, Items: []Text{plain(bad)}},
			}},
			{ID: "b", Title: bad, Brief: bad}, {ID: "c", Name: bad, Brief: bad}, {ID: "d", Name: bad, Title: bad,
				ByTitle: true, Brief: bad},
		}}},
	}}
	body := all[0].HTML(all)
	if strings.Contains(body, "<script") || strings.Contains(body, "<img") {
		t.Errorf("markup came through:\n%s", body)
	}
	// no attribute ends early: what is left of tags when attributes are cut out holds no quote
	for _, tag := range regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(body, -1) {
		if rest := regexp.MustCompile(` [a-z-]+="[^"<>]*"`).ReplaceAllString(tag,
			""); !regexp.MustCompile(`^<[a-z0-9]+>$`).MatchString(rest) {
			t.Errorf("tag %s", tag)
		}
	}
	if doc := all[0].Markdown(); strings.Contains(
		regexp.MustCompile("(?s)```.*?```|`[^`\n]*`|\n    [^\n]*").ReplaceAllString(doc, ""), "<script") {
		t.Errorf("markup came through:\n%s", doc)
	}
	data, err := Terms(all)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]Term
	if err := json.Unmarshal(data, &back); err != nil || back[all[0].Path+"#"+bad].Brief != bad {
		t.Errorf("%v: %s", err, data)
	}
}

// written writes what the script builds of a piece of a formula, its attributes in the order of the alphabet.
func written(b *strings.Builder, piece any) {
	p, ok := piece.([]any)
	if !ok {
		b.WriteString(piece.(string))
		return
	}
	b.WriteString("<" + p[0].(string))
	kids := p[1:]
	if len(kids) > 0 {
		if attributes, ok := kids[0].(map[string]any); ok {
			kids = kids[1:]
			for _, k := range slices.Sorted(maps.Keys(attributes)) {
				b.WriteString(" " + k + `="` + attributes[k].(string) + `"`)
			}
		}
	}
	b.WriteString(">")
	for _, k := range kids {
		written(b, k)
	}
	if p[0] != "wbr" {
		b.WriteString("</" + p[0].(string) + ">")
	}
}

// Terms tell of every entry what their reader in the browser expects.
func TestTerms(t *testing.T) {
	pages := Pages()
	data, err := Terms(pages)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]Term
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range pages {
		for _, c := range p.Chapters {
			for _, e := range c.Entries {
				n++
				x := all[p.Path+"#"+e.ID]
				if x.Brief != e.Brief || x.Name+x.Title == "" || (e.Formula != "") != (len(x.Formula) > 0) {
					t.Errorf("%s#%s: %+v", p.Path, e.ID, x)
				}
				for i, line := range x.Formula {
					var set strings.Builder
					for _, piece := range line {
						written(&set, piece)
					}
					if want := html.UnescapeString(mathML(clauses(e.Formula)[i])); set.String() != want {
						t.Errorf("%s#%s: %s\nwant %s", p.Path, e.ID, set.String(), want)
					}
				}
			}
		}
	}
	if len(all) != n || n < 100 {
		t.Errorf("%d terms of %d entries", len(all), n)
	}
	if x := all["/measures#nDCG"]; x.Name != "nDCG" || x.Title != "nDCG" && !strings.HasPrefix(x.Title, "Normalised") ||
		x.Facts[0] != [2]string{"Range", "0 to 1"} {
		t.Errorf("nDCG: %+v", x)
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct{ name, formula, html string }{
		{"power in parentheses", "RBP = (1 - p) sum over ranks i of gain(i) p^(i-1)",
			"RBP = (1 − p) sum over ranks i of gain(i) p<sup>i−1</sup>"},
		{"power of a word", "s(i) = (2^grade - 1) / 2^max_rel", "s(i) = (2<sup>grade</sup> − 1) / 2<sup>max_rel</sup>"},
		{"power of a parenthesis", "((i + 1) / i)^2 x", "((i + 1) / i)<sup>2</sup> x"},
		{"nested power", "x^(a(b)-1) + 1", "x<sup>a(b)−1</sup> + 1"},
		{"logarithm", "1 / log2(i + 1), log2x", "1 / log<sub>2</sub>(i + 1), log2x"},
		{"signs", "i <= k, a >= b, 2 x 3, a * b", "i ≤ k, a ≥ b, 2 × 3, a · b"},
		{"hyphens of words", "non-relevant sub-topics -1 x-1", "non-relevant sub-topics −1 x−1"},
		{"markup", "a < b & c > d", "a &lt; b &amp; c &gt; d"},
		{"no power", "a^ b ^() ^(", "a^ b ^() ^("},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := set(c.formula); got != c.html {
				t.Errorf("%s\n%s", got, c.html)
			}
		})
	}
	if got := clauses("a (b; c) = d; e; f;g"); strings.Join(got, "|") != "a (b; c) = d|e|f;g" {
		t.Errorf("%q", got)
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{"ideal gain": "Ideal gain", "nDCG of it": "nDCG of it", "τ_AP": "τ_AP",
		"öde": "Öde", "P": "P"} {
		if got := upper(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := slug("trec_eval 9 (c) <x>"); got != "trec_eval-9-c-x" {
		t.Error(got)
	}
	if got := markdown("a_b _c_ <d> *e* [f]"); got != `a_b \_c\_ &lt;d> \*e\* \[f]` {
		t.Error(got)
	}
}
