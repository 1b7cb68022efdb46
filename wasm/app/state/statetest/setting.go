//go:build !first

package statetest

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// Setting is what the last comparison was asked for with.
func (r *Recorder) Setting(t *testing.T) *message.Setting {
	t.Helper()
	return r.Last(t, message.Runs).Question.(*message.Setting)
}
