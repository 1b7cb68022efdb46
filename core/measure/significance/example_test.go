package significance_test

import (
	"fmt"

	"github.com/rankbox/rankbox/core/measure/significance"
)

// Three systems on twelve queries: which can be told apart?
func Example() {
	scores := significance.Table{
		{0.31, 0.52, 0.12, 0.44, 0.63, 0.21, 0.35, 0.50, 0.18, 0.41, 0.29, 0.55},
		{0.36, 0.58, 0.12, 0.52, 0.66, 0.30, 0.34, 0.61, 0.25, 0.49, 0.31, 0.64},
		{0.37, 0.55, 0.15, 0.54, 0.63, 0.31, 0.36, 0.57, 0.26, 0.50, 0.30, 0.66},
	}
	c, err := significance.Compare(scores, significance.CompareOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Choice.Test, c.Choice.Reason)
	for i, s := range c.Systems {
		fmt.Printf("%d  %.3f  %s\n", i, s.Mean, s.Group)
	}
	for _, p := range c.Pairs {
		fmt.Printf("%d-%d  %+.3f  p %.4f  d_z %.2f\n", p.I, p.J, p.Difference, p.Adjusted, p.Dz)
	}
	// Output:
	// randomisation few queries
	// 0  0.376  b
	// 1  0.432  a
	// 2  0.433  a
	// 0-1  +0.056  p 0.0039  d_z 1.46
	// 0-2  +0.058  p 0.0029  d_z 1.44
	// 1-2  +0.002  p 0.9014  d_z 0.07
}
