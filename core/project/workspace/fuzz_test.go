package workspace

import (
	"bytes"
	"hash/crc32"
	"testing"
)

func crcOf(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// What a journal says is what it says again when it is written anew.
func FuzzJournal(f *testing.F) {
	b := &tab{name: "a", w: New(harbour)}
	b.edit(f, 5, Edit{Kind: SetGrade, Layer: "mine", Query: "q", Document: "d", Grade: -1})
	b.edit(f, 5, Edit{Kind: SetNote, Layer: "mine", Query: "q", Document: "d", Text: "\u202e\n"})
	f.Add(b.journal)
	f.Add([]byte("00000000 {}\n"))
	f.Fuzz(func(t *testing.T, journal []byte) {
		edits, lost := ReadJournal(journal)
		if len(edits)+len(lost) > bytes.Count(journal, []byte("\n"))+1 {
			t.Fatal("more records than lines")
		}
		var again []byte
		for i := range edits {
			again = AppendRecord(again, &edits[i])
		}
		second, lost := ReadJournal(again)
		if len(lost) > 0 || len(second) != len(edits) {
			t.Fatalf("%d edits, then %d and %v", len(edits), len(second), lost)
		}
		for i := range second {
			if second[i] != edits[i] {
				t.Fatalf("%+v became %+v", edits[i], second[i])
			}
		}
	})
}

// An edit is whatever its checksum says: this goes round that.
func FuzzEdit(f *testing.F) {
	b := &tab{name: "a", w: sample(f)}
	for _, e := range b.w.All() {
		f.Add(e.appendJSON(nil))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := newParser().parseEdit(body)
		if err != nil {
			return
		}
		w := New(harbour)
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
		roundTrip(t, w)
	})
}

func roundTrip(t *testing.T, w *Workspace) {
	if w.ReadOnly != "" {
		return
	}
	zipped, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Import("again", zipped, Limits{})
	if err != nil {
		t.Fatalf("what was written is refused: %v", err)
	}
	if second := export(t, again); !bytes.Equal(second, zipped) {
		t.Fatal("it is written otherwise the second time")
	}
}

func FuzzImport(f *testing.F) {
	f.Add(export(f, sample(f)))
	f.Fuzz(func(t *testing.T, zipped []byte) {
		if w, err := Import("x.zip", zipped, Limits{Bytes: 1 << 20}); err == nil {
			roundTrip(t, w)
		}
	})
}

// FuzzFiles reads each file of a workspace; version 1, since no digest is in the way there.
func FuzzFiles(f *testing.F) {
	files := sample(f).Files()
	f.Add([]byte(`{"format":"rankbox-workspace","version":1,"name":"x","documents":{"count":3}}`), files[queriesName],
		files[specsName], files["layers/mine.jsonl"])
	f.Fuzz(func(t *testing.T, head, queries, specs, layer []byte) {
		w, err := Read(map[string][]byte{manifestName: head, queriesName: queries, specsName: specs,
			"layers/mine.jsonl": layer}, Limits{})
		if err == nil {
			roundTrip(t, w)
		}
	})
}
