package intake

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

// A page that was dropped among runs is named by what it is; another file is not.
func TestAPageAmongRunsIsNamed(t *testing.T) {
	for name, kind := range map[string]string{"notes.md": "Markdown", "index.html": "HTML", "notes.log": ""} {
		_, err := Read(name, Any, strings.NewReader("A note on ferries,\nand no run."), collection.Options{})
		if err == nil {
			t.Errorf("%s was read", name)
			continue
		}
		want := "it looks like " + kind + ", expected runs and qrels"
		if strings.Contains(err.Error(), want) != (kind != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
