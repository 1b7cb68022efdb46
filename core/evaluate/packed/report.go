package packed

import (
	"compress/flate"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// PackReport returns a report as a file: a snapshot for later comparison.
func PackReport(r *report.Report) []byte {
	payload := wire.Marshal((*snapshot3)(r))
	b := seal(packedReport, hashVersion, payload)
	if _, err := UnpackReport(b); err != nil { // what repeats itself would look like a trap, as in Pack
		b = sealAt(flate.NoCompression, packedReport, hashVersion, payload, nil)
	}
	return b
}

// Carry returns a report as the text that a document about it carries, so that verify makes the document again. Of the
// queries' texts, which no document shows, it has only the number of words.
func Carry(r *report.Report) string {
	bare := *r
	bare.Queries = slices.Clone(r.Queries)
	for i := range bare.Queries {
		q := &bare.Queries[i]
		q.Text = strings.TrimSpace(strings.Repeat("- ", len(strings.Fields(q.Text))))
	}
	return base64.StdEncoding.EncodeToString(PackReport(&bare))
}

// Carried reads what Carry wrote.
func Carried(text string) (*report.Report, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errDamaged
	}
	return UnpackReport(b)
}

// FormerReport says whether a packed report was written when its hash covered intervals and tests too. They are
// computed in another way now, so nothing computes that hash any more.
func FormerReport(b []byte) bool { return IsReport(b) && b[4] < hashVersion }

// UnpackReport reads what PackReport wrote, and what it wrote before: of version 1 the warnings are as they were
// written then.
func UnpackReport(b []byte) (*report.Report, error) { return Limits{}.UnpackReport(b) }

// UnpackReport is the function UnpackReport within Limits.Memory. The error is a *LimitError if the report exceeds
// it.
func (l Limits) UnpackReport(b []byte) (*report.Report, error) {
	version, payload, room, err := unseal(packedReport, hashVersion, b, l.withDefaults(len(b)).Memory, nil)
	if err != nil {
		return nil, err
	}
	r := &report.Report{}
	switch version {
	case plainVersion:
		_, err = decode(payload, &snapshot1{Report: r}, room)
	case dataVersion:
		_, err = decode(payload, (*snapshot2)(r), room)
	default:
		_, err = decode(payload, (*snapshot3)(r), room)
	}
	if err != nil {
		return nil, err
	}
	if !r.Whole() {
		return nil, errDamaged
	}
	r.Settle()
	return r, nil
}

// The forms of a report in a file. Each is frozen: it names every field itself and leaves out none of those that there
// were; what a Report gains later has its zero value in one that is read from it, and a change is a new version.

// snapshot1 is a Report in version 1, in which findings and warnings were sentences.
type snapshot1 struct{ *report.Report }

// Wire walks the snapshot.
func (s *snapshot1) Wire(c *wire.Codec) {
	r := s.Report
	var finding, note string // derived from the figures now
	var applied, warnings []string
	snapshotHead(c, r)
	c.Strings(&applied)
	snapshotQueries(c, r)
	wire.List(c, &r.Columns, func(m *report.Column) { snapshotColumn(c, m) })
	m := 0
	wire.List(c, new([]struct{}), func(*struct{}) {
		var beyond report.Column
		into := &beyond
		if m < len(r.Columns) {
			into = &r.Columns[m]
		} else {
			c.Fail()
		}
		m++
		snapshotExtra(c, into)
	})
	snapshotPairs(c, r)
	c.Fields(&r.Test.Name, &r.Test.Written, &finding, &note, &r.Hash, &r.Test.WrittenDoubts)
	snapshotRuns(c, r)
	c.Strings(&warnings)
	if len(applied) != len(r.Columns) {
		c.Fail()
		return
	}
	for m := range r.Columns {
		r.Columns[m].Applied = applied[m]
	}
	for _, w := range warnings {
		r.Warnings = append(r.Warnings, report.Warning{Kind: report.AsWritten, System: -1, Column: -1, Text: w})
	}
}

// snapshot2 is a Report in version 2.
type snapshot2 report.Report

