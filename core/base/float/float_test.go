package float

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"testing"
)

// ulps returns |got - want| in units of the last place of want, whose exponent is taken from the exact value.
func ulps(got float64, want *big.Float) float64 {
	if got == 0 && want.Sign() == 0 {
		return 0
	}
	if math.IsInf(got, 0) || math.IsNaN(got) {
		return math.Inf(1)
	}
	e := max(want.MantExp(nil)-53, -1074)
	return math.Abs(f64(shift(sub(num(got), want), -e)))
}

// source is splitmix64 (Steele, Lea and Flood 2014).
type source uint64

func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *source) between(lo, hi float64) float64 {
	return lo + float64(s.next()>>11)*0x1p-53*(hi-lo)
}

// any returns a finite number with a random exponent and sign.
func (s *source) any() float64 {
	for {
		x := math.Float64frombits(s.next())
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			return x
		}
	}
}

var (
	overLn10 = quo(num(1), bigLog(num(10)))
	overLn2  = quo(num(1), bigLn2())
)

func bigExpm1Any(x *big.Float) *big.Float {
	if v := f64(x); v < 1 && v > -1 {
		return bigExpm1(x)
	}
	return sub(bigExp(x), num(1))
}

// References: series in math/big at 240 bits (tables_test.go).
func TestAccuracy(t *testing.T) {
	n := 6000
	if testing.Short() {
		n = 2000
	}
	if runtime.GOARCH == "wasm" {
		n = 600 // TestBits compares a million results of each with those of amd64, bit for bit
	}
	log := func(x float64) *big.Float { return bigLog(num(x)) }
	log1p := func(x float64) *big.Float {
		if math.Abs(x) < 0x1p-60 {
			return sub(num(x), mul(num(x), num(x/2)))
		}
		return bigLog(add(num(1), num(x)))
	}
	for _, c := range []struct {
		name string
		f    func(float64) float64
		want func(float64) *big.Float
		arg  func(s *source) float64
		tol  float64
	}{
		{"Exp/-1..1", Exp, func(x float64) *big.Float { return bigExp(num(x)) },
			func(s *source) float64 { return s.between(-1, 1) }, 0.52},
		{"Exp/-708..709", Exp, func(x float64) *big.Float { return bigExp(num(x)) },
			func(s *source) float64 { return s.between(-708, 709.7) }, 0.52},
		{"Exp/subnormal", Exp, func(x float64) *big.Float { return bigExp(num(x)) },
			func(s *source) float64 { return s.between(-745, -708) }, 1},
		{"Exp2/-1000..1000", Exp2, func(x float64) *big.Float { return bigExp(mul(num(x), bigLn2())) },
			func(s *source) float64 { return s.between(-1000, 1000) }, 0.52},
		{"Expm1/-1..1", Expm1, func(x float64) *big.Float { return bigExpm1Any(num(x)) },
			func(s *source) float64 { return s.between(-1, 1) }, 0.6},
		{"Expm1/-0.07..0.07", Expm1, func(x float64) *big.Float { return bigExpm1Any(num(x)) },
			func(s *source) float64 { return s.between(-0.07, 0.07) }, 0.6},
		{"Expm1/-45..709", Expm1, func(x float64) *big.Float { return bigExpm1Any(num(x)) },
			func(s *source) float64 { return s.between(-45, 709) }, 0.52},
		{"Expm1/small", Expm1, func(x float64) *big.Float { return bigExpm1Any(num(x)) },
			func(s *source) float64 { return math.Ldexp(s.between(-1, 1), -int(s.next()%60)) }, 0.6},
		{"Log/any", Log, log, func(s *source) float64 { return math.Abs(s.any()) }, 0.505},
		{"Log/0.5..2", Log, log, func(s *source) float64 { return s.between(0.5, 2) }, 0.505},
		{"Log/0.98..1.02", Log, log, func(s *source) float64 { return s.between(0.98, 1.02) }, 0.505},
		{"Log/near 1", Log, log, func(s *source) float64 { return 1 + math.Ldexp(s.between(-1, 1), -int(s.next()%52)) },
			0.505},
		{"Log/idf", Log, log, func(s *source) float64 {
			n, df := float64(1+s.next()%100000), float64(0)
			df = float64(s.next() % uint64(n))
			return 1 + (n-df+0.5)/(df+0.5)
		}, 0.505},
		{"Log1p/-1..1", Log1p, log1p, func(s *source) float64 { return s.between(-1, 1) }, 0.505},
		{"Log1p/small", Log1p, log1p,
			func(s *source) float64 { return math.Ldexp(s.between(-1, 1), -int(s.next()%80)) }, 0.505},
		{"Log1p/any", Log1p, log1p, func(s *source) float64 { return math.Abs(s.any()) }, 0.505},
		{"Log2/any", Log2, func(x float64) *big.Float { return mul(log(x), overLn2) },
			func(s *source) float64 { return math.Abs(s.any()) }, 0.505},
		{"Log2/0.5..2", Log2, func(x float64) *big.Float { return mul(log(x), overLn2) },
			func(s *source) float64 { return s.between(0.5, 2) }, 0.505},
		{"Log2/rank", Log2, func(x float64) *big.Float { return mul(log(x), overLn2) },
			func(s *source) float64 { return float64(2 + s.next()%5000) }, 0.505},
		{"Log10/any", Log10, func(x float64) *big.Float { return mul(log(x), overLn10) },
			func(s *source) float64 { return math.Abs(s.any()) }, 0.505},
		{"Log10/0.5..2", Log10, func(x float64) *big.Float { return mul(log(x), overLn10) },
			func(s *source) float64 { return s.between(0.5, 2) }, 0.505},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := source(1)
			worst, at := 0.0, 0.0
			for range n {
				x := c.arg(&s)
				if x == 0 {
					continue
				}
				if e := ulps(c.f(x), c.want(x)); e > worst || e != e {
					worst, at = e, x
				}
			}
			if !(worst <= c.tol) {
				t.Errorf("%.4f ulp at %v (%x), want at most %v", worst, at, at, c.tol)
			}
			t.Logf("%.4f ulp at %v", worst, at)
		})
	}
}

