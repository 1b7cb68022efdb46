//go:build !first || lessons

package state

// keepsScreens says that a screen of this program may keep something beside the address.
const keepsScreens = true
