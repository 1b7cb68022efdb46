//go:build !first

package worker

// localRuns are the runs that are made of the open collection to be compared.
type localRuns struct {
	open   *openCollection
	device *Device
	page   *page
}
