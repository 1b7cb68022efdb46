//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Lessons asks for the lessons of the site.
const Lessons Kind = 42

func init() { register[AskLessons, Bytes](Lessons, false) }

// AskLessons says where they are.
type AskLessons struct{ URL string }

// Bytes are the bytes of a file of the site.
type Bytes struct{ Bytes []byte }

// Wire walks the question.
func (a *AskLessons) Wire(c *wire.Codec) { c.String(&a.URL) }

// Wire walks the bytes.
func (b *Bytes) Wire(c *wire.Codec) { c.Bytes(&b.Bytes) }
