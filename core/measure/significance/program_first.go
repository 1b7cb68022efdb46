//go:build first

package significance

const first = true
