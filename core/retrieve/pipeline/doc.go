// Package pipeline is the notation of systems: it parses, checks, changes and prints lines such as
//
//	rrf(bm25, dense(model=bge), k=30) >> cut(20)
//
// against the declarations of the stages (a Notation). It knows no stage and scores nothing: package stage has the
// stages, the rooms of rank their rankers.
//
// Order of the pipeline: text or JSON → tree of written names and values → checked Node → canonical text.
package pipeline
