//go:build !first

package worker

import (
	"bytes"
	"io"
	"testing"
)

// A zip of queries and judgments alone is shown as one, whether its files lie in a folder or not; of several splits the
// judgments are those that a folder's would be. With anything else in it, nothing is counted.
func TestAZipOfQueriesAndJudgmentsIsRecognised(t *testing.T) {
	const queries = "{\"_id\":\"7\",\"text\":\"dock strike\"}\n{\"_id\":\"8\",\"text\":\"fog\"}\n"
	const head = "query-id\tcorpus-id\tscore\n"
	test := [2]string{"qrels/test.tsv", head + "7\ta\t1\n8\tb\t1\n8\tc\t0\n"}
	train := [2]string{"qrels/train.tsv", head + "9\ta\t1\n"}
	in := func(folder string, files ...[2]string) (out [][2]string) {
		for _, f := range files {
			out = append(out, [2]string{folder + f[0], f[1]})
		}
		return out
	}
	for _, c := range []struct {
		name               string
		files              [][2]string
		queries, judgments int
	}{
		{"at its root", in("", [2]string{"queries.jsonl", queries}, test), 2, 3},
		{"in a folder", in("wire/", [2]string{"queries.jsonl", queries}, test), 2, 3},
		{"two splits", in("wire/", [2]string{"queries.jsonl", queries}, train, test), 2, 3},
		{"made on a Mac", append(in("", [2]string{"queries.jsonl", queries}, test),
			[2]string{"__MACOSX/._x", "\x00"}), 2, 3},
		{"queries alone", in("", [2]string{"queries.jsonl", queries}), 2, 0},
		{"with documents", in("", [2]string{"corpus.jsonl", "{\"_id\":\"a\",\"text\":\"x\"}\n"},
			[2]string{"queries.jsonl", queries}, test), 0, 0},
		{"with notes", in("", [2]string{"queries.jsonl", queries}, [2]string{"note.md", "# A"}), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := zipOf(t, c.files...)
			s := open(t, [2]string{"wire.zip", string(data)})
			s.e.Device.Files = func(int) (io.Reader, error) { return bytes.NewReader(data), nil }
			got := s.preview()
			if got.Queries != c.queries || got.Judgments != c.judgments {
				t.Errorf("%d queries and %d judgments, expected %d and %d", got.Queries, got.Judgments, c.queries,
					c.judgments)
			}
		})
	}
}
