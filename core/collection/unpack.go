package collection

import "io"

// Unpack returns the content of a file, decompressed if it is a gzip, within the limits. Its own error is a
// *ParseError; errors of reading are the ones that the readers wrap in a *ParseError.
func Unpack(name string, r io.Reader, opt Options) (io.Reader, error) {
	opt.Limits = opt.Limits.withDefaults()
	return newSource(name, r, opt)
}
