package remote

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/tokens"
)

// Bill is what questions cost that are not answered by what is kept.
type Bill struct {
	Calls  int
	Texts  int // queries and documents that are sent
	Tokens int // an estimate, see package tokens; of a reranker the query counts with each document
	// Money is what the tokens cost at the backends whose price is known, if those have one currency.
	Money    float64
	Currency string // three capital letters; "" if no price is known, several if they differ
}

func (b *Bill) add(c Bill) {
	b.Calls += c.Calls
	b.Texts += c.Texts
	b.Tokens += c.Tokens
}

// String says it: "44 calls with 4,400 texts, about 1,100,000 tokens".
func (b Bill) String() string {
	s := say.Count(b.Calls, "call", "calls") + " with " + say.Count(b.Texts, "text", "texts") + ", about " +
		say.Count(b.Tokens, "token", "tokens")
	switch {
	case b.Currency == "" || b.Currency == several:
		return s
	case b.Money < 0.01:
		return s + ", less than 0.01 " + b.Currency
	}
	return s + ", about " + strconv.FormatFloat(b.Money, 'f', 2, 64) + " " + b.Currency
}

// several marks a bill in more than one currency: it has no total.
const several = "several"

// Charge adds so many calls, texts and tokens of a backend, with their money if the offer has its price.
func (b *Bill) Charge(o *Offer, backend string, calls, texts, tokens int) {
	b.add(Bill{Calls: calls, Texts: texts, Tokens: tokens})
	if o == nil {
		return
	}
	x := o.find(backend)
	switch {
	case x == nil || x.Currency == "" || tokens == 0:
	case b.Currency == "" || b.Currency == x.Currency:
		b.Currency = x.Currency
		b.Money += float64(float64(tokens) * float64(x.PerMillion/1e6))
	default:
		b.Currency = several
	}
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
