package main

import (
	"bufio"
	"bytes"
	"io"

	"github.com/rankbox/rankbox/core/base/say"
)

// spelled writes lines with what cannot be seen or turns text round spelled out, but line feeds and tabs: ids, names
// and names of files come from others, and a terminal does what some characters say.
type spelled struct {
	w    io.Writer
	cut  bool   // names that are too long to read: standard error has messages, not results
	rest []byte // of a line that is not whole
}

// output is where a format is written, and what ends it: JSON has characters of its own for what cannot be seen, and
// programs read the ids in it.
func (c *context) output(format string) (out *bufio.Writer, end func()) {
	if format == "json" || format == "jsonl" {
		out = bufio.NewWriter(c.out)
		return out, func() { out.Flush() }
	}
	s := &spelled{w: c.out}
	out = bufio.NewWriter(s)
	return out, func() {
		out.Flush()
		s.flush()
	}
}

// file is where a file is written that other programs read: it keeps its bytes, but on a terminal it is spelled.
func (c *context) file(format string) (out *bufio.Writer, end func()) {
	if c.terminal {
		return c.output(format)
	}
	out = bufio.NewWriter(c.out)
	return out, func() { out.Flush() }
}

func (s *spelled) Write(b []byte) (int, error) {
	s.rest = append(s.rest, b...)
	end := bytes.LastIndexByte(s.rest, '\n') + 1
	if end == 0 {
		return len(b), nil
	}
	err := s.write(s.rest[:end])
	s.rest = append(s.rest[:0], s.rest[end:]...)
	return len(b), err
}

// flush writes what is left.
func (s *spelled) flush() error {
	err := s.write(s.rest)
	s.rest = s.rest[:0]
	return err
}

func (s *spelled) write(b []byte) error {
	var out []byte
	for len(b) > 0 {
		i := bytes.IndexAny(b, "\n\t")
		if i < 0 {
			i = len(b)
		}
		text := say.Visible(string(b[:i]))
		if s.cut {
			text = say.Cut(text)
		}
		out = append(out, text...)
		if i < len(b) {
			out = append(out, b[i])
			i++
		}
		b = b[i:]
	}
	_, err := s.w.Write(out)
	return err
}

// printKept prints a file of an experiment's folder, which may be of another hand.
func printKept(c *context, name, format string) error {
	data, err := readFile(name, mostFolder)
	if err != nil {
		return err
	}
	out, end := c.output(format)
	switch format {
	case "html":
		out, end = c.file(format)
	case "json":
		data = []byte(say.Escaped(string(data)))
	}
	defer end()
	_, err = out.Write(data)
	return err
}
