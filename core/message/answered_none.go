//go:build lessons

package message

// answered is documented in answered.go.
const answered = false
