package packed

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/compare/comparetest"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/measure"
)

func TestLinkRoundTrip(t *testing.T) {
	in := fixture(t)
	s, save, err := Link(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if save != (Saving{Scores: true}) || len(s) > 600 {
		t.Errorf("%+v, %d characters", save, len(s))
	}
	want, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{s, "#" + s, s + ".", strings.ReplaceAll(s, "&", "&amp;"), s[:80] + "\r\n " + s[80:]} {
		got, err := ReadLink(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := compare.Compare(got.Input, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Hash != want.Hash {
			t.Error("the link gives another report")
		}
	}
	for _, text := range []string{"", "v=1&x=00000000", s[:len(s)-20], s[:len(s)-1] + "g",
		strings.Replace(s, "runs=U", "runs=V", 1), LinkPrefix, strings.Repeat("a", 1<<16)} {
		if _, err := ReadLink(text); err == nil {
			t.Errorf("%.40q is no link", text)
		}
	}
}

// What does not fit whole gives up names first, then what no measure looks at; what never fits is refused.
func TestLinkLeavesOutAsLittleAsItCan(t *testing.T) {
	rnd := rand.New(rand.NewSource(3))
	in := random(t, rnd, 3, 50, 60)
	in.Diversity, in.Preferences, in.Measures = nil, nil, []string{"nDCG@5", "P@3"}
	in.Qrels = collection.NewQrels()
	for q := range in.Queries {
		for range 25 {
			in.Qrels.Add(in.Queries[q].ID, "an id that is quite long and has random words "+
				base64.StdEncoding.EncodeToString([]byte{byte(rnd.Int()), byte(rnd.Int()), byte(rnd.Int()),
					byte(rnd.Int()), byte(rnd.Int())}), 1)
			in.Qrels.Add(in.Queries[q].ID, "d"+string(rune('0'+rnd.Intn(10))), 2)
		}
	}
	s, save, err := Link(in, nil, nil)
	if err != nil || save != (Saving{Scores: true, Names: true, Depth: 5}) || len(s) > MaxLink {
		t.Fatalf("%+v, %d characters, %v", save, len(s), err)
	}
	got, err := ReadLink(s)
	if err != nil {
		t.Fatal(err)
	}
	in.Policy.Depth = 5
	a, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := compare.Compare(got.Input, nil, nil)
	if err != nil || a.Hash != b.Hash {
		t.Fatalf("the link gives another report (%v)", err)
	}
	in.Measures = []string{"AP"}
	in.Policy.Depth = 0
	if _, _, err := Link(in, nil, nil); !errors.Is(err, ErrTooLarge) ||
		!strings.Contains(err.Error(), "the link would have ") {
		t.Errorf("error %v", err)
	}
}

// Preferences travel with the comparison, in a file and in a link; without them nothing is written that older programs
// do not read.
func TestPreferencesPackRoundTrip(t *testing.T) {
	in := fixture(t)
	plain, err := Pack(File{Input: in}, Saving{})
	if err != nil || plain[4] != plainVersion {
		t.Fatal(plain[4], err)
	}
	in.Preferences = collection.NewPreferences()
	for _, q := range in.Qrels.Queries() {
		comparetest.Prefer(t, &in, q)
	}
	in.Measures = in.Defaults()
	want, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v := want.Columns[0].Means[0]; v <= 0 || v >= 1 {
		t.Errorf("%s is %v", want.Columns[0].Measure, v)
	}
	b, err := Pack(File{Input: in}, Saving{})
	if err != nil || b[4] != prefsVersion {
		t.Fatal(b[4], err)
	}
	link, _, err := Link(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if _, err := os.Stat("testdata/frozen-3.rbx"); err != nil {
			os.WriteFile("testdata/frozen-3.rbx", b, 0o666)
		}
	}
	frozen, err := os.ReadFile("testdata/frozen-3.rbx")
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() (*File, error){
		"file":        func() (*File, error) { return Unpack(b) },
		"frozen file": func() (*File, error) { return Unpack(frozen) },
		"link":        func() (*File, error) { return ReadLink(link) },
	} {
		got, err := open()
		if err != nil {
			t.Fatal(name, err)
		}
		for _, q := range in.Preferences.Queries() {
			if !reflect.DeepEqual(got.Preferences.Groups(q), in.Preferences.Groups(q)) {
				t.Errorf("%s: query %s: %v, want %v", name, q, got.Preferences.Groups(q), in.Preferences.Groups(q))
			}
		}
		if r, err := compare.Compare(got.Input, nil, nil); err != nil || r.Hash != want.Hash {
			t.Errorf("%s: another report; %v", name, err)
		}
	}
}

// A run that has the order before a backend for some queries says so wherever it is opened; without one the form is
// what it was.
func TestWhatFellBackIsPacked(t *testing.T) {
	for name, prefer := range map[string]bool{"judgments": false, "preferences": true} {
		in := fixture(t)
		if prefer {
			in.Preferences = collection.NewPreferences()
			for _, q := range in.Qrels.Queries() {
				comparetest.Prefer(t, &in, q)
			}
			in.Measures = in.Defaults()
		}
		plain, err := compare.Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		in.Runs[1].Fell = []string{"q3", "q1", "not judged"}
		want, err := compare.Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want.Hash == plain.Hash {
			t.Error(name, "the hash does not know of it")
		}
		b, err := Pack(File{Input: in}, Saving{})
		if err != nil || b[4] != fellVersion {
			t.Fatal(name, b[4], err)
		}
		link, _, err := Link(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		file, err := Unpack(b)
		if err != nil {
			t.Fatal(err)
		}
		linked, err := ReadLink(link)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []*File{file, linked} {
			if fell := got.Runs[1].Fell; len(fell) != 2 || len(got.Runs[0].Fell)+len(got.Runs[2].Fell) != 0 ||
				!slices.Contains(fell, "q1") || !slices.Contains(fell, "q3") {
				t.Errorf("%s: %v", name, got.Runs)
			}
			r, err := compare.Compare(got.Input, nil, nil)
			if err != nil || !slices.Contains(r.Doubts(say.Plain),
				"beta: for 2 queries the backend did not answer, so they keep the previous order") {
				t.Errorf("%s: %q, %v", name, r.Doubts(say.Plain), err)
			}
			if again, err := Pack(*got, Saving{}); err != nil || string(again) != string(b) && got == file {
				t.Errorf("%s: packed again, another file (%v)", name, err)
			}
		}
		snapshot, err := UnpackReport(PackReport(want))
		if err != nil || len(snapshot.Fell(1)) != 2 || snapshot.Systems[1].Why != want.Systems[1].Why {
			t.Errorf("%s: %+v, %v", name, snapshot, err)
		}
	}
}

func TestReportPackRoundTrip(t *testing.T) {
	for _, in := range []compare.Input{fixture(t), random(t, rand.New(rand.NewSource(4)), 3, 6, 10)} {
		r, err := compare.Compare(in, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := UnpackReport(PackReport(r))
		if err != nil {
			t.Fatal(err)
		}
		kept := *r // the file has what is said of the test in words
		kept.Test = report.Test{Name: r.Test.Name, Written: r.Test.Why(say.Plain),
			WrittenDoubts: r.TestDoubts(r.Tests(), say.Plain)}
		if string(wire.Marshal(got)) != string(wire.Marshal(&kept)) {
			t.Error("the report changed")
		}
		hash := got.Hash
		if got.Seal(); got.Hash != hash {
			t.Error("the hash changed")
		}
		again := &report.Report{}
		if err := wire.Unmarshal(wire.Marshal(r), again); err != nil || again.Hash != r.Hash ||
			again.Sentence(say.Plain) != r.Sentence(say.Plain) {
			t.Errorf("the message changed the report: %v", err)
		}
	}
}

func TestDamagedPacksAreRefused(t *testing.T) {
	in := fixture(t)
	b, err := Pack(File{Input: in}, Saving{})
	if err != nil {
		t.Fatal(err)
	}
	r, _ := compare.Compare(in, nil, nil)
	rb := PackReport(r)
	for i := range b {
		c := append([]byte(nil), b...)
		c[i] ^= 1 << (i % 8)
		if _, err := Unpack(c); err == nil {
			t.Fatalf("byte %d changed and nobody saw", i)
		}
	}
	for i := range b {
		if _, err := Unpack(b[:i]); err == nil {
			t.Fatalf("cut off after %d bytes and nobody saw", i)
		}
	}
	if _, err := Unpack(rb); !errors.Is(err, ErrForeign) {
		t.Errorf("a report as a comparison: %v", err)
	}
	if _, err := UnpackReport(b); !errors.Is(err, ErrForeign) {
		t.Errorf("a comparison as a report: %v", err)
	}
	newer := append([]byte(nil), b...)
	newer[4] = gradesVersion + 1
	if _, err := Unpack(newer); !errors.Is(err, ErrNewer) {
		t.Errorf("a later version: %v", err)
	}
	if !IsReport(rb) || IsReport(b) {
		t.Error("kinds")
	}
}

// A few kilobytes that would become gigabytes are refused before they do.
func TestPackBombs(t *testing.T) {
	long := &packed{docs: []string{strings.Repeat("x", maxID)}}
	for i := range 3000 {
		long.docs = append(long.docs, strings.Repeat("x", maxID-2)+string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	for name, b := range map[string][]byte{
		"zeros": seal(packedInput, plainVersion, make([]byte, 64<<20)),
		"ids":   seal(packedInput, plainVersion, wire.Marshal(long)),
	} {
		if len(b) > 1<<17 {
			t.Fatalf("%s: the bomb has %d bytes", name, len(b))
		}
		if _, err := Unpack(b); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

// The files of every released version open and say what they said. Never to be changed: a new form is a new file.
func TestFrozenFiles(t *testing.T) {
	in := fixture(t)
	if *update {
		if _, err := os.Stat("testdata/frozen-1.rbx"); err == nil {
			t.Log("frozen files are not written again")
		} else {
			b, _ := Pack(File{Input: in}, Saving{})
			os.WriteFile("testdata/frozen-1.rbx", b, 0o666)
			r, _ := compare.Compare(in, nil, nil)
			os.WriteFile("testdata/frozen-1-report.rbx", PackReport(r), 0o666)
			s, _, _ := Link(in, nil, nil)
			os.WriteFile("testdata/frozen-1.link", []byte(s), 0o666)
		}
	}
	read := func(name string) []byte {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	packedIn, err := Unpack(read("frozen-1.rbx"))
	if err != nil {
		t.Fatal(err)
	}
	linked, err := ReadLink(string(read("frozen-1.link")))
	if err != nil {
		t.Fatal(err)
	}
	want, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]*File{"file": packedIn, "link": linked} {
		r, err := compare.Compare(in.Input, nil, nil)
		if err != nil || r.Hash != want.Hash {
			t.Errorf("%s: another report (%v)", name, err)
		}
		var b strings.Builder
		if err := in.Runs[1].Run.WriteTREC(&b); err != nil || !strings.Contains(b.String(), "q1 Q0 d4 2 ") {
			t.Errorf("%s: run %q, %v", name, b.String(), err)
		}
	}
	if s := packedIn.Runs[0].Run.Scores(0); len(s) != 4 || s[0] != 4 || s[3] != 1 {
		t.Errorf("scores %v", s)
	}
	if _, err := os.Stat("testdata/frozen-2-report.rbx"); *update && err != nil {
		r, _ := compare.Compare(in, nil, nil)
		os.WriteFile("testdata/frozen-2-report.rbx", PackReport(r), 0o666)
	}
	for version, doubt := range map[string]string{
		// as it was written
		"frozen-1-report.rbx": "gamma: 40 % of its first 10 documents are unjudged and count as not relevant: its " +
			"figures are lower bounds",
		"frozen-2-report.rbx": "gamma: 40.0 % of its first 10 documents are unjudged and count as not relevant: " +
			"judged after all, they could bring its nDCG@10 anywhere from 0.3052 to 0.5152",
	} {
		r, err := UnpackReport(read(version))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Doubts(say.Plain); len(got) != 3 || !slices.Contains(got, doubt) {
			t.Errorf("%s: doubts %q", version, got)
		}
		if got, want := r.Sentence(say.Plain),
			"On Fixture (4 queries), beta leads by nDCG@10 but is not significantly different from alpha or gamma."; got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
		if got, want := r.Note(say.Page),
			"Against alpha: 95 % interval of the gain −0.368 to 0.445, paired randomisation test, "+
				"p\u00a0=\u00a00.750 after Holm over 3 pairs."; got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
		// as they were drawn then: intervals are wider now
		if got, want := r.Columns[0].Low, []float64{0.5505398258885037, 0.5401396054259062, 0}; !slices.Equal(got,
			want) {
			t.Errorf("%s: %v, want %v", version, got, want)
		}
		for m := range r.Columns {
			was, is := r.Columns[m], want.Columns[m]
			if was.Applied != is.Applied || was.Lower != is.Lower || !slices.Equal(was.Means, is.Means) ||
				!slices.Equal(was.TieHigh, is.TieHigh) || !slices.Equal(was.Groups, is.Groups) {
				t.Errorf("%s: %+v, want %+v", version, was, is)
			}
		}
	}
	r, err := UnpackReport(read("frozen-1-report.rbx"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Systems[1].Label != "beta" || math.Abs(r.Columns[1].Means[0]-7.0/12) > 1e-15 ||
		r.Columns[0].Values[1][0] != 1 || r.Queries[3].ID != "q4" || r.Stats.Judgments != 12 || len(r.Pairs) != 3 {
		t.Errorf("%+v", r)
	}
}

func FuzzUnpack(f *testing.F) {
	in := graded(f)
	for _, s := range []Saving{{}, {Scores: true}, {Scores: true, Names: true, Depth: 2}} {
		b, err := Pack(File{Input: in}, s)
		if err != nil {
			f.Fatal(err)
		}
		_, payload, _, _ := unseal(packedInput, viewedVersion, b, 1<<30, nil)
		f.Add(payload)
	}
	f.Fuzz(func(t *testing.T, payload []byte) { unpack(t, plainVersion, payload) })
}

// FuzzUnpackPreferences is FuzzUnpack with what only versions 3 and 4 hold.
func FuzzUnpackPreferences(f *testing.F) {
	in := fixture(f)
	in.Preferences = collection.NewPreferences()
	for _, q := range in.Qrels.Queries() {
		comparetest.Prefer(f, &in, q)
	}
	for _, s := range []Saving{{}, {Scores: true}} {
		b, err := Pack(File{Input: in}, s)
		if err != nil {
			f.Fatal(err)
		}
		_, payload, _, _ := unseal(packedInput, prefsVersion, b, 1<<30, nil)
		f.Add(payload)
	}
	in.Runs[1].Fell = in.Qrels.Queries()[1:]
	b, err := Pack(File{Input: in}, Saving{})
	if err != nil {
		f.Fatal(err)
	}
	_, payload, _, _ := unseal(packedInput, fellVersion, b, 1<<30, nil)
	f.Add(payload)
	f.Fuzz(func(t *testing.T, payload []byte) {
		unpack(t, prefsVersion, payload)
		unpack(t, fellVersion, payload)
	})
}

// unpack opens a payload, to which head and checksum would keep the fuzzer out, and packs what came out twice.
func unpack(t *testing.T, version byte, payload []byte) {
	packed := seal(packedInput, version, payload)
	var got *File
	var err error
	costs(t, len(packed), func() { got, err = Unpack(packed) })
	if err != nil {
		if errors.As(err, new(*LimitError)) {
			return
		}
		if !errors.Is(err, wire.ErrDamaged) && !errors.Is(err, ErrNewer) {
			t.Fatalf("error %v", err)
		}
		return
	}
	if len(got.Runs) > 8 || got.Qrels.Len() > 2000 {
		return
	}
	held(t, version, payload, got)
	if len(got.Measures) > 2 {
		got.Measures = got.Measures[:2]
	}
	b, err := Pack(*got, Saving{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := Unpack(b)
	if err != nil {
		t.Fatal(err)
	}
	x, err := Pack(*again, Saving{})
	if err != nil || string(x) != string(b) {
		t.Fatalf("packed twice, two forms (%v)", err)
	}
	// every grade, and what is compared, is what it was before it was packed
	n := 0
	for _, q := range got.Qrels.Queries() {
		got.Qrels.Each(q, func(doc string, grade float64) {
			n++
			if g, ok := again.Qrels.Grade(q, doc); !ok || g != grade {
				t.Fatalf("query %q: %q has grade %v (%v), want %v", q, doc, g, ok, grade)
			}
		})
	}
	if again.Qrels.Len() != n {
		t.Fatalf("%d judgments, want %d", again.Qrels.Len(), n)
	}
	if cells := len(got.Runs) * n; cells > 2000 {
		return
	}
	means := func(in compare.Input) string {
		c, err := compare.Open(in)
		if err != nil {
			return err.Error()
		}
		m, err := c.Evaluation.Means(nil)
		return fmt.Sprint(m, err)
	}
	if a, b := means(got.Input), means(again.Input); a != b {
		t.Fatalf("compared: %s, packed and compared: %s", a, b)
	}
}

func FuzzUnpackReport(f *testing.F) {
	r, err := compare.Compare(fixture(f), nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	_, payload, _, _ := unseal(packedReport, dataVersion, PackReport(r), 1<<30, nil)
	f.Add(payload)
	old, err := os.ReadFile("testdata/frozen-1-report.rbx")
	if err != nil {
		f.Fatal(err)
	}
	_, payload, _, _ = unseal(packedReport, dataVersion, old, 1<<30, nil)
	f.Add(payload)
	f.Fuzz(func(t *testing.T, payload []byte) {
		for version := byte(plainVersion); version <= dataVersion; version++ {
			packed := seal(packedReport, version, payload)
			var got *report.Report
			var err error
			costs(t, len(packed), func() { got, err = UnpackReport(packed) })
			if err != nil {
				if errors.As(err, new(*LimitError)) {
					continue
				}
				if !errors.Is(err, wire.ErrDamaged) {
					t.Fatalf("error %v", err)
				}
				continue
			}
			_ = got.Sentence(say.Page) + got.Note(say.Plain) + strings.Join(got.Doubts(say.Page), "")
			again, err := UnpackReport(PackReport(got))
			if err != nil || string(PackReport(again)) != string(PackReport(got)) {
				t.Fatalf("packed again, another report (%v)", err)
			}
		}
	})
}

func FuzzReadLink(f *testing.F) {
	s, _, err := Link(fixture(f), nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s)
	f.Add("#" + s + ".")
	f.Add("v=1&x=00000000")
	f.Fuzz(func(t *testing.T, s string) {
		var in *File
		var err error
		costs(t, len(s), func() { in, err = ReadLink(s) })
		if (in == nil) == (err == nil) {
			t.Fatal("neither a comparison nor an error")
		}
	})
}

func TestPackRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewSource(2))
	policies := []measure.Policy{{}, {Ties: measure.DocIDAsc}, {Ties: measure.Stable}, {Ties: measure.Input},
		{Missing: measure.MissingSkip, Empty: measure.EmptySkip}, {Depth: 3}, {Float32: true}}
	for _, save := range []Saving{{}, {Scores: true}, {Scores: true, Names: true},
		{Scores: true, Names: true, Depth: 3}} {
		for i := range 40 {
			in := random(t, rnd, 1+rnd.Intn(3), 1+rnd.Intn(5), 8)
			in.Policy = policies[i%len(policies)]
			in.Measures = []string{"nDCG@10", "AP", "RBP", "alpha_nDCG@5", "Judged@3"}
			if i%2 == 0 {
				in.Diversity = nil
				in.Measures = in.Measures[:3]
			}
			b, err := Pack(File{Input: in}, save)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Unpack(b)
			if err != nil {
				t.Fatal(err)
			}
			if save.Depth > 0 && (in.Policy.Depth == 0 || in.Policy.Depth > save.Depth) {
				in.Policy.Depth = save.Depth
			}
			want, err := compare.Compare(in, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			have, err := compare.Compare(got.Input, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want.Hash != have.Hash {
				t.Fatalf("%+v under %q: the packed comparison gives another report\n%v\n%v", save, in.Policy.String(),
					want, have)
			}
			if again, err := Pack(*got, save); err != nil || string(again) != string(b) {
				t.Fatalf("%+v: packing what was unpacked gives other bytes (%v)", save, err)
			}
		}
	}
}

// Policies and protocol travel with a comparison.
func TestPolicyAndProtocolArePacked(t *testing.T) {
	for _, text := range []string{"ties=docid-asc missing=skip",
		"test=wilcoxon correction=fdr_by zeros=pratt continuity=on", "test=sign correction=simes-hochberg",
		"rel=2 test=t correction=none"} {
		in := fixture(t)
		var err error
		if in.Policy, in.Protocol, err = compare.ReadPolicy(text); err != nil {
			t.Fatal(err)
		}
		b, err := Pack(File{Input: in}, Saving{})
		if err != nil {
			t.Fatal(err)
		}
		back, err := Unpack(b)
		if err != nil || back.Protocol != in.Protocol || back.Policy != in.Policy {
			t.Errorf("%s: %+v, %v", text, back, err)
		}
	}
}

// TestALinkOfAReportOpensTheSameReport: that of scores, with a view; a link of runs is none.
func TestALinkOfAReportOpensTheSameReport(t *testing.T) {
	x := scores.New("made", "query")
	for s, name := range []string{"a", "b"} {
		for q := range 12 {
			if err := x.Add(name, strconv.Itoa(q), "AP", float64((q*(s+3))%11)/10); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := x.Report(scores.Asked{})
	if err != nil {
		t.Fatal(err)
	}
	link, err := ReportLink(r)
	if err != nil || len(link) > MaxLink {
		t.Fatalf("%d characters: %v", len(link), err)
	}
	if _, err := ReadLink(link); !errors.Is(err, ErrForeign) {
		t.Errorf("it is read as runs: %v", err)
	}
	seen, _ := WithView(link, View{Tab: "statistics"})
	got, view, err := ReadReportLink("#" + seen)
	if err != nil || got.Hash != r.Hash || view.Tab != "statistics" {
		t.Fatalf("%+v %v", view, err)
	}
	again, err := scores.Again(got, scores.Asked{Protocol: got.Protocol(), Place: got.Baseline})
	if err != nil || again.Hash != r.Hash {
		t.Errorf("concluded again it has another hash: %v", err)
	}
	if _, err := scores.Again(&report.Report{}, scores.Asked{}); err == nil {
		t.Error("a report of runs is taken for scores")
	}
	if _, _, err := ReadReportLink(link[:len(link)-20]); err == nil {
		t.Error("a link that is cut off is read")
	}
}

// FuzzReadReportLink: any fragment ends with a whole report or with an error.
func FuzzReadReportLink(f *testing.F) {
	f.Add("runs=UkJY&x=00000000")
	f.Fuzz(func(t *testing.T, s string) {
		// With the right checksum, so that what is within is looked at.
		r, _, err := ReadReportLink(LinkPrefix + s + linkSum + checksum(s))
		if err == nil && !r.Whole() {
			t.Fatal("it is not whole")
		}
	})
}
