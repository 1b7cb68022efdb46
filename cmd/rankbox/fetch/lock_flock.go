//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package fetch

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the lock of a file that all processes share; the system gives it back when a process ends, however that
// happens.
func TryLock(name string) (unlock func(), taken bool, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, false, err
	}
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return func() { f.Close() }, false, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, true, nil
	}
	return nil, false, &os.PathError{Op: "lock", Path: name, Err: err}
}
