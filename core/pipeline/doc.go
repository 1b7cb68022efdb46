// Package pipeline is the one written form of a system: it parses, checks, changes and prints lines such as
//
//	bm25(k1=1.2,b=0.75)
//	rrf(bm25, dense(model=bge), k=30) >> cut(20)
//
// against the declarations of the stages, each with its parameters (a Notation). It knows no stage and scores nothing:
// the stages are in package stage, their rankers in the rooms of rank.
//
// # Grammar
//
//	pipeline = stage { ">>" stage }
//	stage    = name [ "(" [ argument { "," argument } ] ")" ]
//	argument = name "=" value | value | pipeline
//	name     = value = one or more of A-Z a-z 0-9 + - . _
//
// Spaces, tabs and line ends may stand between any two of these. A combiner (rrf) takes pipelines as arguments; a value
// without a name goes to the stage's positional parameter, if it has one (cut). A text has at most MaxLength bytes,
// MaxStages stages, and combiners nest at most MaxDepth deep.
//
// # Canonical form
//
// Parse followed by String gives the canonical form: pipelines of the same meaning have the same one, so it is what is
// hashed, compared and put into links. Pipelines that are arguments come first, each followed by ", " if something
// comes after it; then the parameters in the order of their declaration, separated by "," alone; positional ones
// without their name. Values equal to the default are omitted (that of bm25's k1, b and delta depends on variant), and
// so are empty parentheses. Numbers are in their shortest decimal form, without an exponent (1e3 is 1000). ">>" has a
// space on either side. The order of a combiner's arguments is kept: it names the rankings in explanations, and sums of
// three or more depend on it in their last bit.
//
// A parameter that means nothing for the chosen variant (epsilon without okapi) is an error, not ignored.
//
// The names of models are open words here: whether they exist depends on the collection, so whoever builds the rankers
// says so.
//
// The order of the pipeline: text or JSON → tree of written names and values → checked Node → canonical text.
package pipeline
