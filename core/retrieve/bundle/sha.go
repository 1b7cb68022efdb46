package bundle

import "github.com/rankbox/rankbox/core/internal/sha256"

func sha(b []byte) [32]byte { return sha256.Sum256(b) }
