//go:build !first

package worker

// stores are those that the program which only searches does without.
type stores struct {
	networks    networks
	uploads     uploads
	previews    previews
	experiments experiments
	judging     judging

	// of what is compared
	imported    imported
	local       localRuns
	comparisons comparisons
	analyses    analyses
	exports     exports
}

// connect gives each store those that it needs.
func (e *Engine) connect() {
	e.backends = backends{key: savedKey{device: &e.Device}, open: &e.open, page: &e.page}
	e.networks = networks{open: &e.open, device: &e.Device, page: &e.page}
	e.uploads = uploads{open: &e.open, device: &e.Device, networks: &e.networks, page: &e.page}
	e.previews = previews{device: &e.Device, page: &e.page}
	e.experiments = experiments{open: &e.open, backends: &e.backends, page: &e.page}
	e.judging = judging{open: &e.open, device: &e.Device, experiments: &e.experiments, backends: &e.backends,
		page: &e.page}
	e.imported = imported{device: &e.Device, page: &e.page}
	e.local = localRuns{open: &e.open, device: &e.Device, page: &e.page}
	e.comparisons = comparisons{open: &e.open, experiments: &e.experiments, imported: &e.imported, local: &e.local,
		page: &e.page}
	e.analyses = analyses{comparisons: &e.comparisons, experiments: &e.experiments, open: &e.open, page: &e.page}
	e.exports = exports{comparisons: &e.comparisons, imported: &e.imported, page: &e.page}
}

// takeBeside gives the open session what comes beside a collection: models' own networks, and the edge.
func (e *Engine) takeBeside() {
	e.networks.take()
	e.backends.giveEdge()
}

// Step does a moment of background work. It reports whether there is more to do now.
func (e *Engine) Step() bool { return e.uploads.step() }
