//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

// mostFilesOpen is how many files this process may open, 0 if that is not known.
func mostFilesOpen() int { return 0 }
