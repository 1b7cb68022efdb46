package shared

import "os"

// Long reports whether tests should take the time for all of what they otherwise sample: the environment has RANKBOX_LONG=1.
func Long() bool { return os.Getenv("RANKBOX_LONG") == "1" }
