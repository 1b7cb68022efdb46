//go:build !library

package intake

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Shape is a file of another tool that is rows of a run, of judgments or of scores in another arrangement. To add one,
// write its function and its line in Shapes.
type Shape struct {
	Name  string // "judgments of OpenSearch's Search Relevance Workbench"
	Gives string // "judgments"

	is   func(o *outline) bool
	rows func(t *flat, root *golden.Node)
}

// Shapes are those that are recognised, the special ones first.
var Shapes []Shape

func init() {
	Shapes = []Shape{
		{"predictions of MTEB", "a run", func(o *outline) bool { return o.has("mteb_model_meta") && !o.csv }, mteb},
		{"judgments of OpenSearch's Search Relevance Workbench", "judgments",
			func(o *outline) bool { return o.inner("judgmentRatings", "query", "ratings") }, openSearch},
		{"a case of Quepid", "judgments", func(o *outline) bool { return o.inner("queries", "query_text", "ratings") },
			quepidCase},
		{"a snapshot of Quepid", "a run", func(o *outline) bool {
			return o.csv && o.has("Query Text", "Doc ID", "Doc Position")
		}, columns("Query Text", "query", "Doc ID", "doc", "Doc Position", "rank")},
		{"ratings of Quepid", "judgments", func(o *outline) bool { return o.csv && o.has("Query Text", "Doc ID", "Rating") },
			columns("Query Text", "query", "Doc ID", "doc", "Rating", "grade")},
		{"an answer of Elasticsearch's _rank_eval", "a run with its ratings",
			func(o *outline) bool { return o.has("metric_score", "details") }, rankEval},
		{"questions of AutoRAG", "judgments", func(o *outline) bool { return o.has("qid", "query", "retrieval_gt") }, autoRAG},
		{"a test run of DeepEval", "scores", func(o *outline) bool { return o.inner("testCases", "metricsData") }, deepEval},
		{"scores of Langfuse", "scores", func(o *outline) bool { return o.has("traceId", "name", "value", "source") },
			columns("traceId", "query", "name", "measure", "value", "value")},
		{"feedback of LangSmith", "scores", func(o *outline) bool {
			return o.csv && slices.ContainsFunc(o.keys, func(k string) bool { return strings.HasPrefix(k, "feedback.") })
		}, func(t *flat, root *golden.Node) {
			t.measures(root, func(k string) bool { return strings.HasPrefix(k, "feedback.") })
		}},
		{"questions with measures of answers (Ragas, Haystack, DeepEval)", "scores", isAnswers,
			func(t *flat, root *golden.Node) { t.measures(root, answerMeasure) }},
		{"queries with lists of results", "a run", func(o *outline) bool {
			return !o.csv && o.query() != "" && o.list(resultIDs) != "" && !slices.ContainsFunc(o.keys, expects)
		}, resultLists},
		{"queries with results (sentence-transformers)", "a run", func(o *outline) bool {
			return o.query() != "" && slices.ContainsFunc(hitKeys, func(k string) bool {
				return slices.ContainsFunc(o.within[k], func(k string) bool { return slices.Contains(hitIDs, k) })
			})
		}, hitLists},
		{"a data frame in JSON (orient=columns or split)", "a run or judgments", isFrame, frame},
		{"a judged query, or one a line", "judgments", func(o *outline) bool {
			return o.has("query", "relevant_articles") && o.kind["relevant_articles"] == '{' && !o.listed
		}, judgedQueries},
		{"lists of results by query", "a run, or judgments", isByQuery, byQuery},
	}
}

// outline is the beginning of a file as the shapes look at it.
type outline struct {
	csv    bool
	listed bool                     // the objects are in an array
	keys   []string                 // of the object, or of the first of a list or of lines
	kind   map[string]jsontext.Kind // of what lies at a key
	first  map[string]jsontext.Kind // of the first entry of the list at a key
	within map[string][]string      // the keys of the first object of the list, or of the object, at a key
}

