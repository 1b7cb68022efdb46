package collection

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected messages of testdata/malformed")

// TestMalformed reads every file of testdata/malformed, none of which can be read: the reason, with file and line, is
// that of the file of the same name with ".want" behind it.
func TestMalformed(t *testing.T) {
	files, err := filepath.Glob("testdata/malformed/*")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, path := range files {
		if strings.HasSuffix(path, ".want") {
			continue
		}
		n++
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Read(name, bytes.NewReader(data), Options{})
			if err == nil {
				t.Fatalf("read as %s", c.Format)
			}
			var pe *ParseError
			if !errors.As(err, &pe) || !strings.HasPrefix(pe.File, name) {
				t.Errorf("error %#v", err)
			}
			if *update {
				if err := os.WriteFile(path+".want", []byte(err.Error()+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err2 := os.ReadFile(path + ".want")
			if err2 != nil {
				t.Fatal(err2)
			}
			if got := err.Error() + "\n"; got != string(want) {
				t.Errorf("%swant %s", got, want)
			}
			// The same, where the file comes a few bytes at a time and cannot be read again.
			if _, err2 := Read(name, &slowly{data, 13}, Options{}); err2 == nil || err2.Error() != err.Error() {
				t.Errorf("piece by piece: %v", err2)
			}
		})
	}
	if n < 100 {
		t.Errorf("%d files", n)
	}
}
