//go:build lessons

package measure

// registry holds the measures of the lessons program: those in lessons, their figures and exercises. Other names
// give ErrBeyond, as in the first program.
var registry = assignPlaces([]*Info{
	&infoP,
	&infoR,
	&infoSuccess,
	&infoRR,
	&infoAP,
	&infoIPrec,
	&infoNDCG,
	&infoDCG,
	&infoRBP,
	&infoERR,
	&infoJudged,
})
