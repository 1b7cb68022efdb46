package worker

import "cmp"

// Shelf keeps files on this device, by the id of a collection and a name.
type Shelf interface {
	Put(id, name string, data []byte) error
	List() (map[string][]string, error) // the names of each id
	Get(id, name string) ([]byte, error)
	Delete(id string) error
	// Hold makes a file of a collection that cannot be kept findable as long as the tab lives.
	Hold(id, name string, data []byte)
	// Room returns how many bytes this site has on the device, how many the browser grants (0 where it does not say), and whether it promised to delete
	// none of them by itself.
	Room() (used, quota float64, stays bool)
}

// beginner is a Shelf that writes several files at once: Begin begins with one, and wait returns once it is written.
type beginner interface {
	Begin(id, name string, data []byte) (wait func() error)
}

// atOnce is how many files a beginner writes at a time.
const atOnce = 4

// putAll puts files onto a shelf in their order, the last one when all others are there. written is told of each, and
// an error of it ends the writing. Nothing is being written any more when putAll returns.
func putAll(s Shelf, id string, names []string, files map[string][]byte, written func(name string) error) (err error) {
	begin, most := func(name string) func() error {
		err := s.Put(id, name, files[name])
		return func() error { return err }
	}, 1
	if b, ok := s.(beginner); ok {
		begin, most = func(name string) func() error { return b.Begin(id, name, files[name]) }, atOnce
	}
	var waits []func() error // of names[done:]
	done := 0
	finish := func(most int) {
		for ; len(waits) > most; done++ {
			failed := waits[0]()
			if waits = waits[1:]; failed == nil && err == nil {
				failed = written(names[done])
			}
			err = cmp.Or(err, failed)
		}
	}
	for i, name := range names {
		if i == len(names)-1 {
			finish(0)
		}
		if err == nil {
			waits = append(waits, begin(name))
			finish(most - 1)
		}
	}
	finish(0)
	return err
}

// shelfPath begins the addresses of collections that are kept on this device: no server is asked for them (fetch in site/js/worker.js).
const shelfPath = "/uploads/"
