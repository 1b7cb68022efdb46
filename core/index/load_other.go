//go:build !(386 || amd64 || arm64 || loong64 || riscv64 || wasm)

package index

import "encoding/binary"

// load64 reads eight bytes, the lowest first.
func load64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// load32 reads four bytes, the lowest first.
func load32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
