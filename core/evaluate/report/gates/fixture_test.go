package gates

import "github.com/rankbox/rankbox/core/evaluate/compare/comparetest"

var fixture = comparetest.Fixture
