package compare

import (
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The hashes are the same on amd64 and wasm: this test runs on both. The small input takes the randomisation test, the
// large one the t test.
func TestHashes(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct{ runs, queries, depth int }{{3, 12, 10}, {4, 60, 12}} {
		in := random(t, rand.New(rand.NewSource(int64(c.queries))), c.runs, c.queries, c.depth)
		in.Measures = everyMeasure()
		r, err := Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(r.Hash + " " + strconv.Itoa(c.runs) + " runs, " + strconv.Itoa(c.queries) + " queries, " +
			r.Test.Name + "\n")
	}
	golden(t, "hashes.txt", b.String())
}

// golden compares got with a file of testdata/golden, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", name, got)
	}
}
