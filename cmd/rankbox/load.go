package main

import (
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
	"github.com/rankbox/rankbox/core/remote/gateway/load"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

func engineNames() []string {
	var out []string
	for _, e := range load.Engines {
		out = append(out, e.Name)
	}
	return out
}

// mostBulk is how many bytes of documents one request has, unless one document has more.
const mostBulk = 4 << 20

// loadCollection writes the documents of a collection into a search engine.
func loadCollection(c *context, args []string) error {
	f := flag.NewFlagSet("load", flag.ContinueOnError)
	to := f.String("to", "", "the engine: "+strings.Join(engineNames(), ", "))
	at := f.String("url", "", "`URL` of the engine, such as http://127.0.0.1:9200")
	index := f.String("index", "", "the `name` of the index, class, collection or schema")
	model := f.String("vectors", "", "write the vectors of this `model` too: a folder in COLLECTION/vectors, or "+
		"the path of one")
	schema := f.String("schema", "", "a `file` with the mapping or schema instead of the one that -dry-run prints")
	secret := f.String("secret", "", "the `name` of the environment variable with the engine's key (Basic "+
		"credentials in base64 for opensearch)")
	journal := f.String("journal", "", "the `file` that remembers what was written; default: "+
		"rankbox-load-ENGINE-INDEX.journal; none for no file")
	skip := f.Int("skip", 0, "go on after this many `documents` that the engine refuses")
	remove := f.Bool("delete", false, "delete documents that an earlier call wrote and the corpus no longer has")
	hands := f.Int("j", 0, "requests at once, at most; default: the engine's")
	dry := f.Bool("dry-run", false, "print the mapping or schema, and write nothing")
	quiet := f.Bool("quiet", false, "no progress and no warnings on standard error")
	var from opening
	from.limits.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	engine := load.Find(*to)
	switch {
	case len(words) != 1:
		return usagef("want one collection")
	case engine == nil:
		return usagef("-to %q is not one of %s", *to, strings.Join(engineNames(), ", "))
	case *index == "" || strings.ContainsAny(*index, "/?#%\\\"{}<>|*, "):
		return usagef("-index %q: want a plain name", *index)
	}
	l := &loader{c: c, engine: engine, target: &load.Target{Index: *index}, skip: *skip, quiet: *quiet,
		remove: *remove}
	if engine.Check != nil {
		if err := engine.Check(l.target); err != nil {
			return usagef("-index %s: %w", *index, err)
		}
	}
	if *schema != "" {
		if l.target.Schema, err = readFile(*schema, mostText); err != nil {
			return err
		}
	}
	if *model != "" {
		if err := l.readVectors(words[0], *model); err != nil {
			return err
		}
	}
	if *dry {
		out, end := c.output("text")
		defer end()
		_, err := out.Write(engine.SchemaOf(l.target))
		return err
	}
	if l.base, err = plainURL("-url", *at); err != nil {
		return err
	}
	if *secret != "" {
		key := os.Getenv(*secret)
		if key == "" {
			return usagef("-secret %s: there is no such environment variable, or it is empty", *secret)
		}
		name, value := backend.Find(engine.Name).Auth(key)
		l.header = [2]string{name, value}
	}
	l.gate.limit = engine.InFlight
	if *hands > 0 {
		l.gate.limit = *hands
	}
	l.gate.most = l.gate.limit
	l.client = directClient(l.gate.most)
	name := *journal
	if name == "" {
		name = "rankbox-load-" + engine.Name + "-" + *index + ".journal"
	}
	if name != "none" {
		l.journal = name
	}
	return l.run(words[0], &from)
}

// directClient follows no redirect, since a key goes with each request.
func directClient(connections int) *http.Client {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Timeout: 150 * time.Second, CheckRedirect: stay,
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: connections}}
}

// run is the order of the command: index, journal, documents, finish, and what the engine then says it has.
func (l *loader) run(name string, from *opening) error {
	documents, err := l.documents(name, from)
	if err != nil {
		return err
	}
	made, err := l.setup()
	if err != nil {
		return err
	}
	if err := l.resume(made); err != nil {
		return err
	}
	began := time.Now()
	if err := l.write(documents); err != nil {
		if l.sent > 0 && l.journal != "" {
			return say.Faultf("rankbox", "%w. %s documents are written: the same command goes on with the others", err,
				say.Thousands(l.before+l.sent))
		}
		return err
	}
	if err := l.removeGone(); err != nil {
		return err
	}
	took := time.Since(began)
	for _, call := range l.engine.Finish(l.target) {
		if status, body, _, err := l.send(call); err != nil || status/100 != 2 {
			return l.failure(call, status, body, err)
		}
	}
	return l.report(took, made)
}

