package gateway

import (
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/internal/sha256"
)

// Keys make an edge private: who calls sends a key as bearer token. A key is "rbk.ID.EXPIRES.MAC": an id, the last day
// on which it is good, in UTC as YYYYMMDD, and the HMAC-SHA256 (RFC 2104) of what stands before, in hexadecimal digits.
// The edge stores no key: it works the code out again with its secret. Rooms stay open, since phones have no key.
type Keys struct {
	SecretName string              // of the host: keys are made with it
	Revoked    []string            // ids that are refused though their keys are good
	Budgets    map[string]KeyLimit // of ids; others have what every client has
}

// KeyLimit is what the holder of one key may use; 0 is what every client may.
type KeyLimit struct{ PerMinute, PerDay, TokensPerDay int }

// shortestSecret is how many bytes a secret has at least.
const shortestSecret = 32

const keyPrefix = "rbk."

// NewKey makes the key of an id, good until the end of a day in UTC. The secret has at least 32 bytes.
func NewKey(secret, id string, last time.Time) (string, error) {
	switch {
	case len(secret) < shortestSecret:
		return "", errors.New("gateway: the secret of keys has less than 32 characters")
	case !isID(id):
		return "", errors.New("gateway: an id is 1 to 40 of a-z, 0-9 and -")
	}
	text := keyPrefix + id + "." + last.UTC().Format("20060102")
	return text + "." + code(secret, text), nil
}

// code is HMAC-SHA256 in hexadecimal digits.
func code(secret, text string) string {
	sum := mac(secret, text)
	return hex.EncodeToString(sum[:])
}

// mac is HMAC-SHA256 (RFC 2104).
func mac(secret, text string) [sha256.Size]byte {
	var inner, outer [64]byte
	if len(secret) > len(inner) {
		s := sha256.Sum256([]byte(secret))
		secret = string(s[:])
	}
	copy(inner[:], secret)
	copy(outer[:], secret)
	for i := range inner {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	within := sha256.Sum256(append(inner[:], text...))
	return sha256.Sum256(append(outer[:], within[:]...))
}

// admit lets a call in that has a key, where keys are needed, and counts it for its id.
func (w *work) admit() *problem {
	k := w.config.Keys
	w.client, w.limits = w.call.Client, w.config.Limits
	if k == nil {
		return nil
	}
	refused := func(detail string) *problem {
		return &problem{status: 401, code: "key", title: "Key needed", detail: detail}
	}
	secret := w.host.Secret(k.SecretName)
	if len(secret) < shortestSecret {
		return refused("the secret of this edge's keys is not set, or has less than 32 characters")
	}
	token, ok := strings.CutPrefix(w.call.Authorization, "Bearer ")
	if !ok {
		return refused("this edge is private: send a key as bearer token")
	}
	text, mac, ok := cutLast(token)
	if !ok || !same(mac, code(secret, text)) {
		return refused("this is not a key of this edge")
	}
	id, last, _ := strings.Cut(strings.TrimPrefix(text, keyPrefix), ".")
	switch {
	case w.host.Now().UTC().Format("20060102") > last:
		return refused("this key has expired")
	case slices.Contains(k.Revoked, id):
		return refused("this key was revoked")
	}
	w.client, w.key = "key "+id, id // no address is called that
	own := k.Budgets[id]
	for to, n := range map[*int]int{&w.limits.PerMinute: own.PerMinute, &w.limits.PerDay: own.PerDay,
		&w.limits.TokensPerDay: own.TokensPerDay} {
		if n > 0 {
			*to = n
		}
	}
	return nil
}

// cutLast cuts a text at its last dot.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, '.')
	if i < 0 || len(s) > 200 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

func readKeys(d *decoder) *Keys {
	k := &Keys{Budgets: map[string]KeyLimit{}}
	d.object(func(key string) bool {
		switch key {
		case "secret":
			k.SecretName = d.string(100)
		case "revoked":
			k.Revoked = d.strings(10_000, 40)
		case "budgets":
			d.object(func(id string) bool {
				var l KeyLimit
				d.object(func(key string) bool {
					to := map[string]*int{"per_minute": &l.PerMinute, "per_day": &l.PerDay,
						"tokens_per_day": &l.TokensPerDay}[key]
					if to != nil {
						*to = d.int(1, 1<<40)
					}
					return to != nil
				})
				k.Budgets[id] = l
				return true
			})
		default:
			return false
		}
		return true
	})
	return k
}

// check says what is wrong with the keys of a configuration.
func (k *Keys) check() error {
	if k == nil {
		return nil
	}
	if k.SecretName == "" {
		return errors.New("keys need the name of a secret")
	}
	for _, id := range append(slices.Sorted(maps.Keys(k.Budgets)), k.Revoked...) {
		if !isID(id) {
			return errors.New("keys: an id is 1 to 40 of a-z, 0-9 and -")
		}
	}
	return nil
}
