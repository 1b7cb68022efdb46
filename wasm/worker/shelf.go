package worker

// Shelf keeps files on this device, by the id of a collection and a name.
type Shelf interface {
	Put(id, name string, data []byte) error
	List() (map[string][]string, error) // the names of each id
	Get(id, name string) ([]byte, error)
	Delete(id string) error
	// Room returns how many bytes this site has on the device, how many the browser grants (0 where it does not say), and whether it promised to delete
	// none of them by itself.
	Room() (used, quota float64, stays bool)
}
