package class

import (
	"strconv"
	"strings"
	"time"
)

// Minute is a point in time in minutes since 1970 in UTC, 0 for none. It avoids the layouts of package time, which
// would add 25 kB to the compressed lessons program.
type Minute int64

// MinuteOf returns the minute of a time, or 0 before 1970.
func MinuteOf(t time.Time) Minute { return Minute(max(0, t.Unix()/60)) }

// String formats it in UTC: "2026-11-30 18:00".
func (m Minute) String() string { return formatTime(m.time().UTC(), " ") }

// Local formats it in local time, as HTML forms do: "2026-11-30T18:00".
func (m Minute) Local() string { return formatTime(m.time(), "T") }

// Words formats it in local time for people: "30 November 2026, 18:00".
func (m Minute) Words() string {
	t := m.time()
	year, month, day := t.Date()
	return strconv.Itoa(day) + " " + month.String() + " " + strconv.Itoa(year) + ", " + hours(t)
}

func (m Minute) time() time.Time { return time.Unix(60*int64(m), 0) }

func formatTime(t time.Time, between string) string {
	year, month, day := t.Date()
	return digits(year, 4) + "-" + digits(int(month), 2) + "-" + digits(day, 2) + between + hours(t)
}

func hours(t time.Time) string {
	hour, minute, _ := t.Clock()
	return digits(hour, 2) + ":" + digits(minute, 2)
}

// digits writes n with leading zeros.
func digits(n, length int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, length-len(s))) + s
}

// ReadMinute parses the output of Local; false if it is no minute after 1970.
func ReadMinute(text string) (Minute, bool) {
	const form = "0000-00-00T00:00"
	if len(text) != len(form) {
		return 0, false
	}
	for i := range form {
		if digit := text[i] >= '0' && text[i] <= '9'; digit != (form[i] == '0') || !digit && text[i] != form[i] {
			return 0, false
		}
	}
	part := func(from, to int) int {
		n, err := strconv.Atoi(text[from:to])
		if err != nil { // not digits
			panic(err)
		}
		return n
	}
	day, hour, minute := part(8, 10), part(11, 13), part(14, 16)
	t := time.Date(part(0, 4), time.Month(part(5, 7)), day, hour, minute, 0, 0, time.Local)
	m := MinuteOf(t)
	// A typed 31 June would become 1 July, and an hour skipped by a clock change another one.
	if year, month, d := t.Date(); m == 0 || year != part(0, 4) || int(month) != part(5, 7) || d != day || hour > 23 ||
		minute > 59 {
		return 0, false
	}
	return m, true
}
