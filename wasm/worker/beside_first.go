//go:build first

package worker

import (
	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/stage"
)

// beside is nothing here: this program runs no networks and asks no backends.
type beside struct{}

func (e *Engine) takeBeside() {}

// asking is of backends.
func (e *Engine) asking([]string) {}

// reachable leaves collections whose documents are elsewhere to the program that asks backends.
func (e *Engine) reachable(m *bundle.Manifest) error {
	if m.Elsewhere != nil {
		return stage.ErrBeyond
	}
	return nil
}

func (e *Engine) begin(*bundle.Manifest) {}

func (e *Engine) find(*experiment.Spec) int { return 0 }

func (e *Engine) findAll(message.Request, []string, int) bool { return false }

func (e *Engine) findOne(*message.AskWhy) {}

func (e *Engine) unfound(*experiment.Results) {}
