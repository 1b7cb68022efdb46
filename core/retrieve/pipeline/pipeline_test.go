package pipeline_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// The notation is this project's own: the oracles of these cases are DESIGN "Pipelines have one written form", the
// grammar at Parse and the canonical form at String.

func TestCanonical(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"bare", "bm25", "bm25"},
		{"empty parentheses", "bm25()", "bm25"},
		{"design example: the defaults", "bm25(k1=0.9,b=0.4)", "bm25"},
		{"design example: hybrid", "rrf(bm25, dense(model=minilm), k=60) >> cut(20)", "rrf(bm25, dense) >> cut(20)"},
		{"design example: variant and title", "bm25(variant=okapi,title=3)", "bm25(variant=okapi,title=3)"},
		{"order of parameters", "bm25(b=0.3,k1=1.2)", "bm25(k1=1.2,b=0.3)"},
		{"trailing zeros", "bm25(k1=1.20)", "bm25(k1=1.2)"},
		{"exponent", "bm25(k1=1e1)", "bm25(k1=10)"},
		{"exponent with signs", "bm25(k1=+250E-2)", "bm25(k1=2.5)"},
		{"exponent of a whole number", "bm25 >> cut(1e3)", "bm25 >> cut(1000)"},
		{"another way to write an analyzer", "bm25(analyzer=Snowball_English)", "bm25(analyzer=snowball-english)"},
		{"leading zeros", "bm25(k1=01.2)", "bm25(k1=1.2)"},
		{"no digit before the point", "bm25(b=.5)", "bm25(b=0.5)"},
		{"no digit after the point", "bm25(b=1.)", "bm25(b=1)"},
		{"sign", "bm25(k1=+2)", "bm25(k1=2)"},
		{"negative zero", "bm25(b=-0)", "bm25(b=0)"},
		{"more digits than a float64 holds", "bm25(b=0.3000000000000000000001)", "bm25(b=0.3)"},
		{"shortest form of a long number", "bm25(k1=0.1000000000000000055)", "bm25(k1=0.1)"},
		{"spaces everywhere", " rrf (\tbm25 ( k1 = 1 ) ,\n dense ) >>  cut ( 5 )\r\n",
			"rrf(bm25(k1=1), dense) >> cut(5)"},
		{"no spaces", "rrf(bm25(k1=1),dense,k=30,depth=50)>>cut(5)>>cut(3)",
			"rrf(bm25(k1=1), dense, k=30,depth=50) >> cut(5) >> cut(3)"},
		{"parameters before pipelines", "rrf(k=30,bm25,depth=50,dense)", "rrf(bm25, dense, k=30,depth=50)"},
		{"positional parameter by name", "bm25 >> cut(n=20)", "bm25 >> cut(20)"},
		{"whole number with a point", "bm25 >> cut(20.0)", "bm25 >> cut(20)"},
		{"pipelines in pipelines", "rrf(bm25>>cut(10),rrf(dense,dense(model=e5)))",
			"rrf(bm25 >> cut(10), rrf(dense, dense(model=e5)))"},
		{"plus in a word", "bm25(variant=bm25+)", "bm25(variant=bm25+)"},
		{"default of the variant, okapi", "bm25(variant=okapi,k1=1.5,b=0.75,epsilon=0.25)", "bm25(variant=okapi)"},
		{"default of another variant", "bm25(variant=okapi,k1=0.9,b=0.4)", "bm25(variant=okapi,k1=0.9,b=0.4)"},
		{"default of the variant, whatever the order", "bm25(k1=1.5,variant=okapi)", "bm25(variant=okapi)"},
		{"okapi's default without okapi", "bm25(k1=1.5)", "bm25(k1=1.5)"},
		{"delta of bm25+", "bm25(variant=bm25+,delta=1)", "bm25(variant=bm25+)"},
		{"delta of bm25l", "bm25(variant=bm25l,delta=1)", "bm25(variant=bm25l,delta=1)"},
		{"default variant written", "bm25(variant=lucene,exact=true)", "bm25(exact=true)"},
		{"false is the default", "bm25(exact=false)", "bm25"},
		{"analyzer", "bm25(analyzer=snowball-english)", "bm25(analyzer=snowball-english)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := stage.Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := n.String(); got != tt.want {
				t.Fatalf("stage.Parse(%q).String() = %q, want %q", tt.text, got, tt.want)
			}
			roundTrip(t, n)
		})
	}
}

