package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
)

// How much is read of what is no collection, run or judgments: those have limits of their own.
const (
	mostText    = 64 << 20 // a text that is taken apart, a comment, a configuration
	mostFolder  = 1 << 30  // a file of an experiment's folder, a bundle's manifest
	mostJournal = 4 << 30
)

// readFile is within.File for a file by its name.
func readFile(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return within.File(name, f, most)
}

// limitFlags are the flags that raise limits, by the name of the limit.
var limitFlags = map[string]string{
	"Bytes": "max-bytes", "Line": "max-line", "Entries": "max-entries", "Queries": "max-queries",
	"Documents": "max-documents",
	"JSONBytes": "max-json-bytes", "JSONQueries": "max-json-queries", "JSONJudgments": "max-json-judgments",
}

// limits are flags that bound what is read, each with the default of collection.Limits.
type limits struct{ collection.Limits }

func (l *limits) flags(f *flag.FlagSet) {
	size := func(name, what string, v *int64, standard string) {
		f.Func(name, what+"; 0 for no limit (default "+standard+")", func(s string) error {
			n, err := parseBytes(s)
			if *v = n; n == 0 {
				*v = -1
			}
			return err
		})
	}
	size("max-bytes", "bytes of one file after decompression, such as 500MB or 20GiB", &l.Bytes, "1GiB")
	f.Func("max-line", "bytes of one line, such as 64MiB; 0 for no limit (default 16MiB)", func(s string) error {
		n, err := parseBytes(s)
		if l.Line = int(min(n, math.MaxInt32)); n == 0 {
			l.Line = -1
		}
		return err
	})
	count := func(name, what string, v *int, standard int) {
		f.Func(name, fmt.Sprintf("%s; 0 for no limit (default %d)", what, standard), func(s string) error {
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 {
				return fmt.Errorf("%q is not a whole number from 0", s)
			}
			if *v = n; n == 0 {
				*v = -1
			}
			return nil
		})
	}
	count("max-queries", "queries of one file", &l.Queries, 1_000_000)
	count("max-entries", "lines of one run, judgments of one file of qrels", &l.Entries, 50_000_000)
	count("max-documents", "documents of a collection", &l.Documents, 10_000_000)
	size("max-json-bytes", "bytes of a benchmark, a dataset or judged queries in JSON", &l.JSONBytes, "10MB")
	count("max-json-queries", "queries of one", &l.JSONQueries, 1000)
	count("max-json-judgments", "judgments of one query of one", &l.JSONJudgments, 100)
}

// units of bytes, the longest first.
var units = []struct {
	name string
	n    float64
}{{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
	{"TB", 1e12}, {"B", 1}, {"", 1}}

// parseBytes reads "500MB", "20GiB", "1e9".
func parseBytes(s string) (int64, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	for _, u := range units {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if v *= u.n; err != nil || !(v >= 0) || v > 1<<62 {
			break
		}
		return int64(v), nil
	}
	return 0, fmt.Errorf("%q is not a size: write it like 500MB or 20GiB", s)
}
