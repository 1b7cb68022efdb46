package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

// Oracle: encoding/json reads the same string back.
func TestQuotedStringsAreReadBack(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c/d", "\x00\x1f\n\t\r\x7f", "</script><!--",
		"é漢\U0001F600\u2028\u2029", "bad \xff\xfe byte", "\xed\xa0\x80"} {
		q := Quote(s)
		var got string
		if err := json.Unmarshal([]byte(q), &got); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		if want := strings.ToValidUTF8(s, "\uffff"); strings.Count(got, "\ufffd") == 0 && got != want {
			t.Errorf("%q came back as %q", s, got)
		}
		if strings.ContainsAny(q, "<\u2028\u2029") {
			t.Errorf("%s may not stand in a page", q)
		}
		r := New(nil, Limits{})
		r.Reset([]byte(q))
		if back := r.String(); back != got || r.Err() != nil {
			t.Errorf("our own reader reads %q, encoding/json %q (%v)", back, got, r.Err())
		}
	}
}
