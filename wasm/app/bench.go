//go:build !first

package app

import _ "github.com/rankbox/rankbox/wasm/app/ui/workbench" // what Search shows of stages
