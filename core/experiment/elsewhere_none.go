//go:build first || (library && !notebook)

package experiment

// The page's first program and the library for JavaScript open no collection whose documents are elsewhere.
type distant struct{}

// goesAhead is whether lists are told before texts that take long: not where every byte counts.
const goesAhead = false

func (x *Texts) elsewhere() bool                      { return false }
func (x *Texts) outside(int) (title, text string)     { return "", "" }
func (x *Texts) bring([]int) error                    { return nil }
func (x *Texts) textOf(int) (text string, there bool) { return "", false }
func (x *Texts) textMissing(int) string               { return notLoaded }
