package worker

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
)

func init() {
	register(message.Encode, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "The encoder of typed queries could not be loaded: " + p.What
		p.Do = "Judged queries are answered as before. Ask for it again where a system needs it."
	}}, toOpenCollection, (*openCollection).encode)
}

func toOpenCollection(e *Engine) *openCollection { return &e.open }

// encode has the encoder fetched while other requests are answered. Its reply has no answer: that comes, with the same
// id, when the encoder is there.
func (o *openCollection) encode(r message.Request, file *message.EncoderFile) (*message.Encoder, error) {
	go func() {
		out := message.Reply{ID: r.ID, Kind: r.Kind}
		data, err := o.fetch(file.URL, func(done int) {
			o.page.tell(r, message.Progress{What: "encoder", Done: min(done, file.Bytes), Total: file.Bytes})
		})
		var x *encoder.Static
		if err == nil {
			x, err = encoder.Open(data, file.Sum)
		}
		if err != nil {
			out.Problem = handlers[r.Kind].problem(r, err)
		} else {
			o.mu.Lock()
			o.arrived = x
			o.mu.Unlock()
			out.Answer = &message.Encoder{Name: x.Name(), Teacher: x.Teacher()}
		}
		o.page.reply(out)
		if o.page.wake != nil {
			o.page.wake()
		}
	}()
	return nil, nil
}

// takeEncoder gives the open session the encoder that arrived last. It reports whether a collection is open.
func (o *openCollection) takeEncoder() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.session == nil {
		return false
	}
	o.session.SetEncoder(o.arrived)
	return true
}
