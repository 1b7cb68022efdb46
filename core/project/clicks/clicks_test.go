package clicks

import (
	"reflect"
	"strings"
	"testing"
)

// 1,795,575,600,123 ms after 1970 are 20,782 days (2026-11-25), 3 hours and 0.123 s: 20,782 · 86,400,000 =
// 1,795,564,800,000.
var one = Entry{Time: 1_795_575_600_123, Collection: "harbour-wire", QueryID: "q02", Query: `port "strike"`,
	Systems: []string{"bm25", "dense"}, System: "bm25", Ranking: []string{"d3", "d1"}, Position: 2, Document: "d1",
	Dwell: 4200}

const line = `{"time":"2026-11-25T03:00:00.123Z","collection":"harbour-wire","query_id":"q02",` +
	`"query":"port \"strike\"","systems":["bm25","dense"],"system":"bm25","ranking":["d3","d1"],` +
	`"position":2,"document":"d1","dwell_ms":4200}`

func TestAnEntryIsALineAndComesBack(t *testing.T) {
	if got := one.Line(); got != line {
		t.Errorf("%s\nwant %s", got, line)
	}
	typed := one
	typed.QueryID, typed.Dwell = "", 0
	got, err := Read([]byte("\ufeff" + line + "\r\n\n" + strings.Replace(typed.Line(), "{", `{"extra":[1,{}],`, 1)))
	if err != nil || !reflect.DeepEqual(got, []Entry{one, typed}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAWrongEntryIsRefusedWithItsLine(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"position":2`, `"position":3`, "position 3 is outside 1 to 2"},
		{`"position":2`, `"position":1`, `at position 1 is "d3", not "d1"`},
		{`"document":"d1",`, ``, "no document"},
		{`03:00:00.123Z`, `3 o'clock`, "is not like"},
		{`4200}`, `-1}`, "negative"},
		{`"query_id"`, `"time"`, "comes twice"},
		{`}`, ``, ""},
	} {
		_, err := Read([]byte(line + "\n" + strings.Replace(line, c.from, c.to, 1) + "\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s → %s: %v", c.from, c.to, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(line + "\n" + line))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := Read(b)
		if err != nil {
			return
		}
		var again strings.Builder
		for i := range list {
			again.WriteString(list[i].Line() + "\n")
		}
		if got, err := Read([]byte(again.String())); err != nil || len(got) != len(list) {
			t.Fatalf("%d entries come back as %d: %v", len(list), len(got), err)
		}
	})
}
