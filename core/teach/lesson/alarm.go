package lesson

import "math/rand/v2"

// makeAlarm asks for the probability of a false alarm among several comparisons; on the last level these are the
// pairs of some systems. It redraws if a mistake comes too close to the right answer or is no plausible
// probability.
func makeAlarm(rng *rand.Rand, level int) *Exercise {
	n := 4 + rng.IntN(37)
	alpha := float64(2+rng.IntN(29)) / 200 // 0.01 to 0.15
	given := "Comparisons: " + itoa(n)
	hint := "First work out how probable it is that no test gives a false alarm"
	var wrong []Mistake
	if level == Levels {
		hint = "Count the pairs of systems. " + hint
		systems := 4 + rng.IntN(6)
		n = systems * (systems - 1) / 2
		given = "Systems, each compared with each: " + itoa(systems)
		wrong = append(wrong, Mistake{1 - noFalseAlarm(alpha, systems), "counted the systems and not their pairs"})
	}
	added := alpha * float64(n)
	if added >= 1 {
		return nil
	}
	wrong = append([]Mistake{{added, "added up the levels"}},
		append(wrong, Mistake{noFalseAlarm(alpha, n), "worked out the chance of no false alarm"},
			Mistake{alpha, "taken the level of one comparison"})...)
	return &Exercise{Question: "The systems do not differ, and each comparison is tested on its own at this level. " +
		"How probable is at least one false alarm, the comparisons being independent?",
		Given: []string{given, "Level of each test: " + brief(alpha)}, Answer: 1 - noFalseAlarm(alpha, n), Hint: hint,
		Working: "1 − (1 − " + brief(alpha) + ")^" + itoa(n), Wrong: wrong}
}

// noFalseAlarm returns the probability that none of n tests at a level gives a false alarm.
func noFalseAlarm(alpha float64, n int) float64 {
	p := 1.0
	for range n {
		p = float64(p * (1 - alpha))
	}
	return p
}
