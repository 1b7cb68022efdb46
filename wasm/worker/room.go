//go:build !first

package worker

import (
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
)

func init() { register(message.Room, handler{}, toBackends, (*backends).room) }

// askEdgeAs sends to the edge of the site with a token, nil if nothing can be sent.
var askEdgeAs remote.SendAs

// room leads a room of votes.
func (b *backends) room(_ message.Request, ask *message.AskRoom) (*message.RoomSeen, error) {
	if ask.Do == message.FindRooms {
		o, err := remote.New(askEdge).Offer()
		if err == nil && !o.Rooms {
			err = errors.New("the edge has no rooms")
		}
		return seen(nil, err), nil
	}
	poll := &remote.Poll{Ask: ask.Ask, Labels: ask.Labels}
	if ask.Do == message.OpenRoom {
		return seen(remote.OpenRoom(askEdgeAs, poll)), nil
	}
	r := &remote.Room{Code: ask.Code, Secret: ask.Secret}
	return seen(r, r.Do(askEdgeAs, ask.Do, poll)), nil
}

func seen(r *remote.Room, err error) *message.RoomSeen {
	switch {
	case err != nil:
		why := say.Sentence(err)
		return &message.RoomSeen{Why: strings.ToUpper(why[:1]) + why[1:], Gone: errors.Is(err, remote.ErrNoRoom)}
	case r == nil:
		return &message.RoomSeen{}
	}
	return &message.RoomSeen{Code: r.Code, Secret: r.Secret, Question: r.Question, State: r.State, Counts: r.Counts}
}
