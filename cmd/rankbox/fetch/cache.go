// Package fetch gets the files of public test collections onto this machine, once: it downloads them, resumes, checks
// size and sum before anything is opened, and keeps them in a folder that several processes share. What a collection is
// says core/retrieve/recipe.
//
// Order of the pipeline: recipe → Cache.Fetch (lock → download → check → rename) → Cache.Open (check → unpack) →
// recipe.Read.
package fetch

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// Cache is a folder of downloaded collections. Several processes may use it at once.
type Cache struct {
	Dir    string
	Client *http.Client
	Idle   time.Duration // without a byte of an answer, after which it is given up
	Pause  time.Duration // before the first new attempt; each further one waits twice as long
	Tries  int           // attempts in a row that bring nothing

	Progress func(file string, done, of int64) // may be nil
	Notice   func(text string)                 // waiting, trying again; may be nil

	open func(name string, flag int) (writer, error) // nil for os.OpenFile; tests fill the disk
}

// writer is a file that is being written.
type writer interface {
	io.WriteCloser
	Sync() error
}

// Variables of the environment.
const (
	CacheVariable   = "RANKBOX_CACHE"   // the folder, instead of the user's cache
	RecipesVariable = "RANKBOX_RECIPES" // a folder of more recipes; one with the name of ours comes before it
)

// Default returns the cache of this user: RANKBOX_CACHE, or rankbox in the folder for caches (on Unix XDG_CACHE_HOME or
// ~/.cache).
func Default() (*Cache, error) {
	dir := os.Getenv(CacheVariable)
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no folder for downloads: %w; set one in %s", err, CacheVariable)
		}
		dir = filepath.Join(base, "rankbox")
	}
	return New(dir), nil
}

// New returns a cache in a folder, which is made when something is kept.
func New(dir string) *Cache {
	return &Cache{Dir: dir, Client: client(), Idle: time.Minute, Pause: time.Second, Tries: 5}
}

// Recipes returns the recipes there are: those of RANKBOX_RECIPES and ours.
func Recipes() ([]*recipe.Recipe, error) {
	all := recipe.All()
	dir := os.Getenv(RecipesVariable)
	if dir == "" {
		return all, nil
	}
	more, err := recipe.ReadFolder(os.DirFS(dir), ".")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", RecipesVariable, err)
	}
	for _, r := range all {
		if recipe.Named(more, r.Name) == nil {
			more = append(more, r)
		}
	}
	return more, nil
}

// Folder is where the files of a collection are kept. Another version of the collection has another one.
func (c *Cache) Folder(r *recipe.Recipe) string {
	h := md5.New()
	for _, f := range r.Files {
		io.WriteString(h, f.Name+" "+f.MD5+"\n")
	}
	return filepath.Join(c.Dir, "collections", r.Name+"-"+hex.EncodeToString(h.Sum(nil))[:8])
}

// Missing is the error for a collection that would have to be downloaded first.
type Missing struct {
	Recipe *recipe.Recipe
	Bytes  int64
}

// Error says what to do.
func (e *Missing) Error() string {
	return fmt.Sprintf("%s is not on this machine. rankbox fetch %s downloads %s.", e.Recipe.Name, e.Recipe.Name,
		say.Bytes(e.Bytes))
}

// Has returns nil if every file is there with the size that it must have, and *Missing otherwise. It reads none.
func (c *Cache) Has(r *recipe.Recipe) error {
	lacking := int64(0)
	for _, f := range r.Files {
		if info, err := os.Stat(filepath.Join(c.Folder(r), f.Name)); err != nil || info.Size() != f.Bytes {
			lacking += f.Bytes
		}
	}
	if lacking > 0 {
		return &Missing{r, lacking}
	}
	return nil
}

// Damaged is the error for a file whose content is not the one of the recipe.
type Damaged struct {
	Name string
	Why  string
}

func (e *Damaged) Error() string { return e.Name + ": " + e.Why }

// check reads a file and compares its size and sum with what they must be.
func check(name string, f recipe.File) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &Damaged{name, "it is no file"}
	}
	if info.Size() != f.Bytes {
		return &Damaged{name, fmt.Sprintf("it has %s bytes, expected %s", say.Thousands(int(info.Size())),
			say.Thousands(int(f.Bytes)))}
	}
	h := md5.New()
	if _, err := io.Copy(h, file); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != f.MD5 {
		return &Damaged{name, fmt.Sprintf("its MD5 is %s, expected %s", got, f.MD5)}
	}
	return nil
}

// Fetch brings every file of a collection into the cache, or leaves what is there and right. from is "" for the
// addresses of the recipe, an address to use instead, or a file or folder on this machine. It returns how many bytes
// were brought.
func (c *Cache) Fetch(ctx context.Context, r *recipe.Recipe, from string) (brought int64, err error) {
	dir := c.Folder(r)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, c.explain(err)
	}
	unlock, err := c.lock(ctx, r, dir)
	if err != nil {
		return 0, err
	}
	defer unlock()
	for _, f := range r.Files {
		final := filepath.Join(dir, f.Name)
		if check(final, f) == nil {
			continue
		}
		source, err := sourceOf(r, f, from)
		if err != nil {
			return brought, err
		}
		part := final + ".part"
		if source.address != "" {
			err = c.download(ctx, r, f, source.address, part)
		} else {
			err = c.copy(ctx, f, source.file, part)
		}
		if err == nil {
			err = c.explain(os.Rename(part, final))
		}
		if err != nil {
			return brought, err
		}
		brought += f.Bytes
	}
	return brought, nil
}

// explain says what to do about an error of the file system.
func (c *Cache) explain(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w; free some space, or set another folder in %s. The next call continues the "+
			"partial download", err, CacheVariable)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%w; set a folder that you can write to in %s", err, CacheVariable)
	}
	return err
}

// create opens a file to be written.
func (c *Cache) create(name string, flag int) (writer, error) {
	if c.open != nil {
		return c.open(name, flag)
	}
	return os.OpenFile(name, flag, 0o666)
}