// outlineOf reads the beginning of a file, nil if it is neither JSON nor a CSV by its name.
func outlineOf(name string, head []byte) *outline {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	o := &outline{kind: map[string]jsontext.Kind{}, first: map[string]jsontext.Kind{}, within: map[string][]string{}}
	if len(head) == 0 {
		return nil
	}
	if head[0] != '{' && head[0] != '[' {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		c := csv.NewReader(bytes.NewReader(line))
		c.LazyQuotes = true
		if cells, err := c.Read(); err == nil && len(cells) > 1 && strings.HasSuffix(strings.ToLower(name), ".csv") {
			o.csv, o.keys = true, cells
			return o
		}
		return nil
	}
	r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
	r.Reset(head)
	if o.listed = r.Peek() == '['; o.listed {
		if r.BeginArray(); !r.More() || r.Peek() != '{' {
			return nil
		}
	}
	for r.BeginObject(); r.More() && len(o.keys) < 64; {
		key := string(r.Key())
		if r.Err() != nil {
			break
		}
		o.keys = append(o.keys, key)
		switch o.kind[key] = r.Peek(); o.kind[key] {
		case '{':
			o.within[key] = keysOf(r)
		case '[':
			n := 0
			for r.BeginArray(); r.More(); n++ {
				if n > 0 {
					r.Skip()
					continue
				}
				if o.first[key] = r.Peek(); o.first[key] == '{' {
					o.within[key] = keysOf(r)
				} else {
					r.Skip()
				}
			}
		default:
			r.Skip()
		}
	}
	return o
}

func keysOf(r *jsontext.Reader) (keys []string) {
	for r.BeginObject(); r.More(); {
		keys = append(keys, string(r.Key()))
		r.Skip()
	}
	return keys
}

// has says that there are some keys.
func (o *outline) has(keys ...string) bool {
	return !slices.ContainsFunc(keys, func(k string) bool { return !slices.Contains(o.keys, k) })
}

// inner says that the objects at a key have some keys.
func (o *outline) inner(key string, keys ...string) bool {
	return len(o.within[key]) > 0 && !slices.ContainsFunc(keys, func(k string) bool {
		return !slices.Contains(o.within[key], k)
	})
}

// The keys of results.
var (
	queryIDs   = []string{"query_id", "qid", "queryId", "query-id"}
	queryTexts = []string{"query", "question", "query_text", "user_input"}
	resultIDs  = []string{"doc_ids", "docids", "document_ids", "retrieved_ids", "retrieved_doc_ids", "ids", "docs",
		"documents", "results"}
	hitKeys = []string{"results", "hits", "documents", "docs"}
	hitIDs  = []string{"corpus_id", "doc_id", "docid", "docno", "document_id", "_id", "id"}
)

// expects says that a key is one of expectations: a file with results beside them is measured by them.
func expects(key string) bool {
	for _, word := range []string{"expected", "relevant", "reference", "gold", "ground_truth"} {
		if strings.HasPrefix(key, word) {
			return true
		}
	}
	return false
}

// query is the key of a query's id, or else text.
func (o *outline) query() string {
	for _, k := range slices.Concat(queryIDs, queryTexts) {
		if kind := o.kind[k]; kind == '"' || kind == '0' {
			return k
		}
	}
	return ""
}

// list is the first of some keys at which there is a list of texts or numbers.
func (o *outline) list(keys []string) string {
	for _, k := range keys {
		if o.first[k] == '"' || o.first[k] == '0' {
			return k
		}
	}
	return ""
}

// flat is the rows that become of a shape: those of a CSV with a header that package collection or scores reads.
type flat struct {
	role    Role
	system  string // the name of a file's system
	header  []string
	rows    [][]string
	lines   []int
	queries []collection.Query
	scores  bool
	seen    map[string]int // questions, how often
	count   int            // of them all
	err     error
}

func (t *flat) add(n *golden.Node, cells ...string) {
	t.rows, t.lines = append(t.rows, cells), append(t.lines, n.Line)
}

