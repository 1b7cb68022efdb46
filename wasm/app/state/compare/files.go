package compare

import (
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

// MaxFiles is how many files are open at once: message.MaxRuns runs with their judgments, queries, documents,
// snapshots.
const MaxFiles = 30

// AddFiles takes files that were dropped or chosen.
func (c *Compare) AddFiles(list []message.File) { c.Input.add(list) }

// UseExperiment compares the runs of an experiment on the open collection.
func (c *Compare) UseExperiment(m message.Matrix) {
	if c.App.Settings.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.Runs.change(func(s *message.Setting) { *s = message.Setting{Matrix: m} })
}

// UseChunkings compares how the documents of the open collection are split on this device: by the documents that open
// systems find, or by how well their chunks cover judged passages.
func (c *Compare) UseChunkings(spans bool) {
	if c.App.Settings.Screen != share.Compare {
		c.App.Go(share.Compare)
	}
	c.Runs.change(func(s *message.Setting) { *s = message.Setting{Chunkings: c.Input.openSystems(), Spans: spans} })
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
	c.App.History.Unkeep(c, func(x any) bool { return sameSetting(x.(saved).setting, c.Runs.Setting) })
	c.Runs.run()
	c.App.Notices.Say("Cancelled. Unread files were dropped.")
}