// Wire walks the snapshot.
func (s *snapshot2) Wire(c *wire.Codec) {
	r := (*report.Report)(s)
	snapshotHead(c, r)
	snapshotQueries(c, r)
	wire.List(c, &r.Columns, func(m *report.Column) {
		snapshotColumn(c, m)
		c.String(&m.Applied)
		snapshotExtra(c, m)
	})
	snapshotPairs(c, r)
	// in words: this form is from when they were sentences
	why, doubts := r.Test.Why(say.Plain), r.TestDoubts(r.Tests(), say.Plain)
	c.Fields(&r.Test.Name, &why, &r.Hash, &doubts)
	if c.Reading() {
		r.Test.Written, r.Test.WrittenDoubts = why, doubts
	}
	snapshotRuns(c, r)
	c.String(&r.Stats.Digest)
	wire.List(c, &r.Warnings, func(w *report.Warning) {
		c.Fields((*string)(&w.Kind), &w.System, &w.Column, &w.N, &w.Low, &w.High, &w.Names, &w.Text)
	})
}

// snapshot3 is a Report as version 3 has it.
type snapshot3 report.Report

// Wire walks the snapshot.
func (s *snapshot3) Wire(c *wire.Codec) {
	(*snapshot2)(s).Wire(c)
	c.Bool(&s.Test.Many)
	wire.List(c, (*[]int)(&s.Letters), func(p *int) { c.Int(p) })
	c.Int(&s.Depth)
}

// What all versions have.

func snapshotHead(c *wire.Codec, r *report.Report) {
	c.Fields(&r.Collection.ID, &r.Collection.Name, &r.Collection.Hash, &r.Collection.Licence, &r.Collection.Analyzer,
		&r.Collection.Documents, &r.Collection.Queries, &r.Collection.Judgments, &r.Baseline)
	wire.List(c, &r.Systems, func(s *report.System) {
		c.Fields(&s.Notation, &s.Label, &s.Missing, &s.Why)
	})
	c.Strings(&r.Measures)
}

func snapshotQueries(c *wire.Codec, r *report.Report) {
	wire.List(c, &r.Queries, func(t *report.Query) {
		c.Fields(&t.ID, &t.Text, &t.Type, &t.Difficulty, &t.Relevant)
	})
}

func snapshotColumn(c *wire.Codec, m *report.Column) {
	c.String(&m.Measure)
	wire.List(c, &m.Values, c.Floats)
	c.Fields(&m.Means, &m.Low, &m.High, &m.Groups, &m.Best)
}

func snapshotExtra(c *wire.Codec, m *report.Column) {
	c.Fields(&m.Geometric, &m.Median, &m.TieLow, &m.TieHigh, &m.ResidualLow, &m.ResidualHigh, &m.Lower)
}

func snapshotPairs(c *wire.Codec, r *report.Report) {
	wire.List(c, &r.Pairs, func(p *report.Pair) {
		c.Fields(&p.A, &p.B, &p.Better, &p.Worse, &p.Equal, &p.Diff, &p.Low, &p.High, &p.P, &p.Adjusted, &p.Effect)
	})
}

func snapshotRuns(c *wire.Codec, r *report.Report) {
	wire.List(c, &r.Decisions, func(s *report.Decision) {
		c.Fields(&s.Name, &s.Option, &s.Doc, &s.Default)
	})
	wire.List(c, &r.Coverage, func(u *report.Coverage) {
		c.Fields(&u.Tag, &u.Missing, &u.Queries, &u.Foreign, &u.Documents, &u.Unjudged, &u.Top, &u.Tied, &u.TiedIn)
	})
	c.Fields(&r.Stats.Queries, &r.Stats.Judgments, &r.Stats.Relevant, &r.Stats.Barren, &r.Stats.RelevantMin,
		&r.Stats.RelevantMax,
		&r.Stats.RelevantMedian)
	wire.List(c, &r.Stats.Grades, func(g *report.Grade) { g.Wire(c) })
	wire.List(c, &r.Fields, func(f *report.Field) {
		c.String(&f.Name)
		wire.List(c, &f.Groups, func(g *report.Group) {
			c.Fields(&g.Value, &g.Queries)
			wire.List(c, &g.Means, c.Floats)
		})
	})
	c.Strings(&r.Skipped)
}
