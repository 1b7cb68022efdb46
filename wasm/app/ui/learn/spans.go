package learn

import (
	"strconv"

	"github.com/rankbox/rankbox/core/teach/lesson"
)

// Spans is a text with its marked pieces.
type Spans struct{ List []lesson.Span }

func pressed(on bool) string { return strconv.FormatBool(on) }
