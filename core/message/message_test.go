package message_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

var spec = experiment.Spec{Collection: "c", Hash: "0123456789abcdef", Systems: []string{"bm25", "dense"}, Baseline: 1,
	QueryID: "q", Query: "typed", Spend: 5,
	Measures: []string{"AP"}, Depth: 20, Filter: experiment.Filter{Categories: []string{"x"}, From: "2024-01-01",
		To: "2024-12-31", Entities: []string{"y"}}}

var focus = experiment.Focus{Document: "d", System: 1}

var replies = []message.Reply{
	{ID: 52, Kind: message.Earlier, Answer: &message.EarlierOne{ID: "u", Name: "n", Same: 1, Added: 2,
		Changed: []string{"c"}, Gone: []string{"g"}, From: []string{"a"}, To: []string{"b"}}},
	{ID: 51, Kind: message.Share, Answer: &message.Shared{Lists: []byte{1, 2}, Over: true, Made: 3, Reused: 4}},
	{ID: 50, Kind: message.Experiment, Answer: &message.Experimented{Have: []byte{1}, Waits: true, Problem: "p",
		Member: "baseline", Said: "s", Merged: []message.Pair{{Written: "w", Said: "x"}},
		Refused: []message.Pair{{Written: "v", Said: "y"}},
		Runs: []message.ExperimentRun{{Name: "n", Label: "l", Hash: "h", State: "running", Why: "w", Evaluated: 1,
			Empty: 2, Failed: 3, NotRun: 4, Kept: 5, Mean: .5}},
		Baseline: 1, Measure: "AP", Queries: 10, Micros: 2.5, Bytes: 7, Over: true, Made: 8, Reused: 9, Lasting: true,
		Note: "n"}},
	{ID: 41, Kind: message.Judged,
		Answer: &message.Judgments{Query: "q", Docs: []message.JudgedDoc{{ID: "d", Title: "t", Grade: 2}}}},
	{ID: 40, Kind: message.Adopt,
		Answer: &message.Adopted{Behind: true, Stream: 2, Taken: 3,
			Opened: message.Opened{Ref: report.Ref{ID: "c"}, Queries: []report.Query{{ID: "q"}},
				Encoded: []bool{false}}, Own: []string{"q"},
			Theirs: []message.JudgedBy{{Query: "q", Document: "d", Grade: 2}}}},
	{ID: 43, Kind: message.Layers, Answer: &message.LayersRead{List: []message.LayerRead{{File: "f", Author: "a",
		Date: "d", Origin: "model", Rule: "r", Unknown: 1, Problem: "p",
		Share: "s", Class: "c", Student: "z", HandedShare: "h", Judged: 4,
		Grades: []message.LayerGrade{{Query: "q", Document: "d", Grade: 1, Graded: true, Time: 5,
			Note: "n"}}, Pool: []message.Pooled{{Query: "q", Document: "d"}},
		Unsure: []message.Unsure{{Line: "l", Before: "b", After: "a", IDs: []string{"d#1"}}}}}}},
	{ID: 45, Kind: message.Pool, Answer: &message.PoolMade{Collection: "c", Problems: []string{"p"},
		Documents: []message.Pooled{{Query: "q", Document: "d"}}}},
	{ID: 44, Kind: message.Layered, Answer: &message.LayersAgree{Own: 3, Problem: "p",
		Sections: []analysis.Section{{Name: "judges", Tables: []analysis.Table{{Columns: []string{"a"},
			Rows: [][]analysis.Cell{{analysis.Whole(1)}}}}}}}},
	{},
	{ID: 1, Kind: message.Ping, Memory: 1e6},
	{ID: 2, Kind: message.Open, Progress: &message.Progress{What: "index", Done: 1, Total: 2}},
	{ID: 2, Kind: message.Runs, Progress: &message.Progress{What: "Reading b", Done: 1, Total: 2, Unit: "rankings",
		First: &message.First{Measures: []string{"AP", "RR"},
			Runs: []message.FirstRun{{Name: "a", Means: []float64{.5, 1}}}}}},
	{ID: 3, Kind: message.Search, Problem: &message.Problem{What: "a", Where: "b", Do: "c"}},
	{ID: 4, Kind: message.Open, Answer: &message.Opened{Ref: report.Ref{ID: "c", Documents: 3, Chunked: true},
		Source: "s", Models: []string{"minilm"},
		Queries: []report.Query{{ID: "q", Text: "t", Relevant: 2}}, Encoded: []bool{true},
		Facets: message.Facets{Months: []message.Count{{Value: "2024-01", N: 3}},
			Entities: []message.Count{{Value: "e", Kind: "person", N: 1}}}}},
	{ID: 16, Kind: message.Narrow, Answer: &message.Facets{Categories: []message.Count{{Value: "c", N: 2}}}},
	{ID: 5, Kind: message.Search, Answer: &experiment.Results{Judged: true, Measures: []string{"AP"},
		Lists: []experiment.List{{Notation: "bm25", Scores: []float64{.5}, Overlap: 1, RBO: .25,
			Hits: []experiment.Found{{Ordinal: 3, ID: "d", Title: []experiment.Segment{{Text: "x", Mark: true}},
				Grade: experiment.NoGrade, Ranks: []int{1, 0}, Twins: []experiment.Found{{ID: "t", Score: 1}}}}}}}},
	{ID: 6, Kind: message.Explain,
		Answer: &experiment.Why{System: 1,
			Part: rank.Part{Name: "rrf", Note: "n", Score: 1, Values: []rank.Value{{Name: "k", Value: 60}},
				Parts: []rank.Part{{Name: "bm25", Parts: []rank.Part{{Name: "term"}}}}}}},
	{ID: 7, Kind: message.Evaluate, Answer: &report.Report{Systems: []report.System{{Notation: "bm25"}},
		Measures: []string{"AP"}, Queries: []report.Query{{ID: "q"}},
		Columns: []report.Column{{Measure: "AP", Values: [][]float64{{.5}}, Means: []float64{.5}, Low: []float64{0},
			High: []float64{1}, Groups: []string{"x"}, Best: .5}}, Hash: "h"}},
	{ID: 8, Kind: message.Runs,
		Answer: &message.Compared{Files: []message.FileRead{{ID: 3, Name: "a.run", What: "run", Lines: 9, Queries: 2,
			Entries: 8, Line: 4, Problem: "p", Fixable: true,
			Notes: []message.Note{{Line: 1, Count: 2, Message: "m", Places: "also in line 3"}}}},
			Measures: []string{"AP"}, Policy: "gain=exponential", Baseline: 1,
			Origins: []message.Origin{{File: 3, Run: 1}}, View: "measure=2", Need: "runs", Separator: "#",
			Snapshot: "s",
			Regression: []gates.MeasureChange{{System: "a", Measure: "AP", Old: .5, New: .25, Diff: -.25, Relative: -.5,
				Low: -1, High: 0, P: .01, Test: "t", Queries: 9, Better: 1, WorseCount: 2, Verdict: gates.Regressed,
				Moved: []gates.Moved{{Query: "q", Old: 1, New: .5}}}}, Against: []string{"w"}, Link: "runs=x",
			Without: "scores", Grades: true, Unlinked: "too long", Sent: message.SentSame, Saved: 1.5,
			Available: []string{"AP"},
			Traced: []analysis.Section{{Name: "s", Tables: []analysis.Table{{Columns: []string{"x"},
				Rows: [][]analysis.Cell{{analysis.Whole(1)}}}}}},
			Courses: []chart.Course{{Recall: []float64{.5}, Tokens: []float64{9}, Queries: []int{2}}},
			Golden: &message.Golden{File: "f", Shape: "s", Require: "any", Within: 10, Power: []string{"p"},
				Problem: "x",
				Notes:   []string{"n"}, Queries: []message.GoldenQuery{{ID: "q", Text: "t", Docs: []string{"d"},
					Grades:    []float64{2},
					Forbidden: []string{"f"}, Concepts: []string{"c"}}},
				Runs: [][]gates.Expected{{{Query: "q", Text: "t", Reasons: []string{"r"}}}}}}},
	{ID: 9, Kind: message.Query,
		Answer: &message.Detail{Query: "q", Measure: "AP", Why: &compare.Explanation{Query: "q"},
			Said: []compare.Said{{Tool: "ranx", As: "map", System: 1, Ours: .5, Theirs: .25, OursCounts: true,
				TheirsCounts: true, Reasons: []measure.Reason{{Decision: "ties", Before: .5, After: .25, Text: "t"}}}},
			Sides: []compare.Side{{System: 1, Missing: true, Size: 3, Values: []float64{.5},
				Docs: []compare.Placed{{Rank: 1, ID: "d", Score: 2, Grade: compare.Unjudged, Tied: true,
					Ranks: []int{1, 0}, Covers: []string{"1", "b"}}}}},
			Unfolded: []evaluation.Unfolded{{Measure: "AP", Query: "q", System: 1, Formula: "f", Sum: 1, Divisor: 2,
				By: "b", Base: 3, Value: 4, Stepwise: true, Steps: []string{"s"},
				Rows:  []evaluation.Row{{Rank: 1, Place: 2, ID: "d", Grade: 3, Term: 4, Share: 5, Work: "w"}},
				Ideal: []evaluation.Row{{Rank: 1}}}}}},
	{ID: 10, Kind: message.Reasons,
		Answer: &message.Explanations{List: []compare.Explanation{{Measure: "AP", Query: "q", A: 1, B: 2, ValueA: .5,
			ValueB: 1, Diff: .5, Others: 3, Stepwise: true,
			Changes: []compare.Change{{ID: "d", Grade: 2, What: compare.Up, RankA: 4, RankB: 1, Before: .25, After: .75,
				Diff: .5}}}}}},
	{ID: 11, Kind: message.Opinions,
		Answer: &message.Opined{Measure: "AP",
			Tools: []compare.Opinion{{Tool: "t", Version: "v", Doc: "d", As: "ap", Means: []float64{.5},
				Queries: []int{3}, Differs: [][]compare.Cause{{{Decision: "ties", Queries: 2, Example: "e"}}}}}}},
	{ID: 12, Kind: message.Export, Answer: &message.Saved{Name: "n", Type: "t", Bytes: []byte{0, 1},
		Sizes: []int{3, 4}}},
	{ID: 13, Kind: message.Tests,
		Answer: &report.Tests{Column: 1,
			Pairs: []report.Pair{{A: 1, B: 2, Diff: .5, Low: .25, High: .75, P: .1, Adjusted: .2, Effect: 1, Better: 3,
				Worse: 4, Equal: 5}}, Test: report.Test{Name: "t", Hand: "t", Detail: "d", Alone: true,
				Choice: significance.Choice{Test: "sign", Reason: significance.OneSize, Queries: 9, Pairs: 3, Skew: .5,
					Doubts: []significance.Doubt{{Kind: significance.ManyEqual, N: 4, Of: 5, P: .5, Adjust: .25,
						Value: .125}}}, Written: "w", WrittenDoubts: []string{"x"}}}},
	{ID: 14, Kind: message.Statistics},
	{ID: 16, Kind: message.Arithmetic, Answer: &evaluation.Unfolded{System: 1, Measure: "AP", Formula: "f",
		Rows:  []evaluation.Row{{Place: 1, ID: "d", Title: "t", Grade: 2, Term: .5, Work: "1/2"}},
		Ideal: []evaluation.Row{{Grade: 1, Term: 1, Work: "1"}}, Sum: .5, Divisor: 2, By: "relevant documents", Base: 1,
		Value: .25, Stepwise: true, Steps: []string{"s"}}},
	{ID: 15, Kind: message.Curve, Answer: &experiment.Curve{Stage: "bm25", Param: "k1", Measure: "AP", Queries: 2,
		At: []float64{0, .5}, Lines: []experiment.Line{{System: 1, Means: []float64{.25, .5}}}}},
	{ID: 16, Kind: message.Needs,
		Answer: &message.Needed{Collection: "h", Needs: []message.Need{{}, {Description: "d", Narrative: "n"}}}},
	{ID: 15, Kind: message.Encode, Answer: &message.Encoder{Name: "n", Teacher: "t"}},
	{ID: 17, Kind: message.Pack, Answer: &message.Saved{Name: "n", Type: "t", Bytes: []byte{0, 1}}},
	{ID: 17, Kind: message.Gallery,
		Answer: &gallery.Gallery{Collections: []gallery.Collection{{ID: "a", Name: "A", Models: []string{"m"},
			Faults: []string{"f"}, Figures: []gallery.Figure{{System: "bm25"}}}}}},
	{ID: 17, Kind: message.Papers, Answer: &message.PapersRead{List: []message.Paper{{Name: "a.txt", Text: "t"}}}},
	{ID: 17, Kind: message.Upload, Answer: &message.Uploaded{ID: "upload-1", Name: "n", Documents: 3, Queries: 2,
		Judgments: 1, Bytes: 9, Models: []string{"m"}, Warnings: []string{"w"},
		Backend: "b", System: "search(backend=b)"}},
	{ID: 21, Kind: message.Indexed, Answer: &experiment.Indexed{Query: "q", Documents: 3, Of: 9,
		Hits: []experiment.Found{{Ordinal: 1, ID: "d", Title: []experiment.Segment{{Text: "t", Mark: true}},
			Score: 2}}}},
	{ID: 21, Kind: message.Embed, Answer: &message.Uploaded{ID: "upload-1", Name: "n", Plain: true}},
	{ID: 20, Kind: message.Duplicate, Answer: &message.Uploaded{ID: "upload-1-a", Name: "n"}},
	{ID: 21, Kind: message.Preview, Answer: &message.Previewed{Queries: 4, Judgments: 5, Tables: []message.Table{{
		Files: []message.File{{ID: 3, Name: "a.csv", Size: 9}},
		Kind:  "a table", Columns: []message.Column{{Name: "sku", Filled: 2}},
		Used: []message.Used{{Column: "sku", For: "id"}},
		From: "m.json", Native: true,
		Rows: []message.PreviewRow{{Line: 2, Cells: []string{"A1"}, ID: "A1", Title: "t", Text: "x",
			Notes: []string{"n"}}}, Read: 2, About: 3, Whole: true, Documents: 2, Queries: 1, Judgments: 4,
		Warnings: []string{"w"}, Problem: "p"}}, Others: []string{"o"}, Documents: 3, Exact: true, Pages: 2,
		Fields: []message.Field{{Name: "date", Example: "2024-03-01", Found: 1}},
		Sample: message.Sample{At: 1, Of: 2, ID: "d", Title: "t", Notes: []string{"n"}, Chunks: 3, All: 5, Median: 4,
			Longest: 9, Problem: "p", Pieces: []message.Piece{{Again: "a", Text: "b", Words: 2}}}}},
	{ID: 19, Kind: message.Behind, Answer: &message.Offered{Snapshots: true, Private: true, Keyed: true,
		Unwatched: "no token",
		Backends: []remote.Backend{{ID: "ce", Kind: "tei", Does: []string{"rerank"}, Model: "m", Revision: "1",
			Index: "i", Modes: []string{"bm25"}, Dimensions: 3}},
		Watch: &remote.Watch{Routes: []remote.Route{{Name: "POST /api/v1/rerank", Calls: 3, Failed: 1,
			Buckets: []int{1, 1, 0, 0, 0, 0, 1}, Hits: 1, Misses: 2, Items: 4, Answered: 2}},
			Backends: []remote.Service{{ID: "ce", State: "open", Events: []remote.Event{{Name: "busy", N: 1}},
				Reranked: 2, Fell: 1, Scores: 3, Sum: 1.5, Lowest: 0.25, Greatest: 1}}}}},
	{ID: 19, Kind: message.Room, Answer: &message.RoomSeen{Why: "w", Gone: true, Code: "BCDFGH", Secret: "0a",
		Question: 2, State: "open", Counts: []int{1, 0}}},
	{ID: 18, Kind: message.Uploads,
		Answer: &message.Shelf{List: []message.Uploaded{{ID: "upload-1", Unkept: "no room"}}, Used: 2, Quota: 3,
			Nothing: "no https", Stays: true}},
	{ID: 19, Kind: message.Network, Answer: &message.Networks{Collection: "C", Runtime: 1, Unpacked: 2, Note: "n",
		Models: []message.Networked{
			{Model: "minilm", Label: "all-MiniLM-L6-v2", Pooling: "mean", Prefix: "query: ", Dim: 384, Hosted: 3,
				Kept: 4, Looked: &message.Look{From: "site", Graph: "model.onnx", Bytes: 5, Memory: 6, Name: "m",
					Tight: true}},
			{Model: "own", Static: true, Loaded: &message.Loaded{From: "files", Graph: "model.onnx", Bytes: 7, Tried: 8,
				Lowest: .9, Micros: 10, Pooling: "cls", Prefix: "p", Kept: true}}}}},
	{ID: 20, Kind: message.Tune, Answer: &message.Tuned{Problem: "p", Done: 1, Of: 2, Param: "weight",
		Values: []string{"0", "1"}, Means: []float64{.5}, Start: 1, Measure: "AP", Finding: []string{"f"},
		Choices: []message.TunedChoice{{Of: "all", Queries: 3, Best: "1", Present: .1, Tuned: .2, HeldOut: .3,
			System: "s", OpenSearch: "{}", Weaviate: "{}", NoOpenSearch: "o", NoWeaviate: "w"}}}},
	{ID: 21, Kind: message.Stored, Answer: &message.StoredRun{Name: "r", Said: "s", Names: []string{"r"},
		Warnings: []string{"w"}}},
	{ID: 19, Kind: message.Explain,
		Answer: &experiment.Why{Part: rank.Part{Name: "late",
			Grid: &rank.Grid{Rows: []string{"a"}, Columns: []string{"b", "c"}, Values: []float64{1, 2}}}}},
}

