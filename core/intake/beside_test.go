//go:build !library

package intake_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
)

func kinds(list []collection.Warning) (out []string) {
	for _, w := range list {
		out = append(out, string(w.Kind))
	}
	return out
}

// A run that was added is checked against the judgments. Those of a saved comparison were checked before it was saved.
func TestOnlyAddedRunsAreCheckedAgainstJudgments(t *testing.T) {
	const other = "q7 Q0 d1 1 2 a\n"
	g := gather(t, intake.Rule{}, given{"q", qrels, 0}, given{"a.run", other, 0})
	for _, want := range []string{string(collection.MissingQuery), string(collection.ExtraQuery),
		string(collection.NoCommonQuery)} {
		if !slices.Contains(kinds(g.Files[1].Warnings), want) {
			t.Errorf("a run of another query: no warning %s among %q", want, kinds(g.Files[1].Warnings))
		}
	}
	b, err := packed.Pack(packed.File{Input: g.Input}, packed.Saving{})
	if err != nil {
		t.Fatal(err)
	}
	g = gather(t, intake.Rule{}, given{"s", string(b), 0}, given{"b.run", other + runA, 0})
	if len(g.Files[0].Warnings) > 0 {
		t.Errorf("the saved comparison: %q", kinds(g.Files[0].Warnings))
	}
	if !slices.Equal(kinds(g.Files[1].Warnings), []string{string(collection.ExtraQuery)}) {
		t.Errorf("the run beside it: %q", kinds(g.Files[1].Warnings))
	}
}

// A collection without judgments leaves room for a file of judgments.
func TestACollectionWithoutJudgmentsTakesThoseOfAnotherFile(t *testing.T) {
	bare := string(zipped(t, "corpus.jsonl", "{\"_id\":\"d1\",\"text\":\"x\"}\n", "queries.jsonl",
		"{\"_id\":\"q1\",\"text\":\"t\"}\n", "qrels/test.tsv", "query-id\tcorpus-id\tscore\n"))
	g := gather(t, intake.Rule{}, given{"c.zip", bare, 0}, given{"q", qrels, 0})
	if g.Input.Qrels == nil || g.Input.Qrels.Len() != 2 || strings.Join(problems(g), "") != "" {
		t.Errorf("%q", problems(g))
	}
	if slices.Contains(g.Files[0].What, "qrels") {
		t.Errorf("the collection is told as %q", g.Files[0].What)
	}
}

// An empty file among scores is called that.
func TestAnEmptyFileInAZipOfScoresIsNamed(t *testing.T) {
	_, err := readZip(zipped(t, "a.txt", "map\t1\t0.5\n", "b.txt", ""))
	if err == nil || !strings.Contains(err.Error(), "x.zip/b.txt") || !strings.Contains(err.Error(), "empty") {
		t.Errorf("%v", err)
	}
}

// A file of fewer bytes than a zip begins with is read like any other.
func TestAShortFileInAZipOfScoresIsRead(t *testing.T) {
	_, err := readZip(zipped(t, "a.txt", "map\t1\t0.5\n", "b.txt", "ab\n"))
	if err == nil || !strings.Contains(err.Error(), "x.zip/b.txt") || strings.Contains(err.Error(), "EOF") {
		t.Errorf("%v", err)
	}
}

// A zip may have as many bytes as the limit says, and not one file more.
func TestAZipMayReachItsLimit(t *testing.T) {
	const text = "map\t1\t0.5\n"
	read := func(limit int, names ...string) error {
		var pairs []string
		for _, name := range names {
			pairs = append(pairs, name, text)
		}
		_, err := intake.Read("x.zip", intake.Any, strings.NewReader(string(zipped(t, pairs...))),
			collection.Options{Limits: collection.Limits{Bytes: int64(limit)}})
		return err
	}
	if err := read(2*len(text), "a.txt", "b.txt"); err != nil {
		t.Errorf("two files: %v", err)
	}
	err := read(2*len(text), "a.txt", "b.txt", "c.txt")
	if limit, ok := errors.AsType[*collection.LimitError](err); !ok || limit.Max != int64(2*len(text)) ||
		limit.Got != limit.Max+1 {
		t.Errorf("three files: %v", err)
	}
}

// Runs that stand before a saved comparison leave it the letters it was saved with.
func TestRunsBeforeASavedComparisonLeaveItsLetters(t *testing.T) {
	g := gather(t, intake.Rule{}, given{"r", "q1 Q0 d1 1 9 r\n", 0}, given{"s", saved(t, packed.View{Letters: "2.1"}),
		0})
	if !slices.Equal(g.Input.Letters, report.Letters{2, 1, 0}) {
		t.Errorf("letters %v", g.Input.Letters)
	}
}

// Agents' traces are measured step by step, which a board of rankings cannot show.
func TestTracesBesideRunsAreRefused(t *testing.T) {
	const trace = `{"query_id":"q1","steps":[{"retrieved":["d1"]}]}`
	g := gather(t, intake.Rule{Traces: true}, given{"q", qrels, 0}, given{"t.jsonl", trace, 0}, given{"a.run", runA, 0})
	said := problems(g)
	if len(g.Traces) != 0 || len(g.From) != 0 || len(g.Input.Runs) != 1 || said[0] != "" || said[2] != "" ||
		!strings.Contains(said[1], "remove the runs") {
		t.Errorf("%d traces, %q", len(g.Traces), said)
	}
	g = gather(t, intake.Rule{Traces: true}, given{"q", qrels, 0}, given{"t.jsonl", trace, 0})
	if len(g.Traces) != 1 || strings.Join(problems(g), "") != "" {
		t.Errorf("without runs: %d traces, %q", len(g.Traces), problems(g))
	}
}