// setup makes the index, and reports whether it was not there before.
func (l *loader) setup() (made bool, err error) {
	calls := l.engine.Setup(l.target)
	for i, call := range calls {
		if !l.quiet && i == 0 {
			fmt.Fprintf(l.c.err, "%s %s\n%s", call.Method, call.Path, call.Body)
		}
		status, body, _, err := l.send(call)
		switch {
		case err == nil && status/100 == 2:
			made = made || i == 0
		case err == nil && i == 0 && l.engine.Exists(status, body):
			if !l.quiet {
				fmt.Fprintf(l.c.err, "rankbox load: the index %s is there already and keeps its mapping\n",
					l.target.Index)
			}
		default:
			return false, l.failure(call, status, body, err)
		}
	}
	if len(calls) == 0 && !l.quiet {
		fmt.Fprintf(l.c.err, "rankbox load: %s takes its schema in an application package; -dry-run prints it\n",
			l.engine.Name)
	}
	return made, nil
}

// failure is the error of a call that an engine does not answer with success.
func (l *loader) failure(call load.Call, status int, body []byte, err error) error {
	path, _, _ := strings.Cut(call.Path, "?")
	where := call.Method + " " + l.base + path
	switch {
	case err != nil:
		return fmt.Errorf("%s: %s cannot be reached: %w", where, l.engine.Name, err)
	case status == 401 || status == 403:
		return fmt.Errorf("%s: %s rejects the key (status %d): name the environment variable that holds it with "+
			"-secret", where, l.engine.Name, status)
	}
	return fmt.Errorf("%s: %s answers with status %d: %s", where, l.engine.Name, status, load.Why(body))
}

// report says what the engine has now, and prints the backend for the edge's configuration.
func (l *loader) report(took time.Duration, made bool) error {
	k := backend.Find(l.engine.Name)
	s := &backend.Settings{Index: l.target.Index}
	r := k.Inspect.Ask(s)
	call := load.Call{Method: "GET", Path: r.Path}
	if r.Body != nil {
		call = load.Call{Method: "POST", Path: r.Path, Type: "application/json", Body: r.Body}
	}
	status, body, _, err := l.send(call)
	if err != nil || status != 200 {
		return l.failure(call, status, body, err)
	}
	told, err := k.Inspect.Read(s, body)
	if err != nil {
		return l.failure(call, status, body, nil)
	}
	if !l.quiet {
		each := ""
		if s := took.Seconds(); l.sent > 0 && s > 0 {
			each = fmt.Sprintf(" in %.1f s, %s a second; %.0f %% of the time all requests waited for %s", s,
				say.Thousands(int(float64(l.sent)/s)), 100*l.blocked.Seconds()/s, l.engine.Name)
		}
		also := ""
		if l.same > 0 {
			also += ", " + say.Thousands(l.same) + " unchanged"
		}
		if l.gone > 0 {
			also += ", " + say.Thousands(l.gone) + " deleted"
		}
		fmt.Fprintf(l.c.err, "rankbox load: %s written%s%s; the index %s has %s\n", say.Count(l.sent, "document",
			"documents"), also, each, l.target.Index, told.Documents)
	}
	if want := l.sent; made && told.Documents != fmt.Sprint(want) && !l.quiet {
		fmt.Fprintf(l.c.err, "rankbox load: warning: %s documents were written; ids that appear twice count once\n",
			say.Thousands(want))
	}
	out, end := l.c.output("text")
	defer end()
	_, err = fmt.Fprintf(out, "{\"id\": %s, \"kind\": %s, \"url\": %s, \"does\": [\"search\"], %s}\n",
		quote(strings.ToLower(l.target.Index)), quote(l.engine.Name),
		quote(l.base), l.engine.Backend(l.target))
	return err
}

// readVectors reads the vectors of the documents that a model made.
func (l *loader) readVectors(name, model string) error {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		name = filepath.Dir(name)
	}
	root, want := filepath.Join(name, "vectors"), model
	if strings.ContainsRune(model, filepath.Separator) {
		root, want = filepath.Split(filepath.Clean(model))
	}
	m, err := bundle.ReadVectors(os.DirFS(root), ".", []string{want})
	if err != nil {
		return say.Faultf("rankbox", "%s: %w", root, err)
	}
	if len(m.Vectors) != 1 {
		return fmt.Errorf("%s holds no vectors of the model %s", root, say.Visible(want))
	}
	v := m.Vectors[0]
	l.vectors, l.rows, l.target.Dimensions = v.Docs, make(map[string]int, len(v.DocIDs)), v.Docs.Dim
	for i, id := range v.DocIDs {
		l.rows[id] = i
	}
	return nil
}

// vector returns the vector of a document, nil if there is none, or if it is zero, which has no direction.
func (l *loader) vector(id string) []float32 {
	row, ok := l.rows[id]
	if !ok {
		return nil
	}
	dim := l.vectors.Dim
	if l.vectors.Floats != nil {
		return notZero(l.vectors.Floats[row*dim : (row+1)*dim])
	}
	out := make([]float32, dim)
	for i, x := range l.vectors.Row(row) {
		out[i] = float32(x) * l.vectors.Scales[row]
	}
	return notZero(out)
}

func notZero(v []float32) []float32 {
	for _, x := range v {
		if x != 0 {
			return v
		}
	}
	return nil
}