var requests = []message.Request{
	{ID: 1, Kind: message.Runs, Question: &message.Setting{Files: []message.File{{ID: 1, Name: "a", Size: 3}},
		Link: "l", Example: true, Matrix: message.Matrix{Systems: []string{"bm25"}, Measures: []string{"AP"},
			Baseline: "b", Depth: 9}, Chunkings: []string{"bm25"}, Spans: true, Chosen: true, Measures: []string{"AP"},
		Policy: "p", Baseline: 2, Separator: "#", First: true,
		Names: []message.Name{{Origin: message.Origin{File: 1, Run: 2}, Name: "n"}}, Relative: .1, Absolute: .02,
		Limit:   9,
		Systems: "rows", Missing: "zero", Search: []string{"bm25"},
		Edits: []golden.Edit{{Query: "q", Doc: "d", Grade: -1}}}},
	{ID: 1, Kind: message.Needs, Question: &message.AskNeeds{}},
	{ID: 2, Kind: message.Query, Question: &message.AskQuery{A: 1, B: 2, Measure: "AP", Query: "q", Depth: 3}},
	{ID: 3, Kind: message.Reasons, Question: &message.AskReasons{A: 1, B: 2, Measure: "AP", Queries: []string{"q"}}},
	{ID: 4, Kind: message.Export, Question: &message.AskExport{What: message.Wanted{Name: "csv", File: 3},
		Measure: "AP", View: "measure=1"}},
	{ID: 5, Kind: message.Open, Question: &message.Place{Collection: "c", Base: "https://example.org/c/",
		Limit: 300e6}},
	{ID: 6, Kind: message.Search, Question: &spec},
	{ID: 7, Kind: message.Explain, Question: &message.AskWhy{Spec: spec, Focus: focus}},
	{ID: 8, Kind: message.Evaluate, Question: &spec},
	{ID: 9, Kind: message.Opinions, Question: &message.AskOpinions{Measure: "AP"}},
	{ID: 10, Kind: message.Tests, Question: &message.AskTests{Measure: "AP"}},
	{ID: 11, Kind: message.Agreement, Question: &message.AskAgreement{Measure: "AP"}},
	{ID: 12, Kind: message.Ping},
	{ID: 50, Kind: message.Experiment,
		Question: &message.AskExperiment{Matrix: message.Matrix{Systems: []string{"bm25?"}, Measures: []string{"AP"},
			Baseline: "b", Depth: 9}, Go: true, Of: 3, Away: []int{2}, Lists: []byte{7}}},
	{ID: 51, Kind: message.Share, Question: &message.AskShare{Matrix: message.Matrix{Systems: []string{"bm25?"}}, At: 1,
		Of: 2, Have: []byte{3}}},
	{ID: 14, Kind: message.Narrow, Question: &spec},
	{ID: 13, Kind: message.Curve, Question: &message.AskCurve{Spec: spec, Stage: "bm25", Param: "k1"}},
	{ID: 15, Kind: message.Pack, Question: &message.AskPack{Collection: "c", Zip: []byte{1}}},
	{ID: 15, Kind: message.Gallery, Question: &message.AskGallery{URL: "/c.bin"}},
	{ID: 14, Kind: message.Judged, Question: &message.AskJudged{Query: "q"}},
	{ID: 14, Kind: message.Adopt, Question: &message.AskAdopt{Collection: "c", Zip: []byte{1},
		Stream: 2, From: 3, Records: []byte{4}}},
	{ID: 14, Kind: message.Layers, Question: &message.AskLayers{Files: []message.File{{ID: 1, Name: "a", Size: 3,
		Modified: 7}}, Limit: 9}},
	{ID: 15, Kind: message.Pool, Question: &message.AskPool{Collection: "c", Systems: []string{"bm25"},
		Queries: []string{"q"}, Depth: 5}},
	{ID: 14, Kind: message.Layered, Question: &message.AskLayered{Collection: "c", Zip: []byte{1}, Count: true,
		Systems: []string{"bm25"}, Measure: "AP", Model: "m", Half: 0.5}},
	{ID: 14, Kind: message.Papers, Question: &message.AskPapers{Files: []message.File{{ID: 1, Name: "a", Size: 3}}}},
	{ID: 14, Kind: message.Arithmetic, Question: &message.AskArithmetic{Spec: spec, System: 1, Column: 2}},
	{ID: 15, Kind: message.Upload, Question: &message.AskUpload{Files: []message.File{{ID: 1, Name: "a", Size: 3}},
		Limit:   9,
		Backend: "b", Chunking: "headings", From: "upload-1", Zip: []byte{1}, Pages: message.Pages{FileTitle: true}}},
	{ID: 17, Kind: message.Room, Question: &message.AskRoom{Do: "open", Code: "BCDFGH", Secret: "0a", Ask: "?",
		Labels: []string{"a", "b"}}},
	{ID: 17, Kind: message.Behind, Question: &message.AskBehind{Watch: true, Token: "t", Save: true, Key: "k"}},
	{ID: 15, Kind: message.Preview, Question: &message.AskPreview{
		Files: []message.File{{ID: 1, Name: "a", Size: 3}}, Limit: 9, Chunking: "words", Document: 2, From: "upload-1",
		Pages:    message.Pages{FolderCategory: true},
		Mappings: []message.FileMapping{{File: 1, Used: []message.Used{{Column: "sku", For: "id"}}}}}},
	{ID: 17, Kind: message.Indexed, Question: &message.AskIndexed{Query: "q"}},
	{ID: 17, Kind: message.Embed, Question: &message.AskEmbed{ID: "upload-1", Query: "query: ",
		Document: "passage: ", Network: &message.AskNetwork{From: "files",
			Files: []message.File{{ID: 1, Name: "a", Size: 3}}}}},
	{ID: 17, Kind: message.Earlier, Question: &message.AskEarlier{ID: "u", Among: []string{"v"}}},
	{ID: 16, Kind: message.Duplicate, Question: &message.AskDuplicate{ID: "upload-1", Name: "n"}},
	{ID: 16, Kind: message.Uploads, Question: &message.AskUploads{Delete: "upload-1", Rename: "upload-2", Name: "n"}},
	{ID: 19, Kind: message.Network, Question: &message.AskNetwork{Do: "load", Model: "minilm", From: "files",
		Files: []message.File{{ID: 1, Name: "model.onnx", Size: 3}}, Keep: true, Limit: 9}},
	{ID: 17, Kind: message.Tune, Question: &message.AskTune{System: "wsum(bm25, dense)", Measure: "AP"}},
	{ID: 18, Kind: message.Stored, Question: &message.AskStored{Files: []message.File{{ID: 1, Name: "a", Size: 3}},
		Limit: 9}},
	{ID: 13, Kind: message.Encode, Question: &message.EncoderFile{URL: "/e.bin", Bytes: 7, Sum: "ab"}},
}

