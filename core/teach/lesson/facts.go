package lesson

// Facts are what a lesson may state about its data: each kind of data knows the words for its figures.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// fact is the value of a datum.
type fact interface {
	// say returns the figure for words.
	say(words []string) (string, error)
}

// fact parses a datum: "query q02, system bm25, depth 6", "grades 3 2 0", "a list", "a ideal", "a reverse", "a head
// 5", "a unjudged 3", "a move 4 1", "systems bm25 | dense, measures AP RR", "mean system bm25, judgments pooled",
// "judges q02", "flips 6 4 -2", "collection demo", "graded q43, system bm25", "scored q07, system bm25, ranks 1 4",
// "postings tram strike", "titles q29, system bm25, ranks 1 2 3", "neighbours q32, lists 8 16", "expansion q23",
// "answer answers", "judges q02, by blind".
func (r *resolver) fact(what string) (fact, error) {
	word, rest, _ := strings.Cut(what, " ")
	if f, ok := r.facts[word].(*table); ok {
		return derive(f.Table, strings.Fields(rest))
	}
	fields := map[string]string{}
	for _, part := range fieldsOf(what) {
		name, value, _ := strings.Cut(strings.TrimSpace(part), " ")
		fields[name] = strings.TrimSpace(value)
	}
	judgments, depth := "test", 10
	if j, ok := fields["judgments"]; ok {
		judgments = j
	}
	if d, ok := fields["depth"]; ok {
		var err error
		if depth, err = strconv.Atoi(d); err != nil || depth < 1 || depth > 1000 {
			return nil, fmt.Errorf("depth %q", d)
		}
	}
	switch word {
	case "query":
		t, err := r.data.Ranking(fields["query"], fields["system"], depth, judgments)
		return &table{t, fields["system"]}, err
	case "grades":
		docs, n, err := play.Read(rest)
		if err != nil {
			return nil, err
		}
		t := &play.Table{}
		t.Fill(docs, n)
		return &table{t, ""}, nil
	case "mean":
		m := &mean{}
		for _, q := range r.data.Queries() {
			t, err := r.data.Ranking(q.ID, strings.TrimSpace(strings.TrimPrefix(fields["mean"], "system ")), 100,
				judgments)
			if err != nil {
				return nil, err
			}
			m.topics = append(m.topics, t.Topic(0))
		}
		return m, nil
	case "systems":
		rep, err := r.data.Report(strings.Split(fields["systems"], " | "), strings.Fields(fields["measures"]))
		return &comparison{rep}, err
	}
	return r.part(word, rest, fields, depth)
}

// part returns data for parts of rankings: articles, words, postings, vectors, judgments.
func (r *resolver) part(word, rest string, fields map[string]string, depth int) (fact, error) {
	switch word {
	case "graded":
		a, err := r.data.Articles(fields["graded"], fields["system"], depth)
		return graded(a.List), err
	case "scored":
		ranks, err := ranksOf(fields["ranks"])
		if err != nil {
			return nil, err
		}
		x, err := r.data.Figures().Scored(fields["scored"], fields["system"], ranks)
		return scored(x), err
	case "titles":
		ranks, err := ranksOf(fields["ranks"])
		if err != nil {
			return nil, err
		}
		x, err := r.data.Figures().Postings(fields["titles"], fields["system"], ranks, nil)
		return inverted(x), err
	case "postings":
		x, err := r.data.Figures().Postings("", "", nil, strings.Fields(rest))
		return inverted(x), err
	case "answer":
		x, err := r.data.Figures().Answer(rest)
		return &answered{x}, err
	case "expansion":
		x, err := r.data.Figures().Expansion(rest)
		return &expanded{x}, err
	case "neighbours":
		lists, err := ranksOf(fields["lists"])
		if err != nil {
			return nil, err
		}
		x, err := r.data.Figures().Neighbours(fields["neighbours"], lists)
		return neighbours(x), err
	case "collection":
		return documents(r.data.Documents()), nil
	case "flips":
		return readFlips(strings.Fields(rest))
	case "judges":
		by := fields["by"]
		if by == "" {
			by = "second"
		}
		query := fields["judges"]
		if query == "all" {
			query = ""
		}
		a, b, err := r.data.Judges(query, by)
		return &judges{a, b}, err
	}
	return nil, fmt.Errorf("unknown data %q", word)
}

