package chart

// Facts are what figures are drawn from beside the report. A figure that lacks its own is not drawn. Package facts
// makes those that follow from the names of the runs and from their lists; times and costs are measured by whoever runs
// them.
type Facts struct {
	Times    [][]float64 // a system: milliseconds that its queries took; nil for a system that was not timed
	Protocol string      // how they were measured, in a sentence
	Costs    []Cost
	Stages   []int // a system: stages of its pipeline, 0 where that is not known
	Sweep    *Sweep
	Steps    []Growth // one pipeline grows
	Ablation *Ablation
	Grades   []Graded
	Patterns []Pattern
	Courses  []Course // a system: what an agent had found after each step; nil for none
}

// Taken are the names of the figures that are drawn from runs of single stages.
const (
	Waterfall = "waterfall"
	Worths    = "worth"
)

// Clocked are the names of the figures that are drawn from times and costs.
var Clocked = []string{"speed", "latency", "resources"}

// Cost is one thing that systems need.
type Cost struct {
	Name   string    // "bytes that are kept", "time of a query"
	Bytes  bool      // the values are bytes, milliseconds otherwise
	Values []float64 // a system, NaN where it is not known
}

// Sweep is systems that differ in one or two parameters alone.
type Sweep struct {
	X, Y   Param   // Y has no values where one parameter varies
	System [][]int // [place in Y.Values][place in X.Values], one row where Y has none; -1 where there is no such system
}

// Param is a parameter and its values, ascending.
type Param struct {
	Name   string // "k1", or "bm25 k1" where several stages have one
	Values []float64
}

// Growth is a system that has one stage more than the one before it.
type Growth struct {
	System int
	Stage  string // what was added; of the first one the whole pipeline
}

// Ablation is what the stages of a pipeline are worth.
type Ablation struct {
	Pipeline string
	Measure  string
	Stages   []Worth
}

// Worth is what a stage is worth.
type Worth struct {
	Stage     string
	Lost      float64 // of the mean without it
	Low, High float64 // 95 % interval of Lost
	Alone     float64 // what it adds where all the others are left out
	Shapley   float64
}

// Graded is where the documents of one grade lie among the scores of a system: 0 the lowest and 1 the highest score of
// a query's list.
type Graded struct {
	System int
	Grade  float64
	Judged bool // Grade was given
	N      int  // documents
	// Low, Lower, Median, Upper and High are the 5th, 25th, 50th, 75th and 95th hundredths of their places.
	Low, Lower, Median, Upper, High float64
}

// Pattern is a way to go wrong.
type Pattern struct {
	Name    string
	Queries []int // a system: how many of its queries
}

// Course is how far an agent was after each of its steps, means over the judged queries.
type Course struct {
	Recall  []float64
	Tokens  []float64 // so far, over the queries that have a trace; nil if the traces name none
	Queries []int     // that have so many steps
}
