package matrix

import (
	"runtime"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
)

// many is a text so many times, with commas between.
func many(text string, n int) string { return strings.TrimSuffix(strings.Repeat(text+",", n), ",") }

// hostile are Specs that ask for the impossible, and what is said of each; want "" is for those that are no Spec by
// nothing but their plan.
var hostile = []struct{ name, spec, want string }{
	{"a thousand million runs", "{\n\"systems\": [\n\"bm25(k1=0..1/0.001,b=0..1/0.001,title=1..1000)\"]}",
		"line 3, column 49: system 1: 1002001000 runs are too many: the limit is 1600"},
	{"a thousand million values", `{"systems": ["bm25(k1=0..1e9/1)"]}`,
		`line 1, column 33: system 1: at byte 8: the range "0..1e9/1" is not of numbers`},
	{"a million values", `{"systems": ["bm25(k1=0..999999)"]}`,
		"line 1, column 34: system 1: at byte 8: the range \"0..999999\" has too many values: the limit is 10000"},
	{"a thousand ranges", `{"systems": ["` + strings.Repeat("bm25(k1=0..9999)|", 1000) + `"]}`, "system 1: "},
	{"a thousand ranges in a fusion", `{"systems": ["rrf(` + many("bm25(k1=0..9999)", 1000) + `)"]}`,
		"system 1: at byte 29: the ranges have too many values: the limit is 10000"},
	{"a step of nothing", `{"systems": ["bm25(k1=0..1/0)"]}`, "line 1, column 31: system 1: at byte 8: "},
	{"steps without end", `{"systems": ["bm25(k1=0..1/1e-300)"]}`, "line 1, column 36: system 1: at byte 8: "},
	{"products of alternatives", `{"systems": ["bm25(k1=` + strings.ReplaceAll(many("1", 9000), ",", "|") + `,b=` +
		strings.ReplaceAll(many("1", 900), ",", "|") + `)"]}`, "system 1: 8100000 runs are too many"},
	{"stages on and off", `{"systems": ["bm25` + strings.Repeat(" >> mmr?", 60) + `"]}`,
		"system 1: 1.2e+18 runs are too many"},
	{"the same system ninety thousand times", `{"systems": [` + many(`"bm25"`, 90_000) + `]}`,
		"line 1, column 11220: more than 1600 runs are too many"},
	{"a config matrix of a thousand million runs", `{"search_modes": [` + many(`"dense"`, 1000) +
		`], "top_k_values": [` + many("100", 1000) + `], "rrf_k_values": [` + many("60", 1000) + `]}`,
		"line 1: read config matrix: 1000000000 runs are too many: the limit is 1600"},
	{"a config matrix of many cutoffs", `{"search_modes": ["dense"], "top_k_values": [100], "k_values_for_metrics": [` +
		many("10", 90_000) + `]}`, "line 1: read config matrix: 90000 cutoffs: the limit is 100"},
	{"brackets without end", `{"systems": ` + strings.Repeat("[", 900_000),
		"line 1, column 14: systems: expected a string, found an array"},
	{"a value that is skipped, deep", `{"nothing": ` + strings.Repeat("[", 900_000),
		`line 1, column 12: there is no member "nothing"`},
	{"calls without end", `{"systems": ["` + strings.Repeat("rrf(", 4000) + `"]}`,
		"line 1, column 16016: system 1: at byte "},
	{"no number", "{\"systems\": [\"bm25\"],\n\"thresholds\": [NaN]}",
		"line 2, column 16: thresholds: expected a number, found NaN"},
	{"a number beyond all", `{"systems": ["bm25"], "thresholds": [1e999]}`,
		"line 1, column 38: number 1e999 is out of range"},
	{"no number in a system", `{"systems": ["bm25(k1=NaN)"]}`, ""},
	{"a negative depth", "{\n\n\"depth\": -5, \"systems\": [\"bm25\"]}",
		"line 3, column 12: depth is between 1 and 10000, not -5"},
	{"a depth beyond all", `{"systems": ["bm25"], "depth": 99999999999}`,
		"depth is between 1 and 10000, not 99999999999"},
	{"a thousand million folds", `{"systems": ["bm25"], "folds": 1000000000}`,
		"folds is between 2 and 50, not 1000000000"},
	{"a negative seed", `{"systems": ["bm25"], "seed": -1}`, "want at least 0"},
	{"a seed beyond all", `{"systems": ["bm25"], "seed": 1e30}`,
		"line 1, column 31: number 1e30 is not a 64-bit integer"},
	{"a member twice", "{\"systems\": [\"bm25\"],\n\"systems\": [\"ql\"]}",
		`line 2, column 11: the member "systems" appears twice`},
	{"a member of a config matrix twice", "{\"top_k_values\": [10],\n\"top_k_values\": [10]}",
		`line 2, column 16: the member "top_k_values" appears twice`},
	{"a long system", `{"systems": ["` + strings.Repeat("a", 900_000) + `"]}`,
		"system 1: a system of 900000 bytes: the limit is 20000"},
	{"a long measure", `{"systems": ["bm25"], "measures": ["` + strings.Repeat("a", 900_000) + `"]}`,
		"a measure of 900000 bytes: the limit is 4096"},
	{"a long baseline", `{"systems": ["bm25"], "baseline": "` + strings.Repeat("a", 900_000) + `"}`,
		"baseline has 900000 bytes: the limit is 4096"},
	{"a long policy", `{"systems": ["bm25"], "policy": "` + strings.Repeat("a", 900_000) + `"}`,
		"policy has 900000 bytes: the limit is 4096"},
	{"a long path", `{"systems": ["bm25"], "collection": "` + strings.Repeat("a", 900_000) + `"}`,
		"collection has 900000 bytes: the limit is 4096"},
	{"a long file", `{"systems": ["` + strings.Repeat("a", MaxSpec) + `"]}`, "the limit is 1048576"},
	{"control characters", "{\"systems\": [\"bm25\x00\"]}", "line 1, column 19: control character 0x0 within a string"},
	{"control characters, written", `{"systems": ["bm25\u0000\u001b[2J"]}`, `system 1: at byte 4: unexpected "\x00"`},
	{"control characters in a path", "{\"systems\": [\"bm25\"],\n" + `"collection": "a\u001b[2J"}`,
		"line 2, column 27: collection has a control character"},
	{"text that is none", "{\"systems\": [\"bm25\xff\"]}", "line 1, column 19: text that is not UTF-8 (byte 0xff)"},
	{"many measures", `{"systems": ["bm25"], "measures": [` + many(`"P@1"`, 90_000) + `]}`,
		"more than 100 measures are too many"},
	{"many thresholds", `{"systems": ["bm25"], "thresholds": [` + many("1", 400_000) + `]}`, ""},
	{"a file beyond the folder", `{"systems": ["run(../../../../etc/passwd)"]}`, "line 1, column 43: system 1: "},
	{"an unknown measure", "{\"systems\": [\"bm25\"],\n\"measures\": [\"P@1\",\n\"NDGC\"]}",
		`line 3, column 7: parse "NDGC"`},
	{"two Specs", "{\"systems\": [\"bm25\"]}\n{}", "line 2, column 1: expected the end of the text"},
	{"systems and a config matrix", "{\"search_modes\": [\"dense\"],\n\n\"systems\": [\"bm25\"]}",
		"line 3: read spec: it has systems and a config matrix"},
	{"no systems", "{\"measures\": [\"AP\"],\n\"systems\": []}", "line 2: read spec: there is no system"},
	{"a mode that there is not", "{\"search_modes\": [\"dense\",\n\"telepathy\"]}",
		"line 2: read config matrix: search mode \"telepathy\""},
	{"a depth less than a cutoff", "{\"search_modes\": [\"dense\"], \"primary_k\": 10, \"top_k_values\": [\n50,\n5]}",
		"line 3: read config matrix: top_k 5 is below"},
	{"a reranker that there is not", "{\"search_modes\": [\"dense\"], \"use_reranker\": true,\n\"reranker\": \"nope\"}",
		"line 2: read config matrix: use_reranker: "},
	{"nothing", "", "line 1, column 1: expected an object"},
}

