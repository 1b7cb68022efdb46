package golden

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rankbox/rankbox/core/base/say"
)

// Write writes a set as YAML that Read reads again, with comments for whoever goes on from it.
func Write(w io.Writer, s *Set) error {
	b := bufio.NewWriter(w)
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	line("# A golden set for rankbox check: docs/check.md explains the keys.")
	if s.Name != "" {
		line("name: ", scalar(s.Name))
	}
	s.Results.write(line)
	if s.Top > 0 {
		line("top: ", strconv.Itoa(s.Top))
	}
	if s.Within != DefaultWithin && s.Within > 0 {
		line("within: ", strconv.Itoa(s.Within))
	}
	if s.Require != Any && s.Require != "" {
		line("require: ", string(s.Require),
			" # any or all: a query fails without expected documents in the first 10 results")
	}
	if s.Least != nil {
		line("score_threshold: ", say.Exact(*s.Least))
	}
	if s.Latency > 0 {
		line("max_latency: ", say.Exact(s.Latency), "ms")
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
	if s.Sure {
		line("sure: true")
	}
	if s.Limit != "" {
		line("threshold: ", scalar(s.Limit))
	}
	if len(s.Baseline) == 1 {
		line("baseline: ", scalar(s.Baseline[0]))
	} else if len(s.Baseline) > 1 {
		line("baseline: [", strings.Join(scalars(s.Baseline), ", "), "]")
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
		q.write(s, line)
	}
	return b.Flush()
}

// write writes where results come from.
func (o *Results) write(line func(parts ...string)) {
	if o.Given() {
		line("results:")
	} else {
		line("# results:")
	}
	for _, x := range [][2]string{
		{"pipeline", o.Pipeline}, {"documents", o.Documents}, {"url", o.URL}, {"method", o.Method}, {"body", o.Body},
		{"file", o.File}, {"timeout", o.Timeout}, {"list", o.List}, {"id", o.ID}, {"score", o.Score}, {"text", o.Text},
	} {
		if x[1] != "" {
			line("  ", x[0], ": ", scalar(x[1]))
		}
	}
	if len(o.Command) > 0 {
		line("  command: [", strings.Join(scalars(o.Command), ", "), "]")
	}
	for i, h := range o.Headers {
		if i == 0 {
			line("  headers:")
		}
		line("    ", scalar(h[0]), ": ", scalar(h[1]))
	}
	if !o.Given() {
		line("  # the source of results, one of:")
		line(`  # command: ["./search", "{query}"]`)
		line(`  # url: "http://localhost:8080/search?q={query}"`)
		line("  # file: results.jsonl")
	}
}

// write writes what a query expects.
func (q *Query) write(s *Set, line func(parts ...string)) {
	list := func(key string, texts []string) {
		if len(texts) == 0 {
			return
		}
		line("    ", key, ": [", strings.Join(scalars(texts), ", "), "]")
	}
	list("tags", q.Tags)
	if q.By != "" {
		line("    by: ", scalar(q.By))
	}
	list("forbid", q.Forbidden)
	list("concepts", q.Concepts)
	list("above", q.Above)
	list("candidates", q.Candidates)
	if q.Least != nil {
		line("    score_threshold: ", say.Exact(*q.Least))
	}
	if q.Latency > 0 {
		line("    max_latency: ", say.Exact(q.Latency), "ms")
	}
	if q.MinResults > 0 {
		line("    min_results: ", strconv.Itoa(q.MinResults))
	}
	if q.MaxResults > 0 {
		line("    max_results: ", strconv.Itoa(q.MaxResults))
	}
	if q.MinScore == q.MinScore {
		line("    min_score: ", say.Exact(q.MinScore))
	}
	if q.Require != "" && q.Require != s.Require {
		line("    require: ", string(q.Require))
	}
	if q.Within > 0 && q.Within != s.Within {
		line("    within: ", strconv.Itoa(q.Within))
	}
	switch {
	case q.Nothing:
		line("    expect: none")
	case len(q.Expected) > 0:
		line("    expect:")
		long := slices.ContainsFunc(q.Expected, func(g Grade) bool { return len(scalar(g.Doc)) >= longestKey })
		for _, g := range q.Expected {
			if long {
				line("      - {id: ", scalar(g.Doc), ", grade: ", say.Plain.Grade(g.Grade), "}")
			} else {
				line("      ", scalar(g.Doc), ": ", say.Plain.Grade(g.Grade))
			}
		}
	case !q.expects(s):
		line("    expect: [] # ids of the documents that should be found, {id: grade}, or none")
	}
}

// scalars writes each of several texts.
func scalars(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = scalar(t)
	}
	return out
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
