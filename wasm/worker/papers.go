//go:build !first

package worker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Papers, handler{blame: at("the files that were handed in")}, toDevice, (*Device).papers)
}

// Limits of what a class hands in.
const (
	maxPaper  = 64 << 10 // bytes of a file, of which no more are read
	maxPapers = 2000
	maxZip    = 32 << 20
)

// papers reads the files as texts; what they say is the page's affair. A zip is what a course system hands out: each
// file in it is one.
func (d *Device) papers(_ message.Request, ask *message.AskPapers) (*message.PapersRead, error) {
	if d.Files == nil {
		return nil, errors.New("there are no files here")
	}
	out := &message.PapersRead{}
	add := func(name string, data []byte) {
		if len(data) > maxPaper {
			data = data[:maxPaper]
		}
		out.List = append(out.List, message.Paper{Name: name, Text: strings.ToValidUTF8(string(data), "\ufffd")})
	}
	for _, f := range ask.Files {
		r, err := d.Files(f.ID)
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(r, maxZip+1))
		if c, ok := r.(io.Closer); ok {
			c.Close()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if bytes.HasPrefix(data, []byte("PK\x03\x04")) && len(data) <= maxZip {
			if err := unzip(f.Name, data, add); err != nil {
				return nil, err
			}
		} else {
			add(f.Name, data)
		}
		if len(out.List) > maxPapers {
			return nil, fmt.Errorf("more than %d files", maxPapers)
		}
	}
	return out, nil
}

// unzip hands over the files of an archive.
func unzip(name string, data []byte, add func(name string, data []byte)) error {
	a, err := collection.OpenZip(name, bytes.NewReader(data), int64(len(data)), collection.Limits{})
	if err != nil {
		return err
	}
	n := 0
	return fs.WalkDir(a, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		if n++; n > maxPapers {
			return fmt.Errorf("%s: more than %d files", name, maxPapers)
		}
		f, err := a.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxPaper))
		if err == nil {
			add(path, data)
		}
		return err
	})
}
