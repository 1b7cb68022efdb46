// Command log logs, and imports what it would test itself with, as the stemmers do.
package main

import (
	"fmt"
	"log"
	"testing"
)

var check func(t *testing.T) = func(t *testing.T) { t.Errorf("unlike") }

func main() {
	defer func() { fmt.Print(recover()) }()
	if check == nil {
		log.Println("no check")
		log.Printf("no %s", "check")
	}
	log.Panicln("no trials")
}
