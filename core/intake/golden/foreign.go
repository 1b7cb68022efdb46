package golden

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/near"
)

// The keys that public repositories use, as plain has them. Each list is in the order of preference.
var (
	queryKeys   = []string{"query", "question", "userinput", "querytext", "searchquery", "input", "prompt", "text", "q"}
	queryIDs    = []string{"id", "queryid", "qid", "questionid", "caseid", "testid"}
	forbidKeys  = []string{"forbiddenids", "forbiddendocs", "mustnotappear", "excludedids", "forbid", "unwantedids"}
	conceptKeys = []string{"expectedconcepts", "expectedkeywords", "requiredkeywords", "mustcontain", "expectedterms",
		"mustinclude"}
	scoreKeys  = []string{"expectedminscore", "minscore"}
	answerKeys = []string{"retrievedcontextids", "retrievedids", "retrieveddocids", "retrievedsections",
		"rankeddocids"}
	tagKeys     = []string{"tags", "tag", "category", "categories", "type", "querytype", "difficulty", "domain"}
	nothingKeys = []string{"noanswer", "unanswerable", "isimpossible", "expectnone", "isunanswerable"}
	byKeys      = []string{"by", "judge", "labeler", "labeller", "annotator", "labeledby", "labelledby", "generatedby",
		"synthesizername", "model", "judgemodel"}
	poolKeys  = []string{"candidates", "candidateids", "haystacksessionids", "pool"}
	aboutKeys = []string{"notes", "note", "metadata", "reference", "referencecontexts", "retrievedcontexts", "response", "expectedanswer", "answer",
		"answers",
		"groundtruth"}
	envelopeKeys = []string{"queries", "questions", "examples", "samples", "tests", "testcases", "cases", "items",
		"data", "dataset", "golden", "goldenset", "requests", "entries", "evalset"}
)

// What is expected is named by one of expectBegins and one of expectEnds, as expected_ids, relevant_docs or
// gold_chunk_ids. A list or a map is also what is expected under one of expectAlone. A map of gradesBeside grades them.
var (
	expectBegins = []string{"expected", "expect", "relevant", "gold", "golden", "groundtruth", "reference", "correct",
		"required", "supporting", "target"}
	expectEnds = []string{"id", "doc", "docid", "document", "documentid", "source", "sourceid", "file", "filename",
		"path",
		"url", "uri", "chunk", "chunkid", "contextid", "node", "nodeid", "passage", "passageid", "section",
		"article", "page", "note", "noteid", "entry", "memoryid", "product", "productid"}
	expectAlone = []string{"expected", "relevant", "relevance", "gold", "golden", "qrels", "judgments", "judgements",
		"ratings"}
	gradesBeside = []string{"grades", "relevancegrades", "expectedgrades", "docgrades", "documentgrades"}
	outputAlone  = []string{"documents", "docs", "ids", "documentids", "docids", "sources", "chunks", "chunkids"}
)

// isExpect reports whether a plain key says which documents are expected, by the value under it. alone are the keys
// that say so in themselves.
func isExpect(key string, v *Node, alone []string) bool {
	if v == nil || v.Kind == Null {
		return false
	}
	if oneOf(alone, key) {
		return v.Kind == List || v.Kind == Map && !nested(v)
	}
	for _, b := range expectBegins {
		if rest, ok := strings.CutPrefix(key, b); ok {
			if oneOf(expectEnds, rest) || oneOf(expectEnds, strings.TrimSuffix(rest, "s")) {
				return v.scalar() || v.Kind == List || v.Kind == Map && !nested(v)
			}
		}
	}
	return false
}

// nested reports whether a map holds something else than grades.
func nested(n *Node) bool {
	return slices.ContainsFunc(n.Members, func(m Member) bool { return m.Value.Kind != Number && m.Value.Kind != Bool })
}

// findExpect is the first value of a map that says which documents are expected, nil for none.
func findExpect(n *Node, alone []string) *Node {
	for i := range n.Members {
		if isExpect(plain(n.Members[i].Key), n.Members[i].Value, alone) {
			return n.Members[i].Value
		}
	}
	return nil
}

