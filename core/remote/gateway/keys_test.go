package gateway

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"
)

// The oracle is crypto/hmac, of Go 1.26: a secret longer than a block of 64 bytes is hashed first.
func TestCodesAreHMAC(t *testing.T) {
	for n := range 200 {
		secret := strings.Repeat("s", n)
		h := hmac.New(sha256.New, []byte(secret))
		h.Write([]byte("text"))
		if got, want := code(secret, "text"), hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("a secret of %d bytes: %s, want %s", n, got, want)
		}
	}
}

// keyed is a host with the secret of an edge's keys.
type keyed struct {
	clock
	secret string
}

func (k *keyed) Secret(string) string { return k.secret }

func TestKeysAreGoodUntilTheirLastDay(t *testing.T) {
	secret := strings.Repeat("s", 32)
	last := time.Date(2026, 11, 26, 23, 59, 59, 0, time.UTC)
	good, err := NewKey(secret, "ann", last)
	if err != nil || !strings.HasPrefix(good, "rbk.ann.20261126.") {
		t.Fatalf("%s, %v", good, err)
	}
	revoked, _ := NewKey(secret, "bob", last)
	richer, _ := NewKey(secret, "cem", last)
	other, _ := NewKey(secret+"x", "ann", last)
	c,
		err := ParseConfig([]byte(`{"keys":{"secret":"K","revoked":["bob"],"budgets":{"cem":{"per_minute":7,` +
		`"tokens_per_day":9}}},"limits":{"per_day":11}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name, authorization, secret string
		now                         time.Time
		client, detail              string
	}{
		{"good", "Bearer " + good, secret, last, "key ann", ""},
		{"the next day", "Bearer " + good, secret, last.Add(time.Second), "", "expired"},
		{"the same day elsewhere", "Bearer " + good, secret, last.In(time.FixedZone("", 7200)), "key ann", ""},
		{"revoked", "Bearer " + revoked, secret, last, "", "revoked"},
		{"with a budget", "Bearer " + richer, secret, last, "key cem", ""},
		{"of another secret", "Bearer " + other, secret, last, "", "not a key"},
		{"none", "", secret, last, "", "send a key"},
		{"no bearer", good, secret, last, "", "send a key"},
		{"no dot", "Bearer x", secret, last, "", "not a key"},
		{"another day", "Bearer " + strings.Replace(good, "20261126", "20271126", 1), secret, last, "", "not a key"},
		{"a short secret", "Bearer " + good, secret[1:], last, "", "is not set"},
	} {
		host := &keyed{clock{now: x.now}, x.secret}
		w := &work{Gateway: New(c, host), call: &Call{Client: "192.0.2.1", Authorization: x.authorization}}
		p := w.admit()
		if (p == nil) != (x.detail == "") || p != nil && (p.status != 401 || !strings.Contains(p.detail, x.detail)) ||
			p == nil && w.client != x.client {
			t.Errorf("%s: %+v, client %s", x.name, p, w.client)
		}
		minute, tokens := Defaults.PerMinute, Defaults.TokensPerDay
		if x.client == "key cem" {
			minute, tokens = 7, 9
		}
		if p == nil && (w.limits.PerMinute != minute || w.limits.PerDay != 11 || w.limits.TokensPerDay != tokens) {
			t.Errorf("%s: limits %+v", x.name, w.limits)
		}
	}
	for _, x := range []struct {
		secret, id string
		ok         bool
	}{{secret, "a", true}, {secret[1:], "a", false}, {secret, "", false}, {secret, strings.Repeat("a", 40), true},
		{secret, strings.Repeat("a", 41), false}, {secret, "A", false}} {
		if _, err := NewKey(x.secret, x.id, last); (err == nil) != x.ok {
			t.Errorf("%+v: %v", x, err)
		}
	}
	if _, _, ok := cutLast(strings.Repeat("a", 199) + "."); !ok {
		t.Error("200 bytes are too many")
	}
	if _, _, ok := cutLast(strings.Repeat("a", 200) + "."); ok {
		t.Error("201 bytes are read")
	}
}

// Five failures in a row open a breaker for ten seconds. Then one request tries, alone for ten more.
func TestABreakerOpensAfterFiveFailures(t *testing.T) {
	var b breaker
	now := time.Unix(1000, 0)
	for i := range 5 {
		if !b.enter(now) || b.state(now) != "closed" {
			t.Errorf("%d failures: %s", i, b.state(now))
		}
		b.leave(false, now)
	}
	for _, x := range []struct {
		after time.Duration
		enter bool
		state string
	}{{0, false, "open"}, {10*time.Second - 1, false, "open"}, {10 * time.Second, true, "half-open"},
		{10 * time.Second, false, "half-open"}, {20*time.Second - 1, false, "half-open"}, {20 * time.Second, true,
			"half-open"}} {
		if b.enter(now.Add(x.after)) != x.enter || b.state(now.Add(x.after)) != x.state {
			t.Errorf("after %v: %s, enters %v", x.after, b.state(now.Add(x.after)), !x.enter)
		}
	}
	b.leave(true, now)
	if !b.enter(now) || b.state(now) != "closed" || b.failures != 0 {
		t.Errorf("%+v", b)
	}
}

// Values of a quarter of the limit are kept, up to the limit with their keys, and for their whole life.
func TestMemoryHasLimits(t *testing.T) {
	now := time.Unix(0, 0)
	m := Memory{Limit: 104, Life: time.Minute}
	for _, key := range []string{"a", "b", "c", "d"} {
		m.Put(key, make([]byte, 25), now)
	}
	if _, ok := m.Get("a", now.Add(time.Minute)); !ok || m.size != 104 {
		t.Errorf("%d bytes are kept", m.size)
	}
	m.Put("a", make([]byte, 26), now)
	m.Put("d", make([]byte, 27), now)
	if v, _ := m.Get("d", now); len(v) != 25 {
		t.Errorf("more than a quarter is kept: %d bytes", len(v))
	}
	if _, ok := m.Get("c", now.Add(time.Minute+1)); ok || len(m.at) != m.order.Len() {
		t.Errorf("c outlives its time; %d of %d", len(m.at), m.order.Len())
	}
	for i := range 100 {
		m.Put(strings.Repeat("k", i%9), make([]byte, i%26), now)
		size := 0
		for e := m.order.Front(); e != nil; e = e.Next() {
			size += len(e.Value.(*kept).key) + len(e.Value.(*kept).value)
		}
		if size != m.size || size > 104 {
			t.Fatalf("%d bytes are kept, counted as %d", size, m.size)
		}
	}
}

// Dimensions are asked for where they are said and the kind takes them, unless the configuration says otherwise.
func TestDimensionsAreAskedOfKindsThatTakeThem(t *testing.T) {
	for more, want := range map[string]int{
		`"kind":"openai","dimensions":256`: 256, `"kind":"openai","dimensions":256,"ask_dimensions":true`: 256,
		`"kind":"openai","dimensions":256,"ask_dimensions":false`: 0,
		`"kind":"openai"`: 0, `"kind":"openai","ask_dimensions":false`: 0,
		`"kind":"openai","ask_dimensions":true`: -1, `"kind":"tei","dimensions":256`: 0,
		`"kind":"tei","dimensions":256,"ask_dimensions":true`: -1,
	} {
		c, err := ParseConfig([]byte(`{"backends":[{"id":"a","url":"http://h","does":["embed"],` + more + `}]}`))
		if (err == nil) != (want >= 0) || err == nil && c.Backends[0].Settings.Dimensions != want {
			t.Errorf("%s: %v", more, err)
		}
	}
	for id, ok := range map[string]bool{strings.Repeat("a", 40): true, strings.Repeat("a", 41): false, "": false,
		"az09-": true, "a_": false, "`": false, "{": false, "/": false, ":": false} {
		if isID(id) != ok {
			t.Errorf("%q is an id: %v", id, !ok)
		}
	}
}
