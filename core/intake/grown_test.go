//go:build unix

package intake_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/project/documents"
)

// sample is a file of a reader, and who reads what is grown of it.
type sample struct {
	name, text string
	read       func(text string) error
}

// samples are files of every reader in the registries: each shape has one in ShapeFiles, each form of scores, golden
// sets and traces one in a folder testdata, and the documents that are no zip an ending. A reader that is added there
// is here.
func samples(t *testing.T) (out []sample) {
	for _, f := range intake.ShapeFiles {
		out = append(out, sample{f.Shape + ", " + f.Name, f.Text, reading(f.Name, f.Role)})
	}
	for _, dir := range []string{"golden", "scores", "trace"} {
		err := filepath.WalkDir(filepath.Join(dir, "testdata"), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(name, ".md") || strings.HasSuffix(name, "expected.json") {
				return err
			}
			b, err := os.ReadFile(name)
			if len(b) < 50<<10 {
				out = append(out, sample{name, string(b), reading(filepath.Base(name), intake.Any)})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range documents.Readers {
		for _, end := range r.Endings[:min(1, len(r.Endings))] {
			name := "x" + end
			out = append(out, sample{"a document, " + end, "# a title\n<p>one, two</p>\nx,y\n1,2\n", func(text string) error {
				_, err := documents.File(name, []byte(text), documents.Documents, false, documents.Limits{})
				return err
			}})
		}
	}
	return out
}

// reading opens a file of a name as readCostly does.
func reading(name string, role intake.Role) func(text string) error {
	return func(text string) error {
		f, err := intake.Read(name, role, strings.NewReader(text), collection.Options{})
		if err != nil {
			return err
		}
		got := intake.Gather([]*intake.File{f}, intake.Rule{Scores: true, Traces: true})
		if got.Scores == nil {
			return nil
		}
		return got.Scores.Comparable(scores.Asked{})
	}
}

// grown are ways to make a file of about n bytes of a sample: of JSON, each list and map of it is filled with what it
// holds, the same or under new names, one of its texts is made long, and a value is put deep; of other text, its last
// line comes again, the same or with other words, its lines become wide, and a word becomes long.
func grown(text string) map[string]func(n int) string {
	out := map[string]func(n int) string{}
	first := strings.TrimSpace(text)
	lines := strings.Split(first, "\n")
	var root any
	if json.Unmarshal([]byte(first), &root) != nil && json.Unmarshal([]byte(lines[0]), &root) != nil {
		root = nil
	}
	last := lines[len(lines)-1]
	if root != nil && len(lines) > 1 || root == nil {
		head := strings.Join(lines[:len(lines)-1], "\n") + "\n"
		out["its last line again"] = func(n int) string { return head + repeat(n, last+"\n") }
		out["its last line with other words"] = func(n int) string {
			var b strings.Builder
			for i := 0; b.Len() < n; i++ {
				b.WriteString(numbered(last, i) + "\n")
			}
			return head + b.String()
		}
		out["a long line"] = func(n int) string { return head + repeat(n, last) }
		out["a long word"] = func(n int) string { return head + strings.Replace(last, "1", strings.Repeat("a", n), 1) }
	}
	if root == nil {
		return out
	}
	for _, path := range places(root, nil) {
		name := strings.Join(path, ".")
		out["more in "+name] = func(n int) string { return fill(root, path, n, false) }
		out["the same in "+name] = func(n int) string { return fill(root, path, n, true) }
	}
	out["deep"] = func(n int) string {
		return strings.Replace(first, ":", ":"+strings.Repeat("[", n/2)+strings.Repeat("]", n/2)+",\"x\":", 1)
	}
	out["a long name"] = func(n int) string { return strings.Replace(first, "\"", "\""+strings.Repeat("a", n), 1) }
	return out
}

// mostPlaces is how many lists and maps of a file are filled.
const mostPlaces = 5

// places returns the paths of the lists and maps in a value. Of each list it follows the first item alone.
func places(v any, path []string) (out [][]string) {
	switch x := v.(type) {
	case []any:
		if len(x) > 0 {
			out = append(out, slices.Clone(path))
			out = append(out, places(x[0], append(path, "0"))...)
		}
	case map[string]any:
		if len(x) > 0 {
			out = append(out, slices.Clone(path))
		}
		for _, k := range sorted(x) {
			out = append(out, places(x[k], append(path, k))...)
		}
	}
	return out[:min(len(out), mostPlaces)]
}

func sorted(x map[string]any) (keys []string) {
	for k := range x {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// fill writes a value with about n bytes more in the list or map at a path.
func fill(v any, path []string, n int, same bool) string {
	if len(path) > 0 {
		switch x := v.(type) {
		case []any:
			rest := ""
			for _, e := range x[1:] {
				rest += "," + text(e)
			}
			return "[" + fill(x[0], path[1:], n, same) + rest + "]"
		case map[string]any:
			var parts []string
			for _, k := range sorted(x) {
				value := text(x[k])
				if k == path[0] {
					value = fill(x[k], path[1:], n, same)
				}
				parts = append(parts, text(k)+":"+value)
			}
			return "{" + strings.Join(parts, ",") + "}"
		}
	}
	var b strings.Builder
	switch x := v.(type) {
	case []any:
		one := text(x[0])
		b.WriteString("[" + one)
		for i := 0; b.Len() < n; i++ {
			if b.WriteByte(','); same {
				b.WriteString(one)
			} else {
				b.WriteString(text(renamed(x[0], i)))
			}
		}
		return b.String() + "]"
	case map[string]any:
		b.WriteString(strings.TrimSuffix(text(v), "}"))
		key := sorted(x)[0]
		one := text(x[key])
		for i := 0; b.Len() < n; i++ {
			name := key
			if !same {
				name += fmt.Sprint(i)
			}
			b.WriteString("," + text(name) + ":" + one)
		}
		return b.String() + "}"
	}
	return text(v)
}

// renamed is a value with a number behind each of its texts.
func renamed(v any, i int) any {
	switch x := v.(type) {
	case string:
		return x + fmt.Sprint(i)
	case []any:
		out := make([]any, len(x))
		for k := range x {
			out[k] = renamed(x[k], i)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range x {
			out[k] = renamed(x[k], i)
		}
		return out
	}
	return v
}

func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// numbered is a line with a number behind each word that ends in a letter or a digit, but for decimals.
func numbered(line string, i int) string {
	var b strings.Builder
	inside := false
	for k, r := range line + " " {
		word := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if inside && !word && r != '.' && r != ':' && r != '_' && line[k-1] >= '0' && line[k-1] <= '9' {
			fmt.Fprint(&b, i)
		}
		inside = word
		if k < len(line) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Every reader in the registries reads what is grown of its files in time and memory that the size bounds, or refuses
// it at once.
func TestNoReaderCostsMoreThanTheSizeOfItsInput(t *testing.T) {
	sizes := []int{100 << 10}
	if shared.Long() { // 4 MB of maps with entries of ten bytes take up to 190 MB, for 131 MB that they may
		sizes = []int{100 << 10, 1 << 20}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(40)) // collect often, so that garbage is not counted
	all := samples(t)
	for _, s := range intake.Shapes {
		if !slices.ContainsFunc(all, func(x sample) bool { return strings.HasPrefix(x.name, s.Name) }) {
			t.Errorf("no file of %q is grown", s.Name)
		}
	}
	for i, s := range all {
		for way, make := range grown(s.text) {
			if !shared.Long() && testing.Short() && i%4 != 0 {
				continue
			}
			cost(t, s.name+": "+way, sizes, make, s.read)
		}
	}
}
