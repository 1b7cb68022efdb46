package message

import "github.com/rankbox/rankbox/core/base/wire"

// Encode fetches the encoder of typed queries.
const Encode Kind = 30

func init() { register[EncoderFile, Encoder](Encode, false) }

// EncoderFile locates an encoder.
type EncoderFile struct {
	URL   string
	Bytes int    // decompressed size, for the progress
	Sum   string // SHA-256, 64 hex digits
}

// Encoder describes the current encoder of typed queries.
type Encoder struct {
	Name, Teacher string
}

// Wire codes the location.
func (f *EncoderFile) Wire(c *wire.Codec) { c.Fields(&f.URL, &f.Bytes, &f.Sum) }

// Wire codes the description.
func (e *Encoder) Wire(c *wire.Codec) { c.Fields(&e.Name, &e.Teacher) }
