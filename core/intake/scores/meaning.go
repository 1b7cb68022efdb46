package scores

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// What the columns of a table mean follows from their scale, from how they follow from each other and from the words of
// their names, never from a list of whole names: nobody writes them twice alike.

// words are the words of a name in lower case: "Memory Usage (GB)" and "memoryUsage_gb" have the same.
func words(name string) []string {
	var b strings.Builder
	var last rune
	for _, c := range name {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			c = ' '
		case unicode.IsUpper(c) && unicode.IsLower(last), unicode.IsDigit(c) && unicode.IsLower(last):
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(c))
		last = c
	}
	return strings.Fields(b.String())
}

// has reports whether a name has one of some words.
func has(name string, list []string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool {
		return contains(list, w) || len(w) > 3 && contains(list, strings.TrimSuffix(w, "s"))
	})
}

// The words of names, in the singular.
var (
	// of measures of rankings and of answers
	qualityWords = strings.Fields("ndcg dcg map mrr ap rr precision recall hit hitrate accuracy acc f f1 em exact match " +
		"bleu rouge meteor bertscore rbp err bpref infap success faithfulness faithful groundedness grounded relevance " +
		"relevancy correctness correct similarity coverage completeness coherence fluency helpfulness conciseness " +
		"consistency quality utilization usefulness score rating rate reciprocal judge win pass agreement " +
		"sensitivity adherence attribution citation support truthfulness factuality specificity auc spearman pearson " +
		"cosine")
	// of measures of which less is better
	harmWords = strings.Fields("toxicity harmfulness hallucination hallucinated bias perplexity loss mistake failure error wer cer " +
		"mae mse rmse distance noise refusal")
	timeWords = strings.Fields("latency time duration seconds sec second ms millisecond msec elapsed runtime cost price " +
		"usd dollar fee")
	// of what a system is, not of how well it does
	describingWords = strings.Fields("param params parameter size dim dimension memory ram vram disk storage gb mb gib mib " +
		"token layer vocab vocabulary length len window year date released release version rank license licence " +
		"download like epoch seed count num number zero chars bytes kb million billion borda")
	// that stand beside those of times and descriptions without another meaning
	besideWords = strings.Fields("of in the a per model embedding max min usage input output context number active " +
		"sequence training query index search encoding inference response request p50 p90 p95 p99 m k g s b q " +
		"shot type avg mean total average overall trainable hidden on disk cpu gpu batch")
	// of what summarises other columns
	summaryWords = strings.Fields("average avg mean overall total median aggregate")
	// of what ranks and answers
	systemWords = strings.Fields("bm25 bm tfidf tf idf dense sparse hybrid lexical semantic keyword vector rerank reranker " +
		"reranked rrf fusion splade colbert dpr contriever bge gte e5 minilm mpnet sbert bert ada gpt claude gemini llama " +
		"mistral mixtral qwen cohere voyage jina nomic openai elastic elasticsearch opensearch lucene solr vespa qdrant " +
		"weaviate pinecone milvus pgvector faiss hnsw baseline ours proposed run system model method variant control " +
		"treatment before after old new hyde rm3 qld lm monot5 t5 rag agent pipeline retriever")
)

// quality reports whether a name is that of a measure of how good an answer or a ranking is, as document_mrr is.
func quality(name string) bool {
	return measure.Known(name) || has(name, qualityWords) || has(name, harmWords)
}

// Smaller reports whether less of what a name says is better: times, costs and errors.
func Smaller(name string) bool {
	return !measure.Known(name) && (has(name, harmWords) || timed(name))
}

// timed reports whether a name is that of a time or a cost.
func timed(name string) bool { return has(name, timeWords) }

// described reports whether a column says what a system is or costs, or sums up others, and is neither an item nor a
// system: its name has such a word and no other, or its values are whole numbers.
func described(name string, rows []row, column int) bool {
	all := words(name)
	if len(all) == 0 || measure.Known(name) || has(name, qualityWords) || has(name, harmWords) {
		return false
	}
	if contains(summaryWords, all[0]) {
		return true
	}
	if !has(name, timeWords) && !has(name, describingWords) {
		return false
	}
	whole := true
	for _, x := range rows {
		v, err := number(x.cells[column])
		whole = whole && (err != nil || v != v || v == math.Trunc(v))
	}
	return whole || !slices.ContainsFunc(all, func(w string) bool {
		return !has(w, timeWords) && !has(w, describingWords) && !has(w, besideWords) && strings.Trim(w, "0123456789") != ""
	})
}

// systemic reports whether a name is that of a system.
func systemic(name string) bool {
	return strings.Contains(name, "/") || has(name, systemWords) && !has(name, qualityWords)
}

// span is the range of the values of a column.
type span struct{ low, high float64 }

func (s span) String() string { return say.Plain.Short(s.low) + " to " + say.Plain.Short(s.high) }

// scale is the order of a column: 0 for shares, 1 for percent, 2 for more.
func (s span) scale() int {
	switch top := math.Max(math.Abs(s.low), math.Abs(s.high)); {
	case top <= 1:
		return 0
	case top <= 100:
		return 1
	}
	return 2
}

// spanOf is the range of the numbers of a column, NaN for none.
func spanOf(rows []row, column int) span {
	s := span{nan, nan}
	for _, x := range rows {
		if v, err := number(x.cells[column]); err == nil && v == v {
			if !(s.low <= v) {
				s.low = v
			}
			if !(s.high >= v) {
				s.high = v
			}
		}
	}
	return s
}

// scaled parts columns that should be items of one scale: those of the scale that most have, those that are on a larger
// one, and so are no items, and the first that is on a smaller one, of which nothing tells, -1 for none.
func scaled(rows []row, columns []int) (items, larger []int, unsure int) {
	var of [3][]int
	spans := map[int]span{}
	for _, i := range columns {
		spans[i] = spanOf(rows, i)
		if spans[i].low != spans[i].low { // no number, and so no scale
			continue
		}
		s := spans[i].scale()
		of[s] = append(of[s], i)
	}
	usual := 0
	for s := range of {
		if len(of[s]) > len(of[usual]) {
			usual = s
		}
	}
	unsure = -1
	for _, i := range columns {
		switch s := spans[i].scale(); {
		case s == usual, spans[i].low != spans[i].low:
			items = append(items, i)
		case len(of[s]) == len(of[usual]), s < usual:
			if unsure < 0 {
				unsure = i
			}
		default:
			larger = append(larger, i)
		}
	}
	return items, larger, unsure
}

// averages reports whether a column is the mean of the others in every row, as far as two decimals show it.
func averages(rows []row, columns []int, column int) bool {
	if len(columns) < 4 || len(rows) < 2 {
		return false
	}
	slack := 0.006 * float.Pow(10, float64(spanOf(rows, column).scale()))
	for _, x := range rows {
		mean, err := number(x.cells[column])
		sum, n := 0.0, 0
		for _, i := range columns {
			if v, wrong := number(x.cells[i]); i != column && wrong == nil && v == v {
				sum, n = sum+v, n+1
			}
		}
		if err != nil || n == 0 || !(math.Abs(mean-sum/float64(n)) <= slack) {
			return false
		}
	}
	return true
}

// errUnsure asks what a column is.
func errUnsure(name string, its span, others string) error {
	return fmt.Errorf("column %q (%s) is on another scale than %s: it may be an item or say what a system is. Name the "+
		"columns that are items (-items), or take it out of the file", name, its, others)
}
