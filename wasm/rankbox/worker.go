//go:build js && !lessons

package main

import "github.com/rankbox/rankbox/wasm/worker"

func init() { work = worker.Run }
