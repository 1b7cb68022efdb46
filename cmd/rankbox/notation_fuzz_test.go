package main

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Whatever stands in the file of times: it is refused, or a table and every figure can be drawn from it.
func FuzzTimes(f *testing.F) {
	in, _, err := readInput(&context{}, []string{qrelsFile, runFile, runFile}, 0, besides{},
		func([]collection.Warning) {})
	if err != nil {
		f.Fatal(err)
	}
	in.Measures = []string{"RR"}
	r, err := compare.Compare(*in, nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	label := r.Systems[0].Label
	for _, s := range []string{`[1,2.5,0]`, `[]`, `null`, `[-1,0]`, `[1e308,1e308,1e-320]`, `[1e308,-1e308]`,
		`[1e12,1e12,1e-320]`, `[1e12]`} {
		f.Add([]byte(`{"format":"rankbox-times","version":1,"device":"d","protocol":"p","runs":[{"name":"` + label +
			`","milliseconds":` + s + `,"bytes":1e15,"stages":[{"stage":"bm25","milliseconds":` + s +
			`}]},{"name":"","milliseconds":null}]}`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := parseTimes(data)
		if err != nil {
			return
		}
		var text strings.Builder
		if err := analysis.WriteText(&text, []analysis.Section{read.Section(nil)}); err != nil {
			t.Fatal(err)
		}
		about := known(r, in, nil, read)
		for _, x := range chart.All() {
			if d := x.Draw(&chart.Input{Report: r, B: 1, Facts: about}); d != nil {
				for _, to := range chart.Formats() {
					if s := to.Write(d, 0); to.Name == "svg" && strings.Contains(s, "NaN") {
						t.Fatalf("%s: a place that is no number", x.Name)
					}
				}
			}
		}
	})
}

// Times that no clock tells are refused: an axis to infinity took all memory.
func TestTimesAreTimes(t *testing.T) {
	for values, fine := range map[string]bool{`[0,1e-320,1e12]`: true, `[-1]`: false, `[1e308,1e308]`: false,
		`[1.1e12]`: false} {
		for _, run := range []string{`"milliseconds":` + values,
			`"milliseconds":[],"stages":[{"stage":"s","milliseconds":` + values + `}]`} {
			if _, err := parseTimes([]byte(`{"format":"rankbox-times","version":1,"runs":[{"name":"a",` + run +
				`}]}`)); (err == nil) != fine {
				t.Errorf("%s: %v", run, err)
			}
		}
	}
	for bytes, fine := range map[string]bool{`0`: true, `9007199254740992`: true, `-1`: false, `1e300`: false} {
		if _, err := parseTimes([]byte(`{"format":"rankbox-times","version":1,"runs":[{"name":"a","bytes":` + bytes +
			`}]}`)); (err == nil) != fine {
			t.Errorf("%s bytes: %v", bytes, err)
		}
	}
}

// FuzzParseBytes holds numbers of bytes against whole and decimal arithmetic.
func FuzzParseBytes(f *testing.F) {
	for _, s := range []string{"500MB", "20GiB", "1e9", "0", "1.5 kib", "-1B", "NaN", "infTB", "4611686018427387905",
		"B", "0x10", "1_000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := parseBytes(s)
		if err != nil {
			if n != 0 {
				t.Fatalf("%q: %d, %v", s, n, err)
			}
			return
		}
		text := strings.ToUpper(strings.TrimSpace(s))
		if n < 0 {
			t.Fatalf("%q: %d", s, n)
		}
		// other notations, and powers that fill the memory
		if i := strings.IndexByte(text, 'E'); strings.ContainsAny(text, "XP_/") || i >= 0 && len(text)-i > 6 {
			return
		}
		for name, factor := range map[string]int64{"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
			"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40} {
			number, ok := strings.CutSuffix(text, name)
			v, read := new(big.Rat).SetString(strings.TrimSpace(number))
			if !ok || !read {
				continue
			}
			want, _ := new(big.Rat).Mul(v, new(big.Rat).SetInt64(factor)).Float64()
			if math.Abs(float64(n)-want) > 1+want*1e-15 {
				t.Fatalf("%q: %d, want %v", s, n, want)
			}
			return
		}
	})
}
