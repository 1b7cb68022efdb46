package within

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// Input of exactly the limit is read completely, whatever length it declares; one byte more is refused.
func TestWhatIsWithinTheBoundIsReadWhole(t *testing.T) {
	dir := t.TempDir()
	want := []byte("0123456789")
	if err := os.WriteFile(filepath.Join(dir, "file"), want, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(most int64) ([]byte, error){
		"of a folder":   func(most int64) ([]byte, error) { return FS(os.DirFS(dir), "file", most) },
		"no length":     func(most int64) ([]byte, error) { return All(bytes.NewReader(want), 0, most) },
		"a shorter one": func(most int64) ([]byte, error) { return All(bytes.NewReader(want), 3, most) },
		"its length":    func(most int64) ([]byte, error) { return All(bytes.NewReader(want), 10, most) },
		"a file system": func(most int64) ([]byte, error) { return FS(fstest.MapFS{"a": {Data: want}}, "a", most) },
	} {
		if got, err := read(10); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if got, err := read(9); got != nil || !errors.Is(err, ErrLong) ||
			!strings.HasSuffix(err.Error(), "more than 9 bytes") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for most, want := range map[int64]string{3 << 30: "more than 3 GiB", 5 << 20: "more than 5 MiB"} {
		if _, err := All(nil, most+1, most); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Endless input, and an overlong sparse file, take no memory.
func TestWhatIsLongerIsNotRead(t *testing.T) {
	dir := t.TempDir()
	hole := filepath.Join(dir, "hole")
	if err := os.WriteFile(hole, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(hole, 5<<30); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := FS(os.DirFS(dir), "hole", 4<<30); !errors.Is(err, ErrLong) || err.Error() != "hole: more than 4 GiB" {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "device")); err != nil {
		t.Fatal(err)
	}
	if _, err := FS(os.DirFS(dir), "device", 1<<40); err == nil || err.Error() != "device is no file" {
		t.Error(err)
	}
	if _, err := FS(os.DirFS(dir), "none", 1); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
