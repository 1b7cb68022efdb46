package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"
)

// walkPlain is walk by way of PlainMember.
func walkPlain(r *Reader) any {
	if r.Peek() != '{' {
		return walk(r)
	}
	m := map[string]any{}
	r.BeginObject()
	for {
		if k, n, ok := r.PlainMember(); ok {
			m[string(k)] = json.Number(n)
			continue
		}
		if !r.More() {
			return m
		}
		k := string(r.Key())
		m[k] = walkPlain(r)
	}
}

// walk turns the value that comes next into what encoding/json would make of it with UseNumber.
func walk(r *Reader) any {
	switch r.Peek() {
	case '{':
		m := map[string]any{}
		for r.BeginObject(); r.More(); {
			k := string(r.Key())
			m[k] = walk(r)
		}
		return m
	case '[':
		a := []any{}
		for r.BeginArray(); r.More(); {
			a = append(a, walk(r))
		}
		return a
	case '"':
		return r.String()
	case '0':
		return json.Number(r.Number())
	case 't', 'f':
		return r.Bool()
	case 'n':
		r.Null()
		return nil
	}
	r.Skip()
	return nil
}

func parse(text string, lim Limits) (any, error) {
	r := New(nil, lim)
	r.Reset([]byte(text))
	v := walk(r)
	r.End()
	return v, r.Err()
}

// oneByte reads the same text through a source that gives a byte at a time.
func oneByte(text string, lim Limits) (any, error) {
	r := New(iotest.OneByteReader(strings.NewReader(text)), lim)
	v := walk(r)
	r.End()
	return v, r.Err()
}

func TestErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", `column 1: expected a value, found the end of the text`},
		{"only space", " \n ", `column 2: expected a value, found the end of the text`},
		{"unclosed object", `{"a":1`, `column 7: expected ',' or '}', found the end of the text`},
		{"unclosed array", `[1,`, `column 4: expected a value, found the end of the text`},
		{"trailing comma object", `{"a":1,}`, `column 8: a comma before '}'`},
		{"trailing comma array", `[1,]`, `column 4: a comma before ']'`},
		{"missing comma", `[1 2]`, `column 4: expected ',' or ']', found a number`},
		{"missing colon", `{"a" 1}`, `column 6: expected ':', found a number`},
		{"missing value", `{"a":}`, `column 6: expected a value, found '}'`},
		{"key is no string", `{a:1}`, `column 2: expected a key, found "a"`},
		{"single quotes", `{'a':1}`, `column 2: expected a key, found a single quote`},
		{"wrong close", `[1}`, `column 3: expected ',' or ']', found '}'`},
		{"trailing data", `{} {}`, `column 4: expected the end of the text, found an object`},
		{"NaN", `[NaN]`, `column 2: expected a value, found NaN, which is not JSON`},
		{"infinity", `[-Infinity]`, `column 2: "-Infinity" is not a JSON number`},
		{"python literal", `[None]`, `column 2: expected a value, found "None"`},
		{"misspelt literal", `[nul]`, `column 2: expected null, found "nul"`},
		{"leading zero", `[01]`, `column 2: "01" is not a JSON number`},
		{"plus", `[+1]`, `column 2: expected a value, found '+'`},
		{"bare point", `[.5]`, `column 2: expected a value, found '.'`},
		{"no fraction", `[5.]`, `column 2: "5." is not a JSON number`},
		{"no exponent", `[5e]`, `column 2: "5e" is not a JSON number`},
		{"hexadecimal", `[0x10]`, `column 2: "0x10" is not a JSON number`},
		{"two points", `[1.2.3]`, `column 2: "1.2.3" is not a JSON number`},
		{"raw newline", "[\"a\nb\"]", `column 4: control character 0xa within a string`},
		{"unknown escape", `["\x"]`, `column 3: unknown escape: a backslash before "x"`},
		{"short escape", `["\u12"]`, `column 3: \u without four hexadecimal digits`},
		{"lone high surrogate", `["\ud83d"]`, `column 3: lone surrogate \ud83d`},
		{"lone low surrogate", `["\ude00"]`, `column 3: lone surrogate \ude00`},
		{"high then letter", `["\ud83dx"]`, `column 3: lone surrogate \ud83d`},
		{"high then high", `["\ud83d\ud83d"]`, `column 3: lone surrogate \ud83d`},
		{"unclosed string", `["abc`, `column 2: a string without its closing quote`},
		{"unclosed escape", `["abc\`, `column 2: a string without its closing quote`},
		{"not UTF-8", "[\"a\xff\"]", `column 4: text that is not UTF-8 (byte 0xff)`},
		{"overlong UTF-8", "[\"\xc0\xaf\"]", `column 3: text that is not UTF-8 (byte 0xc0)`},
		{"not UTF-8 after an escape", "[\"\\n\xff\"]", `column 2: a string that is not UTF-8`},
		{"second line behind plain members", "{\"a\": 1,\n\"b\": 2, \"c\":x}",
			`column 13: expected a value, found "x"`},
		{"second line", "{\n  \"a\": 1,\n  \"b\": x\n}", `column 8: expected a value, found "x"`},
		{"byte order mark", "\ufeff{}", `column 1: expected a value, found byte 0xef`},
		{"NUL", "\x00", `column 1: expected a value, found byte 0x0`},
		{"too deep", strings.Repeat("[", 65), `column 65: nested deeper than 64 levels`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parse(tt.text, Limits{})
			if err == nil || err.Error() != tt.want {
				t.Fatalf("error %v, want %s", err, tt.want)
			}
			var se *SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("error is a %T", err)
			}
			if ended := strings.Contains(tt.want, "found the end of the text") ||
				strings.Contains(tt.want, "closing quote"); se.Ended != ended {
				t.Errorf("ended %v", se.Ended)
			}
			if want := 1 + strings.Count(tt.text[:se.Offset], "\n"); se.Line != want {
				t.Errorf("line %d, want %d", se.Line, want)
			}
			if json.Valid([]byte(tt.text)) && !strings.Contains(tt.want, "surrogate") &&
				!strings.Contains(tt.want, "UTF-8") && !strings.Contains(tt.want, "deeper") {
				t.Errorf("encoding/json takes this text")
			}
			_, err2 := oneByte(tt.text, Limits{})
			if err2 == nil || err2.Error() != err.Error() {
				t.Errorf("byte by byte: %v", err2)
			}
		})
	}
}

func TestValues(t *testing.T) {
	long := strings.Repeat("ä€😀x", 30000)
	for i, text := range []string{
		`{}`, `[]`, "{\"a\": 1,\n \"b\":-2.5e3 , \"c\": 0,\"d\":7}",
		` { "a" : [ 1 , 2.5e-3 , -0 , "x" , true , false , null , { } ] } `,
		`"a\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00z"`, `"😀 plain"`, `"\ud83d\ude00"`, `"` + long + `"`,
		`"` + long + `\n` + long + `"`,
		`[[[[[[1]]]]]]`, `{"":""}`, `{"a":1,"a":2}`, `0`, `-12.50E+7`, `"` + strings.Repeat("0123456", 20000) + `"`,
		"\t[\r\n1]\n",
		`["~!#[]^_` + "`" + `{|}\u007f` + "\x7f" + `"]`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			var want any
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			plain := func(text string, lim Limits) (any, error) {
				r := New(strings.NewReader(text), lim)
				v := walkPlain(r)
				r.End()
				return v, r.Err()
			}
			for how, f := range map[string]func(string, Limits) (any, error){"whole": parse, "byte by byte": oneByte,
				"plain": plain} {
				got, err := f(text, Limits{})
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want)
				if g != w {
					t.Errorf("%s: %.200s, want %.200s", how, g, w)
				}
			}
		})
	}
}

