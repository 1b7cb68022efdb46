package reference

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

func stages() Page {
	p := Page{
		Path: "/pipeline", Doc: "docs/pipeline.md", Title: "Stages",
		Description: "Every stage of a Rankbox search system: BM25, dense retrieval, fusion and more, with " +
			"parameters, formula and source.",
		Intro: []Text{{{Plain,
			"A system is a pipeline of stages: first a retriever or a combiner, then transformers, each after "},
			{Code, ">>"},
			{Plain, ". Default values are optional; the canonical form omits them."}}},
		Sample: "bm25(k1=1.2,b=0.75)\nrrf(bm25, dense, k=30) >> cut(20)",
	}
	at := map[pipeline.Role]int{}
	for _, s := range stage.All() {
		i, ok := at[s.Role]
		if !ok {
			i = len(p.Chapters)
			at[s.Role] = i
			p.Chapters = append(p.Chapters, Chapter{ID: "chapter-" + s.Role.String() + "s",
				Title: upper(s.Role.String()) + "s"})
		}
		e := Entry{ID: s.Name, Name: s.Name, Usage: s.Usage(), Brief: s.Doc, Formula: s.Formula}
		parameters := Fact{Label: "Parameters", List: true}
		for i := range s.Params {
			parameters.Items = append(parameters.Items, stageParam(&s.Params[i]))
		}
		if parameters.Items != nil {
			e.Facts = append(e.Facts, parameters)
		}
		e.Facts = append(e.Facts, fact("Source", s.Source)...)
		p.Chapters[i].Entries = append(p.Chapters[i].Entries, e)
	}
	return p
}

func stageParam(x *pipeline.Param) Text {
	t := append(code(x.Name), Span{Plain, ": " + x.Doc})
	if x.Only != nil {
		t = list(append(t, Span{Plain, " Only for " + x.By + " "}), x.Only)
		t = append(t, Span{Plain, "."})
	}
	t = append(t, Span{Plain, " Values: "})
	switch {
	case x.Kind == pipeline.Bool:
		t = list(t, []string{"true", "false"})
	case x.Kind == pipeline.Word && x.Words != nil:
		t = list(t, x.Words)
	case x.Kind == pipeline.Word:
		t = append(t, Span{Plain, "a name"})
	default:
		number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
		t = append(t, Span{Plain, x.Kind.String() + ", " + number(x.Min) + " to " + number(x.Max)})
	}
	switch {
	case x.Required:
		return append(t, Span{Plain, "; required."})
	case x.Default == "":
		return append(t, Span{Plain, "; optional."})
	}
	t = append(t, Span{Plain, "; default "}, Span{Code, x.Default})
	for _, c := range x.Defaults {
		t = append(t, Span{Plain, ", "}, Span{Code, c.Default}, Span{Plain, " for "}, Span{Code, c.Word})
	}
	return append(t, Span{Plain, "."})
}

// list appends words, a comma between them.
func list(t Text, words []string) Text {
	for i, w := range words {
		if i > 0 {
			t = append(t, Span{Plain, ", "})
		}
		t = append(t, Span{Code, w})
	}
	return t
}

func analyzers() Page {
	p := Page{
		Path: "/analyzers", Doc: "docs/analyzers.md", Title: "Analyzers",
		Description: "Every analyzer of Rankbox: how text becomes terms, matching Lucene, bm25s, Snowball and others.",
		Intro: []Text{
			plain("An analyzer splits text into words and turns each into a term or drops it. Every index and every " +
				"link names its analyzer and version."),
			plain("The language of a known collection chooses its analyzer, unless its recipe names another. " +
				"Languages that no entry lists get lucene-standard."),
		},
	}
	c := Chapter{ID: "chapter-analyzers", Title: "Analyzers"}
	for _, name := range text.Names() {
		a, _ := text.Describe(name)
		e := Entry{ID: slug(a.Name), Name: a.Name, Brief: a.Summary}
		for _, f := range [][]Fact{fact("Steps", a.Pipeline), fact("Version", strconv.Itoa(a.Version)),
			fact("Chosen by the languages", strings.Join(recipe.LanguagesOf(a.Name), ", ")), fact("Follows",
				a.Reference), fact("Differs", a.Differs)} {
			e.Facts = append(e.Facts, f...)
		}
		c.Entries = append(c.Entries, e)
	}
	p.Chapters = []Chapter{c}
	return p
}
