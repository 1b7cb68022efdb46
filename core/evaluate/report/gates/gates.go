// Package gates decides whether a report meets conditions (a Gate) and what became of it since a snapshot (a
// Regression), and says both in words. It tests with the tests of report, and writes no file: export has JUnit's XML
// and Markdown.
package gates

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// builder collects text.
type builder struct{ strings.Builder }

func (b *builder) line(parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
	b.WriteByte('\n')
}

// maxName is how many characters of a name are shown.
const maxName = 120

func brief(s string) string { return say.Brief(s, maxName) }
