//go:build library

package intake

import "errors"

// handoutComparison refuses pages: the library reads runs and judgments, and omits the HTML parser and the figures.
func handoutComparison([]byte) ([]byte, error) {
	return nil, errors.New("a page with a comparison inside is opened by Evaluate and by the command line")
}

func pageKind(string) string { return "" }
