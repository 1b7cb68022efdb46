package text

import (
	"strconv"
	"strings"
)

// Page returns the reference page of all analyzers, as Markdown.
func Page() string {
	var b strings.Builder
	b.WriteString("<!-- Generated from the registry of core/text. -->\n\n# Analyzers\n\nAn analyzer turns text into terms: it finds the words, and says what becomes of each. Its name and version are part of every index and every link.\n")
	for _, name := range Names() {
		i, _ := Describe(name)
		b.WriteString("\n## " + i.Name + "\n\n" + i.Summary + "\n\n- Pipeline: " + i.Pipeline + "\n- Version: " + strconv.Itoa(i.Version) + "\n")
		if i.Reference != "" {
			b.WriteString("- Follows: " + i.Reference + "\n")
		}
		if i.Differs != "" {
			b.WriteString("- Differs: " + i.Differs + "\n")
		}
	}
	return b.String()
}
