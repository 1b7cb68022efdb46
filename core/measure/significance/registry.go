package significance

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// PairedTest is an entry of the registry of paired tests.
type PairedTest struct {
	Name       string // as it is written in a spec
	Title      string
	Hypothesis string // what is rejected by a small p
	Assumes    string
	Formula    string
	Use        string // when it is the right one
	Reference  string

	// Run tests differences. The error is ErrCancelled or nil.
	Run func(d []float64, o Options) (Result, error)
}

// All returns the paired tests in the order in which they are documented.
func All() []PairedTest { return tests }

// Lookup returns the paired test of a name.
func Lookup(name string) (PairedTest, error) {
	names := make([]string, len(tests))
	for i, t := range tests {
		if t.Name == name {
			return t, nil
		}
		names[i] = t.Name
	}
	return PairedTest{}, say.Faultf("significance", "look up test %q: not one of %s", name, strings.Join(names, ", "))
}

// tests are those of the program: the first one of the page has those that Choose may choose.
var tests = []PairedTest{
	{
		Name:       "t",
		Title:      "Paired t test",
		Hypothesis: "The mean difference is zero.",
		Assumes: "The mean difference is roughly normal: there are many queries, or the differences are not " +
			"very skewed.",
		Formula:   "t = d̄/(s/√n) in Student's distribution with n - 1 degrees of freedom; s with n - 1",
		Use:       "With dozens of queries it closely approximates the randomisation test, instantly.",
		Reference: "Student 1908, Biometrika 6; Urbano, Lima and Hanjalic 2019, SIGIR (for retrieval)",
		Run:       PairedT,
	},
	{
		Name:       "randomisation",
		Title:      "Paired randomisation test",
		Hypothesis: "The systems are interchangeable: every difference could have had the other sign.",
		Assumes:    "Queries are independent. No distribution is assumed.",
		Formula: "p = share of sign patterns whose mean is as far out as d̄, all 2ⁿ of them up to 30 non-zero " +
			"differences, else (count + 1)/(draws + 1); two-sided: twice the smaller side",
		Use:       "Few queries, skewed differences.",
		Reference: "Fisher 1935; Smucker, Allan and Carterette 2007, CIKM (for retrieval)",
		Run:       Randomisation,
	},
	{
		Name:       "sign",
		Title:      "Sign test",
		Hypothesis: "b is better as often as worse.",
		Assumes:    "Queries are independent. Zeros are dropped.",
		Formula: "binomial with probability 1/2 on the number of positive among the non-zero differences; " +
			"two-sided: twice the smaller side",
		Use: "Use it for measures that are 0 or 1 (McNemar's exact test), or if only the direction matters. It " +
			"ignores sizes.",
		Reference: "Arbuthnott 1710; McNemar 1947, Psychometrika 12",
		Run:       Sign,
	},
}
