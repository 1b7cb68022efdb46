package gates

import "github.com/rankbox/rankbox/core/compare/comparetest"

var fixture = comparetest.Fixture
