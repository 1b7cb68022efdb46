package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

var sample = []File{
	{Name: "b/rankbox", Data: []byte("program"), Executable: true}, {Name: "a.txt", Data: []byte("text")},
}

func TestArchivesHaveFixedOrderTimesAndModes(t *testing.T) {
	packed, err := TarGz(sample)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, h.Name+" "+h.FileInfo().Mode().String()+" "+h.ModTime.UTC().Format("2006")+" "+string(data))
	}
	want := []string{"a.txt -rw-r--r-- 1980 text", "b/rankbox -rwxr-xr-x 1980 program"}
	if !slices.Equal(got, want) {
		t.Errorf("tar: %q, want %q", got, want)
	}
	if packed, err = Zip(sample); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Name+" "+f.Mode().String()+" "+f.Modified.UTC().Format("2006")+" "+string(data))
	}
	if !slices.Equal(got, want) {
		t.Errorf("zip: %q, want %q", got, want)
	}
	other := slices.Clone(sample)
	slices.Reverse(other)
	if again, err := Zip(other); err != nil || !bytes.Equal(packed, again) {
		t.Errorf("the order of the files counts: error %v", err)
	}
}

func TestArchivesRefuseUnsafeAndRepeatedNames(t *testing.T) {
	for _, name := range []string{"../x", "/x", "a/../b", `a\b`, "b/rankbox", "./a"} {
		if _, err := TarGz(append(slices.Clone(sample), File{Name: name})); err == nil {
			t.Errorf("%q is packed", name)
		}
	}
}

func TestSumsAreThoseOfSha256sum(t *testing.T) {
	// printf abc | sha256sum, of GNU coreutils 9.1 (and FIPS 180-4's first example)
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n"
	got := string(Sums(map[string][]byte{"c": nil, "b": []byte("abc")}))
	if !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 2 {
		t.Errorf("%q, want %q first of two lines", got, want)
	}
}

func TestManifestsNameTheArchivesThatThereAre(t *testing.T) {
	sums := map[Platform]string{}
	for i, p := range Platforms {
		sums[p] = strings.Repeat(string(rune('a'+i)), 64)
	}
	formula := string(Formula("1.2.3", sums))
	for _, p := range Platforms {
		pair := "      url \"" + address("1.2.3", p) + "\"\n      sha256 \"" + sums[p] + "\"\n"
		if want := p.OS != "windows"; strings.Contains(formula, pair) != want {
			t.Errorf("%s in the formula: want %v\n%s", p, want, formula)
		}
	}
	// Besides the blocks, the class and install end.
	if n := strings.Count(formula, " do\n"); strings.Count(formula, "end\n") != n+2 {
		t.Errorf("%d blocks, %d ends\n%s", n, strings.Count(formula, "end\n"), formula)
	}
	some := string(Formula("1.2.3", map[Platform]string{{"linux", "amd64"}: "x"}))
	if strings.Contains(some, "on_macos") || strings.Contains(some, "on_arm") {
		t.Errorf("names what there is not:\n%s", some)
	}
	text, err := Scoop("1.2.3", sums)
	if err != nil {
		t.Fatal(err)
	}
	var scoop struct {
		Architecture map[string]struct{ URL, Hash string }
		Autoupdate   struct {
			Architecture map[string]struct{ URL, Hash string }
		}
	}
	if err := json.Unmarshal(text, &scoop); err != nil {
		t.Fatal(err)
	}
	arm := scoop.Architecture["arm64"]
	if len(scoop.Architecture) != 2 || arm.Hash != sums[Platform{"windows", "arm64"}] ||
		!strings.HasSuffix(arm.URL, "/v1.2.3/rankbox_1.2.3_windows_arm64.zip") {
		t.Errorf("scoop: %s", text)
	}
	next := scoop.Autoupdate.Architecture["64bit"].URL
	if !strings.HasSuffix(next, "/v$version/rankbox_$version_windows_amd64.zip") {
		t.Errorf("autoupdate: %s", next)
	}
}

// TestBOMNamesWhatTheProgramHas reads the bill of materials of this test itself.
func TestBOMNamesWhatTheProgramHas(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := BOM(program, "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	main := b.Metadata.Component.URL
	if b.Format != "CycloneDX" || main != "pkg:golang/github.com/rankbox/rankbox@v1.2.3" {
		t.Errorf("%s", text)
	}
	if len(b.Components) == 0 || !strings.HasPrefix(b.Components[0].URL, "pkg:golang/std@go1.") {
		t.Errorf("the standard library is no component: %s", text)
	}
	if on := b.Dependencies[0].On; len(on) != len(b.Components) {
		t.Errorf("%d dependencies, %d components", len(on), len(b.Components))
	}
	if _, err := BOM("release_test.go", "1.2.3"); err == nil {
		t.Error("a text has a bill of materials")
	}
}
