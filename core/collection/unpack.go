package collection

import "io"

// Unpack returns a file as its readers see it: unpacked if it is a gzip, within the limits. Errors are of type
// *ParseError here, and of the kinds that the readers wrap in one while it is read.
func Unpack(name string, r io.Reader, opt Options) (io.Reader, error) {
	opt.Limits = opt.Limits.withDefaults()
	return newSource(name, r, opt)
}
