//go:build first

package worker

// comparing is empty in the program that only searches: reading and comparing runs is a third of the code, and who searches need not
// wait for it. The page starts the other program before it sends a request about runs.
//
//lint:ignore U1000 what uses it is in the other program
type comparing struct{}
