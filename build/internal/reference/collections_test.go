package reference

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

func TestTheDocumentOfCollectionsHasAllOfEach(t *testing.T) {
	p := Collections()
	text := p.Markdown()
	for _, r := range recipe.All() {
		for _, want := range []string{"### " + r.Name, "**" + r.Title + ".**", r.Files[0].MD5, r.Files[0].URL,
			r.Sentence} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not there", r.Name, want)
			}
		}
	}
	for _, k := range recipe.Keys() {
		if k.Doc == "" || !strings.Contains(text, "### "+k.Name+"\n") {
			t.Errorf("key %s is not documented", k.Name)
		}
	}
	if !strings.Contains(text, "`bm25`, nDCG@10 0.6789: Anserini") ||
		!strings.Contains(text, "not stated by the source") ||
		!strings.Contains(text, "(of version 1.1; this file is version 1.0") {
		t.Error(text)
	}
}
