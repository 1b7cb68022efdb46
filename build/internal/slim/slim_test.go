package slim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build compiles a program of testdata as the site's programs are compiled; the last argument is its file.
func build(t *testing.T, args ...string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program.wasm")
	cmd := exec.Command("go", append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", out}, args...)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, said)
	}
	return read(t, out)
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// run runs a program in Node with the toolchain's own glue and returns what it printed.
func run(t *testing.T, wasm []byte) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(name, wasm, 0o666); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("node", "--stack-size=8192",
		filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), name).CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, said)
	}
	return string(said)
}

func TestProgram(t *testing.T) {
	before := build(t, "testdata/program.go")
	after, err := Program(before)
	if err != nil {
		t.Fatal(err)
	}
	// What the program says is what the source means: 20 trees of 2^12 - 1 nodes; 8 words of 3 kinds; 10,000 frames,
	// half of them odd, and the 7 that the last one finds.
	want := "81900 runtime error: index out of range [3] with length 2 5007\n[a is rose] 8\nmain.main\ntrace: true " +
		"lines: %v arguments: %[1]v\n"
	if got, want := run(t, before), fmt.Sprintf(want, true); got != want {
		t.Fatalf("the program itself says\n%s\nwant\n%s", got, want)
	}
	if got, want := run(t, after), fmt.Sprintf(want, false); got != want {
		t.Errorf("the slim program says\n%s\nwant\n%s", got, want)
	}
	old, slim := count(t, before), count(t, after)
	if old < 1000 || slim > old/100 {
		t.Errorf("%d segments of data became %d, want less than a hundredth", old, slim)
	}
	again, err := Program(after)
	if err != nil || !bytes.Equal(again, after) {
		t.Errorf("a slim program made slim again is another one (%v)", err)
	}
}

// A program whose functions have no names runs as before, and stays as small as it was made.
func TestUnnamed(t *testing.T) {
	slim, err := Program(build(t, "testdata/program.go"))
	if err != nil {
		t.Fatal(err)
	}
	after, err := Unnamed(slim)
	if err != nil {
		t.Fatal(err)
	}
	want := "81900 runtime error: index out of range [3] with length 2 5007\n[a is rose] 8\n\n" +
		"trace: false lines: false arguments: false\n"
	if got := run(t, after); got != want {
		t.Errorf("the program says\n%s\nwant\n%s", got, want)
	}
	if bytes.Contains(after, []byte("main.grow")) || !bytes.Contains(slim, []byte("main.grow")) {
		t.Error("names are still there")
	}
	again, err := Unnamed(after)
	if err != nil || !bytes.Equal(again, after) {
		t.Errorf("taking the names off again gives another program (%v)", err)
	}
}

// count returns how many segments of data a module has.
func count(t *testing.T, wasm []byte) uint64 {
	t.Helper()
	sections, err := split(wasm)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		if s.id == sectionData {
			n, _ := binary.Uvarint(s.body)
			return n
		}
	}
	t.Fatal("no data")
	return 0
}

func TestSegmentsKeepMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		memory := make([]byte, 1+r.IntN(5000))
		for at := 0; at < len(memory); at += 1 + r.IntN(600) {
			memory[at] = byte(1 + r.IntN(255))
		}
		memory[len(memory)-1] = 1 // memory is as long as its last byte that is not zero
		got, err := layOut(segments(memory))
		if err != nil || !bytes.Equal(got, memory) {
			t.Fatalf("memory of %d bytes came back as %d others (%v)", len(memory), len(got), err)
		}
	}
}

func TestProgramRefuses(t *testing.T) {
	module := func(id byte, body ...byte) []byte {
		return append([]byte("\x00asm\x01\x00\x00\x00"), append([]byte{id, byte(len(body))}, body...)...)
	}
	cases := []struct {
		name string
		wasm []byte
		want string
	}{
		{"nothing", nil, "slim: not a wasm module of version 1"},
		{"cut off in a section", module(1, 0, 0, 0)[:11], "slim: the module ends too early"},
		{"no data", module(1, 0), "slim: the module has no data"},
		{"a passive segment", module(sectionData, 1, 1, 0),
			"slim: data: a segment is not at a constant address of memory 0"},
		{"a negative address", module(sectionData, 1, 0, 0x41, 0x7f, 0x0b, 0),
			"slim: data: a segment is not at a constant address of memory 0"},
		{"a segment longer than the section", module(sectionData, 1, 0, 0x41, 0, 0x0b, 9, 1),
			"slim: data: the module ends too early"},
		{"not of Go", module(sectionData, 1, 0, 0x41, 0, 0x0b, 1, 1),
			"slim: the table of functions is not found: is this of another version of Go?"},
		{"a table cut off", module(sectionData, append([]byte{1, 0, 0x41, 0, 0x0b, 9}, append(headerStart, 1)...)...),
			"slim: the table of functions ends too early"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Program(c.wasm); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}
