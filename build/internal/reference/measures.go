package reference

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

func measures() Page {
	p := Page{
		Path: "/measures", Doc: "docs/measures.md", Title: "Measures",
		Description: "Every measure of Rankbox: formula, parameters, range, names in trec_eval, ir_measures, ranx " +
			"and others, source and a worked example.",
		Intro: []Text{{{Plain, "A measure is a number for the quality of a ranking. The notation is that of " +
			"ir_measures: "},
			{Code, "Name(parameter=value)@cutoff"},
			{Plain, "; other tools' names work too. R is the number of relevant documents in the qrels of the query, " +
				"n the length of the list. Grades are numbers, with or without decimals. A document is relevant from " +
				"grade 1, unless a " +
				"parameter changes that."}}},
	}
	at := map[measure.Group]int{}
	for _, in := range measure.All() {
		i, ok := at[in.Group]
		if !ok {
			i = len(p.Chapters)
			at[in.Group] = i
			p.Chapters = append(p.Chapters, Chapter{ID: "chapter-" + slug(string(in.Group)), Title: string(in.Group)})
		}
		p.Chapters[i].Entries = append(p.Chapters[i].Entries, measureEntry(in))
	}

	c := Chapter{ID: "chapter-values", Title: "About a value",
		Intro: plain("Uncertainty from ties and missing judgments, and the geometric mean.")}
	for _, t := range measure.Terms() {
		c.Entries = append(c.Entries, Entry{ID: t.Name, Title: t.Title, Brief: t.Brief,
			Facts: append(fact("Use", t.Use), fact("Source", t.Reference)...)})
	}
	p.Chapters = append(p.Chapters, c)

	c = Chapter{ID: "policies", Title: "Policies",
		Intro: plain("Choices that change a score but not its name. Every report lists them. The first option is " +
			"the default.")}
	for _, s := range measure.Switches() {
		options := Fact{Label: "Options"}
		for _, o := range s.Options {
			options.Items = append(options.Items, code(o))
		}
		if s.Options == nil {
			options.Items = []Text{plain("a number")}
		}
		c.Entries = append(c.Entries, Entry{ID: "policy-" + s.Name, Name: s.Name, Title: s.Title, ByTitle: true,
			Brief: upper(s.Doc) + ".", Facts: []Fact{options}})
	}
	p.Chapters = append(p.Chapters, c)

	c = Chapter{ID: "conventions", Title: "Conventions",
		Intro: plain("Rankbox can recompute a run as another tool does, and explains every query whose value differs.")}
	for _, v := range measure.Conventions() {
		c.Entries = append(c.Entries, Entry{ID: "as-" + slug(v.Name), Title: v.Name, Brief: v.Doc,
			Facts: fact("Version", v.Version)})
	}
	p.Chapters = append(p.Chapters, c, bugs())
	return p
}

// bugs is the chapter of public bugs. Its figures are computed here.
func bugs() Chapter {
	c := Chapter{ID: "bugs", Title: "Public bugs",
		Intro: plain("Figures that cannot be right, as tools print them, each from a small list. Rankbox counts a " +
			"document once and takes the ideal ranking from the judgments.")}
	for _, b := range measure.Bugs() {
		theirs, ours := b.Values()
		judged := Text{}
		for i, id := range b.JudgedIDs {
			if i > 0 {
				judged = append(judged, Span{Plain, ", "})
			}
			judged = append(judged, Span{Code, id}, Span{Plain, " "}, Span{Grade, strconv.Itoa(int(b.Judged[i]))})
		}
		said := b.Tool + " prints " + strconv.FormatFloat(theirs, 'f', 4, 64) + ", Rankbox " +
			strconv.FormatFloat(ours, 'f', 4, 64) + "."
		e := Entry{ID: "bug-" + b.Name, Title: b.Title, Brief: said, Facts: []Fact{
			{Label: "Measure", Items: []Text{code(b.Measure)}},
			{Label: "List", Items: []Text{code(strings.Join(b.IDs, " "))}},
			{Label: "Judgments", Items: []Text{judged}},
			{Label: "Working", Items: []Text{plain(b.Working)}},
		}}
		if b.Issue != "" {
			e.Facts = append(e.Facts, Fact{Label: "Issue", Items: []Text{{{Link, b.Issue}}}})
		}
		c.Entries = append(c.Entries, e)
	}
	return c
}

func measureEntry(in *measure.Info) Entry {
	e := Entry{ID: in.Name, Name: in.Name, Title: upper(in.Title), Brief: in.Brief, Formula: in.Formula}
	between := in.Range()
	if in.Lower {
		between += "; smaller is better"
	}
	if in.Sum {
		between += "; queries are summed, not averaged"
	}
	e.Facts = fact("Range", between)

	parameters := Fact{Label: "Parameters", List: true}
	for i := range in.Params {
		x := &in.Params[i]
		t := code(x.Name)
		if x.At {
			t = Text{{Plain, "after "}, {Code, "@"}}
		}
		parameters.Items = append(parameters.Items, append(t, Span{Plain, ": " + x.Doc + "; " + x.Usual()}))
	}
	if parameters.Items != nil {
		e.Facts = append(e.Facts, parameters)
	}

	also := Fact{Label: "Also called"}
	for _, a := range in.Aliases {
		t := code(a.Name)
		if a.Set != "" {
			t = append(t, Span{Plain, " = "}, Span{Code, in.Name + "(" + a.Set + ")"})
		}
		if a.Tool != "" {
			t = append(t, Span{Plain, " in " + a.Tool})
		}
		also.Items = append(also.Items, t)
	}
	if also.Items != nil {
		e.Facts = append(e.Facts, also)
	}

	if open := in.Open(); open != "" {
		e.Facts = append(e.Facts, fact("Unjudged documents", open)...)
	}

	x := &in.Example
	t := Text{{Code, x.Measure}, {Plain, " of "}}
	if !strings.HasPrefix(x.Setting(), "the grades ") {
		t = append(t, Span{Plain, x.Setting()})
	} else {
		t = grades(append(t, Span{Plain, "the grades "}), x.Ranked)
		if x.Judged != nil {
			t = append(grades(append(t, Span{Plain, " (judged: "}), x.Judged), Span{Plain, ")"})
		}
	}
	t = append(t, Span{Plain, " is " + strconv.FormatFloat(x.Value, 'f', 4, 64) + ": "}, Span{Work, x.Working})
	e.Facts = append(e.Facts, Fact{Label: "Example", Items: []Text{t}})

	e.Facts = append(e.Facts, fact("Source", in.Reference)...)
	notes := Fact{Label: "Notes", List: true}
	for _, n := range in.Notes {
		notes.Items = append(notes.Items, plain(n))
	}
	if notes.Items != nil {
		e.Facts = append(e.Facts, notes)
	}
	return e
}

func grades(t Text, g []float64) Text {
	for i, v := range g {
		if i > 0 {
			t = append(t, Span{Plain, " "})
		}
		s := "-"
		if v != measure.Unjudged {
			s = say.Plain.Grade(v)
		}
		t = append(t, Span{Grade, s})
	}
	return t
}
