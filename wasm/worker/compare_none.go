//go:build js && !runs

package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/message"
)

// bench is empty in the program that only searches: reading and comparing runs is a third of the code, and who searches need not
// wait for it. The page starts the other program before it sends a request about runs.
type bench struct{}

var errOther = errors.New("worker: this program does not read runs")

func (e *Engine) compare(message.Request) (*message.Compared, error) { return nil, errOther }

func (e *Engine) ask(message.Request) (*message.Answer, error) { return nil, errOther }
