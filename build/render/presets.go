package main

import (
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/worker"
)

// presets compares the ready-made systems with each other and with the best of those that Home compares, and writes
// what comes out as it stands at the end of the reference of pipelines. Its argument is the folder of a collection.
func presets(args []string) (any, error) {
	if len(args) != 1 {
		return nil, errors.New("usage: render presets FOLDER")
	}
	s, err := open(args[0])
	if err != nil {
		return nil, err
	}
	return presetsOf(s)
}

// presetsOf is what presets writes, "" where the collection has nothing to measure by.
func presetsOf(s *experiment.Session) (string, error) {
	if len(s.Queries.JudgedIDs()) == 0 {
		return "", nil
	}
	defaults := state.DefaultsOf(worker.Describe(s))
	with := defaults[len(defaults)-1]
	systems, names, docs := []string{with}, []string{"for comparison"}, []string{"A system of the home page."}
	var several []stage.Preset
	for _, p := range stage.Presets {
		if len(p.Systems) > 1 { // of models that a collection may lack
			several = append(several, p)
			continue
		}
		systems, names, docs = append(systems, p.Systems[0]), append(names, p.Name), append(docs, p.Doc)
	}
	r, err := s.Evaluate(experiment.Spec{Systems: systems}, nil)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	shown := min(4, len(r.Measures)) // the last is how much is judged, which on the demo is all
	b.WriteString(`<section class="chapter" id="presets" aria-labelledby="presets-title"><h2 ` +
		`id="presets-title">Ready-made systems, as they measure here</h2><p class="small muted">`)
	b.WriteString(html.EscapeString(verdict(r, names)))
	b.WriteString(`</p><div class="scroll" tabindex="0" role="region" aria-label="Ready-made ` +
		`systems"><table><thead><tr><th scope="col">system</th>`)
	for _, m := range r.Measures[:shown] {
		fmt.Fprintf(&b, `<th scope="col" class="num">%s</th>`, html.EscapeString(m))
	}
	b.WriteString("</tr></thead><tbody>")
	about := ""
	for i, sys := range r.Systems {
		link, err := linkTo(sys.Notation)
		if err != nil {
			return "", err
		}
		name := html.EscapeString(names[i])
		doc := strings.TrimSpace(docs[i] + " " + sys.Why)
		fmt.Fprintf(&b, `<tr><th scope="row"><a href="%s">%s</a></th>`, link, name)
		about += fmt.Sprintf(`<dt>%s</dt><dd><span class="muted">%s</span> <span class="notation">%s</span></dd>`, name,
			html.EscapeString(doc), html.EscapeString(sys.Notation))
		for _, c := range r.Columns[:shown] {
			value := say.Page.None()
			if sys.Missing < len(r.Queries) {
				value = say.Page.Number(c.Means[i], 3)
			}
			fmt.Fprintf(&b, `<td class="num">%s</td>`, value)
		}
		b.WriteString("</tr>")
	}
	b.WriteString(`</tbody></table></div><dl class="small">` + about + `</dl><p class="small">`)
	together := min(len(systems), share.MaxSystems)
	link, err := linkTo(systems[:together]...)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, `<a href="%s">Open %s side by side</a>`, link,
		map[bool]string{true: "them", false: "the first " + strconv.Itoa(together)}[together == len(systems)])
	for _, p := range several {
		if link, err = linkTo(p.Systems...); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, `. <a href="%s">%s</a>: <span class="muted">%s</span>`, link, html.EscapeString(p.Name),
			html.EscapeString(p.Doc))
	}
	b.WriteString("</p></section>")
	return b.String(), nil
}

// verdict says which of the systems of a report leads, and by what it is told from the first, in two sentences.
func verdict(r *report.Report, names []string) string {
	c := &r.Columns[0]
	best := 1
	for i := 2; i < len(names); i++ {
		if c.Means[i] > c.Means[best] {
			best = i
		}
	}
	said := fmt.Sprintf("Measured when this page was built, on %s. Of the ready-made systems %s leads with %s %s; ",
		say.Count(len(r.Queries), "judged query", "judged queries"), names[best], c.Measure,
		say.Page.Number(c.Means[best], 3))
	than := "which is more than"
	if c.Means[best] <= c.Means[0] {
		than = "no more than"
	}
	said += fmt.Sprintf("%s the %s of %s", than, say.Page.Number(c.Means[0], 3), r.Systems[0].Notation)
	if p, ok := r.Pair(0, best); ok {
		said += " (difference " + say.Page.Signed(c.Means[best]-c.Means[0], 3) + ", " + say.Page.PIs(p.Adjusted) + ")"
	}
	return said + "."
}

// linkTo is the address of systems on Search.
func linkTo(systems ...string) (string, error) {
	fragment, err := share.Encode(share.Address{Screen: share.Search, Spec: experiment.Spec{Systems: systems}})
	return html.EscapeString("/search#" + fragment), err
}
