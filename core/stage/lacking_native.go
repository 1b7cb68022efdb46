//go:build !js

package stage

// makeThem says how to get vectors that are not there.
const makeThem = "; scripts/embed creates them for any BEIR folder, with a model's own weights or an endpoint such " +
	"as OpenAI's (see its README)"
