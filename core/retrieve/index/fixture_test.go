package index_test

import (
	"fmt"
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/index"
)

// space is an analyzer that splits at single spaces.
type space struct{}

func (space) Name() string                    { return "space" }
func (space) Version() int                    { return 7 }
func (space) Term(word string) (string, bool) { return strings.ToLower(word), word != "the" }
func (space) Words(s string, emit func(start, end int)) {
	for at := 0; at < len(s); {
		n := strings.IndexByte(s[at:], ' ')
		if n < 0 {
			n = len(s) - at
		}
		if n > 0 {
			emit(at, at+n)
		}
		at += n + 1
	}
}

// fixture is the collection of testdata/v1.idx: 300 documents, so that gaps take one byte and two; frequencies of
// one, several and many hundred; documents without title, text or both; terms with all kinds of bytes.
func fixture() *index.Index {
	b := index.NewBuilder(space{})
	for d := range 300 {
		title, body := "", ""
		if d%3 == 0 {
			title = fmt.Sprintf("Port%d the harbour", d%7)
		}
		if d%5 != 0 {
			body = "the harbour wire"
			for i := range d % 11 {
				body += fmt.Sprintf(" word%d", (d*d+i*i)%61)
			}
			body += strings.Repeat(" ferry", d%23)
		}
		switch d {
		case 17:
			title = strings.Repeat("tide ", 300)
			body += strings.Repeat(" tide", 400)
		case 18:
			body += strings.Repeat(" tide", 255)
		case 19:
			body += strings.Repeat(" tide", 254)
		case 100:
			body += " a\x00b \x00 Ærø naïve 東京 " + strings.Repeat("long", 100) + " " + strings.Repeat("long", 100) +
				"er \xff\xfe"
		}
		b.Add(title, body)
	}
	return b.Build()
}
