package collection

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Oracle: strconv.ParseFloat of the Go that runs the test, which is correctly rounded.
func TestParseScore(t *testing.T) {
	check := func(s string) {
		t.Helper()
		want, err := strconv.ParseFloat(s, 64)
		got, gotErr := parseScore([]byte(s))
		if err != nil || gotErr != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v %v, want %v %v", s, got, gotErr, want, err)
		}
	}
	for _, s := range []string{"0", "-0", "+1", "1.", ".5", "-.5", "12.345678901234567", "0.1", "9007199254740993",
		"9007199254740992.5", "9007199254740993.0000",
		"1e5", "1E-5", "1.7976931348623157e308", "5e-324", "1e-400", "0x1p-2", "0X1.8P3", "18446744073709551615",
		"9999999999999999999", "999999999999999999.9", "0.9999999999999999999",
		"0.0000000000000000001", "123456789012345678901234567890", "0.30000000000000004", "1e22",
		"8.5070591730234615865", "00000000000000000000001.5", "2.4703282292062327208e-324"} {
		check(s)
	}
	r := rand.New(rand.NewPCG(7, 7))
	share := 1
	if runtime.GOARCH == "wasm" {
		share = 10 // integer arithmetic, which is the same there: the draws of all kinds, a tenth as many
	}
	for range 300000 / share {
		var b []byte
		if r.IntN(4) == 0 {
			b = append(b, '-')
		}
		n := 1 + r.IntN(19)
		point := r.IntN(n + 1)
		for i := range n {
			if i == point {
				b = append(b, '.')
			}
			b = append(b, byte('0'+r.IntN(10)))
		}
		check(string(b))
	}
	for range 100000 / share {
		f := math.Float64frombits(r.Uint64())
		if f-f != 0 {
			continue
		}
		check(strconv.FormatFloat(f, 'g', -1, 64))
		g := r.Float64() * 100
		check(strconv.FormatFloat(g, 'f', -1, 64))
		check(strconv.FormatFloat(g, 'f', 17, 64)[:18])
		// Halfway between two neighbours, and just beside.
		h := math.Nextafter(g, 1000)
		mid := strconv.FormatFloat(g+(h-g)/2, 'f', 18, 64)
		check(mid[:min(len(mid), 20)])
	}
}

func TestParseScoreRefuses(t *testing.T) {
	for _, s := range []string{"", "-", "+", ".", "nan", "NaN", "inf", "-Infinity", "1e999", "-1e999", "1_000",
		"0x_1p1", "1,5", "abc", "1.2.3", "--1", "1e", "1 ", " 1", "1f", "٣"} {
		if f, err := parseScore([]byte(s)); err == nil {
			t.Errorf("%q: %v", s, f)
		}
	}
}

func TestParseGrade(t *testing.T) {
	for _, tt := range []struct {
		s     string
		grade float64
		whole bool
		ok    bool
	}{
		{"0", 0, true, true}, {"3", 3, true, true}, {"-2", -2, true, true}, {"+1", 1, true, true},
		{"007", 7, true, true}, {"2147483647", math.MaxInt32, true, true},
		{"-2147483647", -math.MaxInt32, true, true}, {"2147483648", 0, false, false}, {"-2147483648", 0, false, false},
		{"1.0", 1, false, true}, {"1.9", 1.9, false, true},
		{"-1.5", -1.5, false, true}, {"-0", 0, true, true}, {".7", 0.7, false, true}, {"-0.0", 0, false, true},
		{"1e2", 100, false, true}, {"nan", 0, false, false}, {"", 0, false, false},
		{"x", 0, false, false}, {"1e300", 0, false, false}, {"99999999999999999999", 0, false, false},
	} {
		g, whole, err := parseGrade([]byte(tt.s))
		if g != tt.grade && tt.ok || whole != tt.whole || (err == nil) != tt.ok {
			t.Errorf("%q: %v %v %v", tt.s, g, whole, err)
		}
	}
}

func FuzzParseScore(f *testing.F) {
	for _, s := range []string{"1.5", "-12.345678901234567", "1e-7", "9007199254740993", "0x1p3", "1_0", "nan"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseScore([]byte(s))
		want, wantErr := strconv.ParseFloat(s, 64)
		if hex := strings.TrimLeft(s, "+-"); len(hex) >= len(s)-1 && len(hex) > 2 && strings.EqualFold(hex[:2], "0x") &&
			!strings.ContainsAny(hex, "pP") {
			want, wantErr = strconv.ParseFloat(s+"p0", 64) // C's strtod needs no exponent
		}
		ok := wantErr == nil && want-want == 0
		for _, c := range s {
			ok = ok && c != '_'
		}
		if (err == nil) != ok || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: %v %v, want %v %v", s, got, err, want, wantErr)
		}
	})
}

func BenchmarkParseScore(b *testing.B) {
	for _, s := range []string{"23.456789", "12.345678901234567", "1.5e-7"} {
		b.Run(s, func(b *testing.B) {
			data := []byte(s)
			for b.Loop() {
				parseScore(data)
			}
		})
	}
}

// Grades with decimals are written in every format as they were read.
func TestGradesWithDecimalsAreWrittenAsTheyWereRead(t *testing.T) {
	q := NewQrels()
	for i, g := range []float64{0.7, 2, -1, 1.0 / 3, 1e-7, 0} {
		q.Add("q", "d"+strconv.Itoa(i), g)
	}
	for name, write := range map[string]func(io.Writer) error{"TREC": q.WriteTREC, "TSV": q.WriteTSV,
		"JSON": q.WriteJSON, "CSV": q.WriteCSV} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(b.Bytes(), []byte("0.7")) || bytes.Contains(b.Bytes(), []byte("2.0")) {
			t.Errorf("%s: %s", name, b.Bytes())
		}
		got, err := Read("f", &b, Options{Prefer: QrelsTREC})
		if err != nil || got.Qrels == nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := q.Grades("q", nil); !slices.Equal(got.Qrels.Grades("q", nil), want) {
			t.Errorf("%s: %v, want %v", name, got.Qrels.Grades("q", nil), want)
		}
	}
}
