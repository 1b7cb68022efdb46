// Package release writes what a release is made of besides programs: archives, checksums, the bill of materials, and
// the manifests of package managers. The same input gives the same bytes: no time, no owner and no order of a file
// system is in them. It compiles nothing.
package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// epoch is the time of every file in an archive: the first that zip can say.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// File is a file of an archive. Its name has slashes.
type File struct {
	Name       string
	Data       []byte
	Executable bool
}

func (f File) mode() int64 {
	if f.Executable {
		return 0o755
	}
	return 0o644
}

// sorted returns the files by name, and an error if a name is unsafe to unpack or is given twice.
func sorted(files []File) ([]File, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	for i, f := range files {
		clean := f.Name == path.Clean(f.Name) && !path.IsAbs(f.Name) && !strings.HasPrefix(f.Name, "..")
		if !clean || strings.Contains(f.Name, `\`) {
			return nil, fmt.Errorf("archive: %q is no clean relative name", f.Name)
		}
		if i > 0 && f.Name == files[i-1].Name {
			return nil, fmt.Errorf("archive: %q is given twice", f.Name)
		}
	}
	return files, nil
}

// TarGz returns a compressed tar of files, sorted by name.
func TarGz(files []File) ([]byte, error) {
	files, err := sorted(files)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.Name, Size: int64(len(f.Data)), Mode: f.mode(), ModTime: epoch,
			Format: tar.FormatUSTAR,
		}
		if err := t.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil { // before Bytes: it writes the end
		return nil, err
	}
	return b.Bytes(), nil
}

// Zip returns a zip of files, sorted by name.
func Zip(files []File) ([]byte, error) {
	files, err := sorted(files)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(0o644)
		if f.Executable {
			h.SetMode(0o755)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Sum is the SHA-256 of data in hexadecimal digits.
func Sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// Sums is a file for `sha256sum -c`: a line for each file, sorted by name.
func Sums(files map[string][]byte) []byte {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&b, "%s  %s\n", Sum(files[name]), name)
	}
	return b.Bytes()
}
