package learn

import (
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
)

// Begun says whether a lesson's prediction was made on this device.
func (l *Learn) Begun(name string) bool {
	for key := range l.Picked {
		if strings.HasPrefix(key, name+".") {
			return true
		}
	}
	return false
}

// Next is the lesson to take: one that was begun and is not done, or the first behind a lesson ("" for the list's
// first)
// that is not done; nil if all of them are.
func (l *Learn) Next(behind string) *lesson.Head {
	s := l.Set()
	if s == nil {
		return nil
	}
	var first *lesson.Head
	from := -1
	for i := range s.Lessons {
		if s.Lessons[i].Name == behind {
			from = i
		}
	}
	for i := range s.Lessons {
		h := &s.Lessons[(from+1+i)%len(s.Lessons)].Head
		if l.Done[h.Name] || h.Name == behind {
			continue
		}
		if behind == "" && l.Begun(h.Name) {
			return h
		}
		if first == nil {
			first = h
		}
	}
	return first
}
