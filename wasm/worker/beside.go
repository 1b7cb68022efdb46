//go:build !first

package worker

// beside is what comes beside a collection: models' own networks, and what the edge answered.
type beside struct {
	behind
	distant  *distant // nil if the documents are here
	networks networks
	keyRead  bool // the key of a private edge was looked for
}

// takeBeside gives it to the open session.
func (e *Engine) takeBeside() {
	e.takeNetworks()
	e.giveEdge()
}
