package state

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Effects is what the state asks of the browser. Each store takes only the part that it needs.
type Effects interface {
	Worker
	Window
	Clipboard
	Device
	Files
}

// Worker is where requests go.
type Worker interface {
	Send(message.Request)
	Ask()     // whether it is alive: it answers as Engine.Alive
	Restart() // end the worker and start another
	Enrich()  // have the program with every stage take the worker's place, if it has not yet
}

// Window shows the page.
type Window interface {
	Render()         // draw the page
	Focus(id string) // the element with this id
	// push makes a new entry of the history, otherwise the present one changes
	Address(path, fragment string, push bool)
	Swap(to screens.Program) // have another program take the page over
	After(milliseconds int, f func()) (stop func())
	// Share is how much of a processor this tab has now, from nearly 0 on a busy machine to 1.
	Share() float64
	Day(ms int64) string // the date of a time in milliseconds since 1970, where the device is: "25 November 2026"
}

// Clipboard takes what is copied, and knows what links begin with.
type Clipboard interface {
	Copy(text string, done func(copied bool))
	Origin() string // "https://example.org", for links
}

// Device remembers short texts.
type Device interface {
	Remember(key, text string) // "" forgets
	Recall(key string) string  // "" where nothing is remembered
}

// Files are what the page makes for the visitor, or for the worker.
type Files interface {
	Text(name, content string) message.File // a file that holds a text
	Save(name, kind string, content []byte) // let the visitor save a file of a media type
	// Picture lets the visitor save a drawing as a PNG file, two pixels for each.
	Picture(name, svg string, width, height int, done func(saved bool))
}
