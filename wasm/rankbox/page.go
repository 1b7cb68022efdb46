//go:build js && lessons

package main

import "github.com/rankbox/rankbox/wasm/app"

func main() { app.Run() }
