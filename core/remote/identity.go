package remote

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
)

// Fact is a member of what a backend declares, as text.
type Fact struct{ Name, Value string }

// declaration is what a backend declared when answers of it were kept; the zero declaration is that of an edge
// that declares nothing.
type declaration struct {
	identity string
	facts    []Fact
}

// side is what is known of one backend.
type side struct {
	stored []declaration // of the answers that are kept, the latest last
	held   *Changed      // it is asked nothing, and its kept answers stand
	used   bool          // an answer of what it declares now was taken

	written string // the identity that was handed to Keep last
	awaited int    // times that its first word about itself was waited for
	doubted bool   // after its last answers it did not say what it is
}

// Changed is a backend that is another than the one whose answers are kept.
type Changed struct {
	Backend string
	Was, Is string // identities; Was is "" where the kept answers do not say which backend gave them
	Facts   []string
}

// Said is what changed and what to do, as a sentence without its end.
func (c *Changed) Said() string {
	if c.Was == "" {
		return "the kept answers of " + c.Backend +
			" are of an undeclared backend: an earlier version kept them without saying what they depend on"
	}
	if len(c.Facts) == 0 {
		return "the backend " + c.Backend + " is not the one whose answers are kept"
	}
	return "the backend " + c.Backend + " is not the one whose answers are kept: " + strings.Join(c.Facts, "; ")
}

func (c *Changed) Error() string { return "remote: " + c.Said() }