func TestQuestionsArriveAsTheyWereSent(t *testing.T) {
	for _, want := range requests {
		var got message.Request
		if err := wire.Unmarshal(wire.Marshal(&want), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("request %d: %+v, %v", want.ID, got, err)
		}
	}
}

func TestMessagesArriveAsTheyWereSent(t *testing.T) {
	for _, want := range replies {
		var got message.Reply
		if err := wire.Unmarshal(wire.Marshal(&want), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("reply %d: %+v, %v", want.ID, got, err)
		}
	}
}

// Each kind carries only its own types, and this test has an example of every question and answer.
func TestEveryKindHasOneQuestionAndOneAnswer(t *testing.T) {
	for _, k := range message.Kinds() {
		asked := slices.ContainsFunc(requests, func(r message.Request) bool {
			return r.Kind == k && reflect.TypeOf(r.Question) == reflect.TypeOf(k.Question())
		})
		answered := slices.ContainsFunc(replies, func(r message.Reply) bool {
			return r.Kind == k && reflect.TypeOf(r.Answer) == reflect.TypeOf(k.Answer())
		})
		if !asked || !answered {
			t.Errorf("kind %d: an example of its question: %t, of its answer: %t", k, asked, answered)
		}
	}
	var unknown message.Kind = 1 << 40
	if unknown.Question() != nil || unknown.Answer() != nil || unknown.OfRuns() {
		t.Error("a kind that is not registered has types")
	}
	b := wire.Marshal(&message.Request{ID: 1, Kind: unknown, Question: &spec})
	if err := wire.Unmarshal(b, new(message.Request)); err == nil {
		t.Error("a question of an unknown kind was read")
	}
}

