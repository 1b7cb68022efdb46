package worker

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A store that NewEngine leaves without another one that it needs would fail in the one request that asks for it.
func TestEveryStoreReachesThoseOfItsEngine(t *testing.T) {
	e := NewEngine(nil, nil, func(message.Reply) {})
	stores := map[reflect.Type]reflect.Value{} // of the engine
	var collect func(v reflect.Value)
	collect = func(v reflect.Value) {
		for i := range v.NumField() {
			f := v.Field(i)
			switch {
			case f.Kind() != reflect.Struct || f.Type().PkgPath() != v.Type().PkgPath():
			case v.Type().Field(i).Anonymous:
				collect(f)
			default:
				stores[f.Type()] = f
			}
		}
	}
	collect(reflect.ValueOf(e).Elem())
	reached := 0
	var check func(name string, v reflect.Value)
	check = func(name string, v reflect.Value) {
		for i := range v.NumField() {
			f := v.Field(i)
			at := fmt.Sprintf("%s.%s", name, v.Type().Field(i).Name)
			if f.Kind() == reflect.Struct && f.Type() == reflect.TypeFor[savedKey]() {
				check(at, f)
			}
			if f.Kind() != reflect.Pointer {
				continue
			}
			want, isStore := stores[f.Type().Elem()]
			if !isStore {
				continue
			}
			if reached++; f.Pointer() != want.Addr().Pointer() {
				t.Errorf("%s is not the engine's", at)
			}
		}
	}
	for typ, store := range stores {
		check(typ.Name(), store)
	}
	if len(stores) < 15 || reached < 30 {
		t.Errorf("%d stores, which reach others %d times: are they looked for?", len(stores), reached)
	}
}

func TestTheLastComparisonsAreKeptTheNewestFirst(t *testing.T) {
	var cs comparisons
	list := make([]*comparison, keepComparisons+1)
	for i := range list {
		list[i] = &comparison{}
		cs.keep(list[i])
	}
	cs.keep(list[2]) // again
	if want := []*comparison{list[2], list[4], list[3], list[1]}; !slices.Equal(cs.kept, want) {
		t.Errorf("kept %v of %v", cs.kept, list)
	}
}

// The first figures of a comparison go with its progress, and with that of no other request.
func TestFirstFiguresGoWithTheProgressOfTheirKind(t *testing.T) {
	var got []message.Reply
	pg := page{reply: func(r message.Reply) { got = append(got, r) },
		first: map[message.Kind]*message.First{message.Runs: {Measures: []string{"AP"}}}}
	pg.tell(message.Request{ID: 1, Kind: message.Runs}, message.Progress{What: "Reading"})
	pg.tell(message.Request{ID: 2, Kind: message.Search}, message.Progress{What: "vectors"})
	if len(got) != 2 || got[0].ID != 1 || got[0].Progress.First == nil || got[1].ID != 2 ||
		got[1].Progress.First != nil {
		t.Errorf("%+v", got)
	}
	if pg.isOutdated(message.Request{}) {
		t.Error("without a line, a request is outdated")
	}
	pg.letIn() // without a line there is nothing to let in
}

func TestTheKeyOfAnEdgeIsReadOnceAndSavedOnTheShelf(t *testing.T) {
	was := edgeKey
	t.Cleanup(func() { edgeKey = was })
	shelf := &memory{files: map[string][]byte{}, room: 1000}
	d := &Device{Shelf: shelf}
	k := savedKey{device: d}
	if k.load(); edgeKey != "" {
		t.Errorf("an empty shelf gave %q", edgeKey)
	}
	if err := k.save(" secret\n"); err != nil || edgeKey != "secret" {
		t.Errorf("saved %q: %v", edgeKey, err)
	}
	edgeKey = ""
	other := savedKey{device: d} // another tab
	if other.load(); edgeKey != "secret" {
		t.Errorf("another tab reads %q", edgeKey)
	}
	edgeKey = "mine"
	if other.load(); edgeKey != "mine" {
		t.Errorf("read again: %q", edgeKey)
	}
	if err := k.save(""); err != nil || edgeKey != "" || len(shelf.files) != 0 {
		t.Errorf("%q and %v after deleting it: %v", edgeKey, shelf.files, err)
	}
}
