package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/say"
)

// How much is read of what is no collection, run or judgments: those have limits of their own.
const (
	mostText    = 64 << 20 // a text that is taken apart, a comment, a configuration
	mostFolder  = 1 << 30  // a file of an experiment's folder, a bundle's manifest
	mostJournal = 4 << 30
	unsized     = intake.MaxPacked
)

// readWithin reads a file of no more than most bytes. A longer one is refused unread; a pipe or a device, which does not say how long it is, as soon
// as it is too long, at unsized at the latest.
func readWithin(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := int64(0)
	if info.Mode().IsRegular() {
		size = info.Size()
	} else {
		most = min(most, unsized)
	}
	b, err := allWithin(f, size, most)
	if errors.Is(err, errLong) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return b, err
}

// allWithin reads what is left of r, about size bytes, and no more than most.
func allWithin(r io.Reader, size, most int64) ([]byte, error) {
	var b bytes.Buffer
	if size <= most {
		b.Grow(int(size) + bytes.MinRead)
		if _, err := b.ReadFrom(io.LimitReader(r, most+1)); err != nil {
			return nil, err
		}
		size = int64(b.Len())
	}
	if size <= most {
		return b.Bytes(), nil
	}
	if most%(1<<20) == 0 {
		return nil, fmt.Errorf("%w %d MiB", errLong, most>>20)
	}
	return nil, fmt.Errorf("%w %s", errLong, say.Bytes(most))
}

// errLong is what the error of a file that is too long begins with.
var errLong = errors.New("more than")
