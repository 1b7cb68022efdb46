//go:build !first

package measure

var conventionPyTerrier = Convention{
	Name: "PyTerrier", Version: "1.0", plan: planIRMeasures, grades: gradesRefused,
	Doc: "pt.Experiment uses ir_measures and counts every judged topic that the run lacks as 0.",
}
