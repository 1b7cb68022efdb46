//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package main

import "syscall"

// mostFilesOpen is how many files this process may open, 0 if that is not known.
func mostFilesOpen() int {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) != nil {
		return 0
	}
	return int(min(uint64(r.Cur), 1<<20))
}
