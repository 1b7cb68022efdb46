// Package slim makes a wasm program of Go's linker smaller on the way to a browser, without changing what it does. It
// is not an optimiser of code.
//
// Two things weigh more than they should after compression. The linker writes the program's data as a hundred thousand
// segments, one between any two runs of zeros; each header holds an address, which does not compress, where the zeros
// would. And it writes for every function tables of files, lines and arguments, which are only read to print a stack
// trace, and of where a signal may stop it, of which there are none. Slim joins the segments and drops the tables: a
// trace then names its functions, without arguments, and says "?:0" for the line. Measured on this project's page: 16 %
// of the bytes after Brotli, and fewer segments to copy before the program starts.
//
// One thing weighs before it is linked: a table of the standard library that nothing reads ([Overlay]).
//
// Order: read the module's sections, lay the data out as it will be in memory, drop the tables there, write the data
// back.
package slim

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

const sectionData = 11

// gap is how many zeros between two pieces of data are worth a segment of its own. Measured after Brotli: 32 gives 0.7
// % more than 256, 4096 the same as 256.
const gap = 256

// Program returns the program in fewer bytes after compression (not before: the zeros are written out). It is an error
// where wasm is not a module that Go's linker wrote for GOOS=js, or where its tables are not laid out as this package
// knows them: a new toolchain that changed them is then noticed when the site is built.
func Program(wasm []byte) ([]byte, error) { return rewrite(wasm, dropTables) }

// Unnamed returns the program without the names of its functions, which are 3 % of the bytes after Brotli. A trace then
// names nothing; the reason of a panic stays. Names that the runtime asks for stay too: those of its own special
// functions, and of the wrappers of methods, which it quotes when one is called on nil.
func Unnamed(wasm []byte) ([]byte, error) { return rewrite(wasm, dropNames) }

// rewrite returns a module whose memory was changed before the program starts.
func rewrite(wasm []byte, change func(memory []byte) error) ([]byte, error) {
	sections, err := split(wasm)
	if err != nil {
		return nil, fmt.Errorf("slim: %w", err)
	}
	out := append([]byte(nil), wasm[:8]...)
	found := false
	for _, s := range sections {
		body := s.body
		if s.id == sectionData {
			memory, err := layOut(body)
			if err != nil {
				return nil, fmt.Errorf("slim: data: %w", err)
			}
			if err := change(memory); err != nil {
				return nil, fmt.Errorf("slim: %w", err)
			}
			body, found = segments(memory), true
		}
		out = append(out, s.id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	if !found {
		return nil, errors.New("slim: the module has no data")
	}
	return out, nil
}

// A section of a wasm module: its kind and its bytes.
type section struct {
	id   byte
	body []byte
}

var errShort = errors.New("the module ends too early")

func split(wasm []byte) ([]section, error) {
	if !bytes.HasPrefix(wasm, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errors.New("not a wasm module of version 1")
	}
	var sections []section
	for rest := wasm[8:]; len(rest) > 0; {
		id := rest[0]
		n, w := binary.Uvarint(rest[1:])
		if w <= 0 || n > uint64(len(rest)-1-w) {
			return nil, errShort
		}
		rest = rest[1+w:]
		sections = append(sections, section{id, rest[:n]})
		rest = rest[n:]
	}
	return sections, nil
}

// layOut returns the memory that a data section describes, from address 0 to its last byte.
func layOut(body []byte) ([]byte, error) {
	count, w := binary.Uvarint(body)
	if w <= 0 {
		return nil, errShort
	}
	body = body[w:]
	var memory []byte
	for range count {
		// An active segment of memory 0: 0, i32.const address, end, length, bytes.
		if len(body) < 2 || body[0] != 0 || body[1] != 0x41 {
			return nil, errors.New("a segment is not at a constant address of memory 0")
		}
		address, w := varint(body[2:])
		if w <= 0 || address < 0 || len(body) < 3+w || body[2+w] != 0x0b {
			return nil, errors.New("a segment is not at a constant address of memory 0")
		}
		body = body[3+w:]
		n, w := binary.Uvarint(body)
		if w <= 0 || n > uint64(len(body)-w) {
			return nil, errShort
		}
		end := int(address) + int(n)
		if end > 1<<30 {
			return nil, fmt.Errorf("a segment ends at %d", end)
		}
		if end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[address:], body[w:w+int(n)])
		body = body[w+int(n):]
	}
	return memory, nil
}

// segments writes memory as a data section, with a new segment where at least gap zeros come.
func segments(memory []byte) []byte {
	var list []byte
	count := uint64(0)
	zeros := make([]byte, gap)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end := len(memory)
		if i := bytes.Index(memory[at:], zeros); i >= 0 {
			end = at + i
		}
		list = append(list, 0, 0x41)
		list = appendVarint(list, int64(at))
		list = append(list, 0x0b)
		list = binary.AppendUvarint(list, uint64(end-at))
		list = append(list, memory[at:end]...)
		count++
		at = end
	}
	return append(binary.AppendUvarint(nil, count), list...)
}

