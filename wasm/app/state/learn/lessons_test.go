package learn

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
)

func TestAPathOpensItsLesson(t *testing.T) {
	for path, want := range map[string]string{"/learn/one": "One", "/learn/one/de": "One"} {
		l, _ := start(t, path, "one", nil)
		if x := l.Lessons.Current(); x == nil || x.Title != want {
			t.Errorf("%s opens %+v", path, x)
		}
	}
	l, r := start(t, "/learn", "", nil)
	if l.Lessons.Current() != nil || l.Lessons.Name != "" || len(l.Lessons.Set().Lessons) != 2 {
		t.Errorf("the list: %q", l.Lessons.Name)
	}
	l.Go("two") // of which the page has the head alone
	if len(r.Library) != 1 || l.Lessons.Current() != nil {
		t.Fatalf("asked %d times", len(r.Library))
	}
	r.Library[0](nil, "status 503")
	if p := l.App.Notices.Problem; p == nil || !strings.Contains(p.What, "status 503") || l.Lessons.Current() != nil ||
		len(r.Library) != 1 {
		t.Errorf("%+v, asked %d times", p, len(r.Library))
	}
	l.Go("two") // asks again
	r.Library[1](wire.Marshal(lessons()), "")
	if x := l.Lessons.Current(); x == nil || x.Title != "Two" {
		t.Errorf("%+v", x)
	}
	if at := r.Addresses[len(r.Addresses)-1]; at != "/learn/two" {
		t.Errorf("address %s", at)
	}
	l.App.Go("learn")
	if at := r.Addresses[len(r.Addresses)-1]; at != "/learn" || l.Lessons.Name != "" {
		t.Errorf("address %s, lesson %q", at, l.Lessons.Name)
	}
}

func TestLessonsOfAnotherVersionAreSaidSo(t *testing.T) {
	l, r := start(t, "/learn/two", "one", nil)
	r.Library[0]([]byte{9, 9, 9}, "")
	if l.App.Notices.Problem == nil || !strings.Contains(l.App.Notices.Problem.What, "another version") {
		t.Errorf("%+v", l.App.Notices.Problem)
	}
}
