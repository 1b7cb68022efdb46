package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"

	"github.com/rankbox/rankbox/build/static"
)

// serviceWorker adds sw.js: site/sw.js with the name of this build, the files to keep with their SHA-256, and where the
// collections and encoders of this build are.
func (p *project) serviceWorker(files map[string][]byte, c *siteConfig) error {
	source, err := os.ReadFile(p.path("site/sw.js"))
	if err != nil {
		return err
	}
	list, total := [][2]string{}, 0
	for _, name := range sortedKeys(files) {
		if name == "robots.txt" || onDemand(name) { // kept when they are first asked for
			continue
		}
		list = append(list, [2]string{static.Address(name), integrity(files[name])})
		total += len(files[name])
	}
	zero := []byte("// FILES have 0 bytes.")
	if !bytes.Contains(source, zero) {
		return fmt.Errorf("site/sw.js: no line %q", zero)
	}
	source = bytes.Replace(source, zero, fmt.Appendf(nil, "// FILES have %d bytes.", total), 1)
	bases := []string{}
	for _, c := range c.Collections {
		bases = append(bases, c.Base)
	}
	for _, e := range c.Encoders {
		bases = append(bases, e.URL)
	}
	bases = append(bases, c.Network.Script.URL, c.Network.Program.URL)
	for name, value := range map[string]any{"BUILD": hashFiles(files), "FILES": list, "KEEP": bases} {
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		pattern := regexp.MustCompile(`(?m)^const ` + name + ` = .*;$`)
		if n := len(pattern.FindAll(source, -1)); n != 1 {
			return fmt.Errorf("site/sw.js: %d lines `const %s = …;`, want 1", n, name)
		}
		source = pattern.ReplaceAllLiteral(source, fmt.Appendf(nil, "const %s = %s;", name, text))
	}
	files["sw.js"] = source
	return nil
}
