package worker

// Shelf keeps files on this device, by the id of a collection and a name.
type Shelf interface {
	Put(id, name string, data []byte) error
	List() (map[string][]string, error) // the names of each id
	Get(id, name string) ([]byte, error)
	Delete(id string) error
	// Hold makes a file of a collection that cannot be kept findable as long as the tab lives.
	Hold(id, name string, data []byte)
	// Room returns how many bytes this site has on the device, how many the browser grants (0 where it does not say),
	// and whether it promised to delete none of them by itself.
	Room() (used, quota float64, stays bool)
}

// shelfPath begins the addresses of collections that are kept on this device: no server is asked for them (fetch in
// site/js/worker.js).
const shelfPath = "/uploads/"
