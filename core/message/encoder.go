package message

import "github.com/rankbox/rankbox/core/wire"

// Encode fetches the encoder of typed queries.
const Encode Kind = 30

func init() { register[EncoderFile, Encoder](Encode, false) }

// EncoderFile says where an encoder is.
type EncoderFile struct {
	URL   string
	Bytes int    // decoded, for the progress
	Sum   string // SHA-256, 64 hex digits
}

// Encoder describes the encoder that typed queries are encoded by now.
type Encoder struct {
	Name, Teacher string
}

// Wire walks the place.
func (f *EncoderFile) Wire(c *wire.Codec) { c.Fields(&f.URL, &f.Bytes, &f.Sum) }

// Wire walks the description.
func (e *Encoder) Wire(c *wire.Codec) { c.Fields(&e.Name, &e.Teacher) }
