//go:build !first

package worker

// beside is what comes beside a collection: models' own networks, and what the edge answered.
type beside struct {
	behind
	networks networks
}

// takeBeside gives it to the open session.
func (e *Engine) takeBeside() {
	e.takeNetworks()
	e.giveEdge()
}