// differences says how two declarations differ, a clause each.
func differences(was, is []Fact) (out []string) {
	value := func(list []Fact, name string) string {
		i := slices.IndexFunc(list, func(f Fact) bool { return f.Name == name })
		if i < 0 {
			return ""
		}
		return list[i].Value
	}
	var names []string
	for _, f := range append(slices.Clone(was), is...) {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	for _, name := range names {
		a, b := value(was, name), value(is, name)
		title := strings.ReplaceAll(name, "_", " ")
		switch {
		case a == b:
		case isIdentity(a) || isIdentity(b):
			out = append(out, title+" changed")
		case a == "":
			out = append(out, title+" is now "+say.Visible(b))
		case b == "":
			out = append(out, title+" was "+say.Visible(a)+", and is no longer told")
		default:
			out = append(out, title+" was "+say.Visible(a)+", is now "+say.Visible(b))
		}
	}
	return out
}

// side returns what is known of a backend. The lock is held.
func (e *Edge) side(backend string) *side {
	s := e.sides[backend]
	if s == nil {
		s = &side{}
		e.sides[backend] = s
	}
	return s
}

// latest is the declaration of the answers that were kept last, nil where none are kept.
func (s *side) latest() *declaration {
	if len(s.stored) == 0 {
		return nil
	}
	return &s.stored[len(s.stored)-1]
}

// identity is what questions to a backend are asked under: that of kept answers which are held, or else what
// the edge declares, or, where it cannot be asked, that of the answers that were kept last. only is the error
// of a question whose answer is not kept, nil where it may be asked.
func (e *Edge) identity(backend string) (identity string, only, err error) {
	e.mu.Lock()
	s := e.side(backend)
	if s.held != nil {
		defer e.mu.Unlock()
		return s.held.Was, &Error{Backend: backend, Why: "this answer is not kept, and " + s.held.Said() +
			". Run again to ask it again"}, nil
	}
	e.mu.Unlock()
	o, err := e.Offer()
	if err == ErrStopped {
		return "", nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	kept := s.latest()
	switch {
	case err != nil && kept != nil:
		return kept.identity, nil, nil
	case err != nil && e.send == nil:
		return "", nil, &Error{Backend: backend, Why: "there is no edge here, and the answer is not kept"}
	case err != nil:
		return "", nil, &Error{Backend: backend, Why: err.Error()}
	}
	b := o.find(backend)
	if b == nil {
		return "", nil, unknown(backend, o)
	}
	if age, inspected := o.age(backend); inspected && age < 0 { // its service is away: it is not another
		if kept != nil {
			return kept.identity, nil, nil
		}
		if s.awaited < 3 && e.ledger != nil { // what is answered now would be of an unknown one
			s.awaited++
			e.mu.Unlock()
			err := e.sleep(time.Now().Add(1100 * time.Millisecond))
			if err == nil {
				e.Refresh()
				identity, only, err = e.identity(backend)
			}
			e.mu.Lock()
			return identity, only, err
		}
	}
	return b.Identity, nil, nil
}

func unknown(backend string, o *Offer) error {
	var all []string
	for _, b := range o.Backends {
		all = append(all, b.ID)
	}
	has := "it has none"
	if len(all) > 0 {
		has = "it has " + strings.Join(all, ", ")
	}
	return &Error{Backend: backend, Why: "the edge has no backend of that name; " + has, Unknown: true}
}

// Identity is what questions to a backend are asked under now, "" where that is not declared or not known.
func (e *Edge) Identity(backend string) string {
	identity, _, err := e.identity(backend)
	if err != nil {
		return ""
	}
	return identity
}

// Declared is what a backend declares now, nil where the edge cannot be asked or does not have it.
func (e *Edge) Declared(backend string) *Backend {
	o, err := e.Offer()
	if err != nil {
		return nil
	}
	return o.find(backend)
}

// Refresh asks the edge anew what it offers, and says whether that changed.
func (e *Edge) Refresh() (changed bool) {
	e.mu.Lock()
	before := e.offer
	e.offer = nil
	e.mu.Unlock()
	now, err := e.Offer()
	if err != nil || before == nil {
		return false
	}
	for i := range before.Backends {
		b := &before.Backends[i]
		if x := now.find(b.ID); x == nil || x.Identity != b.Identity {
			changed = true
		}
	}
	return changed || len(now.Backends) != len(before.Backends)
}

// replaced handles a backend that answered as another than it declared. Where no answer of it was taken yet, it
// is taken as it is now, and replaced returns true. Else its kept answers stand, it is asked nothing more, and
// c says how it changed: no figure is of both.
func (e *Edge) replaced(c *Changed) bool {
	e.mu.Lock()
	s := e.side(c.Backend)
	used := s.used
	var was []Fact
	if d := s.latest(); d != nil {
		was = d.facts
	}
	e.mu.Unlock()
	e.Refresh()
	if !used {
		return true
	}
	b := e.Declared(c.Backend)
	e.mu.Lock()
	defer e.mu.Unlock()
	if b != nil {
		c.Facts = differences(was, b.Facts)
	}
	s.held = c
	return false
}

// Changes are those of the backends that are others than the ones whose answers are kept. A backend that cannot
// be asked has none.
func (e *Edge) Changes(backends []string) []*Changed {
	kept := map[string]string{}
	for _, b := range backends {
		if identity, ok := e.Latest(b); ok {
			kept[b] = identity
		}
	}
	return e.Since(kept)
}

// Since are the backends that are others now than those of some identities. A backend that cannot be asked is
// none of them.
func (e *Edge) Since(identities map[string]string) (out []*Changed) {
	for _, backend := range slices.Sorted(maps.Keys(identities)) {
		b := e.Declared(backend)
		if b == nil || b.Identity == identities[backend] {
			continue
		}
		if o, err := e.Offer(); err == nil {
			if age, inspected := o.age(backend); inspected && age < 0 { // it does not say
				continue
			}
		}
		c := &Changed{Backend: backend, Was: identities[backend], Is: b.Identity}
		e.mu.Lock()
		for _, d := range e.side(backend).stored {
			if d.identity == c.Was && c.Was != "" {
				c.Facts = differences(d.facts, b.Facts)
			}
		}
		e.mu.Unlock()
		out = append(out, c)
	}
	return out
}

// Latest is the identity of the answers of a backend that were kept last, false where none are.
func (e *Edge) Latest(backend string) (identity string, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.side(backend).latest()
	if d == nil {
		return "", false
	}
	return d.identity, true
}

// Hold lets the kept answers of changed backends stand, until the function that is returned takes it back: they
// are asked nothing.
func (e *Edge) Hold(all []*Changed) (release func()) {
	set := func(hold bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, c := range all {
			if s := e.side(c.Backend); hold {
				s.held = c
			} else {
				s.held = nil
			}
		}
	}
	set(true)
	return func() { set(false) }
}

// Release lets a backend that changed while it was asked be asked again, as it is now.
func (e *Edge) Release(backend string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s := e.side(backend); s.held != nil {
		s.held, s.used = nil, false
	}
}

// Renew goes on with backends as they are now: what they answered before they changed is no longer given.
func (e *Edge) Renew(backends []string) error {
	for _, backend := range backends {
		b := e.Declared(backend)
		if b == nil {
			continue
		}
		e.mu.Lock()
		s := e.side(backend)
		s.used, s.held = false, nil
		err := e.declare(backend, b.Identity)
		e.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// declare notes that answers of an identity are kept from now on. The lock is held.
func (e *Edge) declare(backend, identity string) error {
	if kept := e.side(backend).latest(); kept != nil && kept.identity == identity {
		return nil
	}
	e.remember(backend, identity)
	return e.declared(backend, identity)
}

// remember takes what a backend declares now, as that of its latest answers. The lock is held.
func (e *Edge) remember(backend, identity string) {
	s := e.side(backend)
	if kept := s.latest(); kept != nil && kept.identity == identity {
		return
	}
	d := declaration{identity: identity}
	if e.offer != nil {
		if b := e.offer.find(backend); b != nil && b.Identity == identity {
			d.facts = b.Facts
		}
	}
	s.stored = append(s.stored, d)
}

// declared hands what a backend declared to Keep, before the first answer of that identity. The lock is held.
func (e *Edge) declared(backend, identity string) error {
	s := e.side(backend)
	d := s.latest()
	if e.Keep == nil || identity == "" || s.written == identity || d == nil || d.identity != identity {
		return nil
	}
	s.written = identity
	return e.Keep(declaredLine(backend, *d))
}

func isIdentity(s string) bool {
	return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == ""
}
