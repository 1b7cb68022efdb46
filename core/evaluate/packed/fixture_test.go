package packed

import (
	"flag"

	"github.com/rankbox/rankbox/core/evaluate/compare/comparetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

var fixture, random = comparetest.Fixture, comparetest.Random
