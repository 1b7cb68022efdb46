package workspace

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

const click = `{"time":"2026-11-25T03:00:00.000Z","query":"port","system":"bm25","ranking":["d1"],"position":1,` +
	`"document":"d1"}`

// v2 are files as version 2 has them: workspace.json names each with its digest.
func v2(head string, files map[string]string) map[string][]byte {
	out := map[string][]byte{}
	var sums []string
	for name, text := range files {
		out[name] = []byte(text)
		sums = append(sums, fmt.Sprintf("%q:%q", name, Digest([]byte(text))))
	}
	out[manifestName] = fmt.Appendf(nil, `{"format":"rankbox-workspace","version":2%s,"files":{%s}}`, head,
		strings.Join(sums, ","))
	return out
}

// Each limit is held: as many as there are pass, and one less is refused.
func TestLimitsHoldUpToTheLast(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	for i := range 3 {
		id := fmt.Sprint("x", i)
		b.edit(t, 1, Edit{Kind: SetQuery, Query: id, Text: "t"})
		b.edit(t, 1, Edit{Kind: SetSpec, Spec: id, Form: "system", Text: "bm25"})
		b.edit(t, 1, Edit{Kind: SetGrade, Layer: "l0", Query: id, Document: "d", Grade: 1})
		b.edit(t, 1, SetHead(Head{ID: fmt.Sprint("l", i), Origin: Person}))
	}
	zipped := export(t, b.w)
	files := b.w.Files()
	total := int64(0)
	for _, data := range files {
		total += int64(len(data))
	}
	for name, pair := range map[string][2]Limits{
		"Judgments": {{Judgments: 3}, {Judgments: 2}}, "Queries": {{Queries: 3}, {Queries: 2}},
		"Layers": {{Layers: 3}, {Layers: 2}},
		"Specs":  {{Specs: 3}, {Specs: 2}}, "Files": {{Files: len(files)}, {Files: len(files) - 1}},
		"Bytes": {{Bytes: total}, {Bytes: total - 1}},
	} {
		if w, err := Import("x", zipped, pair[0]); err != nil || !bytes.Equal(export(t, w), zipped) {
			t.Errorf("%s as many as there are: %v", name, err)
		}
		if _, err := Import("x", zipped, pair[1]); err == nil {
			t.Errorf("%s one less than there are: read", name)
		}
		if name == "Bytes" {
			continue // of Import
		}
		if _, err := Read(files, pair[1]); err == nil {
			t.Errorf("%s one less than there are: read from files", name)
		}
	}
	// The digests of workspace.json are as many as files.
	many := v2("", nil)
	many[manifestName] = []byte(`{"format":"rankbox-workspace","version":2,"files":{"a":"","b":"","c":""}}`)
	for most, want := range map[int]string{3: "a is missing", 2: "more than 2 files"} {
		if _, err := Read(many, Limits{Files: most}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d files: %v, want %s", most, err, want)
		}
	}
	clicks := v2("", map[string]string{clicksName: `{"name":"c1","text":` + fmt.Sprintf("%q", click) +
		`,"time":1,"tab":"a","n":1}` + "\n" +
		`{"name":"c2","text":` + fmt.Sprintf("%q", click) + `,"time":1,"tab":"a","n":2}` + "\n"})
	for most, ok := range map[int]bool{2: true, 1: false} {
		if _, err := Read(clicks, Limits{Judgments: most}); (err == nil) != ok {
			t.Errorf("two clicks of %d: %v", most, err)
		}
	}
}

// valid is an edit of a kind that has all its fields.
func valid(kind Kind) Edit {
	e := Edit{Stamp: Stamp{1, "a", 1}, Kind: kind, Layer: "mine", Query: "q", Document: "d", Spec: "s",
		Form: "system", Text: "t", Origin: Person}
	switch kind {
	case SetRule:
		e.Text = string(Highest)
	case SetClick:
		e.Text = click
	}
	return e
}

