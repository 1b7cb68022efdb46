package learn

import "github.com/rankbox/rankbox/core/teach/lesson"

// Tosses are those of a block of coins, nil where its differences cannot be tossed for: a student's number makes them,
// as it makes exercises.
func (s *Figures) Tosses(key string, b *lesson.Block) *lesson.Tosses {
	if t, ok := s.tosses[key]; ok {
		return t
	}
	c, err := b.Coins()
	if err != nil { // the build refuses such a block
		return nil
	}
	t := c.Toss(Seed(s.answers.Student, key, 0))
	s.tosses[key] = t
	return t
}

// Toss tosses every coin of a block n times.
func (s *Figures) Toss(key string, b *lesson.Block, n int) {
	if t := s.Tosses(key, b); t != nil {
		t.Add(n)
		s.app.View.Draw()
	}
}

// ResetTosses begins again; the same tosses follow.
func (s *Figures) ResetTosses(key string) {
	delete(s.tosses, key)
	s.app.View.Draw()
}
