//go:build js && runs

package main

import "github.com/rankbox/rankbox/wasm/worker"

func main() { worker.Run() }
