package workspace

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tab is somebody at work: a workspace in memory, and the journal that the device has of it.
type tab struct {
	name    string
	w       *Workspace
	journal []byte
}

func (b *tab) edit(t testing.TB, now int64, e Edit) Edit {
	t.Helper()
	e.Stamp = b.w.Next(now, b.name)
	_, err := b.w.Apply(e)
	must(t, err)
	b.journal = AppendRecord(b.journal, &e)
	return e
}

// hear applies what the device has, from its fold and its journal.
func (b *tab) hear(t testing.TB, base, journal []byte) {
	t.Helper()
	edits := mustRead(t, journal)
	if base != nil {
		w, err := Import("base", base, Limits{})
		must(t, err)
		edits = append(w.All(), edits...)
	}
	for _, e := range edits {
		_, err := b.w.Apply(e)
		must(t, err)
	}
}

var harbour = Documents{Collection: "upload-0123456789abcdef", Name: "notes", Hash: strings.Repeat("ab", 32), Count: 30}

func export(t testing.TB, w *Workspace) []byte {
	t.Helper()
	b, err := w.Export()
	must(t, err)
	return b
}

func TestARecordHasTheCRC32OfItsJSON(t *testing.T) {
	e := Edit{Stamp: Stamp{1732480000000, "k3f9", 1}, Kind: SetGrade, Layer: "mine", Query: "q1", Document: "d1",
		Grade: 2}
	// Python 3.11: "%08x" % zlib.crc32(b'{"edit":"grade",…}')
	want := `c6cbb09e {"edit":"grade","time":1732480000000,"tab":"k3f9","n":1,"layer":"mine","query":"q1",` +
		`"document":"d1","grade":2}` + "\n"
	if got := string(AppendRecord(nil, &e)); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

func TestATornTailIsDroppedAndReportedAndNothingElse(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	var ends []int
	for i := range 5 {
		b.edit(t, int64(i), Edit{Kind: SetGrade, Layer: "mine", Query: "q1", Document: fmt.Sprint("d", i), Grade: float64(i)})
		ends = append(ends, len(b.journal))
	}
	for cut := range len(b.journal) {
		whole := 0
		for _, end := range ends {
			if end <= cut {
				whole++
			}
		}
		edits, lost := ReadJournal(b.journal[:cut])
		torn := cut > 0 && !slices.Contains(ends, cut)
		if len(edits) != whole || (len(lost) == 1 && lost[0].Torn) != torn || len(lost) > 1 {
			t.Fatalf("cut at %d: %d edits of %d, lost %v", cut, len(edits), whole, lost)
		}
	}
	damaged := bytes.Clone(b.journal)
	damaged[ends[1]+20] ^= 1 // in the third record
	edits, lost := ReadJournal(damaged)
	if len(edits) != 4 || len(lost) != 1 || lost[0].Line != 3 || lost[0].Torn {
		t.Errorf("%d edits, lost %v; want the third alone lost", len(edits), lost)
	}
}

// Two tabs make random edits, see each other's at random moments, fold at random moments, and crash at random moments,
// in the midst of a record too. What a tab had on the device when it crashed is repeated afterwards, and both tabs end
// with the same bytes.
func TestNoEditIsLostInTwoTabsThatCrash(t *testing.T) {
	for seed := range int64(100) {
		r := rand.New(rand.NewSource(seed))
		tabs := []*tab{{name: "a", w: New(harbour)}, {name: "b", w: New(harbour)}}
		truth := New(harbour) // every edit that reached the device, in whatever order
		var kept []byte       // the journal on the device, of both tabs
		var base []byte       // the fold on the device
		var last = map[string]Edit{}
		for step := range 120 {
			b := tabs[r.Intn(2)]
			now := int64(r.Intn(50)) // clocks stand still and go backwards
			switch r.Intn(12) {
			case 0: // it hears of what the device has
				b.hear(t, base, kept)
			case 1: // it folds, as one transaction: what another tab has folded is taken up first
				b.hear(t, base, kept)
				base, kept = export(t, b.w), nil
			case 2: // it crashes in the midst of a record: that one was never answered
				torn := AppendRecord(nil, &Edit{Stamp: b.w.Next(now, b.name), Kind: SetGrade, Layer: "mine", Query: "q",
					Document: "torn", Grade: 1})
				device := append(bytes.Clone(kept), torn[:r.Intn(len(torn))]...)
				b.name = fmt.Sprint(b.name[:1], step) // a new tab
				b.w = New(harbour)
				if base != nil {
					w, err := Import("base", base, Limits{})
					must(t, err)
					b.w = w
				}
				b.w.Replay(device)
				if got, want := export(t, b.w), export(t, truth); !bytes.Equal(got, want) {
					t.Fatalf("seed %d, step %d: the reopened workspace differs from what was written", seed, step)
				}
			default:
				e := randomEdit(r, b, step)
				if r.Intn(4) == 0 {
					e = b.w.Inverse(e) // undo is an edit like any other
				}
				e = b.edit(t, now, e)
				kept = AppendRecord(kept, &e)
				_, err := truth.Apply(e)
				must(t, err)
				key := string(e.Kind[0]) + e.Layer + "|" + e.Query + "|" + e.Document + "|" + e.Spec
				if before, ok := last[key]; !ok || e.Stamp.Compare(before.Stamp) > 0 {
					last[key] = e
				}
			}
		}
		for _, b := range tabs {
			b.hear(t, base, kept)
		}
		a, b, c := export(t, tabs[0].w), export(t, tabs[1].w), export(t, truth)
		if !bytes.Equal(a, c) || !bytes.Equal(b, c) {
			t.Fatalf("seed %d: the tabs do not end with the same workspace", seed)
		}
		lost := 0
		for _, e := range last { // held against the edits themselves, not against the code under test
			switch e.Kind {
			case SetGrade:
				if g, ok := tabs[0].w.Layer(e.Layer).Grade(e.Query, e.Document); (!ok || g != e.Grade) &&
					!later(last, e, UnsetGrade) {
					lost++
				}
			case SetQuery:
				if !slices.ContainsFunc(tabs[0].w.Queries(), func(q Query) bool {
					return q.ID == e.Query && q.Text == e.Text
				}) && !later(last, e, RemoveQuery) {
					lost++
				}
			}
		}
		if lost > 0 {
			t.Fatalf("seed %d: %d edits lost", seed, lost)
		}
	}
}

// later says whether an edit of another kind took back what e set.
func later(last map[string]Edit, e Edit, kind Kind) bool {
	for _, o := range last {
		if o.Kind == kind && o.Layer == e.Layer && o.Query == e.Query && o.Document == e.Document &&
			o.Stamp.Compare(e.Stamp) > 0 {
			return true
		}
	}
	return false
}

func mustRead(t testing.TB, journal []byte) []Edit {
	t.Helper()
	edits, lost := ReadJournal(journal)
	if len(lost) > 0 {
		t.Fatal(lost[0])
	}
	return edits
}

func randomEdit(r *rand.Rand, b *tab, step int) Edit {
	q, d := fmt.Sprint("q", r.Intn(3)), fmt.Sprint("d", r.Intn(6))
	layer := []string{"mine", "second"}[r.Intn(2)]
	switch r.Intn(9) {
	case 0:
		return Edit{Kind: UnsetGrade, Layer: layer, Query: q, Document: d}
	case 1:
		return Edit{Kind: SetNote, Layer: layer, Query: q, Document: d, Text: fmt.Sprint("\u202e</script> note ", step)}
	case 2:
		return Edit{Kind: SetQuery, Query: fmt.Sprint("q-", b.name, step), Text: fmt.Sprint("text ", step)}
	case 3:
		return Edit{Kind: RemoveQuery, Query: fmt.Sprint("q-", b.name, r.Intn(step+1))}
	case 4:
		return Edit{Kind: SetLayer, Layer: layer, Origin: Origins[r.Intn(5)], Author: "Ada", Date: "2026-11-24",
			State: []State{Counts, Hidden, Removed}[r.Intn(3)]}
	case 5:
		return Edit{Kind: SetSpec, Spec: fmt.Sprint("s", r.Intn(3)), Form: "system", Text: "bm25"}
	case 6:
		return Edit{Kind: SetRule, Text: string(Rules()[r.Intn(5)])}
	}
	return Edit{Kind: SetGrade, Layer: layer, Query: q, Document: d, Grade: float64(r.Intn(4))}
}

func sample(t testing.TB) *Workspace {
	b := &tab{name: "k3f9", w: New(harbour)}
	b.edit(t, 1000, Edit{Kind: SetName, Text: "My notes"})
	b.edit(t, 1001, Edit{Kind: SetQuery, Query: "q1-k3f9", Text: "why did port workers down tools",
		Description: "causes", Narrative: "Not its effects."})
	b.edit(t, 1002, Edit{Kind: SetLayer, Layer: "mine", Origin: Person, Author: "Ada", Date: "2026-11-24",
		Text: "0 to 3"})
	b.edit(t, 1003, Edit{Kind: SetGrade, Layer: "mine", Query: "q1-k3f9", Document: "a b.md", Grade: 3})
	b.edit(t, 1004, Edit{Kind: SetNote, Layer: "mine", Query: "q1-k3f9", Document: "a b.md", Text: "names the cause"})
	b.edit(t, 1005, Edit{Kind: SetGrade, Layer: "mine", Query: "q1-k3f9", Document: "c.md", Grade: 1})
	b.edit(t, 1006, Edit{Kind: UnsetGrade, Layer: "mine", Query: "q1-k3f9", Document: "c.md"})
	b.edit(t, 1007, Edit{Kind: SetSpec, Spec: "A", Form: "system", Text: "bm25(k1=0.9)"})
	b.edit(t, 1008, Edit{Kind: SetRule, Text: "highest"})
	// sha256sum of "q1 Q0 c.md 1 2.5 bm25\n", GNU coreutils 9.1
	b.w.Blobs["runs/f98188c1f7ad8fb8b5cf4e7cb951b37d0cbac4ff163b62cef0a7c712c20934c6"] = []byte(
		"q1 Q0 c.md 1 2.5 bm25\n")
	return b.w
}

func TestTheExportedZipOpensElsewhereAndGivesTheSameBytesAgain(t *testing.T) {
	w := sample(t)
	zipped := export(t, w)
	if !bytes.Equal(zipped, export(t, w)) {
		t.Fatal("two exports differ")
	}
	z, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped))) // oracle: archive/zip of Go
	must(t, err)
	files := w.Files()
	if len(z.File) != len(files) {
		t.Errorf("%d files in the zip, want %d", len(z.File), len(files))
	}
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		b, err := io.ReadAll(r)
		must(t, err)
		if !bytes.Equal(b, files[f.Name]) {
			t.Errorf("%s differs", f.Name)
		}
	}
	again, err := Import("notes.zip", zipped, Limits{})
	must(t, err)
	if !bytes.Equal(export(t, again), zipped) {
		t.Error("the workspace that was read back is exported otherwise")
	}
	if !reflect.DeepEqual(again.All(), w.All()) || again.Name() != "My notes" || again.Rule() != Highest ||
		again.Layer("mine").Note("q1-k3f9", "a b.md") != "names the cause" {
		t.Errorf("read back: %+v", again.All())
	}
	if s := again.Next(0, "z"); s.Compare(Stamp{1008, "k3f9", 9}) <= 0 {
		t.Errorf("an edit made now would have the stamp %v, before the last one", s)
	}
}