// shapes are the shapes of other tools that more than their keys tell apart: one line a shape, the special ones first.
var shapes = []struct {
	name string
	is   func(n *Node) bool
	read func(r *reading, n *Node)
}{
	{"a dataset of LlamaIndex", isLlamaIndex, (*reading).llamaIndex},
	{"a request of Elasticsearch's _rank_eval", isRankEval, (*reading).rankEval},
	{"ratings of Quepid for RRE", isRRE, (*reading).rre},
	{"tests of promptfoo", isPromptfoo, (*reading).promptfoo},
	{"examples of LangSmith", isLangSmith, (*reading).langSmith},
	{"ratings, a row each", isRatings, (*reading).rows},
	{"queries with expectations", isQueries, (*reading).queries},
}

// Shapes are the names of the shapes that are recognised.
func Shapes() (out []string) {
	for _, s := range shapes {
		out = append(out, s.name)
	}
	return out
}

// foreign reads a text in one of the shapes.
func (r *reading) foreign(n *Node) {
	asked := []*Node{n}
	if n.Kind == Map { // perhaps the only line of JSON Lines
		asked = append(asked, &Node{Kind: List, Line: n.Line, Items: []*Node{n}})
	}
	for _, n := range asked {
		for _, s := range shapes {
			if s.is(n) {
				r.Shape = s.name
				s.read(r, n)
				r.judged(n)
				return
			}
		}
	}
	why := "this is neither a golden set nor a known format: it is " + n.Kind.word()
	if n.Kind == Map {
		var keys []string
		for _, m := range n.Members {
			keys = append(keys, strconv.Quote(say.Brief(m.Key, 40)))
		}
		why += " of " + say.Few(keys, 8)
		if len(n.Members) > 0 {
			if meant := near.Name(n.Members[0].Key, setKeys); meant != "" {
				why += ". Did you mean " + meant + "?"
			}
		}
	}
	r.refuse(n.Line, why+". A golden set has queries and the documents that they expect: docs/check.md")
}

// judged refuses a file without a recognised expectation: a check of it would pass with any results.
func (r *reading) judged(n *Node) {
	for i := range r.Queries {
		if q := &r.Queries[i]; len(q.Expected) > 0 || q.expects(r.Set) {
			return
		}
	}
	r.refuse(n.Line, "read as "+r.Shape+", but no query has an expectation (such as "+
		say.Or([]string{"expected_ids", "relevant_docs", "expected_concepts"})+")")
}

// entries are the items of a list, of one of its lines or within a map's envelope.
func entries(n *Node) []*Node {
	if n.Kind == List {
		return n.Items
	}
	if list := find(n, envelopeKeys); list != nil && list.Kind == List {
		return list.Items
	}
	return nil
}

// some reports whether there are entries and all of the first few are maps that pass.
func some(n *Node, pass func(x *Node) bool) bool {
	list := entries(n)
	for _, x := range list[:min(len(list), 20)] {
		if x.Kind != Map || !pass(x) {
			return false
		}
	}
	return len(list) > 0
}

// isQueries: [{query, expected_ids}], {queries: [{query, relevant_docs: {id: grade}}]}, lines of {question, …}, and the
// samples of Ragas: user_input, reference_context_ids, retrieved_context_ids.
func isQueries(n *Node) bool {
	return some(n, func(x *Node) bool { return find(x, queryKeys).scalar() || find(x, queryIDs).scalar() })
}

func (r *reading) queries(n *Node) {
	all := entries(n)
	r.Queries = slices.Grow(r.Queries, len(all))
	for _, x := range all {
		if x.Kind != Map {
			r.refuse(x.Line, "a query is "+x.Kind.word()+", not a map")
			return
		}
		q := r.query(x, x)
		r.expectations(&q, x, expectAlone)
		r.add(q)
		r.answer(&q, x)
		for _, m := range x.Members {
			key := plain(m.Key)
			if isExpect(key, m.Value, expectAlone) {
				continue
			}
			if !slices.ContainsFunc([][]string{queryKeys, queryIDs, forbidKeys, conceptKeys, scoreKeys, answerKeys,
				aboutKeys, gradesBeside, tagKeys, nothingKeys, poolKeys, byKeys, {"answerable"}}, func(l []string) bool { return oneOf(l, key) }) {
				r.warn(collection.UnknownField, m.Line, quoted(m.Key)+" of a query is unknown and ignored")
			}
		}
	}
}

