//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/remote"
)

// Behind asks for the edge's backends and their status.
const Behind Kind = 54

func init() { register[AskBehind, Offered](Behind, false) }

// AskBehind selects the details.
type AskBehind struct {
	Watch bool   // include the status
	Token string // access token of its metrics, "" for the health alone
	// Save stores the key of a private edge on this device; "" deletes it.
	Save bool
	Key  string
}

// Offered describes the edge.
type Offered struct {
	Why       string // why there is no edge or it does not answer; the offer is then empty
	Private   bool   // it requires a key and rejects the stored one
	Keyed     bool   // a key is stored
	Snapshots bool
	Backends  []remote.Backend
	Watch     *remote.Watch // nil if not requested or unavailable
	Unwatched string        // why part of Watch is missing
}

// Named returns the names of the backends for a task: rerank, embed, search.
func (o *Offered) Named(does string) []string {
	if o == nil {
		return nil
	}
	return (&remote.Offer{Backends: o.Backends}).Named(does)
}

// Wire codes the question.
func (a *AskBehind) Wire(c *wire.Codec) { c.Fields(&a.Watch, &a.Token, &a.Save, &a.Key) }

// Wire codes the answer.
func (o *Offered) Wire(c *wire.Codec) {
	c.Fields(&o.Why, &o.Private, &o.Keyed, &o.Snapshots)
	wire.List(c, &o.Backends, func(b *remote.Backend) {
		c.Fields(&b.ID, &b.Kind, &b.Model, &b.Revision, &b.Index, &b.Does, &b.Modes, &b.Dimensions, &b.Identity)
	})
	c.String(&o.Unwatched)
	there := o.Watch != nil
	if c.Bool(&there); !there {
		return
	}
	if c.Reading() {
		o.Watch = &remote.Watch{}
	}
	wire.List(c, &o.Watch.Routes, func(r *remote.Route) {
		c.Fields(&r.Name, &r.Calls, &r.Failed, &r.Hits, &r.Misses, &r.Items, &r.Answered, &r.Buckets)
		if len(r.Buckets) != len(remote.Buckets)+1 {
			c.Fail()
		}
	})
	wire.List(c, &o.Watch.Backends, func(s *remote.Service) {
		c.Fields(&s.ID, &s.State)
		wire.List(c, &s.Events, func(e *remote.Event) { c.Fields(&e.Name, &e.N) })
		c.Fields(&s.Reranked, &s.Fell, &s.Scores, &s.Sum, &s.Lowest, &s.Greatest)
	})
	c.String(&o.Watch.Instance)
	wire.List(c, &o.Watch.Windows, func(w *remote.Window) {
		c.Fields(&w.Figure, &w.Minutes, &w.Value, &w.N, &w.Limit, &w.Below)
	})
}
