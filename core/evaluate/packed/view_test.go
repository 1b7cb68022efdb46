package packed

import (
	"errors"
	"math"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

var looks = map[string]struct {
	view View
	text string
}{
	"nothing looked at yet": {View{}, ""},
	"a pair":                {View{A: 0, B: 2}, "measure=1&pair=1-3"},
	"everything": {View{Column: 1, A: 2, B: 1, Sort: "diff", Down: true, Filter: "b", Over: 0.1, Find: "port & strike",
		Page: 3, Open: "q 1~é", Depth: 50},
		"measure=2&pair=3-2&sort=-diff&show=b&over=0.1&find=port~20~26~20strike&query=q~201~7E~C3~A9&page=3&depth=50"},
	"tests and agreement": {View{B: 1, Tests: true, Margin: 0.025, Agree: "tauap"},
		"measure=1&pair=1-2&tests=1&margin=0.025&agree=tauap"},
	"figures": {View{B: 1, Figures: "intervals.precision-recall"},
		"measure=1&pair=1-2&figures=intervals.precision-recall"},
	"a figure alone": {View{B: 1, Only: "differences"}, "measure=1&pair=1-2&only=differences"},
	"a tab":          {View{B: 1, Tab: "statistics"}, "measure=1&pair=1-2&tab=statistics"},
	"signs at the ends of what is written as it is": {View{B: 1, Find: "09azAZ-._/:@[`{,"},
		"measure=1&pair=1-2&find=09azAZ-._~2F~3A~40~5B~60~7B~2C"},
	"rising order": {View{B: 1, Sort: "query"}, "measure=1&pair=1-2&sort=query"},
}

func TestViewRoundTrip(t *testing.T) {
	for name, c := range looks {
		t.Run(name, func(t *testing.T) {
			if got := c.view.String(); got != c.text {
				t.Errorf("text %q, want %q", got, c.text)
			}
			got, err := ReadView(c.text)
			if err != nil || got != c.view {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	for _, bad := range []string{"measure", "measure=0", "measure=x", "measure=9999999", "pair=1", "pair=1-",
		"pair=0-1", "sort=colour", "show=all", "over=-1", "over=NaN", "find=~2", "find=~zz", "page=-1", "margin=x",
		"margin=-1", "margin=NaN", "margin=2147483648", "over=2147483648", "page=1048576", "depth=1048576",
		"measure=1048576",
		"pair=1-1048576", "measure=1&&pair=1-2", strings.Repeat("x", 5000)} {
		if v, err := ReadView(bad); !errors.Is(err, wire.ErrDamaged) || v != (View{}) {
			t.Errorf("%.40q: %+v, %v", bad, v, err)
		}
	}
	if v, err := ReadView(
		"measure=1048575&pair=1-1048575&page=1048575&depth=1048575&over=2147483647&margin=2147483647"); err != nil ||
		v != (View{Column: 1048574, B: 1048574, Page: 1048575, Depth: 1048575, Over: math.MaxInt32,
			Margin: math.MaxInt32}) {
		t.Errorf("what stands at the bounds: %+v, %v", v, err)
	}
	if v, err := ReadView("measure=1&pair=1-2&over=0&margin=0&tests=0"); err != nil || v != (View{B: 1}) {
		t.Errorf("zeros: %+v, %v", v, err)
	}
	if v, err := ReadView("measure=2&later=7&pair=1-2"); err != nil || v != (View{Column: 1, B: 1}) {
		t.Errorf("a name of a later version: %+v, %v", v, err)
	}
}

func TestLinksCarryAView(t *testing.T) {
	in := File{Input: fixture(t)}
	in.View = looks["everything"].view
	plain, _, err := Link(in.Input, nil, nil)
	if err != nil || strings.Contains(plain, "pair=") {
		t.Fatalf("%q, %v", plain, err)
	}
	s, ok := WithView(plain, in.View)
	if !ok || !strings.HasPrefix(s, plain+"&measure=2&") {
		t.Fatalf("%q", s)
	}
	damagedView := strings.Replace(s, "pair=3-2", "pair=3-1", 1)
	for _, c := range []struct {
		name, text string
		want       View
		err        error
	}{
		{"as it is", s, in.View, nil},
		{"with a hash and a full stop", "#" + s + ".", in.View, nil},
		{"through mail", s[:100] + "\r\n " + strings.ReplaceAll(s[100:], "&", "&amp;"), in.View, nil},
		{"with its signs encoded", strings.ReplaceAll(strings.ReplaceAll(s, "&", "%26"), "=", "%3D"), in.View, nil},
		{"of version 1", plain, View{}, nil},
		{"cut off within the view", s[:len(s)-12], View{}, nil},
		{"with something put behind it", plain + "&utm_source=mail", View{}, nil},
		{"with a damaged view", damagedView, View{}, wire.ErrDamaged},
		{"cut off within the runs", plain[:len(plain)-20], View{}, wire.ErrDamaged},
		{"no link", "v=1&x=00000000", View{}, ErrForeign},
	} {
		t.Run(c.name, func(t *testing.T) {
			link, v, err := SplitLink(c.text)
			if !errors.Is(err, c.err) || v != c.want || err == nil && link != plain {
				t.Errorf("%q, %+v, %v", link, v, err)
			}
			got, err := ReadLink(c.text)
			if !errors.Is(err, c.err) || err == nil && (got.View != c.want || len(got.Runs) != 3) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	long := View{B: 1, Find: strings.Repeat("x", MaxLink)}
	if got, ok := WithView(plain, long); ok || got != plain {
		t.Error("a view that does not fit is not left out")
	}
}

func TestSavedComparisonsCarryAView(t *testing.T) {
	in := File{Input: fixture(t)}
	old, err := Pack(in, Saving{})
	if err != nil || old[4] != 1 {
		t.Fatalf("version %d without a view, %v", old[4], err)
	}
	in.View = looks["everything"].view
	b, err := Pack(in, Saving{})
	if err != nil || b[4] != 2 {
		t.Fatalf("version %d, %v", b[4], err)
	}
	got, err := Unpack(b)
	if err != nil || got.View != in.View {
		t.Fatalf("%+v, %v", got, err)
	}
	x, err := compare.Compare(in.Input, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	y, err := compare.Compare(got.Input, nil, nil)
	if err != nil || x.Hash != y.Hash {
		t.Errorf("another report (%v)", err)
	}
	for i := range b {
		c := append([]byte(nil), b...)
		c[i] ^= 0xff
		if _, err := Unpack(c); err == nil {
			t.Fatalf("byte %d changed and nobody saw", i)
		}
	}
}

// The files of version 2 and the link with a view open as they did. Never to be changed.
func TestFrozenViews(t *testing.T) {
	in := File{Input: fixture(t)}
	in.View = looks["everything"].view
	if *update {
		if _, err := os.Stat("testdata/frozen-2.rbx"); err != nil {
			b, _ := Pack(in, Saving{})
			os.WriteFile("testdata/frozen-2.rbx", b, 0o666)
			s, _, _ := Link(in.Input, nil, nil)
			s, _ = WithView(s, in.View)
			os.WriteFile("testdata/frozen-1-view.link", []byte(s), 0o666)
		}
	}
	b, err := os.ReadFile("testdata/frozen-2.rbx")
	if err != nil {
		t.Fatal(err)
	}
	packed, err := Unpack(b)
	if err != nil || packed.View != in.View {
		t.Errorf("%+v, %v", packed, err)
	}
	b, err = os.ReadFile("testdata/frozen-1-view.link")
	if err != nil {
		t.Fatal(err)
	}
	linked, err := ReadLink(string(b))
	if err != nil || linked.View != in.View {
		t.Errorf("%+v, %v", linked, err)
	}
	want, err := compare.Compare(in.Input, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []*File{packed, linked} {
		if r, err := compare.Compare(in.Input, nil, nil); err != nil || r.Hash != want.Hash {
			t.Errorf("another report (%v)", err)
		}
	}
}

func FuzzReadView(f *testing.F) {
	for _, c := range looks {
		f.Add(c.text)
	}
	f.Add("measure=1&pair=1-2&over=1e-320&find=~ff~00")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ReadView(text)
		if err != nil {
			if !errors.Is(err, wire.ErrDamaged) || v != (View{}) {
				t.Fatalf("%+v, %v", v, err)
			}
			return
		}
		plainly(t, text, v)
		again, err := ReadView(v.String())
		if len(v.String()) > maxViewText {
			return // a text of other signs than String writes may be shorter
		}
		if err != nil || again != v {
			t.Fatalf("%+v became %+v (%v)", v, again, err)
		}
	})
}

// plainly holds a view against its text, read as names and values that say what they say.
func plainly(t *testing.T, text string, v View) {
	said := map[string]string{}
	for part := range strings.SplitSeq(text, "&") {
		name, value, _ := strings.Cut(part, "=")
		value, err := url.PathUnescape(strings.ReplaceAll(strings.ReplaceAll(value, "%", "%25"), "~", "%"))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		said[name] = strings.ToValidUTF8(value, "\ufffd")
	}
	for _, x := range []struct {
		name string
		got  float64
	}{{"over", v.Over}, {"margin", v.Margin}} {
		value, there := said[x.name]
		want, err := strconv.ParseFloat(value, 64)
		if !there && x.got != 0 || there && (err != nil || x.got != want || !(want >= 0 && want < 1<<31)) {
			t.Fatalf("%q: %s is %v (%v)", text, x.name, x.got, err)
		}
	}
	a, b, _ := strings.Cut(said["pair"], "-")
	for _, x := range []struct {
		name, value string
		got, from   int
	}{{"measure", said["measure"], v.Column, 1}, {"pair", a, v.A, 1}, {"pair", b, v.B, 1},
		{"page", said["page"], v.Page, 0}, {"depth", said["depth"], v.Depth, 0}} {
		_, there := said[x.name]
		want, err := strconv.Atoi(x.value)
		if !there && x.got != 0 || there && (err != nil || x.got != want-x.from || want < x.from || want > 1<<20-1) {
			t.Fatalf("%q: %s is %d (%v)", text, x.name, x.got, err)
		}
	}
	for _, x := range []struct {
		name, got string
	}{{"find", v.Find}, {"query", v.Open}, {"figures", v.Figures}, {"letters", v.Letters}, {"only", v.Only},
		{"show", v.Filter}, {"agree", v.Agree}} {
		if said[x.name] != x.got {
			t.Fatalf("%q: %s is %q", text, x.name, x.got)
		}
	}
	if order := strings.TrimPrefix(said["sort"], "-"); v.Sort != order || v.Down != (order != said["sort"]) {
		t.Fatalf("%q: sort is %q, %v", text, v.Sort, v.Down)
	}
}

// The hash of a comparison comes back as it was packed, with and without a view; what is no hash is left out.
func TestHashRoundTrip(t *testing.T) {
	hash := strings.Repeat("0123456789abcdef", 4)
	for _, c := range []struct {
		view       View
		hash, want string
	}{
		{View{}, hash, hash},
		{View{B: 1}, hash, hash},
		{View{B: 1}, "", ""},
		{View{}, hash[1:], ""},
		{View{}, strings.ToUpper(hash), ""},
		{View{Find: "hash=" + hash}, "", ""},
	} {
		b, err := Pack(File{Input: fixture(t), View: c.view, Hash: c.hash}, Saving{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Unpack(b)
		if err != nil || f.Hash != c.want || f.View != c.view {
			t.Errorf("%+v %q: %v, %+v", c.view, c.hash, err, f)
		}
	}
}
