package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestGrowthTableHasEachSizeAndPeer(t *testing.T) {
	native, err := nativeGrowth([]byte("" +
		"BenchmarkGrowth/10000/top=10/pruned=false-2  3  44162419 ns/op  42.56 median-µs  72.91 p95-µs\n" +
		"BenchmarkGrowth/10000/top=10/pruned=true-2  3  30705843 ns/op  21.02 median-µs  48.12 p95-µs\n"))
	if err != nil {
		t.Fatal(err)
	}
	g := &growth{documents: 100_000, native: native, index: 165_756_928}
	if err := json.Unmarshal([]byte(`{"load":127.1,"memory":45831096,"chromium":"156","rows":[{"k":10,"pruned":"never",
		"median":0.1525,"p95":0.275},{"k":10,"pruned":"default","median":0.19,"p95":0.585}]}`), &g.tab); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`[{"Name":"Lucene","Version":"10","Settings":"as ours",`+
		`"Median":0.1,"P95":0.3,"Same":1}]`), &g.peers); err != nil {
		t.Fatal(err)
	}
	small := &growth{documents: 10_000, native: native}
	table := growthTable([]*growth{small, g})
	for _, row := range []string{
		"| 100,000 | 10 | 42.6 µs, 72.9 µs | 21 µs, 48.1 µs | 152 µs, 275 µs | – | 190 µs, 585 µs |",
		"| 100,000 | 165 MB | 127 ms | 45 MB |",
		"| **Rankbox**, natively, as it comes | 42.6 µs, 72.9 µs | 21 µs, 48.1 µs |",
		"| **Rankbox** in the tab, as it comes | – | 190 µs, 585 µs |",
		"| Lucene 10, as ours | – | 100 µs, 300 µs (100.0 % the same) |",
	} {
		if !strings.Contains(table, row+"\n") {
			t.Errorf("no row %s in\n%s", row, table)
		}
	}
	if _, err := nativeGrowth([]byte("FAIL")); err == nil {
		t.Error("no figure is no error")
	}
}
