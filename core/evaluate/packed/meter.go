package packed

import (
	"io"

	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// A Tell receives progress, done of total, and returns whether to continue. Cancelled work ends with
// compare.ErrCancelled.
type Tell func(done, total int) (on bool)

// tellTotal is the total that a Tell receives.
const tellTotal = 1000

// meter divides work into stretches and reports progress. The zero meter reports to nobody.
type meter struct {
	tell     Tell
	from, to int // range of the current stretch, in parts of tellTotal
	over     bool
}

// stretch starts the part of the work that ends at to.
func (m *meter) stretch(to int) {
	if m != nil {
		m.from, m.to = m.to, to
	}
}

// at reports that i of n of the stretch are done, and returns whether to continue.
func (m *meter) at(i, n int) (on bool) {
	if m == nil || m.tell == nil {
		return true
	}
	m.over = m.over || !m.tell(m.from+(m.to-m.from)*min(i, n)/max(n, 1), tellTotal)
	return !m.over
}

// err is compare.ErrCancelled if the work was cancelled.
func (m *meter) err() error {
	if m != nil && m.over {
		return compare.ErrCancelled
	}
	return nil
}

// reading is a reader of n bytes that reports how many were read.
type reading struct {
	r     io.Reader
	m     *meter
	at, n int
}

func (r *reading) Read(b []byte) (int, error) {
	if !r.m.at(r.at, r.n) {
		return 0, compare.ErrCancelled
	}
	n, err := r.r.Read(b[:min(len(b), 1<<16)])
	r.at += n
	return n, err
}
