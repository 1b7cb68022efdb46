//go:build 386 || amd64 || arm64 || loong64 || riscv64 || wasm

package index

import "unsafe"

// load64 reads eight bytes, the lowest first.
func load64(b []byte) uint64 { return *(*uint64)(unsafe.Pointer(&b[:8][0])) }

// load32 reads four bytes, the lowest first.
func load32(b []byte) uint32 { return *(*uint32)(unsafe.Pointer(&b[:4][0])) }
