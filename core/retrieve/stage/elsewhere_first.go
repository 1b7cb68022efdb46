//go:build first

package stage

import "github.com/rankbox/rankbox/core/retrieve/pipeline"

// absent is for collections whose documents are elsewhere: this program opens none.
func absent(Collection, *pipeline.Node) string { return "" }
