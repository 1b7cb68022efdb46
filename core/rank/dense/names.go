package dense

// Names are the words by which pipelines name models, by the models' own names, as the folders of their vectors have
// them. A pipeline that is written with the longer one is the same pipeline.
var Names = map[string]string{
	"all-MiniLM-L6-v2":  "minilm",
	"bge-small-en-v1.5": "bge",
	"e5-small-v2":       "e5",
}
