//go:build first && !lessons

package state

// keepsScreens is explained where it is true. What asks the screens is then not compiled into the first program.
const keepsScreens = false
