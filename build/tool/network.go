package main

import (
	"context"
	"fmt"
	"os"
)

// networkConfig is onnxruntime-web: its script and its program.
type networkConfig struct {
	Script  asset `json:"script"`
	Program asset `json:"program"`
}

// vendor is the folder of what others wrote, which is fetched when something asks for it.
const vendor = "assets/vendor/"

// network adds the parts of onnxruntime-web that run a network on one thread.
func (p *project) network(ctx context.Context, files map[string][]byte) (c networkConfig, err error) {
	for _, part := range []struct {
		from, ext string
		to        *asset
	}{{"ort.wasm.bundle.min.mjs", ".js", &c.Script}, {"ort-wasm-simd-threaded.wasm", ".wasm", &c.Program}} {
		data, err := os.ReadFile(p.path("node_modules/onnxruntime-web/dist/" + part.from))
		if err != nil {
			return c, fmt.Errorf("onnxruntime-web is not here (npm ci): %w", err)
		}
		name := vendor + "onnxruntime"
		small, err := p.compress(ctx, map[string][]byte{name + part.ext: data})
		if err != nil {
			return c, err
		}
		*part.to = asset{URL: put(files, name, part.ext, data), Bytes: len(data),
			Brotli: len(small[name+part.ext+".br"]), Integrity: integrity(data)}
	}
	return c, nil
}
