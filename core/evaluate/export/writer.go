package export

import "github.com/rankbox/rankbox/core/internal/jsontext"

// jsonWriter writes what a report says as JSON.
type jsonWriter struct{ jsontext.Writer }

func writer(b *builder) *jsonWriter { return &jsonWriter{jsontext.Writer{To: &b.Builder}} }
