package slim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// entities is the file of the standard library with HTML's 2,231 named characters. The variable there is set when a
// program starts, so that the linker keeps the table wherever html is imported (Vugu does, for html.EscapeString). As a
// function it is kept only where html.UnescapeString is called, which no part of the page does: 1.5 % of the bytes
// after Brotli.
const entities = "src/html/entity.go"

var asFunction = [][2]string{
	{"import \"sync\"\n", ""},
	{"var entityMaps = sync.OnceValues(func() (", "func entityMaps() ("},
	{"\n\treturn entity, entity2\n})\n", "\n\treturn entity, entity2\n}\n"},
}

// Overlay writes into dir what go build -overlay takes, and returns its path: the files of the toolchain in goroot that
// the page's programs are compiled with in another form, which does the same. It is an error where a file is not as
// this package knows it.
func Overlay(goroot, dir string) (string, error) {
	from := filepath.Join(goroot, filepath.FromSlash(entities))
	text, err := os.ReadFile(from)
	if err != nil {
		return "", fmt.Errorf("slim: %w", err)
	}
	for _, change := range asFunction {
		if bytes.Count(text, []byte(change[0])) != 1 {
			return "", fmt.Errorf("slim: %s: %w", from,
				errors.New("the table of entities is not laid out as that of Go 1.26"))
		}
		text = bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	to, list := filepath.Join(dir, "entity.go"), filepath.Join(dir, "overlay.json")
	index, err := json.Marshal(map[string]map[string]string{"Replace": {from: to}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(to, text, 0o666); err != nil {
		return "", err
	}
	return list, os.WriteFile(list, index, 0o666)
}