func TestEditsHaveLimits(t *testing.T) {
	kinds := []Kind{SetGrade, UnsetGrade, SetNote, SetQuery, RemoveQuery, SetLayer, SetSpec, RemoveSpec, SetName,
		SetRule, SetClick, RemoveClick}
	long := func(n int) string { return strings.Repeat("x", n) }
	try := func(what string, e Edit, ok bool) {
		t.Helper()
		if err := e.Check(); (err == nil) != ok {
			t.Errorf("%s of %s: %v", what, e.Kind, err)
		}
		// The same holds for the record of a journal.
		if edits, lost := ReadJournal(AppendRecord(nil, &e)); len(edits) == 1 != ok || len(lost) == 1 == ok {
			t.Errorf("%s of %s in a journal: %v", what, e.Kind, lost)
		}
	}
	for _, kind := range kinds {
		try("an edit", valid(kind), true)
		for what, x := range map[string]struct {
			at Stamp
			ok bool
		}{
			"the first time":         {Stamp{0, "a", 1}, true},
			"a time before":          {Stamp{-1, "a", 1}, false},
			"the last time":          {Stamp{1 << 52, "a", 1}, true},
			"a later time":           {Stamp{1<<52 + 1, "a", 1}, false},
			"place 0":                {Stamp{1, "a", 0}, false},
			"the last place":         {Stamp{1, "a", 1 << 52}, true},
			"a place behind":         {Stamp{1, "a", 1<<52 + 1}, false},
			"no tab":                 {Stamp{1, "", 1}, false},
			"a tab of 40 bytes":      {Stamp{1, long(40), 1}, true},
			"a tab of 41 bytes":      {Stamp{1, long(41), 1}, false},
			"a tab with a line feed": {Stamp{1, "a\n", 1}, false},
		} {
			e := valid(kind)
			e.Stamp = x.at
			try(what, e, x.ok)
		}
	}
	for _, x := range []struct {
		what   string
		kind   Kind
		change func(e *Edit)
		ok     bool
	}{
		{"grade 1000", SetGrade, func(e *Edit) { e.Grade = 1000 }, true},
		{"grade 1001", SetGrade, func(e *Edit) { e.Grade = 1001 }, false},
		{"grade -1000", SetGrade, func(e *Edit) { e.Grade = -1000 }, true},
		{"grade -1001", SetGrade, func(e *Edit) { e.Grade = -1001 }, false},
		{"a long document", SetGrade, func(e *Edit) { e.Document = long(MaxID) }, true},
		{"a longer document", SetGrade, func(e *Edit) { e.Document = long(MaxID + 1) }, false},
		{"a long query", UnsetGrade, func(e *Edit) { e.Query = long(MaxID) }, true},
		{"a longer query", UnsetGrade, func(e *Edit) { e.Query = long(MaxID + 1) }, false},
		{"no query", SetNote, func(e *Edit) { e.Query = "" }, false},
		{"no document", SetNote, func(e *Edit) { e.Document = "" }, false},
		{"a long text", SetNote, func(e *Edit) { e.Text = long(MaxText) }, true},
		{"a longer text", SetNote, func(e *Edit) { e.Text = long(MaxText + 1) }, false},
		{"a longer description", SetQuery, func(e *Edit) { e.Description = long(MaxText + 1) }, false},
		{"a longer narrative", SetQuery, func(e *Edit) { e.Narrative = long(MaxText + 1) }, false},
		{"a query without a text", SetQuery, func(e *Edit) { e.Text = "" }, false},
		{"a query without an id", SetQuery, func(e *Edit) { e.Query = "" }, false},
		{"a query without an id", RemoveQuery, func(e *Edit) { e.Query = "" }, false},
		{"a layer of 40 bytes", SetLayer, func(e *Edit) { e.Layer = long(40) }, true},
		{"a layer of 41 bytes", SetLayer, func(e *Edit) { e.Layer = long(41) }, false},
		{"a layer of no bytes", SetGrade, func(e *Edit) { e.Layer = "" }, false},
		{"a layer with a path", SetGrade, func(e *Edit) { e.Layer = "a/b" }, false},
		{"a layer with a hyphen first", SetGrade, func(e *Edit) { e.Layer = "-a" }, false},
		{"a layer with a hyphen last", SetGrade, func(e *Edit) { e.Layer = "a-" }, true},
		{"a date of 10 bytes", SetLayer, func(e *Edit) { e.Date = "2026-11-26" }, true},
		{"a date of 11 bytes", SetLayer, func(e *Edit) { e.Date = "2026-11-26T" }, false},
		{"another state", SetLayer, func(e *Edit) { e.State = "gone" }, false},
		{"another origin", SetLayer, func(e *Edit) { e.Origin = "" }, false},
		{"a longer author", SetLayer, func(e *Edit) { e.Author = long(MaxText + 1) }, false},
		{"another form", SetSpec, func(e *Edit) { e.Form = "x" }, false},
		{"no name", SetSpec, func(e *Edit) { e.Spec = "" }, false},
		{"no name", RemoveSpec, func(e *Edit) { e.Spec = "" }, false},
		{"no id", SetClick, func(e *Edit) { e.Spec = "" }, false},
		{"no id", RemoveClick, func(e *Edit) { e.Spec = "" }, false},
		{"no name", SetName, func(e *Edit) { e.Text = "" }, true},
		{"another rule", SetRule, func(e *Edit) { e.Text = "x" }, false},
		{"another kind", "x", func(e *Edit) {}, false},
	} {
		e := valid(x.kind)
		x.change(&e)
		try(x.what, e, x.ok)
	}
}

func TestTextsAreUTF8(t *testing.T) {
	e := valid(SetNote)
	e.Text = "\xff"
	if e.Check() == nil {
		t.Error("a note that is no UTF-8 is taken")
	}
	e = valid(SetGrade)
	e.Query = "\xff"
	if e.Check() == nil {
		t.Error("an id that is no UTF-8 is taken")
	}
}

