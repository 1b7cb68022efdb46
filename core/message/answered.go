//go:build !lessons

package message

// answered says that this program asks a worker and hears its answers. One that leaves that to another program carries
// no reader of messages.
const answered = true