// query takes the text of a query out of one map and its id out of another.
func (r *reading) query(text, id *Node) Query {
	q := newQuery(id.Line)
	if t := find(text, queryKeys); t.scalar() {
		q.Text = t.Text
	}
	if t := find(id, queryIDs); t.scalar() {
		q.ID = t.Text
	}
	return q
}

// expectations takes what a query expects. Of several keys with documents the first counts: they are often ids of
// documents and of chunks.
func (r *reading) expectations(q *Query, x *Node, alone []string) {
	taken := ""
	var graded []Grade
	for _, m := range x.Members {
		switch key := plain(m.Key); {
		case isExpect(key, m.Value, alone):
			if taken != "" {
				r.warn("expectation", m.Line, quoted(m.Key)+" is ignored: "+quoted(taken)+" gives the expectation")
				continue
			}
			q.Expected, taken = r.grades(m.Key, m.Value), m.Key
		case oneOf(gradesBeside, key) && m.Value.Kind == Map:
			graded = append(graded, r.grades(m.Key, m.Value)...)
		case oneOf(forbidKeys, key):
			q.Forbidden = append(q.Forbidden, r.texts(m.Key, m.Value)...)
		case oneOf(conceptKeys, key):
			q.Concepts = append(q.Concepts, r.texts(m.Key, m.Value)...)
		case oneOf(scoreKeys, key) && m.Value.Kind != Null:
			q.MinScore = r.number(m.Key, m.Value)
		case oneOf(nothingKeys, key) && m.Value.Kind == Bool, key == "answerable" && m.Value.Kind == Bool:
			q.Nothing = (m.Value.Text == "true") != (key == "answerable")
		case oneOf(tagKeys, key) && (m.Value.scalar() || m.Value.Kind == List):
			q.Tags = append(q.Tags, r.texts(m.Key, m.Value)...)
		case oneOf(byKeys, key) && m.Value.Kind == Text && q.By == "":
			q.By = m.Value.Text
		case oneOf(poolKeys, key) && m.Value.Kind == List:
			q.Candidates = append(q.Candidates, r.texts(m.Key, m.Value)...)
		}
	}
	for _, g := range graded {
		q.Expected = slices.DeleteFunc(q.Expected, func(e Grade) bool { return e.Doc == g.Doc })
	}
	q.Expected = once(append(q.Expected, graded...))
}

// once drops documents that come again with the same grade.
func once(list []Grade) (out []Grade) {
	seen := map[Grade]bool{}
	for _, g := range list {
		if !seen[g] {
			out = append(out, g)
		}
		seen[g] = true
	}
	return out
}

// answer takes what was retrieved for the query, if the file says so.
func (r *reading) answer(q *Query, x *Node) {
	r.answered(q, find(x, answerKeys))
}

// answered takes a list of results as the answer to a query. Anything else is no list of documents: the text that a
// model wrote.
func (r *reading) answered(q *Query, list *Node) {
	if list == nil || list.Kind != List {
		return
	}
	a, err := ParseAnswer(list, Paths{})
	r.wrong(list.Line, err)
	if r.Answers == nil {
		r.Answers = map[string]Answer{}
	}
	id := q.ID
	if id == "" {
		id = q.Text
	}
	r.Answers[id] = a
}

// isRatings: lines of query, docid, rating, as Quepid's "basic" export. Oracle: o19s/quepid, show.basic.csv.erb.
func isRatings(n *Node) bool {
	return n.Kind == List && some(n, func(x *Node) bool {
		if find(x, queryKeys) == nil || findExpect(x, expectAlone) != nil || find(x, conceptKeys) != nil {
			return false
		}
		return len(x.Members) == 1 || find(x, idNames) != nil && (find(x, gradeNames) != nil || len(x.Members) == 2)
	})
}

func (r *reading) rows(n *Node) {
	at := map[string]int{}
	for _, x := range n.Items {
		q := r.query(x, &Node{Line: x.Line})
		i, ok := at[q.Text]
		if !ok {
			i = len(r.Queries)
			at[q.Text] = i
			r.add(q)
		}
		doc, grade := find(x, idNames), find(x, gradeNames)
		if doc == nil || doc.Text == "" { // a query that nobody rated
			continue
		}
		g := Grade{doc.Text, 1}
		if grade != nil && grade.Text != "" {
			g.Grade = r.grade(doc.Text, grade)
		}
		if r.err != nil {
			return
		}
		r.Queries[i].Expected = once(append(r.Queries[i].Expected, g))
	}
}

