package gallery

import (
	"reflect"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
)

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	want := Gallery{Collections: []Collection{
		{ID: "a", Name: "A", Base: "/collections/a/0/", Sentence: "s", Domain: "d", Language: "en",
			Analyzer: "lucene-english", Documents: 3, Queries: 2,
			Judgments: 1, Models: []string{"m"}, Bytes: 9, Transfer: 4, Licence: "CC0-1.0",
			LicenceSource: "https://a.test/l", Source: "https://a.test", Citation: "c",
			Judged: "by two", Faults: []string{"f"}, RemoveQuery: true,
			Figures: []Figure{{"bm25", "nDCG@10", "0.665", "about", "https://a.test/f", "n"}}},
		{ID: "b"},
	}}
	var got Gallery
	if err := wire.Unmarshal(wire.Marshal(&want), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\n%+v", got, want)
	}
}

func FuzzGallery(f *testing.F) {
	f.Add(wire.Marshal(&Gallery{Collections: []Collection{{ID: "a", Figures: []Figure{{System: "bm25"}}}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var g, again Gallery
		if wire.Unmarshal(b, &g) != nil {
			return
		}
		if err := wire.Unmarshal(wire.Marshal(&g), &again); err != nil || !reflect.DeepEqual(g, again) {
			t.Fatalf("%v: %+v was read back as %+v", err, g, again)
		}
	})
}
