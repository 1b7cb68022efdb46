//go:build !lessons

package message

// answered reports that this program asks a worker and reads its answers. Other programs omit the readers of
// messages.
const answered = true
