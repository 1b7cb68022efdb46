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
	e.backends.open, e.backends.key.device, e.backends.page = &e.open, &e.Device, &e.page
	e.networks.open, e.networks.device, e.networks.page = &e.open, &e.Device, &e.page
	e.uploads = uploads{&e.open, &e.Device, &e.page}
	e.previews.device, e.previews.page = &e.Device, &e.page
	e.experiments.open, e.experiments.backends, e.experiments.page = &e.open, &e.backends, &e.page
	e.judging = judging{&e.open, &e.Device, &e.experiments, &e.backends, &e.page}
	e.imported.device, e.imported.page = &e.Device, &e.page
	e.local = localRuns{&e.open, &e.Device, &e.page}
	e.comparisons = comparisons{open: &e.open, experiments: &e.experiments, imported: &e.imported, local: &e.local,
		page: &e.page}
	e.analyses = analyses{&e.comparisons, &e.experiments, &e.open, &e.page}
	e.exports = exports{&e.comparisons, &e.imported, &e.page}
}

// takeBeside gives the open session what comes beside a collection: models' own networks, and the edge.
func (e *Engine) takeBeside() {
	e.networks.take()
	e.backends.giveEdge()
}

func toBackends(e *Engine) *backends { return &e.backends }

func toNetworks(e *Engine) *networks { return &e.networks }
