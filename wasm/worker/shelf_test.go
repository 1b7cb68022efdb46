package worker

import (
	"errors"
	"slices"
	"testing"
)

// slowShelf notes when the writing of each file begins and ends; one name fails.
type slowShelf struct {
	Shelf
	fails string
	under int
	most  int
	log   []string
}

func (s *slowShelf) Begin(_, name string, _ []byte) func() error {
	s.under++
	s.most = max(s.most, s.under)
	s.log = append(s.log, name)
	return func() error {
		s.under--
		if name == s.fails {
			return errors.New(name + " has no room")
		}
		return nil
	}
}

func TestFilesArePutSeveralAtATimeAndTheLastAlone(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "manifest.json"}
	files := map[string][]byte{}
	for _, c := range []struct {
		fails, stops string
		begun        int // how many files are begun, by hand: four at a time
		err          string
	}{
		{"", "", 7, ""},
		{"a", "", 4, "a has no room"},
		{"c", "", 6, "c has no room"},
		{"f", "", 6, "f has no room"},
		{"", "b", 5, "stopped"},
		{"manifest.json", "", 7, "manifest.json has no room"},
	} {
		s := &slowShelf{fails: c.fails}
		var told []string
		err := putAll(s, "x", names, files, func(name string) error {
			if name == "manifest.json" && s.most > 1 && len(told) != 6 {
				t.Errorf("%+v: the manifest was written before the others: %v", c, told)
			}
			told = append(told, name)
			if name == c.stops {
				return errors.New("stopped")
			}
			return nil
		})
		if s.under != 0 || len(s.log) != c.begun || s.most > atOnce || (err == nil) != (c.err == "") ||
			err != nil && err.Error() != c.err || !slices.Equal(told, names[:len(told)]) {
			t.Errorf("%+v: %v, begun %v, told %v, %d still under way", c, err, s.log, told, s.under)
		}
	}
}
