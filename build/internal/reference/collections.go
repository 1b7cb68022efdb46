package reference

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// Collections describes the public test collections. It is a document alone: the site shows them in another form.
func Collections() Page {
	p := Page{
		Doc: "docs/collections.md", Title: "Collections",
		Intro: []Text{
			{{Plain, "Public test collections with names that every command accepts. "}, {Code, "rankbox fetch NAME"},
				{Plain, " downloads one. After that "}, {Code, "NAME"},
				{Plain, " works like a folder in every command: "}, {Code, "search"}, {Plain, ", "}, {Code, "run"},
				{Plain, ", "}, {Code, "tune"}, {Plain, ", "}, {Code, "explain"}, {Plain, ", "},
				{Code, "index"}, {Plain, ". In place of a file of judgments, as in "}, {Code, "eval"}, {Plain, " and "},
				{Code, "compare"}, {Plain, ", it means the judgments. " +
					"A file or folder of that name takes precedence, with a warning. Nothing is downloaded without " +
					"asking: a missing collection is an error (exit code 3) that shows the command to fetch it."}},
			{{Plain, "A file is opened only if its size and MD5 match the recipe. The next call continues an " +
				"interrupted download. "}, {Code, "-from"},
				{Plain, " takes a file, a folder or another URL, with the same checks; "}, {Code, "-o FOLDER"},
				{Plain, " also writes the collection in BEIR's layout. Files lie in the user's cache ("},
				{Code, "~/.cache/rankbox"}, {Plain, " on Linux), or in "}, {Code, "RANKBOX_CACHE"},
				{Plain, "; several processes can share it. "}, {Code, "HTTP_PROXY"}, {Plain, ", "},
				{Code, "HTTPS_PROXY"},
				{Plain, " and "}, {Code, "NO_PROXY"},
				{Plain, " apply. The page itself downloads only from its own site."}},
			{{Code, "rankbox published NAME"},
				{Plain, " measures BM25, BM25 with titles counted twice, RM3, and with "}, {Code, "-vectors FOLDER"},
				{Plain, " every model and its fusion with BM25, beside the published figures. A figure that is " +
					"more than ±"}, {Plain, strconv.FormatFloat(recipe.Tolerance, 'f', -1, 64)},
				{Plain, " away without a known reason is flagged, and with "}, {Code, "-gate"}, {Plain,
					" the exit code is 1. ("}, {Code, "compare reproduce"}, {Plain,
					" does something else: it compares runs with stored runs of the same names.) Without "},
				{Code, "NAME"},
				{Plain, ", "}, {Code, "-at"},
				{Plain, " is a folder of collections and the output a page: docs/reproduce.md."}},
			{{Code, "go run ./build site -collections scifact,nfcorpus"},
				{Plain, " adds collections to the demo, downloads missing ones, and writes "},
				{Code, "collections.json"},
				{Plain, ", the index of all of them. A collection whose source states no licence needs "},
				{Code, "-any-licence"}, {Plain, "; "}, {Code, "-budget"}, {Plain, " bounds their bytes together. "},
				{Code, "-vectors FOLDER"},
				{Plain, " adds the vectors that scripts/embed made, in FOLDER/NAME/MODEL."}},
			{{Plain, "An English collection or a folder without vectors gets those of the static encoder, which the " +
				"page and its figures call static MiniLM: 264 bytes a document, fetched when a dense system is asked " +
				"for. It opens with lexical systems. The static encoder approximates all-MiniLM-L6-v2 and ranks " +
				"below it: nDCG@10 on SciFact is 0.5011, by the model's own vectors 0.6451, by BM25 0.6789. The " +
				"content hash covers vectors. To recompute figures of such a collection in a terminal, give "},
				{Code, "rankbox"}, {Plain, " the folder of its "}, {Code, "manifest.json"},
				{Plain, " on the site instead of its name. Judged queries have their vectors there; typed ones " +
					"are encoded on the page alone."}},
		},
		Sample: "rankbox fetch scifact\nrankbox search scifact -s bm25 -k 1000 > bm25.run\nrankbox eval scifact " +
			"bm25.run nDCG@10 R@100\nrankbox published scifact",
	}
	known := Chapter{ID: "chapter-collections", Title: "Known collections",
		Intro: plain("Sizes and checksums come from the catalogue of ir_datasets. Licences are quoted from their " +
			"sources: read the source before you publish a collection.")}
	for _, r := range recipe.All() {
		known.Entries = append(known.Entries, collectionEntry(r))
	}
	keys := Chapter{ID: "chapter-recipes", Title: "Recipes",
		Intro: Text{{Plain, "A collection is one file in "}, {Code, "core/retrieve/recipe/recipes"},
			{Plain, ", or in the folder that "}, {Code, "RANKBOX_RECIPES"},
			{Plain, " names, whose recipes take precedence. It has lines of "}, {Code, "key: value"},
			{Plain, ". A line that begins with a space continues the one before it; one that begins with "},
			{Code, "#"}, {Plain, " is a comment."}}}
	for _, k := range recipe.Keys() {
		brief := k.Doc
		if !k.Must {
			brief += " Optional."
		}
		if k.Many {
			brief += " Repeatable."
		}
		keys.Entries = append(keys.Entries, Entry{ID: "key-" + k.Name, Name: k.Name, Brief: brief})
	}
	p.Chapters = []Chapter{known, largeInATab, keys}
	return p
}

