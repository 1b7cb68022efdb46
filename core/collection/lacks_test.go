package collection

import "testing"

func TestAListLacksAJudgedDocument(t *testing.T) {
	run, _ := mustRun(t, "q1 Q0 a 1 3 r\nq1 Q0 b 2 2 r\nq1 Q0 7 3 1 r\nq2 Q0 a 1 1 r\n")
	q := NewQrels()
	q.Add("q1", "7", 0)
	q.Add("q1", "b", 2)
	q.Add("q2", "x", 1)
	if run.Lacks(q, 3) {
		t.Error("the list of q1 has both judged documents")
	}
	if !run.Lacks(q, 1) || run.Lacks(q, 2) {
		t.Error("the list of q2 lacks x, and none is 2 long")
	}
	if q.Add("q1", "c", -1); !run.Lacks(q, 3) {
		t.Error("a document that is judged below 0 is judged")
	}
}
