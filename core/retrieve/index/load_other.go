//go:build !(386 || amd64 || arm64 || loong64 || riscv64 || wasm)

package index

import "encoding/binary"

// load64 reads a little-endian uint64.
func load64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// load32 reads a little-endian uint32.
func load32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
