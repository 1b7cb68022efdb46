package worker

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/message"
)

// A change since a snapshot counts where it reaches the share or the difference that was set. By hand: AP falls from
// 19/24 (b) to 2/3 (a), by 0.125, which is 16 %.
func TestThresholdsOfTheSnapshot(t *testing.T) {
	files := map[int][2]string{1: given1[1], 2: {"x.run", given1[3][1]}, 3: {"x.run", given1[2][1]}}
	l := newLab(t, files)
	setting := func(ids ...int) *message.Setting {
		s := &message.Setting{Chosen: true, Measures: []string{"AP"}}
		for _, id := range ids {
			s.Files = append(s.Files, message.File{ID: id, Name: files[id][0], Size: len(files[id][1])})
		}
		return s
	}
	l.compare(setting(1, 2))
	then := answer[message.Saved](l, message.Export, &message.AskExport{What: message.Wanted{Name: "snapshot"}})
	files[4] = [2]string{"then.rankbox-report", string(then.Bytes)}
	for _, x := range []struct {
		relative, absolute float64
		want               gates.Verdict
	}{{0, 0, gates.Unchanged}, {0.5, 0, gates.Unchanged}, {0.5, 0.12, gates.Unchanged}, {0.5, 0.13, gates.Unchanged},
		{0.1, 0.5, gates.Unchanged}} {
		s := setting(1, 3, 4)
		s.Relative, s.Absolute = x.relative, x.absolute
		d := l.compare(s)
		if len(d.Regression) != 1 || d.Regression[0].Verdict != x.want {
			t.Errorf("%v: %+v", x, d.Regression)
		}
	}
}