func TestAFolderThatAnotherProgramPackedIsRead(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b) // deflated, in a folder, with what macOS adds
	for name, data := range sample(t).Files() {
		f, err := z.Create("notes/" + name)
		must(t, err)
		_, err = f.Write(data)
		must(t, err)
	}
	f, err := z.Create("__MACOSX/notes/._workspace.json")
	must(t, err)
	_, err = f.Write([]byte("x"))
	must(t, err)
	must(t, z.Close())
	w, err := Import("notes.zip", b.Bytes(), Limits{})
	must(t, err)
	if !bytes.Equal(export(t, w), export(t, sample(t))) {
		t.Error("it is another workspace")
	}
}

func TestVersion1IsReadAndItsFilesStay(t *testing.T) {
	v1 := map[string][]byte{
		"workspace.json": []byte(
			`{"format":"rankbox-workspace","version":1,"name":"Old","documents":{"collection":"harbour-wire",` +
				`"hash":"aa","count":255}}`),
		"queries.jsonl": []byte(`{"_id":"q1","text":"dock strike"}` + "\n"),
		"layers/mine.jsonl": []byte(`{"layer":"mine","origin":"person","author":"Ada","date":"2025-01-02"}` + "\n" +
			`{"query":"q1","document":"hw-1","grade":2,"time":1735800000000,"note":"good"}` + "\n" +
			`{"query":"q1","document":"hw-2","grade":0}` + "\n"),
	}
	before := map[string]string{}
	for k, v := range v1 {
		before[k] = string(v)
	}
	w, err := Read(v1, Limits{})
	must(t, err)
	own := w.Layer("mine")
	if w.Name() != "Old" || own.Graded() != 2 || own.Note("q1", "hw-1") != "good" || len(w.Queries()) != 1 {
		t.Errorf("read: %+v", w.All())
	}
	for k, v := range v1 {
		if string(v) != before[k] {
			t.Errorf("%s was changed", k)
		}
	}
	again, err := Import("x.zip", export(t, w), Limits{})
	must(t, err)
	if !reflect.DeepEqual(again.All(), w.All()) {
		t.Error("it is not the same in the present form")
	}
}

