//go:build js

package browser

import (
	"errors"
	"fmt"
	"syscall/js"
)

// File is a file in the origin private file system that one worker holds exclusively: a matrix.Store. It persists
// between visits, and no other site can read it.
type File struct{ handle js.Value }

// OpenFile opens a file and creates it if necessary. The error gives the reason: a browser without such files, a
// private window, or another tab that holds it.
func OpenFile(name string) (f *File, err error) {
	defer caught(&err)
	storage := js.Global().Get("navigator").Get("storage")
	if !storage.Truthy() || storage.Get("getDirectory").Type() != js.TypeFunction {
		return nil, errors.New("this browser keeps no files for a page")
	}
	root, err := Await(storage.Call("getDirectory"))
	if err != nil {
		return nil, fmt.Errorf("this browser keeps no files for a page here (%w)", err)
	}
	options := js.Global().Get("Object").New()
	options.Set("create", true)
	entry, err := Await(root.Call("getFileHandle", name, options))
	if err != nil {
		return nil, err
	}
	if entry.Get("createSyncAccessHandle").Type() != js.TypeFunction {
		return nil, errors.New("this browser writes no files for a page")
	}
	handle, err := Await(entry.Call("createSyncAccessHandle"))
	if err != nil {
		return nil, fmt.Errorf("another tab has it open (%w)", err)
	}
	return &File{handle}, nil
}

// Close lets go of the file, for other tabs or to be removed.
func (f *File) Close() {
	var err error
	defer caught(&err)
	f.handle.Call("close")
}

// RemoveFiles removes the files whose names match. One that another tab has open is emptied by nobody and stays.
func RemoveFiles(match func(name string) bool) (err error) {
	defer caught(&err)
	storage := js.Global().Get("navigator").Get("storage")
	if !storage.Truthy() || storage.Get("getDirectory").Type() != js.TypeFunction {
		return nil
	}
	root, err := Await(storage.Call("getDirectory"))
	if err != nil {
		return err
	}
	var names []string
	for keys := root.Call("keys"); ; {
		next, err := Await(keys.Call("next"))
		if err != nil {
			return err
		}
		if next.Get("done").Bool() {
			break
		}
		if name := next.Get("value").String(); match(name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if _, e := Await(root.Call("removeEntry", name)); e != nil {
			err = e
		}
	}
	return err
}

// caught makes an error of an exception.
func caught(err *error) {
	if v := recover(); v != nil {
		e, ok := v.(js.Error)
		if !ok {
			panic(v)
		}
		*err = e
	}
}

func at(n int) js.Value {
	o := js.Global().Get("Object").New()
	o.Set("at", n)
	return o
}

// Load returns the content of the file.
func (f *File) Load() (b []byte, err error) {
	defer caught(&err)
	a := NewArray(f.handle.Call("getSize").Int())
	f.handle.Call("read", a, at(0))
	return Bytes(a), nil
}

// Append appends b; after an error the file is unchanged.
func (f *File) Append(b []byte) (err error) {
	defer caught(&err)
	size := f.handle.Call("getSize").Int()
	if n, err := f.write(b, size); err != nil || n < len(b) {
		f.handle.Call("truncate", size)
		if err == nil {
			err = errors.New("there is no room left")
		}
		return err
	}
	f.handle.Call("flush")
	return nil
}

func (f *File) write(b []byte, size int) (n int, err error) {
	defer caught(&err)
	return f.handle.Call("write", Array(b), at(size)).Int(), nil
}

// Cut truncates the file to n bytes.
func (f *File) Cut(n int) (err error) {
	defer caught(&err)
	f.handle.Call("truncate", n)
	f.handle.Call("flush")
	return nil
}