// documents returns what hands on the documents of a collection. Those of a corpus.jsonl are never in memory together.
func (l *loader) documents(name string, from *opening) (func(each func(collection.Doc) error) error, error) {
	if withoutDocuments(name) {
		return nil, fmt.Errorf("%s has queries and judgments alone: there are no documents to load", name)
	}
	file := corpusOf(name)
	if file == "" {
		src, _, err := from.source(l.c, []string{name})
		return func(each func(collection.Doc) error) error {
			for _, d := range src.Collection.Docs {
				if err := each(d); err != nil {
					return err
				}
			}
			return nil
		}, err
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	limits := from.limits.Limits
	if limits.Bytes == 0 {
		limits.Bytes = -1
	}
	return func(each func(collection.Doc) error) error {
		defer in.Close()
		_, err := collection.StreamCorpus(in, file, collection.Options{Limits: limits}, each)
		return err
	}, nil
}

// corpusOf returns the file of the documents of a folder in BEIR's layout, or a file of that format itself; "" for
// others.
func corpusOf(name string) string {
	if lower := strings.TrimSuffix(name, ".gz"); strings.HasSuffix(lower, ".jsonl") {
		return name
	}
	for _, pattern := range []string{"corpus.jsonl", "corpus.jsonl.gz", "*/corpus.jsonl", "*/corpus.jsonl.gz"} {
		if found, err := fs.Glob(os.DirFS(name), pattern); err == nil && len(found) == 1 {
			return filepath.Join(name, filepath.FromSlash(found[0]))
		}
	}
	return ""
}

// write reads, batches and sends what the journal does not say is written as it is now. Requests on their way are
// bounded, and so are the batches that wait for one.
func (l *loader) write(documents func(each func(collection.Doc) error) error) error {
	sends := l.start()
	n, size := 0, 0
	b := &batch{}
	flush := func() error {
		if len(b.docs) == 0 {
			return nil
		}
		full := b
		b, size = &batch{docs: make([]load.Doc, 0, l.engine.Batch)}, 0
		before := time.Now()
		err := sends.push(full)
		l.blocked += time.Since(before)
		return err
	}
	err := documents(func(d collection.Doc) error {
		if l.c.stopped() {
			return errStopped
		}
		n++
		x := load.Doc{ID: d.ID, Title: d.Title, Text: d.Text, Date: d.Date, Category: d.Category,
			Vector: l.vector(d.ID)}
		key, sum := keyOf(d.ID), sumOf(&x)
		l.seen[key] = true
		if known, ok := l.known[key]; ok && known == sum {
			l.same++
			return nil
		}
		l.known[key] = sum
		b.docs, b.at, b.sums = append(b.docs, x), append(b.at, n), append(b.sums, sum)
		size += len(x.ID) + len(x.Title) + len(x.Text) + 12*len(x.Vector)
		if len(b.docs) == l.engine.Batch || size >= mostBulk {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	before := time.Now()
	failed := sends.wait()
	if l.blocked += time.Since(before); failed != nil {
		return failed
	}
	return err
}

// keyOf is what a document is known by while a corpus is read: the beginning of the digest of its id.
func keyOf(id string) uint64 {
	sum := sha256.Sum256([]byte(id))
	return binary.BigEndian.Uint64(sum[:])
}

// sumOf is the beginning of the digest of everything that is written of a document.
func sumOf(d *load.Doc) uint64 {
	h := sha256.New()
	for _, s := range []string{d.ID, d.Title, d.Text, d.Date, d.Category} {
		fmt.Fprintf(h, "%d\n%s", len(s), s)
	}
	for _, v := range d.Vector {
		binary.Write(h, binary.BigEndian, math.Float32bits(v))
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// removeGone deletes the documents that the journal says are written and that the corpus does not have.
func (l *loader) removeGone() error {
	there := map[string]bool{} // documents that the corpus does not have
	if err := l.entries(func(e *journalEntry) {
		for _, w := range e.Written {
			if !l.seen[keyOf(w[0])] {
				there[w[0]] = true
			}
		}
		for _, id := range e.Gone {
			delete(there, id)
		}
	}); err != nil || len(there) == 0 {
		return err
	}
	ids := slices.Sorted(maps.Keys(there))
	if !l.remove {
		return fmt.Errorf("%s that the index %s has %s not in this corpus, such as %s. -delete deletes them from the "+
			"index; if this is another corpus, load it into another index",
			say.Count(len(ids), "document", "documents"), l.target.Index, say.Verb(len(ids), "is", "are"),
			say.Visible(ids[0]))
	}
	most := l.engine.Deletes
	if most == 0 {
		most = l.engine.Batch
	}
	for part := range slices.Chunk(ids, most) {
		if err := l.persist(l.engine.Delete(l.target, part)); err != nil {
			return err
		}
		l.gone += len(part)
		if err := l.note(&journalEntry{Gone: part}); err != nil {
			return err
		}
	}
	return nil
}
