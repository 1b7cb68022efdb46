// Package clicks is the click log of Search: which document of which ranking a person opened. A log is JSON Lines, an
// entry a line, as docs/schemas/click.schema.json says. It records nothing by itself, ranks nothing and knows no
// browser.
package clicks

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Limits of an entry.
const (
	MaxRanking = 1000    // documents of a ranking
	MaxText    = 1 << 16 // bytes of a line
)

// Entry is a document that was opened.
type Entry struct {
	Time       int64  // milliseconds since 1970
	Collection string // id
	QueryID    string // "" for a query that was only typed
	Query      string // its text
	Systems    []string
	System     string   // of Systems: whose ranking the document was opened in
	Ranking    []string // ids of the documents that it showed, the first at position 1
	Position   int      // of Document in Ranking, from 1
	Document   string
	Dwell      int // milliseconds until it was closed or another was opened, 0 if that is not known
}

// moment is how a time is written: UTC, to the millisecond.
const moment = "2006-01-02T15:04:05.000Z"

// Line writes the entry as JSON, without a line feed.
func (e *Entry) Line() string {
	var b strings.Builder
	w := jsontext.Writer{To: &b}
	w.Object("", func() {
		w.Str("time", time.UnixMilli(e.Time).UTC().Format(moment))
		w.Str("collection", e.Collection)
		if e.QueryID != "" {
			w.Str("query_id", e.QueryID)
		}
		w.Str("query", e.Query)
		w.Strs("systems", e.Systems)
		w.Str("system", e.System)
		w.Strs("ranking", e.Ranking)
		w.Int("position", e.Position)
		w.Str("document", e.Document)
		if e.Dwell > 0 {
			w.Int("dwell_ms", e.Dwell)
		}
	})
	return b.String()
}

func fault(format string, args ...any) error { return say.Faultf("clicks", format, args...) }

// Check says what is wrong with the entry.
func (e *Entry) Check() error {
	switch {
	case e.Time < 0 || e.Time > 253402300799999: // the end of the year 9999
		return fault("the time is outside 1970 to 9999")
	case e.System == "" || e.Document == "":
		return fault("an entry needs a system and a document")
	case len(e.Ranking) > MaxRanking:
		return fault("the ranking has %d documents, more than %d", len(e.Ranking), MaxRanking)
	case e.Position < 1 || e.Position > len(e.Ranking):
		return fault("position %d is outside 1 to %d, the length of the ranking", e.Position, len(e.Ranking))
	case e.Ranking[e.Position-1] != e.Document:
		return fault("the document at position %d is %q, not %q", e.Position, e.Ranking[e.Position-1], e.Document)
	case e.Dwell < 0:
		return fault("dwell_ms is negative")
	}
	return nil
}

// ReadLine reads what Line wrote. Members that it does not know are passed over.
func ReadLine(line []byte) (Entry, error) {
	r := jsontext.New(nil, jsontext.Limits{Depth: 4, Token: MaxText})
	r.Reset(line)
	var e Entry
	seen := map[string]bool{}
	for r.BeginObject(); r.More(); {
		key := string(r.Key())
		if seen[key] {
			r.Invalid("the key " + say.Brief(key, 40) + " comes twice")
			break
		}
		seen[key] = true
		switch key {
		case "time":
			s := r.String()
			t, err := time.Parse(moment, s)
			if err != nil && r.Err() == nil {
				r.Fail(fmt.Errorf("the time %q is not like %s", say.Brief(s, 40), moment))
			}
			e.Time = t.UnixMilli()
		case "collection":
			e.Collection = r.String()
		case "query_id":
			e.QueryID = r.String()
		case "query":
			e.Query = r.String()
		case "systems":
			e.Systems = list(r)
		case "system":
			e.System = r.String()
		case "ranking":
			e.Ranking = list(r)
		case "position":
			e.Position = int(r.Int())
		case "document":
			e.Document = r.String()
		case "dwell_ms":
			e.Dwell = int(r.Int())
		default:
			r.Skip()
		}
	}
	if r.End(); r.Err() != nil {
		return Entry{}, r.Err()
	}
	for _, key := range []string{"time", "query", "system", "ranking", "position", "document"} {
		if !seen[key] {
			return Entry{}, fault("the entry has no %s", key)
		}
	}
	return e, e.Check()
}

func list(r *jsontext.Reader) (out []string) {
	for r.BeginArray(); r.More(); {
		if out = append(out, r.String()); len(out) > MaxRanking {
			r.Invalid("more than 1,000 entries")
			break
		}
	}
	return out
}

// Read reads a log. The error names the line. Blank lines are passed over.
func Read(log []byte) (out []Entry, err error) {
	for n := 1; len(log) > 0; n++ {
		line, rest, _ := bytes.Cut(log, []byte("\n"))
		log = rest
		if line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))); len(line) == 0 {
			continue
		}
		if len(line) > MaxText {
			return nil, fault("line %d has %d bytes, more than %d", n, len(line), MaxText)
		}
		e, err := ReadLine(line)
		if err != nil {
			return nil, fault("line %d: %s", n, say.Told(err))
		}
		out = append(out, e)
	}
	return out, nil
}