func TestANewerVersionMayOnlyBeRead(t *testing.T) {
	files := sample(t).Files()
	files["workspace.json"] = bytes.Replace(files["workspace.json"], []byte(`"version":2`), []byte(`"version":3`), 1)
	w, err := Read(files, Limits{})
	must(t, err)
	if w.Layer("mine").Graded() != 1 || w.ReadOnly == "" {
		t.Errorf("%d grades, read only: %q", w.Layer("mine").Graded(), w.ReadOnly)
	}
	if _, err := w.Apply(Edit{Stamp: w.Next(1, "a"), Kind: SetName, Text: "x"}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("edit: %v", err)
	}
	if _, err := w.Export(); !errors.Is(err, ErrReadOnly) {
		t.Errorf("export: %v", err)
	}
	line := []byte(`{"edit":"teleport","time":1,"tab":"a","n":1}`)
	_, lost := ReadJournal(fmt.Appendf(nil, "%08x %s\n", crcOf(line), line))
	if len(lost) != 1 || !errors.Is(lost[0], ErrUnknown) {
		t.Errorf("an edit of a newer version: %v", lost)
	}
}

func TestHostileFilesAreRefusedByName(t *testing.T) {
	for name, c := range map[string]struct {
		change func(f map[string][]byte)
		want   string
	}{
		"no manifest": {func(f map[string][]byte) { delete(f, "workspace.json") }, "workspace.json is missing"},
		"a layer missing": {func(f map[string][]byte) {
			delete(f, "layers/mine.jsonl")
		}, "layers/mine.jsonl is missing"},
		"a grade changed": {func(f map[string][]byte) {
			f["layers/mine.jsonl"] = bytes.Replace(f["layers/mine.jsonl"], []byte(`"grade":3`), []byte(`"grade":2`), 1)
		}, "layers/mine.jsonl is damaged"},
		"a file more": {func(f map[string][]byte) {
			f["evil.html"] = []byte("<script>")
		}, `"evil.html" is not a part`},
		"not a manifest": {func(f map[string][]byte) {
			f["workspace.json"] = []byte(`{"format":"x"}`)
		}, `its format is "x"`},
		"cut": {func(f map[string][]byte) { f["workspace.json"] = f["workspace.json"][:40] }, "workspace.json: column"},
	} {
		files := sample(t).Files()
		c.change(files)
		if _, err := Read(files, Limits{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	v1 := func(layer, line string) map[string][]byte {
		return map[string][]byte{"workspace.json": []byte(`{"format":"rankbox-workspace","version":1}`),
			layer: []byte(`{"layer":"mine","origin":"person"}` + "\n" + line + "\n")}
	}
	for line, want := range map[string]string{
		`{"query":"q","document":"d\n0","grade":1}`:        "control character",
		`{"query":"q","document":"","grade":1}`:            "no id",
		`{"query":"q","document":"d","grade":5000}`:        "outside −1000 to 1000",
		`{"query":"q","document":"d","grade":1,"grade":2}`: `"grade" comes twice`,
		`{"query":"q","document":"` + strings.Repeat("d", 2000) +
			`","grade":1}`: "2000 bytes, more than 1024",
		`{"query":"q","document":"d","grade":1}` + "\n" +
			`{"query":"q","document":"d","grade":2}`: "line 3: document \"d\" of query \"q\" comes twice",
	} {
		if _, err := Read(v1("layers/mine.jsonl", line), Limits{}); err == nil ||
			!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "layers/mine.jsonl") {
			t.Errorf("%.60s: %v, want %q", line, err, want)
		}
	}
	if _, err := Read(v1("layers/../../x.jsonl", ""), Limits{}); err == nil ||
		!strings.Contains(err.Error(), "not an id of a layer") {
		t.Errorf("a path upwards: %v", err)
	}
	if _, err := Import("a.zip", export(t, sample(t)), Limits{Bytes: 100}); err == nil {
		t.Error("a limit of 100 bytes holds nothing back")
	}
	if _, err := Read(sample(t).Files(), Limits{Judgments: 1}); err == nil ||
		!strings.Contains(err.Error(), "more than 1 judgments") {
		t.Errorf("limit of judgments: %v", err)
	}
}

func TestTheRuleSaysWhichGradeCounts(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	for _, h := range []Edit{{Layer: "mine", Origin: Person}, {Layer: "two", Origin: Second},
		{Layer: "gpt", Origin: Model}} {
		h.Kind = SetLayer
		b.edit(t, 1, h)
	}
	give := func(at int64, layer, doc string, grade int) {
		b.edit(t, at, Edit{Kind: SetGrade, Layer: layer, Query: "q", Document: doc, Grade: float64(grade)})
	}
	give(200, "gpt", "d1", 3) // d1: mine 1 (at 300), two 2 (400), gpt 3 (200), imported 2
	give(300, "mine", "d1", 1)
	give(400, "two", "d1", 2)
	give(500, "mine", "d2", 0) // d2: mine 0, gpt 1: no majority
	give(600, "gpt", "d2", 1)
	imported := []Judgment{{Query: "q", Document: "d1", Grade: 2, Graded: true},
		{Query: "q", Document: "d3", Grade: 1, Graded: true}}
	// by hand
	for rule, want := range map[Rule][]float64{Priority: {1, 0, 1}, Highest: {3, 1, 1}, Lowest: {1, 0, 1}, Latest: {2, 1,
		1}, Majority: {2, 0, 1}} {
		b.edit(t, 700, Edit{Kind: SetRule, Text: string(rule)})
		var got []float64
		for _, r := range b.w.Resolve(imported) {
			got = append(got, r.Grade)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", rule, got, want)
		}
	}
}

func large(t testing.TB) *tab {
	b := &tab{name: "a", w: New(harbour)}
	for i := range 30_000 {
		b.edit(t, 1732480000000+int64(i), Edit{Kind: SetGrade, Layer: "mine", Query: fmt.Sprint("q", i%300),
			Document: fmt.Sprint("notes/document-", i/300, ".md"), Grade: float64(i % 4)})
	}
	return b
}

func TestAKeyCostsTheSameWith30000Judgments(t *testing.T) {
	b := large(t)
	const keys = 2000
	start := time.Now()
	for i := range keys {
		b.edit(t, 1732490000000, Edit{Kind: SetGrade, Layer: "mine", Query: "q1", Document: fmt.Sprint("d", i),
			Grade: 1})
	}
	if each := time.Since(start) / keys; each > time.Millisecond {
		t.Errorf("an edit takes %v", each)
	}
	start = time.Now()
	zipped := export(t, b.w)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("folding takes %v", took)
	}
	start = time.Now()
	w, err := Import("x", zipped, Limits{})
	must(t, err)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("opening takes %v", took)
	}
	if w.Layer("mine").Graded() != 32_000 {
		t.Errorf("%d grades", w.Layer("mine").Graded())
	}
}