// The tables of functions, as internal/abi and runtime lay them out since Go 1.20 (runtime/symtab.go: pcHeader;
// runtime/runtime2.go: _func). Numbers are little-endian.
const (
	headerSize = 8 + 8*8
	funcSize   = 44
	funcName   = 4  // where its name is, among the names
	funcFile   = 20 // the field pcfile, with pcln after it
	funcTables = 28 // the field npcdata
	funcUnit   = 32 // the field cuOffset, with startLine after it
	funcID     = 40 // which of the runtime's special functions it is, 0 for none
	funcData   = 43 // the field nfuncdata
)

// Tables and data of functions by their number (internal/abi/symtab.go) which nothing reads in a browser: whether a
// function may be stopped by a signal, of which there are none, and which of its arguments a stack trace prints, and
// how.
var (
	idleTables = []int{0, 3} // PCDATA_UnsafePoint, PCDATA_ArgLiveIndex
	idleData   = []int{5, 6} // FUNCDATA_ArgInfo, FUNCDATA_ArgLiveInfo
)

const absent = ^uint32(0) // data that a function has not

var headerStart = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// table is the table of functions in a program's memory, as the linker laid it out.
type table struct {
	bytes                                         []byte // from its header to the end of memory
	count, names, units, files, values, functions int    // how many functions; where its parts begin
}

func findTable(memory []byte) (*table, error) {
	start := bytes.Index(memory, headerStart)
	if start < 0 || bytes.Contains(memory[start+1:], headerStart) {
		return nil, errors.New("the table of functions is not found: is this of another version of Go?")
	}
	t := memory[start:]
	if len(t) < headerSize {
		return nil, errors.New("the table of functions ends too early")
	}
	field := func(i int) int { return int(binary.LittleEndian.Uint64(t[8+8*i:])) }
	out := &table{t, field(0), field(3), field(4), field(5), field(6), field(7)}
	if out.count <= 0 || !ascending(headerSize, out.names, out.units, out.files, out.values, out.functions,
		out.functions+8*out.count, len(t)) {
		return nil, errors.New("the table of functions is not laid out as that of Go 1.26")
	}
	return out, nil
}

// function returns what the table says of the i-th function, and whatever comes behind that.
func (t *table) function(i int) ([]byte, error) {
	at := t.functions + int(binary.LittleEndian.Uint32(t.bytes[t.functions+8*i+4:]))
	if at+funcSize > len(t.bytes) {
		return nil, errors.New("a function is outside of the table")
	}
	return t.bytes[at:], nil
}

