package text

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// Lucene 9.12.3's CJKAnalyzer on 47 chosen and 1,500 random texts and one of 301 characters (scripts/oracle/cjk).
func TestOracleLuceneCJK(t *testing.T) {
	f, err := os.Open("testdata/cjk.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := mustGet(t, "cjk")
	sc := bufio.NewScanner(f)
	n, bad := 0, 0
	for sc.Scan() {
		var d struct {
			Text   string
			Tokens []string
		}
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		n++
		if got := a.Terms(d.Text); !slices.Equal(got, d.Tokens) && len(got)+len(d.Tokens) > 0 {
			if bad++; bad < 20 {
				t.Errorf("Terms(%+q)\n got %+q\nwant %+q", d.Text, got, d.Tokens)
			}
		}
	}
	if err := sc.Err(); err != nil || n != 1549 || bad > 0 {
		t.Errorf("%d of %d differ, %v", bad, n, err)
	}
}