func TestTwoKindsNeverShareANumber(t *testing.T) {
	for _, k := range message.Kinds() {
		func() {
			defer func() {
				if said := recover(); said != "message: two kinds have one number" {
					t.Errorf("kind %d was registered again: %v", k, said)
				}
			}()
			message.Again(k)
		}()
	}
}

// A field added to Spec or Focus but not to their Wire method would be lost on the way to the worker.
func TestEveryFieldOfASpecAndAFocusIsCarried(t *testing.T) {
	for _, v := range []reflect.Value{reflect.ValueOf(spec), reflect.ValueOf(focus)} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("the %s of this test leaves %s empty: fill it", v.Type().Name(), v.Type().Field(i).Name)
			}
		}
	}
}

func TestAReportOfTheWrongShapeIsRefused(t *testing.T) {
	at := slices.IndexFunc(replies, func(r message.Reply) bool { return r.Kind == message.Evaluate })
	r := *replies[at].Answer.(*report.Report)
	r.Columns = []report.Column{{Measure: "AP", Values: [][]float64{{.5, math.Pi}}, Means: []float64{.5},
		Low: []float64{0}, High: []float64{1}, Groups: []string{"x"}}}
	var got report.Report
	if err := wire.Unmarshal(wire.Marshal(&r), &got); err == nil {
		t.Error("two values for one query were accepted")
	}
}

func FuzzReply(f *testing.F) {
	for i := range replies {
		f.Add(wire.Marshal(&replies[i]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, w message.Reply
		if wire.Unmarshal(b, &v) != nil {
			return
		}
		again := wire.Marshal(&v)
		if err := wire.Unmarshal(again, &w); err != nil || !bytes.Equal(wire.Marshal(&w), again) {
			t.Errorf("a second round differs: %v", err)
		}
	})
}

func FuzzRequest(f *testing.F) {
	for i := range requests {
		f.Add(wire.Marshal(&requests[i]))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, w message.Request
		if wire.Unmarshal(b, &v) != nil {
			return
		}
		again := wire.Marshal(&v)
		if err := wire.Unmarshal(again, &w); err != nil || !bytes.Equal(wire.Marshal(&w), again) {
			t.Errorf("a second round differs: %v", err)
		}
	})
}
