package main

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// budget is what a kind of files may weigh on the way to a browser, in bytes of brotli.
type budget struct {
	what  string
	match func(name string) bool
	each  bool // the limit is for each file, not for all together
	limit int
}

func has(prefix, suffix string) func(string) bool {
	return func(name string) bool { return strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) }
}

// headroom is how far a limit may be passed, in percent: a small contribution fits, and growth is settled when a release
// is made.
const headroom = 3

// budgets are checked in this order. The first is what the first visitor waits for, the second is fetched
// where a screen, a file or a collection needs more (docs/adr/0002-one-binary.md); nobody waits for the others to read
// the page, but on slow 4G (1.6 Mbit/s) 40 kB are a fifth of a second.
var budgets = []budget{
	{"the program that answers the first search", has("assets/wasm/"+firstProgram+".", ".wasm"), false, 943_000},
	{"the program that opens a lesson", has("assets/wasm/"+lessonsProgram+".", ".wasm"), false, 961_000},
	{"the program with every screen", has("assets/wasm/"+richProgram+".", ".wasm"), false, 3_342_000},
	{"the program that shows a link's figures", has("assets/wasm/"+boardProgram+".", ".wasm"), false, 800_000},
	{"the kernels", has("assets/wasm/kernel.", ".wasm"), false, 10_000},
	{"a page", has("", ".html"), true, 40_000},
	{"styles", func(name string) bool { return has("assets/", ".css")(name) && !votes(name) }, false, 19_600},
	{"scripts", func(name string) bool {
		return has("assets/", ".js")(name) && !strings.Contains(name, "/vendor/") && !votes(name) && !publishes(name) &&
			!keeps(name)
	}, false, 42_600},
	{"the script that saves a collection as a site", publishes, false, 4_000},
	{"the script that keeps a collection offline", keeps, false, 1_600},
	{"the page that phones vote on, without the styles of the site", votes, false, 8_000},
	{"scripts of others, loaded when needed", func(name string) bool {
		return has("assets/", ".js")(name) && strings.Contains(name, "/vendor/")
	}, false, 350_000},
	{"collections", func(name string) bool {
		return has("collections/", "")(name) && !onDemand(name)
	}, false, 1_500_000},
	{"token vectors of a collection, when a system names late interaction", func(name string) bool {
		return has("collections/", "")(name) && onDemand(name) && !network(name) && !has(publicPath, "")(name)
	}, false, 2_400_000},
	{"public collections, each when a visitor opens it", has(publicPath, ""), false, 128_000_000},
	{"service worker", func(name string) bool { return name == "sw.js" }, false, 6_100},
	{"an encoder of typed queries, when the page is idle or it is asked for", has("assets/encoders/", ".bin"), true,
		3_300_000},
	{"the runtime for a model's own network, on request", has(vendor, ".wasm"), false, 3_600_000},
	{"a finished list, until the program is there", func(name string) bool {
		return strings.Contains(name, "/lists/")
	}, true, 12_000},
	{"everything else, kept for use offline", func(name string) bool { return !onDemand(name) }, false, 5_441_000},
}

// votes says of a file that it belongs to the page that phones vote on, which a class opens on a slow network.
func votes(name string) bool {
	return name == "vote.html" || has("assets/", "/js/vote.js")(name) || has("assets/", "/css/vote.css")(name)
}

// publishes says of a file that it is the script that makes a site, which few ask for.
func publishes(name string) bool { return has("assets/", "/js/publish.js")(name) }

// keeps says of a file that it is the script that keeps collections of the site for use offline, fetched in the
// gallery.
func keeps(name string) bool { return has("assets/", "/js/offline.js")(name) }

// onDemand says of a file of the site that it is fetched, and kept for use offline, when something asks for it first;
// no page asks for the picture that other sites show. Where the program of lessons is not there, the rich one opens
// them.
func onDemand(name string) bool {
	return strings.HasPrefix(name, "assets/wasm/"+lessonsProgram+".") ||
		strings.HasPrefix(name, "assets/wasm/"+boardProgram+".") || strings.HasPrefix(name, previewFolder) ||
		machineFiles(name) || publishes(name) || strings.HasPrefix(name, publicPath) || strings.HasPrefix(name,
		"assets/encoders/") || strings.HasPrefix(name, vendor) || strings.Contains(name, "/lists/") ||
		strings.HasPrefix(name, "collections/") && (strings.HasPrefix(path.Base(name), "late-") || network(name))
}

// network says of a file of a collection that it is of a model's own network, which is as large as it is: of no budget,
// and not compressed.
func network(name string) bool {
	return strings.HasPrefix(name, "collections/") && strings.HasPrefix(path.Base(name), bundle.NetworkStem)
}

// size prints what the built site weighs. It is an error if that is over a budget: releases call it.
func (p *project) size(ctx context.Context) error {
	over, err := p.sizes(ctx)
	if err == nil && len(over) > 0 {
		err = fmt.Errorf("over budget: %s", strings.Join(over, "; "))
	}
	return err
}

// reportSize prints what the built site weighs, and what a release would refuse.
func (p *project) reportSize(ctx context.Context) error {
	over, err := p.sizes(ctx)
	for _, line := range over {
		p.say("  over budget, which fails a release: %s", line)
	}
	return err
}

func (p *project) sizes(context.Context) (over []string, err error) {
	config, err := p.netlify()
	if err != nil {
		return nil, err
	}
	files, err := readTree(p.path(config.Publish))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s is not built yet: go run ./build site", config.Publish)
	}
	lines, over := weigh(files)
	for _, line := range lines {
		p.say("  %s", line)
	}
	return over, nil
}

// weigh returns one line for each budget, with the files of it where they are few or bounded one by one, and what is
// over.
func weigh(files map[string][]byte) (lines, over []string) {
	weight := map[string]int{}
	for name, data := range files {
		if stem := strings.TrimSuffix(name, path.Ext(name)); strings.HasSuffix(name, ".br") ||
			strings.HasSuffix(name, ".gz") {
			if _, ok := files[stem]; ok {
				continue
			}
		}
		weight[name] = len(data)
		if small, ok := files[name+".br"]; ok {
			weight[name] = len(small)
		}
	}
	for _, b := range budgets {
		total, largest, at, n := 0, 0, "", 0
		var detail []string
		for _, name := range sortedKeys(weight) {
			if !b.match(name) {
				continue
			}
			n++
			total += weight[name]
			if weight[name] > largest || at == "" {
				largest, at = weight[name], name
			}
			if strings.HasSuffix(name, ".wasm") {
				detail = append(detail, fmt.Sprintf("    %9d  %s (%d decoded)", weight[name], name, len(files[name])))
			}
		}
		have, note := total, fmt.Sprintf("%d files", n)
		if b.each {
			have, note = largest, fmt.Sprintf("the largest of %d: %s", n, at)
		}
		lines = append(lines, fmt.Sprintf("%9d of %9d bytes of brotli: %s (%s)", have, b.limit, b.what, note))
		lines = append(lines, detail...)
		if have > b.limit+b.limit*headroom/100 {
			over = append(over, fmt.Sprintf("%s: %d bytes, the limit is %d and %d %%", b.what, have, b.limit, headroom))
		}
	}
	return lines, over
}
