package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rankbox/rankbox/core/intake/golden"
)

// sameNodes says where two trees differ, "" if they do not. Lines count too.
func sameNodes(a, b *golden.Node, path string) string {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return path
	}
	for i := range a.Items {
		if s := sameNodes(a.Items[i], b.Items[i], path+"/"); s != "" {
			return s
		}
	}
	for i := range a.Members {
		x, y := a.Members[i], b.Members[i]
		if x.Key != y.Key || x.Line != y.Line {
			return path + "/" + x.Key
		}
		if s := sameNodes(x.Value, y.Value, path+"/"+x.Key); s != "" {
			return s
		}
	}
	return ""
}

// TestThePageReadsGoldenSetsAsTheCommandLineDoes: what the small reader of the page takes of YAML is what
// go.yaml.in/yaml v3.0.6 reads.
func TestThePageReadsGoldenSetsAsTheCommandLineDoes(t *testing.T) {
	names, _ := filepath.Glob("../../core/intake/golden/testdata/*.yaml")
	if len(names) < 4 {
		t.Fatal(names)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := golden.ParseText(name, b)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, err := parseYAML(name, b)
		if err != nil {
			t.Fatal(err)
		}
		if at := sameNodes(got, want, ""); at != "" {
			t.Errorf("%s: the readers differ at %s", name, at)
		}
		set, err := golden.Read(name, got)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var out bytes.Buffer
		if err := golden.Write(&out, set); err != nil {
			t.Fatal(err)
		}
		if _, err := golden.ParseText(name, out.Bytes()); err != nil {
			t.Errorf("%s: what Write writes cannot be read: %v\n%s", name, err, out.String())
		}
	}
}

// TestThePageTellsNumbersAsTheCommandLineDoes: a text that one reader alone takes for a number would be another kind of
// id.
func TestThePageTellsNumbersAsTheCommandLineDoes(t *testing.T) {
	for _, s := range []string{".5", ".5e3", ".0_0", "-.5_5", ".1_", ".e3", "1.", "+.5", "+1_2", "-_1", "_1", "1_000.5",
		"1e400", "-1e400", "1e", "1e+", "0b-101", "0b1_0", "0b", "0b2", "0b+1", "-0b1", "-0b-1", "0B1", "0o-7", "0o17",
		"0o8", "-0o7", "0O7", "08", "0777", "0x1F", "0x1p3", "0X1", "18446744073709551615", "18446744073709551616"} {
		b := []byte("a: " + s)
		got, err := golden.ParseText("a", b)
		if err != nil {
			t.Fatal(err)
		}
		want, err := parseYAML("a", b)
		if err != nil {
			t.Fatal(err)
		}
		if at := sameNodes(got, want, ""); at != "" {
			t.Errorf("%s: %+v, want %+v", s, got.Members[0].Value, want.Members[0].Value)
		}
	}
}

// FuzzParseText: any text that the page's reader takes is the same to the library.
func FuzzParseText(f *testing.F) {
	names, _ := filepath.Glob("../../core/intake/golden/testdata/*.yaml")
	for _, name := range names {
		if b, err := os.ReadFile(name); err == nil {
			f.Add(b)
		}
	}
	for _, s := range []string{"a: 1", "- a\n- b: c\n  d: [e, {f: g}]\n", "a:\n- 1\n- 2\nb: 'it''s' # x\n",
		`"k\n": "\x41\u00e9\U0001f600"`, "a: {b: , c: ~}\n", "- - a\n  - b\n-\n  c: 0x1f\n",
		"x: -1.5e3\ny: .5\nz: 1_0\n",
		"---\na: yes\n", "a: b: c", "? a\n: b", "a: |\n  b\n", "a: b\n  c\n", "- ? x", "a: [b: c]", "a:\tb", "?a: b",
		"0: {0:}", "0: .0_", "#0000", "\t\n0"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, ok, _ := golden.ParseJSON("x", b); ok {
			return
		}
		got, err := golden.ParseText("x", b)
		if err != nil {
			return
		}
		want, err := parseYAML("x", b)
		if err != nil {
			t.Fatalf("%q is taken, and refused by the library: %v", b, err)
		}
		if at := sameNodes(got, want, ""); at != "" {
			t.Fatalf("%q: the readers differ at %s", b, at)
		}
	})
}
