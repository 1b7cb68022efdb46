package main

import (
	"net"
	"net/http"
	"sync"
)

// crowd is a listener that holds at most so many connections, so that files and backends can still be opened. A visitor
// who comes when it is full gets the place of the connection that has been idle the longest, and waits if none is.
type crowd struct {
	net.Listener
	most int

	mu   sync.Mutex
	room sync.Cond // something has changed
	open map[net.Conn]bool
	idle []net.Conn // the longest first
	over bool
}

// spare is how many files are kept free of connections.
const spare = 24

// newCrowd returns a listener for a process that may open so many files.
func newCrowd(l net.Listener, files int) *crowd {
	c := &crowd{Listener: l, most: max(4, files/2, files-4*spare), open: map[net.Conn]bool{}}
	c.most = max(1, min(c.most, files-spare))
	c.room.L = &c.mu
	return c
}

// Accept implements net.Listener.
func (c *crowd) Accept() (net.Conn, error) {
	c.mu.Lock()
	for len(c.open) >= c.most && !c.over {
		if len(c.idle) > 0 {
			c.idle[0].Close() // the server hears of it, and changed is called
			c.idle = c.idle[1:]
		}
		c.room.Wait()
	}
	c.mu.Unlock()
	conn, err := c.Listener.Accept()
	if err == nil {
		c.mu.Lock()
		c.open[conn] = true
		c.mu.Unlock()
	}
	return conn, err
}

// Close implements net.Listener.
func (c *crowd) Close() error {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.room.Broadcast()
	return c.Listener.Close()
}

// changed is the http.Server's ConnState.
func (c *crowd) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, x := range c.idle {
		if x == conn {
			c.idle = append(c.idle[:i:i], c.idle[i+1:]...)
			break
		}
	}
	switch state {
	case http.StateIdle:
		c.idle = append(c.idle, conn)
	case http.StateClosed, http.StateHijacked:
		delete(c.open, conn)
	}
	c.room.Broadcast()
}
