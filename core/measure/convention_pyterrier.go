//go:build !first

package measure

var conventionPyTerrier = Convention{
	Name: "PyTerrier", Version: "1.0", plan: planIRMeasures,
	Doc: "pt.Experiment uses ir_measures and counts 0 for every topic with qrels that the run lacks.",
}
