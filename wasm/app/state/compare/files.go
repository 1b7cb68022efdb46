package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// MaxFiles is how many files are open at once: message.MaxRuns runs with their judgments, queries, documents, snapshots.
const MaxFiles = 30

// DefaultLimit is how many bytes a device takes in that says nothing of itself.
const DefaultLimit = 1 << 30

// Limit is how many bytes a file may have.
func (c *Compare) Limit() int {
	if c.App.Engine.Limit > 0 {
		return c.App.Engine.Limit
	}
	return DefaultLimit
}

// Together is how many bytes all files may have.
func (c *Compare) Together() int { return int(collection.Together(int64(c.Limit()))) }

// AddFiles takes files that were dropped, chosen or pasted, and shows the Compare screen.
func (c *Compare) AddFiles(list []message.File) {
	c.App.Notices.Problem = nil
	if c.App.Settings.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	have := c.Setting.Files
	total := 0
	for _, f := range have {
		total += f.Size
	}
	var taken, over []message.File
	var big []string
	for _, f := range list {
		f.Name = strings.ToValidUTF8(f.Name, "\ufffd")
		switch {
		case len(have)+len(taken) >= MaxFiles:
			over = append(over, f)
		case f.Size > c.Limit() || total+f.Size > c.Together():
			big = append(big, f.Name+" ("+say.Bytes(int64(f.Size))+")")
		default:
			total += f.Size
			taken = append(taken, f)
		}
	}
	switch {
	case len(over) > 0:
		c.App.Notices.Problem = &message.Problem{What: "Up to " + strconv.Itoa(MaxFiles) + " files are open at once; " + say.Count(len(over), "more was", "more were") + " not added.", Where: message.Few(over),
			Do: "Remove files that you do not need, or compare these separately."}
	case len(big) > 0:
		c.App.Notices.Problem = &message.Problem{What: "This is more than fits into the memory of this device, " + say.Bytes(int64(c.Limit())) + " a file and " + say.Bytes(int64(c.Together())) + " together. Larger files were not read.", Where: say.Few(big, 5),
			Do: "Cut the runs to the first 1,000 documents a query (gzip does not help), or use `rankbox compare` on the command line, which reads 1 GiB of a file, and more with -max-bytes 20GiB."}
	}
	if len(taken) == 0 {
		c.App.View.Draw()
		return
	}
	c.changeRuns(func(s *message.Setting) {
		if s.Here() || s.Link != "" && hasQrels(taken) {
			*s = message.Setting{}
		}
		s.Files = append(s.Files, taken...)
		s.Search = c.openSystems()
	})
}

// openSystems are the systems that are open in Search: they answer the queries of a golden set.
func (c *Compare) openSystems() (out []string) {
	if r := c.App.Figures.Report; r != nil && !c.App.Figures.Stale() {
		return ofReport(r).Matrix.Systems
	}
	if o := c.App.Engine.Opened; o != nil {
		return state.DefaultsOf(o)
	}
	return nil
}

// hasQrels guesses by the name whether judgments are among the files: they begin a new comparison.
func hasQrels(list []message.File) bool {
	return slices.ContainsFunc(list, func(f message.File) bool { return strings.Contains(strings.ToLower(f.Name), "qrel") })
}

// TypePasted takes what stands in the field for text.
func (c *Compare) TypePasted(text string) {
	c.Pasted = strings.ToValidUTF8(text, "\ufffd")
	c.App.View.Draw()
}

// Paste takes text as a file.
func (c *Compare) Paste(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	c.Pasted, c.Pasting = "", true
	if c.PasteGrades(text) {
		return
	}
	c.AddFiles([]message.File{c.App.Browser.Text("pasted.txt", text)})
}

// textFiles are files of texts, given as names and texts in turn.
func (c *Compare) textFiles(pairs ...string) (out []message.File) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, c.App.Browser.Text(pairs[i], pairs[i+1]))
	}
	return out
}

// RemoveFile takes a file out.
func (c *Compare) RemoveFile(id int) {
	c.changeRuns(func(s *message.Setting) {
		s.Letters = c.letters(id)
		s.Files = slices.DeleteFunc(s.Files, func(f message.File) bool { return f.ID == id })
		s.Names = slices.DeleteFunc(s.Names, func(n message.Name) bool { return n.File == id })
		s.Baseline = c.without(id)
	})
}

// letters are those of the runs that are compared, but for the runs of a file: they keep them when it goes.
func (c *Compare) letters(but int) []message.Lettered {
	if c.Report() == nil {
		return c.Setting.Letters
	}
	var out []message.Lettered
	for i, o := range c.Done.Origins {
		if o.File != but {
			out = append(out, message.Lettered{Origin: o, Place: c.Report().Place(i)})
		}
	}
	return out
}

// without is the place of the baseline where the runs of a file are gone: 0 where it was one of them.
func (c *Compare) without(file int) int {
	if c.Done == nil || c.Setting.Baseline >= len(c.Done.Origins) || c.Done.Origins[c.Setting.Baseline].File == file {
		return 0
	}
	n := 0
	for _, o := range c.Done.Origins[:c.Setting.Baseline] {
		if o.File != file {
			n++
		}
	}
	return n
}

// ClearRuns takes everything out, and opens the panel for other runs.
func (c *Compare) ClearRuns() {
	c.changeRuns(func(s *message.Setting) { *s = message.Setting{} })
	c.Adding = true
	c.App.View.Draw()
}

// Add opens the panel in which runs are added, or closes it.
func (c *Compare) Add() {
	if c.standing != nil { // it is below the board
		c.Tab = TabBoard
	} else {
		c.Adding = !c.Adding
	}
	c.App.View.Draw()
	if c.Adding || c.standing != nil {
		c.App.View.FocusOn("read-title")
	}
}

// UseExample compares three systems on the open collection.
func (c *Compare) UseExample() {
	if c.App.Settings.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.changeRuns(func(s *message.Setting) { *s = message.Setting{Example: true} })
}

// UseExperiment compares the runs of an experiment on the open collection.
func (c *Compare) UseExperiment(m message.Matrix) {
	if c.App.Settings.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.changeRuns(func(s *message.Setting) { *s = message.Setting{Matrix: m} })
}

// UseChunkings compares how the documents of the open collection are split on this device: by the documents that open
// systems find, or by how well their chunks cover judged passages.
func (c *Compare) UseChunkings(spans bool) {
	if c.App.Settings.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.changeRuns(func(s *message.Setting) { *s = message.Setting{Chunkings: c.openSystems(), Spans: spans} })
}

// CancelRuns goes back to what was compared before.
func (c *Compare) CancelRuns() {
	if !c.Comparing() {
		return
	}
	v := c.View
	c.Setting = cloneSetting(c.settled) // empty where nothing was compared before
	if c.Done != nil {
		c.arriving = &v
	}
	c.App.History.Unkeep(c, func(x any) bool { return sameSetting(x.(saved).setting, c.Setting) })
	c.runs()
	c.App.Notices.Say("Cancelled. Unread files were dropped.")
}