// roundTrip checks that text and JSON both lead back to the same pipeline. encoding/json validates the JSON.
func roundTrip(t *testing.T, n *pipeline.Node) {
	t.Helper()
	text := n.String()
	again, err := stage.Parse(text)
	if err != nil {
		t.Fatalf("stage.Parse(%q): %v", text, err)
	}
	if again.String() != text {
		t.Fatalf("canonical form of %q is %q", text, again)
	}
	data, err := json.Marshal(n)
	if err != nil {
		t.Fatalf("json.Marshal(%s): %v", text, err)
	}
	back, err := readJSON(data)
	if err != nil {
		t.Fatalf("stage.ReadJSON of %s: %v", data, err)
	}
	if back.String() != text {
		t.Fatalf("%s came back from %s as %s", text, data, back)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, text string
		pos        int
		message    string // a part of it
		suggestion string
		unknown    bool
	}{
		{"empty", "", 0, "expected the name of a stage", "", false},
		{"spaces only", "  ", 2, "unexpected end", "", false},
		{"unknown stage", "bm52", 0, `unknown stage "bm52"`, "bm25", true},
		{"unknown stage in upper case", "BM25", 0, `unknown stage "BM25"`, "bm25", true},
		{"unknown stage inside", "rrf(bm25, danse)", 10, `unknown stage "danse"`, "dense", true},
		{"unknown stage, nothing near", "klingon", 0, `unknown stage "klingon"`, "", true},
		{"unknown parameter", "bm25(k=1)", 5, `bm25 has no parameter "k"`, "k1", true},
		{"unknown parameter in upper case", "bm25(b=1,K1=1)", 9, `bm25 has no parameter "K1"`, "k1", true},
		{"unknown variant", "bm25(variant=okapy)", 13, "is one of lucene", "okapi", true},
		{"not a number", "bm25(k1=fast)", 8, `k1 of bm25 is a number, not "fast"`, "", false},
		{"half an exponent", "bm25(k1=1e)", 8, "is a number", "", false},
		{"two exponents", "bm25(k1=1e1e1)", 8, "is a number", "", false},
		{"an exponent with a fraction", "bm25(k1=1e0.5)", 8, "is a number", "", false},
		{"an exponent out of range", "bm25(k1=1e3)", 8, "between 0 and 100", "", false},
		{"an exponent beyond numbers", "bm25(k1=1e999)", 8, "is a number", "", false},
		{"too many digits without its exponent", "bm25(k1=1e-31)", 8, "at most 32 characters", "", false},
		{"unknown analyzer", "bm25(analyzer=lucene-englisch)", 14, "analyzer of bm25 is one of", "lucene-english",
			true},
		{"part of an analyzer's name", "bm25(analyzer=hungarian)", 14, "analyzer of bm25 is one of",
			"snowball-hungarian", true},
		{"an analyzer like none", "bm25(analyzer=xyzzy)", 14, "analyzer of bm25 is one of", "", true},
		{"infinite", "bm25(k1=inf)", 8, "is a number", "", false},
		{"not a number at all", "bm25(k1=NaN)", 8, "is a number", "", false},
		{"hexadecimal", "bm25(k1=0x1)", 8, "is a number", "", false},
		{"two points", "bm25(k1=1.2.3)", 8, "is a number", "", false},
		{"two signs", "bm25(k1=--1)", 8, "is a number", "", false},
		{"point alone", "bm25(k1=.)", 8, "is a number", "", false},
		{"number too long", "bm25(k1=0." + strings.Repeat("1", 40) + ")", 8, "is a number", "", false},
		{"out of range above", "bm25(b=1.01)", 7, "between 0 and 1", "", false},
		{"out of range below", "bm25(k1=-0.1)", 8, "between 0 and 100", "", false},
		{"not whole", "bm25 >> cut(2.5)", 12, "whole number", "", false},
		{"cut to nothing", "bm25 >> cut(0)", 12, "between 1 and 10000", "", false},
		{"not a boolean", "bm25(exact=1)", 11, "true or false", "", false},
		{"word that starts with a digit", "dense(model=3d)", 12, "starts with a letter", "", false},
		{"word too long", "dense(model=" + strings.Repeat("m", 65) + ")", 12, "at most 64", "", false},
		{"duplicate", "bm25(k1=1,b=0.5,k1=2)", 16, "k1 appears twice", "", false},
		{"duplicate of a default", "bm25(k1=0.9,k1=0.9)", 12, "k1 appears twice", "", false},
		{"duplicate, positional and named", "bm25 >> cut(5,n=5)", 14, "n appears twice", "", false},
		{"two positional values", "bm25 >> cut(5,6)", 14, "n appears twice", "", false},
		{"meaningless for the variant", "bm25(epsilon=0.3)", 5, "for okapi only", "", false},
		{"meaningless even as the default", "bm25(epsilon=0.25)", 5, "for okapi only", "", false},
		{"meaningless, two variants would do", "bm25(delta=1,variant=okapi)", 5, "for bm25+ and bm25l only", "", false},
		{"value without a name", "bm25(0.9)", 5, "written name=value", "", false},
		{"value without a name in a combiner", "rrf(bm25, dense, 60)", 17, "written name=value", "", false},
		{"parameter without a value", "bm25(exact)", 5, "exact=…", "", false},
		{"no value after =", "bm25(k1=)", 8, "expected the value", "", false},
		{"missing required value", "bm25 >> cut", 8, "cut needs n: cut(n)", "", false},
		{"no retriever", "cut(20)", 0, "put it after a retriever", "", false},
		{"no retriever inside", "rrf(bm25, cut(20))", 10, "put it after a retriever", "", false},
		{"retriever after >>", "bm25 >> dense", 8, "cannot follow >>", "", false},
		{"combiner after >>", "bm25 >> rrf(bm25, dense)", 8, "cannot follow >>", "", false},
		{"one pipeline is nothing to combine", "rrf(bm25)", 0, "at least 2", "", false},
		{"three pipelines where two are combined", "wsum(bm25, dense, bm25)", 0, "at most 2", "", false},
		{"nothing to combine", "rrf", 0, "at least 2", "", false},
		{"pipeline in a retriever", "bm25(dense)", 5, "takes no pipelines", "", false},
		{"pipeline in a transformer", "bm25 >> cut(bm25 >> cut(3))", 12, "takes no pipelines", "", false},
		{"one >", "bm25 > cut(5)", 5, `unexpected ">"`, ">>", false},
		{"nothing after >>", "bm25 >>", 7, "unexpected end", "", false},
		{"not closed", "rrf(bm25, dense", 15, "expected , or )", "", false},
		{"closed twice", "bm25())", 6, `unexpected ")"`, "", false},
		{"comma at the end", "bm25(k1=1,)", 10, "expected a parameter", "", false},
		{"no comma", "bm25(k1=1 b=1)", 10, "expected , or )", "", false},
		{"quotation marks", `dense(model="minilm")`, 12, "expected the value", "", false},
		{"not ASCII", "bm25(k1=½)", 8, "expected the value", "", false},
		{"not UTF-8", "bm25 \xff", 5, "unexpected", "", false},
		{"two pipelines", "bm25 dense", 5, "expected >> or the end", "", false},
		{"too long", "bm25" + strings.Repeat(" ", pipeline.MaxLength), pipeline.MaxLength, "too long", "", false},
		{"too deep, unknown names", strings.Repeat("a(", 17), 32, "nested too deep", "", false},
		{"too many stages", "bm25" + strings.Repeat(">>cut(9)", pipeline.MaxStages), 0, "too many stages", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := stage.Parse(tt.text)
			if err == nil {
				t.Fatalf("stage.Parse(%q) = %s, want an error", tt.text, n)
			}
			var e *pipeline.Error
			if !errors.As(err, &e) {
				t.Fatalf("error is %T", err)
			}
			if e.Pos != tt.pos || !strings.Contains(e.Message, tt.message) || e.Suggestion != tt.suggestion ||
				e.Unknown != tt.unknown {
				t.Fatalf("stage.Parse(%q): %d %q suggesting %q, unknown %v; want %d %q suggesting %q, unknown %v",
					tt.text,
					e.Pos, e.Message, e.Suggestion, e.Unknown, tt.pos, tt.message, tt.suggestion, tt.unknown)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	nest := func(depth int) string {
		s := "bm25"
		for range depth {
			s = "rrf(bm25," + s + ")"
		}
		return s
	}
	flat := func(stages int) string { return "rrf(" + strings.Repeat("bm25,", stages-1) + "k=1)" }
	long := func(bytes int) string { // a canonical form of this length
		s, left := "rrf(bm25", bytes-len("rrf(bm25)")
		for unit := len(", dense(model=)") + 60; left > 2*unit; left -= unit {
			s += ", dense(model=" + strings.Repeat("m", 60) + ")"
		}
		for ; left > 80; left -= 34 { // split the rest in two
			s += ", dense(model=" + strings.Repeat("m", 19) + ")"
		}
		return s + ", dense(model=" + strings.Repeat("m", left-15) + "))"
	}
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"15 deep is 31 stages", nest(15), true},
		{"16 deep is 33 stages", nest(16), false},
		{"32 stages", flat(32), true},
		{"33 stages", flat(33), false},
		{"2,000 bytes", long(2000), true},
		{"2,001 bytes", long(2001), false},
		{"2,001 bytes in canonical form only", strings.ReplaceAll(long(2001), ", ", ","), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := stage.Parse(tt.text)
			if (err == nil) != tt.ok {
				t.Fatalf("Parse of %d bytes: %v", len(tt.text), err)
			}
			if tt.ok {
				roundTrip(t, n)
			}
		})
	}
}

