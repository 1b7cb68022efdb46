package documents

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	"path"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
)

// isMail says that a text is a message: it is named so, and begins with the fields of one.
func isMail(start []byte, named bool) bool {
	line, _, _ := bytes.Cut(start, []byte("\n"))
	name, _, some := bytes.Cut(line, []byte(":"))
	return named && (bytes.HasPrefix(line, []byte("From ")) || some && bytes.IndexByte(name, ' ') < 0)
}

// readMail makes a document of each message of a file: its subject is the title, its first text the text. Attachments
// are left out.
func readMail(out *Read, f *file) error {
	s := strings.ReplaceAll(string(f.b), "\r\n", "\n")
	messages := []string{s}
	if strings.HasPrefix(s, "From ") {
		messages = strings.Split("\n"+s, "\nFrom ")[1:]
		for i := range messages {
			_, messages[i], _ = strings.Cut(messages[i], "\n") // the rest of the line that parts them
		}
	}
	seen := map[string]bool{}
	for i, m := range messages {
		fields, body, ok := mailPart(m)
		if !ok {
			return errors.New("it is no message: there is no empty line behind its fields")
		}
		d := collection.Doc{ID: ID(f.name), Title: fields["subject"], Text: strings.TrimSpace(mailText(fields, body, 0)),
			URI: f.name}
		if len(messages) > 1 {
			if d.ID = ID(strings.Trim(fields["message-id"], "<>")); d.ID == "" || seen[d.ID] {
				d.ID = ID(f.name) + "-" + strconv.Itoa(i+1)
			}
			seen[d.ID] = true
		}
		if d.Title == "" {
			d.Title = strings.TrimSuffix(path.Base(f.name), path.Ext(f.name))
		}
		out.Docs = append(out.Docs, d)
	}
	return nil
}

// mailPart parts the fields of a message from its body.
func mailPart(m string) (fields map[string]string, body string, ok bool) {
	head, body, ok := strings.Cut(strings.TrimLeft(m, "\n"), "\n\n")
	fields = map[string]string{}
	decoder := mime.WordDecoder{CharsetReader: func(label string, r io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(r)
		return bytes.NewReader(inCharset(label, b)), err
	}}
	for _, line := range strings.Split(strings.NewReplacer("\n ", " ", "\n\t", " ").Replace(head), "\n") {
		name, value, some := strings.Cut(line, ":")
		if name = strings.ToLower(strings.TrimSpace(name)); !some || fields[name] != "" {
			continue
		}
		value = strings.TrimSpace(value)
		if words, err := decoder.DecodeHeader(value); err == nil {
			value = words
		}
		fields[name] = value
	}
	return fields, body, ok
}

// inCharset decodes bytes of a charset.
func inCharset(label string, b []byte) []byte {
	if Charset != nil && label != "" && !strings.HasPrefix(strings.ToLower(label), "utf-8") {
		if text, ok := Charset(strings.ToLower(label), b); ok {
			return text
		}
	}
	text, _, _ := decoded(b, false)
	return text
}

// mailText is the text of a message or of a part of one: of alternatives the plain one.
func mailText(fields map[string]string, body string, deep int) string {
	kind, with, err := mime.ParseMediaType(fields["content-type"])
	if err != nil || kind == "" {
		kind = "text/plain"
	}
	switch {
	case strings.HasPrefix(kind, "multipart/") && with["boundary"] != "" && deep < 8:
		var plain, other string
		for _, part := range strings.Split("\n"+body, "\n--"+with["boundary"])[1:] {
			if strings.HasPrefix(part, "--") {
				break
			}
			_, part, _ = strings.Cut(part, "\n")
			f, b, ok := mailPart(part)
			if !ok && !strings.HasPrefix(part, "\n") || strings.HasPrefix(f["content-disposition"], "attachment") {
				continue
			}
			text := mailText(f, b, deep+1)
			if strings.HasPrefix(f["content-type"], "text/html") {
				other += text
			} else {
				plain += text
			}
		}
		if strings.TrimSpace(plain) != "" {
			return plain
		}
		return other
	case kind != "text/plain" && kind != "text/html":
		return ""
	}
	b := []byte(body)
	switch strings.ToLower(fields["content-transfer-encoding"]) {
	case "base64":
		b, _ = base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", " ", "").Replace(body))
	case "quoted-printable":
		b, _ = io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
	}
	text := string(inCharset(with["charset"], b))
	if kind == "text/html" {
		if d, _, err := page("", []byte(text)); err == nil {
			text = d.Text
		}
	}
	return text
}
