//go:build js

package main

import (
	"syscall/js"
	"time"

	"github.com/rankbox/rankbox/core/remote/gateway"
)

// rooms are the Durable Objects of the binding ROOMS, one for each code. A phone's calls reach any instance of the
// worker, so without the binding there are no rooms: KV takes up to a minute until all instances see a vote, and two
// that come at once would count as one.
type rooms struct{ *host }

// Store implements gateway.Host.
func (h *host) Store() gateway.Store { return h }

// Rooms is where rooms are.
func (h *host) Rooms() gateway.Rooms {
	if h.rooms.IsUndefined() {
		return nil
	}
	return rooms{h}
}

// Random is the runtime's.
func (h *host) Random(b []byte) {
	drawn := uint8Array.New(len(b))
	js.Global().Get("crypto").Call("getRandomValues", drawn)
	js.CopyBytesToGo(b, drawn)
}

// object calls a method of the Durable Object of a code.
func (r rooms) object(code, method string, args ...any) (js.Value, error) {
	of := r.host.rooms
	return r.await(of.Call("get", of.Call("idFromName", code)).Call(method, args...))
}

func (r rooms) Read(code string, _ time.Time) (gateway.Room, error) {
	v, err := r.object(code, "read")
	if err != nil || v.IsNull() {
		return gateway.Room{}, err
	}
	room := gateway.Room{Version: v.Get("version").Int(), Head: v.Get("head").String(), Ballots: v.Get("ballots").Int()}
	counts := v.Get("counts")
	for i := range counts.Length() {
		room.Counts = append(room.Counts, counts.Index(i).Int())
	}
	return room, nil
}

func (r rooms) Change(code string, c *gateway.Change, _ time.Time) (bool, error) {
	v, err := r.object(code, "change", c.Was, c.Head, c.Options, c.Until.UnixMilli())
	return err == nil && v.Bool(), err
}

func (r rooms) Vote(code string, b *gateway.Ballot, _ time.Time) (gateway.Voted, error) {
	v, err := r.object(code, "vote", b.Version, b.Voter, b.Option, b.Most)
	if err != nil {
		return "", err
	}
	return gateway.Voted(v.String()), nil
}
