package dense

// Names maps the full names of models, which name the folders of their vectors, to the short names in pipelines.
// Both names give the same pipeline.
var Names = map[string]string{
	"all-MiniLM-L6-v2":  "minilm",
	"bge-small-en-v1.5": "bge",
	"e5-small-v2":       "e5",
}