// ranksOf parses "1 4".
func ranksOf(text string) (ranks []int, err error) {
	for _, w := range strings.Fields(text) {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("there is no rank %q", w)
		}
		ranks = append(ranks, n)
	}
	return ranks, nil
}

// fieldsOf splits at commas outside brackets.
func fieldsOf(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	return append(out, s[start:])
}

// derive derives a ranking from another.
func derive(of *play.Table, words []string) (fact, error) {
	t := of.Clone()
	at := func(i int) (int, error) {
		if i >= len(words) {
			return 0, errors.New("a rank is missing")
		}
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 1 || n > len(t.Lists[0]) {
			return 0, fmt.Errorf("there is no rank %q", words[i])
		}
		return n - 1, nil
	}
	if len(words) == 0 {
		return nil, errors.New("what is made of the ranking is missing")
	}
	switch words[0] {
	case "list": // documents outside the list count as unjudged too
		for _, d := range t.Out(0) {
			t.Docs[d].Grade = measure.Unjudged
		}
	case "ideal":
		t.Ideal(0)
	case "sorted":
		l := t.Lists[0]
		slices.SortStableFunc(l, func(a, b int) int { return int(t.Docs[b].Grade) - int(t.Docs[a].Grade) })
	case "reverse":
		t.Reverse(0)
	case "head":
		n, err := at(1)
		if err != nil {
			return nil, err
		}
		t.Lists[0] = t.Lists[0][:n+1]
	case "unjudged":
		n, err := at(1)
		if err != nil {
			return nil, err
		}
		t.Docs[t.Lists[0][n]].Grade = measure.Unjudged
	case "move":
		from, err := at(1)
		if err != nil {
			return nil, err
		}
		to, err := at(2)
		if err != nil {
			return nil, err
		}
		t.Shift(0, from, to)
	default:
		return nil, fmt.Errorf("a ranking cannot be made %q", words[0])
	}
	return &table{t, ""}, nil
}

// table is a ranking with the system that made it, "" for none.
type table struct {
	*play.Table
	system string
}