// mostAllocated is how many bytes a Spec may make us allocate until it is refused: its text may be read and copied a
// few times.
const mostAllocated = 40 << 20

func TestHostileSpecsEndInAMessage(t *testing.T) {
	for _, x := range hostile {
		t.Run(x.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s, err := ReadSpec([]byte(x.spec))
			if err == nil && x.want == "" {
				_, err = NewPlan(s, report.Ref{})
			}
			runtime.ReadMemStats(&after)
			switch {
			case err == nil:
				t.Fatal("it is taken")
			case !strings.Contains(err.Error(), x.want):
				t.Errorf("%.300s", err)
			case len(err.Error()) > 400:
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > mostAllocated {
				t.Errorf("%d MB were allocated", n>>20)
			}
		})
	}
}

// What only the plan finds wrong is said with the line of the member too.
func TestRefusalsOfAPlanHaveTheirLine(t *testing.T) {
	for _, x := range []struct{ name, spec, want string }{
		{"a baseline that is none of the runs", "{\"systems\": [\"bm25\"],\n\n\"baseline\": \"bm52\"}",
			"line 3: the baseline \"bm52\" is none of the runs; did you mean bm25?"},
		{"a policy that there is not", "{\n\"systems\": [\"bm25\"],\n\"policy\": \"ties=none\"}", "line 3: policy: "},
		{"a cutoff below the depth", "{\"systems\": [\"bm25\"], \"depth\": 10,\n\"measures\": [\"AP\",\n\"P@20\"]}",
			"line 3: P@20 needs 20 documents"},
		{"no run that can be", "{\n\"systems\": [\"bm25(k1=-1)\"]}", "line 2: the one run cannot be: "},
		{"none of two", "{\n\"systems\": [\"bm25(k1=-1)\", \"bm25(k1=-2)\"]}", "line 2: none of the 2 runs can be: "},
		{"too many runs", "{\"measures\": [\"AP\"],\n\"systems\": [\"bm25(k1=0..1/0.002)\"]}",
			"line 2: 501 runs are too many: the limit is 400"},
		{"stages that there are not", "{\"systems\": [\"bm25\"],\n\"ablate\": \"bm25 >> nothing\"}", "line 2: "},
		{"a member that is not there", "{\"systems\": [\"bm25\"], \"depth\": 1}", "rankings stop at 1"},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, err := ReadSpec([]byte(x.spec))
			if err == nil {
				_, err = NewPlan(s, report.Ref{})
			}
			if err == nil {
				t.Fatal("it is taken")
			}
			if text := InText([]byte(x.spec), err).Error(); !strings.Contains(text, x.want) {
				t.Error(text)
			}
		})
	}
}
