//go:build first

package worker

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// stores are none here.
type stores struct{}

func (e *Engine) connect() {}

func (sr *searches) ahead(message.Request) func() { return func() {} }

func (e *Engine) takeBeside() {}

// Step has nothing to do here.
func (e *Engine) Step() bool { return false }

// backends are none here.
type backends struct{}

// asking is of backends.
func (b *backends) asking([]string) {}

// reachable leaves collections whose documents are elsewhere to the program that asks backends.
func (b *backends) reachable(m *bundle.Manifest) error {
	if m.Elsewhere != nil {
		return stage.ErrBeyond
	}
	return nil
}

func (b *backends) begin(*bundle.Manifest) {}

func (b *backends) find(*experiment.Spec) int { return 0 }

func (b *backends) findAll(message.Request, []string, int) bool { return false }

func (b *backends) findOne(*message.AskWhy) {}

func (b *backends) unfound(*experiment.Results) {}
