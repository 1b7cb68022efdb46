package gateway

import (
	"container/list"
	"sync"
	"time"

	"github.com/rankbox/rankbox/core/internal/sha256"
)

// keyOf is where an answer is kept: the hash of the route, the backend with its address and identity, and the
// request in its one
// canonical form. Each part is preceded by its length, so that no two requests make the same text.
func (w *work) keyOf(b *Backend, identity string, canonical []byte) string {
	all := make([]byte, 0, 256+len(canonical))
	for _, part := range [...]string{"2", w.route, b.ID, b.URL, identity, string(canonical)} {
		n := len(part)
		all = append(append(all, byte(n>>24), byte(n>>16), byte(n>>8), byte(n)), part...)
	}
	return sha256.Hex(all)
}

// Memory keeps what a host has no better place for: the least recently used goes first. The zero Memory keeps nothing:
// set Limit.
type Memory struct {
	Limit int           // bytes of values and keys
	Life  time.Duration // 0: for ever

	mu    sync.Mutex
	size  int
	order list.List // of *kept, newest first
	at    map[string]*list.Element
}

type kept struct {
	key   string
	value []byte
	since time.Time
}

// Get returns a value, which must not be changed.
func (m *Memory) Get(key string, now time.Time) ([]byte, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.at[key]
	if e == nil {
		return nil, false
	}
	k := e.Value.(*kept)
	if m.Life > 0 && now.Sub(k.since) > m.Life {
		m.drop(e)
		return nil, false
	}
	m.order.MoveToFront(e)
	return k.value, true
}

// Put keeps a value, unless it alone is over a quarter of the limit.
func (m *Memory) Put(key string, value []byte, now time.Time) {
	if len(value) > m.Limit/4 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == nil {
		m.at = map[string]*list.Element{}
	}
	if e := m.at[key]; e != nil {
		m.drop(e)
	}
	m.at[key] = m.order.PushFront(&kept{key, value, now})
	m.size += len(key) + len(value)
	for m.size > m.Limit {
		m.drop(m.order.Back())
	}
}

func (m *Memory) drop(e *list.Element) {
	k := m.order.Remove(e).(*kept)
	delete(m.at, k.key)
	m.size -= len(k.key) + len(k.value)
}
