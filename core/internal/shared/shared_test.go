package shared

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// asked is a test that remembers how it would have ended.
type asked struct {
	testing.TB
	end string
}

func (a *asked) Skipf(format string, args ...any)  { a.over("skipped: " + fmt.Sprintf(format, args...)) }
func (a *asked) Fatalf(format string, args ...any) { a.over("failed: " + fmt.Sprintf(format, args...)) }

func (a *asked) over(how string) {
	if a.end == "" { // it goes on, where a test would not
		a.end = how
	}
}

// A clone skips what needs the whole of SciFact or Cranfield, has what is distilled or its own, and fails for anything
// else.
func TestNothingButWholeCollectionsIsSkipped(t *testing.T) {
	t.Setenv("RANKBOX_SHARED", t.TempDir())
	for name, want := range map[string]string{
		"data/scifact/corpus.jsonl":                                "skipped: the whole of scifact",
		"data/cranfield":                                           "skipped: the whole of cranfield",
		"embeddings/scifact/bge-small-en-v1.5/docs.npy":            "skipped: the whole of scifact",
		"oracle/lucene/runs/cranfield.flat.bm25.k0.9-b0.4.run.gz":  "skipped: the whole of cranfield",
		"oracle/lucene/runs/harbour-wire.flat.dfr.run.gz":          "failed: oracle/lucene/runs/harbour-wire.flat.dfr.run.gz is neither",
		"oracle/measures/absent.json":                              "failed: oracle/measures/absent.json is neither",
		"data/harbour-wire":                                        "",
		"data/harbour-wire/corpus.jsonl":                           "",
		"embeddings/harbour-wire/minilm-tokens/doc_tokens.i8.npy":  "",
		"embeddings/harbour-wire/minilm-tokens/top20.json":         "",
		"embeddings/static/vocab.txt":                              "",
		"oracle/measures/scifact/bm25.run.gz":                      "",
		"oracle/measures/random-runs.jsonl.gz":                     "",
		"oracle/lucene/anserini/runs/harbour-wire.bm25-rm3.run.gz": "",
		"oracle/significance/cases.json":                           "",
	} {
		t.Run(name, func(t *testing.T) {
			a := &asked{TB: t}
			p := Path(a, name)
			if want != "" {
				if !strings.HasPrefix(a.end, want) {
					t.Errorf("%q, want %q", a.end, want)
				}
				return
			}
			if s, err := os.Stat(p); a.end != "" || err != nil || !s.IsDir() && s.Size() == 0 {
				t.Errorf("%q: %v, %q", p, err, a.end)
			}
		})
	}
}

// What is distilled stays within 4 MB, as a clone has it.
func TestWhatIsDistilledIsSmall(t *testing.T) {
	var sum int64
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		s, err := d.Info()
		if err != nil {
			return err
		}
		if sum += s.Size(); !strings.HasSuffix(name, ".gz") && !strings.HasSuffix(name, ".bz2") {
			t.Errorf("%s is not packed", name)
		}
		return nil
	})
	if err != nil || sum == 0 || sum > 4<<20 {
		t.Errorf("%d bytes, %v", sum, err)
	}
}