// shaped reads a file of a shape, nil if it is of none.
func shaped(name string, head []byte, role Role) *Shape {
	if role != Any && role != Judgments && role != Runs {
		return nil
	}
	o := outlineOf(name, head)
	if o == nil {
		return nil
	}
	for i := range Shapes {
		if Shapes[i].is(o) {
			return &Shapes[i]
		}
	}
	return nil
}

// shape reads a file of a shape as the rows that it is.
func (f *File) shape(s *Shape, role Role, b []byte, opt collection.Options) error {
	t := &flat{role: role, system: Name(f.Name), seen: map[string]int{}}
	err := golden.Each(f.Name, b, func(n *golden.Node) {
		if t.err == nil {
			s.rows(t, n)
		}
	})
	if err != nil {
		return err
	}
	if t.err != nil {
		return &collection.ParseError{File: f.Name, Err: fmt.Errorf("it is %s: %w", s.Name, t.err)}
	}
	if len(t.rows) == 0 {
		return &collection.ParseError{File: f.Name, Err: errors.New("it is " + s.Name + " and holds no entry")}
	}
	if t.scores || scores.Detect(t.table()) != "" {
		return f.scoreRows(t)
	}
	c, err := f.content(t, opt)
	if err == nil {
		c.Queries = append(c.Queries, t.queries...)
		f.Contents = []*collection.Content{c}
	}
	return err
}

// ReadShape reads a run or judgments that a tool arranged as one of Shapes, or as rows in JSON. c is nil for any other
// file, and rest is the file.
func ReadShape(name string, role Role, r io.Reader, opt collection.Options) (c *collection.Content, rest io.Reader,
	err error) {
	f := &File{Name: name, Role: role}
	head := make([]byte, scores.Head)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, nil, &collection.ParseError{File: name, Err: err}
	}
	head, rest = head[:n], behind(head[:n], r)
	sheet := bytes.HasPrefix(head, zipHead) && isSheet(name)
	if bytes.HasPrefix(head, zipHead) && !sheet {
		return nil, rest, nil
	}
	if k := kindOf(name, begins(name, bytes.NewReader(head)), role); k != another && k != rows && !sheet {
		return nil, rest, nil
	}
	if _, _, err = f.measure(rest, role, opt); err != nil {
		return nil, nil, err
	}
	if f.Scores != nil {
		return nil, nil, &collection.ParseError{File: name, Err: errors.New("it is a table of scores, and no run or " +
			"judgments: rankbox compare compares them")}
	}
	return f.Contents[0], nil, nil
}

// columns is the shape of rows of which three columns are taken, under other names.
func columns(names ...string) func(*flat, *golden.Node) {
	return func(t *flat, root *golden.Node) {
		t.header = []string{names[1], names[3], names[5]}
		t.scores = slices.Contains(t.header, "measure")
		for _, n := range root.Objects() {
			t.add(n, n.Get(names[0]).AsText(), n.Get(names[2]).AsText(), n.Get(names[4]).AsText())
		}
	}
}

// answerMeasures are the names under which tools write what they measured of an answer and its documents.
var answerMeasures = []string{"faithfulness", "answer_relevancy", "answer_correctness", "answer_similarity",
	"semantic_similarity", "context_precision", "context_recall", "context_relevancy", "context_relevance",
	"context_entity_recall", "context_utilization", "llm_context_precision_with_reference",
	"llm_context_precision_without_reference", "non_llm_context_precision_with_reference", "non_llm_context_recall",
	"factual_correctness", "noise_sensitivity", "nv_accuracy", "nv_context_relevance", "nv_response_groundedness",
	"response_groundedness", "groundedness", "hallucination", "correctness", "exact_match", "sas", "document_map",
	"document_mrr", "document_recall", "document_ndcg", "document_precision", "contextual_precision",
	"contextual_recall", "contextual_relevancy", "bias", "toxicity"}