// Reference: exp(y·ln x) in math/big at 240 bits.
func TestPowAccuracy(t *testing.T) {
	n := 6000
	if testing.Short() {
		n = 2000
	}
	if runtime.GOARCH == "wasm" {
		n = 600 // TestBits compares a million results of each with those of amd64, bit for bit
	}
	for _, c := range []struct {
		name string
		arg  func(s *source) (x, y float64)
		tol  float64
	}{
		{"any", func(s *source) (float64, float64) { return math.Abs(s.any()), s.between(-2, 2) }, 0.52},
		{"0..2", func(s *source) (float64, float64) { return s.between(0, 2), s.between(-900, 900) }, 0.52},
		{"near 1", func(s *source) (float64, float64) {
			return 1 + math.Ldexp(s.between(-1, 1), -int(s.next()%50)), math.Ldexp(s.between(-1, 1), int(s.next()%60))
		}, 0.52},
		{"integers", func(s *source) (float64, float64) { return float64(s.next() % 100), float64(s.next() % 100) },
			0.52},
		{"roots", func(s *source) (float64, float64) { return float64(1 + s.next()%10000), 1 / float64(1+s.next()%10) },
			0.52},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := source(1)
			worst, wx, wy := 0.0, 0.0, 0.0
			for range n {
				x, y := c.arg(&s)
				if x == 0 || x == 1 {
					continue
				}
				l := mul(num(y), bigLog(num(x)))
				if v := f64(l); v > 709.7 || v < -708 {
					continue
				}
				if e := ulps(Pow(x, y), bigExp(l)); e > worst || e != e {
					worst, wx, wy = e, x, y
				}
			}
			if !(worst <= c.tol) {
				t.Errorf("%.4f ulp at %v**%v, want at most %v", worst, wx, wy, c.tol)
			}
			t.Logf("%.4f ulp at %v**%v", worst, wx, wy)
		})
	}
}

var special = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0,
		-1), 1, -1, 0.5, -0.5, 2, -2, 3, -3, 1.5, -1.5, 10, 1e300, -1e300, 1e-300, -1e-300,
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p53, 0x1p53 +
		2, -0x1p53 - 1, 0x1p62, 0x1p63, -0x1p63,
	math.Nextafter(1, 2), math.Nextafter(1, 0), math.Nextafter(-1, 0), math.Nextafter(-1,
		-2), 0x1p-1022, 700, 709.79, 710, -745.1, -745.2, -746, 1023.999, 1024, -1074, -1075, -1076, 171, 172, -170.5,
}

// closeTo reports whether two results are the same special value or approximately equal. Only approximately,
// because package math is inaccurate in places (on amd64 Log(5e-324), Log2(1+2**-52)); TestAccuracy tests the
// numbers.
func closeTo(a, b float64) bool {
	switch {
	case a != a || b != b:
		return a != a && b != b
	case a == 0 || b == 0 || math.IsInf(a, 0) || math.IsInf(b, 0):
		return a == b && math.Signbit(a) == math.Signbit(b)
	}
	return math.Abs(a-b) <= 0.1*math.Abs(b)+1e-323
}

