//go:build js && first

package app

// keeping is of the gallery, which the first program does not have.
type keeping struct{}

func (keeping) of(*effects) {}
