package workbench

import (
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/stage"
	bench "github.com/rankbox/rankbox/wasm/app/state/workbench"
)

// Takes says whether the form takes the runs of other programs.
func (c *Form) Takes() bool { return bench.On(c.App) != nil }

// Busy says whether one is being read.
func (c *Form) Busy() bool { return bench.On(c.App).Reading != nil }

// About says what a run is good for.
func (c *Form) About() string {
	if p := bench.On(c.App).Reading; p != nil {
		return p.What + " …"
	}
	return "A TREC run of any system, chosen or dropped here. It answers the judged queries in it."
}

// Said is what became of the file.
func (c *Form) Said() string {
	r := bench.On(c.App).Run
	if r == nil {
		return ""
	}
	return strings.TrimSpace(r.Said + " " + strings.Join(r.Warnings[:min(3, len(r.Warnings))], " "))
}

// Runs are the names of the runs that are there.
func (c *Form) Runs() []string {
	if r := bench.On(c.App).Run; r != nil {
		return r.Names
	}
	return nil
}

func run(name string) string { return stage.Run.Name + "(" + name + ")" }

// Rank writes a system that ranks as a run does.
func (c *Form) Rank(name string) { c.App.Editor.Write(run(name)) }

// Fuse joins what is written and a run.
func (c *Form) Fuse(name string) {
	c.App.Editor.Write(stage.RRF.Name + "(" + c.App.Editor.Draft + ", " + run(name) + ")")
}

// Rescore orders what is written by a run's scores.
func (c *Form) Rescore(name string) {
	c.App.Editor.Write(c.App.Editor.Draft + " >> " + stage.Rerank.Name + "(by=" + stage.Run.Name + ", file=" + name +
		")")
}
