package remote

import (
	"github.com/rankbox/rankbox/core/internal/tokens"
	"github.com/rankbox/rankbox/core/say"
)

// Bill is what questions cost that are not answered by what is kept.
type Bill struct {
	Calls  int
	Texts  int // queries and documents that are sent
	Tokens int // an estimate, see package tokens; of a reranker the query counts with each document
}

func (b *Bill) add(c Bill) {
	b.Calls += c.Calls
	b.Texts += c.Texts
	b.Tokens += c.Tokens
}

// String says it: "44 calls with 4,400 texts, about 1,100,000 tokens".
func (b Bill) String() string {
	return say.Count(b.Calls, "call", "calls") + " with " + say.Count(b.Texts, "text", "texts") + ", about " +
		say.Count(b.Tokens, "token", "tokens")
}

// ofRerank is what n documents cost that are scored for a query.
func ofRerank(query string, docs []Doc) Bill {
	b := Bill{Calls: 1, Texts: 1 + len(docs)}
	for _, d := range docs {
		b.Tokens += tokens.Of(query) + tokens.Of(cut(d.Text))
	}
	return b
}

// ofTexts is what texts cost that are embedded or searched for.
func ofTexts(texts ...string) Bill {
	b := Bill{Calls: 1, Texts: len(texts)}
	for _, t := range texts {
		b.Tokens += tokens.Of(cut(t))
	}
	return b
}

// purse is how much may be spent.
type purse struct {
	left            int // tokens
	spent, declined Bill
}

// Allow lets at most so many tokens be spent from now on: questions beyond them are not asked, which is their
// error. The function that is returned ends that; it says what was spent, and what was not asked.
func (e *Edge) Allow(tokens int) (end func() (spent, declined Bill)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before, p := e.purse, &purse{left: tokens}
	e.purse = p
	return func() (Bill, Bill) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.purse = before
		return p.spent, p.declined
	}
}

// pay takes the price of a question out of the purse, false where it is not in there. The lock is held.
func (e *Edge) pay(price Bill) bool {
	p := e.purse
	if p == nil {
		return true
	}
	if price.Tokens > p.left {
		p.declined.add(price)
		return false
	}
	p.left -= price.Tokens
	p.spent.add(price)
	return true
}
