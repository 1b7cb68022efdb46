package worker

import (
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// What models made of a collection ranks in the tab as it does in the terminal, each kind by each way in. By hand: the
// query is "port"; its vector (1, 0), its token, its term weight and its score in the run all point to d2, which does
// not contain the word.
func TestEveryKindOfVectorsRanksByEveryRoute(t *testing.T) {
	ids := [][2]string{{"vectors/doc_ids.txt", "d1\nd2\n"}, {"vectors/query_ids.txt", "q1\n"}}
	collection := append([][2]string{
		{"corpus.jsonl", `{"_id":"d1","text":"port"}` + "\n" + `{"_id":"d2","text":"storm"}` + "\n"},
		{"queries.jsonl", `{"_id":"q1","text":"port"}` + "\n"},
		{"qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td2\t1\n"},
	}, ids...)
	kinds := []struct {
		name, system string
		files        [][2]string
	}{
		{"float32", "dense(model=m)", [][2]string{{"vectors/m/docs.npy", npy("<f4", "(2, 2)", floats(0, 1, 1, 0))},
			{"vectors/m/queries.npy", npy("<f4", "(1, 2)", floats(1, 0))}}},
		{"int8", "dense(model=m)", [][2]string{{"vectors/m/docs.i8.npy", npy("|i1", "(2, 2)", "\x00\x7f\x7f\x00")},
			{"vectors/m/docs.scales.npy", npy("<f4", "(2,)", floats(1, 1))},
			{"vectors/m/queries.i8.npy", npy("|i1", "(1, 2)", "\x7f\x00")},
			{"vectors/m/queries.scales.npy", npy("<f4", "(1,)", floats(1))}}},
		{"tokens", "late(model=m)",
			[][2]string{{"vectors/m/doc_tokens.i8.npy", npy("|i1", "(2, 2)", "\x00\x7f\x7f\x00")},
				{"vectors/m/doc_offsets.npy", npy("<i4", "(3,)", "\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00")},
				{"vectors/m/query_tokens.i8.npy", npy("|i1", "(1, 2)", "\x7f\x00")},
				{"vectors/m/query_offsets.npy", npy("<i4", "(2,)", "\x00\x00\x00\x00\x01\x00\x00\x00")},
				{"vectors/m/meta.json", `{"scale": 0.5}`}}},
		{"term weights", "sparse(model=m)",
			[][2]string{{"vectors/m/docs.jsonl", `{"id":"d1","vector":{"gale":0.5}}` + "\n" +
				`{"id":"d2","vector":{"harbour":2}}` + "\n"},
				{"vectors/m/queries.jsonl", `{"id":"q1","vector":{"harbour":1.5}}` + "\n"}}},
		{"the model behind dense", "dense",
			[][2]string{{"vectors/all-MiniLM-L6-v2/docs.npy", npy("<f4", "(2, 2)", floats(0, 1, 1, 0))},
				{"vectors/all-MiniLM-L6-v2/queries.npy", npy("<f4", "(1, 2)", floats(1, 0))}}},
		{"a run", "run(cross)", [][2]string{{"runs/cross.run", "q1 Q0 d2 1 2.5 cross\nq1 Q0 d1 2 0.5 cross\n"}}},
	}
	for _, kind := range kinds {
		all := append(append([][2]string{}, collection...), kind.files...)
		below := make([][2]string, len(all))
		for i, f := range all {
			below[i] = [2]string{"set/" + f[0], f[1]}
		}
		for _, route := range []struct {
			name  string
			files [][2]string
		}{{"folder", below}, {"zip", [][2]string{{"set.zip", string(zipOf(t, all...))}}},
			{"zip of the folder", [][2]string{{"set.zip", string(zipOf(t, below...))}}}} {
			t.Run(kind.name+", "+route.name, func(t *testing.T) {
				named := map[string]string{}
				for _, f := range route.files {
					named[f[0]] = f[1]
				}
				e, replies, ask := uploading(t, named)
				do := asking(t, e, replies)
				made := do(message.Upload, message.Request{Question: ask}).Answer.(*message.Uploaded)
				do(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + made.ID + "/"}})
				spec := &experiment.Spec{QueryID: "q1", Systems: []string{kind.system}}
				res := do(message.Search, message.Request{Question: spec}).Answer.(*experiment.Results)
				if res.Lists[0].Problem != "" || len(res.Lists[0].Hits) == 0 || res.Lists[0].Hits[0].ID != "d2" {
					t.Errorf("%+v", res.Lists[0])
				}
			})
		}
	}
}
