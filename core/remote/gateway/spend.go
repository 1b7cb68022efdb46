package gateway

import (
	"bytes"
	"math"

	"github.com/rankbox/rankbox/core/internal/tokens"
	"github.com/rankbox/rankbox/core/remote/gateway/backend"
)

// Tokens are counted of backends that have a secret, since those are paid for: what a call would cost is taken
// from the budgets before it is sent, and what the service says it cost, or nothing where it failed, takes its
// place afterwards.

// everyone is the account of all clients together; no address is called that.
const everyone = "tokens"

// together is the account of the units of all clients.
const together = "units"

// price is what texts cost, each with what is sent beside it; see package tokens.
func price(beside string, texts ...string) int {
	n := 0
	for _, t := range texts {
		n += tokens.Of(t) + tokens.Of(beside)
	}
	return n
}

// paid makes an answer that costs n tokens, if the budgets have them.
func (w *work) paid(b *Backend, n int, produce func() ([]byte, bool, *problem)) (body []byte, keep bool,
	p *problem) {
	l := &w.limits
	e := w.config.backend(b.Embedder)
	if b.SecretName == "" && (e == nil || e.SecretName == "") || l.TokensPerDay == 0 && l.AllTokensPerDay == 0 {
		return produce()
	}
	own := everyone + " " + w.client
	if p := w.take(own, n, l.TokensPerDay,
		"the tokens of this client for today are used up, until 00:00 UTC"); p != nil {
		return nil, false, p
	}
	if p := w.take(everyone, n, l.AllTokensPerDay,
		"the tokens of this edge for today are used up, until 00:00 UTC"); p != nil {
		w.take(own, -n, math.MaxInt, "")
		return nil, false, p
	}
	w.tokens = n
	body, keep, p = produce()
	cost := w.used
	if cost == 0 && p == nil && !w.fallback { // it does not say
		cost = n
	}
	if w.tokens = cost; cost != n { // what was spent counts, over a budget too
		w.take(own, cost-n, math.MaxInt, "")
		w.take(everyone, cost-n, math.MaxInt, "")
	}
	return body, keep, p
}

// take takes tokens from an account; a limit of 0 is none.
func (w *work) take(account string, n, perDay int, detail string) *problem {
	if perDay == 0 || n == 0 {
		return nil
	}
	wait, why := w.host.Spend(account, n, false, &Limits{PerMinute: 1, PerDay: perDay})
	if why == "" {
		return nil
	}
	return &problem{status: 429, code: "tokens", title: "Daily tokens used up", detail: detail, retry: max(wait,
		1)}
}

// usage is how many tokens a service says that an answer cost, 0 where it does not: the last "usage" with
// total_tokens or prompt_tokens, as OpenAI, Jina and Voyage have it, or "billed_units" with input_tokens, as
// Cohere does.
func usage(body []byte) (n int) {
	for _, name := range []string{`"usage":`, `"billed_units":`} {
		at := len(body) - len(name)
		for at >= 0 && string(body[at:at+len(name)]) != name {
			at--
		}
		if at < 0 {
			continue
		}
		text := body[at+len(name):]
		if end := bytes.IndexByte(text, '}'); end >= 0 {
			n = max(n, backend.Count(text[:end+1], "total_tokens", "prompt_tokens", "input_tokens"))
		}
	}
	return n
}
