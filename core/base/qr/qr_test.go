package qr

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
)

// full is a text that fills a version to its last byte.
func full(v int) string {
	head := 2
	if v >= 10 {
		head = 3
	}
	room := modules(v)/8 - correction[v]*blocks[v] - head
	return strings.Repeat("https://rankbox.example/learn/class#lesson=class1&s=42~", 50)[:room]
}

// Oracle: jsqr 1.4.0 decoded each of these 40 drawings, four pixels a module with the quiet zone; the hashes are of
// the modules that it read. site/e2e/class.test.mjs decodes a code on the page.
func TestEveryVersionIsAsItWasRead(t *testing.T) {
	want := [41]uint32{0, 0xd57913af, 0x3c1f233b, 0x17c66b82, 0xcf8584f6, 0xd082f217, 0x410fb9e2, 0xb0375785,
		0x651abb71, 0x2d6b742f, 0x97c2f493, 0x13857cb9, 0xed685d59, 0x612d68f9, 0x2156eb79, 0xbfa2cbe7, 0xbc4cc704,
		0xc15ae585, 0xd56d6c11, 0x1eb0b5ed, 0xe6e9f031, 0x3eb3ba47, 0xf6759a1, 0xbc0dc5a1, 0xfe6619b, 0x317e3199,
		0xb41e268b, 0xefa5a161, 0x85361458, 0x1db52fa7, 0x24f51ea3, 0x90cb7264, 0xeb6600a2, 0x37d37d6e, 0x1c7d70f5,
		0xf1847737, 0xce4a50b9, 0x187da9db, 0xccf50545, 0xe5ea4d95, 0x96541949}
	for v := 1; v <= 40; v++ {
		c, err := Encode(full(v))
		if err != nil || c.Version != v || c.Size != 17+4*v {
			t.Fatalf("version %d: %v, %+v", v, err, c.Version)
		}
		h := fnv.New32a()
		for y := range c.Size {
			for x := range c.Size {
				if c.Dark(x, y) {
					h.Write([]byte{1})
				} else {
					h.Write([]byte{0})
				}
			}
		}
		if got := h.Sum32(); got != want[v] {
			t.Errorf("version %d: %#x, want %#x", v, got, want[v])
		}
	}
}

func TestOneByteMoreTakesTheNextVersion(t *testing.T) {
	for v := 1; v < 40; v++ {
		if c, err := Encode(full(v) + "x"); err != nil || c.Version != v+1 {
			t.Errorf("version %d and a byte: %v", v, err)
		}
	}
	if _, err := Encode(full(40) + "x"); !errors.Is(err, ErrLong) {
		t.Errorf("too long: %v", err)
	}
	if n := len(full(40)); n != 2331 {
		t.Errorf("%d bytes fit, and 2,331 are said", n)
	}
}

// By hand: a finder is seven modules square, its second ring light, and the quiet zone moves it to 4, 4.
func TestThePathBeginsWithAFinder(t *testing.T) {
	c, err := Encode("a")
	if err != nil {
		t.Fatal(err)
	}
	if want := "M4 4h7v1h-7z"; !strings.HasPrefix(c.Path(), want) {
		t.Errorf("the path begins with %.20q, want %q", c.Path(), want)
	}
	if c.Dark(-1, 0) || c.Dark(0, c.Size) || c.Dark(1, 1) || !c.Dark(2, 2) {
		t.Error("a module of the finder")
	}
}

// The path is for an <svg viewBox="0 0 37 37">: 29 modules and twice the quiet zone of four.
func ExampleEncode() {
	c, err := Encode("https://rankbox.example/learn")
	if err != nil {
		return
	}
	fmt.Println(c.Size, c.Path()[:12])
	// Output: 29 M4 4h7v1h-7z
}
