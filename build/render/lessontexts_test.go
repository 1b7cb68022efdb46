package main

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/teach/lesson"
)

// The right option of a prediction is not told by its place: over the lessons every place has its share.
func TestLessonsHideTheRightOption(t *testing.T) {
	src := harbourWire(t)
	t.Chdir("../..") // lessons are read from there
	set, err := lessons(sessionOf(t, src))
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Lessons) < 18 {
		t.Fatalf("%d lessons", len(set.Lessons))
	}
	places := map[int]int{}
	for _, l := range set.Lessons {
		for _, b := range l.Steps[0] {
			if b.Kind == lesson.Question {
				places[slices.IndexFunc(b.Options, func(o lesson.Option) bool { return o.Right })]++
			}
		}
	}
	for place := range 3 {
		if n := places[place]; n < len(set.Lessons)/4 || n > len(set.Lessons)/2 {
			t.Errorf("the right option is number %d in %d of %d lessons", place+1, n, len(set.Lessons))
		}
	}
}
