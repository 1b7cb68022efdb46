package gateway

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// By hand. Of 20 calls 18 took up to 0.1 s, one up to 2 s and one longer than 5 s: rank 19 is the end of the bucket
// from 1 to 2 s. Of 10 in the bucket from 0.3 to 0.5 s rank 9.5 is 0.3 + 0.2 × 0.95.
func TestQuantileOfBuckets(t *testing.T) {
	for _, c := range []struct {
		calls [7]int
		want  float64
		n     int
	}{
		{[7]int{18, 0, 0, 0, 1, 0, 1}, 2, 20},
		{[7]int{0, 0, 10}, 0.49, 10},
		{[7]int{18, 0, 0, 0, 0, 0, 2}, 5, 20}, // within the last bucket: its lower end
		{[7]int{}, math.NaN(), 0},
	} {
		got, n := (&counts{calls: c.calls}).quantile(0.95)
		if n != c.n || math.Abs(got-c.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%v: %v of %d, want %v of %d", c.calls, got, n, c.want, c.n)
		}
	}
}

// By hand: four minutes after its calls a window of five still has them, six minutes after it has not; one of ten has
// them then, and eleven minutes after no more. A slot that is used again begins at nothing, and a clock that was set
// back sees no calls of the future.
func TestWindowsForget(t *testing.T) {
	var r recent
	begin := time.Unix(1_700_000_000, 0)
	for range 3 {
		r.at(begin).calls[0]++
	}
	for minutes, want := range map[int][2]int{0: {3, 3}, 4: {3, 3}, 5: {3, 3}, 6: {0, 3}, 10: {0, 3}, 11: {0, 0},
		-1: {0, 0}} {
		now := begin.Add(time.Duration(minutes) * time.Minute)
		short, long := r.within(5*time.Minute, now), r.within(longestWindow, now)
		if short.calls[0] != want[0] || long.calls[0] != want[1] {
			t.Errorf("after %d minutes: %d and %d, want %v", minutes, short.calls[0], long.calls[0], want)
		}
	}
	// a call every ten seconds, for as long as the longest window and one slot more: all of them are in it
	var full recent
	slots := int(longestWindow/slotLength) + 1
	for i := range slots {
		full.at(begin.Add(time.Duration(i) * slotLength)).calls[0]++
	}
	if now := full.within(longestWindow, begin.Add(longestWindow)); now.calls[0] != slots {
		t.Errorf("%d of %d calls are counted", now.calls[0], slots)
	}
	again := begin.Add(time.Duration(slotsKept) * slotLength)
	r.at(again).calls[0]++
	if now := r.within(longestWindow, again); now.calls[0] != 1 {
		t.Errorf("%d", now.calls[0])
	}
}

// What /metrics says of the last minutes is what the rules of scripts/deploy/alerts.yml see over the same minutes, and
// every rule has its figure, with its limit and its window.
func TestRecentFiguresAreThoseOfTheRules(t *testing.T) {
	rules := readAlerts(t)
	if len(rules) != len(windowFigures) {
		t.Fatalf("%d rules, %d figures", len(rules), len(windowFigures))
	}
	for i, f := range windowFigures {
		minutes := strconv.Itoa(int(f.window / time.Minute))
		sign := map[string]string{"above": ">", "below": "<"}[f.exceeded]
		end := " " + sign + " " + strconv.FormatFloat(f.limit, 'g', -1, 64)
		if e := rules[i].expr; !strings.HasSuffix(e, end) || !strings.Contains(e, "["+minutes+"m]") {
			t.Errorf("%s is not %s over %s minutes, limit%s", e, f.name, minutes, end)
		}
	}
	for _, c := range scenes {
		whole := history(t, c.host, 1)
		for minute := 11; minute < len(whole); minute++ { // before, the rules have shorter windows
			for i, f := range windowFigures {
				value, n := math.NaN(), 0.0
				for series, v := range whole[minute] {
					if strings.Contains(series, `figure="`+f.name+`"`) {
						switch name, _, _ := strings.Cut(series, "{"); name {
						case "rankbox_recent":
							value = v
						case "rankbox_recent_count":
							n = v
						}
					}
				}
				beyond := n > 0 && (f.exceeded == "above" && value > f.limit ||
					f.exceeded == "below" && value < f.limit)
				if want := rules[i].holds(t, whole[:minute+1]); beyond != want || n == 0 {
					t.Errorf("%s, minute %d: %s is %v of %v, and the rule says %v", c.name, minute, f.name, value, n,
						want)
				}
			}
		}
	}
}

// By hand: 15 calls a minute. Over five minutes 75 of them and five of /metrics itself, over ten 150, of which every
// tenth falls back; the other 135 have scores 0.8 and 0.75.
func TestRecentFiguresByHand(t *testing.T) {
	c := clock{takes: 200 * time.Millisecond, score: 0.8, fails: 10}
	whole := history(t, c, 1)
	last := whole[len(whole)-1]
	const isolate = `,isolate="00000000"}`
	for series, want := range map[string]float64{
		`rankbox_recent{figure="fallback_share",minutes="10"`:                    0.1,
		`rankbox_recent{figure="score_mean",minutes="10"`:                        0.775,
		`rankbox_recent{figure="score_spread",minutes="10"`:                      0.05,
		`rankbox_recent_count{figure="p95_seconds",minutes="5"`:                  80,
		`rankbox_recent_count{figure="fallback_share",minutes="10"`:              150,
		`rankbox_recent_count{figure="score_mean",minutes="10"`:                  270,
		`rankbox_recent_count{figure="score_spread",minutes="10"`:                135,
		`rankbox_recent_limit{figure="p95_seconds",minutes="5",exceeded="above"`: 2,
		`rankbox_recent_limit{figure="score_mean",minutes="10",exceeded="below"`: 0.5,
	} {
		if got, ok := last[series+isolate]; !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", series, got, want)
		}
	}
}
