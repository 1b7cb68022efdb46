package export

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// WriteJUnit writes a report for programs that show the tests of a build, as JUnit's XML: a suite of the queries that
// expect something, one of the gates, one of what changed since the snapshot, and one of the runs with their means. A
// condition that is not met is a failure, with its reasons or the queries that moved. r is nil if nothing was measured.
func WriteJUnit(w io.Writer, r *report.Report, v gates.Conditions) error {
	var b builder
	all, runs := v.List(), 0
	if r != nil {
		runs = len(r.Systems)
	}
	b.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	tests, failures := strconv.Itoa(len(all)+runs), strconv.Itoa(v.Failed())
	b.line(`<testsuites name="rankbox" tests="`, tests, `" failures="`, failures, `">`)
	for _, suite := range []string{gates.QuerySuite, gates.GateSuite, gates.ChangeSuite} {
		var in []gates.Condition
		bad := 0
		for _, c := range all {
			if c.Suite == suite {
				in = append(in, c)
				if c.Failed {
					bad++
				}
			}
		}
		if len(in) == 0 {
			continue
		}
		b.line(`  <testsuite name="`, escaped(suite), `" tests="`, strconv.Itoa(len(in)), `" failures="`,
			strconv.Itoa(bad), `">`)
		for _, c := range in {
			b.WriteString(`    <testcase classname="` + escaped(c.Class) + `" name="` + escaped(c.Name) + `"`)
			if !c.Failed {
				b.line(`/>`)
				continue
			}
			b.line(`>`)
			b.line(`      <failure message="`, escaped(c.Line), `">`, escaped(c.Rest), `</failure>`)
			b.line(`    </testcase>`)
		}
		b.line(`  </testsuite>`)
	}
	if r != nil {
		b.runs(r, v.Notes)
	}
	b.line(`</testsuites>`)
	_, err := io.WriteString(w, b.String())
	return err
}

// runs writes the suite of the runs.
func (b *builder) runs(r *report.Report, notes []string) {
	b.line(`  <testsuite name="runs" tests="`, strconv.Itoa(len(r.Systems)), `" failures="0">`)
	b.line(`    <properties>`)
	b.line(`      <property name="finding" value="`, escaped(r.Sentence(say.Plain)), `"/>`)
	b.line(`      <property name="hash" value="`, r.Hash, `"/>`)
	for _, n := range notes {
		b.line(`      <property name="power" value="`, escaped(n), `"/>`)
	}
	b.line(`    </properties>`)
	for s := range r.Systems {
		var means []string
		for m := range r.Columns {
			means = append(means, r.Measures[m]+" "+say.Plain.Number(r.Columns[m].Means[s], 4))
		}
		b.line(`    <testcase classname="runs" name="`, escaped(r.Systems[s].Label), `"><system-out>`,
			escaped(strings.Join(means, "\n")), `</system-out></testcase>`)
	}
	b.line(`  </testsuite>`)
}

// escaped returns a text as it stands in an element or an attribute. Characters that XML 1.0 has no room for become
// U+FFFD.
func escaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\n' || r == '\t':
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		case r < ' ' || r == 0xfffe || r == 0xffff || r == utf8.RuneError:
			b.WriteRune(utf8.RuneError)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