func answerMeasure(key string) bool {
	key, _, _ = strings.Cut(key, "(")
	return slices.Contains(answerMeasures, strings.ReplaceAll(strings.ToLower(strings.TrimSpace(key)), " ", "_"))
}

// answerTexts are the columns in which tools keep the texts of an answer.
var answerTexts = []string{"response", "answer", "answers", "retrieved_contexts", "contexts", "context", "reference",
	"ground_truth", "ground_truths", "expected_output", "actual_output", "output", "predicted_answers", "outputs.answer",
	"outputs.output", "reference_contexts"}

// isAnswers reports whether rows are questions with texts and measures: columns that are measures of one system. Rows of
// figures alone are a table of scores, which asks whether its columns are measures or systems.
func isAnswers(o *outline) bool {
	if !slices.ContainsFunc(o.keys, func(k string) bool { return slices.Contains(answerTexts, strings.ToLower(k)) }) {
		return false
	}
	return slices.ContainsFunc(o.keys, func(k string) bool { return slices.Contains(queryTexts, k) || k == "input" }) &&
		slices.ContainsFunc(o.keys, answerMeasure) && !o.has("reference_context_ids")
}

// measures makes scores of the columns that are measures. A question that comes again has a number behind it.
func (t *flat) measures(root *golden.Node, measure func(string) bool) {
	t.scores, t.header = true, []string{"query", "measure", "value"}
	for _, n := range root.Objects() {
		item := ""
		t.count++
		for _, m := range n.Members {
			if k := strings.TrimPrefix(m.Key, "inputs."); item == "" && (slices.Contains(queryTexts, k) || k == "input") {
				item = m.Value.AsText()
			}
		}
		if item == "" {
			item = "row " + strconv.Itoa(t.count)
		}
		if t.seen[item]++; t.seen[item] > 1 {
			item += " (" + strconv.Itoa(t.seen[item]) + ")"
		}
		for _, m := range n.Members {
			if measure(m.Key) {
				t.add(n, item, strings.TrimPrefix(m.Key, "feedback."), m.Value.AsText())
			}
		}
	}
}

func deepEval(t *flat, root *golden.Node) {
	t.scores, t.header = true, []string{"query", "measure", "value"}
	seen := map[string]int{}
	for _, c := range list(root.Get("testCases")) {
		item := c.Get("input").AsText()
		if seen[item]++; seen[item] > 1 {
			item += " (" + strconv.Itoa(seen[item]) + ")"
		}
		for _, m := range list(c.Get("metricsData")) {
			t.add(m, item, m.Get("name").AsText(), m.Get("score").AsText())
		}
	}
}

// list are the entries of a list, none of nil.
func list(n *golden.Node) []*golden.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

func openSearch(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "grade"}
	for _, q := range list(root.Get("judgmentRatings")) {
		for _, r := range list(q.Get("ratings")) {
			t.add(r, q.Get("query").AsText(), r.Get("docId").AsText(), r.Get("rating").AsText())
		}
	}
}

func quepidCase(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "grade"}
	for _, q := range list(root.Get("queries")) {
		ratings := q.Get("ratings")
		for _, r := range list(ratings) { // [{"doc_id", "rating"}]
			t.add(r, q.Get("query_text").AsText(), r.Get("doc_id").AsText(), r.Get("rating").AsText())
		}
		if ratings != nil {
			for _, m := range ratings.Members {
				t.add(m.Value, q.Get("query_text").AsText(), m.Key, m.Value.AsText())
			}
		}
	}
}

// rankEval reads an answer of _rank_eval: the hits of each query, with the ratings of those that have one.
func rankEval(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "score", "grade"}
	for _, q := range root.Get("details").Members {
		for _, h := range list(q.Value.Get("hits")) {
			grade := ""
			if r := h.Get("rating"); r != nil {
				grade = r.AsText()
			}
			hit := h.Get("hit")
			t.add(h, q.Key, hit.Get("_id").AsText(), hit.Get("_score").AsText(), grade)
		}
	}
}