// A record may be as long as the longest edit: three texts every byte of which is escaped.
func TestTheLongestEditIsReadAgain(t *testing.T) {
	text := strings.Repeat("\x01", MaxText)
	e := Edit{Stamp: Stamp{1, "a", 1}, Kind: SetQuery, Query: strings.Repeat("q", MaxID), Text: text,
		Description: text, Narrative: text}
	edits, lost := ReadJournal(AppendRecord(nil, &e))
	if len(lost) > 0 || len(edits) != 1 || edits[0] != e {
		t.Errorf("%d edits, %v", len(edits), lost)
	}
	short := valid(SetName)
	body := string(short.appendJSON(nil))
	for n, ok := range map[int]bool{maxRecord: true, maxRecord + 1: false} {
		line := body + strings.Repeat(" ", n-9-len(body))
		edits, lost := ReadJournal(fmt.Appendf(nil, "%08x %s\n", crcOf([]byte(line)), line))
		if (len(edits) == 1) != ok || (len(lost) == 0) != ok {
			t.Errorf("a record of %d bytes: %v", n, lost)
		}
	}
	for _, bad := range []string{"\n", "0\n", "00000000 \n", "00000000 0\n", "0000000 {}\n", "+0000000 x\n"} {
		if edits, lost := ReadJournal([]byte(bad)); len(edits) != 0 || len(lost) != 1 || lost[0].Torn {
			t.Errorf("%q: %v, %v", bad, edits, lost)
		}
	}
	line := `{"edit":"name","time":1,"tab":"a","n":1`
	for i := range 61 { // four keys stand before
		if line += fmt.Sprintf(`,"x%d":1`, i); i == 59 {
			if _, err := newParser().parseEdit([]byte(line + "}")); err != nil {
				t.Errorf("64 keys: %v", err)
			}
		}
	}
	if _, err := newParser().parseEdit([]byte(line + "}")); err == nil {
		t.Error("65 keys are read")
	}
}

// Files have the limits of edits.
func TestLinesOfFilesHaveLimits(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	const at = `,"time":1,"tab":"a","n":1}`
	head := `{"layer":"mine","origin":"person"` + at + "\n"
	for _, x := range []struct {
		name, text string
		ok         bool
	}{
		{queriesName, `{"_id":"q","text":"t","time":0,"tab":"a","n":1}`, true},
		{queriesName, `{"_id":"q","text":"t","time":-1,"tab":"a","n":1}`, false},
		{queriesName, `{"_id":"q","text":"t","time":4503599627370496,"tab":"a","n":1}`, true},
		{queriesName, `{"_id":"q","text":"t","time":4503599627370497,"tab":"a","n":1}`, false},
		{queriesName, `{"_id":"q","text":"t","time":1,"tab":"a","n":0}`, false},
		{queriesName, `{"_id":"q","text":"t","time":1,"tab":"a","n":4503599627370496}`, true},
		{queriesName, `{"_id":"q","text":"t","time":1,"tab":"a","n":4503599627370497}`, false},
		{queriesName, `{"_id":"q","text":"t","time":1,"n":1}`, false},
		{queriesName, `{"_id":"q","text":"t","time":1,"tab":"` + long(40) + `","n":1}`, true},
		{queriesName, `{"_id":"q","text":"t","time":1,"tab":"` + long(41) + `","n":1}`, false},
		{queriesName, `{"_id":"q","text":"t","time":1,"tab":"a\n","n":1}`, false},
		{queriesName, `{"_id":"q","text":""` + at, false},
		{queriesName, `{"_id":"q","removed":true` + at, true},
		{specsName, `{"name":"s","form":"system","text":"t"` + at, true},
		{specsName, `{"name":"s","form":"x","text":"t"` + at, false},
		{specsName, `{"name":"s","removed":true` + at, true},
		{specsName, `{"name":"","removed":true` + at, false},
		{clicksName, `{"name":"c","removed":true` + at, true},
		{clicksName, `{"name":"","removed":true` + at, false},
		{clicksName, `{"name":"c","text":"{}"` + at, false},
		{"layers/mine.jsonl", strings.TrimSpace(head), true},
		{"layers/mine.jsonl", `{"layer":"yours","origin":"person"` + at, false},
		{"layers/mine.jsonl", `{"layer":"mine"}`, true},
		{"layers/mine.jsonl", `{"layer":"mine","origin":"person"}`, false},
		{"layers/mine.jsonl", `{"layer":"mine","date":"x"` + at, false},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","grade":1000` + at, true},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","grade":1001` + at, false},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","grade":-1000` + at, true},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","grade":-1001` + at, false},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","grade":null` + at, true},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","grade":1}`, false},
		{"layers/mine.jsonl", head + `{"query":"","document":"d","grade":1` + at, false},
		{"layers/mine.jsonl", head + `{"query":"q","document":"","grade":1` + at, false},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","note":"n","noted":{"time":1,"tab":"a","n":1}}`,
			true},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","note":"n"}`, false},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","note":"` + long(MaxText) +
			`","noted":{"time":1,"tab":"a","n":1}}`, true},
		{"layers/mine.jsonl", head + `{"query":"q","document":"d","note":"` + long(MaxText+1) +
			`","noted":{"time":1,"tab":"a","n":1}}`, false},
		{"layers/" + long(40) + ".jsonl", `{"layer":"` + long(40) + `"}`, true},
		{"layers/" + long(41) + ".jsonl", `{"layer":"` + long(41) + `"}`, false},
		{"runs/" + Digest([]byte("r\n")), "r", true},
		{"runs/" + Digest([]byte("s\n")), "r", false},
		{"runs/x/" + Digest([]byte("r\n")), "r", false},
		{"reports/" + Digest([]byte("r\n")), "r", true},
		{"other/x", "r", false},
	} {
		if _, err := Read(v2("", map[string]string{x.name: x.text + "\n"}), Limits{}); (err == nil) != x.ok {
			t.Errorf("%s %.90s: %v", x.name, x.text, err)
		}
	}
	for head, ok := range map[string]bool{
		"": true, `,"name":"n","time":1,"tab":"a","n":1`: true, `,"name":"n"`: false, `,"time":1`: false,
		`,"resolve":{"rule":"highest","time":1,"tab":"a","n":1}`: true, `,"resolve":{"rule":"highest"}`: false,
		`,"resolve":{"rule":"x","time":1,"tab":"a","n":1}`:               false,
		`,"resolve":{"rule":"highest","time":1,"tab":"a","n":1,"x":[1]}`: true,
		`,"documents":{"count":3,"x":1}`:                                 true,
		`,"documents":{"name":"` + long(MaxText) + `"}`:                  true,
		`,"documents":{"name":"` + long(MaxText+1) + `"}`:                false,
		`,"documents":{"hash":"` + long(MaxText+1) + `"}`:                false,
		`,"documents":{"collection":"` + long(MaxText+1) + `"}`:          false,
		`,"name":"` + long(MaxText+1) + `","time":1,"tab":"a","n":1`:     false,
	} {
		if _, err := Read(v2(head, nil), Limits{}); (err == nil) != ok {
			t.Errorf("%.80s: %v", head, err)
		}
	}
	for text, want := range map[string]int{"-1": 0, "2147483647": 1<<31 - 1, "2147483648": 1<<31 - 1, "7": 7} {
		if w, err := Read(v2(`,"documents":{"count":`+text+`}`, nil), Limits{}); err != nil ||
			w.Documents.Count != want {
			t.Errorf("%s documents: %v, %v", text, w, err)
		}
	}
	for version, ok := range map[string]bool{"0": false, "-1": false, "1": true, "2": true, "3": true,
		"9999999999": true} {
		text := []byte(`{"format":"rankbox-workspace","version":` + version + `}`)
		w, err := Read(map[string][]byte{manifestName: text}, Limits{})
		if (err == nil) != ok || ok && (w.ReadOnly != "") != (version == "3" || version == "9999999999") {
			t.Errorf("version %s: %+v, %v", version, w, err)
		}
	}
	if _,
		err := Read(map[string][]byte{manifestName: []byte(`{"format":"rankbox-workspace","version":3,"files":{"x":"` +
		Digest(nil) + `"}}`), "x": nil}, Limits{}); err != nil {
		t.Errorf("a file of a newer version: %v", err)
	}
}

