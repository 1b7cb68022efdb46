//go:build first

package worker

import (
	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/stage"
)

// An encoder is a few megabytes; whoever waits for it can wait for the program that runs it too.
func init() {
	does(message.Encode, job{}, func(*Engine, message.Request, *message.EncoderFile) (*message.Encoder, error) {
		return nil, stage.ErrBeyond
	})
}

// loader keeps nothing here.
type loader struct{}

func (e *Engine) takeEncoder() {}

// asking is of backends, which this program does not ask.
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