// autoRAG reads the questions of AutoRAG: a list of ids, or of lists of which each is one way to the answer. CSV has
// them as Python writes lists.
func autoRAG(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "grade"}
	for _, q := range root.Objects() {
		id := q.Get("qid").AsText()
		t.queries = append(t.queries, collection.Query{ID: id, Text: q.Get("query").AsText()})
		seen := map[string]bool{}
		var walk func(n *golden.Node)
		walk = func(n *golden.Node) {
			switch {
			case n == nil:
			case n.Kind == golden.List:
				for _, x := range n.Items {
					walk(x)
				}
			default:
				for _, doc := range pythonList(n.AsText()) {
					if !seen[doc] {
						t.add(q, id, doc, "1")
					}
					seen[doc] = true
				}
			}
		}
		walk(q.Get("retrieval_gt"))
	}
}

// pythonList are the texts of a list as Python prints it; a text that is no list is its own.
func pythonList(s string) (out []string) {
	if !strings.HasPrefix(strings.TrimSpace(s), "[") {
		return []string{s}
	}
	for len(s) > 0 {
		at := strings.IndexAny(s, `'"`)
		if at < 0 {
			return out
		}
		end := strings.IndexByte(s[at+1:], s[at])
		if end < 0 {
			return out
		}
		out = append(out, s[at+1:at+1+end])
		s = s[at+end+2:]
	}
	return out
}

// asked is the id of an entry's query, and its text if it has one too.
func (t *flat) asked(n *golden.Node) (id string) {
	for _, k := range queryIDs {
		if id = n.Get(k).AsText(); id != "" {
			break
		}
	}
	for _, k := range queryTexts {
		if text := n.Get(k).AsText(); text != "" {
			if id == "" {
				return text
			}
			t.queries = append(t.queries, collection.Query{ID: id, Text: text})
			break
		}
	}
	return id
}

// resultLists reads {"query", "doc_ids", "scores"}.
func resultLists(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "rank", "score"}
	ranked := false
	for _, n := range root.Objects() {
		id := t.asked(n)
		var docs []*golden.Node
		for _, k := range resultIDs {
			if docs = list(n.Get(k)); docs != nil {
				break
			}
		}
		scored, scores := n.Get("scores") != nil, list(n.Get("scores"))
		if scored && len(scores) != len(docs) {
			t.err = fmt.Errorf("line %d: %d documents and %d scores", n.Line, len(docs), len(scores))
			return
		}
		ranked = ranked || !scored
		for i, d := range docs {
			score := ""
			if scored {
				score = scores[i].AsText()
			}
			t.add(n, id, d.AsText(), strconv.Itoa(i+1), score)
		}
	}
	t.unscored(ranked)
}

// unscored leaves the scores out if some entry has none: then ranks count for all.
func (t *flat) unscored(some bool) {
	if !some {
		return
	}
	t.header = t.header[:3]
	for i := range t.rows {
		t.rows[i] = t.rows[i][:3]
	}
}

// hitLists reads {"query_id", "results": [{"corpus_id", "score"}]}.
func hitLists(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "rank", "score"}
	ranked := false
	for _, n := range root.Objects() {
		id := t.asked(n)
		for _, k := range hitKeys {
			hits := list(n.Get(k))
			for i, h := range hits {
				doc := ""
				for _, k := range hitIDs {
					if doc = h.Get(k).AsText(); doc != "" {
						break
					}
				}
				score := h.Get("score").AsText()
				ranked = ranked || score == ""
				t.add(h, id, doc, strconv.Itoa(i+1), score)
			}
			if hits != nil {
				break
			}
		}
	}
	t.unscored(ranked)
}