// Two lines with one stamp and id are one too many.
func TestIDsThatComeTwiceAreRefused(t *testing.T) {
	for name, line := range map[string]string{queriesName: `{"_id":"q","text":"t","time":1,"tab":"a","n":1}`,
		specsName:  `{"name":"s","form":"system","text":"t","time":1,"tab":"a","n":1}`,
		clicksName: `{"name":"c","text":` + fmt.Sprintf("%q", click) + `,"time":1,"tab":"a","n":1}`} {
		if _, err := Read(v2("", map[string]string{name: line + "\n" + line + "\n"}), Limits{}); err == nil ||
			!strings.Contains(err.Error(), "comes twice") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestIdsOfLayersAreFree(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	for _, x := range []struct{ name, tab, want string }{
		{"azAZ09", "", "azaz09"}, {"a@[`{/:b", "", "a-b"}, {"--Ada's  grades!", "k", "ada-s-grades-k"}, {"", "",
			"layer"}, {"ü", "k", "layer-k"},
		{strings.Repeat("x", 30), "", strings.Repeat("x", 24)}, {strings.Repeat("x", 23) + "-y", "k",
			strings.Repeat("x", 23) + "-k"},
		{"collection", "", "collection-2"}, {"mine", "", "mine"},
	} {
		if got := b.w.FreeLayer(x.name, x.tab); got != x.want {
			t.Errorf("%q: %s, want %s", x.name, got, x.want)
		}
	}
	for _, want := range []string{"mine", "mine-2", "mine-3", "mine-4"} {
		got := b.w.FreeLayer("mine", "")
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
		b.edit(t, 1, SetHead(Head{ID: got, Origin: Person}))
	}
}

// Judgments without a time have that of the layer's date, which is not before 1970 nor after the edit.
func TestAddedLayersHaveStampsInOrder(t *testing.T) {
	list := []Judgment{{Query: "q", Document: "a", Grade: 2, Graded: true, Note: "n"}, {Query: "q", Document: "b"},
		{Query: "q", Document: "c", Note: "m", Time: 77}}
	for date, want := range map[string]int64{"": 500_000, "1970-01-01": 0, "1969-12-31": 500_000, "soon": 500_000,
		"2999-01-01": 500_000} {
		w := New(harbour)
		edits := w.AddLayer(Head{ID: "x", Origin: Person, Date: date}, list, 500_000, "k")
		wanted := []Edit{
			{Stamp: Stamp{500_000, "k", 1}, Kind: SetLayer, Layer: "x", Origin: Person, Date: date},
			{Stamp: Stamp{want, "k", 2}, Kind: SetGrade, Layer: "x", Query: "q", Document: "a", Grade: 2},
			{Stamp: Stamp{want, "k", 3}, Kind: SetNote, Layer: "x", Query: "q", Document: "a", Text: "n"},
			{Stamp: Stamp{77, "k", 4}, Kind: SetNote, Layer: "x", Query: "q", Document: "c", Text: "m"},
		}
		if !slices.Equal(edits, wanted) {
			t.Errorf("date %q: %+v", date, edits)
		}
	}
}

func TestGradersAreNamedOnce(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	for _, h := range []Head{{ID: "mine", Origin: Person}, {ID: "b", Origin: Second, Author: "Ada"}, {ID: "c",
		Origin: Second, Author: "Ada"},
		{ID: "d", Origin: Model, State: Hidden}, {ID: "adj", Origin: Adjudicated}, {ID: "e", Origin: Imported},
		{ID: "f", Origin: Person, Author: "Ada"}} {
		b.edit(t, 1, SetHead(h))
		if h.ID == "e" {
			b.edit(t, 1, Edit{Kind: SetNote, Layer: h.ID, Query: "q", Document: "d", Text: "no grade"})
			continue
		}
		b.edit(t, 1, Edit{Kind: SetGrade, Layer: h.ID, Query: "q", Document: "d", Grade: 1})
	}
	var got []string
	for _, g := range b.w.Graders([]Judgment{{Query: "q", Document: "d", Grade: 3, Graded: true}, {Query: "q",
		Document: "e"}}) {
		got = append(got, fmt.Sprint(g.Head.ID, " ", g.Name, " ", g.Qrels.Len()))
	}
	want := []string{"adj adjudicated 1", "f Ada 1", "mine you 1", "b Ada (2) 1", "c Ada (3) 1", "d d 1",
		"collection the collection 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// An edit that is made and taken back leaves what there was, whatever there was.
func TestInverseTakesBackEveryKind(t *testing.T) {
	state := func(w *Workspace) string {
		g, ok := w.Layer("mine").Grade("q", "d")
		return fmt.Sprint(w.Name(), w.Rule(), w.Queries(), w.Specs(), w.Clicks(), w.Layers(), w.Collection(), g, ok,
			w.Layer("mine").Note("q", "d"))
	}
	other := map[Kind]func(e *Edit){
		SetGrade: func(e *Edit) { e.Grade = 3 }, SetNote: func(e *Edit) { e.Text = "u" },
		SetQuery: func(e *Edit) { e.Text, e.Description, e.Narrative = "u", "v", "w" },
		SetLayer: func(e *Edit) { e.Origin, e.Author, e.Date, e.Text, e.State = Model, "B", "2020-01-01", "r", Hidden },
		SetSpec:  func(e *Edit) { e.Form, e.Text = Pool, "u" }, SetName: func(e *Edit) { e.Text = "u" },
		SetRule:  func(e *Edit) { e.Text = string(Lowest) },
		SetClick: func(e *Edit) { e.Text = strings.Replace(click, "port", "dock", 1) },
	}
	for kind, removal := range map[Kind]Kind{SetGrade: UnsetGrade, SetNote: "", SetQuery: RemoveQuery, SetLayer: "",
		SetSpec: RemoveSpec, SetName: "", SetRule: "", SetClick: RemoveClick} {
		b := &tab{name: "a", w: New(harbour)}
		if kind != SetLayer {
			b.edit(t, 1, SetHead(Head{ID: "mine", Origin: Person}))
		}
		again := valid(kind)
		other[kind](&again)
		edits := []Edit{valid(kind), again, valid(kind)}
		if removal != "" {
			edits = append([]Edit{valid(removal)}, append(edits, valid(removal), valid(kind), valid(removal),
				valid(removal))...)
		}
		changes := 0
		for i, e := range edits {
			before := state(b.w)
			undo := b.w.Inverse(e)
			b.edit(t, 1, e)
			if state(b.w) != before {
				changes++
			}
			b.edit(t, 1, undo)
			if got := state(b.w); got != before {
				t.Errorf("%s, step %d: %s\nwas %s", e.Kind, i, got, before)
			}
			b.edit(t, 1, e)
		}
		if changes < 3 {
			t.Errorf("%s: only %d edits change anything", kind, changes)
		}
	}
	b := &tab{name: "a", w: New(harbour)}
	head := Head{ID: OfCollection, Origin: Imported, State: Hidden}
	undo := b.w.Inverse(SetHead(head))
	b.edit(t, 1, SetHead(head))
	if b.edit(t, 1, undo); b.w.Collection().State != Counts {
		t.Errorf("the collection's layer is %q", b.w.Collection().State)
	}
}

// built is a workspace with the documents of two queries, whose collection judges one of three documents.
func built(t *testing.T) (*tab, *bundle.Manifest) {
	t.Helper()
	c := &collection.Collection{Name: "notes", Qrels: collection.NewQrels(), Queries: []collection.Query{{ID: "q1",
		Text: "dock"}, {ID: "q2", Text: "ship"}}}
	for i := range 40 {
		c.Docs = append(c.Docs, collection.Doc{ID: fmt.Sprint("d", i), Title: fmt.Sprint("Title ", i),
			Text: fmt.Sprint("text of the dock ", i), Date: "2026-11-26"})
	}
	c.Qrels.Add("q2", "d1", 2)
	c.Qrels.Add("q1", "d2", 1)
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "notes", Name: "notes", Collection: c, Shard: 16}, func(name string,
		data []byte) error {
		files[name] = bytes.Clone(data)
		return nil
	})
	must(t, err)
	w := New(Documents{Collection: "notes", Name: "notes", Hash: m.Hash, Count: 40})
	w.Bundle = files
	if _, ok := files["manifest.json"]; !ok {
		t.Fatalf("files %v", slices.Collect(maps.Keys(files)))
	}
	return &tab{name: "a", w: w}, m
}

func TestTheWholeIsDocumentsQueriesAndGradesThatCount(t *testing.T) {
	b, m := built(t)
	b.edit(t, 1, Edit{Kind: SetQuery, Query: "q3", Text: "strike", Description: "about", Narrative: "not"})
	b.edit(t, 1, SetHead(Head{ID: "mine", Origin: Person}))
	b.edit(t, 1, Edit{Kind: SetGrade, Layer: "mine", Query: "q3", Document: "d39", Grade: 3})
	b.edit(t, 1, Edit{Kind: SetGrade, Layer: "mine", Query: "q2", Document: "d1", Grade: 0})
	b.edit(t, 1, Edit{Kind: SetGrade, Layer: "mine", Query: "gone", Document: "d1", Grade: 3})
	again, err := Import("x", export(t, b.w), Limits{})
	must(t, err)
	c, analyzer, err := again.Whole()
	must(t, err)
	if len(c.Docs) != 40 || analyzer != m.Analyzer {
		t.Errorf("%d documents, analyzer %q", len(c.Docs), analyzer)
	}
	for _, d := range c.Docs {
		n := strings.TrimPrefix(d.ID, "d")
		if d.Title != "Title "+n || d.Text != "text of the dock "+n || d.Date != "2026-11-26" {
			t.Errorf("%+v", d)
		}
	}
	if len(c.Queries) != 3 || c.Queries[2].Narrative != "not" || c.Queries[2].Description != "about" ||
		c.Queries[0].Narrative != "" {
		t.Errorf("%+v", c.Queries)
	}
	for _, g := range []struct {
		query, doc string
		grade      int
		ok         bool
	}{{"q3", "d39", 3, true}, {"q2", "d1", 0, true}, {"q1", "d2", 1, true}, {"q1", "d1", 0, false}} {
		if got, ok := c.Qrels.Grade(g.query, g.doc); got != float64(g.grade) || ok != g.ok {
			t.Errorf("%+v: %v, %v", g, got, ok)
		}
	}
	if c.Qrels.Len() != 3 {
		t.Errorf("%d judgments", c.Qrels.Len())
	}
	bun, err := bundle.Open(m, b.w.Fetch)
	must(t, err)
	merged, err := b.w.Merge(bun)
	must(t, err)
	if !slices.Equal(merged.Own, []string{"q3"}) || !slices.Equal(merged.Theirs, []Judgment{{Query: "q2",
		Document: "d1", Grade: 2, Graded: true}}) || merged.Hash == m.Hash ||
		!slices.Equal(merged.Judgments, []bundle.Judgment{{Query: 0, Doc: "d2", Grade: 1}, {Query: 1, Doc: "d1",
			Grade: 0}, {Query: 2, Doc: "d39", Grade: 3}}) {
		t.Errorf("%+v", merged)
	}
	b.edit(t, 2, Edit{Kind: SetQuery, Query: "q2", Text: "again"})
	if _, err := b.w.Merge(bun); err == nil || !strings.Contains(err.Error(), `a query "q2" already`) {
		t.Errorf("a query of one id: %v", err)
	}
	if _, _, err := New(harbour).Whole(); err == nil {
		t.Error("documents elsewhere are whole")
	}
	if _, err := b.w.Fetch(bundle.File{Name: "nothing"}); err == nil {
		t.Error("a file that is not there")
	}
}

// Nothing of the workspace counts: the collection keeps its digest. If its grades are hidden, or a query is added, it
// is another one.
func TestMergedDigestsFollowWhatCounts(t *testing.T) {
	b, m := built(t)
	bun, err := bundle.Open(m, b.w.Fetch)
	must(t, err)
	hashes := map[string]bool{}
	step := func(judgments int, same bool) {
		t.Helper()
		merged, err := b.w.Merge(bun)
		must(t, err)
		if len(merged.Judgments) != judgments || (merged.Hash == m.Hash) != same || hashes[merged.Hash] && !same {
			t.Errorf("%d judgments, hash %s of %s", len(merged.Judgments), merged.Hash, m.Hash)
		}
		hashes[merged.Hash] = true
	}
	step(2, true)
	b.edit(t, 1, SetHead(Head{ID: OfCollection, Origin: Imported, State: Hidden}))
	step(0, false)
	b.edit(t, 2, SetHead(Head{ID: OfCollection, Origin: Imported}))
	step(2, true)
	b.edit(t, 3, Edit{Kind: SetGrade, Layer: "mine", Query: "q2", Document: "d1", Grade: 2})
	step(2, true)
	b.edit(t, 4, Edit{Kind: SetGrade, Layer: "mine", Query: "q2", Document: "d1", Grade: 1})
	step(2, false)
	b.edit(t, 5, Edit{Kind: SetGrade, Layer: "mine", Query: "q2", Document: "d3", Grade: 1})
	step(3, false)
	b.edit(t, 6, Edit{Kind: SetQuery, Query: "q9", Text: "x"})
	step(3, false)
}

func TestDocumentsAreHeldAgainstTheirManifest(t *testing.T) {
	for name, change := range map[string]func(f map[string][]byte, doc string){
		"no part of the documents": func(f map[string][]byte, _ string) { f["more"] = nil },
		"is missing":               func(f map[string][]byte, doc string) { delete(f, doc) },
		"is damaged": func(f map[string][]byte,
			doc string) {
			f[doc] = bytes.Clone(f[doc])
			f[doc][0] ^= 1
		},
		"damaged":       func(f map[string][]byte, doc string) { f[doc] = f[doc][1:] },
		"manifest.json": func(f map[string][]byte, _ string) { delete(f, "manifest.json") },
	} {
		b, m := built(t)
		change(b.w.Bundle, m.Files[0].Name)
		if _, err := Import("x", export(t, b.w), Limits{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	b, _ := built(t)
	b.w.Documents.Hash = "other"
	if _, err := Import("x", export(t, b.w), Limits{}); err == nil ||
		!strings.Contains(err.Error(), "not those of the workspace") {
		t.Errorf("another hash: %v", err)
	}
}

func TestAWorkspaceIsKnownByItsNames(t *testing.T) {
	whole := export(t, New(harbour))
	if !Is(bytes.NewReader(whole), int64(len(whole))) {
		t.Error("a workspace is not known")
	}
	for name, want := range map[string]bool{"workspace.json": true, "a/workspace.json": true,
		"a/b/workspace.json": false, "myworkspace.json": false, "a/x": false} {
		zipped := zipOf(t, name)
		if Is(bytes.NewReader(zipped), int64(len(zipped))) != want {
			t.Errorf("%s is a workspace: %v", name, !want)
		}
	}
	if Is(strings.NewReader("PK"), 2) {
		t.Error("what is no zip is a workspace")
	}
	if _, err := Import("x", zipOf(t, "a/b/workspace.json"), Limits{}); err == nil ||
		!strings.Contains(err.Error(), "not a workspace") {
		t.Errorf("%v", err)
	}
}

// The record of what is applied has its place in the journal, and a workspace that may only be read takes none.
func TestReplayNamesWhatItLost(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	b.edit(t, 1, Edit{Kind: SetName, Text: "n"})
	b.edit(t, 1, Edit{Kind: SetName, Text: "m"})
	w := New(harbour)
	if lost := w.Replay(b.journal); len(lost) > 0 || w.Name() != "m" || w.Edits() != 2 {
		t.Errorf("%v, %s, %d edits", lost, w.Name(), w.Edits())
	}
	if again := New(harbour); len(again.Replay(w.Records())) > 0 || again.Name() != "m" || again.Edits() != 1 {
		t.Errorf("records: %s, %d edits", again.Name(), again.Edits())
	}
	w.ReadOnly = "newer"
	lost := w.Replay(b.journal)
	if len(lost) != 2 || lost[0].Line != 1 || lost[1].Line != 2 || !errors.Is(lost[0], ErrReadOnly) ||
		!strings.HasPrefix(lost[1].Error(), "line 2 of the journal: ") {
		t.Errorf("%v", lost)
	}
	// lines are those of the file, in its order, also behind one that cannot be read
	damaged := bytes.Replace(b.journal, []byte(`"n"`), []byte(`"x"`), 1)
	lost = w.Replay(damaged)
	if len(lost) != 2 || lost[0].Line != 1 || errors.Is(lost[0], ErrReadOnly) || lost[1].Line != 2 ||
		!errors.Is(lost[1], ErrReadOnly) {
		t.Errorf("%v", lost)
	}
}

func TestStampsGoOn(t *testing.T) {
	w := New(harbour)
	for i, want := range []Stamp{{5, "b", 1}, {5, "b", 2}, {6, "a", 1}, {6, "a", 2}, {6, "b", 1}, {9, "a", 1}} {
		tab, now := []string{"b", "b", "a", "a", "b", "a"}[i], []int64{5, 3, 5, 6, 0, 9}[i]
		if got := w.Next(now, tab); got != want {
			t.Errorf("edit %d: %v, want %v", i, got, want)
		}
	}
}

func TestNotesAndGradesOfALayer(t *testing.T) {
	b := &tab{name: "a", w: New(harbour)}
	b.edit(t, 3, Edit{Kind: SetGrade, Layer: "mine", Query: "q", Document: "b", Grade: 2})
	b.edit(t, 4, Edit{Kind: SetNote, Layer: "mine", Query: "q", Document: "a", Text: "n"})
	b.edit(t, 5, Edit{Kind: SetGrade, Layer: "mine", Query: "p", Document: "z", Grade: 1})
	b.edit(t, 6, Edit{Kind: UnsetGrade, Layer: "mine", Query: "p", Document: "z"})
	l := b.w.Layer("mine")
	want := []Judgment{{Query: "q", Document: "a", Note: "n"}, {Query: "q", Document: "b", Grade: 2, Graded: true,
		Time: 3}}
	if got := l.Judgments(); !slices.Equal(got, want) || l.Graded() != 1 {
		t.Errorf("%+v, %d graded", got, l.Graded())
	}
	for doc, touched := range map[string]bool{"b": true, "a": false, "z": false} {
		if l.Touched("q", doc) != touched {
			t.Errorf("%s is touched: %v", doc, !touched)
		}
	}
	if !l.Touched("p", "z") {
		t.Error("a grade that was taken back was never there")
	}
	var none *Layer
	if none.Graded() != 0 || none.Judgments() != nil || none.Touched("q", "a") || none.Note("q", "a") != "" {
		t.Error("a layer that is not there has something")
	}
	if g, ok := l.Grade("p", "z"); g != 0 || ok {
		t.Errorf("%v, %v", g, ok)
	}
	for _, r := range Rules() {
		if r.Said() == Rule("x").Said() != (r == Priority) {
			t.Errorf("%s is said as %s", r, r.Said())
		}
	}
}

// zipOf is a zip of one empty file.
func zipOf(t *testing.T, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	_, err := z.Create(name)
	must(t, err)
	must(t, z.Close())
	return b.Bytes()
}

// Whatever file holds the last edit, the next one is after it.
func TestEditsFollowTheLastOneOfEveryFile(t *testing.T) {
	const at = `,"time":1000,"tab":"a","n":7}` + "\n"
	for name, text := range map[string]string{
		queriesName: `{"_id":"q","text":"t"` + at, specsName: `{"name":"s","form":"system","text":"t"` + at,
		clicksName:       `{"name":"c","removed":true` + at,
		"layers/a.jsonl": `{"layer":"a","origin":"person"` + at, "layers/b.jsonl": `{"layer":"b"}` + "\n" +
			`{"query":"q","document":"d","grade":1` + at,
		"layers/c.jsonl": `{"layer":"c"}` + "\n" + `{"query":"q","document":"d","note":"n","noted":{` +
			strings.TrimSpace(at[1:]) + "}\n",
	} {
		w, err := Read(v2("", map[string]string{name: text}), Limits{})
		must(t, err)
		if got := w.Next(0, "a"); got != (Stamp{1000, "a", 8}) {
			t.Errorf("%s: the next edit has the stamp %v", name, got)
		}
	}
	for head, want := range map[string]Stamp{`,"name":"n","time":9,"tab":"a","n":2`: {9, "a", 3},
		`,"resolve":{"rule":"lowest","time":8,"tab":"a","n":3}`: {8, "a", 4}, "": {0, "a", 1}} {
		w, err := Read(v2(head, nil), Limits{})
		must(t, err)
		if got := w.Next(0, "a"); got != want {
			t.Errorf("%s: the next edit has the stamp %v, want %v", head, got, want)
		}
	}
	w, err := Read(map[string][]byte{manifestName: []byte(`{"format":"rankbox-workspace","version":1}`),
		specsName: []byte("{\"name\":\"s\",\"form\":\"system\",\"text\":\"t\"}\n")}, Limits{})
	must(t, err)
	if len(w.Specs()) != 1 || w.Next(0, "v1") != (Stamp{0, "v1", 2}) {
		t.Errorf("version 1: %+v", w.Specs())
	}
}

// A layer whose head was lost is a person's, and its grades count.
func TestALayerWithoutAHeadIsAPersons(t *testing.T) {
	w, err := Read(v2("", map[string]string{"layers/a.jsonl": `{"layer":"a"}` + "\n" +
		`{"query":"q","document":"d","grade":1,"time":1,"tab":"a","n":1}` + "\n"}), Limits{})
	must(t, err)
	if got := w.Layers(); len(got) != 1 || got[0] != (Head{ID: "a", Origin: Person}) || len(w.Resolve(nil)) != 1 {
		t.Errorf("%+v", got)
	}
}

// A zip without extensions has 65,534 files.
func TestAnExportHasAsManyFilesAsAZipHolds(t *testing.T) {
	w := New(harbour)
	for i := range 1<<16 - 2 - 3 { // beside workspace.json, queries.jsonl and specs.jsonl
		w.Blobs[fmt.Sprint("runs/", i)] = nil
	}
	b, err := w.Export()
	must(t, err)
	if z, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err != nil || len(z.File) != 1<<16-2 {
		t.Errorf("%v", err)
	}
	w.Blobs["runs/x"] = nil
	if _, err := w.Export(); err == nil || !strings.Contains(err.Error(), "65535 files") {
		t.Errorf("one more: %v", err)
	}
}
