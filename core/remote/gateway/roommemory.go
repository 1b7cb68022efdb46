package gateway

import (
	"errors"
	"sync"
	"time"
)

// RoomMemory stores rooms in memory, for a host that is one machine. The zero RoomMemory has no space: set Limit.
// Rooms that have ended are dropped within a minute of the next call.
type RoomMemory struct {
	Limit int // bytes of all rooms

	mu    sync.Mutex
	rooms map[string]*stored
	size  int
	swept time.Time
}

type stored struct {
	Room
	until  time.Time
	voters map[string]int // → option, while the question is open
}

// About how many bytes a room and a voter take beside the head.
const (
	roomBytes  = 400
	voterBytes = 64
)

func (s *stored) size() int { return roomBytes + len(s.Head) + voterBytes*len(s.voters) }

var errRoomMemory = errors.New("gateway: no space for more rooms")

// at is a room that has not ended, nil if there is none.
func (m *RoomMemory) at(code string, now time.Time) *stored {
	if now.Sub(m.swept) >= time.Minute {
		m.swept = now
		for code, s := range m.rooms {
			if !now.Before(s.until) {
				m.drop(code)
			}
		}
	}
	if s := m.rooms[code]; s != nil && now.Before(s.until) {
		return s
	}
	return nil
}

func (m *RoomMemory) drop(code string) {
	if s := m.rooms[code]; s != nil {
		m.size -= s.size()
		delete(m.rooms, code)
	}
}

// Read returns a room.
func (m *RoomMemory) Read(code string, now time.Time) (Room, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(code, now)
	if s == nil {
		return Room{}, nil
	}
	r := s.Room
	r.Counts = append([]int(nil), s.Counts...)
	return r, nil
}

// Change changes a room.
func (m *RoomMemory) Change(code string, c *Change, now time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(code, now)
	was := 0
	if s != nil {
		was = s.Version
	}
	if was != c.Was {
		return false, nil
	}
	if c.Head == "" {
		m.drop(code)
		return true, nil
	}
	next := &stored{Room: Room{Version: was + 1, Head: c.Head}, until: c.Until}
	if c.Options > 0 {
		next.Counts, next.voters = make([]int, c.Options), map[string]int{}
	} else if s != nil {
		next.Counts, next.Ballots = s.Counts, s.Ballots
	}
	if m.size+next.size() > m.Limit && was == 0 { // a change of one that exists makes it smaller, or hardly larger
		return false, errRoomMemory
	}
	m.drop(code)
	if m.rooms == nil {
		m.rooms = map[string]*stored{}
	}
	m.rooms[code] = next
	m.size += next.size()
	return true, nil
}

// Vote counts a vote.
func (m *RoomMemory) Vote(code string, b *Ballot, now time.Time) (Voted, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.at(code, now)
	if s == nil || s.Version != b.Version || s.voters == nil || b.Option >= len(s.Counts) {
		return Stale, nil
	}
	was, voted := s.voters[b.Voter]
	switch {
	case voted && was == b.Option:
		return Counted, nil
	case voted:
		s.Counts[was]--
	case len(s.voters) >= b.Most || m.size+voterBytes > m.Limit:
		return Full, nil
	default:
		m.size += voterBytes
	}
	s.voters[b.Voter] = b.Option
	s.Counts[b.Option]++
	s.Ballots++
	return Counted, nil
}
