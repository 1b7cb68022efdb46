//go:build first

package worker

// beside is nothing here: this program runs no networks and asks no backends.
type beside struct{}

func (e *Engine) takeBeside() {}

// asking is of backends.
func (e *Engine) asking([]string) {}