// dropNames clears the names of functions, but of those that the runtime treats in a way of their own.
func dropNames(memory []byte) error {
	t, err := findTable(memory)
	if err != nil {
		return err
	}
	names := t.bytes[t.names:t.units]
	kept := map[uint32]bool{}
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return err
		}
		if name := f[funcName : funcName+4]; f[funcID] != 0 {
			kept[binary.LittleEndian.Uint32(name)] = true
		} else {
			clear(name) // the first name is the empty one
		}
	}
	for at := 0; at < len(names); {
		n := bytes.IndexByte(names[at:], 0)
		if n < 0 {
			return errors.New("a function's name ends too early")
		}
		if !kept[uint32(at)] {
			clear(names[at : at+n])
		}
		at += n + 1
	}
	return nil
}

// dropTables clears the tables of files and lines, whatever only they need, and what is idle in a browser. The runtime
// reads an absent table as "not known".
func dropTables(memory []byte) error {
	t, err := findTable(memory)
	if err != nil {
		return err
	}
	pc := t.bytes[t.values:t.functions]
	needed, dropped := make([]bool, len(pc)), make([]bool, len(pc))
	mark := func(marks []bool, tables []uint32) error {
		for _, at := range tables {
			if at == 0 {
				continue // there is none
			}
			end, ok := tableEnd(pc, int(at))
			if !ok {
				return errors.New("a function's table ends too early")
			}
			for i := int(at); i < end; i++ {
				marks[i] = true
			}
		}
		return nil
	}
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return err
		}
		word := func(at int) uint32 { return binary.LittleEndian.Uint32(f[at:]) }
		tables := int(word(funcTables))
		if tables > 16 || len(f) < funcSize+4*tables {
			return fmt.Errorf("a function has %d tables", tables)
		}
		data := int(f[funcData])
		if len(f) < funcSize+4*(tables+data) {
			return fmt.Errorf("a function has %d pieces of data", data)
		}
		// Pcsp; pcfile and pcln
		read, idle := []uint32{word(funcFile - 4)}, []uint32{word(funcFile), word(funcFile + 4)}
		for j := range tables {
			if use := word(funcSize + 4*j); slices.Contains(idleTables, j) {
				idle = append(idle, use)
				clear(f[funcSize+4*j:][:4])
			} else {
				read = append(read, use)
			}
		}
		if err := cmp.Or(mark(needed, read), mark(dropped, idle)); err != nil {
			return err
		}
		for _, j := range idleData {
			if j < data {
				binary.LittleEndian.PutUint32(f[funcSize+4*(tables+j):], absent)
			}
		}
		clear(f[funcFile : funcFile+8])
		clear(f[funcUnit : funcUnit+8])
	}
	// The linker lets functions share a table of the same bytes, whatever it says: what somebody else reads stays.
	for i := range pc {
		if dropped[i] && !needed[i] {
			pc[i] = 0
		}
	}
	clear(t.bytes[t.units:t.values]) // which files there are, by compilation unit, and their names
	return nil
}

// tableEnd returns where the table at an offset ends: pairs of a value's difference and a counter's, to a difference of
// 0 that is not the first.
func tableEnd(pc []byte, at int) (end int, ok bool) {
	for first := true; at < len(pc); first = false {
		difference, w := binary.Uvarint(pc[at:])
		if w <= 0 {
			return 0, false
		}
		at += w
		if difference == 0 && !first {
			return at, true
		}
		if _, w = binary.Uvarint(pc[at:]); w <= 0 {
			return 0, false
		}
		at += w
	}
	return 0, false
}

func ascending(numbers ...int) bool {
	for i := range numbers[1:] {
		if numbers[i] > numbers[i+1] {
			return false
		}
	}
	return true
}

// varint reads a signed LEB128 number of at most 5 bytes; w is 0 where there is none.
func varint(b []byte) (v int64, w int) {
	for shift := uint(0); w < len(b) && w < 5; shift += 7 {
		c := b[w]
		w++
		v |= int64(c&0x7f) << shift
		if c < 0x80 {
			if c&0x40 != 0 {
				v |= -1 << (shift + 7)
			}
			return v, w
		}
	}
	return 0, 0
}

func appendVarint(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}
