package say

import "testing"

func TestWork(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "",
		"1":                         "1",
		"3 / log2(11)":              "3 / log₂(11)",
		"0.2 x 0.8^13":              "0.2 × 0.8¹³",
		"-0.2 x 0.8^0":              "−0.2 × 0.8⁰",
		"(0.5 - 0.25) + (-0.125)":   "(0.5 − 0.25) + (−0.125)",
		"1 - 2/3 = -0.5":            "1 − 2/3 = −0.5",
		"(2^1 - 1) / log2(2) = 1":   "(2¹ − 1) / log₂(2) = 1",
		"x^(a) stays, a-b and ^ do": "x^(a) stays, a-b and ^ do",
	} {
		if got := Work(in); got != want {
			t.Errorf("Work(%q) = %q, want %q", in, got, want)
		}
	}
}