func TestWith(t *testing.T) {
	tests := []struct{ name, text, stage, param, value, want, err string }{
		{"a slider", "bm25", "bm25", "k1", "1.20", "bm25(k1=1.2)", ""},
		{"back to the default", "bm25(k1=1.2)", "bm25", "k1", "0.9", "bm25", ""},
		{"empty is the default", "bm25(k1=1.2,b=0.1)", "bm25", "k1", "", "bm25(b=0.1)", ""},
		{"every stage of the name", "rrf(bm25, dense, bm25(b=1) >> cut(5)) >> cut(7)", "bm25", "k1", "2",
			"rrf(bm25(k1=2), dense, bm25(k1=2,b=1) >> cut(5)) >> cut(7)", ""},
		{"positional", "rrf(bm25, bm25 >> cut(5)) >> cut(7)", "cut", "n", "9", "rrf(bm25, bm25 >> cut(9)) >> cut(9)",
			""},
		{"the combiner", "rrf(bm25, dense)", "rrf", "k", "10", "rrf(bm25, dense, k=10)", ""},
		{"variant drops what has no effect", "bm25(variant=okapi,epsilon=0.3,b=0.6)", "bm25", "variant", "lucene",
			"bm25(b=0.6)", ""},
		{"variant brings its defaults", "bm25(k1=1.5)", "bm25", "variant", "okapi", "bm25(variant=okapi)", ""},
		{"only where it means something", "rrf(bm25, bm25(variant=bm25l))", "bm25", "delta", "0.7",
			"rrf(bm25, bm25(variant=bm25l,delta=0.7))", ""},
		{"means nothing anywhere", "bm25", "bm25", "delta", "0.7", "", "delta has no effect with variant=lucene"},
		{"no such stage there", "bm25", "dense", "model", "e5", "", "no dense"},
		{"no such stage at all", "bm25", "dens", "model", "e5", "", `unknown stage "dens"; did you mean dense?`},
		{"no such parameter", "bm25", "bm25", "k2", "1", "", `no parameter "k2"; did you mean k1?`},
		{"out of range", "bm25", "bm25", "b", "2", "", "between 0 and 1"},
		{"required", "bm25 >> cut(5)", "cut", "n", "", "", "cut needs n"},
		{"injection", "dense", "dense", "model", "e5) >> cut(1", "", "starts with a letter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := stage.MustParse(tt.text)
			before := n.String()
			got, err := n.With(tt.stage, tt.param, tt.value)
			if n.String() != before {
				t.Fatalf("With changed its receiver to %s", n)
			}
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "at byte") {
					t.Fatalf("error %v, want %q without a place", err, tt.err)
				}
				return
			}
			if err != nil || got.String() != tt.want {
				t.Fatalf("got %v, %v, want %s", got, err, tt.want)
			}
		})
	}
}

