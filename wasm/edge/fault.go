//go:build js && fault

package main

import "time"

// A build for tests ends the program at /fault/panic, where nothing can catch it, and holds a request at /fault/wait.
// It waits for bodies a tenth of the time.
func init() {
	bodyTime /= 10
	crash = func(path string) {
		switch path {
		case "/fault/panic":
			go panic("asked for")
			await(after(time.Minute))
		case "/fault/wait":
			await(after(time.Minute))
		case "/fault/caught":
			panic("asked for, in the handler")
		}
	}
}
