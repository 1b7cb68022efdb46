//go:build !first || lessons

package message

import "github.com/rankbox/rankbox/core/wire"

// Room leads a room of the edge, in which a class votes from phones.
const Room Kind = 73

func init() { register[AskRoom, RoomSeen](Room, false) }

// What AskRoom.Do is beside what package remote does with a room.
const (
	FindRooms = "find" // says whether the edge has rooms
	OpenRoom  = "open"
)

// AskRoom says what to do.
type AskRoom struct {
	Do           string
	Code, Secret string // of the room, "" before there is one
	Ask          string // of a new question
	Labels       []string
}

// RoomSeen is the room as it is then.
type RoomSeen struct {
	Why          string // it was not done, nothing below but Gone is set then
	Gone         bool   // the room has ended
	Code, Secret string
	Question     int
	State        string // open, closed, shown; "" for FindRooms and where the room was ended
	Counts       []int
}

// Wire walks the question.
func (a *AskRoom) Wire(c *wire.Codec) { c.Fields(&a.Do, &a.Code, &a.Secret, &a.Ask, &a.Labels) }

// Wire walks the room.
func (r *RoomSeen) Wire(c *wire.Codec) {
	c.Fields(&r.Why, &r.Gone, &r.Code, &r.Secret, &r.Question, &r.State, &r.Counts)
}
