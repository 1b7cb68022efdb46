package golden

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/rankbox/rankbox/core/say"
)

// Write writes a set as YAML that Read reads again, with comments for whoever goes on from it.
func Write(w io.Writer, s *Set) error {
	b := bufio.NewWriter(w)
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("# A golden set for rankbox check: docs/check.md explains the keys.")
	if s.Name != "" {
		line("name: ", scalar(s.Name))
	}
	o := &s.Results
	line("results:")
	for _, x := range [][2]string{
		{"pipeline", o.Pipeline}, {"documents", o.Documents}, {"url", o.URL}, {"file", o.File}, {"timeout", o.Timeout},
	} {
		if x[1] != "" {
			line("  ", x[0], ": ", scalar(x[1]))
		}
	}
	if len(o.Command) > 0 {
		var words []string
		for _, x := range o.Command {
			words = append(words, scalar(x))
		}
		line("  command: [", strings.Join(words, ", "), "]")
	}
	if !o.Given() {
		line("  # the source of results, one of:")
		line(`  # command: ["./search", "{query}"]`)
		line(`  # url: "http://localhost:8080/search?q={query}"`)
		line("  # file: results.jsonl")
	}
	if s.Require != Any {
		line("require: ", string(s.Require),
			" # any or all: a query fails without expected documents in the first 10 results")
	}
	if len(s.Measures) > 0 {
		line("measures: [", strings.Join(s.Measures, ", "), "]")
	}
	for i, g := range s.Gates {
		if i == 0 {
			line("gates:")
		}
		line("  - ", scalar(g.Text))
	}
	if s.Baseline != "" {
		line("baseline: ", scalar(s.Baseline))
	} else {
		line("# baseline: golden.rankbox # rankbox check -update writes it; later results are compared with it")
	}
	line("queries:")
	for i := range s.Queries {
		q := &s.Queries[i]
		line("  - query: ", scalar(q.Text))
		if q.ID != q.Text {
			line("    id: ", scalar(q.ID))
		}
		if len(q.Expected) == 0 {
			line("    expect: [] # ids of the documents that should be found, or {id: grade}")
			continue
		}
		line("    expect:")
		for _, g := range q.Expected {
			line("      ", scalar(g.Doc), ": ", strconv.Itoa(g.Grade))
		}
	}
	return b.Flush()
}

// scalar writes a text as YAML takes it for that text and nothing else: as it is if it is a word or words of letters,
// in double quotes otherwise.
func scalar(s string) string {
	safe := s != "" && len(s) < 200 && unicode.IsLetter(rune(s[0])) && s[len(s)-1] != ' '
	for _, r := range s {
		safe = safe && (r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune(" _-./@", r))
	}
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		safe = false
	}
	if safe {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteString("\\" + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case say.Visible(string(r)) == string(r):
			b.WriteRune(r)
		case r <= 0xffff:
			b.WriteString(`\u` + say.Hex(uint32(r), 4))
		default:
			b.WriteString(`\U` + say.Hex(uint32(r), 8))
		}
	}
	b.WriteByte('"')
	return b.String()
}
