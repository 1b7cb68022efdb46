package main

import (
	"bytes"
	gocontext "context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// queryTime is how long a command or a server may take for a query.
const queryTime = 30 * time.Second

// find gets the results of every query from where they come from.
func (x *checking) find() (*golden.Found, error) {
	s, r := x.set, &x.set.Results
	found := &golden.Found{Answers: map[string]golden.Answer{}}
	var err error
	switch {
	case r.Pipeline != "":
		err = x.search(found)
	case r.File != "":
		err = x.stored(found)
	case len(r.Command) > 0:
		err = x.each(found, x.runCommand)
	case r.URL != "":
		err = x.each(found, x.request)
	default:
		for id, a := range s.Answers {
			found.Answers[id] = a
		}
	}
	if err != nil {
		return nil, err
	}
	if len(s.Queries) == 0 {
		return nil, fmt.Errorf("%s holds no queries", s.File)
	}
	s.Pool(found)
	if r.Pipeline == "" {
		if err := x.texts(found); err != nil {
			return nil, err
		}
		found.Collect()
		s.ResolveForms(found.Docs)
	}
	return found, x.meets(found)
}

// meets refuses results that share no document with what is expected of any query: then their ids are of two kinds,
// and every measure would be 0 without a word.
func (x *checking) meets(found *golden.Found) error {
	wanted, got := "", ""
	for _, q := range x.set.Queries {
		a := found.Answers[q.ID]
		for _, g := range q.Expected {
			wanted = g.Doc
			if slices.ContainsFunc(a.Results, func(r golden.Result) bool { return r.Doc == g.Doc }) {
				return nil
			}
		}
		if len(a.Results) > 0 && len(q.Expected) > 0 {
			got = a.Results[0].Doc
		}
	}
	if wanted == "" || got == "" || found.Known != nil && found.Known(wanted) {
		return nil
	}
	return fmt.Errorf("no query finds any document that it expects: ids in the results look like %q, ids in "+
		"%s like %q. "+
		"Are they the same ids?", say.Brief(got, 60), x.set.File, say.Brief(wanted, 60))
}

// search ranks documents by a pipeline.
func (x *checking) search(found *golden.Found) error {
	s := x.set
	n, err := stage.Parse(s.Results.Pipeline)
	if err != nil {
		return usageError{err}
	}
	from := opening{vectors: x.vectors, limits: x.limits, models: pipelines{n}.models(), edge: x.edge,
		answers: x.answers, silent: x.quiet}
	opened, warnings, err := x.documents(&from)
	if err != nil {
		return err
	}
	x.warn(warnings)
	if opened, err = from.ready(x.c, opened, n); err != nil {
		return err
	}
	if len(s.Queries) == 0 {
		x.judged(opened)
	}
	for _, c := range opened.Bundle().Cards {
		found.Docs = append(found.Docs, c.ID)
	}
	s.Resolve(found.Docs)
	ids, known := map[string]string{}, map[string]bool{}
	for _, q := range opened.Queries.Described() {
		ids[q.Text] = q.ID
		known[q.ID] = true
	}
	ranker, err := opened.Rankers.Of(n)
	if err != nil {
		return err
	}
	lists, err := from.rankAll(x.c, ranker, len(s.Queries), s.Top, func(i int) (rank.Query, rank.Filter) {
		q := &s.Queries[i]
		asked := rank.Query{ID: ids[q.Text], Text: q.Text}
		if asked.ID == "" && known[q.ID] && q.Text == "" {
			asked.ID = q.ID
		}
		return asked, opened.FilterFor(asked.ID, pool(opened, q))
	})
	if err != nil {
		return err
	}
	open, why := 0, ""
	for i, ranked := range lists {
		q := &s.Queries[i]
		if !ranked.done {
			open, why = open+1, ranked.why
		}
		a := golden.Answer{Millis: millis(ranked.took)}
		for k, h := range ranked.hits {
			card := opened.Bundle().Cards[h.Doc]
			r := golden.Result{Doc: card.ID, Score: h.Score}
			if len(q.Concepts) > 0 && k < s.MostWithin() {
				text, err := opened.Texts.Text(h.Doc)
				if err != nil {
					return err
				}
				r.Text, r.Read = card.Title+"\n"+text, true
			}
			a.Results = append(a.Results, r)
		}
		found.Answers[q.ID] = a
		if stop, err := x.shown(q, a); stop || err != nil {
			if err != nil {
				return err
			}
			break
		}
	}
	if open > 0 { // half a system is no answer to what the set asks
		return failedError{fmt.Errorf("%s: %d of %s %s no answer: %s", n, open,
			say.Count(len(s.Queries), "query", "queries"), say.Verb(open, "has", "have"), why)}
	}
	if err := from.confirm(x.c); err != nil {
		return err
	}
	if e := opened.Parts().(stage.Edged).Edge(); e != nil && !x.stale {
		for _, b := range stage.Backends(n) {
			if why := e.Unconfirmed(b); why != "" {
				return fmt.Errorf("%s is not confirmed: %s. -stale takes its answers all the same", n, why)
			}
		}
	}
	found.Known = func(doc string) bool {
		_, ok := opened.Bundle().Ordinal(doc)
		return ok
	}
	return nil
}

// shown shows an answer to whoever decides when to stop.
func (x *checking) shown(q *golden.Query, a golden.Answer) (stop bool, err error) {
	if x.after == nil {
		return false, nil
	}
	return x.after(q, a)
}

// pool is the documents that a query ranks, nil for all.
func pool(opened *experiment.Session, q *golden.Query) rank.Filter {
	if len(q.Candidates) == 0 {
		return nil
	}
	out := make(rank.Filter, (len(opened.Bundle().Cards)+63)/64)
	for _, id := range q.Candidates {
		if d, ok := opened.Bundle().Ordinal(id); ok {
			out[d>>6] |= 1 << (d & 63)
		}
	}
	return out
}

// millis is a duration as answers have it: never 0, which says that nobody measured it.
func millis(d time.Duration) float64 { return max(float64(d)/float64(time.Millisecond), 1e-6) }

// documents opens what is searched: a folder or file, or the texts that the golden set itself holds.
func (x *checking) documents(from *opening) (*experiment.Session, []collection.Warning, error) {
	if name := x.set.Results.Documents; name != "" {
		return from.session(x.c, []string{name})
	}
	all := &collection.Collection{Qrels: collection.NewQrels()}
	for id, text := range x.set.Texts {
		all.Docs = append(all.Docs, collection.Doc{ID: id, Text: text})
	}
	slices.SortFunc(all.Docs, func(a, b collection.Doc) int { return strings.Compare(a.ID, b.ID) })
	s, err := indexed(bundle.Source{ID: "collection", Name: filepath.Base(x.set.File), Collection: all})
	return s, nil, err
}

// judged takes the queries and judgments of a collection.
func (x *checking) judged(opened *experiment.Session) {
	b, qrels := opened.Bundle(), collection.NewQrels()
	for _, j := range b.Judgments {
		qrels.Add(b.Queries[j.Query].ID, j.Doc, j.Grade)
	}
	x.set.Queries = golden.Topics(b.Queries)
	x.set.Judge(qrels)
}

// texts gives results the texts of documents, where queries expect concepts and results came without.
func (x *checking) texts(found *golden.Found) error {
	s := x.set
	if !slices.ContainsFunc(s.Queries, func(q golden.Query) bool { return len(q.Concepts) > 0 }) {
		return nil
	}
	texts, err := x.documentTexts()
	if err != nil {
		return err
	}
	for id, a := range found.Answers {
		for i := range a.Results {
			if r := &a.Results[i]; !r.Read {
				if d, ok := texts[r.Doc]; ok {
					r.Text, r.Read = strings.TrimPrefix(d[0]+"\n"+d[1], "\n"), true
				}
			}
		}
		found.Answers[id] = a
	}
	return nil
}

// documentTexts are the titles and texts of the documents, those of the set or of the folder or file that it names.
func (x *checking) documentTexts() (map[string][2]string, error) {
	out := map[string][2]string{}
	for id, text := range x.set.Texts {
		out[id] = [2]string{"", text}
	}
	if x.set.Results.Documents == "" {
		return out, nil
	}
	var from opening
	from.limits = x.limits
	src, warnings, err := from.source(x.c, []string{x.set.Results.Documents})
	if err != nil {
		return nil, err
	}
	x.warn(warnings)
	for _, d := range src.Collection.Docs {
		out[d.ID] = [2]string{d.Title, d.Text}
	}
	return out, nil
}

// stored reads results out of a file: a run in any form, or a line of JSON for each query.
func (x *checking) stored(found *golden.Found) error {
	s, name := x.set, x.set.Results.File
	var by map[string]golden.Answer
	if n, err := readNode(x.c, name); err == nil && n.Kind != golden.Text {
		by, err = golden.ParseAnswers(name, n, x.paths())
		if err != nil && !likelyRun(n) {
			return err
		}
	}
	if by == nil {
		run, warnings, err := ranking(x.c, name)
		if err != nil {
			return err
		}
		x.warn(warnings)
		by = map[string]golden.Answer{}
		for i, id := range run.Queries() {
			var a golden.Answer
			for _, e := range run.Ranked(i, collection.DocIDDescending, nil) {
				a.Results = append(a.Results, golden.Result{Doc: e.Doc, Score: e.Score})
			}
			by[id] = a
		}
	}
	hit := 0
	for i := range s.Queries {
		q := &s.Queries[i]
		a, ok := by[q.ID]
		if !ok {
			a, ok = by[q.Text]
		}
		if ok {
			hit++
			found.Answers[q.ID] = a
		}
	}
	if hit == 0 {
		return fmt.Errorf("%s has results for none of the %s of %s: its query ids look like %q", name,
			say.Count(len(s.Queries), "query", "queries"), s.File, anyOf(by))
	}
	if n := len(s.Queries) - hit; n > 0 && !x.quiet {
		fmt.Fprintf(x.c.err, "rankbox check: warning: %s has no results for %s\n", name, say.Count(n, "query",
			"queries"))
	}
	return nil
}

// likelyRun reports whether JSON is {query: {document: score}}, a run.
func likelyRun(n *golden.Node) bool {
	return n.Kind == golden.Map && len(n.Members) > 0 && n.Members[0].Value.Kind == golden.Map &&
		len(n.Members[0].Value.Members) > 0 && n.Members[0].Value.Members[0].Value.Kind == golden.Number
}

// anyOf is the first key of a map, for a message.
func anyOf(by map[string]golden.Answer) string {
	first := ""
	for id := range by {
		if first == "" || id < first {
			first = id
		}
	}
	return say.Brief(first, 60)
}

func (x *checking) paths() golden.Paths {
	r := &x.set.Results
	return golden.Paths{List: r.List, ID: r.ID, Score: r.Score, Text: r.Text}
}

// each asks for every query in turn.
func (x *checking) each(found *golden.Found, ask func(gocontext.Context, *golden.Query) ([]byte, error)) error {
	most := queryTime
	if t := x.set.Results.Timeout; t != "" {
		var err error
		if most, err = time.ParseDuration(t); err != nil || most <= 0 {
			return fmt.Errorf("%s, line %d: timeout %q is not a duration: write it like 30s", x.set.File,
				x.set.Results.Line, t)
		}
	}
	again := 0
	for i := range x.set.Queries {
		q := &x.set.Queries[i]
		if x.c.stopped() {
			return errStopped
		}
		ctx, cancel := gocontext.WithTimeout(gocontext.Background(), most)
		began := time.Now()
		b, err := ask(ctx, q)
		took := time.Since(began)
		if errors.Is(ctx.Err(), gocontext.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %s (timeout)", most)
		}
		cancel()
		var a golden.Answer
		if err == nil {
			a, err = golden.ParseOutput(b, x.paths())
		}
		if err != nil {
			return say.Faultf("rankbox", "query %s: %w", strconv.Quote(say.Brief(q.Text, 80)), err)
		}
		if a.Millis = millis(took); a.Again > 0 {
			again++
		}
		if len(a.Results) > x.set.Top {
			a.Results = a.Results[:x.set.Top]
		}
		found.Answers[q.ID] = a
		if stop, err := x.shown(q, a); stop || err != nil {
			if err != nil {
				return err
			}
			break
		}
	}
	if again > 0 && !x.quiet {
		fmt.Fprintf(x.c.err,
			"rankbox check: warning: %s documents more than once (chunks?): the first rank counts\n",
			say.Count(again, "query finds", "queries find"))
	}
	return nil
}

// filled replaces {query}, {id} and {top} in a template, each value as the place needs it.
func (x *checking) filled(template string, q *golden.Query, as func(string) string) string {
	return strings.NewReplacer("{query}", as(q.Text), "{id}", as(q.ID), "{top}",
		strconv.Itoa(x.set.Top)).Replace(template)
}

func asItIs(s string) string { return s }

// runCommand runs the command for a query, whose text it gets on standard input too. No shell reads the words.
func (x *checking) runCommand(ctx gocontext.Context, q *golden.Query) ([]byte, error) {
	var words []string
	for _, w := range x.set.Results.Command {
		words = append(words, x.filled(w, q, asItIs))
	}
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	if x.command == "" { // of the golden set, whose folder the words are relative to
		c.Dir = filepath.Dir(x.set.File)
	}
	c.WaitDelay = time.Second
	c.Stdin = strings.NewReader(q.Text)
	c.Env = append(os.Environ(), "RANKBOX_TOP="+strconv.Itoa(x.set.Top))
	out, said := &capped{most: mostText}, &capped{most: 1 << 16}
	c.Stdout, c.Stderr = out, said
	if err := c.Run(); err != nil {
		if first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); first != "" {
			return nil, fmt.Errorf("%s: %w: %s", words[0], err, say.Brief(first, 200))
		}
		return nil, fmt.Errorf("%s: %w", words[0], err)
	}
	if out.over {
		return nil, fmt.Errorf("%s wrote more than %s", words[0], say.Bytes(mostText))
	}
	return out.Bytes(), nil
}

