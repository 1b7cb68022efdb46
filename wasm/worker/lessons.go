//go:build !first

package worker

import (
	"fmt"

	"github.com/rankbox/rankbox/core/message"
)

func init() { does(message.Lessons, job{blame: at("the lessons")}, (*Engine).lessons) }

// lessons fetches them; what is in them is the page's affair.
func (e *Engine) lessons(_ message.Request, ask *message.AskLessons) (*message.Bytes, error) {
	b, err := e.fetch(ask.URL, func(int) {})
	if err != nil {
		return nil, fmt.Errorf("the lessons could not be fetched: %w", err)
	}
	return &message.Bytes{Bytes: b}, nil
}
