package collection

import (
	"bytes"
	"cmp"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/inflate"
)

// Archive is a zip as a read-only folder (fs.FS). It is read where it lies (a File of the browser through io.ReaderAt,
// say): only its directory is held in memory. It knows stored and deflated files and ZIP64, and refuses encryption,
// files that overlap one another (the trick of zip bombs), sizes beyond the limits, and paths that lead outside. It
// stands in for archive/zip, which costs the page 60 kB more.
type Archive struct {
	r     io.ReaderAt
	size  int64
	lim   Limits
	files []zipEntry // by name
}

type zipEntry struct {
	name         string
	method       uint16
	crc          uint32
	packed, size int64
	header       int64 // offset of the local header
}

// OpenZip reads the directory of a zip of size bytes. Errors are of type *ParseError with the given name.
func OpenZip(name string, r io.ReaderAt, size int64, limits Limits) (*Archive, error) {
	a := &Archive{r: r, size: size, lim: limits.withDefaults()}
	if err := a.directory(); err != nil {
		return nil, parseError(name, 0, err)
	}
	return a, nil
}

var errZip = errors.New("zip: damaged directory")

func (a *Archive) at(off int64, n int) ([]byte, error) {
	if off < 0 || n < 0 || off > a.size-int64(n) {
		return nil, errZip
	}
	b := make([]byte, n)
	if k, err := a.r.ReadAt(b, off); k < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

// noZip says what a file without a directory is.
func (a *Archive) noZip() error {
	head, err := a.at(0, int(min(a.size, 512)))
	switch what := foreign(head); {
	case err != nil:
		return err
	case len(head) == 0:
		return errors.New("empty file")
	case bytes.HasPrefix(head, []byte("PK")):
		return errors.New("zip: cut off: it has no directory at its end")
	case what != "":
		return errors.New("not a zip: " + what)
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return errors.New("not a zip: compressed with gzip: unpack it, or use zip")
	case !holds(head, 0):
		return errors.New("not a zip: a text file, and a collection is a folder or a zip of one")
	}
	return errors.New("not a zip, and of no known format")
}

// directory finds the end record, the central directory and its entries.
// It goes through the records of the format in order, and says of each what is wrong there.
func (a *Archive) directory() error {
	n := int(min(a.size, 22+65535))
	tail, err := a.at(a.size-int64(n), n)
	if err != nil {
		return err
	}
	end := -1
	for i := n - 22; i >= 0; i-- {
		if le32(tail[i:]) == 0x06054b50 && i+22+int(le16(tail[i+20:])) <= n {
			end = i
			break
		}
	}
	if end < 0 {
		return a.noZip()
	}
	e := tail[end:]
	count, dirSize, dirOff := int64(le16(e[10:])), int64(le32(e[12:])), int64(le32(e[16:]))
	endOff := a.size - int64(n) + int64(end)
	if count == 0xffff || dirSize == 0xffffffff || dirOff == 0xffffffff {
		loc, err := a.at(endOff-20, 20)
		if err != nil || le32(loc) != 0x07064b50 {
			return errZip
		}
		endOff = int64(le64(loc[8:]))
		e, err := a.at(endOff, 56)
		if err != nil || le32(e) != 0x06064b50 {
			return errZip
		}
		count, dirSize, dirOff = int64(le64(e[32:])), int64(le64(e[40:])), int64(le64(e[48:]))
	}
	if count > int64(a.lim.Files) {
		return &LimitError{"Files", "files in a zip", int64(a.lim.Files), count}
	}
	// 64 KiB of names and extras for a file are the most that the format can say thrice; a directory is never that
	// large.
	if count < 0 || dirSize < 46*count || dirSize > 1<<16*(count+1) || dirSize > 1<<30 || dirOff < 0 ||
		dirOff > endOff-dirSize {
		return errZip
	}
	dir, err := a.at(dirOff, int(dirSize))
	if err != nil {
		return err
	}
	for range count {
		if len(dir) < 46 || le32(dir) != 0x02014b50 {
			return errZip
		}
		nameLen, extraLen, noteLen := int(le16(dir[28:])), int(le16(dir[30:])), int(le16(dir[32:]))
		if len(dir) < 46+nameLen+extraLen+noteLen {
			return errZip
		}
		f := zipEntry{
			name: string(dir[46 : 46+nameLen]), method: le16(dir[10:]), crc: le32(dir[16:]),
			packed: int64(le32(dir[20:])), size: int64(le32(dir[24:])), header: int64(le32(dir[42:])),
		}
		for x := dir[46+nameLen : 46+nameLen+extraLen]; len(x) >= 4; {
			tag, n := le16(x), int(le16(x[2:]))
			if len(x) < 4+n {
				return errZip
			}
			if v := x[4 : 4+n]; tag == 1 {
				for _, p := range []*int64{&f.size, &f.packed, &f.header} {
					if *p == 0xffffffff {
						if len(v) < 8 {
							return errZip
						}
						*p, v = int64(le64(v)), v[8:]
					}
				}
			}
			x = x[4+n:]
		}
		flags := le16(dir[8:])
		dir = dir[46+nameLen+extraLen+noteLen:]
		if f.packed < 0 || f.size < 0 || f.header < 0 || f.header > dirOff-30-f.packed {
			return errZip
		}
		f.name = strings.ReplaceAll(f.name, `\`, "/")
		if strings.HasSuffix(f.name, "/") {
			continue
		}
		if !fs.ValidPath(f.name) {
			return errors.New("zip: unsafe path " + strconv.Quote(f.name))
		}
		if flags&1 != 0 {
			return errors.New("zip: " + f.name + " is encrypted")
		}
		a.files = append(a.files, f)
	}
	byPlace := sorted(len(a.files), func(i, j int32) int { return cmp.Compare(a.files[i].header, a.files[j].header) })
	for i := range byPlace[:max(len(byPlace)-1, 0)] {
		if f, g := &a.files[byPlace[i]], &a.files[byPlace[i+1]]; f.header+30+int64(len(f.name))+f.packed > g.header {
			return errors.New("zip: " + f.name + " and " + g.name + " overlap")
		}
	}
	byName := sorted(len(a.files), func(i, j int32) int { return strings.Compare(a.files[i].name, a.files[j].name) })
	files := make([]zipEntry, len(a.files))
	for i, k := range byName {
		files[i] = a.files[k]
	}
	a.files = files
	for i := 1; i < len(a.files); i++ {
		if a.files[i].name == a.files[i-1].name {
			return errors.New("zip: " + a.files[i].name + " appears twice")
		}
	}
	return nil
}

// Files returns the paths of all files, in byte order.
func (a *Archive) Files() []string {
	names := make([]string, len(a.files))
	for i, f := range a.files {
		names[i] = f.name
	}
	return names
}

// open opens a file of the archive; fs.ErrNotExist where there is none of that name.
func (a *Archive) open(name string) (io.ReadCloser, error) {
	return a.file(name)
}

func (a *Archive) file(name string) (*zipFile, error) {
	i := a.search(name)
	if i == len(a.files) || a.files[i].name != name {
		return nil, fs.ErrNotExist
	}
	f := a.files[i]
	if f.size > a.lim.Bytes {
		return nil, &LimitError{"Bytes", "bytes", a.lim.Bytes, f.size}
	}
	if f.size > ratioFrom && f.size/a.lim.Ratio > f.packed {
		return nil, &LimitError{"Ratio", "bytes out of every compressed byte", a.lim.Ratio, f.size / max(f.packed, 1)}
	}
	h, err := a.at(f.header, 30)
	if err != nil {
		return nil, err
	}
	start := f.header + 30 + int64(le16(h[26:])) + int64(le16(h[28:]))
	if le32(h) != 0x04034b50 || start > a.size-f.packed || f.method == 0 && f.packed != f.size {
		return nil, errors.New("zip: damaged file header")
	}
	z := &zipFile{entry: f, left: f.size}
	z.r = io.NewSectionReader(a.r, start, f.packed)
	switch f.method {
	case 0:
	case 8:
		z.r = inflate.New(z.r)
	default:
		return nil, errors.New("zip: compression method " + strconv.Itoa(int(f.method)) +
			" is not known (stored and deflate are)")
	}
	return z, nil
}

// search returns the place of the first file whose name is not before name.
func (a *Archive) search(name string) int {
	from, to := 0, len(a.files)
	for from < to {
		if mid := (from + to) / 2; a.files[mid].name < name {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from
}

// list returns the names of the files and folders in a folder; nothing for one that is not there.
func (a *Archive) list(dir string) (files, dirs []string, err error) {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	for i := a.search(prefix); i < len(a.files) && strings.HasPrefix(a.files[i].name, prefix); i++ {
		name := a.files[i].name[len(prefix):]
		if k := strings.IndexByte(name, '/'); k < 0 {
			files = append(files, name)
		} else if name = name[:k]; len(dirs) == 0 || dirs[len(dirs)-1] != name {
			dirs = append(dirs, name)
		}
	}
	if files == nil && dirs == nil {
		err = fs.ErrNotExist
	}
	return files, dirs, err
}

// zipFile is an open file of an Archive.
type zipFile struct {
	entry zipEntry
	r     io.Reader
	left  int64
	crc   uint32
	err   error
}

// Read reads on; at the end it checks length and CRC.
func (z *zipFile) Read(b []byte) (int, error) {
	if z.err != nil {
		return 0, z.err
	}
	n, err := z.r.Read(b)
	z.crc = crc32.Update(z.crc, crc32.IEEETable, b[:n])
	z.left -= int64(n)
	switch {
	case z.left < 0:
		n, err = 0, errors.New("zip: damaged: the file is longer than the directory says")
	case err == io.EOF && z.left > 0:
		err = errors.New("zip: damaged: the file is shorter than the directory says")
	case err == io.EOF && z.crc != z.entry.crc:
		err = errors.New("zip: damaged: its checksum does not match")
	case err != nil && err != io.EOF:
		err = damaged("zip", err)
	}
	z.err = err
	return n, err
}

// Close closes the file.
func (z *zipFile) Close() error { return nil }

// sorted returns 0 … n−1 in the order of compare. All sorting of the package goes through it, so that the page carries
// one sort.
func sorted(n int, compare func(i, j int32) int) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, compare)
	return order
}