// capped keeps the first bytes that are written to it.
type capped struct {
	bytes.Buffer
	most int
	over bool
}

func (c *capped) Write(b []byte) (int, error) {
	n := min(len(b), c.most-c.Len())
	c.over = c.over || n < len(b)
	c.Buffer.Write(b[:n])
	return len(b), nil
}

// variable is a name of the environment in a header.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// asker follows no redirection to another host, nor from https to http: headers may hold a key.
var asker = http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
	if len(via) > 9 || r.URL.Host != via[0].URL.Host ||
		r.URL.Scheme != "https" && r.URL.Scheme != via[len(via)-1].URL.Scheme {
		return http.ErrUseLastResponse
	}
	return nil
}}

// masked is an address as an error may show it: with its query's names, but none of their values, which may be keys,
// and without a password.
func masked(address string) string {
	before, query, found := strings.Cut(address, "?")
	if scheme, rest, ok := strings.Cut(before, "://"); ok {
		host, path, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			before = scheme + "://…" + host[at:]
			if path != "" {
				before += "/" + path
			}
		}
	}
	if !found {
		return before
	}
	var names []string
	for _, part := range strings.Split(query, "&") {
		if name, _, valued := strings.Cut(part, "="); valued {
			names = append(names, name+"=…")
		} else {
			names = append(names, "…") // a key can stand alone
		}
	}
	return before + "?" + strings.Join(names, "&")
}

