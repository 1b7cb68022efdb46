//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/wire"
)

// Behind asks what the edge offers, and how it does.
const Behind Kind = 54

func init() { register[AskBehind, Offered](Behind, false) }

// AskBehind says how much is wanted.
type AskBehind struct {
	Watch bool   // how it does, too
	Token string // of its metrics, "" for its health alone
	// Save has the key of a private edge saved on this device from now on, "" for none.
	Save bool
	Key  string
}

// Offered is what the edge offers.
type Offered struct {
	Why       string // there is none, or it does not answer; nothing of the offer is set then
	Private   bool   // it wants a key, and takes the saved one not
	Keyed     bool   // a key is saved
	Snapshots bool
	Backends  []remote.Backend
	Watch     *remote.Watch // nil where it was not asked for or not told
	Unwatched string        // why of Watch some is missing
}

// Named are the backends that do something: rerank, embed, search.
func (o *Offered) Named(does string) []string {
	if o == nil {
		return nil
	}
	return (&remote.Offer{Backends: o.Backends}).Named(does)
}

// Wire walks the question.
func (a *AskBehind) Wire(c *wire.Codec) { c.Fields(&a.Watch, &a.Token, &a.Save, &a.Key) }

// Wire walks the offer.
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
