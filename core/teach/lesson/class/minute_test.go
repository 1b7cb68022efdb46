package class

import (
	"testing"
	"time"
)

// Minutes are formatted as by package time, locally and in UTC, and parse back.
func TestMinutesAreThoseOfPackageTime(t *testing.T) {
	for _, at := range []time.Time{
		time.Date(2026, 11, 30, 18, 0, 0, 0, time.UTC), time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC),
		time.Date(1999, 12, 31, 0, 7, 0, 0, time.UTC), time.Date(2100, 3, 1, 12, 30, 0, 0, time.UTC),
	} {
		m := MinuteOf(at)
		if got, want := m.String(), at.Format("2006-01-02 15:04"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := m.Local(), at.In(time.Local).Format("2006-01-02T15:04"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := m.Words(), at.In(time.Local).Format("2 January 2006, 15:04"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, ok := ReadMinute(m.Local()); !ok || got != m {
			t.Errorf("%s is read as %d, %v", m.Local(), got, ok)
		}
	}
	for _, bad := range []string{"", "soon", "2026-11-30 18:00", "2026-13-01T10:00", "2026-06-31T10:00",
		"2026-11-30T24:00",
		"2026-11-30T10:60", "1969-12-31T10:00", "2026-11-3OT18:00", "+026-11-30T18:00"} {
		if m, ok := ReadMinute(bad); ok {
			t.Errorf("%q is read as %s", bad, m)
		}
	}
	if MinuteOf(time.Unix(-90, 0)) != 0 {
		t.Error("a time before 1970")
	}
}
