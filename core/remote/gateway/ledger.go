package gateway

import (
	"sync"
	"time"
)

// Refusal is why a client must wait.
type Refusal string

const (
	TooFast    Refusal = "rate"
	OverBudget Refusal = "budget"
)

// Ledger counts what clients use, in memory: a bucket of a minute's requests that refills evenly, and a sum a day of
// UTC. The zero Ledger is ready. At most maxClients are known; the ones that came longest ago are forgotten first, but
// not before a minute has gone by.
type Ledger struct {
	mu      sync.Mutex
	clients map[string]*account
}

type account struct {
	tokens float64 // requests that may be made now
	at     time.Time
	day    int64
	used   int // units of that day
}

const maxClients = 100_000

// Spend takes one request and some units. A call of several steps takes its request with the first (units 1) and its
// further units afterwards; only the first counts against the rate.
func (l *Ledger) Spend(client string, units int, first bool, now time.Time, lim *Limits) (wait time.Duration,
	why Refusal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clients == nil {
		l.clients = map[string]*account{}
	}
	a := l.clients[client]
	if a == nil {
		if len(l.clients) >= maxClients {
			l.forget(now)
		}
		if len(l.clients) >= maxClients { // a flood of addresses: nobody new for now
			return time.Minute, TooFast
		}
		a = &account{tokens: float64(lim.PerMinute), at: now}
		l.clients[client] = a
	}
	rate := float64(lim.PerMinute) / 60
	if gone := now.Sub(a.at).Seconds(); gone > 0 {
		a.tokens = min(float64(lim.PerMinute), a.tokens+float64(gone*rate))
		a.at = now
	}
	if day := now.Unix() / 86400; day != a.day {
		a.day, a.used = day, 0
	}
	if first && a.tokens < 1 {
		return time.Duration((1 - a.tokens) / rate * float64(time.Second)), TooFast
	}
	if a.used+units > lim.PerDay {
		return time.Unix((now.Unix()/86400+1)*86400, 0).Sub(now), OverBudget
	}
	if first {
		a.tokens--
	}
	a.used += units
	return 0, ""
}

// forget drops the clients that have used nothing today and have all their requests, then those idle for a minute.
func (l *Ledger) forget(now time.Time) {
	for _, idle := range []time.Duration{24 * time.Hour, time.Hour, time.Minute} {
		for name, a := range l.clients {
			if name != everyone && name != together && now.Sub(a.at) > idle {
				delete(l.clients, name)
			}
		}
		if len(l.clients) < maxClients*9/10 {
			return
		}
	}
}
