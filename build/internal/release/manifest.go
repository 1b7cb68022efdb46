package release

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Platform is what a program is compiled for, in Go's words.
type Platform struct{ OS, Arch string }

func (p Platform) String() string { return p.OS + "-" + p.Arch }

// Platforms are those that are released.
var Platforms = []Platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// Program is the name of the program's file.
func (p Platform) Program() string {
	if p.OS == "windows" {
		return "rankbox.exe"
	}
	return "rankbox"
}

// Archive is the name of the archive of a version.
func (p Platform) Archive(version string) string {
	name := "rankbox_" + version + "_" + p.OS + "_" + p.Arch
	if p.OS == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

// Pack returns the archive of files for the platform: a zip for Windows, otherwise a compressed tar.
func (p Platform) Pack(files []File) ([]byte, error) {
	if p.OS == "windows" {
		return Zip(files)
	}
	return TarGz(files)
}

const (
	homepage    = "https://github.com/rankbox/rankbox"
	description = "Laboratory for search ranking: measures, comparisons and explanations"
)

func address(version string, p Platform) string {
	return homepage + "/releases/download/v" + version + "/" + p.Archive(version)
}

// Formula returns Homebrew's formula. sums are those of the archives that there are.
func Formula(version string, sums map[Platform]string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "class Rankbox < Formula\n  desc %q\n  homepage %q\n", description, homepage)
	fmt.Fprintf(&b, "  version %q\n  license \"Apache-2.0\"\n", version)
	for _, system := range []struct{ brew, name string }{{"macos", "darwin"}, {"linux", "linux"}} {
		var body strings.Builder
		for _, arch := range []struct{ brew, name string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			p := Platform{system.name, arch.name}
			if sum := sums[p]; sum != "" {
				fmt.Fprintf(&body, "    on_%s do\n      url %q\n      sha256 %q\n    end\n",
					arch.brew, address(version, p), sum)
			}
		}
		if body.Len() > 0 {
			fmt.Fprintf(&b, "\n  on_%s do\n%s  end\n", system.brew, body.String())
		}
	}
	b.WriteString(`
  def install
    bin.install "rankbox"
  end

  test do
    (testpath/"qrels.txt").write "q1 0 d1 1\n"
    (testpath/"a.run").write "q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\n"
    assert_equal "RR\t0.5000\n", shell_output("#{bin}/rankbox eval qrels.txt a.run RR")
  end
end
`)
	return []byte(b.String())
}

// Scoop returns Scoop's manifest. sums are those of the archives that there are.
func Scoop(version string, sums map[Platform]string) ([]byte, error) {
	type source struct {
		URL  string `json:"url"`
		Hash string `json:"hash,omitempty"`
	}
	of := func(version string, hashed bool) map[string]source {
		out := map[string]source{}
		for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
			p := Platform{"windows", arch}
			if sums[p] == "" {
				continue
			}
			s := source{URL: address(version, p)}
			if hashed {
				s.Hash = sums[p]
			}
			out[name] = s
		}
		return out
	}
	text, err := json.MarshalIndent(map[string]any{
		"version": version, "description": description, "homepage": homepage, "license": "Apache-2.0",
		"bin":          "rankbox.exe",
		"architecture": of(version, true),
		"checkver":     "github",
		"autoupdate":   map[string]any{"architecture": of("$version", false)},
	}, "", "    ")
	return append(text, '\n'), err
}
