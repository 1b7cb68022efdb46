package worker

import (
	"sync"

	"github.com/rankbox/rankbox/core/encoder"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/wire"
)

func init() {
	register(message.Encode, handler{blame: func(p *message.Problem, _ wire.Wirer) {
		p.What = "The encoder of typed queries could not be loaded: " + p.What
		p.Do = "Judged queries are answered as before. Ask for it again where a system needs it."
	}}, itself, (*Engine).encode)
}

// loader keeps what comes beside a collection: the encoder of typed queries, and what the richer program has besides.
type loader struct {
	beside
	mu      sync.Mutex
	arrived *encoder.Static // the last one that was fetched, nil for none
}

// encode has the encoder fetched while other requests are answered. Its reply has no answer: that comes, with the same id, when the encoder is
// there.
func (e *Engine) encode(r message.Request, file *message.EncoderFile) (*message.Encoder, error) {
	go func() {
		out := message.Reply{ID: r.ID, Kind: r.Kind}
		data, err := e.fetch(file.URL, func(done int) {
			e.page.reply(message.Reply{ID: r.ID, Kind: r.Kind, Progress: &message.Progress{What: "encoder", Done: min(done, file.Bytes), Total: file.Bytes}})
		})
		var x *encoder.Static
		if err == nil {
			x, err = encoder.Open(data, file.Sum)
		}
		if err != nil {
			out.Problem = handlers[r.Kind].problem(r, err)
		} else {
			e.loader.mu.Lock()
			e.loader.arrived = x
			e.loader.mu.Unlock()
			out.Answer = &message.Encoder{Name: x.Name(), Teacher: x.Teacher()}
		}
		e.page.reply(out)
	}()
	return nil, nil
}

// takeEncoder gives the open session the encoder that arrived last.
func (e *Engine) takeEncoder() {
	l := &e.loader
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.session != nil {
		e.session.SetEncoder(l.arrived)
		e.takeBeside()
	}
}
