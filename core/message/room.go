//go:build !first || lessons

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Room manages a room of the edge, in which a class votes by phone.
const Room Kind = 73

func init() { register[AskRoom, RoomSeen](Room, false) }

// Values of AskRoom.Do besides the actions of package remote.
const (
	FindRooms = "find" // ask whether the edge has rooms
	OpenRoom  = "open"
)

// AskRoom selects the action.
type AskRoom struct {
	Do           string
	Code, Secret string // of the room, "" before it exists
	Ask          string // of a new question
	Labels       []string
}

// RoomSeen is the state of the room.
type RoomSeen struct {
	Why          string // why the action failed; then only Gone may also be set
	Gone         bool   // the room was closed for good
	Code, Secret string
	Question     int
	State        string // open, closed, shown; "" for FindRooms and after the room was closed
	Counts       []int
}

// Wire codes the question.
func (a *AskRoom) Wire(c *wire.Codec) { c.Fields(&a.Do, &a.Code, &a.Secret, &a.Ask, &a.Labels) }

// Wire codes the answer.
func (r *RoomSeen) Wire(c *wire.Codec) {
	c.Fields(&r.Why, &r.Gone, &r.Code, &r.Secret, &r.Question, &r.State, &r.Counts)
}
