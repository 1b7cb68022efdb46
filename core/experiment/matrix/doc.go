// Package matrix runs an experiment over many systems to its end, whatever happens on the way: a Spec says what may
// vary, a Plan which runs follow from that, an Experiment ranks every judged query with every run and keeps what is
// done in a Store, and an Outcome is the comparison of the runs with where they come from. It is no retriever and no
// measure, tests nothing itself (compare and report do), and reads no file: whoever calls it has a Store and the bytes
// of the Spec.
//
// Order of the pipeline: JSON → Spec → Expand (notation with alternatives → pipelines) → Plan (canonical, merged,
// refused) → Experiment (lists of documents, each kept as soon as it is there) → Outcome (compare.Comparison,
// report.Report, provenance, one hash).
//
// Every query of a run is in one of four states: evaluated, empty (the system answered with no document), failed (it
// could not answer, and why), not run. They are never one zero: a report says how many of each there are.
//
// A run is named by the canonical form of its pipeline, and known by its content hash: that of the pipeline, the depth,
// the threshold and the collection. What the hash covers gives the same lists on every machine, so a resumed experiment
// has the hash of an unbroken one.
package matrix