// Reference: package math, for special values and for the limits of over- and underflow.
func TestSpecial(t *testing.T) {
	for _, f := range functions {
		for _, x := range special {
			if got, want := f.f(x), f.math(x); !closeTo(got, want) {
				t.Errorf("%s(%v) = %v, want %v", f.name, x, got, want)
			}
		}
	}
	for _, x := range special {
		for _, y := range special {
			if got, want := Pow(x, y), math.Pow(x, y); !closeTo(got, want) {
				t.Errorf("Pow(%v, %v) = %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestExact(t *testing.T) {
	// mpmath 1.3.0
	if got := Exp(709.78); got != 1.7928227943945155e308 {
		t.Errorf("Exp(709.78) = %v", got)
	}
	if got := Log(5e-324); got != -744.4400719213812 {
		t.Errorf("Log(5e-324) = %v", got)
	}
	for k := -1074; k <= 1023; k++ {
		x := math.Ldexp(1, k)
		if got := Exp2(float64(k)); got != x {
			t.Errorf("Exp2(%d) = %v", k, got)
		}
		if got := Log2(x); got != float64(k) {
			t.Errorf("Log2(2**%d) = %v", k, got)
		}
	}
	for k, x := 0, 1.0; k <= 22; k, x = k+1, x*10 {
		if got := Log10(x); got != float64(k) {
			t.Errorf("Log10(1e%d) = %v", k, got)
		}
		if got := Pow(10, float64(k)); got != x {
			t.Errorf("Pow(10, %d) = %v", k, got)
		}
		if got := Pow(x*x, 0.5); k <= 11 && got != x {
			t.Errorf("Pow(%v, 0.5) = %v", x*x, got)
		}
	}
}

var functions = []struct {
	name    string
	f, math func(float64) float64
	lo, hi  float64 // range of the hash's arguments
	hash    uint64  // of 1e6 results
}{
	{"Exp", Exp, math.Exp, -750, 720, 0xa21853d6a3fd00aa},
	{"Exp2", Exp2, math.Exp2, -1080, 1030, 0x9a147a0e3b10319b},
	{"Expm1", Expm1, math.Expm1, -5, 5, 0x27b4c6d9ec5fae02},
	{"Log", Log, math.Log, 0, 4, 0x7b586038a529d5d},
	{"Log1p", Log1p, math.Log1p, -1, 3, 0x9a975d25e1b659f1},
	{"Log2", Log2, math.Log2, 0, 4, 0x98a943b7ffc8f3af},
	{"Log10", Log10, math.Log10, 0, 4, 0x73f0efdb806e438c},
	{"Erf", Erf, math.Erf, -7, 7, 0x1c1734502726767a},
	{"Erfc", Erfc, math.Erfc, -7, 28, 0x51516a21a265b6a1},
	{"Lgamma", lgammaOf, func(x float64) float64 { y, _ := math.Lgamma(x); return y }, -100, 200, 0x31dcfc4a179ee7c5},
}

// Equal bits on every platform: run it also with GOOS=js GOARCH=wasm. Half of the arguments have a random exponent.
func TestBits(t *testing.T) {
	n := 1000000
	for _, f := range functions {
		s, h := source(2026), uint64(14695981039346656037)
		for i := range n {
			x := s.between(f.lo, f.hi)
			if i&1 == 1 {
				x = math.Abs(s.any())
			}
			h = (h ^ bits(f.f(x))) * 1099511628211
		}
		if h != f.hash {
			t.Errorf("%s: hash %#x, want %#x", f.name, h, f.hash)
		}
	}
	s, h := source(2026), uint64(14695981039346656037)
	for range n {
		h = (h ^ bits(Pow(s.between(0, 4), s.between(-300, 300)))) * 1099511628211
	}
	if want := uint64(0x97f2b13ae2765540); h != want {
		t.Errorf("Pow: hash %#x, want %#x", h, want)
	}
}

// bits maps every NaN to the same value.
func bits(x float64) uint64 {
	if x != x {
		return 1
	}
	return math.Float64bits(x)
}

var sink float64

func BenchmarkFloat(b *testing.B) {
	for _, f := range functions {
		b.Run(fmt.Sprintf("f=%s", f.name), func(b *testing.B) {
			x, step := f.lo+0.1, (f.hi-f.lo-0.2)/1e6
			s := 0.0
			for b.Loop() {
				s += f.f(x)
				if x += step; x > f.hi {
					x = f.lo + 0.1
				}
			}
			sink = s
		})
	}
	b.Run("f=Pow", func(b *testing.B) {
		x, s := 0.1, 0.0
		for b.Loop() {
			s += Pow(x, 1.7)
			x += 1e-6
		}
		sink = s
	})
}
