package class

import "testing"

// Of two papers with one name and minute the first one counts.
func TestOfPapersOfOneMinuteTheFirstCounts(t *testing.T) {
	c := some()
	good, bad := student(c, "Ann", 4), student(c, "Ann", 1)
	for _, papers := range [][]Paper{{{"good", c.File(good)}, {"bad", c.File(bad)}}, {{"bad", c.File(bad)}, {"good",
		c.File(good)}}} {
		b := c.Collect(papers)
		if b.Counted != 1 || b.Rows[0].File != papers[0].Name || b.Rows[0].Status != Good || b.Rows[1].Status != None {
			t.Errorf("%s counts, given were %s and %s", b.Rows[0].File, papers[0].Name, papers[1].Name)
		}
	}
	later := student(c, "Ann", 1)
	later.Finished++
	if b := c.Collect([]Paper{{"first", c.File(good)}, {"later", c.File(later)}}); b.Rows[0].File != "later" {
		t.Errorf("%s counts", b.Rows[0].File)
	}
}
