package fetch

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// lock waits until no other process works on a collection.
func (c *Cache) lock(ctx context.Context, r *recipe.Recipe, dir string) (unlock func(), err error) {
	name := filepath.Join(dir, "lock")
	for told := false; ; {
		unlock, taken, err := TryLock(name)
		if err != nil {
			return nil, c.explain(err)
		}
		if !taken {
			return unlock, nil
		}
		if !told {
			told = true
			c.notice("another process is fetching " + r.Name + "; waiting for it")
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, fmt.Errorf("stopped while another process was fetching %s", r.Name)
		}
	}
}
