package worker

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
)

// lazy is a file that counts what is read of it, and how.
type lazy struct {
	*bytes.Reader
	front, spots, longest int
	closed                bool
}

func (l *lazy) Read(b []byte) (int, error) {
	n, err := l.Reader.Read(b)
	l.front += n
	return n, err
}

func (l *lazy) ReadAt(b []byte, at int64) (int, error) {
	l.spots++
	l.longest = max(l.longest, len(b))
	return l.Reader.ReadAt(b, at)
}

func (l *lazy) WriteTo(io.Writer) (int64, error) { return 0, errors.New("a Blob has no WriteTo") }

func (l *lazy) Close() error {
	l.closed = true
	return nil
}

// zipOf packs files without compression, so that their size is the zip's.
func zipOf(t *testing.T, files ...[2]string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		out, err := w.CreateHeader(&zip.FileHeader{Name: f[0], Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(out, f[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAZipIsReadWhereItLies(t *testing.T) {
	large := given1[2][1] + strings.Repeat("another Q0 d1 1 1.5 t\n", 50_000)
	data := zipOf(t, given1[1], [2]string{given1[2][0], large}, given1[3])
	l := newLab(t, nil)
	file := &lazy{Reader: bytes.NewReader(data)}
	l.Device.Files = func(int) (io.Reader, error) { return file, nil }
	d := l.compare(&message.Setting{Files: []message.File{{ID: 1, Name: "all.zip", Size: len(data)}}})
	if d.Report == nil || len(d.Report.Systems) != 2 || d.Files[0].Problem != "" {
		t.Fatalf("%+v, %+v", d.Files, d.Report)
	}
	if file.front > 64<<10 || file.spots < 4 || file.longest > 256<<10 || !file.closed {
		t.Errorf("%d bytes from the front, %d places, at most %d bytes at once, closed %v", file.front, file.spots,
			file.longest, file.closed)
	}
	// The same files without the zip give the same report.
	if want := newLab(t, given1).compare(setting(1, 2, 3)).Report; len(want.Columns) != len(d.Report.Columns) ||
		want.Columns[0].Means[0] != d.Report.Columns[0].Means[0] {
		t.Errorf("%v, of the files themselves %v", d.Report.Columns[0].Means, want.Columns[0].Means)
	}
}

// What is kept of a run counts, not its file: a later file is measured against what is left.
func TestFilesAreBoundedByTheMemoryTheyTake(t *testing.T) {
	run := strings.Builder{}
	for q := range 40 {
		for d := range 200 {
			run.WriteString("q" + string(rune('A'+q)) + "  Q0   " + strings.Repeat("0", 3) + string(rune('1'+d%9)) +
				strings.Repeat("7", 1+d/9) + "   1   " + strings.Repeat("1", 8) + "   a-long-tag-of-a-run\n")
		}
	}
	files := map[int][2]string{1: {"a.qrels", "qA 0 00017 1\n"}}
	s := &message.Setting{Files: []message.File{{ID: 1, Name: "a.qrels", Size: 13}}}
	for id := 2; id < 6; id++ {
		files[id] = [2]string{"r.run", run.String()}
		s.Files = append(s.Files, message.File{ID: id, Name: "r.run", Size: run.Len()})
	}
	l := newLab(t, files)
	s.Limit = run.Len() * 3 / 2
	d := l.compare(s)
	taken := 0
	for _, f := range d.Files[1:] {
		if f.Problem == "" {
			taken++
		}
	}
	if taken != 2 || l.imported.files[2].Bytes >= int64(run.Len()) {
		t.Errorf("%d runs of %d bytes fit into %d, one takes %d: %q", taken, run.Len(), s.Limit,
			l.imported.files[2].Bytes, d.Files[4].Problem)
	}
	s.Limit = run.Len() - 1
	if d := newLab(t, files).compare(s); !strings.Contains(d.Files[1].Problem, "on this device") {
		t.Errorf("a run larger than the limit: %q", d.Files[1].Problem)
	}
}

func TestFirstFiguresComeBeforeTheLastFileIsRead(t *testing.T) {
	for _, c := range []struct {
		name string
		s    func(s *message.Setting)
		want bool
	}{
		{"as they come", func(s *message.Setting) {}, true},
		{"chosen measures", func(s *message.Setting) {
			s.Chosen, s.Measures, s.Policy = true, []string{"P@1", "AP", "P@1"}, "ties=docid-asc"
		}, true},
		{"queries are left out", func(s *message.Setting) {
			s.Chosen, s.Measures, s.Policy = true, []string{"AP"}, "missing=skip"
		}, false},
		{"chunks", func(s *message.Setting) { s.Separator = "#" }, false},
	} {
		l := newLab(t, given1)
		s := setting(2, 3, 1)
		c.s(s)
		// The qrels are the smallest, though given last; the second run is still to be read when the first is measured.
		s.Files[0].Size, s.Files[1].Size, s.Files[2].Size = 1000, 2000, 1
		report := l.compare(s).Report
		var first *message.First
		last := ""
		for _, r := range l.replies {
			if r.Progress != nil {
				last = r.Progress.What
			}
			if r.Progress != nil && r.Progress.First != nil {
				first = r.Progress.First
				break
			}
		}
		if (first != nil) != c.want {
			t.Errorf("%s: first figures %+v", c.name, first)
		}
		if first == nil {
			continue
		}
		if len(first.Runs) != 1 || first.Runs[0].Name != intake.Name(given1[2][0]) ||
			!strings.HasPrefix(last, "Reading ") || len(first.Measures) != len(report.Measures) {
			t.Errorf("%s: %+v while %q", c.name, first, last)
		}
		for m := range first.Measures {
			if first.Measures[m] != report.Measures[m] || first.Runs[0].Means[m] != report.Columns[m].Means[0] {
				t.Errorf("%s: %s %g, in the report %s %g", c.name, first.Measures[m], first.Runs[0].Means[m],
					report.Measures[m], report.Columns[m].Means[0])
			}
		}
	}
}
