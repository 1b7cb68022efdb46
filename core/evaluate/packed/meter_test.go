package packed

import (
	"bytes"
	"errors"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// Packing and opening give equal results with and without progress. Progress only grows, and work stops when told
// to.
func TestWorkTellsHowFarItIsAndStops(t *testing.T) {
	f := File{Input: fixture(t, "nDCG@10")}
	want, err := Pack(f, Saving{})
	if err != nil {
		t.Fatal(err)
	}
	told, last := 0, -1
	got, err := PackTelling(f, Saving{}, func(done, total int) bool {
		if total != tellTotal || done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		told, last = told+1, done
		return true
	})
	if err != nil || !bytes.Equal(got, want) || told < 5 || last < 500 {
		t.Errorf("told %d times, up to %d: %d bytes, want %d; %v", told, last, len(got), len(want), err)
	}
	for stop := range told {
		n := 0
		if b, err := PackTelling(f, Saving{}, func(int, int) bool {
			n++
			return n <= stop
		}); !errors.Is(err, compare.ErrCancelled) || b != nil {
			t.Errorf("told to stop at %d of %d: %d bytes, %v", stop, told, len(b), err)
		}
	}
	told = 0
	if _, err := (Limits{Tell: func(int, int) bool { told++; return true }}).Unpack(want); err != nil || told < 3 {
		t.Errorf("opened: told %d times, %v", told, err)
	}
	for stop := range told {
		n := 0
		if x, err := (Limits{Tell: func(int, int) bool { n++; return n <= stop }}).Unpack(want); !errors.Is(err,
			compare.ErrCancelled) || x != nil {
			t.Errorf("opening told to stop at %d of %d: %v", stop, told, err)
		}
	}
}
