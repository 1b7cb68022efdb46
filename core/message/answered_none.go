//go:build lessons

package message

// answered is explained where it is true.
const answered = false
