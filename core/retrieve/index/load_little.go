//go:build 386 || amd64 || arm64 || loong64 || riscv64 || wasm

package index

import "unsafe"

// load64 reads a little-endian uint64.
func load64(b []byte) uint64 { return *(*uint64)(unsafe.Pointer(&b[:8][0])) }

// load32 reads a little-endian uint32.
func load32(b []byte) uint32 { return *(*uint32)(unsafe.Pointer(&b[:4][0])) }