// request asks a server for a query.
func (x *checking) request(ctx gocontext.Context, q *golden.Query) ([]byte, error) {
	o := &x.set.Results
	method, body := o.Method, io.Reader(nil)
	if o.Body != "" {
		body = strings.NewReader(x.filled(o.Body, q, func(s string) string {
			var text bytes.Buffer
			e := json.NewEncoder(&text)
			e.SetEscapeHTML(false)
			if e.Encode(s) != nil { // a text: it cannot fail
				return ""
			}
			return text.String()[1 : text.Len()-2] // without the quotes and the line's end
		}))
	}
	if method == "" {
		method = http.MethodGet
		if body != nil {
			method = http.MethodPost
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, x.filled(o.URL, q, url.QueryEscape), body)
	if err != nil {
		return nil, fmt.Errorf("%s is not a URL", masked(o.URL))
	}
	if r.URL.Scheme != "http" && r.URL.Scheme != "https" {
		return nil, fmt.Errorf("%s is not a URL: want http:// or https://", masked(o.URL))
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range o.Headers {
		missing := ""
		value := variable.ReplaceAllStringFunc(h[1], func(s string) string {
			v, ok := os.LookupEnv(s[2 : len(s)-1])
			if !ok {
				missing = s[2 : len(s)-1]
			}
			return v
		})
		if missing != "" {
			return nil, fmt.Errorf("header %s: the environment variable %s is not set", h[0], missing)
		}
		r.Header.Set(h[0], value)
	}
	answer, err := asker.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			u.URL = masked(u.URL)
		}
		return nil, err
	}
	defer answer.Body.Close()
	b, err := within.All(answer.Body, 0, mostText)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 != 2 {
		return nil, fmt.Errorf("the server answers %s: %s", answer.Status, say.Brief(string(b), 200))
	}
	return b, nil
}