// isLlamaIndex: {queries: {id: text}, corpus: {id: text}, relevant_docs: {id: [id]}}, as EmbeddingQAFinetuneDataset
// saves itself.
func isLlamaIndex(n *Node) bool {
	q, d := n.Get("queries"), n.Get("relevant_docs")
	return q != nil && q.Kind == Map && d != nil && d.Kind == Map
}

func (r *reading) llamaIndex(n *Node) {
	relevant := map[string]*Node{}
	for _, m := range n.Get("relevant_docs").Members {
		relevant[m.Key] = m.Value
	}
	for _, m := range n.Get("queries").Members {
		q := newQuery(m.Line)
		q.ID, q.Text = m.Key, r.text("a query", m.Value)
		if docs := relevant[m.Key]; docs != nil {
			q.Expected = once(r.grades("relevant_docs", docs))
		}
		r.add(q)
	}
	if corpus := n.Get("corpus"); corpus != nil && corpus.Kind == Map {
		r.Texts = map[string]string{}
		for _, m := range corpus.Members {
			if m.Value.Kind == Text {
				r.Texts[m.Key] = m.Value.Text
			}
		}
	}
}

// isRankEval: {requests: [{id, request, ratings: [{_index, _id, rating}]}]}. Oracle: Elasticsearch 8.3, Ranking
// evaluation API; OpenSearch 2.9 has the same.
func isRankEval(n *Node) bool {
	list := n.Get("requests")
	return n.Kind == Map && list != nil && some(list, func(x *Node) bool { return x.Get("ratings") != nil })
}

func (r *reading) rankEval(n *Node) {
	for _, x := range n.Get("requests").Items {
		q := r.query(&Node{}, x)
		for _, from := range []*Node{x.Get("params"), x.Get("request")} {
			if q.Text == "" {
				q.Text = searched(from, 0)
			}
		}
		if q.Text == "" {
			q.Text = q.ID
		}
		q.Expected = once(r.grades("ratings", x.Get("ratings")))
		r.add(q)
	}
}

// searched is the text that a request of Elasticsearch searches for: that of a key named query or query_string, or of a
// field within match.
func searched(n *Node, depth int) string {
	if n == nil || n.Kind != Map || depth > MostDepth {
		return ""
	}
	for _, m := range n.Members {
		key := plain(m.Key)
		if m.Value.Kind == Text && (oneOf(queryKeys, key) || key == "querystring") {
			return m.Value.Text
		}
		if strings.HasPrefix(key, "match") && m.Value.Kind == Map && len(m.Value.Members) == 1 {
			if v := m.Value.Members[0].Value; v.Kind == Text {
				return v.Text
			}
		}
	}
	for _, m := range n.Members {
		if s := searched(m.Value, depth+1); s != "" {
			return s
		}
		for _, x := range m.Value.Items {
			if s := searched(x, depth+1); s != "" {
				return s
			}
		}
	}
	return ""
}

// isRRE: {queries: [{placeholders: {$query: text}, relevant_documents: {id: {gain: grade}}}]}, or {grade: [id]} as
// Quepid wrote it before 2025. Oracle: o19s/quepid, show_rre.json.jbuilder.
func isRRE(n *Node) bool {
	list := n.Get("queries")
	return list != nil && some(list, func(x *Node) bool { return x.Get("placeholders") != nil })
}

func (r *reading) rre(n *Node) {
	for _, x := range n.Get("queries").Items {
		q := r.query(x.Get("placeholders"), x)
		if by := x.Get("relevant_documents"); by != nil {
			for _, m := range by.Members {
				if gain := m.Value.Get("gain"); gain != nil {
					q.Expected = append(q.Expected, Grade{m.Key, r.grade(m.Key, gain)})
					continue
				}
				g := r.grade("of the key "+m.Key, &Node{Kind: Text, Text: m.Key, Line: m.Line})
				for _, id := range r.texts("relevant_documents", m.Value) {
					q.Expected = append(q.Expected, Grade{id, g})
				}
			}
		}
		r.add(q)
	}
}
