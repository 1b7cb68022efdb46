//go:build lessons

package state

// HasWorker is explained where it is true.
const HasWorker = false