func TestLimits(t *testing.T) {
	if _, err := parse(`["0123456789"]`, Limits{Token: 9}); err == nil ||
		err.Error() != "column 2: a string longer than 9 bytes" {
		t.Error(err)
	}
	if _, err := parse(`["0123456789"]`, Limits{Token: 10}); err != nil {
		t.Error(err)
	}
	if _, err := parse(`["\n012345678901234567"]`, Limits{Token: 9}); err == nil {
		t.Error("long escaped string taken")
	}
	if _, err := parse(`[1234567890123]`, Limits{Token: 9}); err == nil {
		t.Error("long number taken")
	}
	if _, err := parse(`[[[]]]`, Limits{Depth: 3}); err != nil {
		t.Error(err)
	}
	if _, err := parse(`[[[[]]]]`, Limits{Depth: 3}); err == nil {
		t.Error("depth 4 taken")
	}
	// A source without an end is refused as soon as a token passes the limit.
	r := New(io.MultiReader(strings.NewReader(`"`), endless{}), Limits{Token: 1 << 20})
	if r.Bytes(); r.Err() == nil || r.Offset() > 4<<20 {
		t.Error("endless string:", r.Err(), r.Offset())
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

func TestLoneSurrogates(t *testing.T) {
	r := New(nil, Limits{LoneSurrogates: true})
	r.Reset([]byte(`"a\ud83db\ude00\ud83d\ud83d\ude00"`))
	if s := r.String(); s != "a\ufffdb\ufffd\ufffd😀" || r.Err() != nil || r.Replaced() != 3 {
		t.Errorf("%q %v %d", s, r.Err(), r.Replaced())
	}
}

func TestSourceError(t *testing.T) {
	broken := errors.New("broken")
	r := New(io.MultiReader(strings.NewReader(`["a`), iotest.ErrReader(broken)), Limits{})
	if walk(r); r.Err() != broken {
		t.Error(r.Err())
	}
}

func TestTypes(t *testing.T) {
	for _, tt := range []struct {
		text string
		f    func(*Reader)
		want string
	}{
		{`"a"`, func(r *Reader) { r.Int() }, "column 1: expected a number, found a string"},
		{`1`, func(r *Reader) { _ = r.String() }, "column 1: expected a string, found a number"},
		{`{}`, func(r *Reader) { r.BeginArray() }, "column 1: expected an array, found an object"},
		{`null`, func(r *Reader) { r.Bool() }, "column 1: expected a boolean, found null"},
		{`true`, func(r *Reader) { r.Null() }, "column 1: expected null, found a boolean"},
		{`1.5`, func(r *Reader) { r.Int() }, "column 1: number 1.5 is not a 64-bit integer"},
		{`99999999999999999999`, func(r *Reader) {
			r.Int()
		}, "column 1: number 99999999999999999999 is not a 64-bit integer"},
		{`1e999`, func(r *Reader) { r.Float() }, "column 1: number 1e999 is out of range"},
		{`1e308`, func(r *Reader) { r.Float() }, ""},
	} {
		r := New(nil, Limits{})
		r.Reset([]byte(tt.text))
		tt.f(r)
		got := ""
		if r.Err() != nil {
			got = r.Err().Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzReader holds the Reader to encoding/json: it takes the same texts (but for the encoding of strings, where
// encoding/json is lenient) and finds the same values, whole or byte by byte.
func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,"x\u00e9",true,null]}`, `[`, `"\ud83d\ude00"`, "\"\xff\"", `-0e1`,
		`{"a":1,}`, "{\"a\": 1,\n \"b\":-2.5e3 , \"\\u0041\":3}", `{"a":1 "b":2}`, `{"a":01,"b":1}`, " \n[ ] "} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parse(string(b), Limits{LoneSurrogates: true, Depth: 1000})
		if r := (oneByteCheck{got, err}); len(b) < 4096 {
			r.same(t, string(b))
		}
		pr := New(nil, Limits{LoneSurrogates: true, Depth: 1000})
		pr.Reset(b)
		plain := walkPlain(pr)
		pr.End()
		if fmt.Sprint(pr.Err()) != fmt.Sprint(err) || err == nil &&
			fmt.Sprintf("%#v", plain) != fmt.Sprintf("%#v", got) {
			t.Fatalf("%q: %v %v, by PlainMember %v %v", b, got, err, plain, pr.Err())
		}
		valid := json.Valid(b) && utf8.Valid(b)
		if (err == nil) != valid {
			t.Fatalf("%q: %v, encoding/json says valid=%v", b, err, valid)
		}
		if err != nil {
			return
		}
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if g, w := fmt.Sprintf("%#v", got), fmt.Sprintf("%#v", want); g != w {
			t.Fatalf("%q: %s, want %s", b, g, w)
		}
	})
}

type oneByteCheck struct {
	v   any
	err error
}

func (c oneByteCheck) same(t *testing.T, text string) {
	v, err := oneByte(text, Limits{LoneSurrogates: true, Depth: 1000})
	if fmt.Sprint(err) != fmt.Sprint(c.err) || err == nil && fmt.Sprintf("%#v", v) != fmt.Sprintf("%#v", c.v) {
		t.Fatalf("%q: whole %v %v, byte by byte %v %v", text, c.v, c.err, v, err)
	}
}

func BenchmarkJSONL(b *testing.B) {
	line := []byte(`{"_id": "4983", "title": "Microstructural development of human newborn cerebral white ` +
		`matter", "text": "` + strings.Repeat(
		"Alterations of the architecture of cerebral white matter in the developing human brain can affect cortical "+
			"development. ", 12) + `", "metadata": {"a": [1, 2.5, true]}}`)
	b.SetBytes(int64(len(line)))
	r := New(nil, Limits{})
	for b.Loop() {
		r.Reset(line)
		for r.BeginObject(); r.More(); {
			switch string(r.Key()) {
			case "text":
				_ = r.String()
			default:
				r.Skip()
			}
		}
		if r.End(); r.Err() != nil {
			b.Fatal(r.Err())
		}
	}
}

func TestFloat32s(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"as written", `[0.10,-1e-7,0,-0.0,12345678.5,1E-2]`, `[0.10,-1e-7,0,-0.0,12345678.5,1E-2]`},
		{"blanks go", " [ 1 ,\n\t2.50 , 3 ]", `[1,2.5,3]`},
		{"the longest that stays", `[-0.12345678901234567e-10]`, `[-0.12345678901234567e-10]`},
		{"one byte more", `[-0.123456789012345678e-10]`, `[-1.2345679e-11]`},
		{"a positive exponent", `[1,2e3,4]`, `[1,2000,4]`},
		{"none", `[]`, `[]`},
		{"at the limit", `[1,2,3,4,5,6]`, `[1,2,3,4,5,6]`},
		{"over the limit", `[1,2,3,4,5,6,7]`, "more than 6 numbers"},
		{"beyond 32 bits", `[1,1e39]`, "a number beyond 32 bits"},
		{"beyond 64 bits", `[1,1e999]`, "number 1e999 is out of range"},
		{"a zero before", `[01]`, `"01" is not a JSON number`},
		{"no digit behind the point", `[1.,2]`, `"1." is not a JSON number`},
		{"no exponent", `[1e-,2]`, `"1e-" is not a JSON number`},
		{"a text", `[1,"2"]`, "expected a number, found a string"},
		{"null", `[1,null]`, "expected a number, found null"},
		{"cut off", `[1,2`, "expected ',' or ']', found the end of the text"},
		{"a comma too many", `[1,2,]`, "a comma before ']'"},
		{"a vector within", `[[1]]`, "expected a number, found an array"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, src := range map[string]io.Reader{"whole": nil,
				"byte by byte": iotest.OneByteReader(strings.NewReader(tt.text))} {
				r := New(src, Limits{})
				if src == nil {
					r.Reset([]byte(tt.text))
				}
				b, _ := r.Float32s(nil, 6)
				r.End()
				got := string(b)
				if e, ok := r.Err().(*SyntaxError); ok {
					got = e.Msg
				}
				if want := tt.want; got != want && (name == "whole" || !strings.HasPrefix(want, "[")) {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
		})
	}
}

// FuzzFloat32s holds Float32s to encoding/json: it takes the same arrays, and what it writes has the same float32s.
func FuzzFloat32s(f *testing.F) {
	for _, s := range []string{`[0.10,-1e-7,0,-0.0,1E-2]`, "[ 1 ,\n2.50 ]", `[-0.123456789012345678e-10,2e3]`, `[1e39]`,
		`[01]`, `[1.]`, `[1e-]`, `[1,]`, `[]`, `[[1]]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := New(nil, Limits{})
		r.Reset(b)
		got, n := r.Float32s(nil, 64)
		r.End()
		var want, back []*float64 // null is none of them
		err := json.Unmarshal(b, &want)
		ok := err == nil && want != nil && len(want) <= 64
		for _, x := range want {
			ok = ok && x != nil && !math.IsInf(float64(float32(*x)), 0)
		}
		if (r.Err() == nil) != ok {
			t.Fatalf("%q: %v, by encoding/json %v %v", b, r.Err(), err, want)
		}
		if !ok {
			return
		}
		if err := json.Unmarshal(got, &back); err != nil || len(back) != len(want) || n != len(want) {
			t.Fatalf("%q: %s of %d: %v", b, got, n, err)
		}
		for i := range want {
			if math.Float32bits(float32(*back[i])) != math.Float32bits(float32(*want[i])) {
				t.Fatalf("%q: %v, want %v", b, *back[i], *want[i])
			}
		}
	})
}
