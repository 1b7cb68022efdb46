package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// MaxFiles is how many files are open at once: message.MaxRuns runs with their judgments, queries, documents, snapshots.
const MaxFiles = 30

// AddFiles takes files that were dropped, chosen or pasted, and shows the Compare screen.
func (c *Compare) AddFiles(list []message.File) {
	c.App.Problem = nil
	if c.App.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	have := c.Runs.Setting.Files
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
		case f.Size > c.Runs.Limit() || total+f.Size > c.Runs.Together():
			big = append(big, f.Name+" ("+say.Bytes(int64(f.Size))+")")
		default:
			total += f.Size
			taken = append(taken, f)
		}
	}
	switch {
	case len(over) > 0:
		c.App.Problem = &message.Problem{What: "Up to " + strconv.Itoa(MaxFiles) + " files are open at once; " + say.Count(len(over), "more was", "more were") + " not added.", Where: message.Few(over),
			Do: "Remove files that you do not need, or compare these separately."}
	case len(big) > 0:
		c.App.Problem = &message.Problem{What: "This is more than fits into the memory of this device, " + say.Bytes(int64(c.Runs.Limit())) + " a file and " + say.Bytes(int64(c.Runs.Together())) + " together. Larger files were not read.", Where: say.Few(big, 5),
			Do: "Cut the runs to the first 1,000 documents a query (gzip does not help), or use `rankbox compare` on the command line, which reads 1 GiB of a file, and more with -max-bytes 20GiB."}
	}
	if len(taken) == 0 {
		c.App.Draw()
		return
	}
	c.Runs.change(func(s *message.Setting) {
		if s.Here() || s.Link != "" && hasQrels(taken) {
			*s = message.Setting{}
		}
		s.Files = append(s.Files, taken...)
		s.Search = c.openSystems()
	})
}

// openSystems are the systems that are open in Search: they answer the queries of a golden set.
func (c *Compare) openSystems() (out []string) {
	if r := c.App.Report; r != nil && !c.App.Stale() {
		return ofReport(r).Matrix.Systems
	}
	if o := c.App.Opened; o != nil {
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
	c.App.Draw()
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
	c.AddFiles([]message.File{c.App.Browser().Text("pasted.txt", text)})
}

// textFiles are files of texts, given as names and texts in turn.
func (c *Compare) textFiles(pairs ...string) (out []message.File) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, c.App.Browser().Text(pairs[i], pairs[i+1]))
	}
	return out
}

// ClearRuns takes everything out, and opens the panel for other runs.
func (c *Compare) ClearRuns() {
	c.Runs.change(func(s *message.Setting) { *s = message.Setting{} })
	c.Runs.Adding = true
	c.App.Draw()
}

// Add opens the panel in which runs are added, or closes it.
func (c *Compare) Add() {
	if c.Runs.standing != nil { // it is below the board
		c.View.Tab = TabBoard
	} else {
		c.Runs.Adding = !c.Runs.Adding
	}
	c.App.Draw()
	if c.Runs.Adding || c.Runs.standing != nil {
		c.App.FocusOn("read-title")
	}
}

// UseExample compares three systems on the open collection.
func (c *Compare) UseExample() {
	if c.App.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.Runs.change(func(s *message.Setting) { *s = message.Setting{Example: true} })
}

// UseExperiment compares the runs of an experiment on the open collection.
func (c *Compare) UseExperiment(m message.Matrix) {
	if c.App.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.Runs.change(func(s *message.Setting) { *s = message.Setting{Matrix: m} })
}

// UseChunkings compares how the documents of the open collection are split on this device: by the documents that open
// systems find, or by how well their chunks cover judged passages.
func (c *Compare) UseChunkings(spans bool) {
	if c.App.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.Runs.change(func(s *message.Setting) { *s = message.Setting{Chunkings: c.openSystems(), Spans: spans} })
}

// CancelRuns goes back to what was compared before.
func (c *Compare) CancelRuns() {
	if !c.Runs.Comparing() {
		return
	}
	v := c.View.View
	c.Runs.Setting = cloneSetting(c.Runs.settled) // empty where nothing was compared before
	if c.Runs.Done != nil {
		c.View.arriving = &v
	}
	c.App.Unkeep(c, func(x any) bool { return sameSetting(x.(saved).setting, c.Runs.Setting) })
	c.Runs.run()
	c.App.Note("Cancelled. Unread files were dropped.")
}
