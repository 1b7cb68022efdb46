//go:build first

package worker

import (
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
