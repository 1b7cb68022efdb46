package gateway

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// recent counts the last minutes in slots of ten seconds, so that /metrics can say what the alert rules would see
// (scripts/deploy/alerts.yml), for those who have no Prometheus. The zero recent is ready.
type recent struct{ slots [slotsKept]counts }

const (
	slotLength = 10 * time.Second
	slotsKept  = int(longestWindow/slotLength) + 1 // the last one is not over
)

const longestWindow = 10 * time.Minute

// counts are of one slot, or the sum over several.
type counts struct {
	slot          int64  // since 1970
	calls         [7]int // by bucket of latency
	answers, fell int    // of reranking
	scores        int
	scoreSum      float64
	spreads       int // answers of at least two documents
	spreadSum     float64
}

// at returns the slot of a time.
func (r *recent) at(t time.Time) *counts {
	n := max(t.UnixNano()/int64(slotLength), 0)
	s := &r.slots[n%int64(slotsKept)]
	if s.slot != n {
		*s = counts{slot: n}
	}
	return s
}

// within sums the slots of a window that ends now: of as long as it says, and of up to ten seconds more.
func (r *recent) within(window time.Duration, now time.Time) (sum counts) {
	last := now.UnixNano() / int64(slotLength)
	for i := range r.slots {
		s := &r.slots[i]
		if s.slot > last || s.slot < last-int64(window/slotLength) {
			continue
		}
		for b, n := range s.calls {
			sum.calls[b] += n
		}
		sum.answers, sum.fell = sum.answers+s.answers, sum.fell+s.fell
		sum.scores, sum.scoreSum = sum.scores+s.scores, sum.scoreSum+s.scoreSum
		sum.spreads, sum.spreadSum = sum.spreads+s.spreads, sum.spreadSum+s.spreadSum
	}
	return sum
}

// windowFigure is the figure of one alert rule, with the rule's window and limit.
type windowFigure struct {
	name     string
	window   time.Duration
	limit    float64
	exceeded string                       // above or below the limit
	of       func(*counts) (float64, int) // and of how many; of none it is no number
}

// windowFigures are those of scripts/deploy/alerts.yml, in its order.
var windowFigures = []windowFigure{
	{"p95_seconds", 5 * time.Minute, 2, "above", func(c *counts) (float64, int) { return c.quantile(0.95) }},
	{"fallback_share", longestWindow, 0.05, "above", func(c *counts) (float64, int) {
		return float64(c.fell) / float64(c.answers), c.answers
	}},
	{"score_mean", longestWindow, 0.5, "below", func(c *counts) (float64, int) {
		return c.scoreSum / float64(c.scores), c.scores
	}},
	{"score_spread", longestWindow, 0.01, "below", func(c *counts) (float64, int) {
		return c.spreadSum / float64(c.spreads), c.spreads
	}},
}

// quantile interpolates within a bucket as Prometheus' histogram_quantile does. In the last bucket, which has no upper
// end, it is the lower one.
func (c *counts) quantile(q float64) (float64, int) {
	all := 0
	for _, n := range c.calls {
		all += n
	}
	if all == 0 {
		return math.NaN(), 0
	}
	rank, before := float64(q*float64(all)), 0
	for i, upper := range buckets {
		if n := c.calls[i]; float64(before+n) >= rank {
			lower := 0.0
			if i > 0 {
				lower = buckets[i-1]
			}
			return lower + float64((upper-lower)*(rank-float64(before)))/float64(n), all
		}
		before += c.calls[i]
	}
	return buckets[len(buckets)-1], all
}

// write writes the figures. One of nothing is left out.
func (r *recent) write(now time.Time, head func(name, kind, about string), line func(name, labels string, v float64)) {
	type row struct {
		labels, exceeded string
		value, limit     float64
		n                int
	}
	var rows []row
	for _, f := range windowFigures {
		sum := r.within(f.window, now)
		value, n := f.of(&sum)
		labels := `figure="` + f.name + `",minutes="` + strconv.Itoa(int(f.window/time.Minute)) + `"`
		rows = append(rows, row{labels, `,exceeded="` + f.exceeded + `"`, value, f.limit, n})
	}
	head("rankbox_recent", "gauge", "Figures of the alert rules over the last minutes.")
	for _, x := range slices.DeleteFunc(slices.Clone(rows), func(x row) bool { return x.n == 0 }) {
		line("rankbox_recent", x.labels, x.value)
	}
	head("rankbox_recent_count", "gauge", "Calls, answers or scores that the figure is of.")
	for _, x := range rows {
		line("rankbox_recent_count", x.labels, float64(x.n))
	}
	head("rankbox_recent_limit", "gauge", "Limit of the alert rule; it trips above or below.")
	for _, x := range rows {
		line("rankbox_recent_limit", x.labels+x.exceeded, x.limit)
	}
}