// mteb reads {"mteb_model_meta", subset: {split: {query: {document: score}}}}.
func mteb(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "score"}
	var parts []string
	for _, subset := range root.Members {
		if subset.Key == "mteb_model_meta" || subset.Value.Kind != golden.Map {
			continue
		}
		for _, split := range subset.Value.Members {
			if parts = append(parts, subset.Key+"/"+split.Key); len(parts) > 1 {
				t.err = errors.New("it has several parts (" + strings.Join(parts, ", ") + "): save one of them alone")
				return
			}
			for _, q := range split.Value.Members {
				for _, d := range q.Value.Members {
					t.add(d.Value, q.Key, d.Key, d.Value.AsText())
				}
			}
		}
	}
}

// isFrame says that JSON is a data frame: columns by their names, each by the number of the row; or "columns" and
// "data". Its columns are those of a run or of judgments.
func isFrame(o *outline) bool {
	if o.csv {
		return false
	}
	if o.has("columns", "data") && o.first["columns"] == '"' && o.first["data"] == '[' {
		return true
	}
	return len(o.keys) >= 3 && !slices.ContainsFunc(o.keys, func(k string) bool {
		return o.kind[k] != '{' || len(o.within[k]) > 0 && o.within[k][0] != "0"
	})
}

func frame(t *flat, root *golden.Node) {
	if data := root.Get("data"); data != nil {
		for _, c := range list(root.Get("columns")) {
			t.header = append(t.header, c.AsText())
		}
		for _, row := range data.Items {
			var cells []string
			for _, c := range row.Items {
				cells = append(cells, c.AsText())
			}
			if len(cells) != len(t.header) {
				t.err = fmt.Errorf("line %d: %d values, expected %d", row.Line, len(cells), len(t.header))
				return
			}
			t.add(row, cells...)
		}
		return
	}
	for _, c := range root.Members {
		t.header = append(t.header, c.Key)
	}
	for i, first := range root.Members[0].Value.Members {
		cells := make([]string, len(root.Members))
		for k, c := range root.Members {
			if i < len(c.Value.Members) && c.Value.Members[i].Key == first.Key {
				cells[k] = c.Value.Members[i].Value.AsText()
			} else {
				cells[k] = c.Value.Get(first.Key).AsText()
			}
		}
		t.add(first.Value, cells...)
	}
}

// isByQuery says that JSON is {query: [documents]}.
func isByQuery(o *outline) bool {
	some := false
	for i, k := range o.keys {
		if i == 16 {
			break
		}
		if o.kind[k] != '[' || o.first[k] != 0 && o.first[k] != '"' && o.first[k] != '0' || slices.Contains(resultIDs, k) ||
			slices.Contains([]string{"queries", "questions", "columns", "data", "index", "texts", "metadatas"}, k) {
			return false
		}
		some = some || o.first[k] != 0
	}
	return some && !o.csv
}

// byQuery reads {query: [documents]}: a run by rank, or judgments that all are relevant if it is said to be judgments.
func byQuery(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "rank"}
	if t.role == Judgments {
		t.header[2] = "grade"
	}
	for _, n := range root.Objects() {
		for _, q := range n.Members {
			for i, d := range q.Value.Items {
				rank := strconv.Itoa(i + 1)
				if t.role == Judgments {
					rank = "1"
				}
				t.add(d, q.Key, d.AsText(), rank)
			}
		}
	}
}

// judgedQueries reads {"query", "relevant_articles": {document: grade}}, alone or a line each. Their ids are their
// numbers, as in a list of them, unless they have their own.
func judgedQueries(t *flat, root *golden.Node) {
	t.header = []string{"query", "doc", "grade"}
	for i, n := range root.Objects() {
		id := strconv.Itoa(i + 1)
		for _, k := range append([]string{"id"}, queryIDs...) {
			if own := n.Get(k).AsText(); own != "" {
				id = own
			}
		}
		t.queries = append(t.queries, collection.Query{ID: id, Text: n.Get("query").AsText(), Type: n.Get("type").AsText()})
		if judged := n.Get("relevant_articles"); judged != nil {
			for _, m := range judged.Members {
				t.add(m.Value, id, m.Key, m.Value.AsText())
			}
		}
	}
}