func BenchmarkFold(b *testing.B) {
	w := large(b).w
	for b.Loop() {
		export(b, w)
	}
}

func BenchmarkOpen(b *testing.B) {
	zipped := export(b, large(b).w)
	for b.Loop() {
		_, err := Import("x", zipped, Limits{})
		must(b, err)
	}
}

// The click log stays on the device: an export has it only if a person asks for it, and a deleted entry is in no fold.
func TestTheClickLogIsExportedOnlyOnRequest(t *testing.T) {
	const entry = `{"time":"2026-11-25T03:00:00.000Z","query":"port","system":"bm25","ranking":["d1"],` +
		`"position":1,"document":"d1"}`
	b := &tab{name: "a", w: New(harbour)}
	for i := range 3 {
		b.edit(t, int64(i), Edit{Kind: SetClick, Spec: fmt.Sprint("c", i), Text: strings.Replace(entry, "port",
			fmt.Sprint("query-", i), 1)})
	}
	b.edit(t, 3, Edit{Kind: RemoveClick, Spec: "c1"})
	plain, err := b.w.Export()
	must(t, err)
	if bytes.Contains(plain, []byte("query-")) || bytes.Contains(plain, []byte(clicksName)) {
		t.Error("an export holds the click log")
	}
	all, err := b.w.ExportWithClicks()
	must(t, err)
	if bytes.Contains(all, []byte("query-1")) || !bytes.Contains(all, []byte("query-2")) {
		t.Error("a deleted entry is in the fold, or another is not")
	}
	w, err := Import("x", all, Limits{})
	must(t, err)
	if got := w.Clicks(); !reflect.DeepEqual(got, b.w.Clicks()) || len(got) != 2 || got[1].ID != "c2" {
		t.Errorf("%+v", got)
	}
	again := New(harbour)
	if lost := again.Replay(b.journal); len(lost) > 0 || !reflect.DeepEqual(again.Clicks(), w.Clicks()) {
		t.Errorf("from the journal %+v, %v", again.Clicks(), lost)
	}
	if _, err := w.Apply(Edit{Stamp: w.Next(9, "a"), Kind: SetClick, Spec: "c", Text: "{}"}); err == nil {
		t.Error("what is no entry is taken")
	}
}
