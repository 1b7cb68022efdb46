package jsontext

import (
	"encoding/json"
	"testing"
)

// Oracle: encoding/json of the Go that runs the test.
func TestAppendString(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, s := range []string{"", "plain", `a"b\c`, "é😀\u2028", "\x00\x1f\x7f\n\r\t", "a\xffb\xe2\x82", string(all)} {
		got := AppendString([]byte("x"), s)
		var back string
		if err := json.Unmarshal(got[1:], &back); err != nil || back != string([]rune(s)) {
			t.Errorf("%q: %s, %v", s, got, err)
		}
		r := New(nil, Limits{})
		r.Reset(got[1:])
		if own := r.String(); own != back || r.Err() != nil {
			t.Errorf("%q: read back as %q, %v", s, own, r.Err())
		}
	}
}
