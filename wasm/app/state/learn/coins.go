package learn

import "github.com/rankbox/rankbox/core/lesson"

// Tosses are those of a block of coins, nil where its differences cannot be tossed for: a student's number makes them, as it makes exercises.
func (l *Learn) Tosses(key string, b *lesson.Block) *lesson.Tosses {
	if t, ok := l.tosses[key]; ok {
		return t
	}
	c, err := b.Coins()
	if err != nil { // the build refuses such a block
		return nil
	}
	t := c.Toss(Seed(l.Student, key, 0))
	l.tosses[key] = t
	return t
}

// Toss tosses every coin of a block n times.
func (l *Learn) Toss(key string, b *lesson.Block, n int) {
	if t := l.Tosses(key, b); t != nil {
		t.Add(n)
		l.App.View.Draw()
	}
}

// ResetTosses begins again; the same tosses follow.
func (l *Learn) ResetTosses(key string) {
	delete(l.tosses, key)
	l.App.View.Draw()
}