func TestValues(t *testing.T) {
	n := stage.MustParse("rrf(bm25(variant=okapi,b=0.25,analyzer=whitespace), dense, k=12.5) >> cut(20)")
	if got := n.Integer("n"); got != 20 {
		t.Errorf("n = %d", got)
	}
	f := n.Input
	if got := f.Number("k"); got != 12.5 {
		t.Errorf("k = %v", got)
	}
	if got := f.Integer("depth"); got != 100 {
		t.Errorf("depth = %d", got)
	}
	b := f.Args[0]
	if b.Number("k1") != 1.5 || b.Number("b") != 0.25 || b.Word("variant") != "okapi" || b.Bool("exact") ||
		b.Word("analyzer") != "whitespace" {
		t.Errorf("values of %s: k1 %v b %v", b, b.Number("k1"), b.Number("b"))
	}
	if !b.IsSet("b") || b.IsSet("k1") || !b.Applies("epsilon") || b.Applies("delta") || b.Default("k1") != "1.5" ||
		b.Value("title") != "1" {
		t.Errorf("state of the parameters of %s", b)
	}
	if f.Args[1].Word("model") != "minilm" || stage.MustParse("bm25(exact=true)").Bool("exact") != true {
		t.Error("default word or written bool")
	}
	var names []string
	n.Walk(func(n *pipeline.Node) { names = append(names, n.Stage.Name) })
	if got := strings.Join(names, " "); got != "rrf bm25 dense cut" {
		t.Errorf("Walk: %s", got)
	}
	if got := n.Find("dense"); len(got) != 1 || got[0] != f.Args[1] {
		t.Errorf("Find: %v", got)
	}
	for name, f := range map[string]func(){
		"no such parameter": func() { n.Number("k1") },
		"wrong kind":        func() { b.Number("variant") },
		"number as integer": func() { b.Integer("k1") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// readJSON reads a pipeline that is the whole of data. JSON errors have positions, like those of pipelines.
func readJSON(data []byte) (*pipeline.Node, error) {
	r := jsontext.New(nil, jsontext.Limits{Depth: pipeline.JSONDepth, Token: pipeline.MaxLength})
	r.Reset(data)
	n := stage.ReadJSON(r)
	r.End()
	var e *jsontext.SyntaxError
	if errors.As(r.Err(), &e) {
		return nil, &pipeline.Error{Pos: int(e.Offset), Message: e.Msg}
	}
	return n, r.Err()
}

func TestJSON(t *testing.T) {
	const text = "rrf(bm25(variant=bm25+,k1=1.2,exact=true), dense, k=30) >> cut(20)"
	_, err := stage.Parse(text)
	if err == nil {
		t.Fatal("exact means nothing for bm25+")
	}
	n := stage.MustParse(strings.Replace(text, "variant=bm25+,", "", 1))
	const want = `{"stage":"cut","params":{"n":20},"input":{"stage":"rrf","params":{"k":30},"args":[` +
		`{"stage":"bm25","params":{"k1":1.2,"exact":true}},{"stage":"dense"}]}}`
	if got, _ := n.MarshalJSON(); string(got) != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	tests := []struct{ name, data, want, err string }{
		{"exponent", ` { "params" : { "n" : 2e0 } , "input":{"stage":"bm25"},"stage":"cut"} `, "bm25 >> cut(2)", ""},
		{"any order", `{"input":{"stage":"bm25"}, "params":{"n":20.0},"stage":"cut"}`, "bm25 >> cut(20)", ""},
		{"escapes", `{"stage":"\u0062m25","params":{"variant":"ok\u0061pi"}}`, "bm25(variant=okapi)", ""},
		{"defaults", `{"stage":"bm25","params":{"k1":0.9,"exact":false}}`, "bm25", ""},
		{"empty members", `{"stage":"bm25","params":{},"args":[]}`, "bm25", ""},
		{"empty", ``, "", "at byte 0"},
		{"not an object", `["bm25"]`, "", "at byte 0"},
		{"null", `null`, "", "at byte 0"},
		{"no stage", `{"params":{}}`, "", `expected a member "stage"`},
		{"unknown stage", `{"stage":"bm52"}`, "", `unknown stage "bm52"; did you mean bm25?`},
		{"unknown member", `{"stage":"bm25","param":{}}`, "",
			`at byte 16: unknown member "param"; did you mean params?`},
		{"unknown parameter", `{"stage":"bm25","params":{"k":1}}`, "", `at byte 26: bm25 has no parameter "k"`},
		{"stage twice", `{"stage":"bm25","stage":"dense"}`, "", "at byte 16: stage appears twice"},
		{"input twice", `{"stage":"cut","input":{"stage":"bm25"},"input":{"stage":"bm25"}}`, "", "input appears twice"},
		{"parameter twice", `{"stage":"bm25","params":{"k1":1,"k1":2}}`, "", "at byte 33: k1 appears twice"},
		{"number as a string", `{"stage":"bm25","params":{"k1":"1"}}`, "", "at byte 31: k1 of bm25 is a number"},
		{"word as a number", `{"stage":"dense","params":{"model":1}}`, "", "is a word"},
		{"bool as a string", `{"stage":"bm25","params":{"exact":"true"}}`, "", "true or false"},
		{"list as a value", `{"stage":"bm25","params":{"k1":[1]}}`, "", "at byte 31"},
		{"word that is no name", `{"stage":"dense","params":{"model":"a) >> cut(1"}}`, "", "starts with a letter"},
		{"positional value as a pipeline", `{"stage":"cut","args":[{"stage":"20"}],"input":{"stage":"bm25"}}`, "",
			"takes no pipelines"},
		{"input of a retriever", `{"stage":"bm25","input":{"stage":"bm25"}}`, "", "cannot follow >>"},
		{"rest", `{"stage":"bm25"}{}`, "", "at byte 16"},
		{"deep", strings.Repeat(`{"input":`, 500), "", "nested deeper"},
		{"a long word", `{"stage":"dense","params":{"model":"` + strings.Repeat("m", pipeline.MaxLength+1) + `"}}`, "",
			"at byte 35"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := readJSON([]byte(tt.data))
			if tt.err != "" {
				var e *pipeline.Error
				if !errors.As(err, &e) {
					t.Fatalf("error %v (%T), want an *pipeline.Error with %q", err, err, tt.err)
				}
				if !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil || n.String() != tt.want {
				t.Fatalf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestRandom generates pipelines in various notations and reads them back.
func TestRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(7))
	for range 5000 {
		text := randomPipeline(rnd, 3)
		n, err := stage.Parse(text)
		if err != nil {
			var e *pipeline.Error
			if errors.As(err, &e) && strings.HasPrefix(e.Message, "too ") {
				continue
			}
			t.Fatalf("stage.Parse(%q): %v", text, err)
		}
		roundTrip(t, n)
	}
}

func randomPipeline(rnd *rand.Rand, depth int) string {
	sp := func() string { return strings.Repeat(" ", rnd.Intn(2)) }
	num := func(most float64) string { return strconv.FormatFloat(rnd.Float64()*most, 'f', rnd.Intn(6), 64) }
	var s string
	switch r := rnd.Intn(4); {
	case r == 0 && depth > 0:
		s = "rrf(" + sp() + randomPipeline(rnd, depth-1) + sp() + "," + randomPipeline(rnd, depth-1)
		if rnd.Intn(2) == 0 {
			s += "," + sp() + "k" + sp() + "=" + num(100)
		}
		if rnd.Intn(2) == 0 {
			s += ", depth=" + strconv.Itoa(1+rnd.Intn(1000))
		}
		s += sp() + ")"
	case r == 1:
		s = []string{"dense", "dense( )", "dense(model=e5)", "dense(model=minilm)"}[rnd.Intn(4)]
	default:
		var params []string
		v := stage.BM25.Params[0].Words[rnd.Intn(7)]
		params = append(params, "variant="+v)
		for _, p := range stage.BM25.Params[1:] {
			if rnd.Intn(3) > 0 || p.Only != nil && !slices.Contains(p.Only, v) {
				continue
			}
			switch p.Kind {
			case pipeline.Number:
				params = append(params, p.Name+sp()+"="+sp()+num(p.Max))
			case pipeline.Bool:
				params = append(params, p.Name+"=true")
			case pipeline.Word:
				params = append(params, p.Name+"=snowball-english")
			}
		}
		rnd.Shuffle(len(params), func(i, j int) { params[i], params[j] = params[j], params[i] })
		s = "bm25(" + strings.Join(params, ","+sp()) + ")"
	}
	for rnd.Intn(3) == 0 {
		s += sp() + ">>" + sp() + "cut(" + []string{"", "n="}[rnd.Intn(2)] + strconv.Itoa(1+rnd.Intn(50)) + ")"
	}
	return s
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"bm25(k1=0.9,b=0.4)",
		"rrf(bm25, dense(model=minilm), k=60) >> cut(20)",
		"bm25(variant=okapi,title=3,epsilon=.3) >> cut(n=5)",
		"rrf(k=1,bm25(variant=bm25+,delta=2),rrf(dense,dense))",
		"cut(20)", "bm25(", "bm25 > cut", "\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := stage.Parse(s)
		if err != nil {
			var e *pipeline.Error
			if !errors.As(err, &e) || e.Pos < 0 || e.Pos > len(s) {
				t.Fatalf("stage.Parse(%q): %T %v", s, err, err)
			}
			return
		}
		roundTrip(t, n)
		if n.Label() == "" {
			t.Fatalf("no label for %s", n)
		}
	})
}

func FuzzReadJSON(f *testing.F) {
	for _, s := range []string{
		`{"stage":"cut","params":{"n":20},"input":{"stage":"rrf","args":[{"stage":"bm25"},{"stage":"dense"}]}}`,
		`{"stage":"bm25","params":{"k1":1.2,"exact":true,"analyzer":"whitespace"}}`,
		`{"stage":"bm25"`, `{"args":[[]]}`, `{"stage":"\ud800"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := readJSON(data)
		if err != nil {
			var e *pipeline.Error
			if !errors.As(err, &e) || e.Pos < 0 || e.Pos > len(data) {
				t.Fatalf("%q: %T %v", data, err, err)
			}
			return
		}
		if !json.Valid(bytes.TrimSpace(data)) {
			t.Fatalf("%q was read and is not JSON", data)
		}
		roundTrip(t, n)
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := stage.Parse("rrf(bm25(k1=1.2), dense, k=30) >> cut(20)"); err != nil {
			b.Fatal(err)
		}
	}
}

// An unread pipeline prints its text and has no settings.
func TestUnread(t *testing.T) {
	n := pipeline.Unread("bm25 >> tomorrow(x=1)")
	if !n.Unread() || n.String() != "bm25 >> tomorrow(x=1)" || n.Shape() != n.String() || n.Label() != n.String() ||
		n.Find("bm25") != nil {
		t.Errorf("%q, shape %q, label %q", n, n.Shape(), n.Label())
	}
	if _, err := n.With("bm25", "k1", "1"); err == nil {
		t.Error("a value of it was set")
	}
}