// say returns a fact of a ranking.
func (t *table) say(words []string) (string, error) {
	rank := func() (int, error) {
		if len(words) != 2 {
			return 0, errors.New("a rank is missing")
		}
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 || n > len(t.Lists[0]) {
			return 0, fmt.Errorf("there is no rank %q", words[1])
		}
		return t.Lists[0][n-1], nil
	}
	count := func(list []int, ok func(g int32) bool) string {
		n := 0
		for _, d := range list {
			if ok(t.Docs[d].Grade) {
				n++
			}
		}
		return strconv.Itoa(n)
	}
	relevant := func(g int32) bool { return g > 0 }
	switch words[0] {
	case "title":
		d, err := rank()
		if err != nil {
			return "", err
		}
		return t.Docs[d].Label, nil
	case "grade":
		d, err := rank()
		if err != nil {
			return "", err
		}
		return gradeOf(t.Docs[d].Grade), nil
	case "missed-title":
		for _, d := range t.Out(0) {
			if t.Docs[d].Grade > 0 {
				return t.Docs[d].Label, nil
			}
		}
		return "", errors.New("nothing relevant was missed")
	case "grades":
		return t.Text(0), nil
	case "docs":
		return strconv.Itoa(len(t.Lists[0])), nil
	case "ranks":
		var at []string
		for i, d := range t.Lists[0] {
			if relevant(t.Docs[d].Grade) {
				at = append(at, strconv.Itoa(i+1))
			}
		}
		return strings.Join(at, " "), nil
	case "found":
		return count(t.Lists[0], relevant), nil
	case "missed":
		return count(t.Out(0), relevant), nil
	case "relevant":
		all := make([]int, len(t.Docs))
		for i := range all {
			all[i] = i
		}
		return count(all, relevant), nil
	case "holes":
		return count(t.Lists[0], func(g int32) bool { return g == measure.Unjudged }), nil
	}
	m, err := measure.Parse(words[0])
	if err != nil {
		return "", err
	}
	u := m.Unfold(t.Topic(0))
	switch {
	case len(words) == 1:
		return decimals(u.Value), nil
	case words[1] == "sum":
		return decimals(u.Sum), nil
	case words[1] == "divisor":
		return decimals(u.Divisor), nil
	case words[1] == "term" && len(words) == 3, words[1] == "work" && len(words) == 3:
		n, err := strconv.Atoi(words[2])
		if err != nil || n < 1 || n > len(u.Parts) {
			return "", fmt.Errorf("there is no rank %q", words[2])
		}
		if words[1] == "work" {
			return u.Parts[n-1].Work, nil
		}
		return decimals(u.Parts[n-1].Term), nil
	case words[1] == "residual":
		r, ok := m.Residual(t.Topic(0))
		if !ok {
			return "", fmt.Errorf("%s says nothing of unjudged documents", m)
		}
		return decimals(r.High - r.Low), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// graded holds articles with the grades of both judges.
type graded []Article

func (g graded) say([]string) (string, error) {
	return "", errors.New("graded articles are for a figure")
}

// scored holds articles with the numbers behind their scores.
type scored []figure.Scored

func (x scored) say(words []string) (string, error) {
	n := 0
	if len(words) > 1 {
		n, _ = strconv.Atoi(words[1])
	}
	if n < 1 || n > len(x) {
		return "", errors.New("the number of an article is missing: 1 is the first")
	}
	a := x[n-1]
	switch words[0] {
	case "title":
		return a.Title, nil
	case "length":
		return strconv.Itoa(int(a.Length)), nil
	case "average":
		return strconv.Itoa(int(a.Average)), nil
	case "score", "rank": // with the forms of a weight: "score 1 0 1 2"
		p, err := formsOf(words[2:])
		if words[0] == "score" || err != nil {
			return decimals(a.Score(p)), err
		}
		i := slices.IndexFunc(figure.Ordered(x, p), func(y figure.Scored) bool { return y.Title == a.Title })
		return strconv.Itoa(i + 1), nil
	case "tf", "df", "idf", "ln": // with a word: "df 1 tram"
		i := -1
		if len(words) == 3 {
			i = slices.IndexFunc(a.Words, func(w figure.Word) bool { return w.Name == words[2] })
		}
		if i < 0 {
			return "", errors.New("the word is missing")
		}
		form := map[string]int{"ln": 1, "idf": 2}[words[0]]
		rarity, _, _ := a.Weight(i, figure.Forms{TF: form, IDF: form})
		switch words[0] {
		case "tf":
			return strconv.Itoa(int(a.Words[i].TF)), nil
		case "df":
			return strconv.Itoa(int(a.Words[i].DF)), nil
		}
		return decimals(rarity), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// formsOf parses "0 1 2".
func formsOf(words []string) (p figure.Forms, err error) {
	if len(words) != 3 {
		return p, errors.New("the forms of three parts are missing")
	}
	for i, to := range []*int{&p.TF, &p.IDF, &p.Length} {
		if *to = slices.Index([]string{"0", "1", "2"}, words[i]); *to < 0 {
			return figure.Forms{}, fmt.Errorf("there is no form %q", words[i])
		}
	}
	return p, nil
}

// inverted holds posting lists.
type inverted figure.Postings

// say returns a fact of posting lists.
func (x inverted) say(words []string) (string, error) {
	switch words[0] {
	case "docs":
		return say.Thousands(x.Docs), nil
	case "terms":
		return say.Thousands(len(x.Words)), nil
	case "title", "df", "postings", "skips":
		if len(words) != 2 {
			return "", fmt.Errorf("%s is followed by a word or a number", words[0])
		}
	}
	switch words[0] {
	case "title":
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 || n > len(x.Titles) {
			return "", fmt.Errorf("there is no document %q", words[1])
		}
		return x.Titles[n-1], nil
	case "df", "postings":
		i := slices.Index(x.Words, words[1])
		if i < 0 {
			return "", fmt.Errorf("the index has no word %q", words[1])
		}
		if words[0] == "df" {
			return strconv.Itoa(len(x.Lists[i])), nil
		}
		return commas(x.Lists[i]), nil
	}
	if len(x.Lists) != 2 {
		return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
	}
	a, b := x.Lists[0], x.Lists[1]
	switch words[0] {
	case "both":
		both, _ := figure.Intersect(a, b, 1)
		return commas(both), nil
	case "product": // each posting of one list with each of the other
		return say.Thousands(len(a) * len(b)), nil
	case "most": // comparisons of the longest merge: all but the last advance a single pointer
		return say.Thousands(len(a) + len(b) - 1), nil
	case "plain":
		_, n := figure.Intersect(a, b, 1)
		return strconv.Itoa(n), nil
	case "skips":
		every, err := strconv.Atoi(words[1])
		_, n := figure.Intersect(a, b, every)
		return strconv.Itoa(n), err
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// neighbours holds the nearest documents of a query.
type neighbours figure.Neighbours

// say returns a fact of an index: "recall 16 2" is the mean recall with 16 lists of which 2 are probed.
func (x neighbours) say(words []string) (string, error) {
	if words[0] == "docs" {
		return say.Thousands(x.Docs), nil
	}
	if len(words) != 3 {
		return "", errors.New("the lists of an index and how many are probed are missing")
	}
	lists, err1 := strconv.Atoi(words[1])
	probes, err2 := strconv.Atoi(words[2])
	i := slices.IndexFunc(x.Indexes, func(p figure.Probed) bool { return p.Lists == lists })
	if err1 != nil || err2 != nil || i < 0 || probes < 1 || probes > len(x.Indexes[i].Sizes) {
		return "", fmt.Errorf("no index of %s lists is probed %s times", words[1], words[2])
	}
	of := x.Indexes[i]
	switch words[0] {
	case "recall":
		return decimals(of.Recall[probes-1]), nil
	case "products":
		return say.Thousands(int(math.Round(of.Products[probes-1]))), nil
	case "value":
		return decimals(of.NDCG[probes-1]), nil
	case "found": // among the ten nearest, for the query
		return strconv.Itoa(figure.Neighbours(x).Found(i, probes, 10)), nil
	case "spent":
		return strconv.Itoa(of.Spend(probes)), nil
	case "size":
		return strconv.Itoa(of.Sizes[probes-1]), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// expanded is a query expanded from its first documents.
type expanded struct{ figure.Expansion }

// say returns a fact: "value 3 0.5", nDCG@10 with three feedback documents and half of the weight for the query,
// "words 3 0.5 4" the four heaviest words, and of a word "query 3 0.5 withdraw", "feedback 3 0.5 bank" and "weight
// 3 0.5 bank".
func (x *expanded) say(words []string) (string, error) {
	if len(words) < 3 {
		return "", errors.New("how many feedback documents and the weight of the query are missing")
	}
	docs, err1 := strconv.Atoi(words[1])
	original, err2 := strconv.ParseFloat(words[2], 64)
	if err1 != nil || err2 != nil || docs < 1 || docs > len(x.Added) || original < 0 || original > 1 {
		return "", fmt.Errorf("no setting %q %q", words[1], words[2])
	}
	shares := x.Heaviest(docs, original)
	switch words[0] {
	case "value":
		return decimals(x.Value(docs, original)), nil
	case "words":
		n, err := strconv.Atoi(words[len(words)-1])
		if err != nil || n < 1 || n > len(shares) {
			return "", fmt.Errorf("there are no %q words", words[len(words)-1])
		}
		var names []string
		for _, w := range shares[:n] {
			names = append(names, w.Name)
		}
		return strings.Join(names, ", "), nil
	}
	i := slices.IndexFunc(shares, func(w figure.Share) bool { return w.Name == words[len(words)-1] })
	if i < 0 {
		return "", fmt.Errorf("the expanded query has no word %q", words[len(words)-1])
	}
	switch words[0] {
	case "query":
		return decimals(shares[i].Query), nil
	case "feedback":
		return decimals(shares[i].Feedback), nil
	case "weight":
		return decimals(figure.Interpolate(shares[i].Query, shares[i].Feedback, original)), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// answered is an answer whose sentences cite.
type answered struct{ figure.Answer }

// say returns a fact of some sentences, by number: "strict 1 4" is their strict vital recall.
func (x *answered) say(words []string) (string, error) {
	in := make([]bool, len(x.Sentences))
	for _, w := range words[1:] {
		n, err := strconv.Atoi(w)
		if err != nil || n < 1 || n > len(in) {
			return "", fmt.Errorf("there is no sentence %q", w)
		}
		in[n-1] = true
	}
	precision, recall := x.Citations(in)
	switch words[0] {
	case "vital":
		n := 0
		for _, v := range x.Nuggets {
			if v.Vital {
				n++
			}
		}
		return strconv.Itoa(n), nil
	case "nuggets":
		return strconv.Itoa(len(x.Nuggets)), nil
	case "strict":
		return decimals(x.Recall(in).StrictVital), nil
	case "halves":
		return decimals(x.Recall(in).Vital), nil
	case "all":
		return decimals(x.Recall(in).All), nil
	case "precision":
		return decimals(precision), nil
	case "recall":
		return decimals(recall), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// commas formats numbers: "1, 4, 9".
func commas(numbers []int) string {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ", ")
}

// documents is the size of a collection.
type documents int

func (d documents) say(words []string) (string, error) {
	if words[0] != "docs" {
		return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
	}
	return say.Thousands(int(d)), nil
}

func gradeOf[T int32 | float64](g T) string {
	if g == measure.Unjudged {
		return "?"
	}
	return strconv.Itoa(int(g))
}

func decimals(v float64) string { return say.Page.Number(v, 3) }

// unfold returns the arithmetic as a table, with a caption.
func unfold(t *play.Table, m measure.Measure) (rows [][]string, caption string) {
	u := m.Unfold(t.Topic(0))
	rows = [][]string{{"Rank", "Document", "Grade", "Term", "Value"}}
	parts := u.Parts
	for k := m.Cutoff(); k > 0 && len(parts) > 0 && parts[len(parts)-1].Work == "" && parts[len(parts)-1].Rank > k; {
		parts = parts[:len(parts)-1]
	}
	below := len(u.Parts) - len(parts)
	if below == 1 {
		parts, below = u.Parts, 0
	}
	whole := u.Sum == math.Trunc(u.Sum) && u.Divisor == math.Trunc(u.Divisor)
	for _, p := range parts {
		whole = whole && p.Term == math.Trunc(p.Term)
	}
	write := func(v float64) string { // counts are integers, and a term of zero is a plain 0
		if v == 0 || whole {
			return say.Page.Number(v, 0)
		}
		return decimals(v)
	}
	for _, p := range parts {
		work := figure.Rounded(p.Work)
		if work == "" {
			work = "–"
		}
		rows = append(rows, []string{strconv.Itoa(p.Place), t.Docs[t.Lists[0][p.Place-1]].Label, gradeOf(p.Grade), work,
			write(p.Term)})
	}
	if below > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d–%d", u.Parts[len(parts)].Place, u.Parts[len(u.Parts)-1].Place),
			"below the cutoff", "", "–", write(0)})
	}
	rows = append(rows, []string{"", "sum", "", "", write(u.Sum)})
	if u.By != "" {
		divisor := decimals(u.Divisor)
		if u.Divisor == math.Trunc(u.Divisor) {
			divisor = say.Page.Number(u.Divisor, 0)
		}
		rows = append(rows, []string{"", "÷ " + u.By, "", "", divisor})
	}
	rows = append(rows, []string{"", m.String(), "", "", decimals(u.Value)})
	return rows, m.String() + ": " + figure.Rounded(strings.Join(u.Steps(), "; "))
}

// mean averages a system over all queries.
type mean struct{ topics []*measure.Topic }

func (m *mean) say(words []string) (string, error) {
	x, err := measure.Parse(words[0])
	if err != nil {
		return "", err
	}
	sum := 0.0
	for _, t := range m.topics {
		sum += x.Score(t)
	}
	return decimals(sum / float64(max(1, len(m.topics)))), nil
}

// flips holds differences whose signs are flipped in every way.
type flips struct {
	sum              int
	ways, high, both int
	sums             []int // by sign assignment
}

func readFlips(words []string) (fact, error) {
	var d []int
	f := &flips{}
	for _, w := range words {
		v, err := strconv.Atoi(w)
		if err != nil || len(d) == 16 {
			return nil, fmt.Errorf("%q: whole numbers, at most 16", w)
		}
		d = append(d, v)
		f.sum += v
	}
	f.ways = 1 << len(d)
	for set := range f.ways {
		s := 0
		for i, v := range d {
			if set>>i&1 != 0 {
				v = -v
			}
			s += v
		}
		f.sums = append(f.sums, s)
		if s >= f.sum {
			f.high++
		}
		if s >= f.sum || s <= -f.sum {
			f.both++
		}
	}
	return f, nil
}

func (f *flips) say(words []string) (string, error) {
	switch words[0] {
	case "sum":
		return strconv.Itoa(f.sum), nil
	case "ways":
		return strconv.Itoa(f.ways), nil
	case "high":
		return strconv.Itoa(f.high), nil
	case "both":
		return strconv.Itoa(f.both), nil
	case "p":
		return decimals(float64(f.both) / float64(f.ways)), nil
	case "least":
		return decimals(2 / float64(f.ways)), nil
	case "from": // how many assignments have a sum from one number to another
		if len(words) != 3 {
			return "", errors.New("from is followed by two sums")
		}
		low, err1 := strconv.Atoi(words[1])
		high, err2 := strconv.Atoi(words[2])
		n := 0
		for _, s := range f.sums {
			if s >= low && s <= high {
				n++
			}
		}
		return strconv.Itoa(n), errors.Join(err1, err2)
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// judges holds two judgments of the same pairs.
type judges struct{ first, second []int }

func (j *judges) say(words []string) (string, error) {
	same := 0
	x, y := make([]int, len(j.first)), make([]int, len(j.first))
	for i, a := range j.first {
		b := j.second[i]
		if a == b {
			same++
		}
		x[i], y[i] = min(1, a), min(1, b)
	}
	switch words[0] {
	case "pairs":
		return say.Thousands(len(j.first)), nil
	case "same":
		return say.Thousands(same), nil
	case "share":
		return decimals(float64(same) / float64(max(1, len(j.first)))), nil
	case "agree": // on relevant or not
		n := 0
		for i := range x {
			if x[i] == y[i] {
				n++
			}
		}
		return decimals(float64(n) / float64(max(1, len(x)))), nil
	case "either": // agreement among pairs that at least one judge calls relevant
		both, either := 0, 0
		for i := range x {
			both += x[i] * y[i]
			either += max(x[i], y[i])
		}
		return decimals(float64(both) / float64(max(1, either))), nil
	case "kappa":
		k, err := significance.CohenKappa(j.first, j.second, significance.Unweighted)
		return decimals(k), err
	case "binary":
		k, err := significance.CohenKappa(x, y, significance.Unweighted)
		return decimals(k), err
	case "cell":
		if len(words) == 3 {
			a, err1 := strconv.Atoi(words[1])
			b, err2 := strconv.Atoi(words[2])
			n := 0
			for i := range j.first {
				if j.first[i] == a && j.second[i] == b {
					n++
				}
			}
			return say.Thousands(n), errors.Join(err1, err2)
		}
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}

// comparison compares systems over all queries; A is the first of them.
type comparison struct{ *report.Report }

// say returns a fact of a report.
func (c *comparison) say(words []string) (string, error) {
	system := func(i int) (int, error) {
		if i < len(words) && len(words[i]) == 1 {
			if s := int(words[i][0] - 'A'); s >= 0 && s < len(c.Systems) {
				return s, nil
			}
		}
		return 0, errors.New("a system is missing: A is the first")
	}
	column := func(i int) (*report.Column, error) {
		if i < len(words) {
			for k := range c.Columns {
				if c.Columns[k].Measure == words[i] {
					return &c.Columns[k], nil
				}
			}
			return nil, fmt.Errorf("%q is not among the measures", words[i])
		}
		return nil, errors.New("a measure is missing")
	}
	if words[0] == "n" {
		return strconv.Itoa(len(c.Queries)), nil
	}
	a, err := system(1)
	if err != nil {
		return "", err
	}
	switch words[0] {
	case "name":
		return c.Systems[a].Label, nil
	case "mean", "gmean", "zeros", "value", "low", "high", "kind", "median":
		col, err := column(2)
		if err != nil {
			return "", err
		}
		v := col.Values[a]
		switch words[0] {
		case "mean":
			return decimals(col.Means[a]), nil
		case "low":
			return decimals(col.Low[a]), nil
		case "high":
			return decimals(col.High[a]), nil
		case "gmean":
			r := measure.Result{Values: [][]float64{v}}
			return decimals(r.GeometricMean(0)), nil
		case "median":
			r := measure.Result{Values: [][]float64{v}}
			return decimals(r.Median(0)), nil
		case "zeros":
			n := 0
			for _, x := range v {
				if x == 0 {
					n++
				}
			}
			return strconv.Itoa(n), nil
		}
		if len(words) < 4 {
			return "", errors.New("a query or a kind of queries is missing")
		}
		sum, n := 0.0, 0
		for i, q := range c.Queries {
			if q.ID == words[3] || words[0] == "kind" && q.Type == words[3] {
				sum += v[i]
				n++
			}
		}
		if n == 0 {
			return "", fmt.Errorf("no query was sent %q", words[3])
		}
		return decimals(sum / float64(n)), nil
	}
	b, err := system(2)
	if err != nil {
		return "", err
	}
	if words[0] == "p" || words[0] == "pis" || words[0] == "plow" || words[0] == "phigh" {
		p, ok := c.Pair(a, b) // b minus a
		switch {
		case !ok:
			return "", errors.New("the pair was not tested")
		case words[0] == "p":
			return say.Page.P(p.P), nil
		case words[0] == "pis": // "p = 0.012"
			return say.Page.PIs(p.P), nil
		case words[0] == "plow":
			return say.Page.Signed(p.Low, 3), nil
		}
		return say.Page.Signed(p.High, 3), nil
	}
	col, err := column(3)
	if err != nil {
		return "", err
	}
	wins, ties := 0, 0
	for i := range c.Queries {
		switch d := col.Values[a][i] - col.Values[b][i]; {
		case math.Abs(d) < 1e-12:
			ties++
		case d > 0:
			wins++
		}
	}
	switch words[0] {
	case "diff":
		return say.Page.Signed(col.Means[a]-col.Means[b], 3), nil
	case "needed": // queries needed to find such a difference at 5 % in 4 of 5 experiments
		d := make([]float64, len(c.Queries))
		for i := range d {
			d[i] = col.Values[a][i] - col.Values[b][i]
		}
		return say.Thousands(int(math.Ceil(significance.QueriesNeeded(significance.CohenDz(d), 0.05, 0.8,
			significance.TwoSided)))), nil
	case "wins":
		return strconv.Itoa(wins), nil
	case "ties":
		return strconv.Itoa(ties), nil
	}
	return "", fmt.Errorf("nothing is known of %q", strings.Join(words, " "))
}
