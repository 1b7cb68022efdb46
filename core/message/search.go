package message

import "github.com/rankbox/rankbox/core/experiment"

// Search asks to rank the documents for the query of a Spec.
const Search Kind = 2

func init() { register[experiment.Spec, experiment.Results](Search, false) }