// largeInATab has the figures of scripts/bench/opens.mjs.
var largeInATab = Chapter{ID: "chapter-large", Title: "Large collections in a tab",
	Intro: Text{{Plain, "171,332 documents open in a tab on a desktop. Measured on 2026-11-26 by "},
		{Code, "scripts/bench/opens.mjs"}, {Plain, " over synthetic collections of these sizes ("},
		{Code, "scripts/bench/resample.mjs"}, {Plain, ", titles and texts, 132 and 162 words a document), two " +
			"lexical systems, no vectors: Chromium 156, headless, two cores of a shared server with a load of 10. " +
			"Times are medians of three openings over loopback, and for typed queries the last letter to painted " +
			"lists, of 12 " +
			"queries three times. Slow 4G is 1.6 Mbit/s with 150 ms a round trip. The first list needs two round " +
			"trips (the manifest, then everything that opens the collection at once), its texts a third. On slow 4G " +
			"the bytes bound the time: 21 MB take 105 s. All texts together are fetched by Keep offline alone."}},
	Table: [][]string{
		{"", "57,638 documents, as FiQA", "171,332, as TREC-COVID"},
		{"to open, on the way", "6.4 MB", "21.1 MB"},
		{"everything, on the way", "27.9 MB", "92.8 MB"},
		{"from the click until it is open", "1.1 s", "2.4 s"},
		{"until the first list", "1.3 s", "3.0 s"},
		{"a typed query: median, 95th percentile", "42 ms, 227 ms", "32 ms, 243 ms"},
		{"memory: heaps of page and worker", "234 MB", "348 MB"},
		{"memory: all of the tab's process", "533 MB", "677 MB"},
		{"slow 4G: until it is open", "33.5 s", "107.8 s"},
		{"slow 4G: until the first list", "34.3 s", "108.6 s"},
		{"slow 4G: a typed query after that", "1.5 s", "3.3 s"},
	}}

func collectionEntry(r *recipe.Recipe) Entry {
	e := Entry{ID: r.Name, Name: r.Name, Title: r.Title, Brief: r.Sentence}
	var splits, files []Text
	for _, s := range r.Splits {
		splits = append(splits, plain(fmt.Sprintf("%s: %s queries, %s judgments", s.Name, say.Thousands(s.Queries),
			say.Thousands(s.Judgments))))
	}
	for _, f := range r.Files {
		files = append(files, Text{{Plain, f.URL + ", " + say.Thousands(int(f.Bytes)) + " bytes, MD5 "}, {Code, f.MD5}})
	}
	e.Facts = append(fact("Documents", say.Thousands(r.Documents)),
		Fact{Label: "Splits", Items: splits, List: len(splits) > 1})
	for _, f := range [][]Fact{fact("Language", r.Language+", analyzer "+r.Analyzer), fact("Domain", r.Domain),
		fact("Licence", r.LicenceOr()), fact("Licence stated at", r.LicenceAt),
		fact("Judged", r.Judged), fact("Known faults", strings.Join(r.Faults, " ")), fact("Cite", r.Citation),
		{{Label: "Files", Items: files, List: len(files) > 1}},
		fact("Layout", string(r.Layout)), fact("Models for vectors", strings.Join(r.Models, ", "))} {
		e.Facts = append(e.Facts, f...)
	}
	if r.RemoveQuery {
		e.Facts = append(e.Facts, fact("Queries", "are documents, and each is left out of its own ranking.")...)
	}
	published := Fact{Label: "Published", List: true}
	for _, f := range r.Figures {
		note := ""
		if f.Note != "" {
			note = " (" + f.Note + ")"
		}
		published.Items = append(published.Items,
			Text{{Code, f.System}, {Plain, ", " + f.Measure + " " + f.Value() + ": " + r.Source(f.Source).About + ", " +
				r.Source(f.Source).URL + note}})
	}
	e.Facts = append(e.Facts, fact("No figure", r.Unpublished)...)
	if published.Items != nil {
		e.Facts = append(e.Facts, published)
	}
	return e
}
