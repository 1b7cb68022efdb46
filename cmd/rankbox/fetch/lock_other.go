//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package fetch

import (
	"errors"
	"os"
	"time"
)

// stale is how old a lock is that nobody touches any more.
const stale = 30 * time.Second

// TryLock makes a file that only one process can make, and touches it while it is held. One that was left behind is
// taken over.
func TryLock(name string) (unlock func(), taken bool, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
	if errors.Is(err, os.ErrExist) || errors.Is(err, os.ErrPermission) {
		if info, err := os.Stat(name); err == nil && time.Since(info.ModTime()) > stale {
			os.Remove(name)
		}
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	f.Close()
	done := make(chan struct{})
	go func() {
		for t := time.NewTicker(stale / 10); ; {
			select {
			case now := <-t.C:
				os.Chtimes(name, now, now)
			case <-done:
				t.Stop()
				return
			}
		}
	}()
	return func() { close(done); os.Remove(name) }, false, nil
}
