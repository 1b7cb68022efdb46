package release

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The parts of CycloneDX 1.6 that are written: https://cyclonedx.org/docs/1.6/json/
type (
	bom struct {
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Ref        string     `json:"bom-ref"`
		Type       string     `json:"type"`
		Name       string     `json:"name"`
		Version    string     `json:"version"`
		Scope      string     `json:"scope,omitempty"`
		Hashes     []digest   `json:"hashes,omitempty"`
		Licences   []licence  `json:"licenses,omitempty"`
		URL        string     `json:"purl"`
		Properties []property `json:"properties,omitempty"`
	}
	digest struct {
		Algorithm string `json:"alg"`
		Content   string `json:"content"`
	}
	licence struct {
		Licence struct {
			ID string `json:"id"`
		} `json:"license"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn,omitempty"`
	}
)

// BOM returns the bill of materials, CycloneDX 1.6 in JSON, of a program: its modules as its own build information
// names them, with the hashes of go.sum, and Go's standard library. Components and hashes are those of
// cyclonedx-gomod 1.10.0 (bin -std). It has no serial number and no time, so that the same program gives the same
// bytes. The dependencies are those of the program, since build information does not say
// which module needs which.
func BOM(program, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, fmt.Errorf("bill of materials: %w", err)
	}
	b := bom{Format: "CycloneDX", Spec: "1.6", Version: 1, Components: []component{}}
	main := golang("application", info.Main.Path, "v"+version)
	apache := licence{}
	apache.Licence.ID = "Apache-2.0"
	main.Licences = []licence{apache}
	for _, s := range info.Settings {
		if slices.Contains([]string{"GOOS", "GOARCH", "CGO_ENABLED", "-tags"}, s.Key) {
			main.Properties = append(main.Properties, property{"rankbox:build:" + s.Key, s.Value})
		}
	}
	b.Metadata.Component = main
	std := golang("library", "std", info.GoVersion)
	std.Scope = "required"
	b.Components = append(b.Components, std)
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := golang("library", m.Path, m.Version)
		c.Scope = "required"
		// The SHA-256 of the list of the module's files with theirs.
		if sum, ok := strings.CutPrefix(m.Sum, "h1:"); ok {
			raw, err := base64.StdEncoding.DecodeString(sum)
			if err != nil {
				return nil, fmt.Errorf("bill of materials: the sum of %s: %w", m.Path, err)
			}
			c.Hashes = []digest{{"SHA-256", hex.EncodeToString(raw)}}
		}
		b.Components = append(b.Components, c)
	}
	on := dependency{Ref: main.Ref}
	for _, c := range b.Components {
		on.On = append(on.On, c.Ref)
	}
	b.Dependencies = []dependency{on}
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}

func golang(kind, name, version string) component {
	url := "pkg:golang/" + name + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Ref: url, Type: kind, Name: name, Version: version, URL: url}
}
