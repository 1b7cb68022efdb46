package imports

import "slices"

// First are the packages of which the program is made that answers the first search (docs/adr/0002-one-binary.md). The
// visitor waits for each of them, so one more is a decision: it is made here. Of the standard library are those that
// our own packages import.
var First = []string{
	"bytes", "cmp", "encoding/binary", "encoding/hex", "errors", "fmt", "hash/crc32", "html", "io", "io/fs", "maps",
	"math", "math/bits", "math/rand", "os", "path", "reflect", "runtime", "slices", "sort",
	"strconv", "strings", "sync", "syscall/js", "time", "unicode", "unicode/utf8", "unsafe",
	"github.com/vugu/vugu", "github.com/vugu/vugu/js", "github.com/vugu/xxhash",
	"core/retrieve/bundle", "core/present/chart/scale", "core/collection", "core/retrieve/encoder", "core/evaluate/evaluation", "core/experiment",
	"core/base/float", "core/retrieve/index", "core/internal/inflate", "core/internal/jsontext", "core/internal/near",
	"core/internal/sha256", "core/measure", "core/message", "core/retrieve/pipeline", "core/retrieve/rank", "core/retrieve/rank/bm25",
	"core/retrieve/rank/dense",
	"core/retrieve/rank/fuse", "core/retrieve/rank/late", "core/retrieve/rank/sparse", "core/evaluate/report", "core/base/say", "core/link/share",
	"core/measure/significance", "core/retrieve/stage", "core/text", "core/text/porter", "core/text/wordpiece", "core/base/wire",
	"core/base/within",
	"wasm/app", "wasm/app/screens", "wasm/app/state", "wasm/app/ui", "wasm/app/ui/home", "wasm/app/ui/search",
	"wasm/internal/browser",
	"wasm/internal/browser/page", "wasm/internal/dom", "wasm/kernel", "wasm/rankbox", "wasm/worker",
}

// Beyond returns what the packages of a graph import that is not in a list, and what is in the list and not imported.
func (g *Graph) Beyond(list []string) (more, less []string) {
	seen := map[string]bool{}
	for _, name := range g.names() {
		seen[name] = true
		for _, imp := range g.Imports[name] {
			seen[imp] = true
		}
	}
	for name := range seen {
		if !slices.Contains(list, name) {
			more = append(more, name)
		}
	}
	for _, name := range list {
		if !seen[name] {
			less = append(less, name)
		}
	}
	slices.Sort(more)
	return more, less
}
