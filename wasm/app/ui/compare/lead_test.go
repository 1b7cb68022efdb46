package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Beside no file stands a reason: where the first comparison was cancelled, the screen begins again.
func TestLeadWithoutFiles(t *testing.T) {
	for files, want := range map[int]string{0: "Drop judgments (qrels) and up to 20 runs",
		1: "The reasons are beside them"} {
		c := &Compare{Compare: screen.New(state.New(nil, nil, "/"))}
		c.Compare.Runs.Done = &message.Compared{Need: "both"}
		c.Compare.Runs.Setting.Files = make([]message.File, files)
		if got := c.Lead(); !strings.Contains(got, want) {
			t.Errorf("%d files: %q, want %q", files, got, want)
		}
	}
}
