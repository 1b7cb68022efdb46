package main

import (
	"golang.org/x/net/html/charset"

	"github.com/rankbox/rankbox/core/project/documents"
)

func init() {
	documents.Charset = func(label string, b []byte) ([]byte, bool) {
		e, _ := charset.Lookup(label)
		if e == nil {
			return nil, false
		}
		text, err := e.NewDecoder().Bytes(b)
		return text, err == nil
	}
}
