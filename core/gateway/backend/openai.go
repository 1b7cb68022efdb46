package backend

// openAI is the format of OpenAI's embeddings, which Ollama, vLLM, llama.cpp, infinity and LM Studio speak too.
var openAI = &Kind{
	Name:   "openai",
	About:  "embeddings in OpenAI's format: OpenAI, Ollama, vLLM, llama.cpp, infinity",
	Source: "https://platform.openai.com/docs/api-reference/embeddings/create",
	Auth:   bearer,
	Embed: &Embedding{
		Batch:   256, // 2,048 at OpenAI, fewer elsewhere
		Outputs: []Output{Dense},
		Sized:   true,
		Ask: func(s *Settings, in Texts) Request {
			return Request{"/embeddings", object(s.sized("dimensions", "model", quote(s.Model), "input",
				list(s.prefixed(in)),
				"encoding_format", `"float"`)...)}
		},
		Read: indexed,
	},
	Fault: func(status int, body []byte) Fault {
		switch {
		case status == 400 && says(body, "context_length_exceeded", "maximum context length"):
			return TooLong
		case status == 429 && says(body, "insufficient_quota"): // no use in coming later
			return Unauthorised
		}
		return ""
	},
}
