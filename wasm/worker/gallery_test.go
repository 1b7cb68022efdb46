package worker

import (
	"errors"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
)

func TestTheListOfCollectionsIsFetchedOrSaidToBeMissing(t *testing.T) {
	whole := wire.Marshal(&gallery.Gallery{Collections: []gallery.Collection{{ID: "a", Documents: 3}}})
	for _, c := range []struct {
		bytes []byte
		err   error
		want  string
	}{
		{whole, nil, ""},
		{whole[:len(whole)-1], nil, "damaged"},
		{nil, errors.New("the server answered 404"), "could not be fetched: the server answered 404"},
	} {
		var got message.Reply
		e := NewEngine(func(url string, _ func(int)) ([]byte, error) {
			if url != "/collections.bin" {
				t.Errorf("fetches %s", url)
			}
			return c.bytes, c.err
		}, func() float64 { return 0 }, func(r message.Reply) { got = r })
		e.Handle(message.Request{ID: 1, Kind: message.Gallery, Question: &message.AskGallery{URL: "/collections.bin"}})
		if c.want == "" {
			if g, ok := got.Answer.(*gallery.Gallery); !ok || len(g.Collections) != 1 ||
				g.Collections[0].Documents != 3 {
				t.Errorf("%+v", got)
			}
		} else if got.Problem == nil || !strings.Contains(got.Problem.What, c.want) {
			t.Errorf("%q: %+v", c.want, got.Problem)
		}
	}
}
