package upload

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
)

// drafted is the screen with a draft of files that look like that.
func drafted(seen *message.Previewed) *Upload {
	return &Upload{Upload: &screen.Upload{Import: screen.Import{Draft: &screen.Draft{Seen: seen}}}}
}

func TestTheButtonSaysHowManyDocumentsThereAre(t *testing.T) {
	for _, c := range []struct {
		n     int
		exact bool
		want  string
	}{{3, true, "Index 3 documents"}, {1, true, "Index 1 document"}, {20_111, false, "Index about 20,000 documents"},
		{99, false, "Index about 99 documents"}, {0, true, "Index the documents"}, {995, false,
			"Index about 1,000 documents"}} {
		u := drafted(&message.Previewed{Documents: c.n, Exact: c.exact})
		if got := u.IndexLabel(); got != c.want {
			t.Errorf("%d: %q, want %q", c.n, got, c.want)
		}
	}
}

// Names and cells of a file are cut and visible, and no more columns are listed than a page can draw.
func TestHostileColumnsAreCut(t *testing.T) {
	x := message.Table{Files: []message.File{{Name: "a.csv"}}, Rows: []message.PreviewRow{{Line: 2}}}
	for range 200 {
		x.Columns = append(x.Columns, message.Column{Name: "\u202e<b>" + strings.Repeat("n", 500)})
		x.Rows[0].Cells = append(x.Rows[0].Cells, strings.Repeat("c", 500))
	}
	u := &Table{Import: &drafted(&message.Previewed{Tables: []message.Table{x}}).Upload.Import}
	got := u.Columns()
	if len(got) != mostColumns || len(got[0].Name) > 60 || len(got[0].Cell) > 100 || strings.Contains(got[0].Name,
		"\u202e") {
		t.Errorf("%d columns, %+v", len(got), got[0])
	}
	if n := u.Note(); !strings.Contains(n, "150 more columns can be used by a mapping file") {
		t.Errorf("%q", n)
	}
}
