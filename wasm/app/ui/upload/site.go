package upload

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

// Site says what the site holds and how large it is, or how far it is.
func (c *Upload) Site() string {
	s := &c.Upload.Site
	switch {
	case s.Bytes == 0:
		return "Measuring the site …"
	case s.Making:
		return "Making the site: " + say.Bytes(int64(s.Done)) + " of " + say.Bytes(int64(s.Bytes))
	}
	return "“" + say.Visible(s.Name()) + "” as a site: " + say.Bytes(int64(s.Bytes)) + " unpacked, less as a zip. " +
		"It holds Rankbox, the documents, queries, grades in their layers, and notes. Any host of static files can " +
		"serve it."
}

// SitePart is how much of it is done, in thousandths.
func (c *Upload) SitePart() string {
	s := &c.Upload.Site
	return strconv.Itoa(1000 * s.Done / max(1, s.Bytes))
}
